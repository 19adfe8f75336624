#include "document_text.h"

#include <math.h>
#include <string.h>

/* Names that are told. */
#define NAMES 10

struct counts {
	size_t figures, quarantined, derived;
	GPtrArray *unknown; /* const char *: names that no benchmark has, each once */
};

static void count_part(struct counts *counts, const struct document_part *part)
{
	size_t printed = 0; /* measurements that a number stands for: readings come in their order */

	for (guint i = 0; i < part->readings->len; i++) {
		const struct document_reading *reading =
			&g_array_index(part->readings, struct document_reading, i);
		if (reading->measurement >= 0)
			printed = MAX(printed, (size_t)reading->measurement + 1);
		counts->quarantined += reading->problem != NULL;
		if (!reading->labels.v[LABEL_BENCHMARK] &&
			!g_ptr_array_find_with_equal_func(counts->unknown, reading->name, g_str_equal, NULL))
			g_ptr_array_add(counts->unknown, (gpointer)reading->name);
	}
	counts->figures += printed;
	counts->derived += part->measurements->len - printed;
}

static struct counts count(const struct document *document)
{
	struct counts counts = {.unknown = g_ptr_array_new()};

	for (guint i = 0; i < document->parts->len; i++)
		count_part(&counts, document->parts->pdata[i]);
	return counts;
}

size_t document_counting(const struct document *document)
{
	struct counts counts = count(document);

	g_ptr_array_unref(counts.unknown);
	return counts.figures;
}

static void add_count(GString *out, size_t n, const char *one, const char *many)
{
	if (n > 0)
		g_string_append_printf(out, ", %zu %s", n, n == 1 ? one : many);
}

void document_line(GString *out, const struct document *document, const char *instead)
{
	struct counts counts = count(document);

	g_string_append_printf(out, "%s: ", document->source.name);
	if (instead) {
		g_string_append(out, instead);
	} else {
		g_string_append_printf(out, "%s, %zu line%s: %zu figure%s", document->importer->name,
			document->lines, document->lines == 1 ? "" : "s", counts.figures,
			counts.figures == 1 ? "" : "s");
		add_count(out, counts.derived, "that follows", "that follow");
		add_count(out, counts.quarantined, "quarantined", "quarantined");
		add_count(out, counts.unknown->len, "unknown name", "unknown names");
		add_count(out, document->remarks->len, "line not understood", "lines not understood");
		add_count(out, document->other, "other line", "other lines");
	}
	g_ptr_array_unref(counts.unknown);
}

/* --- doubts --- */

struct telling_doubts {
	GString *out;
	const struct document *document;
	size_t most, told;
};

static void tell_doubt(struct telling_doubts *telling, size_t line, const char *what, const char *printed,
	const char *unit, const char *problem)
{
	bool said = *printed && g_str_has_prefix(problem, printed);

	if (telling->told++ >= telling->most)
		return;
	if (said)
		printed = unit = "";
	g_string_append_printf(telling->out, "%s:%zu: ", telling->document->source.name, line);
	if (*what || *printed) /* the end of a document has neither */
		g_string_append_printf(telling->out, "%.200s%s%s%s%s: ", what, *printed ? " " : "", printed,
			*unit ? " " : "", unit);
	g_string_append_printf(telling->out, "%s\n", problem);
}

static void tell_part(struct telling_doubts *telling, const struct document_part *part)
{
	for (guint i = 0; i < part->readings->len; i++) {
		const struct document_reading *reading =
			&g_array_index(part->readings, struct document_reading, i);
		if (reading->problem)
			tell_doubt(telling, reading->line, reading->name, reading->printed, reading->unit,
				reading->problem);
	}
}

static void tell_unknown(GString *out, const struct document *document)
{
	struct counts counts = count(document);

	for (guint i = 0; i < counts.unknown->len && i < NAMES; i++)
		g_string_append_printf(
			out, "%s\"%s\"", i > 0 ? ", " : "unknown names: ", (char *)counts.unknown->pdata[i]);
	if (counts.unknown->len > NAMES)
		g_string_append_printf(out, " and %u more", counts.unknown->len - NAMES);
	if (counts.unknown->len > 0)
		g_string_append_printf(out, "; `benchmatrix alias add %s NAME BENCHMARK` makes one count\n",
			document->importer->name);
	g_ptr_array_unref(counts.unknown);
}

