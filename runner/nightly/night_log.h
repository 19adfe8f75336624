/* The commits between two revisions. */
#ifndef BM_NIGHT_LOG_H
#define BM_NIGHT_LOG_H

#include <glib.h>

#define NIGHT_LOG_MOST 50

/* The lines of `git log --oneline FROM..TO`, newest first, NIGHT_LOG_MOST at most; NULL where the repository
 * is not a folder of this machine or does not have both. Free with g_strfreev(). */
char **night_log(const char *repository, const char *from, const char *to);

#endif
