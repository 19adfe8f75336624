/* Tables of histories, in every format. */
#include "tables_history.h"

#include <math.h>
#include <string.h>

#define NOON (G_GINT64_CONSTANT(1793793600) * 1000000000) /* 2026-11-04 12:00 UTC */
#define DAY  (G_GINT64_CONSTANT(86400) * 1000000000)

static char *rendered(const struct table *table, const struct renderer *renderer)
{
	GString *out = g_string_new(NULL);

	renderer->render(out, table);
	return g_string_free(out, FALSE);
}

/* Holds every format against tests/golden/render/<name>.<format>. */
static void assert_golden(const struct table *table, const char *name)
{
	for (size_t i = 0; renderers[i]; i++) {
		g_autofree char *got = rendered(table, renderers[i]);
		g_autofree char *file =
			g_strdup_printf("%s/tests/golden/render/%s.%s", BM_SOURCE, name, renderers[i]->name);
		g_autofree char *got_file = g_strconcat(file, ".got", NULL);
		g_autofree char *expected = NULL;

		g_file_get_contents(file, &expected, NULL, NULL);
		if (g_strcmp0(got, expected) == 0)
			continue;
		g_file_set_contents(got_file, got, -1, NULL);
		g_test_message("differs: diff %s %s", file, got_file);
		g_test_fail();
	}
}

/* --- series made by hand --- */

static const struct history_context gcc12 = {.compiler = "gcc 12.2.0", .core = "0.2.0", .code_sha256 = "c1"},
				    gcc13 = {.compiler = "gcc 13.1.0", .core = "0.2.0", .code_sha256 = "c2"};

static struct history_series *series_new(const char *benchmark, const char *block, enum metric metric)
{
	struct history_series *series = g_new0(struct history_series, 1);

	series->points = g_array_new(FALSE, TRUE, sizeof(struct history_point));
	series->metric = metric;
	series->exact = metric_infos[metric].assume == ASSUME_EXACT;
	series->what = (struct selectable){.labels.v = {[LABEL_LIBRARY] = "wolfssl",
						   [LABEL_VERSION] = "git:master",
						   [LABEL_CONFIG] = "default",
						   [LABEL_TOOLCHAIN] = "aarch64-gcc",
						   [LABEL_BENCHMARK] = benchmark,
						   [LABEL_BLOCK] = block,
						   [LABEL_METRIC] = metric_infos[metric].name}};
	return series;
}

/* The next night's; its revision and run are numbered by the nights before. */
static void add_night(struct history_series *series, double value, const struct history_context *context)
{
	guint i = series->points->len;
	g_autofree char *revision = g_strdup_printf("%02x0000000000000000000000000000000000ab%02x", i, i),
			*run = g_strdup_printf("%08x-0000-4000-8000-000000000000", i + 0xa0);
	struct history_point point = {.value = value,
		.n = 1,
		.started_at = NOON + i * DAY,
		.run_uuid = g_intern_string(run),
		.revision = g_intern_string(revision),
		.context = context};

	g_array_append_val(series->points, point);
}

static struct history *history_new(struct history_series *const *series, guint n)
{
	struct history *history = g_new0(struct history, 1);

	history->series = g_ptr_array_new();
	history->places = g_hash_table_new(NULL, NULL);
	history->common = series[0]->what.labels;
	for (guint i = 0; i < n; i++) {
		history_analyse(series[i]);
		g_ptr_array_add(history->series, series[i]);
	}
	if (n > 1) {
		history->shown[LABEL_BENCHMARK] = history->shown[LABEL_BLOCK] = true;
		history->common.v[LABEL_BENCHMARK] = history->common.v[LABEL_BLOCK] = NULL;
	}
	return history;
}

static void free_all(struct history *history)
{
	for (guint i = 0; i < history->series->len; i++) {
		struct history_series *series = history->series->pdata[i];

		g_array_unref(series->points);
		g_array_unref(series->segments);
		g_array_unref(series->changes);
		g_free(series);
	}
	history_free(history);
}

