#include "hints.h"

#include "catalog_parts.h"
#include "diag.h"

#include <string.h>

#define LIBRARY                                                                                              \
	"{\"summary\": \"toy\", \"versions\": [{\"name\": \"1\", \"folder\": \"/toy\"}],"                    \
	"\"recipe\": {\"name\": \"autotools\", \"archive\": \"libtoy.a\"}, \"program\": {},"                 \
	"\"profiles\": [{\"name\": \"all\", \"summary\": \"all\"}], \"flags\": []%s}"

static struct jx_document *document;

/* A library whose file ends with these members; the document lives until release(). */
static struct library *library(const char *members, GError **err)
{
	g_autofree char *text = g_strdup_printf(LIBRARY, members);
	document = jx_parse(text, strlen(text), "toy.json", err);
	return document ? library_read("toy", "/toy.c", document, err) : NULL;
}

static void release(struct library *read)
{
	library_free(read);
	g_clear_pointer(&document, jx_document_free);
}

static void check(const struct library *of, const char *reason, const char *part)
{
	g_autofree char *hint = hint_for(of, reason);
	if (!part) {
		g_assert_cmpstr(hint, ==, NULL);
		return;
	}
	g_assert_nonnull(hint);
	if (!strstr(hint, part))
		g_error("%s: \"%s\" does not say \"%s\"", reason, hint, part);
}

static void gives_the_hint_of_the_first_pattern_that_is_found(void)
{
	GError *err = NULL;
	struct library *toy =
		library(", \"hints\": [{\"match\": \"error -(13|14)\\\\b\", \"hint\": \"first\"},"
			"{\"match\": \"error\", \"hint\": \"second\"}]",
			&err);
	g_assert_no_error(err);
	check(toy, "sign failed: error -13 (too wide)", "first");
	check(toy, "sign failed: error -130", "second");
	check(toy, "all went well", NULL);
	check(toy, "", NULL);
	check(toy, NULL, NULL);
	release(toy);
}

static void knows_the_library_before_the_compilers(void)
{
	static const char full[] = "make: x.c: No space left on device";
	GError *err = NULL;
	struct library *toy =
		library(", \"hints\": [{\"match\": \"No space\", \"hint\": \"toy's own\"}]", &err);
	g_assert_no_error(err);
	check(toy, full, "toy's own");
	release(toy);
	toy = library("", &err);
	g_assert_no_error(err);
	check(toy, full, "benchmatrix cache prune");
	release(toy);
	check(NULL, full, "benchmatrix cache prune");
}

/* What GCC, Clang, the GNU assembler and ld print, each taken down from the tool itself. */
static void knows_what_compilers_say_whatever_they_build(void)
{
	static const struct {
		const char *reason, *part;
	} cases[] = {
		{"make: wolfcrypt/src/asm.c:1230:4: error: 'asm' operand has impossible constraints",
			"-fomit-frame-pointer"},
		{"make: a.c:3:2: error: can't find a register in class 'GENERAL_REGS' while reloading 'asm'",
			"-fomit-frame-pointer"},
		{"make: t.c:7:3: error: inline assembly requires more registers than available",
			"-fomit-frame-pointer"},
		{"make: /x/cc8b.s:25: Error: selected processor does not support `aese.8 q0,q1' in ARM mode",
			"-march="},
		{"make: /usr/lib/gcc/x86_64-linux-gnu/12/include/wmmintrin.h:62:1: error: inlining failed in "
		 "call "
		 "to 'always_inline' '_mm_aesenc_si128': target specific option mismatch",
			"-march="},
		{"make: /x/cc1.s:9: Error: unrecognized opcode `clz a0,a1', extension `zbb' required",
			"-march="},
		{"make: a.c:1:10: fatal error: zlib.h: No such file or directory", "zlib1g-dev"},
		{"make: /usr/include/features.h:510:12: fatal error: gnu/stubs-32.h: No such file or "
		 "directory",
			"gcc-multilib"},
		{"make: a.c:1:10: fatal error: who/knows.h: No such file or directory", "apt-file search"},
		{"make: a.c:1:10: fatal error: 'who/knows.h' file not found", "apt-file search"},
		{"link: /usr/bin/ld: cannot find -lc: No such file or directory", "libc6-dev"},
		{"make: gcc: fatal error: Killed signal terminated program cc1", "--jobs 1"},
		{"signal 4 (SIGILL) in aes-128-cbc encrypt", "CPU"},
		{"link: tiny.c:(.text+0x9): undefined reference to `tiny_answer'", NULL},
		{"signal 11 (SIGSEGV) in rsa-2048 sign", NULL},
		{"configure: configure: error: this library needs luck", NULL},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		check(NULL, cases[i].reason, cases[i].part);
}

static void reads_a_reason_that_is_no_utf_8(void)
{
	check(NULL, "make: caf\xe9.c:2: No space left on device", "cache prune");
	check(NULL, "caf\xe9", NULL);
}

static void refuses_what_is_no_regular_expression(void)
{
	g_autoptr(GError) err = NULL;
	struct library *toy = library(", \"hints\": [{\"match\": \"a\", \"hint\": \"b\"}, {\"match\": \"(\", "
				      "\"hint\": \"b\"}]",
		&err);
	g_assert_null(toy);
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	g_assert_true(
		g_str_has_prefix(err->message, "toy.json: $.hints[1].match: not a regular expression: "));
	release(toy);
}

static void refuses_hints_that_are_not_whole(void)
{
	static const struct {
		const char *hints, *message;
	} cases[] = {
		{"{}", "toy.json: $.hints"},
		{"[{\"match\": \"a\"}]", "toy.json: $.hints[0]"},
		{"[{\"match\": \"\", \"hint\": \"b\"}]", "toy.json: $.hints[0].match: an empty pattern"},
		{"[{\"match\": \"a\", \"hint\": \"b\", \"hin\": 1}]",
			"toy.json: $.hints[0]: unknown key \"hin\""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) err = NULL;
		g_autofree char *members = g_strdup_printf(", \"hints\": %s", cases[i].hints);
		g_assert_null(library(members, &err));
		g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
		if (!g_str_has_prefix(err->message, cases[i].message))
			g_error("\"%s\" does not begin with \"%s\"", err->message, cases[i].message);
		release(NULL);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/hints/gives_the_hint_of_the_first_pattern_that_is_found",
		gives_the_hint_of_the_first_pattern_that_is_found);
	g_test_add_func(
		"/hints/knows_the_library_before_the_compilers", knows_the_library_before_the_compilers);
	g_test_add_func("/hints/knows_what_compilers_say_whatever_they_build",
		knows_what_compilers_say_whatever_they_build);
	g_test_add_func("/hints/reads_a_reason_that_is_no_utf_8", reads_a_reason_that_is_no_utf_8);
	g_test_add_func(
		"/hints/refuses_what_is_no_regular_expression", refuses_what_is_no_regular_expression);
	g_test_add_func("/hints/refuses_hints_that_are_not_whole", refuses_hints_that_are_not_whole);
	return g_test_run();
}
