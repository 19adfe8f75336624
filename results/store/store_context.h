/* What an export tells of figures beside what struct result has. */
#ifndef BM_STORE_CONTEXT_H
#define BM_STORE_CONTEXT_H

#include "store.h"

/* One attempt. Unknown is NULL. */
struct attempt_context {
	char *uuid, *matrix;  /* matrix NULL: an import */
	struct labels labels; /* of its cell: build, platform, instrument; interned by the store */
	char *parent, *configure_line, *code_sha256;
	char *library_version;
	char *facts;		    /* JSON object: what the program said of itself, or an import read */
	char *platform_uuid;	    /* NULL: the platform is not known */
	char *platform_environment; /* "hardware" */
	GPtrArray *platform_facts;  /* char *: key, value, key, value, ..., what held when it ran */
	char *document, *importer, *reference; /* of an import */
};
bool store_attempt_context(
	struct store *store, struct attempt_context **ret, int64_t attempt, int64_t cell, GError **err);
void attempt_context_free(struct attempt_context *context); /* takes NULL */

/* A number as the document printed it that the measurement was read from. */
struct printing {
	char *statistic;	  /* "mean", "best", "median", "worst" */
	char *text, *unit, *name; /* unit "": none was printed */
	int64_t line;		  /* 0: it follows from other lines */
};
/* In the order of the document; empty where it was not printed. GPtrArray of struct printing with its own
 * free function. */
bool store_printings(struct store *store, GPtrArray **ret, int64_t measurement, GError **err);

#endif
