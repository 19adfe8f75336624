#include "catalog.h"
#include "cmd.h"
#include "diag.h"
#include "export.h"
#include "importer.h"
#include "listing.h"
#include "matrix.h"
#include "print.h"
#include "store.h"

#include <string.h>

static char *format;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv or json", "FORMAT"},
	{0},
};

static bool toolchains(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)err;
	*ret = TABLE("toolchains", "toolchain", "arch", "compiler", "emulator", "summary");
	for (guint i = 0; i < catalog->toolchains->len; i++) {
		const struct toolchain *t = catalog->toolchains->pdata[i];
		g_autofree char *emulator =
			t->target.emulator ? g_strdup_printf("%s -cpu %s", t->target.emulator, t->target.cpu)
					   : NULL;
		ROW(*ret, t->name, t->arch, t->cc, emulator, t->summary);
	}
	return true;
}

static char *origin_text(const struct origin *origin)
{
	switch (origin->kind) {
	case ORIGIN_DEBIAN:
		return g_strdup_printf("Debian source package %s, %s", origin->package, origin->suite);
	case ORIGIN_DEBIAN_BINARY:
		return g_strdup_printf("Debian package %s, %s", origin->package, origin->suite);
	case ORIGIN_FOLDER:
		return g_strdup(origin->folder);
	case ORIGIN_TARBALL:
		return g_strdup(origin->url);
	case ORIGIN_GIT:
		return g_strdup_printf("%s, %s", origin->repository, origin->ref);
	}
	g_assert_not_reached();
}

static bool libraries(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)err;
	*ret = TABLE("libraries", "library", "version", "origin", "summary");
	for (guint i = 0; i < catalog->libraries->len; i++) {
		const struct library *library = catalog->libraries->pdata[i];
		for (guint j = 0; j < library->versions->len; j++) {
			const struct version *version = library->versions->pdata[j];
			g_autofree char *origin = origin_text(&version->origin);
			ROW(*ret, library->name, version->name, origin, library->summary);
		}
	}
	return true;
}

/* "aes", or "arm:neon" where it is needed on one architecture only. */
static char **cpu_needs(const struct flag *flag)
{
	g_autoptr(GStrvBuilder) needs = g_strv_builder_new();
	g_strv_builder_addv(needs, (const char **)flag->cpu);
	for (guint i = 0; i < flag->on->len; i++) {
		const struct flag_on *on = flag->on->pdata[i];
		for (char **feature = on->cpu; *feature; feature++) {
			g_autofree char *need = g_strdup_printf("%s:%s", on->arch, *feature);
			g_strv_builder_add(needs, need);
		}
	}
	return g_strv_builder_end(needs);
}

static bool flags(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)err;
	*ret = TABLE("flags", "library", "flag", "configure", "cflags", "needs", "implies", "excludes",
		"arch", "cpu", "versions", "summary");
	for (guint i = 0; i < catalog->libraries->len; i++) {
		const struct library *library = catalog->libraries->pdata[i];
		for (guint j = 0; j < library->flags->len; j++) {
			const struct flag *flag = library->flags->pdata[j];
			g_auto(GStrv) cpu = cpu_needs(flag);
			char **lists[] = {flag->configure, flag->cflags, flag->needs, flag->implies,
				flag->excludes, flag->arch, cpu};
			char *texts[G_N_ELEMENTS(lists)];

			for (size_t k = 0; k < G_N_ELEMENTS(lists); k++)
				texts[k] = lists[k] && *lists[k] ? g_strjoinv(" ", lists[k]) : NULL;
			ROW(*ret, library->name, flag->name, texts[0], texts[1], texts[2], texts[3], texts[4],
				texts[5], texts[6], flag->versions, flag->summary);
			for (size_t k = 0; k < G_N_ELEMENTS(lists); k++)
				g_free(texts[k]);
		}
	}
	return true;
}

static bool profiles(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)err;
	*ret = TABLE("profiles", "library", "profile", "configure", "summary");
	for (guint i = 0; i < catalog->libraries->len; i++) {
		const struct library *library = catalog->libraries->pdata[i];
		for (guint j = 0; j < library->profiles->len; j++) {
			const struct profile *profile = library->profiles->pdata[j];
			g_autofree char *configure = g_strjoinv(" ", profile->configure);
			ROW(*ret, library->name, profile->name, configure, profile->summary);
		}
	}
	return true;
}

