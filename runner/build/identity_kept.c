#include "identity_kept.h"

#include "kept.h"

#define GROUP "identity"

static const struct {
	const char *name;
	size_t offset;
} texts[] = {
	{"compiler", offsetof(struct identity, compiler)},
	{"compiler_sha256", offsetof(struct identity, compiler_sha256)},
	{"assembler", offsetof(struct identity, assembler)},
	{"linker", offsetof(struct identity, linker)},
	{"libc_sha256", offsetof(struct identity, libc_sha256)},
};

static char **text_of(const struct identity *identity, size_t i)
{
	return (char **)((char *)identity + texts[i].offset);
}

/* Its variables, PATH among them, decide which files the words mean. */
static char **words_of(const struct toolchain *toolchain, const char *const *environment)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "2", toolchain->cc, toolchain->ar, toolchain->ranlib, NULL);
	g_strv_builder_addv(words, (const char **)toolchain->cflags);
	g_strv_builder_addv(words, (const char **)environment);
	return g_strv_builder_end(words);
}

static struct identity *recall(const char *folder, const char *const *words)
{
	g_autoptr(GKeyFile) kept = kept_find(folder, words);
	if (!kept)
		return NULL;
	struct identity *identity = g_new0(struct identity, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*text_of(identity, i) = g_key_file_get_string(kept, GROUP, texts[i].name, NULL);
	identity->maps_folders = g_key_file_get_boolean(kept, GROUP, "maps_folders", NULL);
	identity->files = g_key_file_get_string_list(kept, GROUP, "files", NULL, NULL);
	return identity;
}

static void keep(const char *folder, const char *const *words, const struct identity *identity)
{
	const char *const *files = (const char *const *)identity->files;
	g_autoptr(GKeyFile) kept = g_key_file_new();
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (*text_of(identity, i))
			g_key_file_set_string(kept, GROUP, texts[i].name, *text_of(identity, i));
	g_key_file_set_boolean(kept, GROUP, "maps_folders", identity->maps_folders);
	g_key_file_set_string_list(kept, GROUP, "files", files, g_strv_length(identity->files));
	kept_put(folder, words, kept, files);
}

bool identity_find(struct identity **ret, const char *folder, const struct toolchain *toolchain,
	const char *const *environment, GError **err)
{
	g_auto(GStrv) list = words_of(toolchain, environment);
	const char *const *words = (const char *const *)list;
	*ret = recall(folder, words);
	if (*ret)
		return true;
	if (!identity_probe(ret, toolchain, environment, err))
		return false;
	keep(folder, words, *ret);
	return true;
}
