/* What the program takes of flash and memory, where there is no system that could tell. */
#ifndef CORE_FOOTPRINT_H
#define CORE_FOOTPRINT_H

#include "memory.h"

/* An operation held so much heap and stack at its most. */
void footprint_note(const struct memory_use *use);

/* Writes the records of it; nothing where port_footprint() knows nothing. False: they could not be written.
 */
bool footprint_emit(void);

#endif