/* 13 nights of 100 MiB/s and 13 of 50: of 1 / (1048576 MiB/s) s/B. */
static struct history_series *slower(void)
{
	struct history_series *series = series_new("aes-128-cbc encrypt", "1024", METRIC_TIME);

	for (int i = 0; i < 26; i++)
		add_night(series, (i % 3 ? 1.0 : 1.02) / (i < 13 ? 104857600.0 : 52428800.0), &gcc12);
	return series;
}

static struct history_series *counted(void)
{
	struct history_series *series = series_new("rsa-2048 private", NULL, METRIC_INSTRUCTIONS);

	add_night(series, 29000000, &gcc12);
	add_night(series, 29000000, &gcc12);
	add_night(series, 29000001, &gcc12);
	add_night(series, 14500000, &gcc13);
	return series;
}

static void one_series_has_a_row_for_each_night(void)
{
	struct history_series *series[] = {counted()};
	struct history *history = history_new(series, 1);
	struct table *table = table_of_history(history, &(struct history_view){0});

	assert_golden(table, "history-nights");
	table_free(table);
	free_all(history);
}

static void several_have_a_row_each(void)
{
	struct history_series *steady = series_new("ecdh-p256 agree", NULL, METRIC_TIME),
			      *few = series_new("ecdsa-p256 sign", NULL, METRIC_TIME);
	struct history_series *series[] = {slower(), steady, few};

	for (int i = 0; i < 30; i++)
		add_night(steady, i % 2 ? 0.001 : 0.00102, &gcc12);
	add_night(few, 0.001, &gcc12);
	add_night(few, 0.002, &gcc12);
	struct history *history = history_new(series, 3);
	history->left_out = 2;
	struct table *table = table_of_history(history, &(struct history_view){0});
	assert_golden(table, "history-series");
	table_free(table);
	free_all(history);
}

static void changes_have_a_row_each(void)
{
	struct history_series *series[] = {counted(), series_new("sha-256 hash", NULL, METRIC_INSTRUCTIONS)};

	add_night(series[1], 5, &gcc12);
	struct history *history = history_new(series, 2);
	struct table *table = table_of_history(history, &(struct history_view){.changes = true});
	assert_golden(table, "history-changes");
	table_free(table);
	free_all(history);
}

/* The better to the right; the night over its level. */
static void a_plot_stands_beside_each_night(void)
{
	struct history_series *series[] = {slower()};
	struct history *history = history_new(series, 1);
	struct table *table = table_of_history(history, &(struct history_view){.plot = true});
	const struct renderer *renderer = renderer_find("table", NULL);
	g_autofree char *got = rendered(table, renderer);

	/* 50 MiB/s and 2 % less are the worst, 100 MiB/s the best. */
	g_assert_nonnull(strstr(got, "                       *"));
	g_assert_nonnull(strstr(got, "*|"));
	g_assert_nonnull(strstr(got, "0.500x slower"));
	table_free(table);
	free_all(history);
}

static void values_that_never_change_can_be_plotted(void)
{
	struct history_series *series[] = {series_new("sha-256 hash", NULL, METRIC_INSTRUCTIONS)};

	add_night(series[0], 5, &gcc12);
	struct history *history = history_new(series, 1);
	struct table *table = table_of_history(history, &(struct history_view){.plot = true});
	g_autofree char *got = rendered(table, renderer_find("table", NULL));
	g_assert_nonnull(strstr(got, "            *"));
	table_free(table);
	free_all(history);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/render/one_series_has_a_row_for_each_night", one_series_has_a_row_for_each_night);
	g_test_add_func("/render/several_have_a_row_each", several_have_a_row_each);
	g_test_add_func("/render/changes_have_a_row_each", changes_have_a_row_each);
	g_test_add_func("/render/a_plot_stands_beside_each_night", a_plot_stands_beside_each_night);
	g_test_add_func(
		"/render/values_that_never_change_can_be_plotted", values_that_never_change_can_be_plotted);
	return g_test_run();
}
