/* Histories from a database, and what is said of their changes. */
#include "diag.h"
#include "history.h"
#include "points.h"
#include "store_fixture.h"

#define DAY  (G_GINT64_CONSTANT(86400) * 1000000000)
#define NOON (G_GINT64_CONSTANT(1793793600) * 1000000000) /* 2026-11-04 12:00 UTC */

/* What a night's build is. */
struct night {
	int64_t at;
	const char *revision, *compiler, *code;
};

static struct build_row build_of(const struct night *night)
{
	struct build_row build = build_row("git:master", "default");

	build.revision = night->revision;
	if (night->compiler)
		build.compiler = night->compiler;
	build.code_sha256 = night->code;
	/* Both keys follow from what went in. */
	g_autofree char *key = g_strconcat(night->revision, " ", build.compiler, NULL);
	build.key_library = build.key_program = g_intern_string(key);
	return build;
}

static int64_t take_in_night(struct fixture *fixture, const struct night *night, int64_t ns)
{
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(ns);

	begin_run(fixture, NULL);
	int64_t cell = put_cell(fixture, "default", put_build(fixture, build_of(night)),
		put_platform(fixture, "rock5", ENVIRONMENT_HARDWARE));
	return take_in(fixture, attempt_row(cell, uuid, night->at), ENVIRONMENT_HARDWARE, stream);
}

static int64_t count_night(struct fixture *fixture, const struct night *night, int64_t instructions)
{
	g_autofree char *uuid = g_uuid_string_random(), *stream = count_stream(instructions);

	begin_run(fixture, NULL);
	int64_t cell = put_cell(fixture, "default", put_build(fixture, build_of(night)),
		put_platform(fixture, "qemu", ENVIRONMENT_EMULATOR));
	return take_in(fixture, attempt_row(cell, uuid, night->at), ENVIRONMENT_EMULATOR, stream);
}

static struct history *history_of(struct fixture *fixture, const struct history_request *request)
{
	g_autoptr(GError) err = NULL;
	struct history *history = NULL;

	history_make(&history, fixture->store, request, &err);
	g_assert_no_error(err);
	return history;
}

static struct history *history_by_metric(struct fixture *fixture, const char *metric)
{
	return history_of(fixture, &(struct history_request){.metric = metric});
}

static const struct history_series *only(const struct history *history)
{
	g_assert_cmpuint(history->series->len, ==, 1);
	return history->series->pdata[0];
}

static const struct history_point *point(const struct history_series *series, guint i)
{
	g_assert_cmpuint(i, <, series->points->len);
	return &g_array_index(series->points, struct history_point, i);
}

static const struct history_change *change(const struct history_series *series, guint i)
{
	g_assert_cmpuint(i, <, series->changes->len);
	return &g_array_index(series->changes, struct history_change, i);
}

static void assert_near(double got, double expected)
{
	g_assert_cmpfloat_with_epsilon(got, expected, 1e-9 * fabs(expected));
}

