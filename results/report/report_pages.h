/* The pages, each of which report_navs lists. */
#ifndef BM_REPORT_PAGES_H
#define BM_REPORT_PAGES_H

#include "report_model.h"

bool report_overview(const struct report_model *model, GError **err);
bool report_matrix(const struct report_model *model, GError **err);
bool report_flags(const struct report_model *model, GError **err);
bool report_changes(const struct report_model *model, GError **err);
bool report_history(const struct report_model *model, GError **err);
bool report_ciphers(const struct report_model *model, GError **err);
bool report_libraries(const struct report_model *model, GError **err);
bool report_has_libraries(const struct report_model *model);
bool report_tls(const struct report_model *model, GError **err);
bool report_has_tls(const struct report_model *model);
bool report_platforms(const struct report_model *model, GError **err);
bool report_builds(const struct report_model *model, GError **err);

/* data.js and history.js: what the charts are drawn from. */
bool report_data(const struct report_model *model, GError **err);

#endif
