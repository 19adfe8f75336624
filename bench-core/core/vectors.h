/* The fixed inputs and published answers of vectors.def as bytes. */
#ifndef CORE_VECTORS_H
#define CORE_VECTORS_H

/* One array per row, named as there. */
struct core_vectors {
#define VECTOR(name, bytes, hex) unsigned char name[bytes];
#include "vectors.def"
#undef VECTOR
};

/* Filled by vectors_init(), which is called once before anything else. */
extern const struct core_vectors *const vectors;
void vectors_init(void);

#endif
