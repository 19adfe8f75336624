#include "core_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void writes_what_the_tables_of_the_wire_format_say(void)
{
	AUTO_RUN timed =
		run_fake("", "--time|--budget-ms|1|--block|16,256|--build|a\"b\\c|--invocation|4|--seed|s");
	AUTO_RUN counted = run_fake("", "--count");
	json_t *header = timed.records->pdata[0];

	assert_whole_stream(&timed);
	assert_whole_stream(&counted);
	g_assert_cmpstr(text(header, "build"), ==, "a\"b\\c");
	g_assert_cmpstr(text(header, "mode"), ==, "time");
	g_assert_cmpstr(text(header, "library"), ==, "fake");
	g_assert_cmpstr(text(header, "library_version"), ==, "1.2 3");
	g_assert_cmpstr(text(header, "seed"), ==, "s");
	g_assert_cmpint(json_integer_value(json_object_get(header, "invocation")), ==, 4);
	g_assert_cmpint(json_integer_value(json_object_get(header, "wire")), ==, WIRE_VERSION);
	g_assert_cmpstr(text(counted.records->pdata[0], "mode"), ==, "count");
	g_assert_cmpstr(text(counted.records->pdata[0], "counter"), ==, "none");
	g_assert_null(json_object_get(counted.records->pdata[0], "build"));
}

static void a_probe_is_what_the_program_finds_and_no_benchmark(void)
{
	AUTO_RUN probe = run_fake("", "--probe|--build|b");
	AUTO_RUN timed = run_fake("", "--time|--budget-ms|1|--benchmarks|sha*");
	json_t *header = probe.records->pdata[0], *end = probe.records->pdata[probe.records->len - 1];

	g_assert_cmpint(probe.status, ==, 0);
	g_assert_cmpuint(probe.records->len, ==, 2);
	g_assert_cmpstr(text(header, "mode"), ==, "probe");
	g_assert_cmpstr(text(header, "build"), ==, "b");
	g_assert_cmpint(json_integer_value(json_object_get(header, "page_size")), ==, sysconf(_SC_PAGESIZE));
	g_assert_cmpint(json_integer_value(json_object_get(header, "pointer_bits")), ==, 8 * sizeof(void *));
	g_assert_cmpstr(text(header, "counter"), ==, text(timed.records->pdata[0], "counter"));
	g_assert_true(json_equal(json_object_get(header, "cpu_features"),
		json_object_get(timed.records->pdata[0], "cpu_features")));
	g_assert_cmpstr(text(end, "r"), ==, "end");
	g_assert_cmpint(json_integer_value(json_object_get(end, "records")), ==, 1);
}

static void a_benchmark_without_memory_is_skipped_and_says_what_is_free(void)
{
	AUTO_RUN run = run_fake("poor", "--time|--budget-ms|1|--benchmarks|sha*,null*");
	json_t *outcome = find(&run, "benchmark", "sha-256 hash", 0);

	assert_whole_stream(&run);
	assert_outcome(&run, "sha-256 hash", "skipped", "the library failed with -125");
	g_assert_true(g_regex_match_simple("; [0-9.]+ [KM]iB are free$", text(outcome, "reason"), 0, 0));
	assert_outcome(&run, "null operation", "ok", "");
}

/* Digest of the SHA-256 of the pattern of 256 bytes: from core/expected.def, which another test holds against
 * another implementation. */
