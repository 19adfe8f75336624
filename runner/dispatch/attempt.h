/* One try at a cell: the invocations of its program, gathered into rows. */
#ifndef BM_ATTEMPT_H
#define BM_ATTEMPT_H

#include "intake.h"
#include "places.h"
#include "plan.h"
#include "store.h"

struct attempt;

/* Deadlines of one invocation, by mode; as in struct child_spec. */
struct attempt_limits {
	double timeout_s[AGENT_MODE_COUNT], silence_s[AGENT_MODE_COUNT];
};
extern const struct attempt_limits attempt_limits_default;

struct attempt_spec {
	const struct matrix *matrix;
	const struct planned_cell *cell;
	const struct place *place;
	const struct attempt_limits *limits;
	const char *program, *key_program; /* of the build */
	int64_t cell_row;
	/* An invocation has ended; attempt_done() tells whether it was the last. Called in the main loop. */
	void (*on_ended)(struct attempt *attempt, void *user);
	void *user;
};

/* Copies what it needs but the pointers to matrix, cell, place and limits. */
struct attempt *attempt_new(const struct attempt_spec *spec);
void attempt_free(struct attempt *attempt);
const struct planned_cell *attempt_cell(const struct attempt *attempt);
int64_t attempt_cell_row(const struct attempt *attempt);

/* What its exact results depend on, hexadecimal; NULL where results there are not exact. Lent. */
const char *attempt_exact_key(const struct attempt *attempt);

/* Starts the next invocation; on_ended follows, never before this returns. */
void attempt_start(struct attempt *attempt);
void attempt_cancel(struct attempt *attempt);
/* No invocation is left to start: all have ended, or one failed. */
bool attempt_done(const struct attempt *attempt);
bool attempt_ran(const struct attempt *attempt); /* an invocation was begun */
double attempt_seconds(const struct attempt *attempt);

/* Takes it into the store: once, when it is done. */
bool attempt_store(struct attempt *attempt, struct store *store, GError **err);
/* Takes the exact results of an earlier attempt instead. */
bool attempt_carry(struct attempt *attempt, struct store *store, int64_t from, GError **err);

#endif
