/* Nights in a database: where series are expected, what is suspected, and what it comes to. */
#include "night_judge.h"
#include "night_thresholds.h"
#include "store_fixture.h"

#include "store_private.h"

/* What a build of the library is made with. */
struct made {
	const char *version, *revision, *compiler, *key_library, *key_program;
};
static const struct made plain = {"main", "aaaa", "gcc 12", "11aa", "22bb"};

static char *uuid_of(struct fixture *fixture, int64_t run)
{
	g_autoptr(GError) err = NULL;
	struct sql_query query;
	char *uuid;

	g_assert_true(sql_query(&query, fixture->store->sql, "SELECT uuid FROM run WHERE id = :run",
		SQL_ARGS(SQL_INT(":run", run)), &err));
	g_assert_true(sql_next(&query));
	uuid = g_strdup(sql_text(&query, 0));
	g_assert_true(sql_done(&query, &err));
	return uuid;
}

/* Counts one build of RSA in the run in hand. */
static void count(struct fixture *fixture, const struct made *made, int64_t instructions)
{
	static int64_t started_at = 1000;
	g_autofree char *uuid = g_uuid_string_random(), *stream = count_stream(instructions);
	struct build_row row = build_row(made->version, "default");

	row.revision = made->revision;
	row.compiler = made->compiler;
	row.key_library = made->key_library;
	row.key_program = made->key_program;
	int64_t platform = put_platform(fixture, "qemu-aarch64", ENVIRONMENT_EMULATOR);
	int64_t cell = put_cell(fixture, made->version, put_build(fixture, row), platform);
	take_in(fixture, attempt_row(cell, uuid, started_at++), ENVIRONMENT_EMULATOR, stream);
}

/* The counts of a run: time under the emulator comes with them. */
static GArray *figures(struct fixture *fixture, int64_t run)
{
	g_autoptr(GError) err = NULL;
	g_autofree char *uuid = uuid_of(fixture, run);
	GArray *results = NULL;

	night_results(fixture->store, &results, uuid, &err);
	g_assert_no_error(err);
	for (guint i = results->len; i-- > 0;)
		if (result_at(results, i)->metric != METRIC_INSTRUCTIONS)
			g_array_remove_index(results, i);
	return results;
}

/* A night that is not settled yet. */
static int64_t begin(struct fixture *fixture, const struct made *made, int64_t instructions)
{
	g_autoptr(GError) err = NULL;

	begin_run(fixture, "night");
	count(fixture, made, instructions);
	store_night_begin(fixture->store, fixture->run, "previous", &err);
	g_assert_no_error(err);
	return fixture->run;
}

/* A night with an alarm about its series; ALARM_KIND_COUNT: none. */
static int64_t night(struct fixture *fixture, int64_t instructions, enum alarm_kind kind)
{
	g_autoptr(GError) err = NULL;
	int64_t run = begin(fixture, &plain, instructions);
	g_autoptr(GArray) results = figures(fixture, run);
	const struct alarm_row alarm = {.series = result_at(results, 0)->series,
		.kind = kind,
		.before = 1,
		.after = 2,
		.again = (double)NAN};

	store_night_settle(fixture->store, run, "{}", &alarm, kind == ALARM_KIND_COUNT ? 0 : 1, &err);
	g_assert_no_error(err);
	return run;
}

/* Where the series is expected in a night after those that are there; NAN: it is new. */
static double expected(struct fixture *fixture, const char *baseline)
{
	g_autoptr(GError) err = NULL;
	struct night_baseline read;
	struct night_levels *levels = NULL;
	int64_t run = begin(fixture, &plain, 1000);
	g_autoptr(GArray) tonight = figures(fixture, run);
	const struct night_levels_spec spec = {
		.matrix = "quick", .run = run, .baseline = &read, .tonight = tonight};

	night_baseline_read(&read, baseline, &err);
	g_assert_no_error(err);
	night_levels_make(&levels, fixture->store, &spec, &err);
	g_assert_no_error(err);
	const struct night_level *level = night_levels_find(levels, result_at(tonight, 0)->series);
	double value = level != NULL ? level->reference->figure.median : (double)NAN;
	night_levels_free(levels);
	return value;
}

/* --- levels --- */

static void the_first_night_has_nothing_to_be_held_against(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	take_in_run(&fixture, "by hand", "default", 1, 500);
	g_assert_true(isnan(expected(&fixture, "previous")));
	fixture_close(&fixture);
}

static void a_night_is_held_against_the_one_before(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	night(&fixture, 100, ALARM_KIND_COUNT);
	night(&fixture, 103, ALARM_KIND_COUNT);
	/* Neither a run by hand nor a night that was never settled counts. */
	begin_run(&fixture, "by hand");
	count(&fixture, &plain, 200);
	begin(&fixture, &plain, 300);
	g_assert_cmpfloat(expected(&fixture, "previous"), ==, 103);
	fixture_close(&fixture);
}

