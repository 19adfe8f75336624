#include "child.h"

#include "diag.h"
#include "supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STREAM_REPORT, STREAM_OUT, STREAM_ERRORS, STREAM_COUNT };

struct stream {
	struct child *child;
	int fd; /* -1 once it has ended */
	GSource *source;
};

struct child {
	struct child_spec spec; /* its strings are gone */
	GPid supervisor;
	int lifeline;		/* -1: the kill is ordered */
	enum child_end ordered; /* why, where it is */
	double punished_s;	/* silence, where that is why */
	struct stream streams[STREAM_COUNT];
	GSource *silence;	   /* NULL: no deadline */
	gint64 started, last_byte; /* monotonic microseconds */
	size_t output;		   /* bytes so far */
	struct supervise_report report;
	size_t report_length; /* bytes of it that are there */
};

static const char *supervisor_path;

void child_set_supervisor(const char *path)
{
	supervisor_path = path;
}

const char *child_supervisor(void)
{
	return supervisor_path;
}

static void order_kill(struct child *child, enum child_end why)
{
	if (child->lifeline < 0)
		return;
	child->ordered = why;
	close(child->lifeline);
	child->lifeline = -1;
}

void child_cancel(struct child *child)
{
	order_kill(child, CHILD_CANCELLED);
}

static void close_stream(struct stream *stream)
{
	if (stream->source) {
		g_source_destroy(stream->source);
		g_clear_pointer(&stream->source, g_source_unref);
	}
	if (stream->fd >= 0)
		close(stream->fd);
	stream->fd = -1;
}

/* How long it may be silent now; 0: for ever. */
static double patience(const struct child *child)
{
	return child->output == 0 && child->spec.start_s > 0 ? child->spec.start_s : child->spec.silence_s;
}

/* When its silence is punished; -1: never. Monotonic microseconds. */
static gint64 silence_ends(const struct child *child)
{
	return patience(child) > 0 ? child->last_byte + (gint64)(patience(child) * G_USEC_PER_SEC) : -1;
}

static void take_output(struct child *child, int number, const char *bytes, size_t length)
{
	size_t ceiling = child->spec.output_ceiling;
	bool flood = ceiling && length > ceiling - child->output;
	bool first = child->output == 0;

	child->last_byte = g_get_monotonic_time();
	if (flood)
		length = ceiling - child->output;
	child->output += length;
	if (first && child->silence)
		g_source_set_ready_time(child->silence, silence_ends(child));
	if (length && child->spec.on_output)
		child->spec.on_output(number, bytes, length, child->spec.user);
	if (flood)
		order_kill(child, CHILD_FLOODED);
}

static void take_report(struct child *child, const char *bytes, size_t length)
{
	length = MIN(length, sizeof child->report - child->report_length);
	memcpy((char *)&child->report + child->report_length, bytes, length);
	child->report_length += length;
}

/* Reads once, `limit` bytes at most. False at the end of the stream. */
static bool read_stream(struct stream *stream, size_t limit)
{
	char buffer[65536];
	int number = (int)(stream - stream->child->streams);
	ssize_t got = read(stream->fd, buffer, MIN(limit, sizeof buffer));

	if (got < 0)
		return errno == EAGAIN || errno == EINTR;
	if (got > 0 && number == STREAM_REPORT)
		take_report(stream->child, buffer, (size_t)got);
	else if (got > 0)
		take_output(stream->child, number, buffer, (size_t)got);
	return got > 0;
}

/* What is in the pipe now, and no more: a process outside our reach that was handed the pipe could write for
 * ever. */
static void drain(struct stream *stream)
{
	int left = 0;

	if (stream->fd < 0 || ioctl(stream->fd, FIONREAD, &left) != 0)
		return;
	while (left > 0) {
		size_t before = stream->child->output;
		if (!read_stream(stream, (size_t)left))
			return;
		if (stream->child->output == before)
			return;
		left -= (int)(stream->child->output - before);
	}
}

static int whole_seconds(double seconds)
{
	return (int)MIN(ceil(seconds), (double)INT_MAX);
}

static void explain_order(struct child_exit *ret, const struct child *child)
{
	ret->end = child->ordered;
	ret->status = 0;
	if (ret->end == CHILD_SILENT)
		ret->status = whole_seconds(child->punished_s);
	if (ret->end == CHILD_FLOODED)
		ret->status = (int)MIN(child->spec.output_ceiling, (size_t)INT_MAX);
}

