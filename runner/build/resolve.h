/* Where moving refs stand. */
#ifndef BM_RESOLVE_H
#define BM_RESOLVE_H

#include "catalog.h"

#include <glib.h>

/* Asks git once for each version whose source is a ref of a repository: its origin gets a `commit`, or the
 * reason why there is none, with which its builds become unsupported. Versions that have a commit keep it.
 * Blocks: a second or so for each repository over the network, 60 s at most. `versions`: struct version *. */
void resolve_refs(const GPtrArray *versions);

/* The commit that a ref stands at, out of what `git ls-remote REPOSITORY` prints ("<commit>\t<name>" lines),
 * as git itself would choose: a full name first, then tags, then branches. New text, or NULL. */
char *resolve_pick(const char *listing, const char *ref);

#endif
