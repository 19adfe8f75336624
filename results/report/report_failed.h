/* Builds that failed in the newest run, or in which something did. */
#ifndef BM_REPORT_FAILED_H
#define BM_REPORT_FAILED_H

#include "report_page.h"

/* What failed with this build, each reason with what to try against it, and what its programs said; nothing
 * where nothing did. `library` may be NULL. */
bool report_failed_put(struct page *page, int64_t build, const char *library, GError **err);

#endif
