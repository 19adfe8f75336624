/* Writes the lines of schema/wire.md on standard output: whole lines, each flushed. It uses no heap, so that
 * what is measured does not depend on what was written before. */
#ifndef CORE_EMIT_H
#define CORE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts a record of this kind ("header", "samples", ...). Then its values, then emit_end(). In texts quotes
 * and backslashes are escaped, and whatever is not printable ASCII becomes a space. */
void emit_begin(const char *record);
void emit_text(const char *key, const char *value);
void emit_texts(const char *key, const char *const *values, size_t count);
void emit_number(const char *key, uint64_t value);
void emit_numbers(const char *key, const uint64_t *values, size_t count);

/* Writes the line. False: it could not be written, or it was longer than CORE_LINE_MAX; nothing more can be.
 */
bool emit_end(void);

/* Lines written so far. */
uint64_t emit_records(void);
/* A child process has written lines: so many have been written in all. */
void emit_resume(uint64_t so_far);

#endif
