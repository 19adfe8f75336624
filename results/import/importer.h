/* Importers: the printed text of other tools to records.
 *
 * An importer sees a document line by line and tells what stands in it. It is pure: no file, no database, no
 * memory beyond its state. A line that it cannot read is a record too, never an error. Units follow the tool
 * and its version, not the label ("MB" of old wolfCrypt is MiB; openssl's k is 1000 bytes); nothing is
 * guessed: what could be two things is quarantined with both. A format is one file import/<format>.c and one
 * line in importers.c. */
#ifndef BM_IMPORTER_H
#define BM_IMPORTER_H

#include "rows.h"

#include <glib.h>

enum import_kind {
	IMPORT_FIGURE, /* a number with its meaning */
	IMPORT_FACT,   /* what the document says of library, machine or build */
	IMPORT_BREAK,  /* another run of the tool begins: facts of before no longer hold */
	IMPORT_UNREAD, /* a line that belongs to the tool's output and was not understood; `problem` says why
			*/
	IMPORT_OTHER,  /* not the tool's: prose, prompts, log lines of others; kept as text, counted */
};

/* What a printed number is of a distribution. */
enum import_statistic { IMPORT_MEAN, IMPORT_BEST, IMPORT_MEDIAN, IMPORT_WORST, IMPORT_STATISTIC_COUNT };

struct import_record {
	enum import_kind kind;
	size_t line;	     /* from 1 */
	const char *text;    /* the line as it stood, without its end; valid UTF-8 */
	const char *problem; /* UNREAD: why; FIGURE: why it is quarantined, or NULL */
	/* FACT: "library", "version", "math", "cpu", "clock" (Hz, decimal), "compiler", "options", "command",
	 * ... */
	const char *key, *fact;
	/* FIGURE */
	const char *name;     /* as printed: "RSA 2048 private" */
	struct labels labels; /* benchmark (of benchmarks.def; NULL: the name is unknown), block, threads,
				 engine, async; the rest is the caller's */
	enum metric metric;
	enum work work;	       /* what the value is per: a byte (WORK_BULK) or an operation */
	enum kind figure_kind; /* SAMPLED where measured; DERIVED; STATED ("36.58X": value is the ratio) */
	enum import_statistic statistic;
	double value; /* base unit per byte (bulk) or per operation; NAN where `problem` leaves none */
	double error; /* half of what the last printed digit is worth, in the same unit; NAN: unknown */
	const char *printed, *unit; /* "912.347", "MB/s": comes out as it went in */
	const char *note;	    /* a doubt that does not keep it from counting; NULL */
	/* FIGURE of our own formats, which tell more than a printed number; NULL and 0 elsewhere. */
	const struct figure *figure;
	const struct sample_set *samples;
	size_t n_samples;
	const enum environment *environment; /* NULL: the text does not say */
};

/* Takes records; the strings are lent for the call. */
struct import_sink {
	void (*take)(const struct import_record *record, void *user);
	void *user;
	const char *version; /* of the library, as the user says: it goes before the text's; NULL */
	double clock;	     /* of the core in Hz, as the user says: it goes before the text's; NAN */
	bool excerpt;	     /* of a publication: it need not be all that the tool printed */
};

struct import_line {
	const char *text; /* NUL-terminated valid UTF-8, colour codes and the line's end taken off */
	size_t length, number;
	/* The text without what loggers, pages and terminals put around a line: leading blanks, marks of
	 * quotation and lists, time stamps and tags of logs, links inside of numbers, trailing blanks; all
	 * blanks plain. */
	const char *body;
};

struct importer {
	const char *name, *summary; /* "wolfcrypt" */
	const char *instrument;	    /* label of its figures: "wolfcrypt-benchmark" */
	const char *library; /* label of its figures unless the text says another; NULL: it measures any */
	/* How sure a line makes that the document is of this format: 0 nothing, 1 fits others too, 10 no
	 * other. */
	int (*recognise)(const struct import_line *line);
	void *(*begin)(void);
	void (*line)(void *state, const struct import_line *line, const struct import_sink *sink);
	/* No more lines: what is incomplete is told. Frees the state. */
	void (*finish)(void *state, const struct import_sink *sink);
};

extern const struct importer *const importers[];	/* NULL-terminated */
const struct importer *importer_find(const char *name); /* NULL where unknown */

/* Cuts bytes into lines for an importer: LF, CR LF and lone CR; UTF-16 by its mark, Latin-1 where bytes are
 * no UTF-8; colour codes and NULs are taken out; a line over 64 KiB is UNREAD and skipped to its end. Reads
 * any number of bytes in any pieces. */
struct import_reader;
struct import_reader *import_reader_new(const struct importer *importer, const struct import_sink *sink);
void import_reader_push(struct import_reader *reader, const char *bytes, size_t length);
/* Tells what was left, and frees it. How many lines there were. */
size_t import_reader_finish(struct import_reader *reader);

/* The importer whose lines are most surely its own in the document's first 1 MiB; NULL with a text of what
 * was seen (new, for the message) where none is sure enough or two are equally sure. */
const struct importer *import_recognise(char **ret_seen, const char *bytes, size_t length);

#endif