static void a_median_is_of_the_last_nights_and_a_figure_that_was_measured(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	night(&fixture, 900, ALARM_KIND_COUNT);
	night(&fixture, 104, ALARM_KIND_COUNT);
	night(&fixture, 101, ALARM_KIND_COUNT);
	night(&fixture, 150, ALARM_KIND_COUNT);
	g_assert_cmpfloat(expected(&fixture, "median:3"), ==, 104);
	/* Of an even number the lower. */
	g_assert_cmpfloat(expected(&fixture, "median:4"), ==, 104);
	g_assert_cmpfloat(expected(&fixture, "median:2"), ==, 101);
	fixture_close(&fixture);
}

static void a_median_forgets_what_was_before_an_alarm(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	night(&fixture, 100, ALARM_KIND_COUNT);
	night(&fixture, 101, ALARM_KIND_COUNT);
	night(&fixture, 102, ALARM_KIND_COUNT);
	night(&fixture, 150, ALARM_REGRESSION);
	g_assert_cmpfloat(expected(&fixture, "median:7"), ==, 150);
	fixture_close(&fixture);
}

static void a_pinned_figure_stands_until_an_alarm(void)
{
	struct fixture fixture;
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	int64_t first = night(&fixture, 100, ALARM_KIND_COUNT);
	g_assert_true(store_baseline_put(fixture.store, "good", first, &err));
	night(&fixture, 100, ALARM_KIND_COUNT);
	night(&fixture, 109, ALARM_KIND_COUNT);
	g_assert_cmpfloat(expected(&fixture, "good"), ==, 100);
	int64_t moved = night(&fixture, 150, ALARM_INSTRUMENT);
	night(&fixture, 151, ALARM_KIND_COUNT);
	night(&fixture, 151, ALARM_KIND_COUNT);
	g_assert_cmpfloat(expected(&fixture, "good"), ==, 151);
	/* Pinned anew, the new run stands. */
	g_assert_true(store_baseline_put(fixture.store, "good", moved, &err));
	g_assert_cmpfloat(expected(&fixture, "good"), ==, 150);
	fixture_close(&fixture);
}

static void what_is_unclear_is_looked_into_again_but_not_for_ever(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	night(&fixture, 100, ALARM_KIND_COUNT);
	night(&fixture, 150, ALARM_UNCLEAR);
	g_assert_cmpfloat(expected(&fixture, "previous"), ==, 100);
	night(&fixture, 151, ALARM_UNCLEAR);
	g_assert_cmpfloat(expected(&fixture, "previous"), ==, 100);
	night(&fixture, 152, ALARM_UNCLEAR);
	g_assert_cmpfloat(expected(&fixture, "previous"), ==, 152);
	fixture_close(&fixture);
}

static void a_baseline_is_read_or_refused(void)
{
	struct night_baseline baseline;
	g_autoptr(GError) err = NULL;

	g_assert_true(night_baseline_read(&baseline, "median:12", NULL));
	g_assert_cmpint(baseline.nights, ==, 12);
	g_assert_true(night_baseline_read(&baseline, "v5.7", NULL));
	g_assert_cmpint(baseline.nights, ==, 0);
	g_assert_cmpstr(baseline.name, ==, "v5.7");
	g_assert_false(night_baseline_read(&baseline, "median:0", NULL));
	g_assert_false(night_baseline_read(&baseline, "median:x", NULL));
	g_assert_false(night_baseline_read(&baseline, "", &err));
}

/* --- suspects and findings --- */

/* Two nights, and what measured the suspect again. */
struct scene {
	struct fixture fixture;
	struct night_suspect suspect;
	struct night_change change;
	GArray *before, *after;
};

static void scene_open(
	struct scene *scene, const struct made *before, int64_t was, const struct made *after, int64_t is)
{
	*scene = (struct scene){0};
	fixture_open(&scene->fixture);
	scene->before = figures(&scene->fixture, begin(&scene->fixture, before, was));
	scene->after = figures(&scene->fixture, begin(&scene->fixture, after, is));
	scene->suspect = (struct night_suspect){.before = result_at(scene->before, 0),
		.after = result_at(scene->after, 0),
		.last = result_at(scene->before, 0),
		.threshold = 0.001,
		.ratio = (double)was / (double)is};
	scene->change = (struct night_change){.from = before->revision,
		.to = after->revision,
		.two = strcmp(before->revision, after->revision) != 0,
		.suspects = g_ptr_array_new()};
	g_ptr_array_add(scene->change.suspects, &scene->suspect);
}

