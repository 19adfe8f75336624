/* What each suspicion came to, once it was measured again. */
#ifndef BM_NIGHT_JUDGE_H
#define BM_NIGHT_JUDGE_H

#include "night_changes.h"
#include "store_alarms.h"

struct night_finding {
	const struct night_suspect *suspect;
	const struct night_change *change;
	enum alarm_kind kind;
	/* The two parts of the change, above 1 is better: old against new revision, both with today's
	 * instrument; and the old revision with the old instrument against itself with today's. NAN: unknown.
	 */
	double library, instrument;
	double again; /* the old revision with today's instrument, in the metric's unit; NAN: not measured */
	/* What changed of the instrument; NULL: nothing that is known, or it makes no difference here. */
	char *instrument_text;
	char *reason; /* why it is unclear; NULL else */
};

/* Of each suspect of the changes, in order. GPtrArray of struct night_finding with its own free function. */
bool night_judge(GPtrArray **ret, struct store *store, const GPtrArray *changes, GError **err);

/* "the compiler changed from gcc 12.2 to gcc 12.3; ..."; NULL where nothing did. `same_source`: the library's
 * source is the same on both sides, so that its key tells what built it. Free with g_free(). */
char *night_instrument_text(
	const struct instrument *before, const struct instrument *after, bool same_source);

/* The alarm that keeps a finding; its strings are lent by it. */
struct alarm_row night_alarm(const struct night_finding *finding);

#endif
