#include "compare.h"
#include "diag.h"
#include "join.h"
#include "request.h"
#include "sample_results.h"
#include "values.h"

#include <string.h>

#define AES "aes-128-cbc encrypt"
#define RSA "rsa-2048 private"

struct sides {
	GArray *before, *after;
	struct selector *selectors[3]; /* before, after, where */
	struct comparison *comparison;
	GError *error;
};

static void set_up(struct sides *sides, gconstpointer user)
{
	(void)user;
	sides->before = sample_array();
	sides->after = sample_array();
}

static void tear_down(struct sides *sides, gconstpointer user)
{
	(void)user;
	comparison_free(sides->comparison);
	for (size_t i = 0; i < G_N_ELEMENTS(sides->selectors); i++)
		if (sides->selectors[i])
			selector_free(sides->selectors[i]);
	g_array_unref(sides->before);
	g_array_unref(sides->after);
	g_clear_error(&sides->error);
}

static bool join(struct sides *sides, const char *before, const char *after, const char *where)
{
	const char *const texts[] = {before, after, where};
	struct comparison_request request = {
		.metric = sides->before->len > 0 ? sample_last(sides->before)->metric : METRIC_TIME};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_assert_true(selector_parse(&sides->selectors[i], texts[i], &sides->error));
		g_assert_no_error(sides->error);
	}
	request.before = sides->selectors[0];
	request.after = sides->selectors[1];
	request.where = sides->selectors[2];
	return comparison_join(&sides->comparison, sides->before, sides->after, &request, &sides->error);
}

static void join_well(struct sides *sides, const char *before, const char *after, const char *where)
{
	bool done = join(sides, before, after, where);

	g_assert_no_error(sides->error);
	g_assert_true(done);
}

/* The join is refused as wrong usage, with each of the words (NULL-terminated) in its message. */
static void assert_refused(
	struct sides *sides, const char *before, const char *after, const char *const *words)
{
	g_assert_false(join(sides, before, after, NULL));
	g_assert_error(sides->error, DIAG_ERROR, DIAG_USAGE);
	for (; *words; words++) {
		g_test_message("\"%s\" in: %s", *words, sides->error->message);
		g_assert_nonnull(strstr(sides->error->message, *words));
	}
}

static const struct comparison_row *row(const struct sides *sides, guint i)
{
	g_assert_cmpuint(i, <, sides->comparison->rows->len);
	return sides->comparison->rows->pdata[i];
}

static bool says(const GPtrArray *notes, const char *text)
{
	for (guint i = 0; i < notes->len; i++)
		if (strstr(notes->pdata[i], text))
			return true;
	return false;
}

static void joins_on_what_no_selector_names(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", AES, "1024", 6e-9)->what.labels.v[LABEL_TOOLCHAIN] =
		"armhf-gcc";
	sample_time(sides->after, "sp", AES, "1024", 3e-9)->what.labels.v[LABEL_TOOLCHAIN] = "armhf-gcc";
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "config=default", "config=sp", "toolchain=*");
	g_assert_cmpuint(sides->comparison->rows->len, ==, 2);
	/* in the order of before */
	g_assert_cmpstr(row(sides, 0)->labels.v[LABEL_TOOLCHAIN], ==, "aarch64-gcc");
	g_assert_cmpfloat_with_epsilon(row(sides, 0)->ratio, 4, 1e-12);
	g_assert_cmpfloat_with_epsilon(row(sides, 1)->ratio, 2, 1e-12);
	/* sqrt(4 * 2) */
	g_assert_cmpfloat_with_epsilon(sides->comparison->geomean, 2.8284271247461903, 1e-12);
}

static void tells_rows_apart_by_the_labels_that_differ(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "16", 8e-9);
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "16", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 8e-9);
	join_well(sides, "config=default", "config=sp", NULL);
	for (int l = 0; l < LABEL_COUNT; l++)
		g_assert_cmpint(sides->comparison->shown[l], ==, l == LABEL_BLOCK);
	g_assert_cmpstr(sides->comparison->common.v[LABEL_VERSION], ==, "5.5.4");
	g_assert_cmpstr(sides->comparison->common.v[LABEL_BENCHMARK], ==, AES);
	g_assert_null(sides->comparison->common.v[LABEL_BLOCK]);
	g_assert_null(sides->comparison->common.v[LABEL_CONFIG]);
	g_assert_null(row(sides, 0)->labels.v[LABEL_CONFIG]);
}

