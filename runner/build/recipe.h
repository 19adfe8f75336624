/* A recipe turns a planned build into commands: one file per build system (recipe_<name>.c), listed in
 * recipes.c. */
#ifndef BM_RECIPE_H
#define BM_RECIPE_H

#include "plan.h"
#include "steps.h"

struct recipe_input {
	const struct planned_build *build;
	const char *folder;	  /* private copy of the prepared source: where everything runs */
	const char *build_triple; /* of this machine */
	int jobs;		  /* compilers at once; changes nothing in what comes out */
	const struct build_limits *limits;
};

struct recipe {
	const char *name;
	int version; /* part of the library key: raised when the same words come to build something else */
	const char *const *tools; /* programs that it needs in the PATH */
	const char *cache_file;	  /* what configuring leaves for the next build of its kind, in the build
				     folder; NULL: nothing */
	const char
		*details; /* file in the build folder that says more where configuring failed; NULL: none */
	/* The words that name the configuration, as they are run: what flags, profile and optimisation put on
	 * the configure line and into CFLAGS, in order. They hold no path of the build: "{build}" stands in
	 * them as it is. A recipe that runs none says what it takes. Free with g_strfreev(). */
	char **(*words)(const struct recipe_input *in);
	/* What builds whose configuring may share its findings have in common; NULL-terminated, free with
	 * g_strfreev(). */
	char **(*cache_words)(const struct recipe_input *in);
	/* Files that it adds to the build folder before its steps; NULL: none. */
	bool (*write)(const struct recipe_input *in, GError **err);
	/* struct step *, in order. The step named "make" prints the compile commands. */
	GPtrArray *(*steps)(const struct recipe_input *in);
};

/* Puts `folder` for "{build}" in each word. Free with g_strfreev(). */
char **recipe_expand(const char *const *words, const char *folder);

/* By name, or NULL. */
const struct recipe *recipe_find(const char *name);

#endif