static void gives_figures_to_a_right_benchmark(void)
{
	AUTO_RUN run = run_fake("", "--time|--budget-ms|2|--block|256|--benchmarks|sha*");
	json_t *samples = find(&run, "samples", "sha-256 hash", 0),
	       *outcome = find(&run, "benchmark", "sha-256 hash", 0);

	assert_whole_stream(&run);
	assert_outcome(&run, "sha-256 hash", "ok", "");
	g_assert_cmpstr(text(samples, "metric"), ==, "time");
	g_assert_cmpint(json_integer_value(json_object_get(samples, "block")), ==, 256);
	/* A sample spans a twentieth of the budget, 100 us, and an operation takes far less. */
	g_assert_cmpint(json_integer_value(json_object_get(samples, "iterations")), >, 1);
	g_assert_cmpuint(json_array_size(json_object_get(samples, "values")), >=, 3);
	g_assert_cmpuint(json_array_size(json_object_get(samples, "values")), <=, 200);
	for (size_t i = 0; i < json_array_size(json_object_get(samples, "values")); i++)
		g_assert_cmpint(
			json_integer_value(json_array_get(json_object_get(samples, "values"), i)), >, 0);
	g_assert_cmpstr(text(outcome, "proof"), ==, "digest");
	g_assert_cmpuint(strlen(text(outcome, "digest")), ==, 64);
	g_assert_null(find(&run, "start", "null operation", 0));
}

static void refuses_a_wrong_published_answer(void)
{
	AUTO_RUN run = run_fake("", "--time|--budget-ms|1|--benchmarks|aes*");

	assert_whole_stream(&run);
	/* 0x6b is the vector's first byte, copied; 0x76 is the answer's. */
	assert_outcome(&run, "aes-128-cbc encrypt", "wrong-answer",
		"SP 800-38A F.2.1: byte 0 of the output is 0x6b, expected 0x76");
	assert_outcome(&run, "aes-128-gcm decrypt", "wrong-answer", "a forged tag was taken");
}

static void refuses_an_answer_that_is_wrong_only_where_it_is_timed(void)
{
	AUTO_RUN bulk = run_fake("", "--time|--budget-ms|1|--benchmarks|aes-128-cbc decrypt");
	AUTO_RUN late = run_fake("late", "--time|--budget-ms|1|--benchmarks|sha*");
	AUTO_RUN counted = run_fake("late", "--count|--benchmarks|sha*");
	AUTO_RUN stale = run_fake("stale", "--time|--budget-ms|1|--benchmarks|ecdh*");

	assert_outcome(&bulk, "aes-128-cbc decrypt", "wrong-answer", "the digest of the timed output is");
	assert_outcome(&late, "sha-256 hash", "wrong-answer", "the digest of the timed output is");
	assert_outcome(&counted, "sha-256 hash", "wrong-answer", "the digest of the timed output is");
	assert_outcome(
		&stale, "ecdh-p256 agree", "wrong-answer", "the digest of the timed output is missing");
	assert_whole_stream(&late);
}

static void says_why_a_benchmark_has_no_figure(void)
{
	AUTO_RUN run = run_fake("", "--count|--block|16,64");
	AUTO_RUN lacks = run_fake("lacks", "--count|--benchmarks|sha*");

	assert_whole_stream(&run);
	assert_outcome(&run, "aes-128-gcm encrypt", "unavailable", "the build has no AES-GCM");
	/* Once for each block. */
	g_assert_nonnull(find(&run, "benchmark", "aes-128-gcm encrypt", 1));
	g_assert_null(find(&run, "benchmark", "aes-128-gcm encrypt", 2));
	assert_outcome(
		&run, "dh-2048 agree", "unavailable", "the first operation: the library failed with -174");
	assert_outcome(
		&run, "ec-p256 keygen", "wrong-answer", "its setup: the library failed with -7 (seven)");
	assert_outcome(&run, "rsa-2048 public", "wrong-answer", "the digest of the timed output");
	assert_outcome(&run, "ecdsa-p256 sign", "ok", "");
	assert_outcome(&lacks, "sha-256 hash", "unavailable", "FIPS 180-2 B.1: the library failed with -174");
	g_assert_cmpstr(text(find(&run, "benchmark", "ecdsa-p256 sign", 0), "proof"), ==, "verify");
	g_assert_null(json_object_get(find(&run, "benchmark", "ecdsa-p256 sign", 0), "digest"));
}

static void trusts_nothing_when_library_and_program_disagree(void)
{
	AUTO_RUN run = run_fake("sizes", "--count");

	assert_whole_stream(&run);
	g_assert_null(find(&run, "region", NULL, 0));
	assert_outcome(&run, "sha-256 hash", "wrong-answer", "other sizes \"here\"");
	assert_outcome(&run, "null operation", "wrong-answer", "other sizes \"here\"");
}

