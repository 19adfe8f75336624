/* The content keys of schema/keys.md. */
#ifndef BM_KEYS_H
#define BM_KEYS_H

#include "identity.h"

#include <glib.h>

/* All that the library archive depends on. Lent. */
struct library_inputs {
	const char *source; /* "dsc:<sha256>" or "tree:<sha256>" */
	const char *recipe;
	int recipe_version;
	const char *recipe_canonical; /* the library file's recipe object */
	const char *const *words; /* the command lines that flags, profile and optimisation make, in order */
	const char *const *archives; /* of the profile, beside the library's own; NULL or empty: none */
	const char *toolchain;	     /* canonical JSON of what the compiler sees */
	const struct identity *identity;
	const char *const *environment; /* neither order nor PATH counts */
};

/* All that the program depends on. Lent. */
struct program_inputs {
	const char *library;			  /* L */
	GHashTable *sources;			  /* name -> SHA-256: bench-core, adapter, wire words */
	const char *const *compile, *const *link; /* options, in order */
};

/* SHA-256 in hexadecimal. New text. */
char *keys_library(const struct library_inputs *inputs);
char *keys_program(const struct program_inputs *inputs);
/* Of a list of texts, whose order counts; what else is named by its content. */
char *keys_of_texts(const char *const *values);

#endif
