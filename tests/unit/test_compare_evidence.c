/* What samples come to, and how rows are arranged by it. */
#include "arrange.h"
#include "diag.h"
#include "evidence.h"
#include "join.h"
#include "sample_results.h"

#include <string.h>

#define NEAR 1e-12

/* n values from `first` on, each `step` of it above the one before; g_free(). */
static double *values(double first, double step, size_t n)
{
	double *list = g_new(double, n);

	for (size_t i = 0; i < n; i++)
		list[i] = first * (1 + step * (double)i);
	return list;
}

static struct evidence weigh(double before, size_t n, double after, size_t m, double step, enum better better)
{
	g_autofree double *x = values(before, step, n), *y = values(after, step, m);

	return evidence_weigh(x, n, y, m, better);
}

/* The verdict of a table of this one row. */
static enum verdict alone(struct evidence *evidence)
{
	evidence_correct(&evidence, 1, CORRECTION_HOLM);
	return evidence_verdict(evidence);
}

static void what_is_proved_and_large_is_faster_or_slower(void)
{
	struct evidence faster = weigh(2, 8, 1, 8, 0.001, BETTER_LOWER),
			slower = weigh(1, 8, 2, 8, 0.001, BETTER_LOWER),
			higher = weigh(1, 8, 2, 8, 0.001, BETTER_HIGHER);

	g_assert_cmpint(alone(&faster), ==, VERDICT_BETTER);
	g_assert_cmpint(alone(&slower), ==, VERDICT_WORSE);
	g_assert_cmpint(alone(&higher), ==, VERDICT_BETTER);
	/* Of the 64 quotients those of equal steps are 2, and as many lie above as below. */
	g_assert_cmpfloat_with_epsilon(faster.ratio.value, 2, NEAR);
	g_assert_cmpfloat_with_epsilon(slower.ratio.value, 0.5, NEAR);
	g_assert_cmpfloat_with_epsilon(higher.ratio.value, 2, NEAR);
	g_assert_true(slower.ratio.interval.low < 0.5 && slower.ratio.interval.high > 0.5);
}

static void what_is_proved_and_small_is_the_same(void)
{
	struct evidence evidence = weigh(1.005, 8, 1, 8, 0.0001, BETTER_LOWER);

	g_assert_cmpint(alone(&evidence), ==, VERDICT_SAME);
	g_assert_cmpfloat_with_epsilon(evidence.p_adjusted, 2.0 / 12870, NEAR);
}

static void wide_samples_are_unclear(void)
{
	struct evidence evidence = weigh(1.02, 8, 1, 8, 0.05, BETTER_LOWER);

	g_assert_cmpint(alone(&evidence), ==, VERDICT_UNCLEAR);
}

static void too_few_is_no_verdict(void)
{
	/* 2 of 70 ways is more than 1 %, 2 of 252 is not. */
	struct evidence four = weigh(2, 4, 1, 4, 0.001, BETTER_LOWER),
			five = weigh(2, 5, 1, 5, 0.001, BETTER_LOWER),
			uneven = weigh(1.02, 4, 1, 8, 0.05, BETTER_LOWER);

	g_assert_cmpint(alone(&four), ==, VERDICT_NONE);
	g_assert_cmpuint(four.enough, ==, 5);
	g_assert_cmpint(alone(&five), ==, VERDICT_BETTER);
	/* 2 of C(12, 4) = 495 ways would do. */
	g_assert_cmpint(alone(&uneven), ==, VERDICT_UNCLEAR);
}

