/* A document of another tool, read whole: what the store takes in as one import. Pure: no file, no database.
 *
 * A document shows one execution of a tool or several (parts). A new part begins where the importer says so,
 * and where a figure comes again that the part already has, so that each part has each series once. Numbers
 * of one benchmark and metric that are several statistics (best, mean, worst) become one measurement. */
#ifndef BM_DOCUMENT_H
#define BM_DOCUMENT_H

#include "importer.h"
#include "rows.h"

#include <glib.h>

/* Larger documents are refused. */
#define DOCUMENT_LARGEST (256 * 1024 * 1024)

/* What is said of a document beside its text. Lent for the call; NULL is unknown. */
struct document_source {
	const char *name;      /* of the file, without folders; of a publication its title */
	const char *format;    /* importer's name; NULL: found out */
	const char *reference; /* address or citation */
	enum source source;    /* SOURCE_IMPORTED or SOURCE_PUBLISHED */
	enum environment environment;
	const char *platform;
	const char *const *platform_facts; /* key, value, key, value, ..., NULL; may be NULL */
	const char *arch, *compiler, *revision;
	/* What the user knows better than the text: any labels but benchmark and metric. They go before what
	 * the text says. */
	struct labels labels;
	/* Labels of what stated ratios are held against, as far as they differ from those of the figures; the
	 * value before then follows as a derived figure. All NULL: nothing follows. */
	struct labels before;
	double clock; /* Hz; NAN: what the text says, if it does. Cycles that follow are derived figures. */
	int64_t published_at; /* ns since 1970; 0: unknown, and the time of the import counts */
};

/* A number as it stood, ready for the table `reading`. All strings are the document's. */
struct document_reading {
	size_t line;
	const char *name;
	struct labels labels; /* benchmark (NULL: unknown), block, threads, engine, async, and those that this
				 line alone has */
	enum metric metric;
	enum work work;
	enum kind kind;
	enum import_statistic statistic;
	enum environment environment; /* the source's, unless the text says */
	double value, error;
	const char *printed, *unit, *problem;
	const struct figure *figure; /* of our own formats, which tell more; NULL elsewhere */
	const struct sample_set *samples;
	size_t n_samples;
	int measurement; /* index within the part; -1: it counts for nothing */
};

struct document_part {
	size_t line;	      /* where it begins */
	struct labels labels; /* library, version, config, profile, optimisation, toolchain, platform,
				 instrument: as far as they are known */
	const char *facts; /* JSON object of what the text says: math, cpu, clock, compiler, options, ... */
	const char *compiler, *math, *configure_line, *library_version, *arch, *revision;
	GArray *readings;	  /* struct document_reading */
	const char *const *notes; /* doubts about figures that count all the same, with their lines;
				     NULL-terminated, never NULL */
	/* struct measurement, with all labels of theirs that part and reading give: parallel to `labels_of`
	 */
	GArray *measurements;
	GPtrArray *labels_of; /* const struct labels *: whole, ready for a series; equal ones of a document
				 mostly are one */
};

struct document_remark {
	size_t line;
	const char *text, *problem;
};

struct document {
	const struct importer *importer;
	struct document_source source; /* its strings are the document's */
	GBytes *bytes;		       /* as they came; NULL: `text` is its own */
	const char *text;
	size_t length;
	guint8 sha256[32]; /* of the text, the format and all of the source but its name: equal ones are one
			      import */
	GPtrArray *parts;  /* struct document_part * */
	GArray *remarks;   /* struct document_remark */
	size_t lines, other;
	GStringChunk *strings;
	GPtrArray *blobs; /* figures and samples */
};

/* Reads it. DIAG_INPUT: no format is sure enough (what was seen is said), too large, empty, no figure in it
 * at all. DIAG_USAGE: no importer of that name.
 */
bool document_read(struct document **ret, const struct document_source *source, const char *bytes,
	size_t length, GError **err);
/* The same without a copy; a NUL stands behind the bytes. */
bool document_read_bytes(
	struct document **ret, const struct document_source *source, GBytes *bytes, GError **err);
void document_free(struct document *document);

/* The measurement that a reading whose name has got a benchmark now would be: for aliases given later.
 * False where it is quarantined. */
bool document_measurement_of(struct measurement *ret, const struct document_reading *reading,
	enum source source, enum environment environment);

#endif
