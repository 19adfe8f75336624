#include "build_world.h"

#include "fsx.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static guint entries_in(const struct world *world, const char *kind)
{
	g_autofree char *folder = g_build_filename(world->cache, kind, NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	guint n = 0;
	while (dir && g_dir_read_name(dir))
		n++;
	return n;
}

static void assert_state(const struct build_result *result, enum build_state state, const char *reason)
{
	if (result->state != state)
		g_test_message("%s\n%s", result->reason, result->log);
	g_assert_cmpstr(build_states[result->state].name, ==, build_states[state].name);
	g_assert_cmpstr(result->reason, ==, reason);
	g_assert_true((result->program != NULL) == (state == BUILD_OK));
}

static char *output_of(const char *program)
{
	char *out = NULL;
	const char *argv[] = {program, NULL};
	int status = -1;
	g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL, 0, NULL, NULL, &out, NULL, &status, NULL));
	g_assert_cmpint(status, ==, 0);
	return out;
}

static void builds_a_program_and_says_all_about_it(void)
{
	struct world *world = world_new();
	world_flag(world, "table", "--enable-table", "-DTABLE");
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	g_autofree char *out = output_of(result->program);
	g_assert_true(g_str_has_prefix(out, "wire 1 answer 42 about --build="));
	g_assert_cmpstr(result->machine, ==, "EM_X86_64 64-bit little-endian");
	g_assert_cmpstr(result->math, ==, "tiny.c + table");
	g_assert_cmpstr(result->optimisation_effective, ==, "-O2");
	g_assert_true(g_str_has_suffix(result->configure_line,
		" --cache-file=config.cache --enable-table CC=gcc AR=ar RANLIB=ranlib 'CFLAGS=-O2 -DTABLE' "
		"LDFLAGS=-static"));
	g_assert_true(g_str_has_prefix(result->revision, "tree:"));
	g_assert_cmpuint(strlen(result->revision), ==, 17);
	g_assert_true(g_str_has_prefix(result->compiler, "gcc "));
	g_assert_cmpuint(strlen(result->code_sha256), ==, 64);
	g_assert_cmpuint(strlen(result->key_library), ==, 64);
	g_assert_cmpuint(strlen(result->key_program), ==, 64);
	g_assert_false(result->library_cached);
	g_assert_false(result->program_cached);
	g_assert_true(result->seconds > 0 && result->seconds < 60);
	g_assert_nonnull(strstr(result->log, "checking for the answer... 42"));
	g_assert_nonnull(strstr(result->log, "bench-core"));
	g_assert_cmpstr(world->steps->str, ==, "prepare copy configure make link ");
	g_assert_cmpuint(entries_in(world, "work"), ==, 0);
	build_result_free(result);
	world_free(world);
}

static void takes_the_second_time_from_the_cache(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	assert_state(first, BUILD_OK, NULL);
	g_string_truncate(world->steps, 0);
	struct build_result *second = world_build(world);
	assert_state(second, BUILD_OK, NULL);
	g_assert_cmpstr(world->steps->str, ==, "");
	g_assert_true(second->library_cached && second->program_cached);
	g_assert_true(isnan(second->seconds));
	g_assert_cmpstr(second->program, ==, first->program);
	g_assert_cmpstr(second->key_library, ==, first->key_library);
	g_assert_cmpstr(second->key_program, ==, first->key_program);
	g_assert_cmpstr(second->revision, ==, first->revision);
	g_assert_cmpstr(second->compiler, ==, first->compiler);
	g_assert_cmpstr(second->configure_line, ==, first->configure_line);
	g_assert_cmpstr(second->optimisation_effective, ==, first->optimisation_effective);
	g_assert_cmpstr(second->math, ==, first->math);
	g_assert_cmpstr(second->machine, ==, first->machine);
	g_assert_cmpstr(second->code_sha256, ==, first->code_sha256);
	g_assert_cmpstr(second->log, ==, first->log);
	build_result_free(first);
	build_result_free(second);
	world_free(world);
}

