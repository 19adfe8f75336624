/* What is in a record of schema/wire.md: for the files of the reader (wire_reader.c, wire_members.c) only. */
#ifndef BM_WIRE_MEMBERS_H
#define BM_WIRE_MEMBERS_H

#include "wire_check.h"
#include "wire_reader.h"

#include <jansson.h>

struct wire_reader {
	GString *buffer;
	size_t start;	 /* of the first line that was not read yet */
	size_t searched; /* no newline lies between start and here */
	size_t line;	 /* lines begun so far */
	bool finished;
	bool skipping;	       /* in the rest of a line that was too long */
	bool checked;	       /* the header says that every line carries a check */
	enum wire_check check; /* of the line in hand */
	bool within;	       /* what comes next is in the same line as what came last */
	GString *begin;	       /* of that line */
	json_t *root;	       /* of the record in hand; owns its strings */
	GPtrArray *remarks;    /* its remarks, or names, NULL-terminated */
	GArray *values;	       /* double */
	GString *problem;
	char block[24];
};

/* Says what is wrong with the line in hand. Always false. */
G_GNUC_PRINTF(2, 3)
bool wire_fail(struct wire_reader *reader, const char *format, ...);

enum presence { REQUIRED, OPTIONAL };

/* Members of the record in hand; false, with what is wrong, where one is missing or of another kind.
 * A text without NUL (jansson refuses them) and not empty; a missing one leaves *ret. */
bool wire_get_text(struct wire_reader *reader, const char **ret, const char *key, enum presence presence);
/* A whole number of at least `low`, at most 2^53; a missing one leaves *ret. */
bool wire_get_number(
	struct wire_reader *reader, int64_t *ret, const char *key, int64_t low, enum presence presence);
/* A text out of a list; *ret is its index. */
bool wire_get_word(struct wire_reader *reader, int *ret, const char *key, const char *const *words);

/* Whether it is such a number. */
bool wire_is_within(const json_t *value, int64_t low);

#endif