static void rows_are_corrected_together(void)
{
	struct evidence rows[20], *all[20];

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		rows[i] = weigh(2, 7, 1, 7, 0.001, BETTER_LOWER);
		all[i] = &rows[i];
	}
	rows[19] = evidence_none;
	g_assert_cmpuint(evidence_correct(all, 20, CORRECTION_HOLM), ==, 19);
	/* 19 * 2 of C(14, 7) = 3432 ways. */
	g_assert_cmpfloat_with_epsilon(rows[0].p_adjusted, 38.0 / 3432, NEAR);
	g_assert_cmpint(evidence_verdict(&rows[0]), ==, VERDICT_NONE);
	g_assert_cmpuint(rows[0].enough, ==, 8);
	evidence_correct(all, 20, CORRECTION_NONE);
	g_assert_cmpint(evidence_verdict(&rows[0]), ==, VERDICT_BETTER);
	/* All of one size are as small as the largest: 19/19 of it. */
	evidence_correct(all, 20, CORRECTION_BH);
	g_assert_cmpfloat_with_epsilon(rows[0].p_adjusted, 2.0 / 3432, NEAR);
	g_assert_cmpint(evidence_verdict(&rows[19]), ==, VERDICT_NONE);
}

static void what_has_no_logarithm_says_nothing(void)
{
	double zero[] = {0, 1}, one[] = {1, 1};
	struct evidence evidence = evidence_weigh(zero, 2, one, 2, BETTER_LOWER),
			none = evidence_weigh(zero, 0, one, 2, BETTER_LOWER);

	g_assert_cmpuint(evidence.n_before, ==, 0);
	g_assert_true(isnan(evidence.p));
	g_assert_cmpuint(none.n_after, ==, 0);
}

/* --- rows --- */

/* Six rows of counts: ratios 1, 4, 0.5, 1.005, 0.9999, none. */
static struct comparison *counts(GArray *before, GArray *after)
{
	static const struct {
		const char *benchmark;
		double before, after;
	} rows[] = {{"aes-128-cbc encrypt", 1000, 1000}, {"aes-128-gcm encrypt", 4000, 1000},
		{"sha-256 hash", 1000, 2000}, {"rsa-2048 public", 1005, 1000},
		{"rsa-2048 private", 9999, 10000}, {"dh-2048 agree", 0, 10}};
	struct comparison_request request = {.metric = METRIC_INSTRUCTIONS};
	struct selector *from, *to;
	struct comparison *comparison = NULL;

	g_assert_true(selector_parse(&from, "config=default", NULL));
	g_assert_true(selector_parse(&to, "config=sp", NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		sample_count(before, "default", rows[i].benchmark, NULL, rows[i].before);
		sample_count(after, "sp", rows[i].benchmark, NULL, rows[i].after);
	}
	request.before = from;
	request.after = to;
	g_assert_true(comparison_join(&comparison, before, after, &request, NULL));
	selector_free(from);
	selector_free(to);
	return comparison;
}

/* The algorithms of the rows, joined. */
static char *arranged(const struct arrangement *arrangement, char **ret_left_out)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison = counts(before, after);
	g_autoptr(GPtrArray) rows = arrange_rows(comparison, arrangement, ret_left_out);
	GString *names = g_string_new(NULL);

	for (guint i = 0; i < rows->len; i++) {
		g_autofree char *name = arrange_value(rows->pdata[i], "algorithm");
		g_autofree char *operation = arrange_value(rows->pdata[i], "operation");
		g_string_append_printf(names, "%s%s %s", i > 0 ? ", " : "", name, operation);
	}
	comparison_free(comparison);
	return g_string_free(names, FALSE);
}

static void assert_arranged(const struct arrangement *arrangement, const char *names, const char *left_out)
{
	g_autofree char *out = NULL, *got = arranged(arrangement, &out);

	g_assert_cmpstr(got, ==, names);
	g_assert_cmpstr(out, ==, left_out);
}

static void rows_are_sorted_by_ratio(void)
{
	const struct arrangement worst = {.sort = ARRANGE_WORST}, best = {.sort = ARRANGE_BEST};

	assert_arranged(&worst,
		"sha-256 hash, rsa-2048 private, aes-128-cbc encrypt, rsa-2048 public, aes-128-gcm encrypt, "
		"dh-2048 agree",
		NULL);
	assert_arranged(&best,
		"aes-128-gcm encrypt, rsa-2048 public, aes-128-cbc encrypt, rsa-2048 private, sha-256 hash, "
		"dh-2048 agree",
		NULL);
}

