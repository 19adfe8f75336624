/* Gathers an attempt's stream into rows: what the store takes in.
 *
 * All processes of the attempt are fed one after the other. An invocation is one process, or several: where
 * one died or was lost, the next one goes on with the benchmark in hand or behind it. Samples of one
 * benchmark and metric are pooled into one measurement that keeps its invocations apart; a count joined with
 * its region becomes an exact one, and the elapsed time of the region one of emulated time where nothing
 * better was measured. Only benchmarks whose outcome is `ok` every time that it was told keep figures; states
 * or digests that differ are `flaky`, and its reason tells them ("crashed (signal 11 (SIGSEGV)), then ok").
 * What a process measured of a benchmark without telling its outcome is dropped: its answers were never
 * checked. */
#ifndef BM_INTAKE_H
#define BM_INTAKE_H

#include "rows.h"

#include <glib.h>

struct intake {
	GPtrArray *outcomes;	 /* const struct outcome * */
	GPtrArray *measurements; /* const struct measurement * */
	size_t problems;	 /* lines that could not be read */
	char *first_problem;	 /* "line 7: not JSON"; NULL where there is none */
	char *library_version;	 /* as the library said; NULL where no header came */
	char *header;		 /* the first header line; NULL where none came */
	GPtrArray *remarks;	 /* char *: what the headers tell of the figures, each text once, then NULL */
	bool complete;		 /* every invocation's last process has its end record with the right count */
	char *incomplete_reason; /* NULL where complete */
	char *last_started; /* "rsa-2048 private", "aes-128-cbc encrypt 1024": begun and not finished by the
			       last process; NULL where none */
};

struct intake_builder;

/* `environment` is the agent's. `build` is what the header's `build` must say; NULL: anything. */
struct intake_builder *intake_builder_new(enum environment environment, const char *build);
/* Where no process has begun, the next invocation's does. */
void intake_builder_push(struct intake_builder *builder, const char *bytes, size_t length);
/* A process of that invocation (from 0) begins: what is pushed from now on is its stream. */
void intake_builder_process_began(struct intake_builder *builder, int64_t invocation);
/* It has ended. `reason` NULL: by itself. Else why not: "signal 7 (SIGBUS)"; the benchmark in hand then gets
 * the state `blame` (crashed or timeout) with that reason, or nothing where `blame` is OUTCOME_OK: it is not
 * to blame (cancelled, lost with the run). */
void intake_builder_process_ended(
	struct intake_builder *builder, enum outcome_state blame, const char *reason);
/* Frees the builder. The intake is the caller's: intake_free(). */
struct intake *intake_builder_finish(struct intake_builder *builder);
void intake_free(struct intake *intake);

/* n, min, quartiles, median, mean, max, sd of all values; the median of an even number is the mean of the
 * middle two. n >= 1. */
struct figure figure_of(const double *values, size_t n);
/* Whether a figure that was told is the one that figure_of() computes, but for the last digits. */
bool figure_follows(const struct figure *stored, const struct figure *computed);

#endif
