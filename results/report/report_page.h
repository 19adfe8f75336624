/* The parts of a page. Every text is escaped here, and shown as it is whatever it holds. */
#ifndef BM_REPORT_PAGE_H
#define BM_REPORT_PAGE_H

#include "report_model.h"
#include "table.h"

/* A page in the making. */
struct page {
	GString *html;
	const struct report_model *model;
	const char *file; /* its name: "index.html" */
	const char *title;
	guint tables; /* written so far: their CSV files are numbered */
	bool charts;  /* something is drawn from data.js */
	bool history; /* and from history.js */
};

/* Head, navigation and heading; the page that is open is marked in the navigation. */
struct page *page_begin(const struct report_model *model, const char *file, const char *title);
/* Provenance and the end; writes the file. Frees the page. */
bool page_end(struct page *page, GError **err);

/* What follows the name of a file while it is written. */
#define PAGE_PART ".part"

/* A file of the site, in the place of an older one. Not flushed to the disk: a report that a power cut spoils
 * is made again. */
bool page_write_file(const struct report_model *model, const char *name, const GString *bytes, GError **err);

/* Text as it is, in one line. */
void page_text(struct page *page, const char *text);
/* <tag>text</tag>; `class` may be NULL. */
void page_element(struct page *page, const char *tag, const char *class, const char *text);
void page_paragraph(struct page *page, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* A section with a heading; `id` is a plain word. */
void page_section(struct page *page, const char *id, const char *heading);
void page_section_end(struct page *page);
void page_link(struct page *page, const char *href, const char *text);

/* A chart that report.js draws into its place; what it shows stands in the table below it. */
void page_chart(struct page *page, const char *kind, const char *label);

/* Keys and values, without the text. */
void page_facts(struct page *page, const struct store_description *facts);
/* Text of several lines, as it is. */
void page_preformatted(struct page *page, const char *text);
/* The end of a log, at most 16 KiB of it, under a heading; nothing where it is empty or NULL. */
void page_log(struct page *page, const char *id, const char *heading, const char *text, bool open);

/* Where the cells of a table lead: one for each, row by row (char *, NULL: nowhere). */
GPtrArray *page_links_new(void);
/* Of a cell of the row that was added last; takes the string. */
void page_links_put(GPtrArray *links, const struct table *table, guint column, char *href);

/* A table that can be sorted and filtered, with its CSV beside it; links may be NULL. Without rows:
 * "Nothing." and its footer. Of very many rows those in the middle are in the CSV file alone. */
bool page_table(struct page *page, const struct table *table, const GPtrArray *links, GError **err);

/* The marks of an origin, in words: "emulator exact". Free with g_free(). */
char *page_origin(const struct result *result);

#endif
