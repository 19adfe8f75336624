/* Two programs in alternation: which process is next, and when it is enough.
 *
 * The k-th invocations of the cells make the k-th pair and stand next to each other in time. Pairs go A B, B
 * A: over two of them a drift that is linear in time cancels, as in weighing by double substitution (NIST IR
 * 6969, SOP 4). Which side begins the first of the two is a coin's, since a signed rank test rests on the
 * signs of the differences being by chance (Lehmann, Nonparametrics (1975), 3.1), and a disturbance that
 * comes at regular times must not always meet the same side. */
#ifndef BM_PAIRS_H
#define BM_PAIRS_H

#include "attempt.h"

struct pairs {
	const char *seed; /* lent; equal seeds give equal orders: the run's UUID, so that one that is gone on
			     with keeps its */
	double time_s;	  /* no pair is begun that would most likely end later; 0: no bound */
	int most;	  /* no invocation from this one on is begun; PAIRS_ALL */
	int first;	  /* pairs that were done before the time began */
	int64_t began_at; /* monotonic, microseconds; 0: not yet */
};
#define PAIRS_ALL G_MAXINT

/* Whether in this pair the cell goes first whose name sorts last. */
bool pairs_turned(const char *seed, int pair);

/* Takes the attempt out of the queue whose process is next, and which is started now; NULL: the queue is
 * empty. */
struct attempt *pairs_take(struct pairs *pairs, GQueue *waiting);

/* Takes one out that goes on no more, as the time is over, or its partner has ended or never came; NULL:
 * there is none. The first invocation is always begun. */
struct attempt *pairs_take_ended(struct pairs *pairs, GQueue *waiting);

/* An attempt has ended: what the other one would do from there on has no partner. */
void pairs_note_end(struct pairs *pairs, const struct attempt *attempt);

#endif
