#include "cache_entries.h"
#include "cache_prune.h"
#include "cmd.h"
#include "diag.h"
#include "print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static char *format, *size, *older;
static gboolean all, dry_run;

static const GOptionEntry options[] = {
	{"all", 0, 0, G_OPTION_ARG_NONE, &all, "show: every entry", NULL},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "show: table, markdown, csv or json", "FORMAT"},
	{"size", 0, 0, G_OPTION_ARG_FILENAME, &size, "prune: what may stay, such as 10G or 500M", "SIZE"},
	{"older", 0, 0, G_OPTION_ARG_FILENAME, &older, "prune: what was not used for so many days goes",
		"DAYS"},
	{"dry-run", 0, 0, G_OPTION_ARG_NONE, &dry_run, "prune: only tell what would go", NULL},
	{0},
};

/* NULL for a time that is not known. */
static char *utc(int64_t ns)
{
	if (ns < 0)
		return NULL;
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(ns / 1000000000);
	return time ? g_date_time_format(time, "%Y-%m-%d %H:%M:%S") : NULL;
}

static struct table *new_table(const char *first, const char *second)
{
	struct table *table = table_new("cache");

	table_add_column(table, "kind", "kind", NULL, TABLE_LEFT);
	table_add_column(table, first, first, NULL, second ? TABLE_LEFT : TABLE_RIGHT);
	if (second)
		table_add_column(table, second, second, NULL, TABLE_LEFT);
	table_add_column(table, "bytes", "size", "B", TABLE_RIGHT);
	table_add_column(table, "last_use", "last use (UTC)", NULL, TABLE_LEFT);
	table_add_column(table, "pinned", "pinned", NULL, second ? TABLE_LEFT : TABLE_RIGHT);
	return table;
}

static void set_number(struct table_cell *cell, char *text, double number)
{
	cell->text = text;
	cell->number = number;
}

static void add_entry(struct table *table, const struct cache_entry *entry)
{
	struct table_cell *cells = table_add_row(table);
	bool is_key = strlen(entry->name) == 64;

	for (guint i = 0; i < table->columns->len; i++)
		cells[i].number = NAN;
	cells[0].text = g_strdup(cache_kind_names[entry->kind]);
	cells[1].raw = diag_printable(entry->name, -1);
	cells[1].text = is_key ? g_strndup(entry->name, 12) : g_strdup(cells[1].raw);
	cells[2].text = entry->build ? diag_printable(entry->build, -1) : NULL;
	set_number(&cells[3], print_size(entry->bytes), (double)entry->bytes);
	cells[4].text = utc(entry->used_at);
	cells[5].text = g_strdup(entry->pinned ? "yes" : "no");
}

static struct table *table_of_entries(const GPtrArray *entries)
{
	struct table *table = new_table("entry", "build");

	for (guint i = 0; i < entries->len; i++)
		add_entry(table, entries->pdata[i]);
	return table;
}

struct sum {
	int entries, pinned;
	int64_t bytes, used_at; /* the last use of any; -1: of none */
};

static void add_to(struct sum *sum, const struct cache_entry *entry)
{
	sum->entries++;
	sum->pinned += entry->pinned;
	sum->bytes += entry->bytes;
	sum->used_at = MAX(sum->used_at, entry->used_at);
}

static void add_sum(struct table *table, const char *name, const struct sum *sum)
{
	struct table_cell *cells = table_add_row(table);

	cells[0] = (struct table_cell){.text = g_strdup(name), .number = NAN};
	set_number(&cells[1], g_strdup_printf("%d", sum->entries), sum->entries);
	set_number(&cells[2], print_size(sum->bytes), (double)sum->bytes);
	cells[3] = (struct table_cell){.text = utc(sum->used_at), .number = NAN};
	set_number(&cells[4], g_strdup_printf("%d", sum->pinned), sum->pinned);
}

static struct table *table_of_kinds(const GPtrArray *entries)
{
	struct table *table = new_table("entries", NULL);
	struct sum sums[CACHE_KIND_COUNT], total = {.used_at = -1};

