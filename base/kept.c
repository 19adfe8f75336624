#include "kept.h"

#include "fsx.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#define GROUP	  "kept"
#define TOO_YOUNG (2 * G_USEC_PER_SEC) /* a file may be written again within the step of its time stamp */

/* Each word with its end, so that no two lists are one text. */
static char *file_for(const char *folder, const char *const *words)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	for (; *words; words++)
		g_checksum_update(sum, (const guchar *)*words, (gssize)strlen(*words) + 1);
	return g_build_filename(folder, g_checksum_get_string(sum), NULL);
}

/* What tells a file from another that takes its place; NULL where one is missing, or so young that the next
 * one might look the same. */
static char *stamps_of(const char *const *files)
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

GKeyFile *kept_find(const char *folder, const char *const *words)
{
	g_autofree char *file = file_for(folder, words);
	g_autoptr(GKeyFile) answer = g_key_file_new();
	if (!g_key_file_load_from_file(answer, file, G_KEY_FILE_NONE, NULL))
		return NULL;
	g_auto(GStrv) files = g_key_file_get_string_list(answer, GROUP, "files", NULL, NULL);
	g_autofree char *then = g_key_file_get_string(answer, GROUP, "stamps", NULL);
	g_autofree char *now = files ? stamps_of((const char *const *)files) : NULL;
	return then && g_strcmp0(then, now) == 0 ? g_steal_pointer(&answer) : NULL;
}

void kept_put(const char *folder, const char *const *words, GKeyFile *answer, const char *const *files)
{
	g_autofree char *file = file_for(folder, words);
	g_autofree char *stamps = stamps_of(files);
	if (!stamps || !fsx_make_folder(folder, NULL))
		return;
	g_key_file_set_string_list(answer, GROUP, "files", files, g_strv_length((char **)files));
	g_key_file_set_string(answer, GROUP, "stamps", stamps);
	size_t length;
	g_autofree char *text = g_key_file_to_data(answer, &length, NULL);
	fsx_write(file, text, length, NULL);
}
