#include "catalog.h"

#include "catalog_parts.h"
#include "diag.h"
#include "jsonx.h"
#include "words.h"

#include <errno.h>
#include <string.h>

/* Adds the names of a folder's JSON files to a set. Names that begin with a dot are left out: editors keep
 * such files. */
static bool collect_names(GHashTable *names, const char *folder, GError **err)
{
	g_autoptr(GError) why = NULL;
	GDir *dir = g_dir_open(folder, 0, &why);
	if (!dir)
		return diag_set(err, DIAG_INPUT, "%s: cannot be read: %s", folder, why->message);
	const char *entry;
	bool fine = true;
	while (fine && (entry = g_dir_read_name(dir))) {
		if (entry[0] == '.' || !g_str_has_suffix(entry, ".json"))
			continue;
		char *name = g_strndup(entry, strlen(entry) - strlen(".json"));
		fine = word_safe(name);
		if (!fine)
			diag_set(err, DIAG_INPUT,
				"%s/%s: rename it: 1 to 64 letters, digits and . _ + -, a letter or digit "
				"first",
				folder, entry);
		g_hash_table_add(names, name);
	}
	g_dir_close(dir);
	return fine;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of every file of a kind in all folders, sorted, each once. NULL with an error. */
static GPtrArray *names_of(const struct catalog *catalog, const char *kind, GError **err)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **folder = catalog->folders; *folder; folder++) {
		g_autofree char *path = g_build_filename(*folder, kind, NULL);
		/* The last folder is the program's own data; a user's may lack any kind. */
		if (folder[1] && !g_file_test(path, G_FILE_TEST_EXISTS))
			continue;
		if (!collect_names(names, path, err))
			return NULL;
	}
	GPtrArray *sorted = g_ptr_array_new_with_free_func(g_free);
	GHashTableIter iter;
	gpointer name;
	g_hash_table_iter_init(&iter, names);
	while (g_hash_table_iter_next(&iter, &name, NULL))
		g_ptr_array_add(sorted, g_strdup(name));
	g_ptr_array_sort(sorted, compare_names);
	return sorted;
}

/* The first folder's file that is there, or NULL. */
static char *find_file(const struct catalog *catalog, const char *kind, const char *name, const char *suffix)
{
	g_autofree char *entry = g_strconcat(name, suffix, NULL);
	for (char **folder = catalog->folders; *folder; folder++) {
		char *file = g_build_filename(*folder, kind, entry, NULL);
		if (g_file_test(file, G_FILE_TEST_EXISTS))
			return file;
		g_free(file);
	}
	return NULL;
}

static struct jx_document *open_document(
	struct catalog *catalog, const char *kind, const char *name, GError **err)
{
	g_autofree char *file = find_file(catalog, kind, name, ".json");
	if (!file) {
		diag_set(err, DIAG_INPUT, "%s/%s.json: a link that leads nowhere", kind, name);
		return NULL;
	}
	struct jx_document *doc = jx_load(file, err);
	if (doc)
		g_ptr_array_add(catalog->documents, doc);
	return doc;
}

static bool load_toolchains(struct catalog *catalog, GError **err)
{
	g_autoptr(GPtrArray) names = names_of(catalog, "toolchains", err);
	if (!names)
		return false;
	for (guint i = 0; i < names->len; i++) {
		struct jx_document *doc = open_document(catalog, "toolchains", names->pdata[i], err);
		struct toolchain *toolchain = doc ? toolchain_read(names->pdata[i], doc, err) : NULL;
		if (!toolchain)
			return false;
		g_ptr_array_add(catalog->toolchains, toolchain);
	}
	return true;
}

static struct library *load_library(struct catalog *catalog, const char *name, GError **err)
{
	struct jx_document *doc = open_document(catalog, "libs", name, err);
	if (!doc)
		return NULL;
	g_autofree char *adapter = find_file(catalog, "libs", name, ".c");
	if (!adapter) {
		jx_fail(jx_root(doc), err, "library %s has no adapter: write %s.c beside this file", name,
			name);
		return NULL;
	}
	g_autofree char *absolute = g_canonicalize_filename(adapter, NULL);
	return library_read(name, absolute, doc, err);
}

static bool load_libraries(struct catalog *catalog, GError **err)
{
	g_autoptr(GPtrArray) names = names_of(catalog, "libs", err);
	if (!names)
		return false;
	for (guint i = 0; i < names->len; i++) {
		struct library *library = load_library(catalog, names->pdata[i], err);
		if (!library)
			return false;
		g_ptr_array_add(catalog->libraries, library);
	}
	return true;
}

