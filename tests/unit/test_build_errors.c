#include "errors.h"

#include <errno.h>
#include <string.h>

#define FOLDER "/cache/work/build-1/build"

static char *log_text(const char *name)
{
	g_autofree char *file = g_strdup_printf(BM_SOURCE "/tests/fixtures/build_logs/%s.log", name);
	char *text = NULL;
	g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
	return text;
}

static void assert_first(const char *name, const char *expected)
{
	g_autofree char *text = log_text(name);
	g_autofree char *first = errors_first(text, FOLDER);
	g_assert_cmpstr(first, ==, expected);
}

static void finds_a_compilers_error_without_the_work_folder(void)
{
	assert_first(
		"make-compile", "hidden.c:1:26: error: 'nothing' undeclared (first use in this function)");
}

static void finds_what_the_linker_misses_behind_warnings(void)
{
	assert_first("link", "warn.c:(.text+0x15): undefined reference to `g'");
	assert_first("lib", "/usr/bin/ld: cannot find -lnotthere: No such file or directory");
}

static void finds_configures_own_words_and_not_its_folder(void)
{
	assert_first("configure", "configure: error: C compiler cannot create executables");
}

static void falls_back_to_makes_words(void)
{
	assert_first("norule", "make: *** No rule to make target 'missing.c', needed by 'target'.  Stop.");
	assert_first("error1", "make: *** [Makefile:2: all] Error 1");
}

static void takes_the_last_line_where_nothing_looks_like_an_error(void)
{
	g_autofree char *first = errors_first("one\ntwo\n\n[make: exit status 1]\n", NULL);
	g_assert_cmpstr(first, ==, "two");
	g_assert_null(errors_first("", NULL));
	g_assert_null(errors_first("$ make\n", NULL));
}

static void finds_what_other_tools_say(void)
{
	static const char *const lines[] = {
		"E: Unable to locate package wolfssl",
		"./autogen.sh: 68: autoreconf: not found",
		"dpkg-source: error: File wolfssl.tar.gz has size 1 instead of expected 2",
		"cc1: fatal error: x.c: No such file or directory",
		"/tmp/x.s:3: Error: no such instruction: `bla'",
		"ar: x.o: No space left on device",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text =
			g_strdup_printf("before\n%s\nafter\nmake: *** [x] Error 2\n", lines[i]);
		g_autofree char *first = errors_first(text, NULL);
		g_assert_cmpstr(first, ==, lines[i]);
	}
}

static void is_not_misled_by_words_that_only_look_like_errors(void)
{
	g_autofree char *first = errors_first("checking for error.h... no\ngcc -Werror=format -c error.c\n"
					      "a.c:1: error: real\n",
		NULL);
	g_assert_cmpstr(first, ==, "a.c:1: error: real");
}

static void cuts_a_line_that_fills_a_screen(void)
{
	g_autofree char *long_line = g_strnfill(5000, 'x');
	g_autofree char *text = g_strconcat("a.c:1: error: ", long_line, NULL);
	g_autofree char *first = errors_first(text, NULL);
	g_assert_cmpuint(strlen(first), ==, 403);
	g_assert_true(g_str_has_suffix(first, "x..."));
}

static void tells_the_linker_from_the_compiler(void)
{
	static const struct {
		const char *name;
		bool link;
	} cases[] = {{"link", true}, {"lib", true}, {"make-compile", false}, {"configure", false}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = log_text(cases[i].name);
		g_assert_true(errors_is_link(text) == cases[i].link);
	}
}

static enum build_state judge(
	char **ret_reason, const struct child_exit *end, const char *text, enum build_state fails_as)
{
	static const char *const argv[] = {"make", NULL}, *const packages[] = {"make", "libtool", NULL};
	struct step *step = step_new("make", g_strdupv((char **)argv), FOLDER, 1800, fails_as);
	g_autoptr(GString) log = g_string_new("$ earlier\nx.c:1:1: error: of another step\n");
	step->output_from = log->len;
	g_string_append(log, text);
	enum build_state state = errors_judge(ret_reason, step, end, NULL, log, packages);
	step_free(step);
	return state;
}