static void links_anew_but_compiles_no_library_when_bench_core_changes(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	world_edit(world->core, "main.c", "wire %d", "WIRE %d");
	g_string_truncate(world->steps, 0);
	struct build_result *core = world_build(world);
	assert_state(core, BUILD_OK, NULL);
	g_assert_cmpstr(world->steps->str, ==, "link ");
	g_assert_cmpstr(core->key_library, ==, first->key_library);
	g_assert_cmpstr(core->key_program, !=, first->key_program);
	g_assert_true(core->library_cached && !core->program_cached);
	g_assert_false(isnan(core->seconds));
	world_edit(world->adapter, "tiny.c", "return tiny_answer(question);",
		"return tiny_answer(question) + 1;");
	struct build_result *adapter = world_build(world);
	g_assert_cmpstr(world->steps->str, ==, "link link ");
	g_autofree char *out = output_of(adapter->program);
	g_assert_true(g_str_has_prefix(out, "WIRE 1 answer 43 "));
	build_result_free(first);
	build_result_free(core);
	build_result_free(adapter);
	world_free(world);
}

static void compiles_anew_when_the_source_changes(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	world_edit(world->source, "tiny.c", "question * 7", "question * 8");
	struct build_result *second = world_build(world);
	assert_state(second, BUILD_OK, NULL);
	g_autofree char *out = output_of(second->program);
	g_assert_true(g_str_has_prefix(out, "wire 1 answer 48 "));
	g_assert_cmpstr(second->key_library, !=, first->key_library);
	g_assert_cmpstr(second->revision, !=, first->revision);
	g_assert_cmpstr(second->code_sha256, !=, first->code_sha256);
	build_result_free(first);
	build_result_free(second);
	world_free(world);
}

static void sees_that_a_flag_has_no_effect(void)
{
	struct world *world = world_new();
	struct build_result *plain = world_build(world);
	world_flag(world, "idle", "--enable-nothing-at-all", NULL);
	struct build_result *idle = world_build(world);
	g_assert_cmpstr(idle->key_library, !=, plain->key_library);
	g_assert_cmpstr(idle->code_sha256, ==, plain->code_sha256);
	world_flag(world, "table", "--enable-table", NULL);
	struct build_result *table = world_build(world);
	g_assert_cmpstr(table->code_sha256, !=, plain->code_sha256);
	build_result_free(plain);
	build_result_free(idle);
	build_result_free(table);
	world_free(world);
}

static void leaves_the_level_to_the_library_when_told_so(void)
{
	struct world *world = world_new();
	world->optimisation = "library";
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	g_assert_cmpstr(result->optimisation_effective, ==, "-O1");
	g_assert_null(strstr(result->configure_line, "CFLAGS"));
	build_result_free(result);
	world_free(world);
}

static void shares_what_configure_found(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	g_assert_null(strstr(first->log, "(cached)"));
	world_flag(world, "table", "--enable-table", NULL);
	struct build_result *second = world_build(world);
	g_assert_nonnull(strstr(second->log, "(cached)"));
	world->optimisation = "-O1";
	struct build_result *other_cflags = world_build(world);
	g_assert_null(strstr(other_cflags->log, "(cached)"));
	build_result_free(first);
	build_result_free(second);
	build_result_free(other_cflags);
	world_free(world);
}

/* Whether the build's configure takes over what another one found. */
static bool took_over(struct world *world)
{
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_OK, NULL);
	bool cached = strstr(result->log, "(cached)") != NULL;
	g_assert_false(result->library_cached);
	build_result_free(result);
	return cached;
}

static void shares_what_configure_found_with_sources_of_the_same_script(void)
{
	struct world *world = world_new();
	g_assert_false(took_over(world));
	world_edit(world->source, "tiny.c", "question * 7", "question * 8");
	g_assert_true(took_over(world));
	world_edit(
		world->source, "configure", "checking for the answer... 42", "checking for the answer... 43");
	g_autofree char *script = g_build_filename(world->source, "configure", NULL);
	g_assert_cmpint(chmod(script, 0755), ==, 0);
	g_assert_false(took_over(world));
	world_free(world);
}

