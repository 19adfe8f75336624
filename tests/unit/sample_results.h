/* Results made by hand, for the tests of comparing and rendering. */
#ifndef BM_SAMPLE_RESULTS_H
#define BM_SAMPLE_RESULTS_H

#include "store.h"

#include <glib.h>
#include <math.h>

static const char *const sample_no_notes[] = {NULL};

static inline GArray *sample_array(void)
{
	return g_array_new(FALSE, TRUE, sizeof(struct result));
}

static inline struct result *sample_last(GArray *results)
{
	return &g_array_index(results, struct result, results->len - 1);
}

/* Adds five samples of time on hardware, from 10 % below to 10 % above the median; the caller changes what it
 * needs. The pointer is good until the next one is added. */
static inline struct result *sample_time(
	GArray *results, const char *config, const char *benchmark, const char *block, double median)
{
	struct result result = {
		.what = {.labels.v = {[LABEL_LIBRARY] = "wolfssl",
				 [LABEL_VERSION] = "5.5.4",
				 [LABEL_CONFIG] = config,
				 [LABEL_PROFILE] = "crypto",
				 [LABEL_OPTIMISATION] = "library",
				 [LABEL_TOOLCHAIN] = "aarch64-gcc",
				 [LABEL_PLATFORM] = "board",
				 [LABEL_INSTRUMENT] = "bench-core",
				 [LABEL_BENCHMARK] = benchmark,
				 [LABEL_BLOCK] = block,
				 [LABEL_METRIC] = "time"},
			.arch = "aarch64",
			.revision = "5.5.4-2",
			.source = SOURCE_OWN,
			.environment = ENVIRONMENT_HARDWARE,
			.kind = KIND_SAMPLED},
		.metric = METRIC_TIME,
		.figure = {.n = 5,
			.min = median * 0.9,
			.q1 = median * 0.9,
			.q3 = median * 1.1,
			.median = median,
			.mean = median,
			.max = median * 1.1,
			.sd = NAN},
		.run_uuid = "1a2b3c4d-0000-4000-8000-000000000001",
		.compiler = "gcc 12.2.0",
		.optimisation_effective = "-O2",
		.math = "sp-math-all",
		.notes = sample_no_notes,
		.started_at = G_GINT64_CONSTANT(1793750400000000000), /* 2026-11-04 00:00 UTC */
	};

	g_array_append_val(results, result);
	return sample_last(results);
}

/* Adds an exact count of instructions under an emulator. */
static inline struct result *sample_count(
	GArray *results, const char *config, const char *benchmark, const char *block, double value)
{
	struct result *result = sample_time(results, config, benchmark, block, value);

	result->what.labels.v[LABEL_METRIC] = "instructions";
	result->what.labels.v[LABEL_PLATFORM] = "qemu-a72";
	result->what.environment = ENVIRONMENT_EMULATOR;
	result->what.kind = KIND_EXACT;
	result->metric = METRIC_INSTRUCTIONS;
	result->figure = (struct figure){.n = 1,
		.min = value,
		.q1 = NAN,
		.median = value,
		.q3 = NAN,
		.max = value,
		.mean = value,
		.sd = NAN};
	result->emulator = "qemu-aarch64 7.2.22";
	return result;
}

#endif
