/* One benchmark from its start record to its benchmark record. */
#ifndef CORE_BENCH_H
#define CORE_BENCH_H

#include "items.h"
#include "measure.h"

/* What all benchmarks of an invocation share. */
struct bench_session {
	const struct core_options *options;
	struct measure_plan plan;
	const char *untrusted; /* why nothing can be trusted; NULL: all is well */
	size_t touched;	       /* the largest block so far */
	unsigned region;       /* number of the region that the next benchmark may use */
	bool left;	       /* --one has left something: */
	struct item next;
};

/* Name and its two parts, and whether it is bulk, of a row of schema/benchmarks.def. */
const char *bench_name(enum core_id id);
const char *bench_algorithm(enum core_id id);
const char *bench_operation(enum core_id id);
bool bench_is_bulk(enum core_id id);

/* The timing loop around nothing; it comes before the adapter's operations. */
extern const struct core_operation bench_null;

/* Proves, measures, proves again, and writes the records. block: 0 where it is per operation. False: a record
 * could not be written. */
bool bench_run(struct bench_session *session, const struct core_operation *op, size_t block);

#endif
