/* Reads bench-core's stream (schema/wire.md): a push cursor.
 *
 *     wire_reader_push(reader, bytes, n);
 *     while (wire_reader_next(reader, &record))
 *             ...
 *     wire_reader_finish(reader); then next() again for what was left
 *
 * Bytes come as they come: half lines, NULs and rubbish included. A line that cannot be read is a record of
 * kind WIRE_PROBLEM, never an error. The record and its strings belong to the reader and live until the next
 * call. */
#ifndef BM_WIRE_READER_H
#define BM_WIRE_READER_H

#include "rows.h"

#include <glib.h>

enum wire_kind {
	WIRE_HEADER,
	WIRE_START,
	WIRE_BENCHMARK,
	WIRE_SAMPLES,
	WIRE_REGION,
	WIRE_COUNT,
	WIRE_FUNCTIONS,
	WIRE_VALUE,
	WIRE_FOOTPRINT,
	WIRE_END,
	WIRE_PROBLEM
};

/* Whether the emulator's plugin writes it, and not the program. */
static inline bool wire_is_counter(enum wire_kind kind)
{
	return kind == WIRE_COUNT || kind == WIRE_FUNCTIONS;
}

struct wire_record {
	enum wire_kind kind;
	size_t line;	     /* from 1 */
	const char *text;    /* the line as it was, shown safely with diag_printable() */
	const char *problem; /* WIRE_PROBLEM: what was wrong */
	/* HEADER */
	int64_t wire, invocation;
	const char *mode, *build, *library_version;
	const char *const *remarks; /* NULL-terminated */
	/* START, BENCHMARK, SAMPLES, REGION, VALUE */
	const char *name, *block; /* block: decimal text, NULL where absent */
	/* BENCHMARK */
	enum outcome_state state;
	const char *reason, *digest, *proof;
	/* SAMPLES */
	enum metric metric;   /* also COUNT, VALUE */
	uint64_t iterations;  /* also REGION */
	const double *values; /* as they stand: ns, cycles or ticks per `iterations` calls; also FUNCTIONS */
	size_t n_values;
	/* FUNCTIONS: of each value */
	const char *const *names;
	/* REGION, COUNT, FUNCTIONS, VALUE */
	int64_t region, value, ns; /* ns: -1 where absent */
	/* FOOTPRINT */
	bool of_library;    /* of what was linked of it; else of the program */
	int64_t flash, ram; /* bytes */
	/* END */
	int64_t records;
	const char *next; /* item that another process goes on with; NULL: none */
};

struct wire_reader;
struct wire_reader *wire_reader_new(void);
void wire_reader_free(struct wire_reader *reader);
void wire_reader_push(struct wire_reader *reader, const char *bytes, size_t length);
bool wire_reader_next(struct wire_reader *reader, struct wire_record *ret);
/* No more bytes will come: a last line without its newline is then a problem record. */
void wire_reader_finish(struct wire_reader *reader);

#endif
