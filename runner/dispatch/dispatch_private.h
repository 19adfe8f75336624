/* What the dispatch's files share. */
#ifndef BM_DISPATCH_PRIVATE_H
#define BM_DISPATCH_PRIVATE_H

#include "attempt.h"
#include "dispatch.h"
#include "host_settings.h"
#include "machine_lock.h"
#include "pairs.h"
#include "patience.h"
#include "places.h"

/* A machine on which programs are timed, one at a time. */
struct lane {
	struct dispatch *dispatch;
	const struct agent *agent; /* elsewhere; NULL: this machine, whatever agents there are on it */
	GQueue times; /* struct attempt *: each gets one process in turn, so that slow drift spreads over all
			 cells */
	struct pairs pairs;
	bool timing;	   /* a process is under way */
	bool lost;	   /* it was given up; no attempt waits for it until one has found it again */
	guint rest;	   /* timer: it has vanished, and is looked for later; 0: none */
	GPtrArray *absent; /* struct absent_cell *: wait until it is there for the first time */
	struct agent_process *look; /* for it, under way; NULL: none */
	struct patience patience;   /* with it, where cells are absent */
};

struct dispatch {
	const struct dispatch_spec *spec;
	struct dispatch_result result;
	struct places *places;
	GHashTable *left_over; /* names of cells to spool files to go on with */
	bool finished;
	guint next_build; /* of the plan: to start */
	int building, counting;
	GPtrArray *lanes; /* struct lane *, this machine's first */
	struct machine_lock lock;
	guint lock_timer;	    /* 0: not waiting for it */
	bool told_wait[2];	    /* that builds, that timing waits for it */
	struct host_settings *host; /* changed while we time; NULL: nothing is */
	GQueue counts;		    /* struct attempt *: ready to start */
	GPtrArray *active;	    /* struct attempt *: all that are not over; stopped on a signal */
	int done, total;
	int unsupported; /* cells */
	bool cancelled;
	GError *error; /* of the store or the spool: ends the run */
};

/* lanes.c */
GPtrArray *lanes_new(struct dispatch *d); /* with this machine's; its own free function */
struct lane *lane_of(struct dispatch *d, const struct agent *agent); /* made when first asked for */
/* An attempt waits for its next process, behind the others. */
void lane_add(struct lane *lane, struct attempt *attempt);
/* A process has ended. The attempt, where it goes on, waits again: before the others where the machine was
 * lost, which then rests. */
void lane_ended(struct lane *lane, struct attempt *attempt, bool goes_on);
/* Starts the next process, where one waits and the machine neither rests nor times already. */
void lane_start(struct lane *lane);
/* The next attempt that goes on no more, as its pair's time is over; NULL: none. */
struct attempt *lane_take_over(struct lane *lane);
bool lanes_timing(const struct dispatch *d);	   /* somewhere */
bool lanes_waiting(const struct dispatch *d);	   /* on machines elsewhere */
void lane_rest(struct lane *lane, double seconds); /* nothing is started there meanwhile */

/* absent.c: cells whose machine could not be reached when the run began. Their programs are built meanwhile.
 */
GPtrArray *absent_new(void); /* its own free function */
/* Fails with d->error. */
bool absent_add(struct dispatch *d, const struct planned_cell *cell, const struct build_result *result,
	const struct place *place);
/* Looks for the machine of cells that wait; false where none does. */
bool absent_look(struct lane *lane);
/* Ends a look that is under way, soon. */
void absent_cancel(struct lane *lane);

/* dispatch.c */
void dispatch_schedule(struct dispatch *d);
void dispatch_go_on(struct dispatch *d, bool ok); /* the same, or gives up where d->error was set */
void dispatch_tell(struct dispatch *d, struct dispatch_event event);
void dispatch_on_attempt_ended(struct attempt *attempt, void *user);
void dispatch_build_ended(struct dispatch *d, struct build_result *result); /* frees the result */

/* dispatch_cells.c; all fail with d->error only */
/* Starts the next build that some usable place waits for, and tells the cells that have none. False where the
 * plan has none left, or the store has failed. */
bool dispatch_start_build(struct dispatch *d);
/* The cells of builds that were not begun: nothing of a plan goes missing without a word. */
void dispatch_drop_builds(struct dispatch *d);
/* The cells of a build that has ended: stored, carried forward or queued. */
bool dispatch_after_build(struct dispatch *d, const struct build_result *result);
/* A cell whose program and place are there: queued, gone on with, or carried forward. */
bool dispatch_begin_cell(struct dispatch *d, const struct planned_cell *cell, int64_t row,
	const char *program, const char *key_program, const struct place *place);
/* Its place cannot be used after all. */
bool dispatch_cell_without_place(struct dispatch *d, const struct planned_cell *cell, const char *lacks);
/* The store has an attempt at it that is over; tells what became of it. `seconds` NAN: unknown. */
bool dispatch_cell_over(
	struct dispatch *d, const struct planned_cell *cell, int64_t row, bool carried, double seconds);
/* Stores an attempt that is done, and tells what became of its cell. */
bool dispatch_keep(struct dispatch *d, struct attempt *attempt);

#endif
