/* The pages that are always one click away. */
#ifndef BM_REPORT_NAV_H
#define BM_REPORT_NAV_H

#include "report_model.h"

struct report_nav {
	const char *file, *name;
	bool (*wanted)(const struct report_model *model); /* NULL: always */
	bool (*write)(const struct report_model *model, GError **err);
};
extern const struct report_nav report_navs[]; /* ends with a NULL file */

#endif
