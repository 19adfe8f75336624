#include "cache_sizes.h"

#include "fsx.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_NAME "sizes"
#define CEILING	  (64u << 20)

/* A folder of the same inode and time is the same entry: entries come by rename and stay as they came. */
struct size {
	uint64_t inode;
	int64_t changed_at; /* ns */
	int64_t bytes;
	bool asked; /* one that nobody asks for is gone */
};

struct cache_sizes {
	char *root;
	GHashTable *by_entry; /* char * -> struct size * */
	bool changed;
};

static void read_line(struct cache_sizes *sizes, const char *line)
{
	struct size size = {0};
	int end = 0;
	if (sscanf(line, "%" SCNu64 " %" SCNd64 " %" SCNd64 " %n", &size.inode, &size.changed_at, &size.bytes,
		    &end) == 3 &&
		end > 0 && line[end])
		g_hash_table_insert(sizes->by_entry, g_strdup(line + end), g_memdup2(&size, sizeof size));
}

struct cache_sizes *cache_sizes_open(const char *root)
{
	struct cache_sizes *sizes = g_new0(struct cache_sizes, 1);
	g_autofree char *file = g_build_filename(root, FILE_NAME, NULL);
	g_autofree char *text = NULL;
	size_t length;
	sizes->root = g_strdup(root);
	sizes->by_entry = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	if (!fsx_read(&text, &length, file, CEILING, NULL))
		return sizes;
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		read_line(sizes, *line);
	return sizes;
}

static int64_t bytes_of(const char *path)
{
	struct stat st;
	if (lstat(path, &st) != 0)
		return 0;
	int64_t bytes = (int64_t)st.st_blocks * 512;
	g_autoptr(GDir) dir = S_ISDIR(st.st_mode) ? g_dir_open(path, 0, NULL) : NULL;
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *below = g_build_filename(path, name, NULL);
		bytes += bytes_of(below);
	}
	return bytes;
}

int64_t cache_sizes_of(struct cache_sizes *sizes, const char *entry)
{
	g_autofree char *path = g_build_filename(sizes->root, entry, NULL);
	struct stat st;
	if (lstat(path, &st) != 0)
		return 0;
	if (!S_ISDIR(st.st_mode))
		return (int64_t)st.st_blocks * 512;
	int64_t changed_at = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	struct size *size = g_hash_table_lookup(sizes->by_entry, entry);
	if (!size || size->inode != st.st_ino || size->changed_at != changed_at) {
		size = g_new0(struct size, 1);
		*size = (struct size){st.st_ino, changed_at, bytes_of(path), false};
		g_hash_table_insert(sizes->by_entry, g_strdup(entry), size);
		sizes->changed = true;
	}
	size->asked = true;
	return size->bytes;
}

static void write_all(const struct cache_sizes *sizes)
{
	g_autofree char *file = g_build_filename(sizes->root, FILE_NAME, NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	GHashTableIter iter;
	gpointer entry, value;
	g_hash_table_iter_init(&iter, sizes->by_entry);
	while (g_hash_table_iter_next(&iter, &entry, &value)) {
		const struct size *size = value;
		if (size->asked)
			g_string_append_printf(text, "%" PRIu64 " %" PRId64 " %" PRId64 " %s\n", size->inode,
				size->changed_at, size->bytes, (const char *)entry);
	}
	fsx_write(file, text->str, text->len, NULL);
}

void cache_sizes_close(struct cache_sizes *sizes)
{
	if (sizes->changed)
		write_all(sizes);
	g_hash_table_unref(sizes->by_entry);
	g_free(sizes->root);
	g_free(sizes);
}
