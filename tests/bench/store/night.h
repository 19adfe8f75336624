/* One night of a large matrix, through the store and by bare SQLite: the same rows. */
#ifndef BM_NIGHT_H
#define BM_NIGHT_H

#include "store.h"

/* A program that wants another shape is compiled with it. */
#ifndef NIGHT_CELLS
#define NIGHT_CELLS  100
#define NIGHT_BLOCKS 3
#endif
#define NIGHT_BENCHMARKS 60
#define NIGHT_FIGURES	 (NIGHT_BENCHMARKS * NIGHT_BLOCKS) /* of a cell */
#define NIGHT_SERIES	 (NIGHT_CELLS * NIGHT_FIGURES)

extern bool night_sampled; /* times with five samples each, not counts */
extern int night_slow;	   /* the night from which on one figure is 5 % larger; -1: none */

bool night_store(struct store *store, int night, GError **err);

struct night_bare;
struct night_bare *night_bare_open(const char *file);
void night_bare_write(struct night_bare *bare, int night);
void night_bare_close(struct night_bare *bare);

#endif