static bool agent_table(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)err;
	*ret = TABLE("agents", "agent", "kind", "host", "toolchains", "pin");
	for (guint i = 0; i < catalog->agents->all->len; i++) {
		const struct agent *agent = catalog->agents->all->pdata[i];
		g_autofree char *toolchains = agent->toolchains ? g_strjoinv(" ", agent->toolchains) : NULL;
		g_autofree char *pin = agent->pin >= 0 ? g_strdup_printf("%d", agent->pin) : NULL;
		ROW(*ret, agent->name, agent->kind->name, agent->host, toolchains, pin);
	}
	return true;
}

static bool agent_kind_table(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)catalog;
	(void)err;
	*ret = TABLE("kinds of agents", "kind", "modes", "summary");
	for (const struct agent_kind *const *kind = agent_kinds; *kind != NULL; kind++) {
		g_autoptr(GString) modes = g_string_new(NULL);
		for (int mode = 0; mode < AGENT_MODE_COUNT; mode++)
			if ((*kind)->modes & (1u << mode))
				g_string_append_printf(
					modes, "%s%s", modes->len ? " " : "", agent_mode_names[mode]);
		ROW(*ret, (*kind)->name, modes->str, (*kind)->summary);
	}
	return true;
}

static bool formats(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)catalog;
	(void)err;
	*ret = TABLE("formats", "format", "of", "summary");
	for (const struct renderer *const *renderer = renderers; *renderer != NULL; renderer++)
		ROW(*ret, (*renderer)->name, "tables", (*renderer)->summary);
	for (const struct exporter *const *exporter = exporters; *exporter != NULL; exporter++)
		ROW(*ret, (*exporter)->name, "export", (*exporter)->summary);
	return true;
}

static bool importer_table(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)catalog;
	(void)err;
	*ret = TABLE("importers", "importer", "instrument", "library", "summary");
	for (const struct importer *const *importer = importers; *importer != NULL; importer++)
		ROW(*ret, (*importer)->name, (*importer)->instrument, (*importer)->library,
			(*importer)->summary);
	return true;
}

static bool metrics(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)catalog;
	(void)err;
	*ret = TABLE("metrics", "metric", "unit", "kind", "better", "summary");
	for (int i = 0; i < METRIC_COUNT; i++) {
		const struct metric_info *metric = &metric_infos[i];
		ROW(*ret, metric->name, metric->unit, metric->assume == ASSUME_EXACT ? "exact" : "sampled",
			metric->better == BETTER_LOWER ? "lower" : "higher", metric->summary);
	}
	return true;
}

static bool benchmarks(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)catalog;
	(void)err;
	*ret = TABLE("benchmarks", "benchmark", "algorithm", "operation", "per");
	for (int i = 0; i < BENCHMARK_COUNT; i++) {
		const struct benchmark_info *benchmark = &benchmark_infos[i];
		ROW(*ret, benchmark->name, benchmark->algorithm, benchmark->operation,
			benchmark->work == WORK_BULK ? "byte" : "operation");
	}
	return true;
}

static bool labels(struct table **ret, const struct catalog *catalog, GError **err)
{
	(void)catalog;
	(void)err;
	*ret = TABLE("labels", "label", "summary");
	for (int i = 0; i < LABEL_COUNT; i++)
		ROW(*ret, label_keys[i], label_summaries[i]);
	return true;
}

static bool matrices(struct table **ret, const struct catalog *catalog, GError **err)
{
	struct table *table = TABLE("matrices", "matrix", "summary", "file");

	for (guint i = 0; i < catalog->matrices->len; i++) {
		const char *name = catalog->matrices->pdata[i];
		g_autofree char *file = catalog_matrix_file(catalog, name, err);
		struct matrix *matrix;

		if (file == NULL || !matrix_load(&matrix, file, catalog, err)) {
			table_free(table);
			return false;
		}
		ROW(table, name, matrix->summary, file);
		matrix_free(matrix);
	}
	*ret = table;
	return true;
}

static bool run_table(struct table **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;

	if (!store_runs(store, &runs, err))
		return false;
	*ret = TABLE("runs", "run", "label", "matrix", "started (UTC)", "ended (UTC)", "cells", "ok",
		"partial", "failed");
	for (guint i = 0; i < runs->len; i++) {
		const struct run_info *run = runs->pdata[i];
		if (run->matrix == NULL)
			continue;
		g_autofree char *started = listing_utc(run->started_at), *ended = listing_utc(run->ended_at);
		g_autofree char *cells = g_strdup_printf("%d", run->cells);
		g_autofree char *ok_cells = g_strdup_printf("%d", run->ok);
		g_autofree char *partial = g_strdup_printf("%d", run->partial);
		g_autofree char *failed = g_strdup_printf("%d", run->failed);
		g_autofree char *uuid = g_strndup(run->uuid, 8);
		ROW(*ret, uuid, run->label, run->matrix, started, ended, cells, ok_cells, partial, failed);
	}
	return true;
}

