/* The proof that a benchmark is right, before and after it is measured. */
#ifndef CORE_PROVE_H
#define CORE_PROVE_H

#include "adapter.h"
#include "sha256.h"

/* Where the timed operation of a benchmark finds its input, and room for its output. Bulk benchmarks: `block`
 * bytes of the pattern; others: block 0. Buffers are static and page-aligned: one work at a time. */
void prove_inputs(struct core_work *ret, enum core_id id, size_t block);

/* Holds the operation against the published vectors that there are for it; true where there are none. */
bool prove_published(const struct core_operation *op, struct core_why *why);

/* Overwrites the room for output, so that only a new operation can give the answer. */
void prove_forget(struct core_work *work);

/* Holds the last output against what it must be. digest: in hexadecimal, "" where it cannot be compared
 * between builds. */
bool prove_output(const struct core_operation *op, struct core_work *work, size_t block,
	char digest[SHA256_HEX_SIZE], struct core_why *why);

/* Words for an error of the library, as a refusal. */
bool prove_error(int error, const char *what, struct core_why *why);

#endif
