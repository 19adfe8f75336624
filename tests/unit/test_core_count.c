#include <glib.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdbool.h>
#include <string.h>

/* A target to count for: how its programs are made and run. */
struct target {
	const char *arch, *compiler, *emulator, *cpu;
};
static const struct target x86_64 = {"x86_64", "x86_64-linux-gnu-gcc", "qemu-x86_64", "max"};
static const struct target aarch64 = {"aarch64", "aarch64-linux-gnu-gcc", "qemu-aarch64", "cortex-a72"};

static char *folder;

static bool spawn(const char *const *argv, char **environment, char **output, char **errors)
{
	g_autoptr(GError) error = NULL;
	int status = 0;

	g_spawn_sync(NULL, (char **)argv, environment, G_SPAWN_SEARCH_PATH, NULL, NULL, output, errors,
		&status, &error);
	g_assert_no_error(error);
	return status == 0;
}

static bool is_missing(const char *program)
{
	g_autofree char *path = g_find_program_in_path(program), *why = NULL;

	if (path != NULL)
		return false;
	why = g_strdup_printf("%s is not installed", program);
	g_test_skip(why);
	return true;
}

/* Makes <folder>/<arch>-<name> of the sources, or skips the test and returns NULL. */
static char *make(const struct target *t, const char *name, const char *const *sources)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autofree char *program = g_strdup_printf("%s/%s-%s", folder, t->arch, name);

	if (is_missing(t->compiler) || is_missing(t->emulator))
		return NULL;
	for (const char *const *p = (const char *const[]){t->compiler, "-O1", "-static", "-pthread",
		     "-I" BM_SOURCE "/schema", "-I" BM_SOURCE "/bench-core/core", "-o", program, NULL};
		*p != NULL; p++)
		g_ptr_array_add(argv, (char *)*p);
	for (; *sources != NULL; sources++)
		g_ptr_array_add(argv, (char *)*sources);
	g_ptr_array_add(argv, NULL);
	g_assert_true(spawn((const char *const *)argv->pdata, NULL, NULL, NULL));
	return g_steal_pointer(&program);
}

/* Runs a program below the counter; returns its output, and in counts[region] what was counted. */
static char *run(const struct target *t, const char *program, const char *const *arguments,
	char **environment, gint64 counts[16], char **errors)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	char *output = NULL;

	for (const char *const *p =
			(const char *const[]){t->emulator, "-cpu", t->cpu, "-plugin", PLUGIN, program, NULL};
		*p != NULL; p++)
		g_ptr_array_add(argv, (char *)*p);
	for (; *arguments != NULL; arguments++)
		g_ptr_array_add(argv, (char *)*arguments);
	g_ptr_array_add(argv, NULL);
	g_assert_true(spawn((const char *const *)argv->pdata, environment, &output, errors));
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line != NULL && **line != 0; line++) {
		json_t *record = json_loads(*line, 0, NULL);
		g_assert_nonnull(record);
		if (strcmp(json_string_value(json_object_get(record, "r")), "count") == 0) {
			json_int_t region = json_integer_value(json_object_get(record, "region"));
			g_assert_cmpint(region, <, 16);
			g_assert_cmpstr(
				json_string_value(json_object_get(record, "metric")), ==, "instructions");
			counts[region] = json_integer_value(json_object_get(record, "value"));
		}
		json_decref(record);
	}
	return output;
}

static const char *const nothing[] = {NULL};
static const char *const loop_source[] = {BM_SOURCE "/tests/fixtures/core_loop.c", NULL};

/* A turn is two instructions, and both regions have the same markers: a million turns more are 2,000,000
 * instructions more, and what is left of the shorter region is less than a hundred instructions of markers
 * and calls. */
static void counts_a_loop_of_known_length(gconstpointer data)
{
	const struct target *t = data;
	g_autofree char *program = make(t, "loop", loop_source), *output = NULL;
	gint64 counts[16] = {0};

	if (program == NULL)
		return;
	output = run(t, program, nothing, NULL, counts, NULL);
	g_assert_cmpint(counts[2] - counts[1], ==, 2000000);
	g_assert_cmpint(counts[1], >, 2000000);
	g_assert_cmpint(counts[1], <, 2000100);
	if (t != &x86_64)
		return;
	/* Four instructions a turn, one of which crosses a page: QEMU 7.2 reports five by block. */
	g_assert_cmpint(counts[4] - counts[3], ==, 4000000);
}

static void refuses_a_second_thread(void)
{
	g_autofree char *program = make(&x86_64, "loop", loop_source), *output = NULL, *errors = NULL;
	gint64 counts[16] = {0};

	if (program == NULL)
		return;
	output = run(&x86_64, program, (const char *const[]){"thread", NULL}, NULL, counts, &errors);
	g_assert_cmpstr(output, ==, "");
	g_assert_nonnull(strstr(errors, "second thread"));
}