static void label_that_one_side_names_is_not_joined_on(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "default", AES, "1024", 2e-9)->what.labels.v[LABEL_TOOLCHAIN] = "armhf-gcc";
	join_well(sides, "config=default", "toolchain=armhf-gcc", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 1);
	g_assert_cmpfloat_with_epsilon(row(sides, 0)->ratio, 4, 1e-12);
	/* not joined on, but equal all the same */
	g_assert_cmpstr(sides->comparison->common.v[LABEL_CONFIG], ==, "default");
}

static void flag_names_the_configuration(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "flag:sp=off", "flag:sp=on", NULL);
	g_assert_cmpfloat_with_epsilon(row(sides, 0)->ratio, 4, 1e-12);
}

static void algorithm_names_the_benchmark(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "sp", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", "aes-128-gcm encrypt", "1024", 16e-9);
	join_well(sides, "algorithm=aes-128-cbc", "algorithm=aes-128-gcm", NULL);
	g_assert_cmpfloat_with_epsilon(row(sides, 0)->ratio, 0.5, 1e-12);
	g_assert_null(row(sides, 0)->labels.v[LABEL_BENCHMARK]);
}

static void absent_label_is_no_value(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", RSA, NULL, 4e-3);
	sample_time(sides->after, "sp", RSA, "", 1e-3);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 0);
	g_assert_true(isnan(sides->comparison->geomean));
}

static void ambiguity_lists_the_labels_to_add(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {
		"BEFORE", "config=*", AES " 1024", "config (default, sp)", "such as config=default", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "sp", AES, "1024", 8e-9);
	sample_time(sides->after, "armasm", AES, "1024", 2e-9);
	assert_refused(sides, "config=*", "config=armasm", words);
}

static void ambiguity_by_a_term_on_both_sides_points_to_where(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {
		"AFTER", "toolchain (aarch64-gcc, armhf-gcc)", "toolchain=*", "--where", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.labels.v[LABEL_TOOLCHAIN] = "armhf-gcc";
	assert_refused(sides, "config=default,toolchain=*", "config=sp,toolchain=*", words);
}

/* What a library is called, and the labels that are its own. */
static void of_openssl(struct result *result, const char *toolchain)
{
	const char **labels = result->what.labels.v;

	labels[LABEL_LIBRARY] = "openssl";
	labels[LABEL_VERSION] = "3.0-debian";
	labels[LABEL_PROFILE] = "default";
	labels[LABEL_OPTIMISATION] = "-O3";
	labels[LABEL_TOOLCHAIN] = toolchain;
}

static void two_libraries_are_not_joined_on_what_is_each_ones_own(struct sides *sides, gconstpointer user)
{
	static const char *const toolchains[] = {"aarch64-gcc", "s390x-gcc", "x86_64-gcc"};

	(void)user;
	for (size_t i = 0; i < G_N_ELEMENTS(toolchains); i++) {
		sample_time(sides->before, "sp", AES, "1024", 8e-9)->what.labels.v[LABEL_TOOLCHAIN] =
			toolchains[i];
		of_openssl(sample_time(sides->after, "default", AES, "1024", 4e-9), toolchains[2 - i]);
	}
	join_well(sides, "library=wolfssl", "library=openssl", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 3);
	for (guint i = 0; i < 3; i++)
		g_assert_cmpstr(row(sides, i)->labels.v[LABEL_TOOLCHAIN], ==, toolchains[i]);
	g_assert_cmpfloat_with_epsilon(sides->comparison->geomean, 2, 1e-12);
	g_assert_null(sides->comparison->common.v[LABEL_CONFIG]);
	g_assert_true(says(sides->comparison->notes, "the libraries differ"));
}

static void several_configurations_of_one_library_stay_ambiguous(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {"BEFORE (library=wolfssl) takes 2 results for one row",
		"they differ in config (default, sp); add", "such as config=default", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "sp", AES, "1024", 8e-9);
	of_openssl(sample_time(sides->after, "default", AES, "1024", 4e-9), "aarch64-gcc");
	assert_refused(sides, "library=wolfssl", "library=openssl", words);
}

static void one_value_for_each_row_is_enough(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "armasm", AES, "1024", 8e-9);
	sample_time(sides->before, "aesni", AES, "1024", 8e-9)->what.labels.v[LABEL_TOOLCHAIN] = "x86_64-gcc";
	of_openssl(sample_time(sides->after, "default", AES, "1024", 4e-9), "aarch64-gcc");
	of_openssl(sample_time(sides->after, "default", AES, "1024", 2e-9), "x86_64-gcc");
	join_well(sides, "library=wolf*", "library=openssl", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 2);
	/* So that the reader sees which row is of which. */
	g_assert_true(sides->comparison->shown[LABEL_CONFIG]);
	g_assert_false(sides->comparison->shown[LABEL_VERSION]);
}

