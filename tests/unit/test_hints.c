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

/* What GCC, Clang, the GNU assembler and ld print, taken down from the tools of Debian 12. */
static void knows_what_compilers_say_whatever_they_build(void)
{
	static const struct {
		const char *reason, *part;
	} cases[] = {
		{"make: d.c:1:57: error: 'asm' operand has impossible constraints", "-fomit-frame-pointer"},
		{"make: d.c:1:74: error: inline assembly requires more registers than available",
			"-fomit-frame-pointer"},
		{"make: cc8PQ6ei.s:29: Error: selected processor does not support `aese.8 q0,q1' in Thumb "
		 "mode",
			"-march="},
		{"make: ccM9XfnO.s:12: Error: selected processor does not support `aese v0.16b,v1.16b'",
			"-march="},
		{"make: /usr/lib/gcc/x86_64-linux-gnu/12/include/wmmintrin.h:61:1: error: inlining failed in "
		 "call "
		 "to 'always_inline' '_mm_aesenc_si128': target specific option mismatch",
			"-march="},
		{"make: b.c:2:29: error: always_inline function '_mm_aesenc_si128' requires target feature "
		 "'aes', "
		 "but would be inlined into function 'f' that is compiled without support for 'aes'",
			"-march="},
		{"make: g.c:1:22: error: instruction requires: aes", "-march="},
		{"make: c.c:1: Error: unrecognized opcode `clz a0,a1', extension `zbb' required", "-march="},
		{"make: cc.s:25: Error: opcode not supported on this processor: mips32r2 (mips32r2) `daddiu "
		 "$2,$3,1'",
			"-march="},
		{"make: n.c:1: Error: no such instruction: `frobnicate %eax'", "-march="},
		{"make: a.c:1:10: fatal error: zlib.h: No such file or directory", "zlib1g-dev"},
		{"make: /usr/include/stdio.h:27:10: fatal error: bits/libc-header-start.h: No such file or "
		 "directory",
			"gcc-multilib"},
		{"make: e.c:1:10: fatal error: zlib2.h: No such file or directory", "apt-file search"},
		{"make: e.c:1:10: fatal error: 'zlib2.h' file not found", "apt-file search"},
		{"link: /usr/bin/ld: cannot find Scrt1.o: No such file or directory", "libc6-dev"},
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

/* The bundled file, and what wolfSSL 5.5.4 answers to keys that are too long for the build. */
static void knows_what_wolfssl_says_of_its_own(void)
{
	static const struct {
		const char *reason, *part;
	} cases[] = {
		{"signing: the library failed with -234 (Key size error, either too small or large)",
			"FP_MAX_BITS=8192"},
		{"verifying: the library failed with -112 (mp_exptmod error state)", "SP_INT_BITS=4096"},
		{"the private operation refuses the ciphertext with -112", "SP_INT_BITS=4096"},
		{"signal 7 (SIGBUS) in rsa-2048 public", "-DWOLFSSL_SP_INT_DIGIT_ALIGN"},
		{"signing: the library failed with -1120 (no words for it)", NULL},
	};
	g_autoptr(GError) err = NULL;
	struct catalog *catalog;
	catalog_load(&catalog, BM_BINARY "/share/benchmatrix", NULL, &err);
	g_assert_no_error(err);
	const struct library *wolfssl = catalog_library(catalog, "wolfssl", &err);
	g_assert_no_error(err);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		check(wolfssl, cases[i].reason, cases[i].part);
	catalog_free(catalog);
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
	g_test_add_func("/hints/knows_what_wolfssl_says_of_its_own", knows_what_wolfssl_says_of_its_own);
	return g_test_run();
}
