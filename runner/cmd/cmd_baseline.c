#include "cmd.h"
#include "diag.h"
#include "store.h"

#include <stdio.h>
#include <string.h>

static bool pin(struct store *store, char **arguments, GError **err)
{
	const char *name = arguments[1], *run = arguments[2] ? arguments[2] : "latest";
	g_autoptr(GPtrArray) baselines = NULL;
	int64_t id;

	if (!store_run_find(store, &id, run, err) || !store_baseline_put(store, name, id, err) ||
		!store_baselines(store, &baselines, err))
		return false;
	for (guint i = 0; i < baselines->len; i++) {
		const struct baseline_info *baseline = baselines->pdata[i];
		const char *what = baseline->matrix ? baseline->matrix : "import";

		if (strcmp(baseline->name, name) != 0)
			continue;
		g_autofree char *shown = diag_printable(name, -1);
		g_autofree char *label = diag_printable(baseline->label ? baseline->label : "", -1);
		printf("%s: run %.8s (%s%s%s)\n", shown, baseline->uuid, what, *label ? ", " : "", label);
	}
	return true;
}

static bool drop(struct store *store, char **arguments, GError **err)
{
	if (arguments[2] != NULL)
		return diag_set(err, DIAG_USAGE, "usage: benchmatrix baseline drop NAME");
	if (!store_baseline_drop(store, arguments[1], err))
		return false;
	g_autofree char *shown = diag_printable(arguments[1], -1);
	printf("%s: dropped; its run and the results stay\n", shown);
	return true;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	bool pins = strcmp(arguments[0], "pin") == 0;

	if (!pins && strcmp(arguments[0], "drop") != 0) {
		diag_set(err, DIAG_USAGE,
			"unknown action \"%s\": it is `benchmatrix baseline pin NAME [RUN]` or `drop NAME`",
			arguments[0]);
		return DIAG_USAGE;
	}
	struct store *store = store_open(paths->db, STORE_WRITE, err);
	if (store == NULL)
		return 1;
	bool ok = pins ? pin(store, arguments, err) : drop(store, arguments, err);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_baseline = {
	.name = "baseline",
	.arguments = "pin NAME [RUN]|drop NAME",
	.summary = "give runs names that others are held against",
	.description = "pin: gives a run the name; RUN is latest (where not given), latest~1, a label or the "
		       "beginning of a UUID. A name that has a run already moves to the new one. `db prune` "
		       "keeps all that a pinned run rests on, and selectors know it: `compare run=NAME "
		       "run=latest`.\n\n"
		       "drop: takes the name away; the run and its results stay.\n\n"
		       "`benchmatrix list baselines` shows them.",
	.min = 2,
	.max = 3,
	.run = run,
};