static void one_library_is_joined_on_its_version_as_ever(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 4e-9);
	join_well(sides, "library=wolfssl", "library=wolf*", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 0);
	g_assert_true(says(sides->comparison->notes, "config (default against sp)"));
	g_assert_false(says(sides->comparison->notes, "libraries differ"));
}

static void later_attempt_at_the_same_thing_counts(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", AES, "1024", 6e-9)->started_at += 1;
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 1);
	g_assert_cmpfloat_with_epsilon(row(sides, 0)->ratio, 3, 1e-12);
	g_assert_cmpuint(sides->comparison->only_before->len, ==, 0);
}

static void result_without_a_partner_is_kept(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", RSA, NULL, 4e-3);
	sample_time(sides->after, "sp", RSA, NULL, 1e-3);
	sample_time(sides->after, "sp", "sha-256 hash", "64", 1e-9);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 1);
	g_assert_cmpuint(sides->comparison->only_before->len, ==, 1);
	g_assert_cmpuint(sides->comparison->only_after->len, ==, 1);
	g_assert_null(sides->comparison->unmet);
	g_assert_cmpstr(((const struct result *)sides->comparison->only_before->pdata[0])
				->what.labels.v[LABEL_BENCHMARK],
		==, AES);
}

static void sides_that_never_meet_say_in_which_label(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.labels.v[LABEL_PLATFORM] = "server";
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 0);
	g_assert_true(says(sides->comparison->notes, "platform (board against server)"));
	g_assert_nonnull(strstr(sides->comparison->unmet, "platform (board against server)"));
}

