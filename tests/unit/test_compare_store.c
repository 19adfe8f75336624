/* Comparing and pivoting what a real database holds. */
#include "compare.h"
#include "diag.h"
#include "fsx.h"
#include "store.h"

#include <math.h>
#include <string.h>

#define RSA "rsa-2048 private"

struct base {
	char *folder;
	struct store *store;
	int64_t run;
	char *uuid;
	GError *error;
};

static void set_up(struct base *base, gconstpointer user)
{
	struct run_row run = {
		.matrix = "hand", .label = "hand", .matrix_text = "{}", .plan_text = "{}", .program = "test"};
	g_autofree char *file = NULL;

	(void)user;
	base->folder = g_dir_make_tmp("bm-compare-XXXXXX", NULL);
	file = g_build_filename(base->folder, "results.db", NULL);
	base->store = store_open(file, STORE_WRITE, &base->error);
	g_assert_no_error(base->error);
	g_assert_true(store_run_begin(base->store, &base->run, &base->uuid, &run, &base->error));
}

static void tear_down(struct base *base, gconstpointer user)
{
	(void)user;
	store_close(base->store);
	fsx_remove_tree(base->folder, NULL);
	g_free(base->folder);
	g_free(base->uuid);
	g_clear_error(&base->error);
}

static int64_t put_cell(
	struct base *base, const char *config, enum metric metric, enum environment environment)
{
	g_autofree char *name = g_strconcat(config, " ", metric_infos[metric].name, NULL);
	struct build_row build = {.labels.v = {[LABEL_LIBRARY] = "wolfssl",
					  [LABEL_VERSION] = "5.5.4",
					  [LABEL_CONFIG] = config,
					  [LABEL_PROFILE] = "crypto",
					  [LABEL_OPTIMISATION] = "library",
					  [LABEL_TOOLCHAIN] = "aarch64-gcc"},
		.state = BUILD_OK,
		.key_library = config,
		.key_program = config,
		.arch = "aarch64",
		.compiler = "gcc 12.2.0",
		.seconds = NAN};
	struct cell_row cell = {
		.run = base->run, .name = name, .agent = "a", .instrument = "bench-core", .mode = "time"};
	int64_t id = 0;

	store_build_put(base->store, &cell.build, &build, &base->error);
	g_assert_no_error(base->error);
	store_platform_put(base->store, &cell.platform,
		environment == ENVIRONMENT_EMULATOR ? "qemu" : "board", environment, NULL, &base->error);
	g_assert_no_error(base->error);
	store_cell_put(base->store, &id, &cell, &base->error);
	g_assert_no_error(base->error);
	return id;
}

/* One value of RSA for a configuration. */
static void put(
	struct base *base, const char *config, enum metric metric, enum environment environment, double value)
{
	double values[] = {value, value, value};
	struct sample_set set = {.invocation = 0, .iterations = 1, .values = values, .n = 3};
	bool exact = metric == METRIC_INSTRUCTIONS;
	struct measurement measurement = {.benchmark = RSA,
		.metric = metric,
		.source = SOURCE_OWN,
		.environment = environment,
		.kind = exact ? KIND_EXACT : KIND_SAMPLED,
		.figure = {.n = exact ? 1 : 3,
			.min = value,
			.q1 = exact ? NAN : value,
			.q3 = exact ? NAN : value,
			.median = value,
			.mean = value,
			.max = value,
			.sd = exact ? NAN : 0},
		.samples = exact ? NULL : &set,
		.n_samples = exact ? 0 : 1};
	struct outcome outcome = {.benchmark = RSA, .state = OUTCOME_OK};
	g_autoptr(GPtrArray) outcomes = g_ptr_array_new(), measurements = g_ptr_array_new();
	struct intake intake = {.outcomes = outcomes, .measurements = measurements, .complete = true};
	g_autofree char *uuid = g_uuid_string_random();
	struct attempt_row attempt = {.uuid = uuid,
		.cell = put_cell(base, config, metric, environment),
		.number = 1,
		.state = ATTEMPT_OK,
		.argv = "[]",
		.out = "",
		.errors = "",
		.started_at = G_GINT64_CONSTANT(1793750400000000000),
		.seconds = 1};
	int64_t id;

	g_ptr_array_add(outcomes, &outcome);
	g_ptr_array_add(measurements, &measurement);
	store_attempt_take_in(base->store, &id, &attempt, &intake, &base->error);
	g_assert_no_error(base->error);
}

