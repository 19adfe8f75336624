#include "cmd.h"
#include "diag.h"
#include "jsonx.h"
#include "objects.h"
#include "store.h"
#include "summary.h"

#include <stdio.h>
#include <string.h>

extern const struct cmd cmd_compare_trees;

static gboolean log_wanted, objects_wanted;
static char *known_file;

static const GOptionEntry options[] = {
	{"log", 0, 0, G_OPTION_ARG_NONE, &log_wanted,
		"also print the build's log, or what the program of a cell printed", NULL},
	{"objects", 0, 0, G_OPTION_ARG_NONE, &objects_wanted,
		"also list what each object of a build's library takes, as far as the cache still has it",
		NULL},
	{"known", 0, 0, G_OPTION_ARG_FILENAME, &known_file,
		"failures that are known; known-failures.json of the user's folder where not given", "FILE"},
	{0},
};

static const struct {
	const char *name;
	enum store_thing thing;
} things[] = {
	{"run", STORE_RUN},
	{"cell", STORE_CELL},
	{"build", STORE_BUILD},
	{"platform", STORE_PLATFORM},
};

static void print_text(const char *title, const char *text, size_t length)
{
	if (text == NULL || length == 0)
		return;
	g_autofree char *safe = diag_printable(text, (gssize)length);
	printf("\n%s:\n%s%s", title, safe, g_str_has_suffix(safe, "\n") ? "" : "\n");
}

/* Other configurations whose library is the same code: what tells them apart has no effect. */
static bool add_twins(struct store *store, struct store_description *description, int64_t build, GError **err)
{
	g_autoptr(GPtrArray) configs = NULL;

	if (!store_build_twins(store, &configs, build, err))
		return false;
	if (configs->len == 0)
		return true;
	g_ptr_array_add(configs, NULL);
	g_ptr_array_add(description->keys, g_strdup("same code as"));
	g_ptr_array_add(description->values, g_strjoinv(", ", (char **)configs->pdata));
	return true;
}

static bool describe(
	const struct paths *paths, struct store *store, enum store_thing thing, int64_t id, GError **err)
{
	struct store_description *description;

	if (!store_describe(store, &description, thing, id, err))
		return false;
	if (thing == STORE_BUILD && !add_twins(store, description, id, err)) {
		store_description_free(description);
		return false;
	}

	int width = 0;
	for (guint i = 0; i < description->keys->len; i++)
		width = MAX(width, (int)strlen(description->keys->pdata[i]));
	for (guint i = 0; i < description->keys->len; i++) {
		g_autofree char *value = diag_printable(description->values->pdata[i], -1);
		printf("%-*s  %s\n", width, (const char *)description->keys->pdata[i], value);
	}
	if (log_wanted) {
		print_text(
			thing == STORE_BUILD ? "log" : "output", description->text, description->text_length);
		print_text("standard error", description->errors, description->errors_length);
	}
	bool ok = !objects_wanted || thing != STORE_BUILD || objects_print(paths, description, err);
	store_description_free(description);
	return ok;
}

static bool print_cells(struct store *store, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) cells = NULL;

	if (!store_cells(store, &cells, run, err))
		return false;
	printf("\nCells:\n");
	for (guint i = 0; i < cells->len; i++) {
		const struct cell_info *cell = cells->pdata[i];
		g_autofree char *reason = diag_printable(cell->reason ? cell->reason : "", -1);
		printf("  %-8s %s: %d ok, %d failed%s%s%s\n", cell->state, cell->name, cell->outcomes_ok,
			cell->outcomes_failed, cell->carried ? ", carried forward" : "", *reason ? ": " : "",
			reason);
	}
	return true;
}

/* The library that a run is about, where the catalog still has it: for its hints. Nothing is wrong where it
 * cannot be read. */
static const struct library *library_of(struct store *store, const struct catalog *catalog, int64_t run)
{
	g_autoptr(GPtrArray) cells = NULL;
	struct store_description *build;
	const struct library *library = NULL;

	if (catalog == NULL || !store_cells(store, &cells, run, NULL) || cells->len == 0)
		return NULL;
	const struct cell_info *first = cells->pdata[0];
	if (!store_describe(store, &build, STORE_BUILD, first->build, NULL))
		return NULL;
	for (guint i = 0; i < build->keys->len; i++)
		if (strcmp(build->keys->pdata[i], "library") == 0)
			library = catalog_library(catalog, build->values->pdata[i], NULL);
	store_description_free(build);
	return library;
}

static bool print_failures(const struct paths *paths, struct store *store, int64_t run, GError **err)
{
	struct catalog *catalog = NULL;
	struct verdict *verdict = NULL;
	struct known *known = NULL;
	bool ok = summary_known(&known, paths, known_file, err) &&
		  verdict_make(&verdict, store, run, known, err);

	if (ok) {
		catalog_load(&catalog, paths->data, paths->user, NULL);
		verdict_print(verdict, library_of(store, catalog, run));
	}
	verdict_free(verdict);
	known_free(known);
	if (catalog != NULL)
		catalog_free(catalog);
	return ok;
}

static bool print_twins(struct store *store, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) twins = NULL;

	if (!store_twins(store, &twins, run, err))
		return false;
	if (twins->len > 0)
		putchar('\n');
	for (guint i = 0; i < twins->len; i++) {
		const struct twin_info *twin = twins->pdata[i];
		printf("no effect: %s is the same code as %s (%s)\n", twin->config, twin->same_as,
			twin->place);
	}
	return true;
}

