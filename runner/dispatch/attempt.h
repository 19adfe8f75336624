/* One try at a cell: the processes of its program, each byte of them in a spool file as it comes. */
#ifndef BM_ATTEMPT_H
#define BM_ATTEMPT_H

#include "places.h"
#include "plan.h"
#include "spool.h"
#include "store.h"

struct attempt;

/* Deadlines of one process, by mode, where the matrix names none; as in struct child_spec. */
struct attempt_limits {
	double timeout_s[AGENT_MODE_COUNT], silence_s[AGENT_MODE_COUNT];
};
extern const struct attempt_limits attempt_limits_default;

struct attempt_spec {
	const struct matrix *matrix;
	const struct planned_cell *cell;
	const struct place *place;
	const struct attempt_limits *limits;
	const struct spool *spool;	   /* of the run */
	const char *program, *key_program; /* of the build */
	const char *host; /* settings of the machine that are asked for while it times; NULL: none. Lent */
	int64_t cell_row;
	/* A process has ended; attempt_error() tells whether the spool failed, attempt_done() whether another
	 * one follows. Called in the main loop. */
	void (*on_ended)(struct attempt *attempt, void *user);
	void *user;
};

/* Copies what it needs but the pointers to matrix, cell, place, limits and spool. */
struct attempt *attempt_new(const struct attempt_spec *spec);
/* The same from the spool file that an earlier process left. Where the program or what exact results depend
 * on is another one by now, nothing of it fits: the file is removed, and the attempt begins anew. */
bool attempt_resume(
	struct attempt **ret, const struct attempt_spec *spec, const char *left_over, GError **err);
void attempt_free(struct attempt *attempt); /* its spool file stays */
const struct planned_cell *attempt_cell(const struct attempt *attempt);
int64_t attempt_cell_row(const struct attempt *attempt);

/* What its exact results depend on, hexadecimal; NULL where results there are not exact. Lent. */
const char *attempt_exact_key(const struct attempt *attempt);

/* Starts the next process; on_ended follows, never before this returns. */
void attempt_start(struct attempt *attempt);
/* Stops the process under way, if there is one. The attempt is then not done: it can be resumed. */
void attempt_cancel(struct attempt *attempt);
/* The last process was lost with its machine. Where the attempt is not done, it is to go on after a pause of
 * so many seconds, each longer than the one before; the machine is given up after its agent's deadline. */
bool attempt_lost(const struct attempt *attempt);
double attempt_pause_s(const struct attempt *attempt);
/* Whether its machine is given up as soon as it is lost. */
void attempt_hurry(struct attempt *attempt, bool hurry);
/* No process is left to start. */
bool attempt_done(const struct attempt *attempt);
/* What its next process is of, from 0. */
int attempt_invocation(const struct attempt *attempt);
/* It is done with the invocations that it has had, at least one: the others are not started. Not while a
 * process is under way. */
void attempt_finish(struct attempt *attempt);
/* Why the spool could not be written; NULL where it could. What was there before is kept. Lent. */
const GError *attempt_error(const struct attempt *attempt);
double attempt_seconds(const struct attempt *attempt);

/* Takes it from its spool file into the store: once, when it is done. */
bool attempt_store(struct attempt *attempt, struct store *store, GError **err);
/* Takes the exact results of an earlier attempt instead. */
bool attempt_carry(struct attempt *attempt, struct store *store, int64_t from, GError **err);

#endif
