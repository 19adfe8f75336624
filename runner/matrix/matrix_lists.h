/* The lists of a matrix file, each element looked up and named no more than once; private to the matrix. */
#ifndef BM_MATRIX_LISTS_H
#define BM_MATRIX_LISTS_H

#include "jsonx.h"
#include "matrix.h"

/* Each fills its fields of the matrix from the file's root, or sets a DIAG_INPUT error. matrix->library is
 * set before. */
bool matrix_read_versions(struct matrix *matrix, struct jx root, GError **err);
bool matrix_read_toolchains(
	struct matrix *matrix, const struct catalog *catalog, struct jx root, GError **err);
bool matrix_read_profiles(struct matrix *matrix, struct jx root, GError **err);
bool matrix_read_extra_flags(struct matrix *matrix, struct jx root, GError **err);
bool matrix_read_flags(struct matrix *matrix, struct jx root, GError **err);
bool matrix_read_agents(struct matrix *matrix, const struct catalog *catalog, struct jx root, GError **err);
bool matrix_read_optimisations(struct matrix *matrix, struct jx root, GError **err);
bool matrix_read_benchmarks(struct matrix *matrix, struct jx root, GError **err);
bool matrix_read_blocks(struct matrix *matrix, struct jx root, GError **err);

#endif
