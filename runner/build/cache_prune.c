#include "cache_prune.h"

#include "cache.h"
#include "cache_entries.h"
#include "diag.h"
#include "fsx.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_VARIABLE "BENCHMATRIX_CACHE_SIZE"
#define DEFAULT_SIZE  ((int64_t)20 << 30)
#define NS	      INT64_C(1000000000)
#define DAY_NS	      (24 * 60 * 60 * NS)

bool cache_size_parse(int64_t *ret, const char *text)
{
	static const char letters[] = "KMGT";
	char *end;
	if (!g_ascii_isdigit(*text))
		return false;
	double value = g_ascii_strtod(text, &end);
	while (*end == ' ')
		end++;
	const char *letter = *end ? strchr(letters, g_ascii_toupper(*end)) : NULL;
	if (letter) {
		value = ldexp(value, 10 * (int)(letter - letters + 1));
		end++;
		if (*end == 'i')
			end++;
	}
	if (*end == 'B')
		end++;
	/* Not NAN, not hexadecimal with an exponent that runs away. */
	if (*end || !(value < ldexp(1, 62)))
		return false;
	*ret = (int64_t)value;
	return true;
}

bool cache_size_limit(int64_t *ret, GError **err)
{
	const char *text = g_getenv(SIZE_VARIABLE);
	*ret = DEFAULT_SIZE;
	if (!text || !*text)
		return true;
	if (!cache_size_parse(ret, text))
		return diag_set(err, DIAG_USAGE,
			SIZE_VARIABLE " is \"%s\": it must be a size such as 20G, 500M or a number of bytes, "
				      "or 0 for no limit",
			text);
	if (*ret == 0)
		*ret = CACHE_NO_LIMIT;
	return true;
}

void cache_pruned_clear(struct cache_pruned *pruned)
{
	g_clear_pointer(&pruned->removed, g_ptr_array_unref);
}

/* When the process began that has this folder of unfinished work; false where there is none any more. */
static bool is_living(int64_t *ret, const char *folder)
{
	g_autofree char *file = g_build_filename(folder, "lock", NULL);
	struct stat st;
	int lock = -1;
	/* One that has no lock yet has used nothing yet, and says so before it does (cache_use). */
	if (stat(file, &st) != 0)
		return false;
	if (fsx_lock(&lock, file, false, NULL) && lock >= 0) {
		fsx_unlock(lock);
		return false;
	}
	*ret = (int64_t)st.st_mtim.tv_sec * NS + st.st_mtim.tv_nsec;
	return true;
}

/* The beginning of the oldest process that has the cache open; INT64_MAX where there is none. */
static int64_t oldest_living(int *ret_processes, const char *root, const char *own_work)
{
	g_autofree char *work = g_build_filename(root, "work", NULL);
	g_autoptr(GDir) dir = g_dir_open(work, 0, NULL);
	int64_t oldest = INT64_MAX, began;
	const char *name;
	*ret_processes = 0;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename(work, name, NULL);
		if (g_strcmp0(folder, own_work) == 0 || !is_living(&began, folder))
			continue;
		oldest = MIN(oldest, began);
		++*ret_processes;
	}
	return oldest;
}

static int by_use(gconstpointer a, gconstpointer b)
{
	const struct cache_entry *one = *(struct cache_entry *const *)a,
				 *two = *(struct cache_entry *const *)b;
	return one->used_at != two->used_at ? (one->used_at < two->used_at ? -1 : 1)
					    : strcmp(one->name, two->name);
}

/* Takes the entry away unless it came into use since it was listed; *ret_away is NULL then. */
static bool take_away(char **ret_away, const struct cache_entry *entry, const char *root, GError **err)
{
	g_autofree char *path = cache_entry_path(entry, root);
	int lock;
	*ret_away = NULL;
	if (!cache_lock_uses(&lock, root, err))
		return false;
	bool good = cache_entry_used_at(entry, root) != entry->used_at ||
		    cache_take_away(ret_away, root, path, err);
	fsx_unlock(lock);
	return good;
}

