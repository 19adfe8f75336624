/* The spool: what an attempt does is on disk as it comes, so that no end of ours loses it.
 *
 *     DATABASE.spool/<run's UUID>/lock              held by the process that carries the run out
 *     DATABASE.spool/<run's UUID>/<attempt's UUID>  one attempt, until the database has it
 *
 * An attempt's file is the only way of its results into the database: live and left-over ones are taken in by
 * the same code (take_in.h). It is a sequence of frames: one byte of type, four of length and four of CRC-32
 * of type, length and payload (little-endian), then the payload, at most 1 MiB. A frame that is cut or
 * damaged ends the file: what stands before it holds, what stands behind it never was. Longer bytes are
 * several frames. */
#ifndef BM_SPOOL_H
#define BM_SPOOL_H

#include "agent.h"
#include "child.h"
#include "rows.h"

#include <glib.h>
#include <stdbool.h>

enum spool_frame {
	SPOOL_HEAD = 'H',     /* JSON: what the attempt is (struct spool_head); once, first */
	SPOOL_BEGIN = 'B',    /* JSON: a process begins (struct spool_process) */
	SPOOL_OUTPUT = '1',   /* bytes of its standard output */
	SPOOL_ERRORS = '2',   /* bytes of its standard error */
	SPOOL_END = 'E',      /* JSON: how the process ended (struct spool_end) */
	SPOOL_FINISHED = 'F', /* nothing: the attempt is over and only has to be taken in */
};

/* What an attempt is: all that taking it in needs. Lent strings. */
struct spool_head {
	const char *run, *uuid; /* of run and attempt */
	const char *cell;	/* name of the cell, unique in its run */
	const char *build;	/* key P: what the streams' headers must say */
	const char *exact_key;	/* NULL: its results are not exact */
	const char *importer;	/* what reads its text; NULL: it is bench-core's stream */
	enum agent_mode mode;
	enum environment environment; /* of the agent */
	int invocations;	      /* that it has in all */
	int cores;		      /* of the machine; 0: unknown, or this one */
};

struct spool_process {
	int invocation;	    /* from 0 */
	const char *argv;   /* JSON list; lent */
	int64_t started_at; /* ns since 1970 */
	struct agent_condition before;
};

struct spool_end {
	bool started;
	struct child_exit exit;	       /* where it was started */
	const char *text;	       /* child_end_text(), or why it could not be started; lent */
	struct agent_condition before; /* where the place told it only now; else unknown */
	struct agent_condition after;
	struct agent_watch meanwhile;
};

struct spool;

/* Makes the run's folder, where it is missing, and holds it until spool_close(). Where only what a killed
 * process has left behind holds it, waits up to 5 s for its end. DIAG_FAILED where another process holds it,
 * which is named, or it cannot be made. */
bool spool_open(struct spool **ret, const char *db, const char *run_uuid, GError **err);
/* Removes the folder where no attempt is left in it. Takes NULL. */
void spool_close(struct spool *spool);
const char *spool_run(const struct spool *spool); /* the run's UUID; lent */

/* The UUIDs of runs whose folders no live process holds. char *, with its own free function; empty where
 * there is no spool. */
GPtrArray *spool_left_over(const char *db);
char *spool_folder_of(const char *db, const char *run_uuid); /* whether it is there or not; g_free() */
/* The attempts' files of an open spool, or of such a folder: full paths, sorted. char *, with its own free
 * function. */
GPtrArray *spool_files(const struct spool *spool);
GPtrArray *spool_files_in(const char *folder);

/* --- writing; every function may fail with DIAG_FAILED (disk full, no permission), the file then ends with
 * the last whole frame --- */

struct spool_file;
/* A new file with its head; or an existing one to go on with, what is cut at its end removed. */
bool spool_begin(
	struct spool_file **ret, const struct spool *spool, const struct spool_head *head, GError **err);
bool spool_reopen(struct spool_file **ret, const char *path, GError **err);
/* No descriptor is held between the end of a process and the begin of the next one. */
bool spool_put_begin(struct spool_file *file, const struct spool_process *process, GError **err);
bool spool_put_bytes(struct spool_file *file, int stream, const char *bytes, size_t length, GError **err);
bool spool_put_end(struct spool_file *file, const struct spool_end *end, GError **err); /* and fsync */
bool spool_put_finished(struct spool_file *file, GError **err);				/* and fsync */
const char *spool_file_path(const struct spool_file *file);
void spool_file_free(struct spool_file *file); /* takes NULL; the file stays */

/* --- reading --- */

/* Called for each frame in order; those that are not wanted are NULL. What is handed over is lent for the
 * call. False ends the reading with the error that it set. */
struct spool_visitor {
	bool (*head)(const struct spool_head *head, void *user, GError **err);
	bool (*begin)(const struct spool_process *process, void *user, GError **err);
	bool (*bytes)(int stream, const char *bytes, size_t length, void *user, GError **err);
	bool (*end)(const struct spool_end *end, void *user, GError **err);
	bool (*finished)(void *user, GError **err);
	void *user;
};
/* DIAG_INPUT where the file has no whole head; DIAG_FAILED where it cannot be read. */
bool spool_read(const char *path, const struct spool_visitor *visitor, GError **err);

#endif
