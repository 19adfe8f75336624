#include "cmd.h"
#include "store.h"

#include <stdio.h>

static void print_count(int64_t n, const char *word, const char *end)
{
	printf("%" G_GINT64_FORMAT " %s%s%s", n, word, n == 1 ? "" : "s", end);
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct store *store = store_open(paths->db, STORE_WRITE, err);
	struct merge_result result = {0};

	if (store == NULL)
		return 1;
	bool ok = store_merge(store, &result, arguments[0], err);
	store_close(store);
	if (!ok)
		return 1;
	printf("new from %s: ", arguments[0]);
	print_count(result.runs, "run", ", ");
	print_count(result.attempts, "attempt", ", ");
	print_count(result.measurements, "figure", ", ");
	print_count(result.platforms, "platform", "\n");
	return 0;
}

const struct cmd cmd_merge = {
	.name = "merge",
	.arguments = "FILE",
	.summary = "take in the results of another database",
	.description =
		"Takes in what the database FILE has and this one lacks: runs, imports, platforms, "
		"baselines, "
		"aliases. Each is known by its UUID, so that doing it again changes nothing, and a run that "
		"went "
		"on meanwhile is taken in to where it is. FILE is only read.\n\n"
		"A platform of another machine that has the name of one here gets the beginning of its UUID "
		"behind its name. The same document imported on both sides stays one. Where both have a "
		"baseline or alias of one name, the one here stays.",
	.min = 1,
	.max = 1,
	.run = run,
};