/* *ret_gone: whether it is gone, or in a dry run would be. */
static bool remove_entry(bool *ret_gone, const struct cache_entry *entry, const char *root,
	const struct cache_prune_spec *spec, GError **err)
{
	g_autofree char *away = NULL;
	*ret_gone = spec->dry_run;
	if (spec->dry_run)
		return true;
	if (!take_away(&away, entry, root, err))
		return false;
	*ret_gone = away != NULL;
	return !away || fsx_remove_tree(away, err);
}

/* Whether the entry of a lock's name, "library-KEY", is there. A source's name ends with the beginning of the
 * request that its lock names. */
static bool has_entry(const char *root, const char *lock)
{
	static const struct {
		const char *prefix;
		enum cache_kind kind;
	} kinds[] = {{"library-", CACHE_LIBRARIES}, {"program-", CACHE_PROGRAMS}};
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!g_str_has_prefix(lock, kinds[i].prefix))
			continue;
		g_autofree char *entry = g_build_filename(
			root, cache_kind_names[kinds[i].kind], lock + strlen(kinds[i].prefix), NULL);
		return access(entry, F_OK) == 0;
	}
	if (!g_str_has_prefix(lock, "source-"))
		return true;
	g_autofree char *ending = g_strdup_printf("-%.12s", lock + strlen("source-"));
	g_autofree char *folder = g_build_filename(root, cache_kind_names[CACHE_SOURCES], NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ending))
			return true;
	return false;
}

static void clean_locks(const char *root)
{
	g_autofree char *folder = g_build_filename(root, "locks", NULL);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(folder, name, NULL);
		int lock = -1;
		/* Somebody who waits for it sees that the file has gone, and makes it anew. */
		if (has_entry(root, name) || !fsx_lock(&lock, file, false, NULL) || lock < 0)
			continue;
		unlink(file);
		fsx_unlock(lock);
	}
}

/* What was used at this time or later stays. */
static int64_t kept_since(
	int *ret_processes, const char *root, const struct cache_prune_spec *spec, int64_t now)
{
	int64_t since = oldest_living(ret_processes, root, spec->own_work);
	return spec->asked && *ret_processes == 0 ? since : MIN(since, now - DAY_NS);
}

bool cache_prune(
	struct cache_pruned *ret, const char *root, const struct cache_prune_spec *spec, GError **err)
{
	struct cache_pruned pruned = {0};
	if (!spec->dry_run)
		cache_clean(root);
	int64_t now = g_get_real_time() * 1000;
	int64_t since = kept_since(&pruned.processes, root, spec, now);
	g_autoptr(GPtrArray) entries = NULL;
	bool good = cache_entries(&entries, root, err);
	if (!good)
		return false;
	for (guint i = 0; i < entries->len; i++)
		pruned.kept_bytes += ((const struct cache_entry *)entries->pdata[i])->bytes;
	pruned.removed = g_ptr_array_new_with_free_func(cache_entry_free);
	g_ptr_array_sort(entries, by_use);
	for (guint i = 0; good && i < entries->len;) {
		struct cache_entry *entry = entries->pdata[i];
		bool gone = false, old = (double)(now - entry->used_at) > spec->older_s * 1e9;
		if (entry->pinned)
			pruned.kept_pinned += entry->bytes;
		else if (entry->used_at >= since)
			pruned.kept_in_use += entry->bytes;
		else if (old || pruned.kept_bytes > spec->bytes)
			good = remove_entry(&gone, entry, root, spec, err);
		if (!gone) {
			i++;
			continue;
		}
		pruned.removed_bytes += entry->bytes;
		pruned.kept_bytes -= entry->bytes;
		g_ptr_array_add(pruned.removed, g_ptr_array_steal_index(entries, i));
	}
	if (!spec->dry_run)
		clean_locks(root);
	*ret = pruned;
	if (!good)
		cache_pruned_clear(ret);
	return good;
}
