/* Under which conditions an attempt's processes ran, and what that lets one doubt of its times. Pure. */
#ifndef BM_CONDITIONS_H
#define BM_CONDITIONS_H

#include "spool.h"
#include "store.h"

struct conditions {
	struct agent_condition before; /* the process under way */
	/* Of all processes; unknown is NAN. */
	double busiest;		     /* processors that others kept busy, at worst */
	double clock_from, clock_to; /* Hz: of the process whose clock fell furthest */
	double hottest;		     /* degrees Celsius */
	double throttled;	     /* 1: the machine held its clock down; 0: it did not */
};
void conditions_begin_all(struct conditions *all);

/* A process has begun or ended: fills in the columns of its row that tell of conditions. */
void conditions_begin(struct conditions *all, struct process_row *row, const struct spool_process *process);
void conditions_end(struct conditions *all, struct process_row *row, const struct spool_end *end);

/* Doubts about times that were taken on hardware of so many processors (0: this machine's), appended to
 * `notes` (char *, to be freed). */
void conditions_notes(const struct conditions *all, int cores, GPtrArray *notes);

#endif
