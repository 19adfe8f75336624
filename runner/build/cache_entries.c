#include "cache_entries.h"

#include "cache_sizes.h"
#include "diag.h"
#include "fsx.h"
#include "jsonx.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHORTEST_BEGINNING 4

const char *const cache_kind_names[CACHE_KIND_COUNT] = {
	"downloads", "sources", "configure", "libraries", "programs"};

/* What says what an entry is; a kind without is a file itself. */
static const char *const stamps[CACHE_KIND_COUNT] = {NULL, "source.json", NULL, "entry.json", "entry.json"};

void cache_entry_free(gpointer data)
{
	struct cache_entry *entry = data;
	g_free(entry->name);
	g_free(entry->build);
	g_free(entry);
}

char *cache_entry_path(const struct cache_entry *entry, const char *root)
{
	return g_build_filename(root, cache_kind_names[entry->kind], entry->name, NULL);
}

char *cache_entry_stamp(const struct cache_entry *entry, const char *root)
{
	return g_build_filename(root, cache_kind_names[entry->kind], entry->name, stamps[entry->kind], NULL);
}

int64_t cache_entry_used_at(const struct cache_entry *entry, const char *root)
{
	g_autofree char *stamp = cache_entry_stamp(entry, root);
	g_autofree char *path = cache_entry_path(entry, root);
	struct stat st;
	/* An entry that lost the file is damaged: it is as old as its folder. */
	if (stat(stamp, &st) != 0 && stat(path, &st) != 0)
		return -1;
	return (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

static char *pin_of(const struct cache_entry *entry, const char *root)
{
	g_autofree char *name = g_strdup_printf("%s-%s", cache_kind_names[entry->kind], entry->name);
	return g_build_filename(root, "pins", name, NULL);
}

static const char *text_of(const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));
	return text ? text : "?";
}

/* As the plan names builds. */
static char *build_of(const struct cache_entry *entry, const char *root)
{
	g_autofree char *stamp = cache_entry_stamp(entry, root);
	struct jx_document *doc = stamps[entry->kind] ? jx_load(stamp, NULL) : NULL;
	if (!doc)
		return NULL;
	const json_t *json = jx_root(doc).json;
	g_autofree char *version =
		g_strdup_printf("%s-%s", text_of(json, "library"), text_of(json, "version"));
	char *build = entry->kind == CACHE_SOURCES
			      ? g_strdup(version)
			      : g_strjoin(" ", text_of(json, "toolchain"), version, text_of(json, "config"),
					text_of(json, "profile"), text_of(json, "optimisation"), NULL);
	jx_document_free(doc);
	return build;
}

static bool add_kind(
	GPtrArray *entries, struct cache_sizes *sizes, const char *root, enum cache_kind kind, GError **err)
{
	g_autofree char *folder = g_build_filename(root, cache_kind_names[kind], NULL);
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
	if (!dir)
		return g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT) ||
		       diag_set(err, DIAG_FAILED, "%s", error->message);
	const char *name;
	while ((name = g_dir_read_name(dir))) {
		/* Files that are being written begin with a point. */
		if (*name == '.')
			continue;
		struct cache_entry *entry = g_new0(struct cache_entry, 1);
		g_ptr_array_add(entries, entry);
		entry->kind = kind;
		entry->name = g_strdup(name);
		entry->build = build_of(entry, root);
		g_autofree char *path = g_build_filename(cache_kind_names[kind], name, NULL);
		g_autofree char *pin = pin_of(entry, root);
		entry->bytes = cache_sizes_of(sizes, path);
		entry->used_at = cache_entry_used_at(entry, root);
		entry->pinned = access(pin, F_OK) == 0;
	}
	return true;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	const struct cache_entry *one = *(struct cache_entry *const *)a,
				 *two = *(struct cache_entry *const *)b;
	return one->kind != two->kind ? (int)one->kind - (int)two->kind : strcmp(one->name, two->name);
}

bool cache_entries(GPtrArray **ret, const char *root, GError **err)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(cache_entry_free);
	struct cache_sizes *sizes = cache_sizes_open(root);
	bool good = true;
	for (int kind = 0; good && kind < CACHE_KIND_COUNT; kind++)
		good = add_kind(entries, sizes, root, kind, err);
	cache_sizes_close(sizes);
	if (!good)
		return false;
	g_ptr_array_sort(entries, by_name);
	*ret = g_steal_pointer(&entries);
	return true;
}

bool cache_entry_matches(const struct cache_entry *entry, const char *pattern)
{
	return g_pattern_match_simple(pattern, entry->name) ||
	       (entry->build && g_pattern_match_simple(pattern, entry->build)) ||
	       (strlen(pattern) >= SHORTEST_BEGINNING && g_str_has_prefix(entry->name, pattern));
}

bool cache_entry_pin(struct cache_entry *entry, const char *root, bool pinned, GError **err)
{
	g_autofree char *pin = pin_of(entry, root);
	g_autofree char *folder = g_path_get_dirname(pin);
	if (pinned && !(fsx_make_folder(folder, err) && fsx_write(pin, "", 0, err)))
		return false;
	if (!pinned && unlink(pin) != 0 && errno != ENOENT)
		return diag_set(err, DIAG_FAILED, "%s: cannot be removed: %s", pin, g_strerror(errno));
	entry->pinned = pinned;
	return true;
}
