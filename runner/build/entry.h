/* What a cache entry says of itself: entry.json. */
#ifndef BM_ENTRY_H
#define BM_ENTRY_H

#include "plan.h"

#include <glib.h>
#include <stdbool.h>

/* Facts of a build; unknown is NULL or NAN. Owned. */
struct facts {
	char *key_library, *key_program;
	char *revision, *parent, *compiler, *configure_line, *optimisation_effective, *math, *machine,
		*code_sha256;
	char *sha256;	/* of the file that the entry is about: archive or program */
	double seconds; /* spent to make it */
};
void facts_clear(struct facts *facts);

/* Writes entry.json and the log into `folder`; `file` (relative to it) is what the entry is about, and its
 * hash becomes facts->sha256. */
bool entry_write(const char *folder, const char *file, const struct planned_build *build, struct facts *facts,
	const GString *log, GError **err);

/* False where there is no entry, or `file` is not the one that it was made with: then it is to be made again.
 */
bool entry_read(struct facts *ret, const char *folder, const char *file);

/* FOLDER/entry.json. Free with g_free(). */
char *entry_file(const char *folder);

/* Appends the entry's log; nothing where it has none. */
void entry_read_log(GString *log, const char *folder);

#endif