/* What was measured again; 0 instructions: it was not. */
static void again(
	struct scene *scene, const struct made *old, int64_t was, const struct made *new, int64_t is)
{
	struct made before = *old, after = *new;

	before.version = NIGHT_BEFORE;
	after.version = scene->change.two ? NIGHT_AFTER : after.version;
	scene->change.run = begin_run(&scene->fixture, "again");
	if (was > 0)
		count(&scene->fixture, &before, was);
	if (is > 0)
		count(&scene->fixture, &after, is);
	scene->change.again = figures(&scene->fixture, scene->change.run);
}

static GPtrArray *judged(struct scene *scene)
{
	g_autoptr(GError) err = NULL;
	g_autoptr(GPtrArray) changes = g_ptr_array_new();
	GPtrArray *findings = NULL;

	g_ptr_array_add(changes, &scene->change);
	night_judge(&findings, scene->fixture.store, changes, &err);
	g_assert_no_error(err);
	g_assert_cmpuint(findings->len, ==, 1);
	return findings;
}

static void scene_close(struct scene *scene)
{
	g_ptr_array_unref(scene->change.suspects);
	g_clear_pointer(&scene->change.again, g_array_unref);
	g_array_unref(scene->before);
	g_array_unref(scene->after);
	fixture_close(&scene->fixture);
}

static const struct made next = {"main", "bbbb", "gcc 12", "33cc", "44dd"};
static const struct made old_with_13 = {"main", "aaaa", "gcc 13", "55ee", "66ff"};
static const struct made next_with_13 = {"main", "bbbb", "gcc 13", "77aa", "88bb"};

static void the_library_is_blamed_for_what_it_did(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &next, 1050);
	again(&scene, &plain, 1000, &next, 1050);
	g_autoptr(GPtrArray) findings = judged(&scene);
	const struct night_finding *finding = findings->pdata[0];
	g_assert_cmpint(finding->kind, ==, ALARM_REGRESSION);
	g_assert_cmpfloat_with_epsilon(finding->library, 1000.0 / 1050, 1e-12);
	g_assert_cmpfloat(finding->instrument, ==, 1);
	g_assert_null(finding->instrument_text);
	struct alarm_row alarm = night_alarm(finding);
	g_assert_cmpfloat(alarm.before, ==, 1000);
	g_assert_cmpfloat(alarm.again, ==, 1000);
	g_assert_cmpfloat(alarm.after, ==, 1050);
	g_assert_cmpint(alarm.confirmed_run, ==, scene.change.run);
	scene_close(&scene);
}

static void a_gain_is_an_improvement(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &next, 900);
	again(&scene, &plain, 1000, &next, 900);
	g_autoptr(GPtrArray) findings = judged(&scene);
	g_assert_cmpint(((const struct night_finding *)findings->pdata[0])->kind, ==, ALARM_IMPROVEMENT);
	scene_close(&scene);
}

static void a_compiler_that_changed_is_told_instead_of_the_library(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &next_with_13, 1100);
	again(&scene, &old_with_13, 1100, &next_with_13, 1100);
	g_autoptr(GPtrArray) findings = judged(&scene);
	const struct night_finding *finding = findings->pdata[0];
	g_assert_cmpint(finding->kind, ==, ALARM_INSTRUMENT);
	g_assert_cmpstr(finding->instrument_text, ==, "the compiler changed from gcc 12 to gcc 13");
	g_assert_cmpfloat(finding->library, ==, 1);
	scene_close(&scene);
}

static void a_change_of_both_is_split(void)
{
	struct scene scene;

	/* 1000, by the new compiler 800, and by the patch 1200: the night shows 20 % more, the patch did 50
	 * %. */
	scene_open(&scene, &plain, 1000, &next_with_13, 1200);
	again(&scene, &old_with_13, 800, &next_with_13, 1200);
	g_autoptr(GPtrArray) findings = judged(&scene);
	const struct night_finding *finding = findings->pdata[0];
	g_assert_cmpint(finding->kind, ==, ALARM_REGRESSION);
	g_assert_cmpfloat_with_epsilon(1 / finding->library, 1.5, 1e-12);
	g_assert_cmpfloat_with_epsilon(1 / finding->instrument, 0.8, 1e-12);
	g_assert_nonnull(finding->instrument_text);
	scene_close(&scene);
}

static void what_does_not_come_again_is_refuted(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &next, 1050);
	again(&scene, &plain, 1000, &next, 1000);
	g_autoptr(GPtrArray) findings = judged(&scene);
	g_assert_cmpint(((const struct night_finding *)findings->pdata[0])->kind, ==, ALARM_REFUTED);
	scene_close(&scene);
}