static void emulated_time_is_refused(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {
		"BEFORE", "emulated time", "--metric instructions", "environment=emulator", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->what.environment = ENVIRONMENT_EMULATOR;
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.environment = ENVIRONMENT_EMULATOR;
	assert_refused(sides, "config=default", "config=sp", words);
}

static void emulated_time_that_is_asked_for_is_noted_in_every_row(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->what.environment = ENVIRONMENT_EMULATOR;
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.environment = ENVIRONMENT_EMULATOR;
	join_well(sides, "config=default", "config=sp", "environment=emulator");
	g_assert_cmpint(sides->comparison->environment, ==, ENVIRONMENT_EMULATOR);
	g_assert_true(says(row(sides, 0)->notes, "emulated time"));
	g_assert_true(says(sides->comparison->notes, "says nothing about speed"));
}

static void emulated_time_beside_hardware_is_left_out(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", AES, "1024", 80e-9)->what.environment = ENVIRONMENT_EMULATOR;
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpint(sides->comparison->environment, ==, ENVIRONMENT_HARDWARE);
	g_assert_cmpfloat_with_epsilon(row(sides, 0)->ratio, 4, 1e-12);
	g_assert_true(says(sides->comparison->notes, "1 emulated result is left out"));
}

static void hardware_against_emulator_is_refused(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {"AFTER", "emulated time", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.environment = ENVIRONMENT_EMULATOR;
	assert_refused(sides, "config=default", "config=sp", words);
}

static void mixed_sources_are_refused(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {"source", "own, published", "source=own", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->what.source = SOURCE_PUBLISHED;
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	assert_refused(sides, "config=default", "config=sp", words);
}

static void own_results_go_before_published_ones_of_their_side(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", AES, "1024", 9e-9)->what.source = SOURCE_PUBLISHED;
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 1);
	g_assert_cmpfloat(sides->comparison->geomean, ==, 8e-9 / 2e-9);
	g_assert_true(says(sides->comparison->notes, "1 imported or published result is left out"));
}

static void mixed_sources_that_are_asked_for_are_noted(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->what.source = SOURCE_PUBLISHED;
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "config=default,source=published", "config=sp,source=own", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 1);
	g_assert_true(says(sides->comparison->notes, "more than one source: own, published"));
}

static void mixed_kinds_are_refused(struct sides *sides, gconstpointer user)
{
	static const char *const words[] = {"kind", "sampled, stated", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->what.kind = KIND_STATED;
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	assert_refused(sides, "config=default", "config=sp", words);
}

static void only_exact_figures_get_a_verdict(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_count(sides->before, "default", RSA, NULL, 29556537);
	sample_count(sides->before, "default", AES, "1024", 30);
	sample_count(sides->before, "default", AES, "16", 30);
	sample_count(sides->after, "sp", RSA, NULL, 29556537);
	sample_count(sides->after, "sp", AES, "1024", 10);
	sample_count(sides->after, "sp", AES, "16", 60);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpint(row(sides, 0)->verdict, ==, VERDICT_EQUAL);
	g_assert_cmpint(row(sides, 1)->verdict, ==, VERDICT_BETTER);
	g_assert_cmpint(row(sides, 2)->verdict, ==, VERDICT_WORSE);
	g_assert_cmpfloat(row(sides, 1)->ratio, ==, 3);
	/* (1 * 3 * 0.5)^(1/3) */
	g_assert_cmpfloat_with_epsilon(sides->comparison->geomean, 1.1447142425533319, 1e-12);
}

static void sampled_figures_get_no_verdict(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpint(row(sides, 0)->verdict, ==, VERDICT_NONE);
}

static void derived_counts_get_no_verdict(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_count(sides->before, "default", RSA, NULL, 2)->what.kind = KIND_DERIVED;
	sample_count(sides->after, "sp", RSA, NULL, 1);
	join_well(sides, "config=default", "config=sp", "kind=*");
	g_assert_cmpfloat(row(sides, 0)->ratio, ==, 2);
	g_assert_cmpint(row(sides, 0)->verdict, ==, VERDICT_NONE);
}

static void row_without_a_ratio_stays_and_is_left_out_of_the_mean(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 0);
	sample_time(sides->before, "default", RSA, NULL, 4e-3);
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	sample_time(sides->after, "sp", RSA, NULL, 1e-3);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->rows->len, ==, 2);
	g_assert_true(isnan(row(sides, 0)->ratio));
	g_assert_true(says(row(sides, 0)->notes, "before is zero"));
	g_assert_cmpfloat_with_epsilon(sides->comparison->geomean, 4, 1e-12);
}

static void byte_and_operation_make_no_ratio(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "sp", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", RSA, NULL, 1e-3);
	join_well(sides, "benchmark=" AES ",block=1024", "benchmark=" RSA, NULL);
	g_assert_true(isnan(row(sides, 0)->ratio));
	g_assert_true(says(row(sides, 0)->notes, "per byte"));
}

static void difference_of_all_rows_is_said_once(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->optimisation_effective = "-Os";
	sample_time(sides->before, "default", RSA, NULL, 4e-3)->optimisation_effective = "-Os";
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	sample_time(sides->after, "sp", RSA, NULL, 1e-3);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_true(says(sides->comparison->notes, "optimisation in force differs: -Os against -O2"));
	g_assert_cmpuint(row(sides, 0)->notes->len, ==, 0);
	g_assert_false(says(sides->comparison->notes, "compiler"));
}

static void difference_of_one_row_is_said_there(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", RSA, NULL, 4e-3);
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	sample_time(sides->after, "sp", RSA, NULL, 1e-3)->compiler = NULL;
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(row(sides, 0)->notes->len, ==, 0);
	g_assert_true(says(row(sides, 1)->notes, "compiler differs: gcc 12.2.0 against unknown"));
	g_assert_false(says(sides->comparison->notes, "compiler"));
}

static void carried_forward_is_said(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_count(sides->before, "default", RSA, NULL, 29556537)->carried = true;
	sample_count(sides->after, "sp", RSA, NULL, 29556537);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_true(says(row(sides, 0)->notes, "before carried forward"));
	g_assert_true(says(sides->comparison->notes, "1 of 2 results is carried forward"));
}

static void label_that_differs_beside_the_one_asked_about_is_noted(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.labels.v[LABEL_PROFILE] = "tls";
	join_well(sides, "config=default,profile=crypto", "config=sp,profile=tls", NULL);
	g_assert_true(says(sides->comparison->notes, "profile differs: crypto against tls"));
	g_assert_false(says(sides->comparison->notes, "config differs"));
}

