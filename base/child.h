/* Supervised processes: every program that we start.
 *
 * A child runs below a small supervisor process of ours (bm-supervise) in its own session and process group.
 * The supervisor is a subreaper and holds a pipe to us: when we die, however, or at a deadline, it kills
 * everything below it, children that made their own session included, within a second. argv goes to exec as
 * it is: no shell is involved. */
#ifndef BM_CHILD_H
#define BM_CHILD_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum child_end {
	CHILD_EXITED,	 /* by itself; `status` is its exit status */
	CHILD_SIGNALLED, /* killed by a signal that was not ours; `status` is its number */
	CHILD_TIMEOUT,	 /* by us: the total deadline; `status` is its seconds, rounded up */
	CHILD_SILENT,	 /* by us: no byte within the silence deadline; `status` is its seconds, rounded up */
	CHILD_FLOODED,	 /* by us: more output than the ceiling; `status` is its bytes, INT_MAX at most */
	CHILD_CANCELLED, /* by us: child_cancel() */
	CHILD_NOT_RUN,	 /* exec failed; `status` is errno */
	CHILD_LOST,	 /* the machine that it ran on was lost; never of a child of this machine */
};

struct child_exit {
	enum child_end end;
	int status;
	double seconds;	       /* wall time from start to end */
	double cpu_seconds;    /* user and system time of it and its descendants; NAN where unknown */
	int64_t max_rss_bytes; /* the largest single process; -1 where unknown */
};

struct child_spec {
	const char *const *argv; /* argv[0] is looked up in the PATH of `environment` */
	const char *const
		*environment;  /* the whole environment, "KEY=value", NULL-terminated; nothing is inherited */
	const char *folder;    /* where to run; NULL: here */
	double timeout_s;      /* total deadline; 0: none */
	double silence_s;      /* deadline between bytes; 0: none */
	double start_s;	       /* deadline of the first byte; 0: as between bytes */
	size_t output_ceiling; /* bytes on both streams together; 0: none */
	int cpu;	       /* run on this processor alone; -1: anywhere */
	const int *input; /* descriptor that becomes its standard input, and stays open here; NULL: none */
	/* Called in the main loop. `stream` is 1 or 2. May be NULL: then the bytes are dropped. */
	void (*on_output)(int stream, const char *bytes, size_t length, void *user);
	/* Called once, last, in the main loop, after the last byte; the struct child is gone when it returns.
	 */
	void (*on_exit)(const struct child_exit *end, void *user);
	void *user;
};

struct child;

/* Starts it in the main context of this thread (g_main_context_get_thread_default()). The spec's strings are
 * not needed afterwards. NULL with an error where the supervisor itself cannot be started; a program that
 * cannot be executed is reported by on_exit (CHILD_NOT_RUN). */
struct child *child_start(const struct child_spec *spec, GError **err);

/* Kills it and everything below it; on_exit follows with CHILD_CANCELLED. */
void child_cancel(struct child *child);

/* Runs it to its end in a main context of its own; for short probes. The spec's callbacks are not used.
 * *ret_out and *ret_errors get what it printed (GString, may be NULL to drop it). False only where it could
 * not be started. */
bool child_run(struct child_exit *ret, GString *ret_out, GString *ret_errors, const struct child_spec *spec,
	GError **err);

/* How it ended, in words: "exit status 2", "signal 7 (SIGBUS)", "no output for 60 s"; free with g_free(). */
char *child_end_text(const struct child_exit *end);
/* "SIGBUS" for 7 on this host; "signal 99" where it has no name. Static or interned. */
const char *child_signal_name(int number);

/* Where bm-supervise is; told once at start by the program. Lent strings must live on. */
void child_set_supervisor(const char *path);
const char *child_supervisor(void); /* NULL where it was not told */

/* A fixed, scrubbed environment for tools: PATH, HOME, LC_ALL=C, TZ=UTC, nothing else of ours; plus `extra`
 * ("KEY=value", NULL-terminated, may be NULL). Free with g_strfreev(). */
char **child_clean_environment(const char *const *extra);

#endif
