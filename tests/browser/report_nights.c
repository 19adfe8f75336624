/* A database of a large matrix over nights, for the report: in the last of them one figure is 5 % larger, and
 * one more build could not be linked. usage: report_nights FILE NIGHTS */
#include "night.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

/* Text, rodata and data of the k-th library: each is larger than the one before. */
static bool put_sizes(struct store *store, const struct result *result, int k, GError **err)
{
	static const enum metric metrics[] = {METRIC_TEXT, METRIC_RODATA, METRIC_DATA};
	g_autofree char *name = g_strdup_printf("%s sizes", result->what.labels.v[LABEL_CONFIG]);
	g_autofree char *uuid = g_uuid_string_random();
	const struct cell_row cell = {.run = result->run,
		.build = result->build,
		.name = name,
		.agent = "build",
		.instrument = "build",
		.mode = "count"};
	struct attempt_row attempt = {
		.uuid = uuid, .number = 1, .state = ATTEMPT_OK, .argv = "[]", .started_at = 1, .seconds = 0};
	struct measurement sizes[G_N_ELEMENTS(metrics)];
	struct intake intake = {
		.outcomes = g_ptr_array_new(), .measurements = g_ptr_array_new(), .complete = true};
	struct outcome outcome = {.benchmark = "library size", .state = OUTCOME_OK};
	int64_t id;

	g_ptr_array_add(intake.outcomes, &outcome);
	for (size_t m = 0; m < G_N_ELEMENTS(metrics); m++) {
		double bytes = 100000 + 1000 * k;
		sizes[m] = (struct measurement){.benchmark = "library size",
			.metric = metrics[m],
			.environment = ENVIRONMENT_HARDWARE,
			.kind = KIND_EXACT,
			.figure = {1, bytes, NAN, bytes, NAN, bytes, bytes, NAN}};
		g_ptr_array_add(intake.measurements, &sizes[m]);
	}
	bool ok = store_cell_put(store, &attempt.cell, &cell, err) &&
		  store_attempt_take_in(store, &id, &attempt, &intake, err);
	g_ptr_array_unref(intake.outcomes);
	g_ptr_array_unref(intake.measurements);
	return ok;
}

/* Of each build that the last night has figures of. */
static bool put_all_sizes(struct store *store, GError **err)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);
	struct selector *selector = NULL;
	GArray *results = NULL;
	bool ok = selector_parse(&selector, NULL, err) && store_results(store, &results, selector, err);

	for (guint i = 0; ok && i < results->len; i++) {
		const struct result *result = &g_array_index(results, struct result, i);

		if (g_hash_table_add(seen, (gpointer)&result->build))
			ok = put_sizes(store, result, (int)g_hash_table_size(seen), err);
	}
	if (results != NULL)
		g_array_unref(results);
	selector_free(selector);
	return ok;
}

/* In the last night. */
static bool put_failure(struct store *store, GError **err)
{
	GPtrArray *runs = NULL;
	struct build_row build = {.labels.v = {[LABEL_LIBRARY] = "wolfssl",
					  [LABEL_VERSION] = "git:master",
					  [LABEL_CONFIG] = "broken",
					  [LABEL_PROFILE] = "crypto",
					  [LABEL_OPTIMISATION] = "O2",
					  [LABEL_TOOLCHAIN] = "aarch64-gcc"},
		.state = BUILD_LINK_FAILED,
		.reason = "link: undefined reference to `missing'",
		.configure_line = "./configure --enable-broken",
		.log = "configure: ok\nld: undefined reference to `missing'\n",
		.arch = "aarch64",
		.seconds = 1};
	struct cell_row cell = {
		.name = "broken", .agent = "local", .instrument = "bench-core", .mode = "count"};
	int64_t id;

	if (!store_runs(store, &runs, err))
		return false;
	cell.run = ((const struct run_info *)runs->pdata[0])->id;
	bool ok = store_build_put(store, &cell.build, &build, err) && store_cell_put(store, &id, &cell, err);
	g_ptr_array_unref(runs);
	return ok;
}

/* A run began when its first attempt did. */
static bool date_runs(const char *file)
{
	sqlite3 *handle;
	bool ok = sqlite3_open(file, &handle) == SQLITE_OK &&
		  sqlite3_exec(handle,
			  "UPDATE run SET started_at = (SELECT min(a.started_at) FROM attempt AS a JOIN cell "
			  "AS c ON c.id = a.cell_id WHERE c.run_id = run.id AND a.started_at > 1)",
			  NULL, NULL, NULL) == SQLITE_OK;

	sqlite3_close(handle);
	return ok;
}

int main(int argc, char **argv)
{
	GError *err = NULL;
	struct store *store = argc == 3 ? store_open(argv[1], STORE_WRITE, &err) : NULL;
	int nights = argc == 3 ? (int)g_ascii_strtoll(argv[2], NULL, 10) : 0;
	bool ok = store != NULL;

	night_slow = nights - 1;
	for (int night = 0; ok && night < nights; night++)
		ok = night_store(store, night, &err);
	if (!ok || !put_all_sizes(store, &err) || !put_failure(store, &err) || !date_runs(argv[1])) {
		fprintf(stderr, "report_nights: %s\n",
			err ? err->message : "usage: report_nights FILE NIGHTS");
		return EXIT_FAILURE;
	}
	store_close(store);
	return EXIT_SUCCESS;
}