void document_doubts(GString *out, const struct document *document, size_t most)
{
	struct telling_doubts telling = {out, document, most, 0};

	for (guint i = 0; i < document->parts->len; i++)
		tell_part(&telling, document->parts->pdata[i]);
	for (guint i = 0; i < document->remarks->len; i++) {
		const struct document_remark *remark =
			&g_array_index(document->remarks, struct document_remark, i);
		tell_doubt(&telling, remark->line, remark->text, "", "", remark->problem);
	}
	if (most > 0 && telling.told > most)
		g_string_append_printf(
			out, "and %zu more like these: `benchmatrix list readings`\n", telling.told - most);
	for (guint i = 0; i < document->parts->len; i++) {
		const struct document_part *part = document->parts->pdata[i];
		for (const char *const *note = part->notes; *note; note++)
			g_string_append_printf(out, "%s: note: %s\n", document->source.name, *note);
	}
	tell_unknown(out, document);
}

/* --- the table --- */

static void set(struct table_cell *cells, guint column, const char *text)
{
	cells[column].text = g_strdup(text);
	cells[column].number = (double)NAN;
}

static char *value_text(const struct document_reading *reading)
{
	static const char *const words[IMPORT_STATISTIC_COUNT] = {[IMPORT_MEAN] = "",
		[IMPORT_BEST] = " best",
		[IMPORT_MEDIAN] = " median",
		[IMPORT_WORST] = " worst"};
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	if (isnan(reading->value))
		return NULL;
	g_ascii_formatd(number, sizeof number, "%.6g", reading->value);
	return g_strdup_printf("%s %s/%s%s", number, metric_infos[reading->metric].unit,
		reading->work == WORK_BULK ? "B" : "op", words[reading->statistic]);
}

/* What tells the series apart beside benchmark and block: "engine=kae async=36". */
static char *rest_text(const struct document_reading *reading)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < LABEL_METRIC; i++)
		if (reading->labels.v[i] && i != LABEL_BENCHMARK && i != LABEL_BLOCK)
			g_string_append_printf(
				text, "%s%s=%s", text->len ? " " : "", label_keys[i], reading->labels.v[i]);
	return text->len ? g_strdup(text->str) : NULL;
}

static void add_reading(struct table *table, guint part, const struct document_reading *reading)
{
	struct table_cell *cells = table_add_row(table);
	g_autofree char *number = g_strdup_printf("%u", part), *line = g_strdup_printf("%zu", reading->line);
	g_autofree char *value = value_text(reading), *rest = rest_text(reading);
	g_autofree char *printed = g_strdup_printf("%s %s", reading->printed, reading->unit);
	const char *const texts[] = {line, number, reading->name, reading->labels.v[LABEL_BENCHMARK],
		reading->labels.v[LABEL_BLOCK], rest, metric_infos[reading->metric].name, value, printed,
		reading->problem};

	for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
		set(cells, i, texts[i]);
}

struct table *document_table(const struct document *document)
{
	static const char *const titles[] = {"line", "part", "name", "benchmark", "block", "labels", "metric",
		"value", "printed", "why it does not count"};
	struct table *table = table_new(document->source.name);
	g_autoptr(GString) line = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
		table_add_column(table, titles[i], titles[i], NULL, TABLE_LEFT);
	for (guint i = 0; i < document->parts->len; i++) {
		const struct document_part *part = document->parts->pdata[i];
		for (guint k = 0; k < part->readings->len; k++)
			add_reading(table, i + 1, &g_array_index(part->readings, struct document_reading, k));
	}
	for (guint i = 0; i < document->remarks->len; i++) {
		const struct document_remark *remark =
			&g_array_index(document->remarks, struct document_remark, i);
		struct table_cell *cells = table_add_row(table);
		g_autofree char *number = g_strdup_printf("%zu", remark->line);
		set(cells, 0, number);
		set(cells, 2, remark->text);
		set(cells, 9, remark->problem);
	}
	document_line(line, document, NULL);
	table_add_footer(table, "%s", line->str);
	return table;
}