static void tells_failures_apart(void)
{
	static const struct {
		const char *flag, *reason;
		enum build_state state;
	} cases[] = {
		{"--enable-broken-configure", "configure: configure: error: this library needs luck",
			BUILD_CONFIGURE_FAILED},
		{"--enable-broken-source",
			"make: tiny.c:5:10: fatal error: tiny_missing.h: No such file or directory",
			BUILD_COMPILE_FAILED},
		{"--enable-nul", "configure: configure: error: behind a NUL", BUILD_CONFIGURE_FAILED},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world *world = world_new();
		world_flag(world, "broken", cases[i].flag, NULL);
		struct build_result *result = world_build(world);
		assert_state(result, cases[i].state, cases[i].reason);
		g_assert_nonnull(result->key_library);
		g_assert_nonnull(result->configure_line);
		g_assert_cmpuint(entries_in(world, "libraries"), ==, 0);
		g_assert_cmpuint(entries_in(world, "work"), ==, 0);
		build_result_free(result);
		world_free(world);
	}
}

static void keeps_the_details_of_a_failed_configure(void)
{
	struct world *world = world_new();
	world_flag(world, "broken", "--enable-broken-configure", NULL);
	struct build_result *result = world_build(world);
	g_assert_nonnull(strstr(result->log, "[config.log]\nthe details"));
	build_result_free(result);
	world_free(world);
}

static void tells_a_link_that_failed_from_a_compile(void)
{
	struct world *world = world_new();
	world_flag(world, "no-answer", "--enable-no-answer", NULL);
	struct build_result *result = world_build(world);
	g_assert_cmpint(result->state, ==, BUILD_LINK_FAILED);
	g_assert_true(g_str_has_suffix(result->reason, "undefined reference to `tiny_answer'"));
	g_assert_true(g_str_has_prefix(result->reason, "link: "));
	build_result_free(result);
	world_edit(world->adapter, "tiny.c", "return tiny_answer(question);", "return nothing;");
	struct build_result *compile = world_build(world);
	g_assert_cmpint(compile->state, ==, BUILD_COMPILE_FAILED);
	g_assert_nonnull(strstr(compile->reason, "tiny.c:10:16: error: "));
	g_assert_true(compile->library_cached);
	build_result_free(compile);
	world_free(world);
}

static void refuses_a_program_for_another_machine(void)
{
	struct world *world = world_new();
	world->toolchain.machine = "EM_AARCH64";
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_LINK_FAILED,
		"link: the program is for EM_X86_64 64-bit little-endian, but toolchain x86_64-gcc says "
		"EM_AARCH64 64-bit little-endian");
	g_assert_cmpuint(entries_in(world, "programs"), ==, 0);
	build_result_free(result);
	world_free(world);
}

static void says_what_to_install_where_a_compiler_is_missing(void)
{
	struct world *world = world_new();
	static char *packages[] = {(char *)"gcc-vax-linux-gnu", (char *)"libc6-dev-vax-cross", NULL};
	world->toolchain.cc = "vax-linux-gnu-gcc";
	world->toolchain.packages = packages;
	struct build_result *result = world_build(world);
	assert_state(result, BUILD_UNSUPPORTED,
		"vax-linux-gnu-gcc is not installed: apt-get install gcc-vax-linux-gnu libc6-dev-vax-cross");
	g_assert_null(result->key_library);
	build_result_free(result);
	world_free(world);
}

static void stops_a_step_at_its_deadline(void)
{
	struct world *world = world_new();
	world->limits.configure_s = 1;
	world_flag(world, "slow", "--enable-slow-configure", NULL);
	struct build_result *configure = world_build(world);
	assert_state(configure, BUILD_TIMEOUT, "configure: not done after 1 s");
	world->limits.make_s = 1;
	struct flag *flag = world->flags->pdata[0];
	g_free(flag->configure[0]);
	flag->configure[0] = g_strdup("--enable-slow-make");
	world->limits.configure_s = 60;
	struct build_result *make = world_build(world);
	assert_state(make, BUILD_TIMEOUT, "make: not done after 1 s");
	g_assert_cmpuint(entries_in(world, "work"), ==, 0);
	build_result_free(configure);
	build_result_free(make);
	world_free(world);
}

struct pair {
	struct build_result *results[2];
	int n;
};

