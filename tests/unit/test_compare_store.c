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

/* RSA of a configuration: an exact value, or samples of invocations. */
struct given {
	const char *config, *header;
	enum metric metric;
	enum environment environment;
	const struct sample_set *sets; /* NULL: `value` is exact */
	size_t n_sets;
	double value; /* the median */
};

static void put_given(struct base *base, const struct given *given)
{
	bool exact = given->sets == NULL;
	double value = given->value;
	struct measurement measurement = {.benchmark = RSA,
		.metric = given->metric,
		.source = SOURCE_OWN,
		.environment = given->environment,
		.kind = exact ? KIND_EXACT : KIND_SAMPLED,
		.figure = {.n = exact ? 1 : 3,
			.min = value,
			.q1 = exact ? NAN : value,
			.q3 = exact ? NAN : value,
			.median = value,
			.mean = value,
			.max = value,
			.sd = exact ? NAN : 0},
		.samples = given->sets,
		.n_samples = given->n_sets};
	struct outcome outcome = {.benchmark = RSA, .state = OUTCOME_OK};
	g_autoptr(GPtrArray) outcomes = g_ptr_array_new(), measurements = g_ptr_array_new();
	struct intake intake = {.outcomes = outcomes,
		.measurements = measurements,
		.header = (char *)given->header,
		.complete = true};
	g_autofree char *uuid = g_uuid_string_random();
	struct attempt_row attempt = {.uuid = uuid,
		.cell = put_cell(base, given->config, given->metric, given->environment),
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

/* One invocation of three equal samples, or an exact value. */
static void put(
	struct base *base, const char *config, enum metric metric, enum environment environment, double value)
{
	double values[] = {value, value, value};
	struct sample_set set = {.invocation = 0, .iterations = 1, .values = values, .n = 3};
	bool exact = metric == METRIC_INSTRUCTIONS;
	struct given given = {config, NULL, metric, environment, exact ? NULL : &set, exact ? 0 : 1, value};

	put_given(base, &given);
}

#define INVOCATIONS 8

/* Eight invocations, each a thousandth above the one before; the samples of each lie around its median, and
 * those of the third come from two processes. */
static void put_invocations(struct base *base, const char *config, double first, const char *header)
{
	double values[INVOCATIONS][3];
	struct sample_set sets[INVOCATIONS + 1];
	struct given given = {
		config, header, METRIC_TIME, ENVIRONMENT_HARDWARE, sets, INVOCATIONS + 1, first * 1.0035};

	for (unsigned i = 0; i < INVOCATIONS; i++) {
		double median = first * (1 + i / 1000.0);
		values[i][0] = median * 1.5;
		values[i][1] = median / 2;
		values[i][2] = median;
		sets[i + (i > 2)] = (struct sample_set){i, 1, values[i], 3};
	}
	sets[2].n = 1;
	sets[3] = (struct sample_set){2, 1, values[2] + 1, 2};
	put_given(base, &given);
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

static struct comparison *compare(struct base *base)
{
	struct comparison *comparison = NULL;

	comparison_make(&comparison, base->store, "config=default", "config=sp", NULL, NULL, &base->error);
	g_assert_no_error(base->error);
	g_assert_cmpuint(comparison->rows->len, ==, 1);
	return comparison;
}

static void invocations_give_a_verdict(struct base *base, gconstpointer user)
{
	struct comparison *comparison;
	const struct comparison_row *row;

	(void)user;
	put_invocations(base, "default", 0.004, NULL);
	put_invocations(base, "sp", 0.001, NULL);
	comparison = compare(base);
	row = comparison->rows->pdata[0];
	g_assert_cmpuint(row->evidence.n_before, ==, INVOCATIONS);
	g_assert_cmpuint(row->evidence.n_after, ==, INVOCATIONS);
	g_assert_cmpint(row->verdict, ==, VERDICT_BETTER);
	/* None of one side lies among the other: 2 of C(16, 8) ways. */
	g_assert_cmpfloat_with_epsilon(row->evidence.p, 2.0 / 12870, 1e-15);
	/* Of eight the outermost are the interval of a median at 95 %: 2 * (1 + 8) / 256 is too much for the
	 * next. */
	g_assert_cmpfloat_with_epsilon(row->evidence.of_after.low, 0.001, 1e-12);
	g_assert_cmpfloat_with_epsilon(row->evidence.of_after.high, 0.001007, 1e-12);
	g_assert_cmpuint(comparison->tested, ==, 1);
	comparison_free(comparison);
}

static void one_invocation_is_too_few(struct base *base, gconstpointer user)
{
	struct comparison *comparison;
	g_autofree char *why = NULL;

	(void)user;
	put(base, "default", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.004);
	put(base, "sp", METRIC_TIME, ENVIRONMENT_HARDWARE, 0.001);
	comparison = compare(base);
	why = comparison_too_few(comparison->rows->pdata[0]);
	g_assert_cmpstr(why, ==, "too few samples for a verdict: 1 of 5 invocations a side");
	g_assert_cmpstr(comparison_word(comparison->rows->pdata[0]), ==, "too few");
	comparison_free(comparison);
}

static void ratio_that_its_interval_lacks_is_doubted(struct base *base, gconstpointer user)
{
	struct comparison *comparison;
	const struct comparison_row *row;
	double fast[] = {1}, slow[] = {3, 3, 3, 3, 3, 3, 3, 3, 3};
	struct sample_set sets[INVOCATIONS];
	/* Seven processes that were fast gave fewer samples than the one that was slow. */
	struct given given = {"default", NULL, METRIC_TIME, ENVIRONMENT_HARDWARE, sets, INVOCATIONS, 3};

	(void)user;
	for (unsigned i = 0; i < INVOCATIONS; i++)
		sets[i] = (struct sample_set){i, 1, i < 7 ? fast : slow, i < 7 ? 1 : 9};
	put_given(base, &given);
	given.config = "sp";
	given.value = 1;
	sets[7] = (struct sample_set){7, 1, fast, 1};
	put_given(base, &given);
	comparison = compare(base);
	row = comparison->rows->pdata[0];
	g_assert_cmpfloat(row->ratio, ==, 3);
	g_assert_cmpfloat(row->evidence.ratio.value, ==, 1);
	g_assert_cmpfloat(row->evidence.ratio.interval.high, ==, 1);
	g_assert_cmpuint(row->notes->len, ==, 1);
	g_assert_true(g_str_has_prefix(row->notes->pdata[0], "the ratio lies outside its interval"));
	comparison_free(comparison);
}

static void clocks_that_differ_are_noted(struct base *base, gconstpointer user)
{
	struct comparison *comparison;

	(void)user;
	put_invocations(base, "default", 0.004, "{\"clock\":\"CLOCK_MONOTONIC_RAW\"}");
	put_invocations(base, "sp", 0.001, "{\"clock\":\"CLOCK_MONOTONIC\"}");
	comparison = compare(base);
	g_assert_cmpuint(comparison->notes->len, ==, 1);
	g_assert_cmpstr(comparison->notes->pdata[0], ==,
		"clock differs: CLOCK_MONOTONIC_RAW against CLOCK_MONOTONIC");
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
	BASE(invocations_give_a_verdict);
	BASE(one_invocation_is_too_few);
	BASE(ratio_that_its_interval_lacks_is_doubted);
	BASE(clocks_that_differ_are_noted);
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
