#include "progress.h"

#include "diag.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

struct progress {
	bool terminal;
	gint64 began; /* monotonic, microseconds */
	int done, total;
};

struct progress *progress_new(int total)
{
	struct progress *progress = g_new0(struct progress, 1);

	progress->terminal = isatty(STDERR_FILENO);
	progress->began = g_get_monotonic_time();
	progress->total = total;
	return progress;
}

static void clear(const struct progress *progress)
{
	if (progress->terminal)
		fputs("\r\033[K", stderr);
}

void progress_free(struct progress *progress)
{
	clear(progress);
	g_free(progress);
}

/* The estimate takes the rest to go on at the pace so far; nothing is said before an eighth is done. */
static void status_line(const struct progress *progress, const char *name, const char *step)
{
	if (!progress->terminal)
		return;
	fprintf(stderr, "\r\033[K[%d/%d", progress->done, progress->total);
	if (progress->done * 8 >= progress->total && progress->done > 0) {
		double spent = (double)(g_get_monotonic_time() - progress->began) / 1e6;
		double left = spent * (progress->total - progress->done) / progress->done;
		fprintf(stderr, ", about %.0f min %02d s left", floor(left / 60), (int)left % 60);
	}
	fprintf(stderr, "] %.40s: %s", name, step);
}

void progress_step(const char *build, const char *step, void *user)
{
	status_line(user, build, step);
}

static void lasting_line(const struct dispatch_event *event)
{
	g_autofree char *reason = event->reason ? diag_printable(event->reason, -1) : NULL;

	fprintf(stderr, "[%d/%d] %s %s: %s", event->done, event->total,
		event->what == DISPATCH_BUILT ? "built" : "ran", event->name, event->state);
	if (event->cached)
		fprintf(stderr, event->what == DISPATCH_BUILT ? " (cached)" : " (carried forward)");
	if (!isnan(event->seconds))
		fprintf(stderr, " (%.1f s)", event->seconds);
	fprintf(stderr, "%s%s\n", reason ? ": " : "", reason ? reason : "");
}

void progress_event(const struct dispatch_event *event, void *user)
{
	struct progress *progress = user;

	progress->done = event->done;
	if (event->what == DISPATCH_STEP) {
		if (progress->terminal)
			status_line(progress, event->name, event->state);
		else
			fprintf(stderr, "%s: %s\n", event->name, event->state);
		return;
	}
	clear(progress);
	lasting_line(event);
}