static void take_one(struct build_result *result, void *user)
{
	struct pair *pair = user;
	pair->results[pair->n++] = result;
}

static gboolean cancel(gpointer builder)
{
	builder_cancel(builder);
	return G_SOURCE_REMOVE;
}

/* One build compiles, the other waits for its lock; both are told. */
static void cancels_what_runs_and_what_waits(void)
{
	struct world *world = world_new();
	world_flag(world, "slow", "--enable-slow-configure", NULL);
	struct builder *builder = world_builder(world);
	struct planned_build *build = world_planned(world);
	struct pair pair = {0};
	builder_start(builder, build, take_one, &pair);
	builder_start(builder, build, take_one, &pair);
	g_timeout_add(1000, cancel, builder);
	gint64 before = g_get_monotonic_time();
	while (pair.n < 2)
		g_main_context_iteration(NULL, TRUE);
	g_assert_cmpint((g_get_monotonic_time() - before) / 1000000, <, 10);
	for (int i = 0; i < 2; i++) {
		assert_state(pair.results[i], BUILD_CANCELLED, "cancelled");
		build_result_free(pair.results[i]);
	}
	world_planned_free(build);
	builder_free(builder);
	g_assert_cmpuint(entries_in(world, "work"), ==, 0);
	world_free(world);
}

static void cancels_before_anything_began(void)
{
	struct world *world = world_new();
	struct builder *builder = world_builder(world);
	struct planned_build *build = world_planned(world);
	struct pair pair = {0};
	builder_start(builder, build, take_one, &pair);
	builder_cancel(builder);
	while (pair.n < 1)
		g_main_context_iteration(NULL, TRUE);
	assert_state(pair.results[0], BUILD_CANCELLED, "cancelled");
	build_result_free(pair.results[0]);
	/* What was cancelled is not remembered as failed. */
	struct build_result *again = world_run(builder, build);
	assert_state(again, BUILD_OK, NULL);
	build_result_free(again);
	world_planned_free(build);
	builder_free(builder);
	world_free(world);
}

static void compiles_once_where_two_want_the_same(void)
{
	struct world *world = world_new();
	struct builder *builders[] = {world_builder(world), world_builder(world)};
	struct planned_build *build = world_planned(world);
	struct pair pair = {0};
	builder_start(builders[0], build, take_one, &pair);
	builder_start(builders[1], build, take_one, &pair);
	while (pair.n < 2)
		g_main_context_iteration(NULL, TRUE);
	assert_state(pair.results[0], BUILD_OK, NULL);
	assert_state(pair.results[1], BUILD_OK, NULL);
	g_assert_cmpint(pair.results[0]->library_cached + pair.results[1]->library_cached, ==, 1);
	g_assert_cmpstr(pair.results[0]->program, ==, pair.results[1]->program);
	g_assert_cmpuint(entries_in(world, "sources"), ==, 1);
	for (int i = 0; i < 2; i++) {
		build_result_free(pair.results[i]);
		builder_free(builders[i]);
	}
	world_planned_free(build);
	world_free(world);
}

static void makes_a_damaged_program_again(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	g_assert_cmpint(truncate(first->program, 100), ==, 0);
	g_string_truncate(world->steps, 0);
	struct build_result *second = world_build(world);
	assert_state(second, BUILD_OK, NULL);
	g_assert_cmpstr(world->steps->str, ==, "link ");
	g_autofree char *out = output_of(second->program);
	g_assert_true(g_str_has_prefix(out, "wire 1 "));
	build_result_free(first);
	build_result_free(second);
	world_free(world);
}

static void makes_a_program_again_that_cannot_be_executed(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	g_assert_cmpint(chmod(first->program, 0644), ==, 0);
	g_string_truncate(world->steps, 0);
	struct build_result *second = world_build(world);
	assert_state(second, BUILD_OK, NULL);
	g_assert_cmpstr(world->steps->str, ==, "link ");
	g_assert_cmpint(access(second->program, X_OK), ==, 0);
	build_result_free(first);
	build_result_free(second);
	world_free(world);
}

