#include "report_page.h"

#include "cells.h"
#include "diag.h"
#include "report_nav.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* Of a log; the whole stands in the database. Hundreds of builds have one. */
#define LOG_BYTES (16 * 1024)

/* Of a table: more take a browser long. */
#define ROWS_SHOWN 600

/* Of a column's longest text, characters. */
#define SHORT_TEXT 30

bool page_write_file(const struct report_model *model, const char *name, const GString *bytes, GError **err)
{
	g_autofree char *file = g_build_filename(model->spec->folder, name, NULL);
	g_autofree char *part = g_strconcat(file, PAGE_PART, NULL);
	g_autoptr(GError) why = NULL;

	g_hash_table_add(model->written, g_strdup(name));
	/* GLib writes over what is there, and leaves its rest. */
	g_unlink(part);
	if (!g_file_set_contents_full(
		    part, bytes->str, (gssize)bytes->len, G_FILE_SET_CONTENTS_NONE, 0666, &why))
		return diag_set(err, DIAG_FAILED, "%s", why->message);
	return g_rename(part, file) == 0 || diag_set(err, DIAG_FAILED, "%s: %s", file, g_strerror(errno));
}

void page_text(struct page *page, const char *text)
{
	g_autofree char *line = cell_line(text);
	g_autofree char *escaped = g_markup_escape_text(line, -1);
	g_autoptr(GString) breakable = g_string_new(escaped);

	/* Sets of flags are long, and have no other place to break. */
	g_string_replace(breakable, "+", "+<wbr>", 0);
	g_string_append_len(page->html, breakable->str, (gssize)breakable->len);
}

/* The same where no tag may stand. */
static void put_plain(struct page *page, const char *text)
{
	g_autofree char *line = cell_line(text);
	g_autofree char *escaped = g_markup_escape_text(line, -1);

	g_string_append(page->html, escaped);
}

void page_element(struct page *page, const char *tag, const char *class, const char *text)
{
	g_string_append_printf(page->html, class ? "<%s class=\"%s\">" : "<%s>", tag, class);
	page_text(page, text);
	g_string_append_printf(page->html, "</%s>\n", tag);
}

void page_paragraph(struct page *page, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	page_element(page, "p", NULL, text);
}

void page_section(struct page *page, const char *id, const char *heading)
{
	g_string_append_printf(page->html, "<section id=\"%s\">\n", id);
	page_element(page, "h2", NULL, heading);
}

void page_section_end(struct page *page)
{
	g_string_append(page->html, "</section>\n");
}

void page_link(struct page *page, const char *href, const char *text)
{
	g_autofree char *escaped = g_markup_escape_text(href, -1);

	g_string_append_printf(page->html, "<a href=\"%s\">", escaped);
	page_text(page, text);
	g_string_append(page->html, "</a>");
}

void page_chart(struct page *page, const char *kind, const char *label)
{
	g_autofree char *line = cell_line(label);
	g_autofree char *escaped = g_markup_escape_text(line, -1);

	page->charts = true;
	page->history = page->history || strcmp(kind, "history") == 0;
	g_string_append_printf(page->html,
		"<figure class=\"chart\" data-chart=\"%s\" data-label=\"%s\"><noscript><p>The chart needs "
		"JavaScript; the table below has the same figures.</p></noscript></figure>\n",
		kind, escaped);
}

void page_preformatted(struct page *page, const char *text)
{
	g_autofree char *printable = diag_printable(text, -1);
	g_autofree char *escaped = g_markup_escape_text(printable, -1);

	g_string_append_printf(page->html, "<pre tabindex=\"0\">%s</pre>\n", escaped);
}

void page_facts(struct page *page, const struct store_description *facts)
{
	g_string_append(page->html, "<dl class=\"facts\">\n");
	for (guint i = 0; i < facts->keys->len; i++) {
		page_element(page, "dt", NULL, facts->keys->pdata[i]);
		page_element(page, "dd", strcmp(facts->keys->pdata[i], "configure") == 0 ? "code" : NULL,
			facts->values->pdata[i]);
	}
	g_string_append(page->html, "</dl>\n");
}

/* From the beginning of a line on. */
static const char *end_of(const char *text)
{
	size_t length = strlen(text);
	const char *start = length > LOG_BYTES ? text + length - LOG_BYTES : text;
	const char *line = start > text ? strchr(start, '\n') : NULL;

	return line != NULL ? line + 1 : start;
}

void page_log(struct page *page, const char *id, const char *heading, const char *text, bool open)
{
	if (text == NULL || *text == '\0')
		return;
	const char *shown = end_of(text);

	page_section(page, id, heading);
	g_string_append_printf(page->html, "<details%s><summary>%s</summary>\n", open ? " open" : "",
		shown > text ? "the end; <code>benchmatrix show</code> has the whole" : "the whole");
	page_preformatted(page, shown);
	g_string_append(page->html, "</details>\n");
	page_section_end(page);
}

/* --- the frame --- */

