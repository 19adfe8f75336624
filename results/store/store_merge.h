/* The part of a merge that is within the transaction. */
#ifndef BM_STORE_MERGE_H
#define BM_STORE_MERGE_H

#include "store.h"

/* From the attached database `other`, which is current and whole, into the main one. */
bool store_merge_rows(struct store *store, struct merge_result *ret, GError **err);

#endif