/* An operation of 10 ms is longer than a twentieth of 100 ms: each is a sample of its own, and each is kept.
 */
static void keeps_every_sample_of_a_slow_operation(void)
{
	AUTO_RUN run = run_fake("", "--time|--budget-ms|100|--benchmarks|rsa-2048 private");
	AUTO_RUN poor = run_fake("", "--time|--budget-ms|1|--benchmarks|rsa-2048 private");
	json_t *samples = find(&run, "samples", "rsa-2048 private", 0);
	json_t *few = find(&poor, "samples", "rsa-2048 private", 0);

	g_assert_cmpint(json_integer_value(json_object_get(samples, "iterations")), ==, 1);
	g_assert_cmpuint(json_array_size(json_object_get(samples, "values")), >=, 3);
	g_assert_cmpuint(json_array_size(json_object_get(samples, "values")), <=, 11);
	g_assert_cmpint(
		json_integer_value(json_array_get(json_object_get(samples, "values"), 0)), >, 5000000);
	/* Three at least, whatever the budget. */
	g_assert_cmpuint(json_array_size(json_object_get(few, "values")), ==, 3);
}

static void leaves_a_crash_charged_to_the_right_benchmark(void)
{
	AUTO_RUN run = run_fake("crash", "--time|--budget-ms|1");
	json_t *last = run.records->pdata[run.records->len - 1];

	g_assert_true(WIFSIGNALED(run.status));
	g_assert_cmpint(WTERMSIG(run.status), ==, SIGSEGV);
	g_assert_cmpstr(text(last, "r"), ==, "start");
	g_assert_cmpstr(text(last, "name"), ==, "ecdh-p256 agree");
	/* What came before is kept. */
	assert_outcome(&run, "sha-256 hash", "ok", "");
	g_assert_nonnull(find(&run, "samples", "sha-256 hash", 0));
}

/* 64 KiB in all and never less than two: 65536 / 16 = 4096, 65536 / 16384 = 4, 65536 / 1048576 < 2. */
static void counts_a_fixed_number_of_operations(void)
{
	static const int iterations[] = {4096, 4, 2};
	AUTO_RUN run = run_fake("", "--count|--block|16,16384,1048576|--benchmarks|sha*,null*,ecdsa*");
	AUTO_RUN asked = run_fake("", "--count|--iterations|5|--benchmarks|sha*");

	assert_whole_stream(&run);
	for (guint i = 0; i < G_N_ELEMENTS(iterations); i++) {
		json_t *region = find(&run, "region", "sha-256 hash", i);
		g_assert_cmpint(json_integer_value(json_object_get(region, "iterations")), ==, iterations[i]);
		/* The null operation is region 1. */
		g_assert_cmpint(json_integer_value(json_object_get(region, "region")), ==, i + 2);
	}
	g_assert_cmpint(
		json_integer_value(json_object_get(find(&run, "region", "null operation", 0), "iterations")),
		==, 2);
	g_assert_cmpint(
		json_integer_value(json_object_get(find(&run, "region", "ecdsa-p256 sign", 0), "iterations")),
		==, 2);
	g_assert_null(find(&run, "samples", NULL, 0));
	g_assert_cmpint(
		json_integer_value(json_object_get(find(&asked, "region", "sha-256 hash", 0), "iterations")),
		==, 5);
}

static json_int_t value_of(const struct run *run, const char *name, const char *metric)
{
	json_t *record;

	for (guint i = 0; (record = find(run, "value", name, i)) != NULL; i++)
		if (strcmp(text(record, "metric"), metric) == 0)
			return json_integer_value(json_object_get(record, "value"));
	return -1;
}

/* The signature takes what core_fake.c says; what lies between its frames and its caller's is some hundred
 * bytes. 1000 and 500 at once, then 500 and 300. */