	for (int kind = 0; kind < CACHE_KIND_COUNT; kind++)
		sums[kind] = (struct sum){.used_at = -1};
	for (guint i = 0; i < entries->len; i++) {
		const struct cache_entry *entry = entries->pdata[i];

		add_to(&sums[entry->kind], entry);
		add_to(&total, entry);
	}
	for (int kind = 0; kind < CACHE_KIND_COUNT; kind++)
		add_sum(table, cache_kind_names[kind], &sums[kind]);
	add_sum(table, "all", &total);
	return table;
}

static char *limit_text(int64_t limit)
{
	return limit == CACHE_NO_LIMIT ? g_strdup("none") : print_size(limit);
}

static int show(const struct paths *paths, GError **err)
{
	g_autoptr(GPtrArray) entries = NULL;
	int64_t limit;

	if (!cache_size_limit(&limit, err) || !cache_entries(&entries, paths->cache, err))
		return DIAG_FAILED;

	struct table *table = all ? table_of_entries(entries) : table_of_kinds(entries);
	g_autofree char *text = limit_text(limit);
	table_add_footer(table, "folder: %s", paths->cache);
	table_add_footer(table, "limit: %s ($BENCHMATRIX_CACHE_SIZE)", text);
	bool ok = print_table(table, format, err);
	table_free(table);
	return ok ? 0 : DIAG_FAILED;
}

static bool read_spec(struct cache_prune_spec *spec, GError **err)
{
	*spec = (struct cache_prune_spec){
		.bytes = CACHE_NO_LIMIT, .older_s = NAN, .asked = size || older, .dry_run = dry_run};
	if (size && !cache_size_parse(&spec->bytes, size))
		return diag_set(
			err, DIAG_USAGE, "--size %s: a size is such as 10G, 500M or a number of bytes", size);
	if (older) {
		char *end;
		double days = g_ascii_strtod(older, &end);

		if (end == older || *end || !(days >= 0))
			return diag_set(err, DIAG_USAGE, "--older %s: a number of days", older);
		spec->older_s = days * 86400;
	}
	if (spec->asked)
		return true;
	if (!cache_size_limit(&spec->bytes, err))
		return false;
	return spec->bytes != CACHE_NO_LIMIT ||
	       diag_set(err, DIAG_USAGE,
		       "BENCHMATRIX_CACHE_SIZE sets no limit: name one with --size or --older");
}

static void tell_kept(const struct cache_pruned *pruned, const struct cache_prune_spec *spec)
{
	g_autofree char *kept = print_size(pruned->kept_bytes), *limit = limit_text(spec->bytes);
	g_autofree char *pinned = print_size(pruned->kept_pinned), *used = print_size(pruned->kept_in_use);

	printf("%s stay%s; the limit is %s\n", kept, dry_run ? " then" : "", limit);
	if (pruned->kept_bytes <= spec->bytes)
		return;
	printf("above the limit: %s are pinned, %s ", pinned, used);
	if (pruned->processes > 0)
		printf("may be in use by %d process%s that %s the cache open, or were used within the last "
		       "day\n",
			pruned->processes, pruned->processes == 1 ? "" : "es",
			pruned->processes == 1 ? "has" : "have");
	else
		printf("were used within the last day\n");
}

static int prune(const struct paths *paths, GError **err)
{
	struct cache_prune_spec spec;
	struct cache_pruned pruned;

	if (!read_spec(&spec, err) || !cache_prune(&pruned, paths->cache, &spec, err))
		return DIAG_FAILED;
	if (dry_run && pruned.removed->len > 0) {
		struct table *table = table_of_entries(pruned.removed);
		print_table(table, NULL, NULL);
		table_free(table);
		printf("\n");
	}
	g_autofree char *removed = print_size(pruned.removed_bytes);
	printf("%u entr%s of %s %s\n", pruned.removed->len, pruned.removed->len == 1 ? "y" : "ies", removed,
		dry_run ? "would be removed" : "removed");
	tell_kept(&pruned, &spec);
	cache_pruned_clear(&pruned);
	return pruned.kept_bytes > spec.bytes ? DIAG_FAILED : 0;
}

