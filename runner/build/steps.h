/* Commands that run one after the other, into one log, until one of them fails. */
#ifndef BM_STEPS_H
#define BM_STEPS_H

#include "child.h"
#include "rows.h"

#include <glib.h>

/* What may be waited for. A step that prints nothing for long is no failure: compilers are silent. */
struct build_limits {
	double configure_s, make_s, other_s;
	size_t output_ceiling; /* bytes that one step may print */
};
extern const struct build_limits build_limits_default;

struct step {
	char *name; /* "configure" */
	char **argv;
	char *folder;
	double timeout_s;
	enum build_state fails_as; /* what the build is where this step fails by itself */
	size_t output_from;	   /* where its output begins in the log; set when it starts */
};
struct step *step_new(
	const char *name, char **argv, const char *folder, double timeout_s, enum build_state fails_as);
void step_free(struct step *step);
GPtrArray *steps_new(void); /* struct step *, owned */

struct steps_spec {
	GPtrArray *steps;		/* lent until `done` */
	const char *const *environment; /* copied */
	const char
		*temporary; /* folder for temporary files, in which a killed compiler leaves them: TMPDIR */
	GString *log;	    /* appended to: each command, then what it printed */
	size_t output_ceiling;
	void (*on_step)(const char *name, void *user); /* may be NULL */
	/* Called once, never before steps_start() returns. NULL: all went well. Else the step that failed,
	 * how it ended, and, where it could not be started at all, why (`end` is then NULL). The struct
	 * steps_run is gone when it returns. */
	void (*done)(const struct step *failed, const struct child_exit *end, const GError *err, void *user);
	void *user;
};

struct steps_run;
struct steps_run *steps_start(const struct steps_spec *spec);
/* Kills the step that runs; `done` follows with CHILD_CANCELLED. */
void steps_cancel(struct steps_run *run);

/* argv as one line that a shell would read back. Free with g_free(). */
char *steps_line(const char *const *argv);

#endif
