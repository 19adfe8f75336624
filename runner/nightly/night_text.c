#include "night_report.h"

#include <math.h>
#include <string.h>

/* A text under way. Markdown has what comes from outside in indented blocks, where nothing of it is markup.
 */
struct text {
	GString *out;
	bool markdown;
};

static const char *word(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static int whole(const json_t *object, const char *key)
{
	return (int)json_integer_value(json_object_get(object, key));
}

static double real(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static const char *plural_of(int n)
{
	return n == 1 ? "" : "s";
}

static void heading(struct text *text, const char *words)
{
	g_string_append_printf(text->out, text->markdown ? "\n## %s\n\n" : "\n%s:\n", words);
}

/* A line below a heading. */
static void line(struct text *text, const char *words)
{
	g_string_append_printf(text->out, "%s%s\n", text->markdown ? "    " : "  ", words);
}

/* --- the headline --- */

static void add_count(GString *out, int n, const char *one)
{
	if (n > 0)
		g_string_append_printf(out, "%s%d %s%s", out->len > 0 ? ", " : "", n, one, plural_of(n));
}

static int count_kind(const json_t *report, const char *kind)
{
	size_t i;
	json_t *change;
	int n = 0;

	json_array_foreach(json_object_get(report, "changes"), i, change) n +=
		strcmp(word(change, "kind"), kind) == 0;
	return n;
}

char *night_report_headline(const json_t *report)
{
	g_autoptr(GString) counts = g_string_new(NULL);
	const char *matrix = word(json_object_get(report, "run"), "matrix");

	add_count(counts, count_kind(report, "regression"), "regression");
	add_count(counts, whole(report, "new_failures"), "new failure");
	add_count(counts, count_kind(report, "improvement"), "improvement");
	add_count(counts, count_kind(report, "instrument"), "change of the instrument");
	add_count(counts, count_kind(report, "unclear"), "unclear change");
	return g_strdup_printf("%s: %s", matrix ? matrix : "-", counts->len > 0 ? counts->str : "no change");
}

/* --- failures --- */

static void add_failure(struct text *text, const json_t *failure)
{
	const char *benchmark = word(failure, "benchmark"), *reason = word(failure, "reason"),
		   *known = word(failure, "known");
	bool any = benchmark != NULL && *benchmark;
	g_autofree char *words = g_strdup_printf("%s%s%s: %s%s%s", word(failure, "cell"), any ? ", " : "",
		any ? benchmark : "", word(failure, "what"), reason ? ": " : "", reason ? reason : "");

	line(text, words);
	if (known != NULL) {
		g_autofree char *why = g_strdup_printf("  known: %s", known);
		line(text, why);
	}
}

static void add_failures(struct text *text, const json_t *report, const char *state, const char *title)
{
	size_t i;
	json_t *failure;
	bool any = false;

	json_array_foreach(json_object_get(report, "failures"), i, failure)
	{
		if (strcmp(word(failure, "state"), state) != 0)
			continue;
		if (!any)
			heading(text, title);
		any = true;
		add_failure(text, failure);
	}
}

/* --- changes --- */

static char *percent_text(double percent)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];
	const char *format = fabs(percent) >= 99.5 ? "%+.0f" : fabs(percent) >= 0.95 ? "%+.1f" : "%+.2g";

	if (isnan(percent))
		return g_strdup("?");
	return g_strdup_printf("%s %%", g_ascii_formatd(buffer, sizeof buffer, format, percent));
}

/* "+5.2 % instructions  sha-256 hash 16384, x86_64-gcc default crypto -O2 on qemu" */
static void add_series(struct text *text, const json_t *series, bool parts)
{
	g_autofree char *percent = percent_text(real(series, "percent"));
	const char *block = word(series, "block"), *platform = word(series, "platform");
	g_autoptr(GString) words = g_string_new(NULL);

	g_string_append_printf(words, "%s %s  %s%s%s, %s %s %s %s%s%s", percent, word(series, "metric"),
		word(series, "benchmark"), block ? " " : "", block ? block : "", word(series, "toolchain"),
		word(series, "config"), word(series, "profile"), word(series, "optimisation"),
		platform ? " on " : "", platform ? platform : "");
	if (parts) {
		g_autofree char *library = percent_text(real(series, "percent_library")),
				*instrument = percent_text(real(series, "percent_instrument"));
		g_string_append_printf(words, " (library %s, instrument %s)", library, instrument);
	}
	line(text, words->str);
}