static bool set_pins(
	const struct paths *paths, GPtrArray *entries, const char *pattern, bool pinned, GError **err)
{
	guint meant = 0, changed = 0;

	for (guint i = 0; i < entries->len; i++) {
		struct cache_entry *entry = entries->pdata[i];

		if (!cache_entry_matches(entry, pattern))
			continue;
		meant++;
		if (entry->pinned == pinned)
			continue;
		if (!cache_entry_pin(entry, paths->cache, pinned, err))
			return false;
		changed++;
	}
	if (meant == 0)
		return diag_set(err, DIAG_INPUT,
			"%s has no entry \"%s\": `benchmatrix cache show --all` lists keys and builds",
			paths->cache, pattern);
	printf("%s: %u entr%s %s\n", pattern, changed, changed == 1 ? "y" : "ies",
		pinned ? "pinned" : "no longer pinned");
	return true;
}

static int pin(const struct paths *paths, char **patterns, bool pinned, GError **err)
{
	g_autoptr(GPtrArray) entries = NULL;

	if (!cache_entries(&entries, paths->cache, err))
		return DIAG_FAILED;
	for (char **pattern = patterns; *pattern; pattern++)
		if (!set_pins(paths, entries, *pattern, pinned, err))
			return DIAG_FAILED;
	return 0;
}

static bool options_fit(const char *action, GError **err)
{
	const char *for_show = all ? "--all" : format ? "--format" : NULL;
	const char *for_prune = size ? "--size" : older ? "--older" : dry_run ? "--dry-run" : NULL;

	if (for_show && strcmp(action, "show") != 0)
		return diag_set(err, DIAG_USAGE, "%s belongs to `benchmatrix cache show`", for_show);
	if (for_prune && strcmp(action, "prune") != 0)
		return diag_set(err, DIAG_USAGE, "%s belongs to `benchmatrix cache prune`", for_prune);
	return true;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	static const char *const actions[] = {"show", "prune", "pin", "unpin", NULL};
	const char *action = arguments[0] ? arguments[0] : "show";
	char **rest = arguments[0] ? arguments + 1 : arguments;
	bool pins = strcmp(action, "pin") == 0 || strcmp(action, "unpin") == 0;

	if (!g_strv_contains(actions, action)) {
		const char *nearest = diag_nearest(action, actions);

		diag_set(err, DIAG_USAGE, "unknown action \"%s\"%s%s%s: it is one of show prune pin unpin",
			action, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
			nearest ? "\"?" : "");
		return DIAG_USAGE;
	}
	if (!options_fit(action, err))
		return DIAG_USAGE;
	if (pins != (*rest != NULL)) {
		diag_set(err, DIAG_USAGE,
			pins ? "usage: benchmatrix cache %s PATTERN..."
			     : "usage: benchmatrix cache %s [OPTION...]",
			action);
		return DIAG_USAGE;
	}
	if (pins)
		return pin(paths, rest, strcmp(action, "pin") == 0, err);
	return strcmp(action, "show") == 0 ? show(paths, err) : prune(paths, err);
}

const struct cmd cmd_cache = {
	.name = "cache",
	.arguments = "[show|prune|pin PATTERN...|unpin PATTERN...]",
	.summary = "look after the folder of sources and builds",
	.description =
		"show: how much of what kind is kept, and when it was last used; with --all every entry.\n\n"
		"prune: removes what was not used for longest until the rest fits into --size, and with "
		"--older "
		"whatever was not used for so many days. Without either the limit is $BENCHMATRIX_CACHE_SIZE "
		"(20G "
		"where it is not set, 0 for none), to which each run prunes at its end. What is pinned "
		"stays, and "
		"what a process that has the cache open may be using; what was used within the last day "
		"stays too, "
		"unless --size or --older is given and no process has the cache open. Exit status 1 where "
		"the rest "
		"is above the limit.\n\n"
		"pin, unpin: keeps the entries from being removed that PATTERN means: the beginning of a "
		"key, or a "
		"build's name with * and ?, such as \"aarch64-gcc wolfssl-5.5.4 *\".",
	.options = options,
	.min = 0,
	.max = -1,
	.run = run,
};
