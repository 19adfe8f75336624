/* The check at the end of a line of schema/wire.md: ,"crc":"0123abcd"} behind what it is of. Lines come
 * without their newline, and need no NUL. For wire_reader.c. */
#ifndef BM_WIRE_CHECK_H
#define BM_WIRE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a line carries a check that does not fit it. */
bool wire_check_broken(const char *line, size_t length);

/* In such a line the last place where a record begins that fits the check; NULL: there is none. What is
 * before it has lost its newline, or is no record at all. */
const char *wire_check_within(const char *line, size_t length);

#endif
