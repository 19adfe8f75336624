/* The files of a board as its script dumps them, for host_facts.h. For this folder only. */
#ifndef BM_SSH_DUMP_H
#define BM_SSH_DUMP_H

#include "host_facts.h"

struct dump {
	GHashTable *files, *words; /* char * -> char * */
	char *open;		   /* the file that is being dumped; NULL: none */
	GString *text;		   /* of it */
};

struct dump *dump_new(void);
void dump_free(struct dump *dump); /* takes NULL */

/* Takes a mark of the script: "file PATH", "file", "line PATH = TEXT", "word KEY VALUE"; false where it is
 * none of these. `sys` is what stands for /sys over there. */
bool dump_mark(struct dump *dump, const char *line, const char *sys);
void dump_text(struct dump *dump, const char *bytes, size_t length);

/* As a machine to ask. `facts` (may be NULL) gives the words that `dump` lacks. Both must live on. */
void dump_view(struct host_view *ret, const struct dump *dump, const struct dump *facts);

/* Seconds since the board was started; NAN where it did not tell. */
double dump_uptime_s(const struct dump *dump);

#endif