static void assert_refused(struct fixture *fixture, const struct history_request *request, const char *words)
{
	g_autoptr(GError) err = NULL;
	struct history *history = NULL;

	g_assert_false(history_make(&history, fixture->store, request, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(err->message, words));
}

/* --- points --- */

static void points_are_in_the_order_of_time(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	take_in_night(&fixture, &(struct night){NOON + DAY, "b", NULL, NULL}, 2000);
	take_in_night(&fixture, &(struct night){NOON, "a", NULL, NULL}, 1000);
	struct history *history = history_by_metric(&fixture, NULL);
	const struct history_series *series = only(history);
	g_assert_cmpuint(series->points->len, ==, 2);
	g_assert_cmpstr(point(series, 0)->revision, ==, "a");
	assert_near(point(series, 0)->value, 1e-6);
	g_assert_cmpstr(point(series, 1)->revision, ==, "b");
	assert_near(point(series, 1)->value, 2e-6);
	g_assert_cmpint(point(series, 1)->started_at, ==, NOON + DAY);
	g_assert_cmpint(series->what.environment, ==, ENVIRONMENT_HARDWARE);
	history_free(history);
	fixture_close(&fixture);
}

static void a_night_of_one_revision_is_one_point(void)
{
	struct fixture fixture;
	struct night first = {NOON, "a", NULL, NULL}, again = {NOON + DAY / 4, "a", NULL, NULL},
		     third = {NOON + DAY / 3, "a", NULL, NULL}, other = {NOON + DAY / 3, "b", NULL, NULL},
		     compiler = {NOON + DAY / 3, "b", "gcc 13", NULL},
		     next = {NOON + DAY, "b", "gcc 13", NULL};

	fixture_open(&fixture);
	take_in_night(&fixture, &first, 1000);
	take_in_night(&fixture, &again, 5000);
	take_in_night(&fixture, &third, 2000);
	take_in_night(&fixture, &other, 3000);
	take_in_night(&fixture, &compiler, 4000);
	take_in_night(&fixture, &next, 4500);
	struct history *history = history_by_metric(&fixture, NULL);
	const struct history_series *series = only(history);
	g_assert_cmpuint(series->points->len, ==, 4);
	assert_near(point(series, 0)->value, 2e-6);
	g_assert_cmpuint(point(series, 0)->n, ==, 3);
	assert_near(point(series, 1)->value, 3e-6);
	assert_near(point(series, 2)->value, 4e-6);
	g_assert_cmpstr(point(series, 2)->context->compiler, ==, "gcc 13");
	assert_near(point(series, 3)->value, 4.5e-6);
	history_free(history);
	fixture_close(&fixture);
}

static void a_history_begins_and_ends_where_asked(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	for (int i = 0; i < 5; i++)
		take_in_night(&fixture, &(struct night){NOON + i * DAY, "a", NULL, NULL}, 1000 + i);
	struct history *history =
		history_of(&fixture, &(struct history_request){.since = NOON + DAY, .until = NOON + 4 * DAY});
	const struct history_series *series = only(history);
	g_assert_cmpuint(series->points->len, ==, 3);
	assert_near(point(series, 0)->value, 1.001e-6);
	assert_near(point(series, 2)->value, 1.003e-6);
	history_free(history);
	assert_refused(&fixture, &(struct history_request){.since = NOON + 9 * DAY}, "no run since");
	assert_refused(&fixture, &(struct history_request){.selector = "run=latest"}, "--since");
	assert_refused(&fixture, &(struct history_request){.selector = "config=nosuch"}, "default");
	fixture_close(&fixture);
}

static void emulated_time_is_left_out_unless_asked_for(void)
{
	struct fixture fixture;
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(1000);

	fixture_open(&fixture);
	begin_run(&fixture, NULL);
	int64_t cell = put_cell(&fixture, "default", put_build(&fixture, build_row("5.5.4", "default")),
		put_platform(&fixture, "qemu", ENVIRONMENT_EMULATOR));
	take_in(&fixture, attempt_row(cell, uuid, NOON), ENVIRONMENT_EMULATOR, stream);
	assert_refused(&fixture, &(struct history_request){0}, "says nothing about speed");
	struct history *history =
		history_of(&fixture, &(struct history_request){.selector = "environment=emulator"});
	g_assert_cmpuint(history->series->len, ==, 1);
	history_free(history);
	history = history_of(&fixture, &(struct history_request){.quiet = true});
	g_assert_cmpuint(history->series->len, ==, 0);
	g_assert_cmpuint(history->left_out, ==, 1);
	history_free(history);
	fixture_close(&fixture);
}

static void a_result_finds_its_series(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	take_in_night(&fixture, &(struct night){NOON, "a", NULL, NULL}, 1000);
	count_night(&fixture, &(struct night){NOON, "a", NULL, NULL}, 77);
	struct history *history = history_by_metric(&fixture, "*");
	g_autoptr(GArray) results = results_of(&fixture, "metric=instructions");
	g_assert_cmpuint(history->series->len, ==, 2);
	const struct history_series *series = history_find(history, result_at(results, 0));
	g_assert_nonnull(series);
	g_assert_cmpint(series->metric, ==, METRIC_INSTRUCTIONS);
	history_free(history);
	history = history_by_metric(&fixture, "time");
	g_assert_null(history_find(history, result_at(results, 0)));
	history_free(history);
	fixture_close(&fixture);
}

/* --- exact figures --- */

static void each_difference_of_an_exact_figure_is_a_change(void)
{
	static const int64_t counts[] = {100000, 100000, 100001, 100001, 90000};
	struct fixture fixture;

	fixture_open(&fixture);
	for (int i = 0; i < 5; i++) {
		g_autofree char *revision = g_strdup_printf("r%d", i);
		count_night(&fixture, &(struct night){NOON + i * DAY, g_intern_string(revision), NULL, NULL},
			counts[i]);
	}
	struct history *history = history_by_metric(&fixture, "instructions");
	const struct history_series *series = only(history);
	g_assert_true(series->exact);
	g_assert_cmpuint(series->segments->len, ==, 3);
	g_assert_cmpuint(series->changes->len, ==, 2);
	g_assert_cmpuint(change(series, 0)->at, ==, 2);
	g_assert_cmpuint(change(series, 0)->before, ==, 1);
	g_assert_cmpuint(change(series, 0)->after, ==, 2);
	/* A hundred-thousandth is shown and alarms nobody. */
	g_assert_false(change(series, 0)->alarms);
	assert_near(change(series, 0)->ratio, 100000.0 / 100001);
	g_assert_cmpuint(change(series, 1)->at, ==, 4);
	g_assert_true(change(series, 1)->alarms);
	assert_near(change(series, 1)->ratio, 100001.0 / 90000);
	assert_near(history_threshold(series), COMPARISON_EXACT_ALARM);
	g_autofree char *revisions = history_revisions(series, change(series, 1));
	g_assert_cmpstr(revisions, ==, "r3..r4");
	history_free(history);
	fixture_close(&fixture);
}

/* --- what moved --- */

/* Two nights whose counts differ. */
static void assert_moved(
	const struct night *before, const struct night *after, unsigned expected, const char *text)
{
	struct fixture fixture;

	fixture_open(&fixture);
	count_night(&fixture, before, 1000);
	count_night(&fixture, after, 2000);
	struct history *history = history_by_metric(&fixture, "instructions");
	const struct history_series *series = only(history);
	g_autofree char *got = history_moved_text(series, change(series, 0));
	g_assert_cmphex(change(series, 0)->moved, ==, expected);
	g_assert_cmpstr(got, ==, text);
	history_free(history);
	fixture_close(&fixture);
}

static void the_library_alone_moved(void)
{
	assert_moved(&(struct night){NOON, "a", NULL, NULL}, &(struct night){NOON + DAY, "b", NULL, NULL},
		HISTORY_REVISION | HISTORY_CODE, NULL);
}

static void the_compiler_moved_and_not_the_library(void)
{
	assert_moved(&(struct night){NOON, "a", "gcc 12", "c1"},
		&(struct night){NOON + DAY, "a", "gcc 13", "c2"}, HISTORY_COMPILER | HISTORY_CODE,
		"compiler gcc 12 -> gcc 13; the library's revision is the same");
}

static void a_new_revision_of_the_same_code_is_not_to_blame(void)
{
	assert_moved(&(struct night){NOON, "a", NULL, "c1"}, &(struct night){NOON + DAY, "b", NULL, "c1"},
		HISTORY_REVISION, "the library's code is the same");
}

static void commits_are_shortened(void)
{
	struct fixture fixture;
	const char *a = "0123456789abcdef0123456789abcdef01234567",
		   *b = "89abcdef0123456789abcdef0123456789abcdef";

	fixture_open(&fixture);
	count_night(&fixture, &(struct night){NOON, a, NULL, NULL}, 1000);
	count_night(&fixture, &(struct night){NOON + DAY, b, NULL, NULL}, 2000);
	struct history *history = history_by_metric(&fixture, "instructions");
	g_autofree char *text = history_revisions(only(history), change(only(history), 0));
	g_assert_cmpstr(text, ==, "0123456789..89abcdef01");
	history_free(history);
	fixture_close(&fixture);
}

/* --- sampled figures, without a database --- */

static const struct history_context no_context;

/* Of time per operation, in turn those values. */
static struct history_series *series_of(const double *values, guint n)
{
	struct history_series *series = g_new0(struct history_series, 1);

	series->points = g_array_new(FALSE, TRUE, sizeof(struct history_point));
	series->metric = METRIC_TIME;
	for (guint i = 0; i < n; i++) {
		struct history_point one = {.value = values[i], .n = 1, .context = &no_context};
		g_array_append_val(series->points, one);
	}
	history_analyse(series);
	return series;
}

static void free_series(struct history_series *series)
{
	g_array_unref(series->points);
	g_array_unref(series->segments);
	g_array_unref(series->changes);
	g_free(series);
}

/* Twelve nights of 100 +- 1, twelve of 110 +- 1; the last before and the first after lie between them. */
static void the_range_ends_where_the_level_is_sure(void)
{
	static const double values[] = {100, 101, 99, 100, 101, 99, 100, 101, 99, 100, 101, 104.9, 105.1, 110,
		109, 111, 110, 109, 111, 110, 109, 111, 110, 109};
	struct history_series *series = series_of(values, G_N_ELEMENTS(values));

	g_assert_cmpuint(series->changes->len, ==, 1);
	g_assert_cmpuint(change(series, 0)->at, ==, 12);
	/* 104.9 is below all but one of those after (105.1 is an outlier that is allowed for), 105.1 above
	 * all but one of those before. */
	g_assert_cmpuint(change(series, 0)->before, ==, 11);
	g_assert_cmpuint(change(series, 0)->after, ==, 12);
	/* Medians 100 and 110, of time: slower. */
	assert_near(change(series, 0)->ratio, 100.0 / 110);
	g_assert_true(change(series, 0)->alarms);
	g_assert_cmpfloat(change(series, 0)->p, <, HISTORY_ALPHA);
	free_series(series);
}

static void points_that_may_be_of_either_level_are_within_the_range(void)
{
	static const double values[] = {100, 101, 99, 100, 101, 99, 100, 101, 99, 100, 101, 99, 104, 103,
		103.5, 104, 103, 101, 104, 103, 103.5, 104, 100.5, 100.7, 104, 103};
	struct history_series *series = series_of(values, G_N_ELEMENTS(values));
	const struct history_change *only_one = change(series, 0);

	g_assert_cmpuint(series->changes->len, ==, 1);
	g_assert_cmpuint(only_one->at, ==, 12);
	/* Before: 101 (point 10) is not below all but one of the new level: 100.5, 100.7 and 101 are there.
	 * 99 (point 11) is. */
	g_assert_cmpuint(only_one->before, ==, 11);
	g_assert_cmpuint(only_one->after, ==, 12);
	free_series(series);
}

static void levels_have_their_quartiles(void)
{
	static const double values[] = {1, 2, 3, 4, 5};
	struct history_series *series = series_of(values, 5);
	const struct history_segment *segment = &g_array_index(series->segments, struct history_segment, 0);

	g_assert_cmpuint(series->segments->len, ==, 1);
	assert_near(segment->centre, 3);
	assert_near(segment->q1, 2);
	assert_near(segment->q3, 4);
	g_assert_cmpuint(series->enough, ==, 12);
	free_series(series);
}

/* Steps of 1, 2, 3, 4, 5, 6, 7, 8 % up or down from a night that is 100 at every second place: of the eight
 * 0.01 to 0.08 from 100, and back as a share of what they come from. */
static void the_threshold_is_learned_from_neighbours(void)
{
	/* |d|: 0.02, then 0.04 of 102 and so on; worked out below from the values themselves. */
	static const double values[] = {100, 102, 102, 104.04, 104.04, 109.242, 109.242, 109.242, 110.33442};
	/* Shares: 0.02 0 0.02 0 0.05 0 0 0.01, in order: 0 0 0 0 0.01 0.02 0.02 0.05. Quartiles at
	 * places 1.75 and 5.25 (from 0): 0 and 0.02, so that the threshold is 0.02 + 3 * 0.02. */
	struct history_series *series = series_of(values, G_N_ELEMENTS(values));

	g_assert_cmpuint(series->neighbours, ==, 8);
	assert_near(series->noise, 0.08);
	assert_near(history_threshold(series), 0.08);
	free_series(series);
}

static void a_threshold_is_wide_where_little_is_known_and_never_below_the_floor(void)
{
	static const double values[] = {100, 120, 90, 100, 120, 90, 100, 120},
			    still[] = {100, 100, 100, 100, 100, 100, 100, 100, 100};
	struct history_series *few = series_of(values, G_N_ELEMENTS(values)),
			      *quiet = series_of(still, G_N_ELEMENTS(still)), *alone = series_of(values, 1);

	/* 120 to 90 is the largest of seven steps, a quarter. */
	assert_near(history_threshold(few), 0.75);
	assert_near(history_threshold(alone), COMPARISON_FLOOR);
	assert_near(quiet->noise + 1, 1);
	assert_near(history_threshold(quiet), COMPARISON_FLOOR);
	assert_near(history_threshold(NULL), COMPARISON_FLOOR);
	free_series(few);
	free_series(alone);
	free_series(quiet);
}

static void a_change_is_no_noise(void)
{
	double values[40];

	for (int i = 0; i < 40; i++)
		values[i] = (i < 20 ? 100 : 200) + (i % 2 ? 0.1 : 0);
	struct history_series *series = series_of(values, 40);
	g_assert_cmpuint(series->changes->len, ==, 1);
	g_assert_cmpuint(series->neighbours, ==, 30);
	g_assert_cmpfloat(series->noise, <, 0.01);
	free_series(series);
}

static guint points_in(bool carried, int kind)
{
	static const struct history_context context;
	g_autoptr(GArray) rows = g_array_new(FALSE, TRUE, sizeof(struct history_row));

	for (int night = 0; night < 3; night++) {
		const struct history_row row = {.run = night + 1,
			.attempt = night + 1,
			.started_at = NOON + night * DAY,
			.value = 5,
			.carried = carried && night > 0,
			.context = &context,
			.what = {.kind = kind}};
		g_array_append_val(rows, row);
	}
	g_autoptr(GArray) points = points_of(rows);
	return points->len;
}

static void a_time_that_is_carried_forward_is_one_point(void)
{
	g_assert_cmpuint(points_in(false, KIND_SAMPLED), ==, 3);
	g_assert_cmpuint(points_in(true, KIND_SAMPLED), ==, 1);
	/* An exact one says of each night what it was. */
	g_assert_cmpuint(points_in(true, KIND_EXACT), ==, 3);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/history/points_are_in_the_order_of_time", points_are_in_the_order_of_time);
	g_test_add_func(
		"/history/a_night_of_one_revision_is_one_point", a_night_of_one_revision_is_one_point);
	g_test_add_func(
		"/history/a_history_begins_and_ends_where_asked", a_history_begins_and_ends_where_asked);
	g_test_add_func("/history/emulated_time_is_left_out_unless_asked_for",
		emulated_time_is_left_out_unless_asked_for);
	g_test_add_func("/history/a_result_finds_its_series", a_result_finds_its_series);
	g_test_add_func("/history/each_difference_of_an_exact_figure_is_a_change",
		each_difference_of_an_exact_figure_is_a_change);
	g_test_add_func("/history/the_library_alone_moved", the_library_alone_moved);
	g_test_add_func(
		"/history/the_compiler_moved_and_not_the_library", the_compiler_moved_and_not_the_library);
	g_test_add_func("/history/a_new_revision_of_the_same_code_is_not_to_blame",
		a_new_revision_of_the_same_code_is_not_to_blame);
	g_test_add_func("/history/commits_are_shortened", commits_are_shortened);
	g_test_add_func(
		"/history/the_range_ends_where_the_level_is_sure", the_range_ends_where_the_level_is_sure);
	g_test_add_func("/history/points_that_may_be_of_either_level_are_within_the_range",
		points_that_may_be_of_either_level_are_within_the_range);
	g_test_add_func("/history/levels_have_their_quartiles", levels_have_their_quartiles);
	g_test_add_func("/history/the_threshold_is_learned_from_neighbours",
		the_threshold_is_learned_from_neighbours);
	g_test_add_func("/history/a_threshold_is_wide_where_little_is_known_and_never_below_the_floor",
		a_threshold_is_wide_where_little_is_known_and_never_below_the_floor);
	g_test_add_func("/history/a_change_is_no_noise", a_change_is_no_noise);
	g_test_add_func("/history/a_time_that_is_carried_forward_is_one_point",
		a_time_that_is_carried_forward_is_one_point);
	return g_test_run();
}
