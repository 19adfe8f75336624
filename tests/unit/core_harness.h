/* Runs bench-core with the adapter of tests/fixtures/core_fake.c, and reads what it says. */
#ifndef BM_CORE_HARNESS_H
#define BM_CORE_HARNESS_H

#include "wire.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

/* One run of the program: its records, in order, and how it ended. */
struct run {
	GPtrArray *records; /* json_t */
	char *errors;
	int status; /* of wait() */
};

static inline void run_clear(struct run *run)
{
	g_ptr_array_unref(run->records);
	g_free(run->errors);
}
#define AUTO_RUN __attribute__((cleanup(run_clear))) struct run

static inline GPtrArray *parse(const char *output)
{
	GPtrArray *records = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	guint n = g_strv_length(lines);

	/* Whole lines only: after the last newline there is nothing. */
	if (n > 0)
		g_assert_cmpstr(lines[n - 1], ==, "");
	for (guint i = 0; i + 1 < n; i++) {
		json_error_t error;
		json_t *record = json_loads(lines[i], JSON_REJECT_DUPLICATES, &error);
		if (record == NULL)
			g_error("line %u: %s: %s", i + 1, error.text, lines[i]);
		g_assert_cmpuint(strlen(lines[i]), <, WIRE_LINE_MAX);
		g_ptr_array_add(records, record);
	}
	return records;
}

/* `line` is split at bars, since names of benchmarks have spaces. */
static inline struct run run_fake(const char *behaviour, const char *line)
{
	g_autofree char *whole = g_strconcat(CORE_FAKE "|", line, NULL), *output = NULL;
	g_auto(GStrv) argv = g_strsplit(whole, "|", -1);
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "CORE_FAKE", behaviour, TRUE);
	struct run run = {0};
	g_autoptr(GError) error = NULL;

	/* A sanitizer would turn the signal into an exit status. */
	environment = g_environ_setenv(environment, "UBSAN_OPTIONS", "handle_segv=0", TRUE);
	g_spawn_sync(NULL, argv, environment, G_SPAWN_DEFAULT, NULL, NULL, &output, &run.errors, &run.status,
		&error);
	g_assert_no_error(error);
	run.records = parse(output);
	return run;
}

static inline const char *text(json_t *record, const char *key)
{
	const char *value = json_string_value(json_object_get(record, key));

	return value != NULL ? value : "";
}

/* The nth (from 0) record of a kind about a benchmark, or NULL. */
static inline json_t *find(const struct run *run, const char *kind, const char *name, guint nth)
{
	for (guint i = 0; i < run->records->len; i++) {
		json_t *record = run->records->pdata[i];
		if (strcmp(text(record, "r"), kind) == 0 &&
			(name == NULL || strcmp(text(record, "name"), name) == 0) && nth-- == 0)
			return record;
	}
	return NULL;
}

static inline void assert_outcome(
	const struct run *run, const char *name, const char *state, const char *reason)
{
	json_t *outcome = find(run, "benchmark", name, 0);

	g_assert_nonnull(outcome);
	g_assert_cmpstr(text(outcome, "state"), ==, state);
	if (strstr(text(outcome, "reason"), reason) == NULL)
		g_error("%s: reason \"%s\" does not say \"%s\"", name, text(outcome, "reason"), reason);
	if (strcmp(state, "ok") == 0)
		return;
	g_assert_null(json_object_get(outcome, "digest"));
	g_assert_null(json_object_get(outcome, "proof"));
	g_assert_null(find(run, "samples", name, 0));
	g_assert_null(find(run, "region", name, 0));
	g_assert_null(find(run, "value", name, 0));
}

/* The tables of schema/wire.md: kind of record, key, type, whether it must be there. */
static const struct {
	const char *kind, *key;
	json_type type;
	bool required;
} keys[] = {
	{"header", "wire", JSON_INTEGER, true},
	{"header", "core", JSON_STRING, true},
	{"header", "mode", JSON_STRING, true},
	{"header", "invocation", JSON_INTEGER, true},
	{"header", "build", JSON_STRING, false},
	{"header", "library", JSON_STRING, true},
	{"header", "library_version", JSON_STRING, true},
	{"header", "math", JSON_STRING, true},
	{"header", "cpu_features", JSON_ARRAY, true},
	{"header", "pointer_bits", JSON_INTEGER, true},
	{"header", "endian", JSON_STRING, true},
	{"header", "page_size", JSON_INTEGER, false},
	{"header", "clock", JSON_STRING, true},
	{"header", "clock_resolution_ns", JSON_INTEGER, false},
	{"header", "counter", JSON_STRING, true},
	{"header", "counter_metric", JSON_STRING, false},
	{"header", "counter_hz", JSON_INTEGER, false},
	{"header", "counter_stated_hz", JSON_INTEGER, false},
	{"header", "remarks", JSON_ARRAY, false},
	{"header", "seed", JSON_STRING, true},
	{"start", "name", JSON_STRING, true},
	{"start", "block", JSON_INTEGER, false},
	{"benchmark", "name", JSON_STRING, true},
	{"benchmark", "block", JSON_INTEGER, false},
	{"benchmark", "state", JSON_STRING, true},
	{"benchmark", "reason", JSON_STRING, false},
	{"benchmark", "digest", JSON_STRING, false},
	{"benchmark", "proof", JSON_STRING, false},
	{"samples", "name", JSON_STRING, true},
	{"samples", "block", JSON_INTEGER, false},
	{"samples", "metric", JSON_STRING, true},
	{"samples", "iterations", JSON_INTEGER, true},
	{"samples", "values", JSON_ARRAY, true},
	{"region", "region", JSON_INTEGER, true},
	{"region", "name", JSON_STRING, true},
	{"region", "block", JSON_INTEGER, false},
	{"region", "iterations", JSON_INTEGER, true},
	{"region", "ns", JSON_INTEGER, false},
	{"value", "name", JSON_STRING, true},
	{"value", "block", JSON_INTEGER, false},
	{"value", "metric", JSON_STRING, true},
	{"value", "value", JSON_INTEGER, true},
	{"end", "records", JSON_INTEGER, true},
	{"end", "next", JSON_STRING, false},
};

static inline void assert_record(json_t *record)
{
	const char *kind = text(record, "r");
	size_t known = 1;

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		json_t *value = json_object_get(record, keys[i].key);
		if (strcmp(keys[i].kind, kind) != 0)
			continue;
		if (keys[i].required && value == NULL)
			g_error("%s: %s is missing", kind, keys[i].key);
		if (value != NULL && json_typeof(value) != keys[i].type)
			g_error("%s: %s has another type", kind, keys[i].key);
		known += value != NULL;
	}
	/* No other keys, and for a kind that is not in the table none at all. */
	g_assert_cmpuint(known, ==, json_object_size(record));
	g_assert_cmpuint(known, >, 1);
}

static inline void assert_whole_stream(const struct run *run)
{
	guint n = run->records->len;
	json_t *end = run->records->pdata[n - 1];

	g_assert_cmpint(run->status, ==, 0);
	g_assert_cmpstr(run->errors, ==, "");
	g_assert_cmpstr(text(run->records->pdata[0], "r"), ==, "header");
	g_assert_cmpstr(text(end, "r"), ==, "end");
	g_assert_cmpint(json_integer_value(json_object_get(end, "records")), ==, n - 1);
	for (guint i = 0; i < n; i++)
		assert_record(run->records->pdata[i]);
}

#endif