static void put_navigation(struct page *page)
{
	g_string_append(page->html, "<nav aria-label=\"pages\"><ul>\n");
	for (const struct report_nav *nav = report_navs; nav->file; nav++) {
		if (nav->wanted != NULL && !nav->wanted(page->model))
			continue;
		g_string_append_printf(page->html, "<li><a href=\"%s\"%s>%s</a></li>\n", nav->file,
			strcmp(nav->file, page->file) == 0 ? " aria-current=\"page\"" : "", nav->name);
	}
	g_string_append(page->html, "</ul></nav>\n");
}

struct page *page_begin(const struct report_model *model, const char *file, const char *title)
{
	struct page *page = g_new0(struct page, 1);

	*page = (struct page){
		.html = g_string_sized_new(1 << 14), .model = model, .file = file, .title = title};
	g_string_append(page->html,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	put_plain(page, title);
	g_string_append(page->html, " - benchmatrix</title>\n<link rel=\"icon\" href=\"data:,\">\n"
				    "<link rel=\"stylesheet\" href=\"report.css\">\n"
				    "<link rel=\"stylesheet\" href=\"print.css\" media=\"print\">\n"
				    "<script defer src=\"report.js\"></script>\n</head>\n<body>\n"
				    "<a class=\"skip\" href=\"#content\">to the content</a>\n<header>\n"
				    "<p class=\"brand\"><a href=\"index.html\">benchmatrix</a></p>\n");
	put_navigation(page);
	g_string_append(page->html, "</header>\n<main id=\"content\">\n");
	page_element(page, "h1", NULL, title);
	return page;
}

static const struct {
	const char *mark, *text;
} legend[] = {
	{"hardware", "measured on hardware"},
	{"emulator", "measured under an emulator: counts hold, times say nothing about speed"},
	{"exact", "exact: counted, equal on repeat"},
	{"sampled", "sampled: median of processes, with its spread"},
	{"derived", "derived: follows from printed figures"},
	{"stated", "stated: its makers say so"},
	{"published", "published: from somebody's account"},
	{"imported", "imported: from another tool's output"},
};

static void put_foot(struct page *page)
{
	const struct report_model *model = page->model;
	g_autofree char *database = g_path_get_basename(store_file(model->spec->store));

	g_string_append(page->html, "<footer>\n<details><summary>What the marks mean</summary>\n<dl>\n");
	for (size_t i = 0; i < G_N_ELEMENTS(legend); i++)
		g_string_append_printf(page->html, "<dt><span class=\"mark %s\">%s</span></dt><dd>%s</dd>\n",
			legend[i].mark, legend[i].mark, legend[i].text);
	g_string_append(page->html, "<dt>-</dt><dd>unknown</dd>\n</dl></details>\n");
	page_paragraph(page, "Made on %s by benchmatrix %s from %s: %u results of %u builds. Command: %s",
		model->made, model->spec->program, database, model->results->len, model->builds->len,
		model->spec->command);
	if (model->last != NULL) {
		g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(
			model->last->started_at / G_GINT64_CONSTANT(1000000000));
		g_autofree char *day = g_date_time_format(at, "%Y-%m-%d %H:%M UTC");
		page_paragraph(page, "Newest run: %.8s of %s%s%s, %s.", model->last->uuid,
			model->last->matrix, model->last->label ? ", " : "",
			model->last->label ? model->last->label : "", day);
	}
	g_string_append(page->html, "</footer>\n");
}

bool page_end(struct page *page, GError **err)
{
	g_string_append(page->html, "</main>\n");
	put_foot(page);
	/* The data is large: only where something is drawn from it. */
	if (page->charts)
		g_string_append_printf(page->html,
			"<script defer src=\"chart.js\"></script>\n<script defer "
			"src=\"data.js\"></script>\n%s"
			"<script defer src=\"drawing.js\"></script>\n<script defer "
			"src=\"charts.js\"></script>\n",
			page->history ? "<script defer src=\"history.js\"></script>\n" : "");
	g_string_append(page->html, "</body>\n</html>\n");
	bool ok = page_write_file(page->model, page->file, page->html, err);
	g_string_free(page->html, TRUE);
	g_free(page);
	return ok;
}

/* --- tables --- */

static void put_titles(struct page *page, const struct table *table)
{
	g_string_append(page->html, "<thead><tr>");
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];

		if (column->raw_only)
			continue;
		g_string_append_printf(page->html, "<th scope=\"col\"%s>",
			column->align == TABLE_RIGHT ? " class=\"right\"" : "");
		page_text(page, column->title);
		g_string_append(page->html, "</th>");
	}
	g_string_append(page->html, "</tr></thead>\n");
}

/* Words of our own that stand out: each as a class of its name. */
static void put_marks(struct page *page, const char *class, const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);

	for (char **word = words; *word; word++) {
		g_string_append_printf(page->html, "<span class=\"%s ", class);
		put_plain(page, *word);
		g_string_append(page->html, "\">");
		page_text(page, *word);
		g_string_append(page->html, "</span> ");
	}
}

static const char *mark_class(const struct table_column *column)
{
	static const char *const words[] = {"state", "build_state", "attempt_state", "verdict", "new", NULL};

	if (strcmp(column->key, "origin") == 0)
		return "mark";
	return g_strv_contains(words, column->key) ? "word" : NULL;
}

