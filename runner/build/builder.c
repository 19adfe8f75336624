#include "build_parts.h"
#include "cache_prune.h"
#include "diag.h"
#include "fsx.h"

#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define SOURCE_CEILING (16u << 20)

static void free_identity(gpointer identity)
{
	identity_free(identity);
}

static int by_text(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds a file's hash under the name FOLDER/FILE; *ret_text gets its text. */
static bool add_hash(struct builder *builder, const char *kind, const char *folder, const char *name,
	char **ret_text, GError **err)
{
	g_autofree char *file = g_build_filename(folder, name, NULL);
	size_t length;
	if (!fsx_read(ret_text, &length, file, SOURCE_CEILING, err))
		return false;
	g_hash_table_insert(builder->core_hashes, g_build_filename(kind, name, NULL),
		g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)*ret_text, length));
	return true;
}

/* Of schema's files, those that a source includes. */
static bool add_words(struct builder *builder, const char *source, GError **err)
{
	g_auto(GStrv) lines = g_strsplit(source, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *start = g_str_has_prefix(g_strchug(*line), "#") && strstr(*line, "include")
				      ? strchr(*line, '"')
				      : NULL;
		char *stop = start ? strchr(start + 1, '"') : NULL;
		if (!stop)
			continue;
		*stop = '\0';
		g_autofree char *file = g_build_filename(builder->schema, start + 1, NULL);
		g_autofree char *text = NULL;
		if (access(file, R_OK) == 0 &&
			!add_hash(builder, "schema", builder->schema, start + 1, &text, err))
			return false;
	}
	return true;
}

static bool read_core(struct builder *builder, GError **err)
{
	g_autoptr(GDir) dir = g_dir_open(builder->core, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *text = NULL;
		if (!g_str_has_suffix(name, ".c") && !g_str_has_suffix(name, ".h") &&
			!g_str_has_suffix(name, ".def") && !g_str_has_suffix(name, ".ld"))
			continue;
		if (!add_hash(builder, "core", builder->core, name, &text, err) ||
			!add_words(builder, text, err))
			return false;
		if (g_str_has_suffix(name, ".c"))
			g_ptr_array_add(builder->core_sources, g_build_filename(builder->core, name, NULL));
	}
	g_ptr_array_sort(builder->core_sources, by_text);
	return builder->core_sources->len ||
	       diag_set(err, DIAG_LACKS, "%s: bench-core's sources are not there: install benchmatrix anew",
		       builder->core);
}

/* What configure calls the machine that it runs on. */
static char *this_machine(void)
{
	struct utsname name;
	return g_strdup_printf("%s-linux-gnu", uname(&name) == 0 ? name.machine : "unknown");
}

/* The same for everyone: a home folder's name would make every user's keys their own. */
static char **step_environment(void)
{
	/* configure and libtool start themselves anew in bash where they find it; in a smaller shell they
	 * make the same library, byte for byte, in two thirds of the time (tests/bench/shell). */
	static const char *const extra[] = {"SOURCE_DATE_EPOCH=1", "CONFIG_SHELL=/bin/sh", NULL};
	return g_environ_setenv(child_clean_environment(extra), "HOME", "/nonexistent", TRUE);
}

struct builder *builder_new(const struct builder_spec *spec, GError **err)
{
	struct builder *builder = g_new0(struct builder, 1);
	builder->limits = build_limits_default;
	builder->core = g_canonicalize_filename(spec->core, NULL);
	builder->schema = g_canonicalize_filename(spec->schema, NULL);
	builder->apt = g_strdup("/etc/apt");
	builder->build_triple = this_machine();
	builder->environment = step_environment();
	builder->core_sources = g_ptr_array_new_with_free_func(g_free);
	builder->core_hashes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	builder->identities = g_hash_table_new_full(NULL, NULL, NULL, free_identity);
	builder->jobs = g_ptr_array_new();
	builder->on_step = spec->on_step;
	builder->user = spec->user;
	builder->cache.work_lock = -1;
	if (cache_size_limit(&builder->cache_bytes, err) && read_core(builder, err) &&
		cache_open(&builder->cache, spec->cache, err)) {
		builder->sources = sources_new(&builder->cache, &builder->limits, builder->apt);
		return builder;
	}
	builder_free(builder);
	return NULL;
}

void builder_set_limits(struct builder *builder, const struct build_limits *limits)
{
	builder->limits = *limits;
}

void builder_set_apt(struct builder *builder, const char *folder)
{
	g_free(builder->apt);
	builder->apt = g_strdup(folder);
	sources_free(builder->sources);
	builder->sources = sources_new(&builder->cache, &builder->limits, builder->apt);
}

/* That the cache grows beyond its size is no failure of what was built. */
static void prune(const struct builder *builder)
{
	const struct cache_prune_spec spec = {
		.bytes = builder->cache_bytes,
		.older_s = NAN,
		.own_work = builder->cache.work,
	};
	struct cache_pruned pruned;
	if (builder->cache_bytes != CACHE_NO_LIMIT && cache_prune(&pruned, builder->cache.root, &spec, NULL))
		cache_pruned_clear(&pruned);
}

void builder_free(struct builder *builder)
{
	if (!builder)
		return;
	builder_cancel(builder);
	while (builder->jobs->len)
		g_main_context_iteration(NULL, TRUE);
	sources_free(builder->sources);
	if (builder->cache.root) {
		prune(builder);
		cache_close(&builder->cache);
	}
	g_ptr_array_unref(builder->jobs);
	g_ptr_array_unref(builder->core_sources);
	g_hash_table_unref(builder->core_hashes);
	g_hash_table_unref(builder->identities);
	g_strfreev(builder->environment);
	g_free(builder->build_triple);
	g_free(builder->apt);
	g_free(builder->core);
	g_free(builder->schema);
	g_free(builder);
}
