/* Where things are. */
#ifndef BM_PATHS_H
#define BM_PATHS_H

#include <glib.h>
#include <stdbool.h>

struct paths {
	char *data; /* toolchains/, libs/, matrices/, core/, schema/: share/benchmatrix beside the program's
		       bin/ */
	char *supervisor; /* libexec/benchmatrix/bm-supervise */
	char *plugin;	  /* libexec/benchmatrix/libbm-count.so */
	char *http;	  /* libexec/benchmatrix/libbm-http.so */
	char *user;	  /* the user's own toolchains, libraries, matrices: XDG configuration folder */
	char *cache;	  /* $BENCHMATRIX_CACHE, else the XDG cache folder */
	char *db;	  /* --db, else $BENCHMATRIX_DB, else the XDG data folder */
};

/* `db` is what --db gave, or NULL. DIAG_LACKS where the program stands without its files. */
bool paths_find(struct paths *ret, const char *db, GError **err);
void paths_done(struct paths *paths);

#endif
