#include "changes.h"
#include "compare.h"

#include <math.h>

/* Rows of instruction counts, before and after; a NAN is a row that was not compared. */
struct count {
	const char *benchmark, *block;
	double before, after;
};

struct made {
	struct comparison comparison;
	struct result *results;
};

static void make(struct made *ret, const struct count *counts, guint n)
{
	struct comparison *comparison = &ret->comparison;

	ret->results = g_new0(struct result, n * 2);
	*comparison = (struct comparison){.metric = METRIC_INSTRUCTIONS,
		.rows = g_ptr_array_new_with_free_func(g_free),
		.only_before = g_ptr_array_new(),
		.only_after = g_ptr_array_new(),
		.notes = g_ptr_array_new_with_free_func(g_free)};
	for (guint i = 0; i < n; i++) {
		struct result *before = &ret->results[i * 2], *after = before + 1;
		struct comparison_row *row = g_new0(struct comparison_row, 1);
		row->labels.v[LABEL_BENCHMARK] = counts[i].benchmark;
		row->labels.v[LABEL_BLOCK] = counts[i].block;
		before->what.labels = after->what.labels = row->labels;
		before->figure.median = counts[i].before;
		after->figure.median = counts[i].after;
		row->before = before;
		row->after = after;
		row->ratio = counts[i].before / counts[i].after;
		row->verdict = isnan(counts[i].after)		     ? VERDICT_NONE
			       : counts[i].after == counts[i].before ? VERDICT_EQUAL
			       : counts[i].after < counts[i].before  ? VERDICT_BETTER
								     : VERDICT_WORSE;
		g_ptr_array_add(comparison->rows, row);
	}
}

static void clear(struct made *made)
{
	g_ptr_array_unref(made->comparison.rows);
	g_ptr_array_unref(made->comparison.only_before);
	g_ptr_array_unref(made->comparison.only_after);
	g_ptr_array_unref(made->comparison.notes);
	g_free(made->results);
}

static void check(const struct count *counts, guint n, const char *expected)
{
	struct made made;

	make(&made, counts, n);
	g_autofree char *line = changes_line(&made.comparison);
	g_assert_cmpstr(line, ==, expected);
	clear(&made);
}

static void one_change_is_named(void)
{
	/* 25.8 / 25 is 1.032. */
	static const struct count counts[] = {{"null operation", NULL, 30, NAN},
		{"sha-256 hash", "16384", 25, 25.8}, {"rsa-2048 private", NULL, 1000, 1000}};

	check(counts, 3, "sha-256 hash: 3.2 % more instructions; nothing else changed (2 benchmarks)");
}

static void equal_is_nothing(void)
{
	static const struct count counts[] = {
		{"sha-256 hash", "16384", 25, 25}, {"rsa-2048 private", NULL, 7, 7}};

	check(counts, 2, "nothing changed: 2 benchmarks equal to the instruction");
	check(counts, 1, "nothing changed: 1 benchmark equal to the instruction");
}

static void the_largest_comes_first(void)
{
	static const struct count counts[] = {{"a", NULL, 1000, 1001}, {"b", NULL, 1000, 500},
		{"c", NULL, 1000, 3500}, {"d", NULL, 100000, 100002}, {"e", NULL, 1000, 1100},
		{"f", NULL, 1000, 990}};

	/* 0.1, 50, 250, 0.002, 10 and 1 percent. */
	check(counts, 6,
		"c: 250 % more instructions, b: 50.0 % fewer, e: 10.0 % more, f: 1.0 % fewer, a: 0.1 % more "
		"and 1 "
		"more; that is all (6 benchmarks)");
}

static void blocks_tell_rows_of_a_benchmark_apart(void)
{
	static const struct count counts[] = {
		{"sha-256 hash", "16", 100, 110}, {"sha-256 hash", "1024", 25, 25}};

	check(counts, 2, "sha-256 hash 16: 10.0 % more instructions; nothing else changed (2 benchmarks)");
}

/* 4,472,200 and 4,472,201 were counted of code that only lay elsewhere: 2 in ten million. */
static void code_layout_is_not_named(void)
{
	static const struct count counts[] = {{"ec-p256 keygen", NULL, 4472200, 4472201},
		{"sha-256 hash", "16384", 25, 26}, {"rsa-2048 private", NULL, 7, 7}};

	check(counts, 1,
		"nothing changed: 0 benchmarks equal to the instruction, 1 moved by less than 0.001 %, as "
		"code layout "
		"alone does");
	check(counts, 3,
		"sha-256 hash: 4.0 % more instructions; nothing else changed (3 benchmarks), 1 moved by less "
		"than "
		"0.001 %, as code layout alone does");
}

static void what_one_side_lacks_is_not_unchanged(void)
{
	static const struct count counts[] = {{"rsa-2048 private", NULL, 7, 7}};
	struct result lost = {.what.labels.v[LABEL_BENCHMARK] = "sha-256 hash"};
	struct made made;

	make(&made, counts, 1);
	g_ptr_array_add(made.comparison.only_before, &lost);
	g_autofree char *line = changes_line(&made.comparison);
	g_assert_cmpstr(line, ==, "1 benchmark equal to the instruction; no result after: sha-256 hash");
	clear(&made);
}

static bool is_worse(const struct comparison_row *row, const void *user)
{
	(void)user;
	return row->verdict == VERDICT_WORSE;
}

static void narrowing_leaves_the_mean_of_what_stays(void)
{
	static const struct count counts[] = {
		{"a", NULL, 10, 20}, {"b", NULL, 10, 80}, {"c", NULL, 10, 10}, {"d", NULL, 10, 5}};
	struct made made;

	make(&made, counts, 4);
	comparison_narrow(&made.comparison, is_worse, NULL);
	g_assert_cmpuint(made.comparison.rows->len, ==, 2);
	/* Of 1/2 and 1/8. */
	g_assert_cmpfloat_with_epsilon(made.comparison.geomean, 0.25, 1e-12);
	g_assert_cmpstr(made.comparison.notes->pdata[0], ==, "2 of 4 rows are left out");
	clear(&made);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/changes/" #f, f)
	TEST(one_change_is_named);
	TEST(equal_is_nothing);
	TEST(the_largest_comes_first);
	TEST(blocks_tell_rows_of_a_benchmark_apart);
	TEST(code_layout_is_not_named);
	TEST(what_one_side_lacks_is_not_unchanged);
	TEST(narrowing_leaves_the_mean_of_what_stays);
	return g_test_run();
}
