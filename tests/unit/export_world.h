/* A small database to export: times with samples by two invocations, a count, emulated time, and a document
 * of another tool; with texts that formats must escape. */
#ifndef BM_EXPORT_WORLD_H
#define BM_EXPORT_WORLD_H

#include "document_fixture.h"
#include "export.h"
#include "store_fixture.h"

#define WORLD_TIME G_GINT64_CONSTANT(1793750400123456789) /* 2026-11-04 00:00:00.123456789 UTC */

/* Of a process: AES-128-CBC at 1024 bytes in sets of 1000 calls, and RSA-2048; nanoseconds. */
static inline char *world_stream(int invocation, const char *aes, const char *rsa)
{
	return g_strdup_printf(
		"{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":%d,\"library_version\":\"5.5."
		"4\","
		"\"math\":\"sp_int.c\",\"build\":\"22bb\",\"pointer_bits\":64}\n"
		"{\"r\":\"samples\",\"name\":\"aes-128-cbc encrypt\",\"block\":1024,\"metric\":\"time\","
		"\"iterations\":1000,\"values\":[%s]}\n"
		"{\"r\":\"benchmark\",\"name\":\"aes-128-cbc encrypt\",\"block\":1024,\"state\":\"ok\"}\n"
		"{\"r\":\"samples\",\"name\":\"rsa-2048 "
		"private\",\"metric\":\"time\",\"iterations\":1,\"values\":[%s]}\n"
		"{\"r\":\"benchmark\",\"name\":\"rsa-2048 private\",\"state\":\"ok\"}\n"
		"{\"r\":\"end\",\"records\":5}\n",
		invocation, aes, rsa);
}

static inline int64_t world_platform(
	struct fixture *fixture, const char *name, enum environment environment, const char *cpu)
{
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);
	int64_t id;

	g_hash_table_insert(facts, (gpointer) "cpu", (gpointer)cpu);
	g_assert_true(store_platform_put(fixture->store, &id, name, environment, facts, NULL));
	return id;
}

static inline void world_measure(
	struct fixture *fixture, const char *config, const char *first, const char *second)
{
	struct build_row build = build_row("5.5.4", config);

	build.compiler = "gcc \"12\", a\\b\nline 2";
	int64_t board = world_platform(fixture, "rock5", ENVIRONMENT_HARDWARE, "Cortex-A76");
	int64_t cell = put_cell(fixture, config, put_build(fixture, build), board);
	struct attempt_row attempt = attempt_row(cell, "aaaaaaaa-0000-4000-8000-000000000001", WORLD_TIME);
	static const char *const notes[] = {"busy: load 3.1 before, 2.9 after", NULL};
	g_autofree char *stream = g_strconcat(first, second, NULL);

	attempt.notes = notes;
	take_in(fixture, attempt, ENVIRONMENT_HARDWARE, stream);
}

static inline void world_count(struct fixture *fixture, const char *config)
{
	int64_t emulator = world_platform(fixture, "cortex-a72", ENVIRONMENT_EMULATOR, "cortex-a72");
	int64_t cell = put_cell(fixture, "count", put_build(fixture, build_row("5.5.4", config)), emulator);
	g_autofree char *stream = count_stream(29556537);

	take_in(fixture, attempt_row(cell, "aaaaaaaa-0000-4000-8000-000000000002", WORLD_TIME + 1),
		ENVIRONMENT_EMULATOR, stream);
}

static inline void world_import(struct fixture *fixture)
{
	struct document *document =
		made_document("speed.txt", "cyassl", "RSA 2048 took 9.123 milliseconds\n");
	struct document_part *part = made_part(document, "2.3.0");
	struct document_reading ratio = made_reading(4, "AES", "aes-128-cbc encrypt", 36.58, "36.58");
	g_autoptr(GError) err = NULL;
	bool is_new;
	int64_t run;

	document->source.published_at = WORLD_TIME;
	add_figure(
		document, part, made_reading(3, "RSA 2048 private", "rsa-2048 private", 0.009123, "9.123"));
	ratio.metric = METRIC_SPEEDUP;
	ratio.kind = KIND_STATED;
	ratio.unit = "X";
	add_figure(document, part, ratio);
	store_document_take_in(fixture->store, &run, &is_new, document, &err);
	g_assert_no_error(err);
	free_made(document);
}

static inline void world_open(struct fixture *fixture)
{
	g_autofree char *first = world_stream(0, "1024000,2048000", "700000");
	g_autofree char *second = world_stream(1, "3072000", "720000");

	fixture_open(fixture);
	begin_run(fixture, "say \"hello\"");
	world_measure(fixture, "=sp,\"x\"", first, second);
	world_count(fixture, "default");
	world_import(fixture);
}

/* --- exporting --- */

static inline bool world_take(void *user, const char *bytes, size_t length, GError **err)
{
	(void)err;
	g_string_append_len(user, bytes, (gssize)length);
	return true;
}

static inline struct export_set *world_set(struct fixture *fixture, const char *selector)
{
	g_autoptr(GError) err = NULL;
	struct export_set *set = NULL;

	export_set_make(&set, fixture->store, selector, &err);
	g_assert_no_error(err);
	return set;
}

static inline const struct export_options *world_options(bool samples)
{
	static struct export_options options = {.program = "benchmatrix 1.2.3"};

	options.samples = samples;
	return &options;
}

/* Of everything that the selector takes. */
static inline char *exported(struct fixture *fixture, const char *format, const char *selector, bool samples)
{
	g_autoptr(GError) err = NULL;
	struct export_set *set = world_set(fixture, selector);
	GString *text = g_string_new(NULL);
	struct export_target target = {world_take, text};
	struct export_count count;
	const struct exporter *exporter = exporter_find(format, &err);

	g_assert_no_error(err);
	export_write(&count, exporter, set, world_options(samples), &target, &err);
	g_assert_no_error(err);
	export_set_free(set);
	return g_string_free(text, FALSE);
}

#endif
