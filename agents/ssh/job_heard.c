/* What the script over there and the program that it runs say. */
#include "job_private.h"

#include "diag.h"
#include "link.h"
#include "script.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define PRINTED_MAX 4096 /* bytes of ssh's own words that are kept for messages */

void job_set_end(struct job *job, enum child_end end, int status, char *why)
{
	if (job->why || job->end.end != CHILD_LOST) {
		g_free(why);
		return;
	}
	job->end.end = end;
	job->end.status = status;
	job->why = why;
}

gboolean job_on_beat(gpointer user)
{
	const struct job *job = user;

	/* Where the pipe is full the board reads nothing, and will see to itself. */
	(void)!write(job->input, "\n", 1);
	return G_SOURCE_CONTINUE;
}

void job_stop(struct job *job, enum child_end end, double status)
{
	job_set_end(job, end, (int)ceil(status), NULL);
	job->stopped = true;
	child_cancel(job->child);
}

static bool waits_for_start(const struct job *job)
{
	return !job->heard && job->job.start_s > 0;
}

static gboolean on_deadline(gpointer user)
{
	struct job *job = user;

	job->deadline_timer = 0;
	if (waits_for_start(job))
		job_stop(job, CHILD_SILENT, job->job.start_s);
	else
		job_stop(job, CHILD_TIMEOUT, job->job.timeout_s);
	return G_SOURCE_REMOVE;
}

/* For its first byte, then for all of it. */
static void set_deadline(struct job *job)
{
	double passed = (double)(g_get_monotonic_time() - job->began_at) / G_USEC_PER_SEC;
	double left = waits_for_start(job) ? job->job.start_s : job->job.timeout_s - passed;

	if (job->deadline_timer)
		g_source_remove(job->deadline_timer);
	job->deadline_timer = 0;
	if (waits_for_start(job) || job->job.timeout_s > 0)
		job->deadline_timer = g_timeout_add((guint)(fmax(left, 0) * 1000), on_deadline, job);
}

static void take_begin(struct job *job, const char *shell)
{
	job->begun = true;
	job->began_at = g_get_monotonic_time();
	g_free(job->shell);
	job->shell = g_strdup(shell);
	set_deadline(job);
}

static void take_end(struct job *job, const char *line)
{
	struct child_exit end;

	script_end(&end, line);
	job->over = true;
	job->over_at = g_get_monotonic_time();
	job_set_end(job, end.end, end.status,
		end.end == CHILD_NOT_RUN
			? g_strdup_printf(
				  "%s: the program cannot be executed there (exit status %d): a "
				  "folder without exec, another architecture, or no taskset for \"pin\"",
				  job->agent->name, end.status)
			: NULL);
}

static void take_refusal(struct job *job, const char *line)
{
	g_autofree char *shown = diag_printable(line, -1);

	job_set_end(job, CHILD_NOT_RUN, EBUSY, g_strdup_printf("%s: %s", job->agent->name, shown));
}

/* The dump that goes on; NULL while the program itself speaks. */
static struct dump *open_dump(const struct job *job)
{
	if (job->after)
		return job->after;
	return job->begun ? NULL : job->before;
}

static void begin_moment(struct job *job)
{
	job_end_moment(job);
	job->moment = dump_new();
}

void job_on_mark(const char *line, void *user)
{
	struct job *job = user;
	struct dump *dump = open_dump(job);

	/* What was seen while the program ran is told at its end, before what is there after it. */
	if (!dump)
		dump = job->moment;
	if (dump && dump_mark(dump, line, link_sys()))
		return;
	if (g_str_equal(line, "need") || g_str_equal(line, "need gzip")) {
		job->needs = true;
		job->unpacks = line[strlen("need")] != '\0';
	} else if (g_str_equal(line, "done"))
		job->put = true;
	else if (g_str_equal(line, "before") && !job->before)
		job->before = dump_new();
	else if (g_str_equal(line, "meanwhile") && job->begun && !job->after)
		begin_moment(job);
	else if (g_str_equal(line, "after") && !job->after)
		job->after = dump_new();
	else if (g_str_has_prefix(line, "begin ") && !job->begun)
		take_begin(job, line + strlen("begin "));
	else if (g_str_has_prefix(line, "times "))
		job->cpu_s = script_cpu_s(line + strlen("times "));
	else if (g_str_has_prefix(line, "end "))
		take_end(job, line + strlen("end "));
	else if (g_str_has_prefix(line, "fail "))
		take_refusal(job, line + strlen("fail "));
}

static void hear(struct job *job, int stream, const char *bytes, size_t length)
{
	bool first = !job->heard;

	job->heard = true;
	if (first && job->deadline_timer)
		set_deadline(job);
	if (job->job.on_output)
		job->job.on_output(stream, bytes, length, job->job.user);
}

void job_on_text(const char *bytes, size_t length, void *user)
{
	struct job *job = user;

	if (open_dump(job))
		dump_text(open_dump(job), bytes, length);
	else if (job->begun && job->step == STEP_RUN)
		hear(job, 1, bytes, length);
}

void job_on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct job *job = user;

	if (stream == 1) {
		marks_push(job->marks, bytes, length);
		return;
	}
	if (job->printed->len < PRINTED_MAX)
		g_string_append_len(
			job->printed, bytes, (gssize)MIN(length, PRINTED_MAX - job->printed->len));
	if (job->begun && job->step == STEP_RUN)
		hear(job, 2, bytes, length);
}
