/* The places where a plan's cells run, each asked once what it is. */
#ifndef BM_PLACES_H
#define BM_PLACES_H

#include "agent.h"
#include "store.h"

struct place {
	struct agent_place *what;  /* NULL where it cannot be used here */
	char *lacks;		   /* then: why, and what to install */
	bool away;		   /* then: it could not be reached, and may come back */
	int64_t platform;	   /* row of the store; 0 where it cannot be used */
	const struct agent *agent; /* that was asked; lent */
	const struct agent_target *target;
};

struct places;
struct places *places_new(struct store *store);
void places_free(struct places *places);

/* The place of an agent and target; described, and its platform stored, when first asked for. Lent. Fails
 * only where the store does. */
bool places_find(struct places *places, const struct place **ret, const struct agent *agent,
	const struct agent_target *target, GError **err);

/* Its machine answers by now: what it is, as when first asked for. */
bool places_returned(struct places *places, const struct place *place, GError **err);

/* Stores what the places of hardware say of themselves now: their settings were changed. What was measured
 * before keeps what they said then. */
bool places_describe_again(struct places *places, GError **err);

#endif