static void sides_are_fetched_and_joined(struct base *base, gconstpointer user)
{
	struct comparison *comparison = NULL;
	const struct comparison_row *row;

	(void)user;
	put(base, "default", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.004);
	put(base, "sp", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.001);
	comparison_make(&comparison, base->store, "config=default", "config=sp", "library=wolfssl", NULL,
		&base->error);
	g_assert_no_error(base->error);
	g_assert_cmpuint(comparison->rows->len, ==, 1);
	row = comparison->rows->pdata[0];
	g_assert_cmpfloat_with_epsilon(row->ratio, 4, 1e-12);
	g_assert_cmpstr(comparison->before_text, ==, "config=default");
	g_assert_cmpstr(comparison->common.v[LABEL_PLATFORM], ==, "board");
	comparison_free(comparison);
}

static void metric_is_picked(struct base *base, gconstpointer user)
{
	struct comparison *comparison = NULL;
	const struct comparison_row *row;

	(void)user;
	put(base, "default", METRIC_INSTRUCTIONS, ENVIRONMENT_EMULATOR, 29556537);
	put(base, "sp", METRIC_INSTRUCTIONS, ENVIRONMENT_EMULATOR, 29556538);
	put(base, "sp", METRIC_TIME, ENVIRONMENT_EMULATOR, 0.001);
	comparison_make(
		&comparison, base->store, "config=default", "config=sp", NULL, "instructions", &base->error);
	g_assert_no_error(base->error);
	row = comparison->rows->pdata[0];
	g_assert_cmpint(row->verdict, ==, VERDICT_WORSE);
	comparison_free(comparison);
}

static void assert_refused(struct base *base, const char *before, const char *after, const char *where,
	const char *metric, const char *words)
{
	struct comparison *comparison = NULL;

	g_assert_false(comparison_make(&comparison, base->store, before, after, where, metric, &base->error));
	g_assert_error(base->error, DIAG_ERROR, DIAG_USAGE);
	g_test_message("%s", base->error->message);
	g_assert_nonnull(strstr(base->error->message, words));
}

static void emulated_time_is_refused(struct base *base, gconstpointer user)
{
	(void)user;
	put(base, "default", METRIC_TIME, ENVIRONMENT_EMULATOR, 0.004);
	put(base, "sp", METRIC_TIME, ENVIRONMENT_EMULATOR, 0.001);
	assert_refused(base, "config=default", "config=sp", NULL, NULL, "--metric instructions");
}

static void empty_side_says_what_there_is(struct base *base, gconstpointer user)
{
	(void)user;
	put(base, "default", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.004);
	put(base, "sp", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.001);
	assert_refused(base, "config=default", "config=armasm", NULL, NULL,
		"AFTER takes no result: config=armasm holds for none of those with metric=time; there is "
		"config: default, sp");
}

static void metric_without_results_says_which_have_some(struct base *base, gconstpointer user)
{
	(void)user;
	put(base, "default", METRIC_INSTRUCTIONS, ENVIRONMENT_EMULATOR, 5);
	assert_refused(base, "config=default", "config=sp", NULL, NULL,
		"BEFORE takes no result: metric=time holds for none; there is metric: instructions");
}

static void empty_database_is_said(struct base *base, gconstpointer user)
{
	(void)user;
	assert_refused(base, "config=default", "config=sp", NULL, NULL, "run a matrix first");
}

static void run_on_both_levels_is_refused(struct base *base, gconstpointer user)
{
	(void)user;
	put(base, "default", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.004);
	assert_refused(base, "config=default,run=latest", "config=sp", "run=latest", NULL,
		"run stands both in BEFORE");
}

static void wrong_selector_says_where_it_stands(struct base *base, gconstpointer user)
{
	(void)user;
	assert_refused(base, "config=default", "confg=sp", NULL, NULL, "AFTER: ");
}

static void pivot_is_fetched(struct base *base, gconstpointer user)
{
	struct pivot *pivot = NULL;

	(void)user;
	put(base, "default", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.004);
	put(base, "sp", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.001);
	pivot_make(&pivot, base->store, "version=5.*", "time", NULL, NULL, &base->error);
	g_assert_no_error(base->error);
	g_assert_cmpuint(pivot->rows->len, ==, 1);
	g_assert_cmpuint(pivot->columns->len, ==, 2);
	g_assert_cmpfloat(((const struct result *)pivot->cells->pdata[1])->figure.median, ==, 0.001);
	pivot_free(pivot);
}

#define BASE(function) g_test_add("/compare_store/" #function, struct base, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	BASE(sides_are_fetched_and_joined);
	BASE(metric_is_picked);
	BASE(emulated_time_is_refused);
	BASE(empty_side_says_what_there_is);
	BASE(metric_without_results_says_which_have_some);
	BASE(empty_database_is_said);
	BASE(run_on_both_levels_is_refused);
	BASE(wrong_selector_says_where_it_stands);
	BASE(pivot_is_fetched);
	return g_test_run();
}
