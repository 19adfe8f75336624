/* What the spool's files share. */
#ifndef BM_SPOOL_PRIVATE_H
#define BM_SPOOL_PRIVATE_H

#include "spool.h"

/* Lent. */
const char *spool_folder(const struct spool *spool);

#endif
