/* General tools: go test -bench, libtest, Google Benchmark's and hyperfine's JSON. */
#include "import_harness.h"

static void go_lines_are_per_operation_or_per_byte(void)
{
	g_autoptr(GPtrArray) all = told_of("go-bench",
		"goos: linux\n"
		"cpu: Some CPU\n"
		"BenchmarkSign/P256-8         50000             25341 ns/op            1234 B/op          5 "
		"allocs/op\n"
		"BenchmarkAESGCMSeal1K-8    1000000              1046 ns/op         978.97 MB/s\n"
		"BenchmarkX-8    1000000              10\n");

	g_assert_cmpstr(told_expect(all, 0, NULL, 25341e-9)->name, ==, "Sign/P256");
	const struct import_record *bytes = told_expect(all, 1, NULL, 1 / 978.97e6);
	g_assert_cmpint(bytes->work, ==, WORK_BULK);
	g_assert_cmpstr(told_fact(all, "cpu"), ==, "Some CPU");
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void libtest_lines_have_commas_between_thousands(void)
{
	g_autoptr(GPtrArray) all =
		told_of("libtest", "test sign ... bench:       4,640 ns/iter (+/- 1,016)\n"
				   "test seal ... bench:       4,640 ns/iter (+/- 1,016) = 3 MB/s\n"
				   "test seal ... bench:       4,64\n");

	g_assert_cmpint(told_expect(all, 0, NULL, 4640e-9)->statistic, ==, IMPORT_MEDIAN);
	const struct import_record *seal = told_expect(all, 1, NULL, 1 / 3e6);
	/* It cuts digits off: at most 1 away. */
	g_assert_cmpfloat_with_epsilon(seal->error, (1 / 2e6 - 1 / 4e6) / 2, 1e-12);
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void google_benchmark_is_read_at_the_end(void)
{
	g_autoptr(GPtrArray) all = told_of("google-benchmark",
		"{ \"context\": {\"num_cpus\": 4},\n"
		"  \"benchmarks\": [\n"
		"    {\"name\": \"BM_sign\", \"run_type\": \"iteration\", \"real_time\": 12.5, \"cpu_time\": "
		"12.0,\n"
		"     \"time_unit\": \"us\", \"threads\": 2},\n"
		"    {\"name\": \"BM_copy/8\", \"real_time\": 8.0, \"time_unit\": \"ns\", "
		"\"bytes_per_second\": 1.0e9},\n"
		"    {\"name\": \"BM_x_median\", \"run_name\": \"BM_x\", \"aggregate_name\": \"median\", "
		"\"real_time\": 3, \"time_unit\": \"ms\"},\n"
		"    {\"name\": \"BM_x_stddev\", \"run_name\": \"BM_x\", \"aggregate_name\": \"stddev\", "
		"\"real_time\": 1, \"time_unit\": \"ms\"},\n"
		"    {\"name\": \"BM_spin\", \"real_time\": -7250, \"time_unit\": \"ns\"}\n"
		"  ] }\n");

	const struct import_record *sign = told_expect(all, 0, NULL, 12.5e-6);
	g_assert_cmpstr(sign->labels.v[LABEL_THREADS], ==, "2");
	g_assert_cmpstr(sign->printed, ==, "12.5");
	g_assert_cmpuint(sign->line, ==, 3);
	told_expect(all, 1, NULL, 1e-9);
	const struct import_record *median = told_expect(all, 2, NULL, 0.003);
	g_assert_cmpint(median->statistic, ==, IMPORT_MEDIAN);
	g_assert_cmpstr(median->name, ==, "BM_x");
	told_doubted(all, 3, "negative");
	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 4);
}

static void google_benchmark_tables_have_units_in_cells_or_header(void)
{
	g_autoptr(GPtrArray) all = told_of("google-benchmark-text",
		"Benchmark        Time     CPU   Iterations UserCounters...\n"
		"encrypt/64/32     141 ns  141 ns   4901515 bytes_per_second=648.653M/s\n"
		"BM_sign          12.5 us  12.4 us    55783\n"
		"Benchmark     Time(ns)    CPU(ns) Iterations\n"
		"BM_spin/8           -4          4  194933402\n"
		"BM_spin/8/threads:4 5087     6155     113608\n"
		"BM_spin_paus\n");

	/* 648.653 times 1024 * 1024 bytes per second. */
	told_expect(all, 0, NULL, 1 / (648.653 * 1048576));
	told_expect(all, 1, NULL, 12.5e-6);
	told_doubted(all, 2, "negative");
	g_assert_cmpstr(told_expect(all, 3, NULL, 5087e-9)->labels.v[LABEL_THREADS], ==, "4");
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
}

static void hyperfine_tells_seconds(void)
{
	g_autoptr(GPtrArray) all =
		told_of("hyperfine", "{\"results\": [\n"
				     "  {\"command\": \"sleep 0.1\",\n"
				     "   \"mean\": 0.10123, \"stddev\": 0.001, \"median\": 0.1011,\n"
				     "   \"min\": 0.1001, \"max\": 0.1031, \"times\": [0.1001, 0.1031]}\n"
				     "]}\n");

	g_assert_cmpstr(told_expect(all, 0, NULL, 0.10123)->name, ==, "sleep 0.1");
	g_assert_cmpint(told_expect(all, 1, NULL, 0.1011)->statistic, ==, IMPORT_MEDIAN);
	g_assert_cmpint(told_expect(all, 2, NULL, 0.1001)->statistic, ==, IMPORT_BEST);
	g_assert_cmpint(told_expect(all, 3, NULL, 0.1031)->statistic, ==, IMPORT_WORST);
	g_assert_cmpuint(told_at(all, IMPORT_FIGURE, 0)->line, ==, 2);
}

static void a_cut_document_is_told_with_its_place(void)
{
	g_autoptr(GPtrArray) all = told_of("hyperfine", "{\"results\": [\n  {\"command\": \"sle");

	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, 1);
	g_assert_cmpuint(told_at(all, IMPORT_UNREAD, 0)->line, ==, 2);
	g_assert_nonnull(strstr(told_at(all, IMPORT_UNREAD, 0)->problem, "no JSON: line 2"));
}

static void other_json_has_no_figures(void)
{
	g_autoptr(GPtrArray) all = told_of("google-benchmark", "[1, {\"benchmarks\": 3}]\n");
	g_autoptr(GPtrArray) nameless =
		told_of("google-benchmark", "{\"benchmarks\": [{\"real_time\": 1}, 2]}\n");

	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, 0);
	g_assert_cmpuint(told_count(nameless, IMPORT_UNREAD), ==, 2);
}

#define TEST(name) g_test_add_func("/import_json/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(go_lines_are_per_operation_or_per_byte);
	TEST(libtest_lines_have_commas_between_thousands);
	TEST(google_benchmark_is_read_at_the_end);
	TEST(google_benchmark_tables_have_units_in_cells_or_header);
	TEST(hyperfine_tells_seconds);
	TEST(a_cut_document_is_told_with_its_place);
	TEST(other_json_has_no_figures);
	return g_test_run();
}
