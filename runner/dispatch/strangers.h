/* Attempts in the spool that no run will ever take in: the database knows their run or their cell no more, as
 * where another file has taken its place. */
#ifndef BM_STRANGERS_H
#define BM_STRANGERS_H

#include "store.h"

/* What lies in one run's folder of the spool. */
struct strangers {
	char *folder, *run; /* path; UUID */
	bool run_known;	    /* it is their cells that the database does not know */
	GPtrArray *files;   /* char *: paths of the attempts */
	double age_s;	    /* since the last of them was written; NAN: unknown */
};

/* Of runs that no live process holds; struct strangers *, with its own free function. */
bool strangers_find(GPtrArray **ret, struct store *store, GError **err);

/* "PATH: 2 attempts of run 1f0c3a52, which the database does not know, last written 3 days ago". New text. */
char *strangers_text(const struct strangers *strangers);

/* Removes the files; the folder, too, where nothing else lies in it. Fails where a process has taken the run
 * up meanwhile. */
bool strangers_remove(const struct strangers *strangers, const char *db, GError **err);

#endif
