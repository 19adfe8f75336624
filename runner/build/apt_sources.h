/* Where this machine's Debian packages come from, turned into where their sources come from. */
#ifndef BM_APT_SOURCES_H
#define BM_APT_SOURCES_H

#include <glib.h>
#include <stdbool.h>

/* Adds to `out` (text of a .sources file) a stanza of `type` ("deb-src", "deb") for `suite` and each Debian
 * entry of one file. A file named *.sources is read as stanzas, any other as one entry a line. Left out are
 * entries that are switched off, of third parties, of security and update suites' own archives, and those
 * without the component main; an entry that `out` holds already is not repeated. */
void apt_sources_add(
	GString *out, const char *file_name, const char *text, const char *type, const char *suite);

/* The same over `folder`/sources.list and `folder`/sources.list.d. DIAG_LACKS where no entry is left. */
bool apt_sources_derive(GString *out, const char *folder, const char *type, const char *suite, GError **err);

/* Of the output of `apt-cache showsrc` or `show`, the newest revision of the package's upstream version
 * `upstream`
 * ("5.5.4" takes "5.5.4-2+deb12u2" and the repacked "5.5.4+dfsg-1"; a glob "3.0.*" takes what fits it). New
 * text, or NULL where there is none; *ret_others gets the versions that there are, joined by
 * ", " (new text, empty for none). */
char *apt_pick_version(char **ret_others, const char *showsrc, const char *package, const char *upstream);

/* As `dpkg --compare-versions` orders them: negative, 0 or positive. */
int apt_compare_versions(const char *a, const char *b);

#endif
