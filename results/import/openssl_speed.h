/* openssl speed: what its files share. Nobody else includes this. */
#ifndef BM_OPENSSL_SPEED_H
#define BM_OPENSSL_SPEED_H

#include "importer.h"
#include "runs.h"
#include "telling.h"

#define OPENSSL_SPEED "openssl-speed"
/* Block sizes in one table. */
#define MOST_COLUMNS 16

/* A measurement told while it ran. The table at the end says it again with more digits: it is told as a
 * figure only where no table does. */
struct progress {
	size_t line;
	char *text, *name, *key; /* key: the same in progress and table; "ecdsa 256 sign" has no curve */
	char *block;		 /* NULL for an operation */
	struct reading reading;
	char *unit, *doubt;
};

struct openssl_speed {
	struct run run;
	GPtrArray *progress;		 /* struct progress */
	char *columns[MOST_COLUMNS + 1]; /* block sizes of the table in hand */
	size_t n_columns;
	char **operations; /* columns of the public-key table in hand; NULL: no header was seen */
	char *engine, *async, *evp, *cpu;
	char threads[16];   /* empty: one process */
	guint children;	    /* that were forked; 0: none */
	bool got;	    /* results of children were printed */
	bool timed;	    /* what its seconds are was told */
	bool decrypt;	    /* -decrypt in the command */
	GHashTable *blocks; /* name to block, of +DT lines */
	GHashTable *times;  /* "F2 4096 0" to seconds per operation, of +R lines: which unit +F lines have */
	double version;	    /* 1.0002 for 1.0.2; NAN: unknown */
};

/* Why what one process did is no figure: there are several. New; NULL where it is alone. */
char *openssl_child_doubt(const struct openssl_speed *state);

/* Parts of a line that stand alone; false where they are none of theirs. */
bool openssl_table(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink);
bool openssl_progress(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink);
bool openssl_machine(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink);

/* Remembers a measurement that a table may say again; takes `doubt` (may be NULL). */
void openssl_remember(struct openssl_speed *state, const struct import_line *line, const char *name,
	const char *key, const char *block, const struct reading *reading, char *doubt);
/* A table's cell: forgets what it says again. New text where that was doubtful; NULL. */
char *openssl_covered(
	struct openssl_speed *state, const char *key, const char *block, const struct reading *cell);
/* Tells what no table said again. */
void openssl_flush(struct openssl_speed *state, const struct import_sink *sink);

/* A figure with the run's labels; ciphers get the run's direction. */
struct import_record openssl_figure(const struct openssl_speed *state, const struct import_line *line,
	const char *name, enum work work, const char *block);

#endif
