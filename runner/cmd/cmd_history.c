#include "cmd.h"
#include "diag.h"
#include "figures.h"
#include "print.h"
#include "tables_history.h"

#include <string.h>
#include <unistd.h>

static char *metric, *since, *unit, *format;
static gboolean changes;
#define OF_TERMINAL G_MININT
static int width = OF_TERMINAL;

static const GOptionEntry options[] = {
	{"metric", 0, 0, G_OPTION_ARG_FILENAME, &metric,
		"what to follow (list metrics); where not given the selector's, else time", "METRIC"},
	{"since", 0, 0, G_OPTION_ARG_FILENAME, &since,
		"from that day on (2026-11-30, UTC), or from that run on", "DATE|RUN"},
	{"changes", 0, 0, G_OPTION_ARG_NONE, &changes,
		"a row for each change, and none for series without one", NULL},
	{"unit", 0, 0, G_OPTION_ARG_FILENAME, &unit, "show values in this unit, as query does", "UNIT"},
	{"width", 0, 0, G_OPTION_ARG_INT, &width,
		"break a table that is wider; the terminal's where not given, 0 never", "N"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "table, markdown, csv, json or html", "FORMAT"},
	{0},
};

/* ns since 1970; false where it is no day. */
static bool day_of(int64_t *ret, const char *text)
{
	g_autofree char *whole =
		strlen(text) == strlen("2026-11-30") ? g_strconcat(text, "T00:00:00Z", NULL) : g_strdup(text);
	g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
	g_autoptr(GDateTime) time = g_date_time_new_from_iso8601(whole, utc);

	if (!time)
		return false;
	*ret = g_date_time_to_unix(time) * 1000000000;
	return true;
}

static bool make_table(struct table **ret, struct store *store, const char *selector, GError **err)
{
	struct history_request request = {.selector = selector, .metric = metric};
	bool for_people = !format || strcmp(format, "table") == 0;
	struct history_view view = {changes, for_people && isatty(STDOUT_FILENO), unit};
	struct history *history = NULL;

	if (since && !day_of(&request.since, since))
		request.since_run = since;
	if (!history_make(&history, store, &request, err))
		return false;
	const struct history_series *first = history->series->pdata[0];
	bool ok = figures_check_unit(first->metric, unit, err);
	if (ok)
		*ret = table_of_history(history, &view);
	history_free(history);
	return ok;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct table *table = NULL;

	if (width < 0 && width != OF_TERMINAL)
		return diag_set(err, DIAG_USAGE, "--width %d is none; 0 never breaks a table", width);
	struct store *store = store_open(paths->db, STORE_READ, err);
	if (store == NULL)
		return 1;
	bool ok = make_table(&table, store, arguments[0], err);
	if (ok) {
		table->width = width == OF_TERMINAL ? print_width() : width;
		ok = print_table(table, format, err);
	}
	table_free(table);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_history = {
	.name = "history",
	.arguments = "[SELECTOR]",
	.summary = "figures over nights, and where they changed",
	.description =
		"Follows series over the runs: `benchmatrix history toolchain=aarch64-gcc --metric "
		"instructions`. A row for each series with its last change: levels before and after, by "
		"which "
		"run it came, between which revisions, and what else changed meanwhile (compiler, emulator, "
		"bench-core, machine), so that the library is not blamed for it. `--changes` has a row for "
		"each change. Where the selector leaves one series, each night has a row; on a terminal with "
		"a "
		"plot of where it lies.\n\n"
		"A night is what was measured of one revision with the same tools on one day; several "
		"results "
		"of it are one, their median. A revision range begins with the last night that is surely of "
		"the old level and ends with the first that is surely of the new one.\n\n"
		"Of exact figures (instructions, sizes) every difference is a change. Sampled ones are "
		"divided "
		"where a rank test finds levels that differ by 1 % or more, so that outliers are none; p "
		"says "
		"how often as many nights without a change would show one as clear. Twelve nights are the "
		"fewest for that, and a change shows from about five nights after it on.\n\n"
		"\"noise\" is learned from the series itself: how far a night may be from the one before "
		"without being a suspect (upper quartile of such distances and three times the distance "
		"between their quartiles; 1 % at least).\n\n"
		"Emulated time is left out unless the selector names `environment`.",
	.options = options,
	.max = 1,
	.run = run,
};
