/* The newest run of a matrix, and what failed in it. */
#ifndef BM_REPORT_RUNS_H
#define BM_REPORT_RUNS_H

#include "report_model.h"

/* Fills runs, last, previous, cells, failures and failed of the model. */
bool report_find_runs(struct report_model *model, GError **err);

#endif
