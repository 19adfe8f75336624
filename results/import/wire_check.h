/* The check at the end of a line of schema/wire.md: ,"crc":"0123abcd"} behind what it is of. Lines come
 * without their newline, and need no NUL. For wire_reader.c. */
#ifndef BM_WIRE_CHECK_H
#define BM_WIRE_CHECK_H

#include <stddef.h>

enum wire_check {
	WIRE_CHECK_NONE,   /* there is none at the line's end */
	WIRE_CHECK_FITS,   /* the line is as it was written */
	WIRE_CHECK_BROKEN, /* it was changed on the way */
};
enum wire_check wire_check(const char *line, size_t length);

/* In a broken line the last place where a record begins that fits the check; NULL: there is none. What is
 * before it has lost its newline, or is no record at all. */
const char *wire_check_within(const char *line, size_t length);

#endif
