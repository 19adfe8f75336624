/* What a program without an operating system takes of flash and memory, as it tells itself. */
#ifndef BM_FOOTPRINTS_H
#define BM_FOOTPRINTS_H

#include "intake.h"
#include "wire_reader.h"

/* The largest that was told, in bytes; 0: none was. Begins as {0}. */
struct footprint {
	struct {
		int64_t flash, ram;
	} program, library;
};

/* A record of kind WIRE_FOOTPRINT. */
void footprint_take(struct footprint *footprint, const struct wire_record *record);

/* Adds the benchmarks "program size" and "library size" with their figures, where there are any. */
void footprint_tell(const struct footprint *footprint, enum environment environment, struct intake *intake);

#endif