/* The toolchains that agents name are all there. */
static bool check_agents(const struct catalog *catalog, const char *file, GError **err)
{
	for (guint i = 0; i < catalog->agents->all->len; i++) {
		const struct agent *agent = catalog->agents->all->pdata[i];
		for (char **name = agent->toolchains; name && *name; name++) {
			if (catalog_toolchain(catalog, *name, err))
				continue;
			g_prefix_error(err, "%s: agent %s: ", file, agent->name);
			return false;
		}
	}
	return true;
}

static bool load_agents(struct catalog *catalog, const char *user, GError **err)
{
	g_autofree char *file = user ? g_build_filename(user, "agents.json", NULL) : NULL;

	return agents_load(&catalog->agents, file, err) && check_agents(catalog, file, err);
}

bool catalog_load(struct catalog **ret, const char *data, const char *user, GError **err)
{
	struct catalog *catalog = g_new0(struct catalog, 1);
	g_autoptr(GPtrArray) folders = g_ptr_array_new();
	if (user)
		g_ptr_array_add(folders, g_strdup(user));
	g_ptr_array_add(folders, g_strdup(data));
	g_ptr_array_add(folders, NULL);
	catalog->folders = (char **)g_ptr_array_steal(folders, NULL);
	catalog->documents = g_ptr_array_new_with_free_func((GDestroyNotify)jx_document_free);
	catalog->toolchains = g_ptr_array_new_with_free_func((GDestroyNotify)toolchain_free);
	catalog->libraries = g_ptr_array_new_with_free_func((GDestroyNotify)library_free);
	if (!load_toolchains(catalog, err) || !load_libraries(catalog, err) ||
		!(catalog->matrices = names_of(catalog, "matrices", err)) ||
		!load_agents(catalog, user, err)) {
		catalog_free(catalog);
		return false;
	}
	*ret = catalog;
	return true;
}

void catalog_free(struct catalog *catalog)
{
	if (!catalog)
		return;
	agents_free(catalog->agents);
	g_ptr_array_unref(catalog->toolchains);
	g_ptr_array_unref(catalog->libraries);
	g_clear_pointer(&catalog->matrices, g_ptr_array_unref);
	g_ptr_array_unref(catalog->documents);
	g_strfreev(catalog->folders);
	g_free(catalog);
}

/* Fails with the nearest of the known names, which are of what a command line gives: there is no file to
 * tell. */
static void unknown_name(const char *kind, const char *name, GPtrArray *known, GError **err)
{
	g_ptr_array_add(known, NULL);
	const char *nearest = diag_nearest(name, (const char *const *)known->pdata);
	g_autofree char *all = g_strjoinv(", ", (char **)known->pdata);
	g_autofree char *shown = diag_printable(name, -1);
	if (nearest)
		diag_set(err, DIAG_INPUT, "unknown %s \"%s\"; did you mean \"%s\"?", kind, shown, nearest);
	else
		diag_set(err, DIAG_INPUT, "unknown %s \"%s\"; known are: %s", kind, shown, all);
}

const struct toolchain *catalog_toolchain(const struct catalog *catalog, const char *name, GError **err)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (guint i = 0; i < catalog->toolchains->len; i++) {
		const struct toolchain *toolchain = catalog->toolchains->pdata[i];
		if (strcmp(toolchain->name, name) == 0)
			return toolchain;
		g_ptr_array_add(known, (char *)toolchain->name);
	}
	unknown_name("toolchain", name, known, err);
	return NULL;
}

const struct library *catalog_library(const struct catalog *catalog, const char *name, GError **err)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (guint i = 0; i < catalog->libraries->len; i++) {
		const struct library *library = catalog->libraries->pdata[i];
		if (strcmp(library->name, name) == 0)
			return library;
		g_ptr_array_add(known, (char *)library->name);
	}
	unknown_name("library", name, known, err);
	return NULL;
}

char *catalog_matrix_file(const struct catalog *catalog, const char *name, GError **err)
{
	if (strchr(name, '/') || g_str_has_suffix(name, ".json")) {
		if (g_file_test(name, G_FILE_TEST_IS_REGULAR))
			return g_strdup(name);
		diag_set(err, DIAG_INPUT, "%s: no such matrix file", name);
		return NULL;
	}
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (guint i = 0; i < catalog->matrices->len; i++) {
		if (strcmp(catalog->matrices->pdata[i], name) == 0)
			return find_file(catalog, "matrices", name, ".json");
		g_ptr_array_add(known, catalog->matrices->pdata[i]);
	}
	unknown_name("matrix", name, known, err);
	return NULL;
}
