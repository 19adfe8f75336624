/* The program's random source: a stream that follows from a text alone, so that counts repeat. Not for
 * secrets. */
#ifndef CORE_SEED_STREAM_H
#define CORE_SEED_STREAM_H

#include <stddef.h>

/* Starts the stream of a text from its beginning. */
void seed_restart(const char *text);

/* The next bytes: SHA-256(SHA-256(text) || counter), counter a 64-bit big-endian number from 0, one block
 * after the other. What is left of a block is dropped at the end of a call. */
void seed_bytes(unsigned char *out, size_t size);

#endif