static void explain_status(struct child_exit *ret, int status)
{
	ret->end = WIFSIGNALED(status) ? CHILD_SIGNALLED : CHILD_EXITED;
	ret->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static struct child_exit explain(const struct child *child, int supervisor_status)
{
	const struct supervise_report *report = &child->report;
	struct child_exit ret = {.seconds = report->seconds,
		.cpu_seconds = report->cpu_seconds,
		.max_rss_bytes = report->max_rss_bytes};

	if (child->report_length != sizeof *report) {
		/* The supervisor itself was killed, so its end is all that is known. */
		ret.seconds = (double)(g_get_monotonic_time() - child->started) / G_USEC_PER_SEC;
		ret.cpu_seconds = NAN;
		ret.max_rss_bytes = -1;
		explain_status(&ret, supervisor_status);
	} else if (report->cause == SUPERVISE_ENDED) {
		explain_status(&ret, report->status);
	} else if (report->cause == SUPERVISE_NOT_RUN) {
		ret.end = CHILD_NOT_RUN;
		ret.status = report->status;
	} else if (report->cause == SUPERVISE_TIMEOUT) {
		ret.end = CHILD_TIMEOUT;
		ret.status = whole_seconds(child->spec.timeout_s);
	} else {
		ret.end = CHILD_CANCELLED;
	}
	/* A program that ended by itself before its silence could be punished is taken at its word. */
	bool by_itself = child->report_length == sizeof *report && report->cause == SUPERVISE_ENDED;
	if (child->lifeline < 0 && !(by_itself && child->ordered == CHILD_SILENT))
		explain_order(&ret, child);
	return ret;
}

/* The supervisor's pipe has ended, so it has killed everything and all bytes are in the pipes. */
static void finish(struct child *child)
{
	int status = 0;

	drain(&child->streams[STREAM_OUT]);
	drain(&child->streams[STREAM_ERRORS]);
	while (waitpid(child->supervisor, &status, 0) < 0 && errno == EINTR)
		;

	struct child_exit end = explain(child, status);
	void (*on_exit)(const struct child_exit *, void *) = child->spec.on_exit;
	void *user = child->spec.user;

	for (size_t i = 0; i < STREAM_COUNT; i++)
		close_stream(&child->streams[i]);
	if (child->silence) {
		g_source_destroy(child->silence);
		g_source_unref(child->silence);
	}
	if (child->lifeline >= 0)
		close(child->lifeline);
	g_free(child);
	if (on_exit)
		on_exit(&end, user);
}

static gboolean on_readable(gint fd, GIOCondition condition, gpointer user)
{
	struct stream *stream = user;
	(void)fd;
	(void)condition;

	if (read_stream(stream, SIZE_MAX))
		return G_SOURCE_CONTINUE;
	if (stream == &stream->child->streams[STREAM_REPORT])
		finish(stream->child);
	else
		close_stream(stream);
	return G_SOURCE_REMOVE;
}

static gboolean on_silence(GSource *source, GSourceFunc callback, gpointer user)
{
	struct child *child = user;
	gint64 due = silence_ends(child);
	(void)callback;

	if (due >= 0 && g_get_monotonic_time() >= due) {
		child->punished_s = patience(child);
		order_kill(child, CHILD_SILENT);
		due = -1;
	}
	g_source_set_ready_time(source, due);
	return G_SOURCE_CONTINUE;
}

/* A source that calls only on_silence(), each time that its ready time has come. */
static GSourceFuncs silence_functions = {.dispatch = on_silence};

static void watch_silence(struct child *child, GMainContext *context)
{
	child->silence = g_source_new(&silence_functions, sizeof(GSource));
	g_source_set_callback(child->silence, NULL, child, NULL);
	/* After the streams: bytes that we were too busy to read are no silence. */
	g_source_set_priority(child->silence, G_PRIORITY_DEFAULT + 1);
	g_source_set_ready_time(child->silence, silence_ends(child));
	g_source_attach(child->silence, context);
}

static void watch_stream(struct child *child, int number, int fd, GMainContext *context)
{
	struct stream *stream = &child->streams[number];

	g_unix_set_fd_nonblocking(fd, TRUE, NULL);
	stream->child = child;
	stream->fd = fd;
	stream->source = g_unix_fd_source_new(fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
	g_source_set_callback(stream->source, G_SOURCE_FUNC(on_readable), stream, NULL);
	g_source_attach(stream->source, context);
}

/* The pipes between us and the supervisor; [0] is the end to read. */
struct pipes {
	int lifeline[2], streams[STREAM_COUNT][2];
};

static void close_pipe(int ends[2])
{
	for (int i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
}

static void close_pipes(struct pipes *pipes)
{
	close_pipe(pipes->lifeline);
	for (size_t i = 0; i < STREAM_COUNT; i++)
		close_pipe(pipes->streams[i]);
}

static bool open_pipes(struct pipes *ret, GError **err)
{
	memset(ret, 0xff, sizeof *ret); /* all -1 */
	bool ok = pipe2(ret->lifeline, O_CLOEXEC) == 0;
	for (size_t i = 0; ok && i < STREAM_COUNT; i++)
		ok = pipe2(ret->streams[i], O_CLOEXEC) == 0;
	if (ok)
		return true;
	diag_set(err, DIAG_FAILED, "no pipe can be opened: %s", g_strerror(errno));
	close_pipes(ret);
	return false;
}

static bool spawn(GPid *ret, const struct pipes *pipes, const struct child_spec *spec, GError **err)
{
	static const char *const empty[] = {NULL};
	const int theirs[] = {SUPERVISE_LIFELINE, SUPERVISE_REPORT};
	const int ours[] = {pipes->lifeline[0], pipes->streams[STREAM_REPORT][1]};
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_autofree char *timeout = g_strdup_printf("%.0f", ceil(spec->timeout_s * 1000));
	g_autofree char *cpu = g_strdup_printf("%d", spec->cpu);
	/* GLib closes it in the child when the others are in their places, one of which it must not have. */
	int input = spec->input ? fcntl(*spec->input, F_DUPFD_CLOEXEC, SUPERVISE_REPORT + 1) : -1;

	g_ptr_array_add(argv, (char *)supervisor_path);
	g_ptr_array_add(argv, timeout);
	g_ptr_array_add(argv, cpu);
	g_ptr_array_add(argv, (char *)(spec->folder ? spec->folder : ""));
	for (size_t i = 0; spec->argv[i]; i++)
		g_ptr_array_add(argv, (char *)spec->argv[i]);
	g_ptr_array_add(argv, NULL);
	/* All of ours close on exec, so no child holds the lifeline of another; what we were started with the
	 * supervisor closes. GLib then needs no fork, which costs more than the rest of a short cell: the
	 * pages that we write to after it are copied. */
	bool ok = g_spawn_async_with_pipes_and_fds(NULL, (const char *const *)argv->pdata,
		spec->environment ? spec->environment : empty,
		G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_LEAVE_DESCRIPTORS_OPEN, NULL, NULL, input,
		pipes->streams[STREAM_OUT][1], pipes->streams[STREAM_ERRORS][1], ours, theirs, 2, ret, NULL,
		NULL, NULL, err);
	if (input >= 0)
		close(input);
	return ok;
}

static void forget_strings(struct child_spec *spec)
{
	spec->argv = spec->environment = NULL;
	spec->folder = NULL;
	spec->input = NULL;
}

struct child *child_start(const struct child_spec *spec, GError **err)
{
	GMainContext *context = g_main_context_get_thread_default();
	struct pipes pipes;
	GPid supervisor;

	if (!supervisor_path) {
		diag_set(
			err, DIAG_FAILED, "no program can be started: child_set_supervisor() was not called");
		return NULL;
	}
	if (!open_pipes(&pipes, err))
		return NULL;
	if (!spawn(&supervisor, &pipes, spec, err)) {
		g_prefix_error(err, "%s: ", supervisor_path);
		close_pipes(&pipes);
		return NULL;
	}

	struct child *child = g_new0(struct child, 1);
	child->spec = *spec;
	forget_strings(&child->spec);
	child->supervisor = supervisor;
	child->started = child->last_byte = g_get_monotonic_time();
	close(pipes.lifeline[0]);
	child->lifeline = pipes.lifeline[1];
	for (int i = 0; i < STREAM_COUNT; i++) {
		close(pipes.streams[i][1]);
		watch_stream(child, i, pipes.streams[i][0], context);
	}
	if (spec->silence_s > 0 || spec->start_s > 0)
		watch_silence(child, context);
	return child;
}
