/* Bytes to a descriptor, past whatever the emulator buffers. */
#ifndef BM_PLUGIN_OUTPUT_H
#define BM_PLUGIN_OUTPUT_H

#include <stddef.h>

/* All of them, or as many as it takes: the guest sees for itself that its output is gone. */
void output(int descriptor, const char *text, size_t length);

#endif
