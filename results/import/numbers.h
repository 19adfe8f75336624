/* Printed numbers. */
#ifndef BM_NUMBERS_H
#define BM_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

/* What a comma is in the document at hand. */
enum number_comma {
	NUMBER_COMMA_UNKNOWN, /* nothing proves it: "1,234" and "1,23" are doubtful, "1,234.5" is not */
	NUMBER_COMMA_GROUPS,  /* between thousands */
	NUMBER_COMMA_DECIMAL, /* before decimals; a point is then between thousands */
};

struct number {
	double value;	  /* NAN where it could be two things or is none */
	double error;	  /* half of what the last printed digit is worth; NAN with `value` */
	size_t length;	  /* bytes of the text that it takes */
	char printed[64]; /* that text; cut where it is longer */
	const char
		*problem; /* why it is no measured value: zero, negative, inf, nan, doubtful; NULL: it is */
	bool doubtful;	  /* its separators leave more than one reading, or none */
};

/* Reads the number that the text begins with: digits with separators, an exponent, inf, nan. False where it
 * begins with none. */
bool number_read(struct number *ret, const char *text, enum number_comma comma);

/* What the text of a number proves of commas: UNKNOWN where nothing. */
enum number_comma number_proof(const char *text);

#endif
