#include "identity_kept.h"

#include "fsx.h"
#include "keys.h"

#include <sys/stat.h>

#define GROUP	  "identity"
#define TOO_YOUNG (2 * G_USEC_PER_SEC) /* a file may be written again within the step of its time stamp */

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

/* The file that keeps the answer for these words. */
static char *file_for(const char *folder, const struct toolchain *toolchain, const char *const *environment)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_strv_builder_add_many(words, "1", toolchain->cc, toolchain->ar, toolchain->ranlib, NULL);
	g_strv_builder_addv(words, (const char **)toolchain->cflags);
	/* Its variables, PATH among them, decide which files the words mean. */
	g_strv_builder_addv(words, (const char **)environment);
	g_auto(GStrv) list = g_strv_builder_end(words);
	g_autofree char *key = keys_of_texts((const char *const *)list);
	return g_build_filename(folder, key, NULL);
}

/* What tells a file from another that takes its place; NULL where one is missing, or so young that the next
 * one might look the same. */
static char *stamps_of(char *const *files)
{
	g_autoptr(GString) text = g_string_new(NULL);
	for (; *files; files++) {
		struct stat about;
		if (stat(*files, &about) != 0 ||
			g_get_real_time() - about.st_mtim.tv_sec * G_USEC_PER_SEC < TOO_YOUNG)
			return NULL;
		g_string_append_printf(text, "%ju %ju %ju.%09ld %ju.%09ld\n", (uintmax_t)about.st_ino,
			(uintmax_t)about.st_size, (uintmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
			(uintmax_t)about.st_ctim.tv_sec, about.st_ctim.tv_nsec);
	}
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static struct identity *recall(const char *file)
{
	g_autoptr(GKeyFile) kept = g_key_file_new();
	if (!g_key_file_load_from_file(kept, file, G_KEY_FILE_NONE, NULL))
		return NULL;
	g_auto(GStrv) files = g_key_file_get_string_list(kept, GROUP, "files", NULL, NULL);
	g_autofree char *then = g_key_file_get_string(kept, GROUP, "stamps", NULL);
	g_autofree char *now = files ? stamps_of(files) : NULL;
	if (!then || g_strcmp0(then, now) != 0)
		return NULL;
	struct identity *identity = g_new0(struct identity, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*text_of(identity, i) = g_key_file_get_string(kept, GROUP, texts[i].name, NULL);
	identity->maps_folders = g_key_file_get_boolean(kept, GROUP, "maps_folders", NULL);
	identity->files = g_steal_pointer(&files);
	return identity;
}

static void keep(const char *file, const struct identity *identity)
{
	g_autoptr(GKeyFile) kept = g_key_file_new();
	g_autofree char *stamps = stamps_of(identity->files);
	g_autofree char *folder = g_path_get_dirname(file);
	if (!stamps || !fsx_make_folder(folder, NULL))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		if (*text_of(identity, i))
			g_key_file_set_string(kept, GROUP, texts[i].name, *text_of(identity, i));
	g_key_file_set_boolean(kept, GROUP, "maps_folders", identity->maps_folders);
	g_key_file_set_string_list(
		kept, GROUP, "files", (const char *const *)identity->files, g_strv_length(identity->files));
	g_key_file_set_string(kept, GROUP, "stamps", stamps);
	size_t length;
	g_autofree char *text = g_key_file_to_data(kept, &length, NULL);
	fsx_write(file, text, length, NULL);
}

bool identity_find(struct identity **ret, const char *folder, const struct toolchain *toolchain,
	const char *const *environment, GError **err)
{
	g_autofree char *file = file_for(folder, toolchain, environment);
	*ret = recall(file);
	if (*ret)
		return true;
	if (!identity_probe(ret, toolchain, environment, err))
		return false;
	keep(file, *ret);
	return true;
}
