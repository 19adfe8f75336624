/* Rates that a system tells in files. */
#ifndef CORE_RATE_FILE_H
#define CORE_RATE_FILE_H

#include <stdint.h>

/* A device tree's property: a number of 4 or 8 bytes, big-endian. 0: there is none. */
uint64_t rate_cell(const char *path);

/* The number of the line "key : 512000000". 0: there is none. */
uint64_t rate_line(const char *path, const char *key);

#endif