static void what_cannot_be_built_again_is_unclear_with_its_reason(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &next, 1050);
	again(&scene, &plain, 0, &next, 1050);
	scene.change.problem = (char *)"it could not be measured again: no such commit";
	g_autoptr(GPtrArray) findings = judged(&scene);
	const struct night_finding *finding = findings->pdata[0];
	g_assert_cmpint(finding->kind, ==, ALARM_UNCLEAR);
	g_assert_cmpstr(finding->reason, ==, "it could not be measured again: no such commit");
	g_assert_true(isnan(finding->again));
	scene_close(&scene);
}

static void a_release_that_moved_moved_by_its_instrument(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &old_with_13, 1100);
	again(&scene, &plain, 0, &old_with_13, 1100);
	g_autoptr(GPtrArray) findings = judged(&scene);
	const struct night_finding *finding = findings->pdata[0];
	g_assert_cmpint(finding->kind, ==, ALARM_INSTRUMENT);
	g_assert_cmpstr(finding->instrument_text, ==, "the compiler changed from gcc 12 to gcc 13");
	scene_close(&scene);
}

static void a_folder_that_changed_with_its_compiler_is_unclear(void)
{
	struct scene scene;

	scene_open(&scene, &plain, 1000, &next_with_13, 1100);
	scene.change.two = false;
	again(&scene, &plain, 0, &next_with_13, 1100);
	g_autoptr(GPtrArray) findings = judged(&scene);
	g_assert_cmpint(((const struct night_finding *)findings->pdata[0])->kind, ==, ALARM_UNCLEAR);
	scene_close(&scene);
}

static void suspects_begin_at_the_threshold(void)
{
	static const struct {
		int64_t is;
		guint suspects;
	} cases[] = {{100099, 0}, {100101, 1}, {99899, 1}, {99901, 0}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct fixture fixture;
		g_autoptr(GError) err = NULL;
		struct night_levels *levels;
		struct night_suspects suspects;
		const struct night_baseline previous = {1, NULL};

		fixture_open(&fixture);
		night(&fixture, 100000, ALARM_KIND_COUNT);
		int64_t run = begin(&fixture, &plain, cases[i].is);
		g_autoptr(GArray) tonight = figures(&fixture, run);
		const struct night_levels_spec spec = {
			.matrix = "quick", .run = run, .baseline = &previous, .tonight = tonight};
		g_assert_true(night_levels_make(&levels, fixture.store, &spec, &err));
		g_assert_true(night_suspects_find(&suspects, fixture.store, tonight, levels, NULL, &err));
		g_assert_cmpuint(suspects.of->len, ==, cases[i].suspects);
		g_assert_cmpuint(suspects.compared, ==, 1);
		night_suspects_clear(&suspects);
		night_levels_free(levels);
		fixture_close(&fixture);
	}
}

static void an_instrument_is_described_by_what_differs(void)
{
	const struct instrument before = {"gcc 12", "11", "22", "qemu 7", "p1", "0.1.0", NULL};
	struct instrument after = before;

	g_assert_null(night_instrument_text(&before, &after, true));
	after.key_program = "33";
	g_autofree char *core = night_instrument_text(&before, &after, true);
	g_assert_cmpstr(core, ==, "bench-core changed, with the same version number");
	g_assert_null(night_instrument_text(&before, &after, false));
	after.key_library = "44";
	g_autofree char *tools = night_instrument_text(&before, &after, true);
	g_assert_nonnull(strstr(tools, "other binutils"));
	after = before;
	after.emulator = "qemu 8";
	after.plugin = "p2";
	g_autofree char *emulator = night_instrument_text(&before, &after, true);
	g_assert_cmpstr(emulator, ==,
		"the emulator changed from qemu 7 to qemu 8; what counts below the emulator changed");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/night/" #name, name)
	TEST(the_first_night_has_nothing_to_be_held_against);
	TEST(a_night_is_held_against_the_one_before);
	TEST(a_median_is_of_the_last_nights_and_a_figure_that_was_measured);
	TEST(a_median_forgets_what_was_before_an_alarm);
	TEST(a_pinned_figure_stands_until_an_alarm);
	TEST(what_is_unclear_is_looked_into_again_but_not_for_ever);
	TEST(a_baseline_is_read_or_refused);
	TEST(the_library_is_blamed_for_what_it_did);
	TEST(a_gain_is_an_improvement);
	TEST(a_compiler_that_changed_is_told_instead_of_the_library);
	TEST(a_change_of_both_is_split);
	TEST(what_does_not_come_again_is_refuted);
	TEST(what_cannot_be_built_again_is_unclear_with_its_reason);
	TEST(a_release_that_moved_moved_by_its_instrument);
	TEST(a_folder_that_changed_with_its_compiler_is_unclear);
	TEST(suspects_begin_at_the_threshold);
	TEST(an_instrument_is_described_by_what_differs);
	return g_test_run();
}