/* The raw number is what a column is sorted by. */
static void put_cell(
	struct page *page, const struct table_column *column, const struct table_cell *cell, const char *link)
{
	g_autofree char *number = cell_number(cell->number);
	const char *text = cell->text ? cell->text : "-";

	g_string_append(page->html, "<td");
	if (column->align == TABLE_RIGHT)
		g_string_append(page->html, " class=\"right\"");
	if (number != NULL)
		g_string_append_printf(page->html, " data-v=\"%s\"", number);
	g_string_append_c(page->html, '>');
	if (link != NULL)
		page_link(page, link, text);
	else if (cell->text != NULL && mark_class(column) != NULL)
		put_marks(page, mark_class(column), text);
	else
		page_text(page, text);
	g_string_append(page->html, "</td>");
}

static const char *link_of(const GPtrArray *links, guint at)
{
	return links != NULL && at < links->len ? links->pdata[at] : NULL;
}

static void put_rows(struct page *page, const struct table *table, const GPtrArray *links)
{
	g_string_append(page->html, "<tbody>\n");
	for (guint r = 0; r < table->rows->len; r++) {
		const struct table_cell *cells = table->rows->pdata[r];

		if (r >= ROWS_SHOWN / 2 && r + ROWS_SHOWN / 2 < table->rows->len)
			continue;
		g_string_append(page->html, "<tr>");
		for (guint c = 0; c < table->columns->len; c++) {
			const struct table_column *column = table->columns->pdata[c];

			if (column->raw_only)
				continue;
			put_cell(page, column, &cells[c], link_of(links, r * table->columns->len + c));
		}
		g_string_append(page->html, "</tr>\n");
	}
	g_string_append(page->html, "</tbody>\n");
}

/* Columns of short texts are not broken ("s2"), those of long ones have room ("l3"). */
static void put_widths(struct page *page, const struct table *table)
{
	guint shown = 0;

	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];
		glong longest = 0;

		if (column->raw_only)
			continue;
		shown++;
		for (guint r = 0; r < table->rows->len; r++) {
			const struct table_cell *cells = table->rows->pdata[r];
			longest = MAX(longest, cells[c].text ? g_utf8_strlen(cells[c].text, -1) : 0);
		}
		g_string_append_printf(page->html, "%c%u ", longest <= SHORT_TEXT ? 's' : 'l', shown);
	}
}

static bool put_csv(struct page *page, const struct table *table, GError **err)
{
	g_autofree char *stem = g_strndup(page->file, strcspn(page->file, "."));
	g_autofree char *name = g_strdup_printf("%s-%u.csv", stem, ++page->tables);
	g_autoptr(GString) text = g_string_new(NULL);

	renderer_find("csv", NULL)->render(text, table);
	g_string_append_printf(
		page->html, "<p class=\"csv\"><a href=\"%s\" download>CSV of this table</a></p>\n", name);
	return page_write_file(page->model, name, text, err);
}

GPtrArray *page_links_new(void)
{
	return g_ptr_array_new_with_free_func(g_free);
}

void page_links_put(GPtrArray *links, const struct table *table, guint column, char *href)
{
	guint at = (table->rows->len - 1) * table->columns->len + column;

	if (links->len <= at)
		g_ptr_array_set_size(links, (gint)at + 1);
	g_free(links->pdata[at]);
	links->pdata[at] = href;
}

static void put_notes(struct page *page, const struct table *table)
{
	bool cut = table->rows->len > ROWS_SHOWN;

	if (table->footer->len == 0 && !cut)
		return;
	g_string_append(page->html, "<ul class=\"notes\">\n");
	if (cut)
		g_string_append_printf(page->html,
			"<li>the first and the last %d of %u rows; the CSV file has all</li>\n",
			ROWS_SHOWN / 2, table->rows->len);
	for (guint i = 0; i < table->footer->len; i++)
		page_element(page, "li", NULL, table->footer->pdata[i]);
	g_string_append(page->html, "</ul>\n");
}

bool page_table(struct page *page, const struct table *table, const GPtrArray *links, GError **err)
{
	if (table->rows->len == 0) {
		page_paragraph(page, "Nothing.");
		put_notes(page, table);
		return true;
	}
	g_string_append(page->html, "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"");
	put_plain(page, table->title);
	g_string_append(page->html, "\"><table class=\"");
	put_widths(page, table);
	g_string_append(page->html, "\">\n<caption>");
	page_text(page, table->title);
	g_string_append(page->html, "</caption>\n");
	put_titles(page, table);
	put_rows(page, table, links);
	g_string_append(page->html, "</table></div>\n");
	put_notes(page, table);
	return put_csv(page, table, err);
}

/* --- origins --- */

char *page_origin(const struct result *result)
{
	const struct selectable *what = &result->what;

	return g_strjoin(" ", environment_names[what->environment], kind_names[what->kind],
		what->source != SOURCE_OWN ? source_names[what->source] : NULL, NULL);
}