/* How many cells a plan's text has; 0 where there is no text. */
static int count_planned(const char *plan, GError **err)
{
	struct jx_document *document = jx_parse(plan ? plan : "{}", strlen(plan ? plan : "{}"), "plan", err);
	struct jx cells;
	int n = 0;

	if (document == NULL)
		return -1;
	if (jx_has(jx_root(document), "cells"))
		n = jx_array(&cells, jx_root(document), "cells", err) ? (int)jx_size(cells) : -1;
	jx_document_free(document);
	return n;
}

/* What a run that was stopped or killed has left to do. */
static bool print_rest(struct store *store, const struct run_info *run, GError **err)
{
	g_autofree char *uuid = NULL, *matrix = NULL, *plan = NULL;
	g_autoptr(GHashTable) done = NULL;
	int64_t unfinished;

	if (!store_run_unfinished(store, &unfinished, &uuid, run->matrix, err))
		return false;
	if (unfinished != run->id)
		return true;
	if (!store_run_texts(store, &matrix, &plan, run->id, err) ||
		!store_run_done(store, &done, run->id, err))
		return false;

	int planned = count_planned(plan, err);
	if (planned < 0)
		return false;
	int left = MAX(planned, run->cells) - (int)g_hash_table_size(done);
	bool trees = strcmp(run->matrix, cmd_compare_trees.name) == 0;
	printf("\n%d cell%s left to do%s: `benchmatrix %s%s --resume` goes on\n", left, plural(left),
		run->ended_at == 0 ? ", unless the run is still under way" : "", trees ? "" : "run ",
		run->matrix);
	return true;
}

/* An import's cells are executions of a tool: no state, no outcomes. */
static bool print_executions(struct store *store, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) cells = NULL;

	if (!store_cells(store, &cells, run, err))
		return false;
	printf("\nCells:\n");
	for (guint i = 0; i < cells->len; i++) {
		g_autofree char *name = diag_printable(((const struct cell_info *)cells->pdata[i])->name, -1);
		printf("  %s\n", name);
	}
	return true;
}

static const struct run_info *run_of(const GPtrArray *runs, int64_t id)
{
	for (guint i = 0; i < runs->len; i++)
		if (((const struct run_info *)runs->pdata[i])->id == id)
			return runs->pdata[i];
	g_assert_not_reached();
}

static bool show_run(const struct paths *paths, struct store *store, const char *name, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	int64_t id;

	if (!store_run_find(store, &id, name, err) || !store_runs(store, &runs, err) ||
		!describe(paths, store, STORE_RUN, id, err))
		return false;
	const struct run_info *run = run_of(runs, id);
	if (run->matrix == NULL)
		return print_executions(store, id, err);
	return print_cells(store, id, err) && print_failures(paths, store, id, err) &&
	       print_twins(store, id, err) && print_rest(store, run, err);
}

/* What a cell's build and attempt have to tell is part of the cell: store_describe() puts them together. */
static bool show_thing(const struct paths *paths, struct store *store, enum store_thing thing,
	const char *kind, const char *pattern, GError **err)
{
	g_autoptr(GArray) ids = NULL;

	if (!store_find(store, &ids, thing, pattern, err))
		return false;
	if (ids->len == 0)
		return diag_set(err, DIAG_USAGE,
			"no %s matches \"%s\"; `benchmatrix show run` lists the cells of the last run", kind,
			pattern);
	for (guint i = 0; i < ids->len; i++) {
		if (i > 0)
			putchar('\n');
		if (!describe(paths, store, thing, g_array_index(ids, int64_t, i), err))
			return false;
	}
	return true;
}

static bool show(const struct paths *paths, struct store *store, char **arguments, GError **err)
{
	const char *names[G_N_ELEMENTS(things) + 1] = {NULL};

	for (size_t i = 0; i < G_N_ELEMENTS(things); i++) {
		names[i] = things[i].name;
		if (strcmp(things[i].name, arguments[0]) != 0)
			continue;
		if (things[i].thing == STORE_RUN)
			return show_run(paths, store, arguments[1] ? arguments[1] : "latest", err);
		return show_thing(paths, store, things[i].thing, things[i].name,
			arguments[1] ? arguments[1] : "*", err);
	}

	const char *nearest = diag_nearest(arguments[0], names);
	return diag_set(err, DIAG_USAGE, "cannot show \"%s\"%s%s%s: it is run, cell, build or platform",
		arguments[0], nearest ? "; did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "");
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct store *store = store_open(paths->db, STORE_READ, err);

	if (store == NULL)
		return 1;
	bool ok = show(paths, store, arguments, err);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_show = {
	.name = "show",
	.arguments = "run|cell|build|platform [NAME]",
	.summary = "one run, cell, build or platform with all that is known of it",
	.description = "run: its cells with their states, what failed and what is known of that, flags "
		       "that had no effect, and how to go on where something is left to do; NAME is latest, "
		       "latest~1, a label or the beginning "
		       "of a UUID; the last run where not given.\n\n"
		       "cell, build, platform: NAME is a glob over names, as `benchmatrix plan` prints them; "
		       "a build can also be named by the beginning of its "
		       "key. A build shows its configure line, the -O level and math back end in force, and "
		       "where it failed its first error; --log prints the "
		       "whole log, --objects a table of its library's objects.",
	.options = options,
	.min = 1,
	.max = 2,
	.run = run,
};