static bool baselines(struct table **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) list = NULL;

	if (!store_baselines(store, &list, err))
		return false;
	*ret = TABLE("baselines", "baseline", "run", "label", "matrix", "pinned (UTC)");
	for (guint i = 0; i < list->len; i++) {
		const struct baseline_info *baseline = list->pdata[i];
		g_autofree char *pinned = listing_utc(baseline->pinned_at);
		g_autofree char *uuid = g_strndup(baseline->uuid, 8);
		ROW(*ret, baseline->name, uuid, baseline->label, baseline->matrix, pinned);
	}
	return true;
}

static const struct {
	const char *name;
	/* One of the two: of the catalog, of the database. */
	bool (*make)(struct table **ret, const struct catalog *catalog, GError **err);
	bool (*of_store)(struct table **ret, struct store *store, GError **err);
} kinds[] = {
	{"toolchains", toolchains, NULL},
	{"libraries", libraries, NULL},
	{"flags", flags, NULL},
	{"profiles", profiles, NULL},
	{"agents", agent_table, NULL},
	{"agent-kinds", agent_kind_table, NULL},
	{"formats", formats, NULL},
	{"importers", importer_table, NULL},
	{"metrics", metrics, NULL},
	{"benchmarks", benchmarks, NULL},
	{"labels", labels, NULL},
	{"matrices", matrices, NULL},
	{"runs", NULL, run_table},
	{"baselines", NULL, baselines},
	{"alarms", NULL, list_alarms},
	{"imports", NULL, list_imports},
	{"readings", NULL, NULL}, /* of the run that the user names */
	{"unknown", NULL, list_unknown_names},
	{"aliases", NULL, list_aliases},
};

static bool unknown_kind(const char *kind, GError **err)
{
	const char *names[G_N_ELEMENTS(kinds) + 1] = {NULL};

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		names[i] = kinds[i].name;

	const char *nearest = diag_nearest(kind, names);
	g_autofree char *all = g_strjoinv(" ", (char **)names);
	return diag_set(err, DIAG_USAGE, "cannot list \"%s\"%s%s%s: it is one of %s", kind,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", all);
}

static bool list_store(struct table **ret, const struct paths *paths,
	bool (*make)(struct table **ret, struct store *store, GError **err), const char *which, GError **err)
{
	struct store *store = store_open(paths->db, STORE_READ, err);
	bool ok = store != NULL && (make ? make(ret, store, err) : list_readings(ret, store, which, err));

	store_close(store);
	return ok;
}

static bool make(
	struct table **ret, const struct paths *paths, const char *kind, const char *which, GError **err)
{
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		struct catalog *catalog;

		if (strcmp(kinds[i].name, kind) != 0)
			continue;
		if (kinds[i].make == NULL)
			return list_store(ret, paths, kinds[i].of_store, which, err);
		if (!catalog_load(&catalog, paths->data, paths->user, err))
			return false;
		bool ok = kinds[i].make(ret, catalog, err);
		catalog_free(catalog);
		return ok;
	}
	return unknown_kind(kind, err);
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct table *table = NULL;

	if (arguments[1] != NULL && strcmp(arguments[0], "readings") != 0) {
		diag_set(err, DIAG_USAGE, "usage: benchmatrix list KIND, or list readings RUN");
		return DIAG_USAGE;
	}
	bool ok = make(&table, paths, arguments[0], arguments[1], err) && print_table(table, format, err);

	table_free(table);
	return ok ? 0 : 1;
}

const struct cmd cmd_list = {
	.name = "list",
	.arguments = "KIND [RUN]",
	.summary = "what there is: toolchains, libraries, flags, matrices, runs, ...",
	.description =
		"KIND is toolchains, libraries, flags, profiles, agents, agent-kinds, formats, metrics, "
		"importers, benchmarks, labels, matrices, runs, baselines, alarms, imports, readings, "
		"unknown or aliases.\n\n"
		"alarms shows what each night found, newest first. "
		"readings shows what the import RUN printed, number by number, and what was not understood; "
		"the latest import where no RUN is given. unknown shows printed names that no benchmark has.",
	.options = options,
	.min = 1,
	.max = 2,
	.run = run,
};