static void groups_stand_together(void)
{
	const struct arrangement by_operation = {.sort = ARRANGE_BEST, .group = "operation"};

	assert_arranged(&by_operation,
		"aes-128-gcm encrypt, aes-128-cbc encrypt, sha-256 hash, rsa-2048 public, rsa-2048 private, "
		"dh-2048 agree",
		NULL);
}

static void what_did_not_change_is_left_out_and_counted(void)
{
	const struct arrangement changed = {.changed = true};

	assert_arranged(&changed,
		"aes-128-gcm encrypt, sha-256 hash, rsa-2048 public, rsa-2048 private, dh-2048 agree",
		"1 of 6 rows without a proven change are left out: 1 equal");
}

static void families_have_their_means(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison = counts(before, after);
	g_autoptr(GPtrArray) groups = arrange_groups(comparison, "family");
	const struct arrange_group *aes = groups->pdata[0], *sha = groups->pdata[1];

	/* Without the row that has no ratio. */
	g_assert_cmpuint(groups->len, ==, 3);
	g_assert_cmpstr(aes->name, ==, "aes");
	g_assert_cmpuint(aes->n, ==, 2);
	g_assert_cmpfloat_with_epsilon(aes->geomean, 2, NEAR);
	g_assert_cmpstr(sha->name, ==, "sha");
	comparison_free(comparison);
}

static void family_is_the_name_up_to_a_digit(void)
{
	static const char *const names[][2] = {{"aes-128-gcm encrypt", "aes"},
		{"ml-kem-512 keygen", "ml-kem"}, {"ecdh-p256 agree", "ecdh"}, {"sha3-256 hash", "sha3"},
		{"hmac-sha-256 hash", "hmac-sha"}, {"odd", "odd"}};

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		struct result result = {.what = {.labels.v = {[LABEL_BENCHMARK] = names[i][0]}}};
		struct comparison_row row = {.before = &result, .after = &result};
		g_autofree char *family = arrange_value(&row, "family");

		g_assert_cmpstr(family, ==, names[i][1]);
	}
}

static void small_exact_changes_alarm_nobody(void)
{
	g_autoptr(GArray) before = sample_array(), after = sample_array();
	struct comparison *comparison = counts(before, after);
	static const bool alarming[] = {false, true, true, true, false, true};

	for (guint i = 0; i < comparison->rows->len; i++)
		g_assert_cmpint(arrange_alarms(comparison->rows->pdata[i]), ==, alarming[i]);
	comparison_free(comparison);
}

static void unknown_key_lists_the_keys(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_true(arrange_check_key("toolchain", NULL));
	g_assert_true(arrange_check_key("arch", NULL));
	g_assert_false(arrange_check_key("colour", &error));
	g_assert_error(error, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(error->message, "family, algorithm, operation, arch, library"));
}

#define CASE(function) g_test_add_func("/compare/" #function, function)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	CASE(what_is_proved_and_large_is_faster_or_slower);
	CASE(what_is_proved_and_small_is_the_same);
	CASE(wide_samples_are_unclear);
	CASE(too_few_is_no_verdict);
	CASE(rows_are_corrected_together);
	CASE(what_has_no_logarithm_says_nothing);
	CASE(rows_are_sorted_by_ratio);
	CASE(groups_stand_together);
	CASE(what_did_not_change_is_left_out_and_counted);
	CASE(families_have_their_means);
	CASE(family_is_the_name_up_to_a_digit);
	CASE(small_exact_changes_alarm_nobody);
	CASE(unknown_key_lists_the_keys);
	return g_test_run();
}
