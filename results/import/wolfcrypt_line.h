/* The line that wolfCrypt's benchmark prints of each benchmark, taken apart. Nobody but wolfcrypt.c includes
 * this. */
#ifndef BM_WOLFCRYPT_LINE_H
#define BM_WOLFCRYPT_LINE_H

#include "numbers.h"

#include <stdbool.h>
#include <stddef.h>

/* "AES-128-CBC-enc 3 MiB took 1.003 seconds, 3.432 MiB/s" or "RSA 2048 public 300 ops took 1.2 sec, avg 4 ms,
 * 250 ops/sec". The pieces are of the line's text or static. */
struct wolfcrypt_line {
	const char *name; /* as padded within, without blanks around it */
	size_t name_length;
	size_t amount_end;  /* where the amount ends in the text */
	const char *device; /* "SW", "HW" or NULL */
	const char *unit;   /* of the amount: "MiB", "bytes"; NULL: operations */
	const char *time_unit;
	const char *rate_unit; /* "MiB", "ops/sec"; NULL: the line ends behind the time */
	const char *rest;      /* behind the rate; NULL: nothing */
	struct number amount, time, average, rate;
	bool has_average; /* the average is a number */
	bool damaged;	  /* a number is none */
};

/* False where the text is no such line. */
bool wolfcrypt_line_read(struct wolfcrypt_line *ret, const char *text);

#endif
