/* Versions in the files that users write: a name, and where the source is. */
#ifndef BM_ORIGIN_H
#define BM_ORIGIN_H

#include "catalog.h"
#include "jsonx.h"

/* Reads one of
 *
 *     {"name": "5.5.4", "debian": {"package": "wolfssl", "suite": "bookworm"}}
 *     {"name": "3.0", "debian": {"package": "openssl", "suite": "bookworm", "upstream": "3.0.*"}}
 *     {"name": "5.9.2", "debian": {"package": "wolfssl", "suite": "sid", "patches": false}}
 *     {"name": "3.0-debian", "debian_binary": {"package": "libssl-dev", "suite": "bookworm"}}
 *     {"name": "mine", "folder": "../wolfssl"}                relative to the file that says it
 *     {"name": "5.6.0", "tarball": {"url": "https://...", "sha256": "..."}}
 *     {"git": {"repository": "https://...", "ref": "master"}} named "git:master" where it has no name
 *
 * *ret is new: version_free(). */
bool version_read(struct version **ret, struct jx at, GError **err);
void version_free(struct version *version);

#endif
