/* What came of a run, on standard output. */
#ifndef BM_SUMMARY_H
#define BM_SUMMARY_H

#include "dispatch.h"
#include "store.h"

/* "" for one, else "s". */
const char *plural(int n);

/* What became of the cells, and what it took. */
void print_summary(const struct run_info *run, const struct dispatch_result *result);

/* What failed in the run; prints nothing where nothing did. */
bool print_failures(struct store *store, int64_t run, GError **err);

#endif
