/* RFC 4180 with a header line and LF: one figure a line, in base units. */
#include "diag.h"
#include "export_out.h"

#include <math.h>
#include <string.h>

static const char *const columns[] = {"source", "environment", "kind", "value", "unit", "n", "minimum",
	"quartile_1", "median", "quartile_3", "maximum", "mean", "sd", "printed", "printed_unit",
	"printed_name", "arch", "revision", "compiler", "optimisation_effective", "math", "emulator", "run",
	"run_label", "attempt", "time", "carried", "notes"};

/* Whether a spreadsheet would run the text as a formula. A sign in front of a word or number (-O2) runs
 * nothing. */
static bool is_formula(const char *text)
{
	if (*text == '+' || *text == '-')
		return strpbrk(text, "(|!=") != NULL;
	return *text && strchr("=@\t", *text);
}

static void field(GString *out, const char *text)
{
	g_autofree char *printable = text ? diag_printable(text, -1) : NULL;
	bool formula = printable && is_formula(printable);

	g_string_append_c(out, ',');
	if (!printable)
		return;
	if (!formula && !strpbrk(printable, ",\"\n")) {
		g_string_append(out, printable);
		return;
	}
	g_string_append(out, formula ? "\"'" : "\"");
	for (const char *at = printable; *at; at++) {
		if (*at == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *at);
	}
	g_string_append_c(out, '"');
}

static void number(GString *out, double value)
{
	g_string_append_c(out, ',');
	if (isfinite(value))
		put_number(out, value);
}

static void figure(GString *out, const struct result *result)
{
	const struct figure *figure = &result->figure;
	g_autofree char *unit = figure_unit(result);

	number(out, figure_value(figure));
	field(out, unit);
	number(out, figure->n > 0 ? (double)figure->n : (double)NAN);
	number(out, figure->min);
	number(out, figure->q1);
	number(out, figure->median);
	number(out, figure->q3);
	number(out, figure->max);
	number(out, figure->mean);
	number(out, figure->sd);
}

/* How the value was printed. */
static void printed(GString *out, const struct result *result, const GPtrArray *printings)
{
	const char *statistic = figure_statistic(&result->figure);
	const struct printing *found = NULL;

	for (guint i = 0; i < printings->len && !found; i++) {
		const struct printing *printing = printings->pdata[i];
		/* A figure of one value is each statistic. */
		if (result->figure.n == 1 || strcmp(printing->statistic, statistic) == 0)
			found = printing;
	}
	field(out, found ? found->text : NULL);
	field(out, found ? found->unit : NULL);
	field(out, found ? found->name : NULL);
}

static void context(GString *out, const struct result *result, const char *attempt)
{
	g_autofree char *notes = g_strjoinv("; ", (char **)result->notes);

	field(out, result->what.arch);
	field(out, result->what.revision);
	field(out, result->compiler);
	field(out, result->optimisation_effective);
	field(out, result->math);
	field(out, result->emulator);
	field(out, result->run_uuid);
	field(out, result->run_label);
	field(out, attempt);
	g_string_append_c(out, ',');
	put_time(out, result->started_at);
	field(out, result->carried ? "yes" : "no");
	field(out, notes);
}

static bool row(struct export_out *out, const struct result *result)
{
	const struct attempt_context *attempt = out_context(out, result);
	g_autoptr(GPtrArray) printings = out_printings(out, result);
	gsize start = out->text->len;

	if (out->error)
		return false;
	for (int i = 0; i < LABEL_COUNT; i++)
		field(out->text, result->what.labels.v[i]);
	g_string_erase(out->text, (gssize)start, 1); /* the first comma */
	field(out->text, source_names[result->what.source]);
	field(out->text, environment_names[result->what.environment]);
	field(out->text, kind_names[result->what.kind]);
	figure(out->text, result);
	printed(out->text, result, printings);
	context(out->text, result, attempt->uuid);
	g_string_append_c(out->text, '\n');
	out->count.figures++;
	return out_room(out);
}

static void write_all(struct export_out *out, const struct export_set *set)
{
	for (int i = 0; i < LABEL_COUNT; i++)
		g_string_append_printf(out->text, "%s%s", i > 0 ? "," : "", label_keys[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
		g_string_append_printf(out->text, ",%s", columns[i]);
	g_string_append_c(out->text, '\n');
	for (guint i = 0; i < set->results->len; i++)
		if (!row(out, set->results->pdata[i]))
			return;
}

const struct exporter exporter_csv = {"csv",
	"one line per figure in base units, for spreadsheets and scripts", "text/csv; charset=utf-8", NULL,
	false, write_all};
