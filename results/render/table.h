/* A table as data, and the formats that it can be written in. */
#ifndef BM_TABLE_H
#define BM_TABLE_H

#include <glib.h>
#include <stdbool.h>

enum table_align { TABLE_LEFT, TABLE_RIGHT };

struct table_column {
	char *key;   /* for CSV and JSON: "before_median", in base units named by `unit` */
	char *title; /* for people */
	char *unit;  /* base unit of the raw number; NULL for text, and where a column "unit" says it row by
			row */
	enum table_align align;
	bool raw_only; /* for CSV and JSON alone */
};

struct table_cell {
	char *text;    /* for people: scaled, with its unit; NULL: unknown, shown as "-" */
	double number; /* raw value; NAN: not a number or unknown */
	char *raw;     /* text for CSV and JSON where it is not a number; NULL: `text` */
};

struct table {
	char *title;
	GPtrArray *columns; /* struct table_column * */
	GPtrArray *rows;    /* struct table_cell *, one array of columns->len cells each */
	GPtrArray *footer;  /* char *: geometric mean, notes, provenance */
	guint stub; /* leading columns that say what a row is: they stand again in each part of a table
		       that a terminal breaks */
	int width;  /* of the terminal that it is for; 0: lines of any length. Without a stub it is not
		       broken */
};

struct table *table_new(const char *title);
void table_free(struct table *table);
struct table_column *table_add_column(
	struct table *table, const char *key, const char *title, const char *unit, enum table_align align);
/* A new row of empty cells; owned by the table. */
struct table_cell *table_add_row(struct table *table);
void table_add_footer(struct table *table, const char *format, ...) G_GNUC_PRINTF(2, 3);

struct renderer {
	const char *name; /* "table", "markdown", "csv", "json" */
	const char *summary;
	void (*render)(GString *out, const struct table *table);
};
extern const struct renderer *const renderers[]; /* NULL-terminated */
/* By name; DIAG_USAGE with the nearest name where unknown. */
const struct renderer *renderer_find(const char *name, GError **err);

#endif
