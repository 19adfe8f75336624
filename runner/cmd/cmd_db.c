#include "cmd.h"
#include "diag.h"
#include "print.h"
#include "store.h"
#include "strangers.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static char *older_than, *format;
static gboolean dry_run, functions, shrink, remove_found;

static const GOptionEntry options[] = {
	{"older-than", 0, 0, G_OPTION_ARG_FILENAME, &older_than,
		"prune: how old a text must be, such as 90d, 12w or 2y", "AGE"},
	{"functions", 0, 0, G_OPTION_ARG_NONE, &functions,
		"prune: also counts by function, which `compare --functions` reads", NULL},
	{"dry-run", 0, 0, G_OPTION_ARG_NONE, &dry_run, "prune: only tell what would go", NULL},
	{"shrink", 0, 0, G_OPTION_ARG_NONE, &shrink,
		"prune: also give the room back to the disk; nobody else can write meanwhile", NULL},
	{"remove", 0, 0, G_OPTION_ARG_NONE, &remove_found, "spool: remove what is told", NULL},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "size: table, markdown, csv or json", "FORMAT"},
	{0},
};

static int check(struct store *store, const char *argument, GError **err)
{
	g_autoptr(GPtrArray) problems = NULL;

	(void)argument;
	if (!store_check(store, &problems, err))
		return 1;
	for (guint i = 0; i < problems->len; i++) {
		g_autofree char *problem = diag_printable(problems->pdata[i], -1);
		printf("%s\n", problem);
	}
	if (problems->len > 0)
		printf("%s: %u problem%s\n", store_file(store), problems->len, problems->len == 1 ? "" : "s");
	else
		printf("%s: no problem found\n", store_file(store));
	return problems->len > 0 ? 1 : 0;
}

static int64_t file_size(const char *file)
{
	GStatBuf there;

	return g_stat(file, &there) == 0 ? (int64_t)there.st_size : 0;
}

static int backup(struct store *store, const char *file, GError **err)
{
	if (!store_backup(store, file, err))
		return 1;
	g_autofree char *size = print_size(file_size(file));
	printf("%s: a whole copy of %s, %s\n", file, store_file(store), size);
	return 0;
}

/* "90d" -> seconds. */
static bool parse_age(int64_t *ret, const char *text, GError **err)
{
	static const struct {
		char letter;
		int64_t seconds;
	} units[] = {{'h', 3600}, {'d', 86400}, {'w', 7 * 86400}, {'m', 30 * 86400}, {'y', 365 * 86400}};
	char *end = NULL;
	guint64 n = text ? g_ascii_strtoull(text, &end, 10) : 0;

	if (text && end != text && g_ascii_isdigit(*text) && *end && !end[1] && n < 100000)
		for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
			if (units[i].letter == *end) {
				*ret = (int64_t)n * units[i].seconds;
				return true;
			}
	return diag_set(err, DIAG_USAGE,
		"%s%s%s; say how old texts must be that go: --older-than 90d (h, d, w, m of 30 days, y)",
		text ? "\"" : "prune", text ? text : " needs an age", text ? "\" is no age" : "");
}

static int prune(struct store *store, const char *argument, GError **err)
{
	struct prune_result result = {0};
	int64_t age = 0;

	(void)argument;
	if (!parse_age(&age, older_than, err))
		return 1;
	const struct prune_spec spec = {
		.before = (g_get_real_time() / G_USEC_PER_SEC - age) * 1000000000,
		.functions = functions,
		.dry = dry_run,
	};
	if (!store_prune(store, &result, &spec, err) || (shrink && !dry_run && !store_shrink(store, err)))
		return 1;
	g_autofree char *size = print_size(result.bytes);
	printf("%s: %" G_GINT64_FORMAT " text%s, %s%s\n", dry_run ? "would give up" : "gave up", result.texts,
		result.texts == 1 ? "" : "s", size,
		dry_run || shrink || result.texts == 0
			? ""
			: "; the file fills this room again before it grows (--shrink gives it back)");
	return 0;
}

static void put(struct table *table, const char *name, const char *rows, int64_t count, int64_t bytes)
{
	struct table_cell *cells = table_add_row(table);

	cells[0].text = g_strdup(name);
	cells[1].text = g_strdup(rows);
	cells[1].number = count >= 0 ? (double)count : NAN;
	cells[2].text = print_size(bytes);
	cells[2].number = (double)bytes;
}

static void put_sizes(struct table *table, const GPtrArray *sizes, const char *file)
{
	g_autofree char *log = g_strconcat(file, "-wal", NULL);
	int64_t whole = file_size(file), rest = whole;

	for (guint i = 0; i < sizes->len; i++) {
		const struct table_size *size = sizes->pdata[i];
		g_autofree char *rows =
			size->rows < 0 ? g_strdup("index") : g_strdup_printf("%" G_GINT64_FORMAT, size->rows);

		put(table, size->name, rows, size->rows, size->bytes);
		rest -= size->bytes;
	}
	/* What is still in the log may make the tables larger than the file. */
	g_autofree char *free_room = print_size(rest), *total = print_size(whole);
	g_autofree char *in_log = print_size(file_size(log));
	table_add_footer(table, "file: %s, of which %s free; log beside it: %s", total, free_room, in_log);
}

