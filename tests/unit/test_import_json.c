/* General tools: go test -bench, Google Benchmark's and hyperfine's JSON. */
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
	TEST(google_benchmark_is_read_at_the_end);
	TEST(hyperfine_tells_seconds);
	TEST(a_cut_document_is_told_with_its_place);
	TEST(other_json_has_no_figures);
	return g_test_run();
}
