/* The course of an attempt: what its processes have done so far, and what is to be started next. Pure: it is
 * fed the same events whether they happen or are read back from a spool file.
 *
 *     course_began(course, invocation);
 *     course_bytes(course, stream, bytes, length);	any number of times
 *     course_ended(course, &end);		or course_lost(course): nobody saw its end
 *
 * A process that died with a benchmark in hand is followed by another one that goes on behind it; one that
 * died with nothing in hand, or that came no further than the one before it, ends the attempt. */
#ifndef BM_COURSE_H
#define BM_COURSE_H

#include "child.h"
#include "rows.h"

#include <glib.h>

struct course;
struct course *course_new(int invocations);
/* Of a program whose text has no records: a process is whole where it ends by itself with status 0, and none
 * is followed by one that goes on. */
struct course *course_new_foreign(int invocations);
void course_free(struct course *course);

void course_began(struct course *course, int invocation);
void course_bytes(struct course *course, int stream, const char *bytes, size_t length);

/* What became of a process. Lent until the next one ends. */
struct course_end {
	enum attempt_state state; /* OK: by itself, with its end record; CANCELLED: lost with the run */
	enum outcome_state blame; /* of the benchmark in hand; OUTCOME_OK: none is to blame */
	const char *reason;	  /* "signal 7 (SIGBUS): what it said last"; NULL: it ended by itself */
};
/* `exit` NULL: it could not be started; `text` is then the reason, else child_end_text(). */
const struct course_end *course_ended(struct course *course, const struct child_exit *exit, const char *text);
/* Whether the process under way has finished a benchmark. */
bool course_progressed(const struct course *course);
/* The process that began last was lost, with the run or with its machine, or stopped by us. Does nothing
 * where none is under way.
 */
const struct course_end *course_lost(struct course *course);

/* The invocations that have begun are all. Does nothing where none has. */
void course_finish(struct course *course);

/* Nothing is left to start. */
bool course_over(const struct course *course);
/* What is to be started next; not where it is over. Lent. */
int course_invocation(const struct course *course);
const char *course_from(const struct course *course); /* for --from; NULL: from the beginning */
char *course_skip(const struct course *course);	      /* for --skip; NULL: nothing. g_free() */

/* Of the first process that did not end well; OK where none is known. "signal 7 (SIGBUS) in rsa-2048 private:
 * what it said last"; NULL where state is OK, or TRUNCATED and only the whole stream can tell. Lent. */
enum attempt_state course_state(const struct course *course);
const char *course_reason(const struct course *course);

#endif