static int size(struct store *store, const char *argument, GError **err)
{
	g_autoptr(GPtrArray) sizes = NULL;
	struct table *table;

	(void)argument;
	if (!store_sizes(store, &sizes, err))
		return 1;
	table = table_new(store_file(store));
	table_add_column(table, "name", "table or index", NULL, TABLE_LEFT);
	table_add_column(table, "rows", "rows", NULL, TABLE_RIGHT);
	table_add_column(table, "bytes", "size", "B", TABLE_RIGHT);
	put_sizes(table, sizes, store_file(store));
	bool ok = print_table(table, format, err);
	table_free(table);
	return ok ? 0 : 1;
}

static bool tell_or_remove(const struct strangers *strangers, const char *db, GError **err)
{
	g_autofree char *text = strangers_text(strangers), *plain = diag_printable(text, -1);

	if (remove_found && !strangers_remove(strangers, db, err))
		return false;
	printf("%s%s\n", remove_found ? "removed: " : "", plain);
	return true;
}

static int spool(struct store *store, const char *argument, GError **err)
{
	g_autoptr(GPtrArray) all = NULL;

	(void)argument;
	if (!strangers_find(&all, store, err))
		return 1;
	for (guint i = 0; i < all->len; i++)
		if (!tell_or_remove(all->pdata[i], store_file(store), err))
			return 1;
	if (all->len == 0)
		printf("%s: its spool holds nothing that it does not know\n", store_file(store));
	else if (!remove_found)
		printf("a database that knows them takes them in with its next run; --remove removes them\n");
	return 0;
}

static const struct {
	const char *name, *argument; /* argument NULL: it takes none */
	enum store_mode mode;
	int (*run)(struct store *store, const char *argument, GError **err);
} actions[] = {
	{"check", NULL, STORE_READ, check},
	{"backup", "FILE", STORE_READ, backup},
	{"prune", NULL, STORE_WRITE, prune},
	{"size", NULL, STORE_READ, size},
	{"spool", NULL, STORE_READ, spool},
};

static bool find_action(size_t *ret, char **arguments, GError **err)
{
	const char *names[G_N_ELEMENTS(actions) + 1] = {NULL};
	const char *nearest;

	for (size_t i = 0; i < G_N_ELEMENTS(actions); i++) {
		names[i] = actions[i].name;
		if (strcmp(actions[i].name, arguments[0]) != 0)
			continue;
		*ret = i;
		return (actions[i].argument != NULL) == (arguments[1] != NULL) ||
		       diag_set(err, DIAG_USAGE, "usage: benchmatrix db %s %s", actions[i].name,
			       actions[i].argument ? actions[i].argument : "[OPTION...]");
	}
	nearest = diag_nearest(arguments[0], names);
	return diag_set(err, DIAG_USAGE,
		"unknown action \"%s\"%s%s%s; it is `benchmatrix db check`, `backup FILE`, `prune`, `size` "
		"or `spool`",
		arguments[0], nearest ? "; did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "");
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	size_t action = 0;
	int64_t age = 0;

	/* A wrong age is told before the database is opened. */
	if (!find_action(&action, arguments, err) ||
		(actions[action].run == prune && !parse_age(&age, older_than, err)))
		return 1;
	struct store *store = store_open(paths->db, dry_run ? STORE_READ : actions[action].mode, err);
	if (store == NULL)
		return 1;
	int status = actions[action].run(store, arguments[1], err);
	store_close(store);
	return status;
}

const struct cmd cmd_db = {
	.name = "db",
	.arguments = "check|backup FILE|prune|size|spool",
	.summary = "look after the database",
	.description =
		"check: tests the file's integrity, its references and our own rules: every raw text "
		"has its hash, every figure its "
		"right answer, every sampled figure its samples, equal exact keys equal results. Exit "
		"status 1 where a problem is found.\n\n"
		"backup: writes a whole copy while others may go on writing; an older copy of that name is "
		"replaced when the new one is whole. To restore, remove the database with the files "
		"DATABASE-wal "
		"and DATABASE-shm beside it, and copy the backup to its place.\n\n"
		"prune: gives up what programs and builds printed before the age that --older-than names, "
		"unless anything younger or a baseline rests on it (`benchmatrix help baseline`). Figures, "
		"samples, outcomes and the documents of imports stay, and counts by function unless "
		"--functions gives them up; so do a text's size and hash, and `show` says when it went.\n\n"
		"size: what each table and index takes.\n\n"
		"spool: what killed runs have left beside the database that no run takes in, since the "
		"database does not know them: it stands where another one stood. --remove removes it.",
	.options = options,
	.min = 1,
	.max = 2,
	.run = run,
};
