/* What an attempt said of one benchmark at one block size, process by process; becomes an outcome and
 * measurements. */
#ifndef BM_GATHERED_H
#define BM_GATHERED_H

#include "intake.h"

struct told {		    /* an outcome record, or what a crash says */
	int64_t process;    /* by the order of arrival */
	int64_t invocation; /* that the process is of */
	enum outcome_state state;
	char *reason, *digest, *proof; /* NULL where absent */
};

struct gathered {
	char *name, *block; /* block: NULL for a benchmark per operation */
	char *fault;  /* why its figures cannot be used: an unknown name, a block that is missing or in the
			 way; NULL where well */
	double units; /* bytes per call of a bulk benchmark; 1 of the others */
	GArray *told; /* struct told, one per process that told */
	GArray *samples[METRIC_COUNT]; /* struct sample_set, values owned */
	guint settled[METRIC_COUNT];   /* sets of processes that told its outcome; those after them may yet be
					  dropped */
	GArray *values[METRIC_COUNT];  /* double: of one operation each, as told */
	guint settled_values[METRIC_COUNT];
	GArray *region_times; /* struct sample_set: elapsed time of counted regions, one value each */
	GArray *counts;	      /* double: instructions per unit of work, one per counted region */
};

struct gathered *gathered_new(const char *name, const char *block);
void gathered_free(gpointer gathered);

/* `values` as the stream has them, per `iterations` calls. Nothing is kept where there is a fault. */
void gathered_add_samples(struct gathered *gathered, enum metric metric, int64_t invocation,
	uint64_t iterations, const double *values, size_t n);
/* An exact value of one operation. */
void gathered_add_value(struct gathered *gathered, enum metric metric, int64_t value);
/* A counted region: `instructions` below 0 where no count came, `ns` below 1 where the clock saw nothing. */
void gathered_add_region(
	struct gathered *gathered, int64_t invocation, uint64_t iterations, int64_t instructions, int64_t ns);

/* Whether that process, the latest, told its outcome. */
bool gathered_has_told(const struct gathered *gathered, int64_t process);
/* At the end of a process: whether it told an outcome. Samples of one that did not are dropped: their
 * answers were never checked. */
bool gathered_settle(struct gathered *gathered, int64_t process);

/* One outcome out of all that were told, or NULL where none was. */
struct outcome *gathered_outcome(const struct gathered *gathered);
/* Appends its measurements; moves the samples out of `gathered`. */
void gathered_measurements(struct gathered *gathered, enum environment environment, GPtrArray *measurements);

void outcome_free(gpointer outcome);
void measurement_free(gpointer measurement);

#endif
