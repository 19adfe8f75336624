#include "fixed.h"

#include "bench.h"
#include "seed_stream.h"

#include <string.h>

static const struct core_operation *moving;
static const char *seed_text;

/* One operation for each beginning. */
static int begin_anew(struct core_work *work, uint64_t *n)
{
	moving->done();
	seed_restart(seed_text);
	*n = 1;
	return moving->setup(work);
}

/* CORE_ID_COUNT: there is none. */
static enum core_id fixed_id(enum core_id id)
{
	int i = 0;

	if (strcmp(bench_operation(id), "keygen") != 0)
		return CORE_ID_COUNT;
	while (i < CORE_ID_COUNT &&
		(strcmp(bench_operation((enum core_id)i), "keygen-fixed") != 0 ||
			strcmp(bench_algorithm((enum core_id)i), bench_algorithm(id)) != 0))
		i++;
	return (enum core_id)i;
}

const struct core_operation *fixed_of(const struct core_operation *op, const char *seed)
{
	static struct core_operation fixed;
	enum core_id id = fixed_id(op->id);

	if (id == CORE_ID_COUNT)
		return NULL;
	moving = op;
	seed_text = seed;
	fixed = *op;
	fixed.id = id;
	fixed.prepare = begin_anew;
	return &fixed;
}