static void tells_the_memory_of_an_operation(void)
{
	AUTO_RUN timed = run_fake("memory", "--time|--budget-ms|1|--benchmarks|ecdsa*,null*");
	AUTO_RUN counted = run_fake("memory", "--count|--benchmarks|ecdsa*,null*");
	AUTO_RUN unhooked = run_fake("", "--count|--benchmarks|ecdsa*");
	const struct run *runs[] = {&timed, &counted};

	for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
		assert_whole_stream(runs[i]);
		g_assert_cmpint(value_of(runs[i], "ecdsa-p256 sign", "heap-peak"), ==, 1500);
		g_assert_cmpint(value_of(runs[i], "ecdsa-p256 sign", "heap-allocations"), ==, 3);
		g_assert_cmpint(value_of(runs[i], "ecdsa-p256 sign", "heap-idle"), ==, -1);
		g_assert_cmpint(value_of(runs[i], "ecdsa-p256 sign", "stack-peak"), >=, 20000);
		g_assert_cmpint(value_of(runs[i], "ecdsa-p256 sign", "stack-peak"), <, 21000);
		g_assert_cmpint(value_of(runs[i], "null operation", "heap-peak"), ==, 0);
		g_assert_cmpint(value_of(runs[i], "null operation", "heap-allocations"), ==, 0);
		g_assert_cmpint(value_of(runs[i], "null operation", "stack-peak"), <=, 512);
	}
	g_assert_cmpint(value_of(&timed, "ecdsa-p256 sign", "stack-peak"), ==,
		value_of(&counted, "ecdsa-p256 sign", "stack-peak"));
	/* Without a hook nothing is known of the heap, which is not 0. */
	g_assert_cmpint(value_of(&unhooked, "ecdsa-p256 sign", "heap-peak"), ==, -1);
	g_assert_cmpint(value_of(&unhooked, "ecdsa-p256 sign", "heap-allocations"), ==, -1);
	g_assert_cmpint(value_of(&unhooked, "ecdsa-p256 sign", "stack-peak"), >, 0);
}

/* The digest of the first 8 bytes of the stream that core/seed_stream.c says follows from the seed "s". */
static char *first_draw(void)
{
	g_autoptr(GChecksum) key = g_checksum_new(G_CHECKSUM_SHA256),
			     stream = g_checksum_new(G_CHECKSUM_SHA256);
	guchar bytes[40] = {0}, first[32];
	gsize size = 32;

	g_checksum_update(key, (const guchar *)"s", 1);
	g_checksum_get_digest(key, bytes, &size);
	g_checksum_update(stream, bytes, sizeof(bytes));
	g_checksum_get_digest(stream, first, &size);
	return g_compute_checksum_for_data(G_CHECKSUM_SHA256, first, 8);
}

/* The fake's key is what it draws: the last one that was measured is the first of the seed where the work is
 * fixed, and another one where it moves on. */
static void generates_keys_as_fixed_work_too(void)
{
	AUTO_RUN timed = run_fake("", "--time|--budget-ms|1|--slow|--seed|s|--benchmarks|*keygen*");
	AUTO_RUN counted = run_fake("", "--count|--slow|--seed|s|--benchmarks|*keygen*");
	AUTO_RUN usual = run_fake("", "--count|--benchmarks|*keygen*");
	const struct run *runs[] = {&timed, &counted};
	g_autofree char *first = first_draw();

	for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
		assert_whole_stream(runs[i]);
		g_assert_cmpstr(
			text(find(runs[i], "benchmark", "rsa-3072 keygen-fixed", 0), "digest"), ==, first);
		g_assert_cmpstr(text(find(runs[i], "benchmark", "rsa-3072 keygen", 0), "digest"), !=, first);
	}
	g_assert_cmpint(json_integer_value(json_object_get(
				find(&timed, "samples", "rsa-3072 keygen-fixed", 0), "iterations")),
		==, 1);
	g_assert_cmpint(json_integer_value(json_object_get(
				find(&counted, "region", "rsa-3072 keygen-fixed", 0), "iterations")),
		==, 1);
	g_assert_cmpint(json_integer_value(json_object_get(
				find(&counted, "region", "rsa-3072 keygen", 0), "iterations")),
		==, 2);
	/* As slow as the other. */
	g_assert_null(find(&usual, "start", "rsa-3072 keygen-fixed", 0));
	g_assert_null(find(&usual, "start", "rsa-3072 keygen", 0));
}

