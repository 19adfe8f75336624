#include "hints.h"

#include "hints_read.h"

static const char *const hint_keys[] = {"match", "hint", NULL};

/* What compilers, linkers and the system say whatever they build. The first that is found is told. */
static const struct {
	const char *match, *text;
} general[] = {
	{"No space left on device|Disk quota exceeded|the disk of the cache is full",
		"free some space: `benchmatrix cache prune` removes what was not used lately"},
	{"\\basm\\b\\W+operand (has|requires) impossible|can.?t find a register in class|"
	 "inline assembly requires more registers|more than 30 operands in .?asm",
		"inline assembly ran out of registers, as it does on 32-bit processors: add "
		"-fomit-frame-pointer, "
		"optimise (-O2), or build without the assembly"},
	{"selected processor does not support|target specific option mismatch|opcode not supported on this "
	 "processor|requires target feature|unrecognized opcode .*extension|"
	 "no such instruction|instruction requires: ",
		"the CPU that the compiler is told lacks this instruction: name the extension in the cflags "
		"of the "
		"toolchain or the flag (-march=, -mcpu=, -mfpu=), or leave the flag out"},
	{"fatal error: (bits/|gnu/stubs|sys/cdefs|asm/errno)",
		"the C library's headers for this target are missing: install libc6-dev for it "
		"(libc6-dev-ARCH-cross; "
		"gcc-multilib where the compiler is told -m32)"},
	{"fatal error: (linux|asm)/",
		"the kernel's headers are missing: install linux-libc-dev for this target"},
	{"fatal error: openssl/", "a header of OpenSSL is missing: apt-get install libssl-dev"},
	{"fatal error: z(lib|conf)\\.h", "a header of zlib is missing: apt-get install zlib1g-dev"},
	{"fatal error: ([^ ]+): No such file or directory|fatal error: '[^']+' file not found",
		"a header is missing: `apt-file search NAME` tells which Debian package has it"},
	{"cannot find (-lc\\b|-lm\\b|-lgcc|S?crt[1in])",
		"the C library for this target is missing or is not static: install libc6-dev for it "
		"(libc6-dev-ARCH-cross; gcc-multilib where the compiler is told -m32)"},
	{"Killed signal terminated program|internal compiler error: Killed|virtual memory exhausted|"
	 "cannot allocate memory|Cannot allocate memory",
		"this machine ran out of memory: build fewer at once (run --jobs 1)"},
	{"\\(SIGILL\\)", "the processor lacks an instruction of the program: name another CPU in the "
			 "toolchain (run.cpu "
			 "for an emulator), or leave out the flag that needs it"},
};

static void hint_free(gpointer data)
{
	struct hint *hint = data;

	g_clear_pointer(&hint->match, g_regex_unref);
	g_free(hint);
}

static bool read_hint(struct hint *hint, struct jx at, GError **err)
{
	g_autoptr(GError) error = NULL;
	const char *pattern;
	struct jx match;

	if (!jx_only(at, hint_keys, err) || !jx_string(&pattern, at, "match", err) ||
		!jx_string(&hint->text, at, "hint", err) || !jx_get(&match, at, "match", err))
		return false;
	if (*pattern == '\0')
		return jx_fail(match, err, "an empty pattern is found in every reason");
	/* Bytes, since a compiler's words need not be UTF-8. */
	hint->match = g_regex_new(pattern, G_REGEX_RAW, 0, &error);
	return hint->match || jx_fail(match, err, "not a regular expression: %s", error->message);
}

GPtrArray *hints_read(struct jx root, GError **err)
{
	g_autoptr(GPtrArray) hints = g_ptr_array_new_with_free_func(hint_free);
	struct jx list;

	if (jx_has(root, "hints") && !jx_array(&list, root, "hints", err))
		return NULL;
	for (size_t i = 0; jx_has(root, "hints") && i < jx_size(list); i++) {
		struct hint *hint = g_new0(struct hint, 1);

		g_ptr_array_add(hints, hint);
		if (!read_hint(hint, jx_at(list, i), err))
			return NULL;
	}
	return g_steal_pointer(&hints);
}

char *hint_for(const struct library *library, const char *reason)
{
	if (reason == NULL)
		return NULL;
	for (guint i = 0; library && library->hints && i < library->hints->len; i++) {
		const struct hint *hint = library->hints->pdata[i];

		if (g_regex_match(hint->match, reason, 0, NULL))
			return g_strdup(hint->text);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(general); i++)
		if (g_regex_match_simple(general[i].match, reason, G_REGEX_RAW, 0))
			return g_strdup(general[i].text);
	return NULL;
}
