#include "cmd.h"
#include "diag.h"
#include "store.h"

#include <stdio.h>
#include <string.h>

static gboolean log_wanted;

static const GOptionEntry options[] = {
	{"log", 0, 0, G_OPTION_ARG_NONE, &log_wanted,
		"also print the build's log, or what the program of a cell printed", NULL},
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

static bool describe(struct store *store, enum store_thing thing, int64_t id, GError **err)
{
	struct store_description *description;

	if (!store_describe(store, &description, thing, id, err))
		return false;

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
	store_description_free(description);
	return true;
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

static bool show_run(struct store *store, const char *name, GError **err)
{
	int64_t id;

	return store_run_find(store, &id, name, err) && describe(store, STORE_RUN, id, err) &&
	       print_cells(store, id, err);
}

/* What a cell's build and attempt have to tell is part of the cell: store_describe() puts them together. */
static bool show_thing(
	struct store *store, enum store_thing thing, const char *kind, const char *pattern, GError **err)
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
		if (!describe(store, thing, g_array_index(ids, int64_t, i), err))
			return false;
	}
	return true;
}

static bool show(struct store *store, char **arguments, GError **err)
{
	const char *names[G_N_ELEMENTS(things) + 1] = {NULL};

	for (size_t i = 0; i < G_N_ELEMENTS(things); i++) {
		names[i] = things[i].name;
		if (strcmp(things[i].name, arguments[0]) != 0)
			continue;
		if (things[i].thing == STORE_RUN)
			return show_run(store, arguments[1] ? arguments[1] : "latest", err);
		return show_thing(
			store, things[i].thing, things[i].name, arguments[1] ? arguments[1] : "*", err);
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
	bool ok = show(store, arguments, err);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_show = {
	.name = "show",
	.arguments = "run|cell|build|platform [NAME]",
	.summary = "one run, cell, build or platform with all that is known of it",
	.description = "run: its cells with their states; NAME is latest, latest~1, a label or the beginning "
		       "of a UUID; the last run where not given.\n\n"
		       "cell, build, platform: NAME is a glob over names, as `benchmatrix plan` prints them; "
		       "a build can also be named by the beginning of its "
		       "key. A build shows its configure line, the -O level and math back end in force, and "
		       "where it failed its first error; --log prints the "
		       "whole log.",
	.options = options,
	.min = 1,
	.max = 2,
	.run = run,
};