/* bench-core itself with an adapter that needs no library. */
static char *make_core(const struct target *t)
{
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = g_dir_open(BM_SOURCE "/bench-core/core", 0, NULL);
	const char *name;

	g_assert_nonnull(dir);
	while ((name = g_dir_read_name(dir)) != NULL)
		if (g_str_has_suffix(name, ".c"))
			g_ptr_array_add(sources, g_strconcat(BM_SOURCE "/bench-core/core/", name, NULL));
	g_dir_close(dir);
	g_ptr_array_add(sources, g_strdup(BM_SOURCE "/tests/fixtures/core_fake.c"));
	g_ptr_array_add(sources, NULL);
	return make(t, "core", (const char *const *)sources->pdata);
}

static void repeats_whatever_environment_and_arguments_are(gconstpointer data)
{
	const struct target *t = data;
	g_autofree char *program = make_core(t), *first = NULL, *second = NULL,
			*filler = g_strnfill(3001, 'x');
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "FILLER", filler, TRUE);
	gint64 counts[16] = {0}, others[16] = {0};

	if (program == NULL)
		return;
	first = run(t, program, (const char *const[]){"--count", "--benchmarks", "null*,sha*,ecd*", NULL},
		NULL, counts, NULL);
	filler[901] = 0;
	second = run(t, program,
		(const char *const[]){"--count", "--build", filler, "--invocation", "12", "--benchmarks",
			"null*,sha*,ecd*", NULL},
		environment, others, NULL);
	/* Null operation, hash, agreement, signature. */
	for (int i = 1; i <= 4; i++) {
		g_assert_cmpint(counts[i], >, 0);
		g_assert_cmpint(counts[i], ==, others[i]);
	}
	/* A SHA-256 of 16 KiB is 257 blocks of 64 rounds of several instructions each, four times. */
	g_assert_cmpint(counts[2], >, 4 * 257 * 64 * 5);
}

/* The fake's hash leaves the heap another one than it found, and its agreement costs what the heap says: in
 * one process it costs other than alone, else the check below could not fail. */
static void counts_do_not_depend_on_what_ran_before(gconstpointer data)
{
	const struct target *t = data;
	g_autofree char *program = make_core(t), *full = NULL, *alone = NULL, *rest = NULL, *single = NULL;
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "CORE_FAKE", "leaks", TRUE);
	gint64 counts[16] = {0}, alone_counts[16] = {0}, rest_counts[16] = {0}, single_counts[16] = {0};

	if (program == NULL)
		return;
	full = run(t, program, (const char *const[]){"--count", "--benchmarks", "sha*,ecd*", NULL},
		environment, counts, NULL);
	alone = run(t, program, (const char *const[]){"--count", "--benchmarks", "ecdh*", NULL}, environment,
		alone_counts, NULL);
	rest = run(t, program,
		(const char *const[]){
			"--count", "--benchmarks", "sha*,ecd*", "--from", "ecdh-p256 agree", NULL},
		environment, rest_counts, NULL);
	single = run(t, program,
		(const char *const[]){"--count", "--benchmarks", "sha*,ecd*", "--in-process", NULL},
		environment, single_counts, NULL);
	g_assert_cmpint(counts[2], >, 0);
	g_assert_cmpint(counts[2], ==, alone_counts[1]);
	g_assert_cmpint(counts[2], ==, rest_counts[1]);
	g_assert_cmpint(counts[3], ==, rest_counts[2]);
	g_assert_cmpint(counts[2], !=, single_counts[2]);
}

int main(int argc, char **argv)
{
	int failed;

	g_test_init(&argc, &argv, NULL);
	folder = g_dir_make_tmp("test_core_count-XXXXXX", NULL);
	g_test_add_data_func(
		"/core_count/x86_64/counts_a_loop_of_known_length", &x86_64, counts_a_loop_of_known_length);
	g_test_add_data_func(
		"/core_count/aarch64/counts_a_loop_of_known_length", &aarch64, counts_a_loop_of_known_length);
	g_test_add_func("/core_count/x86_64/refuses_a_second_thread", refuses_a_second_thread);
	g_test_add_data_func("/core_count/x86_64/repeats_whatever_environment_and_arguments_are", &x86_64,
		repeats_whatever_environment_and_arguments_are);
	g_test_add_data_func("/core_count/aarch64/repeats_whatever_environment_and_arguments_are", &aarch64,
		repeats_whatever_environment_and_arguments_are);
	g_test_add_data_func("/core_count/x86_64/counts_do_not_depend_on_what_ran_before", &x86_64,
		counts_do_not_depend_on_what_ran_before);
	g_test_add_data_func("/core_count/aarch64/counts_do_not_depend_on_what_ran_before", &aarch64,
		counts_do_not_depend_on_what_ran_before);
	failed = g_test_run();
	for (const char *const *name = (const char *const[]){"x86_64-loop", "aarch64-loop", "x86_64-core",
		     "aarch64-core", NULL};
		*name != NULL; name++) {
		g_autofree char *path = g_build_filename(folder, *name, NULL);
		g_remove(path);
	}
	g_rmdir(folder);
	g_free(folder);
	return failed;
}