static void label_that_alone_was_asked_about_is_no_doubt(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "sp", AES, "1024", 8e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.labels.v[LABEL_PLATFORM] = "server";
	join_well(sides, "platform=board", "platform=server", NULL);
	g_assert_cmpuint(sides->comparison->notes->len, ==, 0);
}

static void lists_and_platforms_that_differ_spoil_the_mean(struct sides *sides, gconstpointer user)
{
	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9);
	sample_time(sides->before, "default", AES, "1024", 8e-9)->what.labels.v[LABEL_PLATFORM] = "server";
	sample_time(sides->before, "default", RSA, NULL, 8e-3);
	sample_time(sides->after, "sp", AES, "1024", 2e-9);
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->what.labels.v[LABEL_PLATFORM] = "server";
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_true(says(sides->comparison->notes,
		"the lists differ: 1 only before, 0 only after; means are of the 2"));
	g_assert_true(says(sides->comparison->notes, "the mean mixes platforms: board, server"));
}

static void remarks_of_attempts_stand_beside_their_figures(struct sides *sides, gconstpointer user)
{
	static const char *const busy[] = {"machine was busy", "both say this", NULL};
	static const char *const both[] = {"both say this", NULL};

	(void)user;
	sample_time(sides->before, "default", AES, "1024", 8e-9)->notes = busy;
	sample_time(sides->before, "default", RSA, NULL, 4e-3)->notes = busy;
	sample_time(sides->after, "sp", AES, "1024", 2e-9)->notes = both;
	sample_time(sides->after, "sp", RSA, NULL, 1e-3);
	join_well(sides, "config=default", "config=sp", NULL);
	g_assert_cmpuint(sides->comparison->notes->len, ==, 1);
	g_assert_cmpstr(sides->comparison->notes->pdata[0], ==, "machine was busy (before)");
	g_assert_cmpuint(row(sides, 0)->notes->len, ==, 1);
	g_assert_cmpstr(row(sides, 0)->notes->pdata[0], ==, "both say this");
	g_assert_cmpstr(row(sides, 1)->notes->pdata[0], ==, "both say this (before)");
}

#define SIDES(function) g_test_add("/compare/" #function, struct sides, NULL, set_up, function, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	SIDES(joins_on_what_no_selector_names);
	SIDES(tells_rows_apart_by_the_labels_that_differ);
	SIDES(label_that_one_side_names_is_not_joined_on);
	SIDES(flag_names_the_configuration);
	SIDES(algorithm_names_the_benchmark);
	SIDES(absent_label_is_no_value);
	SIDES(ambiguity_lists_the_labels_to_add);
	SIDES(ambiguity_by_a_term_on_both_sides_points_to_where);
	SIDES(two_libraries_are_not_joined_on_what_is_each_ones_own);
	SIDES(several_configurations_of_one_library_stay_ambiguous);
	SIDES(one_value_for_each_row_is_enough);
	SIDES(one_library_is_joined_on_its_version_as_ever);
	SIDES(later_attempt_at_the_same_thing_counts);
	SIDES(result_without_a_partner_is_kept);
	SIDES(sides_that_never_meet_say_in_which_label);
	SIDES(emulated_time_is_refused);
	SIDES(emulated_time_that_is_asked_for_is_noted_in_every_row);
	SIDES(emulated_time_beside_hardware_is_left_out);
	SIDES(hardware_against_emulator_is_refused);
	SIDES(mixed_sources_are_refused);
	SIDES(own_results_go_before_published_ones_of_their_side);
	SIDES(mixed_sources_that_are_asked_for_are_noted);
	SIDES(mixed_kinds_are_refused);
	SIDES(only_exact_figures_get_a_verdict);
	SIDES(sampled_figures_get_no_verdict);
	SIDES(derived_counts_get_no_verdict);
	SIDES(row_without_a_ratio_stays_and_is_left_out_of_the_mean);
	SIDES(byte_and_operation_make_no_ratio);
	SIDES(difference_of_all_rows_is_said_once);
	SIDES(difference_of_one_row_is_said_there);
	SIDES(carried_forward_is_said);
	SIDES(label_that_differs_beside_the_one_asked_about_is_noted);
	SIDES(label_that_alone_was_asked_about_is_no_doubt);
	SIDES(lists_and_platforms_that_differ_spoil_the_mean);
	SIDES(remarks_of_attempts_stand_beside_their_figures);
	return g_test_run();
}
