/* What the job's files share. */
#ifndef BM_SSH_JOB_PRIVATE_H
#define BM_SSH_JOB_PRIVATE_H

#include "dump.h"
#include "job.h"
#include "marks.h"

enum step { STEP_RUN, STEP_PUT, STEP_GONE };

struct job {
	struct agent_process process;
	const struct agent *agent;
	struct agent_job job; /* its strings are not lent on: the copies stand below */
	char *program, **arguments, *hash, *size, *crc, *name, *nonce;
	enum step step;
	struct child *child;
	struct marks *marks;
	int input; /* our end of the input of what is started; -1 */
	int kept;  /* the other end, so that writing is never a signal; -1 */
	guint beat_timer, deadline_timer;
	char *shell;		 /* over there: number of the process that waits for the program */
	bool needs, sent, put;	 /* the program lacks over there; was sent; is there whole */
	bool unpacks;		 /* the board has gzip */
	bool begun, heard, over; /* the program has started; a byte of it came; its end was told */
	bool stopped;		 /* by a deadline of ours, or cancelled */
	struct dump *before, *after, *moment; /* the last one while it ran; NULL: none */
	struct agent_watch meanwhile;
	gint64 began_at, over_at; /* monotonic microseconds */
	double cpu_s;		  /* NAN: unknown */
	GString *printed;	  /* on standard error */
	struct child_exit end;
	char *why;
};

/* Sets how it ended; takes `why`. What is set first holds. */
void job_set_end(struct job *job, enum child_end end, int status, char *why);
/* Ends the step under way: by a deadline of ours, or cancelled. */
void job_stop(struct job *job, enum child_end end, double status);

/* For the children and marks of the steps; `user` is the job. */
/* Takes the last moment into what was seen meanwhile. */
void job_end_moment(struct job *job);
void job_on_text(const char *bytes, size_t length, void *user);
void job_on_mark(const char *line, void *user);
void job_on_output(int stream, const char *bytes, size_t length, void *user);
gboolean job_on_beat(gpointer user); /* tells the board that we are there */

#endif