static void exits_with_2_on_wrong_usage(void)
{
	static const char *const lines[] = {
		"--time|--count", "", "--time|--block|7", "--count|--benchmarks|aes-512*"};

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		AUTO_RUN run = run_fake("", lines[i]);
		g_assert_true(WIFEXITED(run.status));
		g_assert_cmpint(WEXITSTATUS(run.status), ==, 2);
		g_assert_cmpuint(run.records->len, ==, 0);
		g_assert_true(g_str_has_prefix(run.errors, "bench-core: "));
	}
}

static int status_with_output(int descriptor)
{
	const char *argv[] = {CORE_FAKE, "--count", NULL};
	g_autoptr(GError) error = NULL;
	GPid child;
	int status = 0;

	g_spawn_async_with_fds(NULL, (char **)argv, NULL,
		G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &child, -1, descriptor,
		-1, &error);
	g_assert_no_error(error);
	close(descriptor);
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	return status;
}

static void exits_with_1_when_its_output_is_gone(void)
{
	int ends[2], status;

	g_assert_cmpint(pipe(ends), ==, 0);
	close(ends[0]);
	status = status_with_output(ends[1]);
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 1);
	status = status_with_output(open("/dev/full", O_WRONLY));
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 1);
}

static void lists_what_it_has(void)
{
	const char *argv[] = {CORE_FAKE, "--list", NULL};
	g_autofree char *output = NULL;
	int status = 0;

	g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status, NULL);
	g_assert_cmpint(status, ==, 0);
	g_assert_true(
		g_str_has_prefix(output, "null operation\tavailable\naes-128-cbc encrypt\tavailable\n"));
	g_assert_nonnull(strstr(output, "\naes-128-gcm encrypt\tunavailable: the build has no AES-GCM\n"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core/writes_what_the_tables_of_the_wire_format_say",
		writes_what_the_tables_of_the_wire_format_say);
	g_test_add_func("/core/a_probe_is_what_the_program_finds_and_no_benchmark",
		a_probe_is_what_the_program_finds_and_no_benchmark);
	g_test_add_func("/core/a_benchmark_without_memory_is_skipped_and_says_what_is_free",
		a_benchmark_without_memory_is_skipped_and_says_what_is_free);
	g_test_add_func("/core/gives_figures_to_a_right_benchmark", gives_figures_to_a_right_benchmark);
	g_test_add_func("/core/refuses_a_wrong_published_answer", refuses_a_wrong_published_answer);
	g_test_add_func("/core/refuses_an_answer_that_is_wrong_only_where_it_is_timed",
		refuses_an_answer_that_is_wrong_only_where_it_is_timed);
	g_test_add_func("/core/says_why_a_benchmark_has_no_figure", says_why_a_benchmark_has_no_figure);
	g_test_add_func("/core/trusts_nothing_when_library_and_program_disagree",
		trusts_nothing_when_library_and_program_disagree);
	g_test_add_func(
		"/core/keeps_every_sample_of_a_slow_operation", keeps_every_sample_of_a_slow_operation);
	g_test_add_func("/core/leaves_a_crash_charged_to_the_right_benchmark",
		leaves_a_crash_charged_to_the_right_benchmark);
	g_test_add_func("/core/counts_a_fixed_number_of_operations", counts_a_fixed_number_of_operations);
	g_test_add_func("/core/tells_the_memory_of_an_operation", tells_the_memory_of_an_operation);
	g_test_add_func("/core/generates_keys_as_fixed_work_too", generates_keys_as_fixed_work_too);
	g_test_add_func("/core/exits_with_2_on_wrong_usage", exits_with_2_on_wrong_usage);
	g_test_add_func("/core/exits_with_1_when_its_output_is_gone", exits_with_1_when_its_output_is_gone);
	g_test_add_func("/core/lists_what_it_has", lists_what_it_has);
	return g_test_run();
}
