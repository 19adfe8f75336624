/* The sum that every POSIX board can make of a file. */
#ifndef BM_SSH_CKSUM_H
#define BM_SSH_CKSUM_H

#include <glib.h>
#include <stdint.h>

/* What cksum(1) prints first: POSIX.1-2017, "cksum", a CRC of the bytes and of how many they are. Finds slips
 * of a line, not somebody's intention. */
uint32_t cksum_of(const void *bytes, gsize length);

#endif
