#include "paths.h"

#include "diag.h"

static char *from_environment(const char *variable, const char *folder, const char *name)
{
	const char *value = g_getenv(variable);

	return value && *value ? g_strdup(value) : g_build_filename(folder, "benchmatrix", name, NULL);
}

bool paths_find(struct paths *ret, const char *db, GError **err)
{
	g_autofree char *program = g_file_read_link("/proc/self/exe", err);

	if (program == NULL)
		return false;

	g_autofree char *bin = g_path_get_dirname(program);
	g_autofree char *prefix = g_path_get_dirname(bin);
	struct paths paths = {
		.data = g_build_filename(prefix, "share", "benchmatrix", NULL),
		.supervisor = g_build_filename(prefix, "libexec", "benchmatrix", "bm-supervise", NULL),
		.plugin = g_build_filename(prefix, "libexec", "benchmatrix", "libbm-count.so", NULL),
		.http = g_build_filename(prefix, "libexec", "benchmatrix", "libbm-http.so", NULL),
		.user = g_build_filename(g_get_user_config_dir(), "benchmatrix", NULL),
		.cache = from_environment("BENCHMATRIX_CACHE", g_get_user_cache_dir(), NULL),
		.db = db ? g_strdup(db)
			 : from_environment("BENCHMATRIX_DB", g_get_user_data_dir(), "benchmatrix.db"),
	};

	if (!g_file_test(paths.data, G_FILE_TEST_IS_DIR) ||
		!g_file_test(paths.supervisor, G_FILE_TEST_IS_EXECUTABLE)) {
		diag_set(err, DIAG_LACKS,
			"%s and %s must stand beside %s: build or install benchmatrix as a whole", paths.data,
			paths.supervisor, program);
		paths_done(&paths);
		return false;
	}
	*ret = paths;
	return true;
}

void paths_done(struct paths *paths)
{
	g_free(paths->data);
	g_free(paths->supervisor);
	g_free(paths->plugin);
	g_free(paths->http);
	g_free(paths->user);
	g_free(paths->cache);
	g_free(paths->db);
}