static char *revision_text(const char *revision)
{
	bool commit =
		revision != NULL && strlen(revision) == 40 && strspn(revision, "0123456789abcdef") == 40;

	return g_strndup(revision ? revision : "unknown", commit ? 12 : 200);
}

static char *title_of(const json_t *change, const char *title)
{
	const char *first = word(change, "from"), *last = word(change, "to");
	g_autofree char *from = revision_text(first), *to = revision_text(last);
	bool same = g_strcmp0(first, last) == 0;

	return g_strdup_printf("%s: %s %s %s%s%s", title, word(change, "library"), word(change, "version"),
		from, same ? "" : "..", same ? "" : to);
}

static void add_log(struct text *text, const json_t *change)
{
	size_t i;
	json_t *entry;

	json_array_foreach(json_object_get(change, "log"), i, entry) line(text, json_string_value(entry));
}

static void add_cause(struct text *text, const json_t *change, bool instrument)
{
	const char *what = word(change, "instrument"), *reason = word(change, "reason");

	if (what != NULL)
		line(text, what);
	else if (instrument)
		line(text, "nothing that is known of the instrument changed; the old revision measures "
			   "otherwise "
			   "today");
	if (reason != NULL)
		line(text, reason);
}

static void add_change(struct text *text, const json_t *change, const char *title)
{
	bool instrument = strcmp(word(change, "kind"), "instrument") == 0;
	const char *run = word(change, "confirmed_by");
	g_autofree char *words = title_of(change, title);
	bool parts = word(change, "instrument") != NULL;
	size_t i;
	json_t *series;

	heading(text, words);
	if (!instrument)
		add_log(text, change);
	add_cause(text, change, instrument);
	json_array_foreach(json_object_get(change, "series"), i, series) add_series(text, series, parts);
	if (run != NULL) {
		g_autofree char *again = g_strdup_printf("measured again by run %.8s", run);
		line(text, again);
	}
}

static void add_changes(struct text *text, const json_t *report, const char *kind, const char *title)
{
	size_t i;
	json_t *change;

	json_array_foreach(json_object_get(report, "changes"), i,
		change) if (strcmp(word(change, "kind"), kind) == 0) add_change(text, change, title);
}

/* --- the whole --- */

static void add_summary(struct text *text, const json_t *report)
{
	const json_t *run = json_object_get(report, "run");
	int compared = whole(report, "compared"), fresh = whole(report, "new_series");
	g_autofree char *headline = night_report_headline(report);

	g_string_append_printf(text->out, text->markdown ? "# %s\n\n" : "nightly %s\n", headline);
	g_string_append_printf(text->out,
		"run %.8s of %s: %d cell%s: %d ok, %d partial, %d failed; %d figure%s held against the "
		"baseline "
		"%s",
		word(run, "uuid"), word(run, "started"), whole(run, "cells"), plural_of(whole(run, "cells")),
		whole(run, "ok"), whole(run, "partial"), whole(run, "failed"), compared, plural_of(compared),
		word(report, "baseline"));
	if (fresh > 0)
		g_string_append_printf(text->out, ", %d new", fresh);
	g_string_append_c(text->out, '\n');
}

char *night_report_text(const json_t *report, bool markdown)
{
	struct text text = {g_string_new(NULL), markdown};

	add_summary(&text, report);
	add_failures(&text, report, "new", "Failed, new");
	add_changes(&text, report, "regression", "Regression");
	add_changes(&text, report, "improvement", "Improvement");
	add_changes(&text, report, "instrument", "The instrument changed, not the library");
	add_changes(&text, report, "unclear", "Suspected, and not decided");
	add_changes(&text, report, "refuted", "Suspected, and not confirmed");
	add_failures(&text, report, "old", "Failed, as in the baseline");
	add_failures(&text, report, "known", "Failed, known");
	return g_string_free(text.out, FALSE);
}
