/* The plain data that stages hand to each other and that the database keeps: results/import makes it,
 * results/store keeps it, results/compare reads it. The enumerations are generated from the .def files beside
 * this one. */
#ifndef BM_ROWS_H
#define BM_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum label {
#define LABEL(id, key, summary) LABEL_##id,
#include "labels.def"
#undef LABEL
	LABEL_COUNT
};

enum metric {
#define METRIC(id, name, unit, assume, better, ratio, summary) METRIC_##id,
#include "metrics.def"
#undef METRIC
	METRIC_COUNT
};

enum benchmark {
#define BENCHMARK(id, name, algorithm, operation, work) BENCHMARK_##id,
#include "benchmarks.def"
#undef BENCHMARK
	BENCHMARK_COUNT
};

enum build_state {
#define BUILD_STATE(id, name, good, summary) BUILD_##id,
#include "states.def"
#undef BUILD_STATE
	BUILD_STATE_COUNT
};

enum attempt_state {
#define ATTEMPT_STATE(id, name, good, summary) ATTEMPT_##id,
#include "states.def"
#undef ATTEMPT_STATE
	ATTEMPT_STATE_COUNT
};

enum outcome_state {
#define OUTCOME_STATE(id, name, good, summary) OUTCOME_##id,
#include "states.def"
#undef OUTCOME_STATE
	OUTCOME_STATE_COUNT
};

/* The origin of a figure. */
enum source { SOURCE_OWN, SOURCE_IMPORTED, SOURCE_PUBLISHED, SOURCE_COUNT };
enum environment { ENVIRONMENT_HARDWARE, ENVIRONMENT_EMULATOR, ENVIRONMENT_UNKNOWN, ENVIRONMENT_COUNT };
enum kind { KIND_SAMPLED, KIND_EXACT, KIND_DERIVED, KIND_STATED, KIND_COUNT };

enum assume { ASSUME_SAMPLED, ASSUME_EXACT };
enum better { BETTER_LOWER, BETTER_HIGHER };
enum work { WORK_BULK, WORK_OPERATION };

struct metric_info {
	const char *name, *unit, *ratio_word, *summary;
	enum assume assume;
	enum better better;
};

struct benchmark_info {
	const char *name, *algorithm, *operation;
	enum work work;
};

struct state_info {
	const char *name, *summary;
	bool good; /* false: the cell or build that is in it has failed */
};

extern const char *const label_keys[LABEL_COUNT + 1]; /* NULL-terminated */
extern const char *const label_summaries[LABEL_COUNT];
extern const struct metric_info metric_infos[METRIC_COUNT];
extern const struct benchmark_info benchmark_infos[BENCHMARK_COUNT];
extern const struct state_info build_states[BUILD_STATE_COUNT];
extern const struct state_info attempt_states[ATTEMPT_STATE_COUNT];
extern const struct state_info outcome_states[OUTCOME_STATE_COUNT];
extern const char *const source_names[SOURCE_COUNT];
extern const char *const environment_names[ENVIRONMENT_COUNT];
extern const char *const kind_names[KIND_COUNT];

/* The index of a name, or -1. */
int label_find(const char *key);
int metric_find(const char *name);
int benchmark_find(const char *name);

/* Whether its values are whole, and not per byte or per operation: bytes, allocations, ratios. */
bool metric_is_whole(enum metric metric);
/* Whether it is an exact one of a single operation, which bench-core tells as a value. */
bool metric_is_of_memory(enum metric metric);

/* The labels of a series. Lent strings; NULL where a label is absent. */
struct labels {
	const char *v[LABEL_COUNT];
};

/* A figure and how sure it is. Values are in the metric's base unit per unit of work; unknown is NAN (NULL in
 * the database). */
struct figure {
	int64_t n;			 /* samples; 1 for an exact value, 0: unknown */
	double min, q1, median, q3, max; /* quartiles NAN for n < 2 */
	double mean, sd;		 /* sd: sample standard deviation, NAN for n < 2 */
};

/* The figure's one value: the median, else the mean, the best (min) or the worst (max), whichever comes first
 * of those that are known. */
double figure_value(const struct figure *figure);
/* What that is: "median", "mean", "best" or "worst". Static. */
const char *figure_statistic(const struct figure *figure);

/* The samples of one process invocation, in the order in which they were taken. */
struct sample_set {
	uint32_t invocation;  /* from 0 */
	uint64_t iterations;  /* calls that each sample spans */
	const double *values; /* base unit per unit of work */
	size_t n;
};

/* What became of one benchmark in one attempt. */
struct outcome {
	const char *benchmark; /* a name of benchmarks.def, or as the stream had it */
	const char *block;     /* bytes, decimal; NULL for a benchmark per operation */
	enum outcome_state state;
	const char *reason; /* NULL for ok */
	const char *digest; /* of the timed output, hexadecimal; NULL where there is none */
	const char *proof;  /* what the answer was held against (schema/wire.md); NULL where there is none */
};

/* One measured value of one attempt. The labels that the build, platform and instrument give are filled in by
 * the store. */
struct measurement {
	const char *benchmark, *block; /* as in struct outcome */
	enum metric metric;
	enum source source;
	enum environment environment;
	enum kind kind;
	struct figure figure;
	const struct sample_set *samples; /* may be NULL */
	size_t n_samples;		  /* sets, not values */
};

#endif