static void makes_an_entry_of_another_format_again(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	g_autofree char *folder = g_path_get_dirname(first->program);
	world_edit(folder, "entry.json", "\"format\":1", "\"format\":0");
	g_string_truncate(world->steps, 0);
	struct build_result *second = world_build(world);
	assert_state(second, BUILD_OK, NULL);
	g_assert_cmpstr(world->steps->str, ==, "link ");
	g_assert_false(second->program_cached);
	build_result_free(first);
	build_result_free(second);
	world_free(world);
}

static void leaves_no_path_of_this_machine_in_a_program(void)
{
	struct world *world = world_new();
	struct build_result *result = world_build(world);
	g_autofree char *bytes = NULL;
	gsize length;
	g_assert_true(g_file_get_contents(result->program, &bytes, &length, NULL));
	g_assert_null(memmem(bytes, length, world->folder, strlen(world->folder)));
	build_result_free(result);
	world_free(world);
}

static void removes_work_that_a_dead_process_left(void)
{
	struct world *world = world_new();
	g_autofree char *left = g_build_filename(world->cache, "work", "process-dead", "build-1", NULL);
	g_assert_true(fsx_make_folder(left, NULL));
	struct builder *one = world_builder(world);
	g_assert_cmpuint(entries_in(world, "work"), ==, 1);
	struct builder *two = world_builder(world);
	g_assert_cmpuint(entries_in(world, "work"), ==, 2);
	builder_free(one);
	builder_free(two);
	g_assert_cmpuint(entries_in(world, "work"), ==, 0);
	world_free(world);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
		"/builder/builds_a_program_and_says_all_about_it", builds_a_program_and_says_all_about_it);
	g_test_add_func(
		"/builder/takes_the_second_time_from_the_cache", takes_the_second_time_from_the_cache);
	g_test_add_func("/builder/links_anew_but_compiles_no_library_when_bench_core_changes",
		links_anew_but_compiles_no_library_when_bench_core_changes);
	g_test_add_func(
		"/builder/compiles_anew_when_the_source_changes", compiles_anew_when_the_source_changes);
	g_test_add_func("/builder/sees_that_a_flag_has_no_effect", sees_that_a_flag_has_no_effect);
	g_test_add_func("/builder/leaves_the_level_to_the_library_when_told_so",
		leaves_the_level_to_the_library_when_told_so);
	g_test_add_func("/builder/shares_what_configure_found", shares_what_configure_found);
	g_test_add_func("/builder/shares_what_configure_found_with_sources_of_the_same_script",
		shares_what_configure_found_with_sources_of_the_same_script);
	g_test_add_func("/builder/tells_failures_apart", tells_failures_apart);
	g_test_add_func(
		"/builder/keeps_the_details_of_a_failed_configure", keeps_the_details_of_a_failed_configure);
	g_test_add_func(
		"/builder/tells_a_link_that_failed_from_a_compile", tells_a_link_that_failed_from_a_compile);
	g_test_add_func(
		"/builder/refuses_a_program_for_another_machine", refuses_a_program_for_another_machine);
	g_test_add_func("/builder/says_what_to_install_where_a_compiler_is_missing",
		says_what_to_install_where_a_compiler_is_missing);
	g_test_add_func("/builder/stops_a_step_at_its_deadline", stops_a_step_at_its_deadline);
	g_test_add_func("/builder/cancels_what_runs_and_what_waits", cancels_what_runs_and_what_waits);
	g_test_add_func("/builder/cancels_before_anything_began", cancels_before_anything_began);
	g_test_add_func(
		"/builder/compiles_once_where_two_want_the_same", compiles_once_where_two_want_the_same);
	g_test_add_func("/builder/makes_a_damaged_program_again", makes_a_damaged_program_again);
	g_test_add_func("/builder/makes_a_program_again_that_cannot_be_executed",
		makes_a_program_again_that_cannot_be_executed);
	g_test_add_func(
		"/builder/makes_an_entry_of_another_format_again", makes_an_entry_of_another_format_again);
	g_test_add_func("/builder/leaves_no_path_of_this_machine_in_a_program",
		leaves_no_path_of_this_machine_in_a_program);
	g_test_add_func(
		"/builder/removes_work_that_a_dead_process_left", removes_work_that_a_dead_process_left);
	return g_test_run();
}