static void judges_by_how_a_step_ended(void)
{
	static const struct {
		struct child_exit end;
		const char *text, *reason;
		enum build_state fails_as, state;
	} cases[] = {
		{{.end = CHILD_EXITED, .status = 2}, "a.c:1: error: x\n", "make: a.c:1: error: x",
			BUILD_COMPILE_FAILED, BUILD_COMPILE_FAILED},
		{{.end = CHILD_EXITED, .status = 2}, "a.c:1: error: x\n", "make: a.c:1: error: x",
			BUILD_LINK_FAILED, BUILD_COMPILE_FAILED},
		{{.end = CHILD_EXITED, .status = 1}, "undefined reference to `f'\n",
			"make: undefined reference to `f'", BUILD_LINK_FAILED, BUILD_LINK_FAILED},
		{{.end = CHILD_EXITED, .status = 2}, "", "make: exit status 2", BUILD_COMPILE_FAILED,
			BUILD_COMPILE_FAILED},
		{{.end = CHILD_SIGNALLED, .status = 9}, "half", "make: signal 9 (SIGKILL)",
			BUILD_CONFIGURE_FAILED, BUILD_CONFIGURE_FAILED},
		{{.end = CHILD_TIMEOUT}, "a.c:1: error: x\n", "make: not done after 1800 s",
			BUILD_COMPILE_FAILED, BUILD_TIMEOUT},
		{{.end = CHILD_CANCELLED}, "", "cancelled", BUILD_COMPILE_FAILED, BUILD_CANCELLED},
		{{.end = CHILD_NOT_RUN, .status = ENOENT}, "",
			"make is not installed: apt-get install make libtool", BUILD_COMPILE_FAILED,
			BUILD_UNSUPPORTED},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *reason = NULL;
		enum build_state state = judge(&reason, &cases[i].end, cases[i].text, cases[i].fails_as);
		g_assert_cmpstr(reason, ==, cases[i].reason);
		g_assert_cmpint(state, ==, cases[i].state);
	}
}

static void a_script_that_a_source_lacks_is_in_no_package(void)
{
	static const char *const argv[] = {"./autogen.sh", NULL}, *const packages[] = {"dpkg-dev", NULL};
	const struct child_exit end = {.end = CHILD_NOT_RUN, .status = ENOENT};
	struct step *step = step_new("prepare", g_strdupv((char **)argv), FOLDER, 600, BUILD_UNSUPPORTED);
	g_autoptr(GString) log = g_string_new(NULL);
	g_autofree char *reason = NULL;
	errors_judge(&reason, step, &end, NULL, log, packages);
	g_assert_cmpstr(reason, ==, "./autogen.sh is not there: is this the library's source?");
	step_free(step);
}

static void reads_the_level_in_force_from_the_compile_commands(void)
{
	static const struct {
		const char *text, *level;
	} cases[] = {
		{"gcc -O2 -c a.c\ngcc -c -O2 b.c\n", "-O2"},
		{"gcc -O2 -Os -c a.c\n", "-Os"},
		{"gcc -g -c a.c\n", "-O0"},
		{"gcc -O2 -c a.c\ngcc -Os -c b.c\ngcc -O2 -c c.c\n", "-O2,-Os"},
		{"$ gcc -O3 -c a.c\ngcc -O1 -o prog a.o\n", NULL},
		{"gcc -O2 -flto=2 -c a.c\n", "-O2 -flto"},
		{"gcc -flto -O2 -fno-lto -c a.c\ngcc -Os -flto -c b.c\n", "-O2,-Os -flto"},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *level = errors_optimisation(cases[i].text);
		g_assert_cmpstr(level, ==, cases[i].level);
	}
	g_autofree char *text = log_text("make-verbose");
	g_autofree char *level = errors_optimisation(text);
	g_assert_cmpstr(level, ==, "-O3");
}

/* Under the sanitizers a search in each line's whole rest would take minutes. */
static void a_flood_is_read_once(void)
{
	g_autoptr(GString) log = g_string_new(NULL);
	while (log->len < 4u << 20)
		g_string_append(log, "flooding\n");
	g_string_append(log, "x.c:1:2: error: at last\n");
	g_autofree char *first = errors_first(log->str, NULL);
	g_assert_cmpstr(first, ==, "x.c:1:2: error: at last");
	g_assert_false(errors_is_link(log->str));
	g_assert_null(errors_optimisation(log->str));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/errors/finds_a_compilers_error_without_the_work_folder",
		finds_a_compilers_error_without_the_work_folder);
	g_test_add_func("/errors/finds_what_the_linker_misses_behind_warnings",
		finds_what_the_linker_misses_behind_warnings);
	g_test_add_func("/errors/finds_configures_own_words_and_not_its_folder",
		finds_configures_own_words_and_not_its_folder);
	g_test_add_func("/errors/falls_back_to_makes_words", falls_back_to_makes_words);
	g_test_add_func("/errors/takes_the_last_line_where_nothing_looks_like_an_error",
		takes_the_last_line_where_nothing_looks_like_an_error);
	g_test_add_func("/errors/finds_what_other_tools_say", finds_what_other_tools_say);
	g_test_add_func("/errors/is_not_misled_by_words_that_only_look_like_errors",
		is_not_misled_by_words_that_only_look_like_errors);
	g_test_add_func("/errors/cuts_a_line_that_fills_a_screen", cuts_a_line_that_fills_a_screen);
	g_test_add_func("/errors/tells_the_linker_from_the_compiler", tells_the_linker_from_the_compiler);
	g_test_add_func("/errors/judges_by_how_a_step_ended", judges_by_how_a_step_ended);
	g_test_add_func("/errors/a_script_that_a_source_lacks_is_in_no_package",
		a_script_that_a_source_lacks_is_in_no_package);
	g_test_add_func("/errors/reads_the_level_in_force_from_the_compile_commands",
		reads_the_level_in_force_from_the_compile_commands);
	g_test_add_func("/errors/a_flood_is_read_once", a_flood_is_read_once);
	return g_test_run();
}
