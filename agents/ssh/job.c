#include "job_private.h"

#include "cksum.h"
#include "diag.h"
#include "fsx.h"
#include "link.h"
#include "marks.h"
#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* The board hears from us this often, and ends what it runs when it has heard nothing for so long: seconds.
 */
#define BEAT_S	     10
#define DEAD_S	     60
#define CONNECT_S    20
#define LOCK_S	     3600
#define UPLOAD_S     600
#define GONE_S	     60	  /* to end a job that has to be stopped */
#define PROGRAMS_MAX "50" /* that are kept over there */

static bool start_step(struct job *job, enum step step, GError **err);

static void stop_timers(struct job *job)
{
	if (job->beat_timer)
		g_source_remove(job->beat_timer);
	if (job->deadline_timer)
		g_source_remove(job->deadline_timer);
	job->beat_timer = job->deadline_timer = 0;
}

static void close_input(struct job *job)
{
	if (job->input >= 0)
		close(job->input);
	if (job->kept >= 0)
		close(job->kept);
	job->input = job->kept = -1;
}

static void job_free(struct job *job)
{
	stop_timers(job);
	close_input(job);
	marks_free(job->marks);
	dump_free(job->before);
	dump_free(job->after);
	dump_free(job->moment);
	g_strfreev(job->arguments);
	g_string_free(job->printed, TRUE);
	g_free(job->program);
	g_free(job->hash);
	g_free(job->size);
	g_free(job->crc);
	g_free(job->name);
	g_free(job->nonce);
	g_free(job->shell);
	g_free(job->why);
	g_free(job);
}

/* --- its end --- */

static struct agent_condition condition_of(const struct job *job, const struct dump *dump)
{
	struct agent_condition ret = agent_condition_unknown;
	struct host_view view;

	if (!dump)
		return ret;
	dump_view(&view, dump, link_state(job->agent)->facts);
	host_condition(&ret, &view);
	return ret;
}

void job_end_moment(struct job *job)
{
	struct agent_condition now = condition_of(job, job->moment);

	agent_watch_add(&job->meanwhile, &now);
	g_clear_pointer(&job->moment, dump_free);
}

/* By the board's own clock that never jumps, where it tells it. */
static double seconds_of(const struct job *job)
{
	double there =
		job->before && job->after ? dump_uptime_s(job->after) - dump_uptime_s(job->before) : NAN;
	gint64 over_at = job->over_at ? job->over_at : g_get_monotonic_time();

	if (!job->begun)
		return 0;
	return there >= 0 ? there : (double)(over_at - job->began_at) / G_USEC_PER_SEC;
}

static void finish(struct job *job)
{
	struct agent_end end = {.exit = job->end,
		.why = job->why,
		.before = condition_of(job, job->before),
		.after = condition_of(job, job->after)};

	job_end_moment(job);
	end.meanwhile = job->meanwhile;
	end.exit.seconds = seconds_of(job);
	end.exit.cpu_seconds = job->cpu_s;
	end.exit.max_rss_bytes = -1;
	job->job.on_exit(&end, job->job.user);
	job_free(job);
}

/* --- step by step --- */

/* A step that cannot be started ends the job. */
static void go_on(struct job *job, enum step step)
{
	g_autoptr(GError) error = NULL;

	if (start_step(job, step, &error))
		return;
	job_set_end(job, CHILD_NOT_RUN, EIO, g_strdup(error->message));
	finish(job);
}

/* Why it ended before the board told its end. */
static void explain(struct job *job, const struct child_exit *end)
{
	g_autofree char *trouble = link_trouble(job->agent, job->begun ? "" : job->printed->str, end);

	if (end->end == CHILD_FLOODED || (end->end == CHILD_SILENT && job->begun))
		job_set_end(job, end->end, end->status, NULL);
	else if (end->end == CHILD_NOT_RUN)
		job_set_end(job, CHILD_NOT_RUN, end->status, g_steal_pointer(&trouble));
	else if (job->begun)
		job_set_end(job, CHILD_LOST, 0,
			g_strdup_printf(
				"%s: the connection to %s was lost", job->agent->name, job->agent->host));
	else
		job_set_end(job, CHILD_LOST, 0, g_steal_pointer(&trouble));
}

static void run_ended(struct job *job, const struct child_exit *end)
{
	if (job->over || job->end.end == CHILD_NOT_RUN) {
		finish(job);
	} else if (job->needs && !job->sent && !job->stopped) {
		go_on(job, STEP_PUT);
	} else if (job->needs && !job->stopped) {
		job_set_end(job, CHILD_NOT_RUN, EIO,
			g_strdup_printf("%s: the program does not stay there", job->agent->name));
		finish(job);
	} else {
		explain(job, end);
		job->stopped |= job->end.end == CHILD_FLOODED || job->end.end == CHILD_SILENT;
		if (job->stopped && job->begun)
			go_on(job, STEP_GONE);
		else
			finish(job);
	}
}

static void put_ended(struct job *job, const struct child_exit *end)
{
	if (job->put && !job->stopped) {
		g_hash_table_add(link_state(job->agent)->programs, g_strdup(job->hash));
		job->needs = false;
		go_on(job, STEP_RUN);
		return;
	}
	explain(job, end);
	finish(job);
}

static void on_step_ended(const struct child_exit *end, void *user)
{
	struct job *job = user;

	job->child = NULL;
	marks_end(job->marks);
	stop_timers(job);
	close_input(job);
	if (job->step == STEP_RUN)
		run_ended(job, end);
	else if (job->step == STEP_PUT)
		put_ended(job, end);
	else
		finish(job);
}

static void cancel(struct agent_process *process)
{
	struct job *job = (struct job *)process;

	if (job->step != STEP_GONE && !job->stopped)
		job_stop(job, CHILD_CANCELLED, 0);
}

/* --- what is started --- */

/* Who holds the lock: "user@machine, process 123". */
static char *owner_text(void)
{
	return g_strdup_printf("%s@%s, process %d", g_get_user_name(), g_get_host_name(), (int)getpid());
}

/* "performance" of "governor=performance,turbo=off"; "" where it is not among them. New text. */
static char *setting(const struct agent *agent, const char *name)
{
	g_auto(GStrv) words = g_strsplit(agent->settings ? agent->settings : "", ",", -1);
	size_t length = strlen(name);

	for (char **word = words; *word; word++)
		if (strncmp(*word, name, length) == 0 && (*word)[length] == '=')
			return g_strdup(*word + length + 1);
	return g_strdup("");
}

/* The script's words for a step; NULL-terminated, of char *. */
static GPtrArray *words_of(const struct job *job, enum step step)
{
	static const char *const verbs[] = {"run", "put", "gone"};
	const struct agent *agent = job->agent;
	bool known = g_hash_table_contains(link_state(agent)->programs, job->hash);
	g_autofree char *mask = agent->pin >= 0 ? script_mask(agent->pin) : g_strdup("");
	g_autofree char *lock =
		g_strdup_printf("%d", agent->deadlines.lock > 0 ? agent->deadlines.lock : LOCK_S);
	g_autofree char *owner = owner_text(), *governor = setting(agent, "governor"),
			*turbo = setting(agent, "turbo");
	const char *const run[] = {job->hash, job->size, job->crc, known ? "0" : "1", job->name, mask,
		G_STRINGIFY(BEAT_S), G_STRINGIFY(DEAD_S), lock, owner, governor, turbo, NULL};
	const char *const put[] = {
		job->hash, job->size, job->crc, PROGRAMS_MAX, job->unpacks ? "gzip" : "cat", NULL};
	const char *const gone[] = {job->name, job->shell ? job->shell : "0", NULL};
	const char *const *const words[] = {run, put, gone};
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(all, g_strdup(verbs[step]));
	for (const char *const *word = words[step]; *word; word++)
		g_ptr_array_add(all, g_strdup(*word));
	for (char **word = job->arguments; step == STEP_RUN && *word; word++)
		g_ptr_array_add(all, g_strdup(*word));
	g_ptr_array_add(all, NULL);
	return all;
}

/* Two seconds, which is what a busy program takes to print a line, are less than any of these. */
static void set_limits(struct child_spec *spec, const struct job *job, enum step step)
{
	const struct agent_deadlines *own = &job->agent->deadlines;
	int connect_s = own->connect > 0 ? own->connect : CONNECT_S;

	if (step == STEP_RUN) {
		spec->start_s = connect_s + 5;
		spec->silence_s = job->job.silence_s;
		spec->output_ceiling = job->job.output_ceiling;
	} else if (step == STEP_PUT) {
		spec->timeout_s = connect_s + (own->upload > 0 ? own->upload : UPLOAD_S);
	} else {
		spec->timeout_s = connect_s + GONE_S;
	}
}

static bool write_plain(int fd, const char *bytes, gsize length)
{
	bool ok = true;

	for (gsize done = 0; ok && done < length;) {
		ssize_t n = write(fd, bytes + done, length - done);
		ok = n > 0;
		done += ok ? (gsize)n : 0;
	}
	return ok;
}

static bool write_packed(int fd, const char *bytes, gsize length)
{
	gzFile file = gzdopen(dup(fd), "wb9");
	bool ok = file && gzfwrite(bytes, 1, length, file) == length;

	return file && gzclose(file) == Z_OK && ok;
}

/* The whole input of a step that sends a program: the word, then its bytes, packed where the board can unpack
 * them. They are put together in a file that has no name any more. */
static int program_input(const struct job *job, GError **err)
{
	g_autofree char *bytes = NULL, *name = NULL;
	gsize length;

	if (!g_file_get_contents(job->program, &bytes, &length, err))
		return -1;
	int fd = g_file_open_tmp("bm-send-XXXXXX", &name, err);
	if (fd < 0)
		return -1;
	g_unlink(name);
	bool ok = dprintf(fd, "%s\n", job->nonce) > 0 &&
		  (job->unpacks ? write_packed(fd, bytes, length) : write_plain(fd, bytes, length));
	if (ok && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	diag_set(err, DIAG_FAILED, "%s: cannot be copied: %s", job->program, g_strerror(errno));
	close(fd);
	return -1;
}

/* A pipe that holds the word already. */
static bool pipe_input(struct job *job, GError **err)
{
	g_autofree char *line = g_strconcat(job->nonce, "\n", NULL);
	int ends[2];

	if (!g_unix_open_pipe(ends, FD_CLOEXEC, err))
		return false;
	job->kept = ends[0];
	job->input = ends[1];
	g_unix_set_fd_nonblocking(job->input, TRUE, NULL);
	return write(job->input, line, strlen(line)) == (ssize_t)strlen(line);
}

static bool make_input(struct job *job, enum step step, GError **err)
{
	g_free(job->nonce);
	job->nonce = link_nonce();
	marks_free(job->marks);
	job->marks = marks_new(job->nonce, job_on_text, job_on_mark, job);
	if (step != STEP_PUT)
		return pipe_input(job, err);
	job->kept = program_input(job, err);
	return job->kept >= 0;
}

static bool start_step(struct job *job, enum step step, GError **err)
{
	struct child_spec spec = {.on_output = job_on_output, .on_exit = on_step_ended, .user = job};
	g_autoptr(GPtrArray) words = words_of(job, step);

	if (!make_input(job, step, err))
		return false;
	job->step = step;
	job->sent |= step == STEP_PUT;
	spec.input = &job->kept;
	set_limits(&spec, job, step);
	g_string_truncate(job->printed, 0);
	link_share(job->agent);
	job->child = link_start(job->agent, (const char *const *)words->pdata, &spec, err);
	if (job->child && step == STEP_RUN)
		job->beat_timer = g_timeout_add_seconds(BEAT_S, job_on_beat, job);
	return job->child != NULL;
}

/* For the record: what ran there, and how it came there. */
static char **argv_of(const struct job *job)
{
	g_autoptr(GStrvBuilder) argv = g_strv_builder_new();

	g_strv_builder_add_many(argv, "ssh", job->agent->host, job->hash, NULL);
	g_strv_builder_addv(argv, (const char **)job->arguments);
	return g_strv_builder_end(argv);
}

static bool look_at_program(struct job *job, GError **err)
{
	job->hash = fsx_hash_file(job->program, err);
	if (!job->hash)
		return false;
	g_autoptr(GMappedFile) file = g_mapped_file_new(job->program, FALSE, err);
	if (!file)
		return false;
	gsize size = g_mapped_file_get_length(file);
	job->size = g_strdup_printf("%" G_GSIZE_FORMAT, size);
	job->crc = g_strdup_printf("%" G_GUINT32_FORMAT, cksum_of(g_mapped_file_get_contents(file), size));
	return true;
}

struct agent_process *ssh_job_start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err)
{
	struct job *own = g_new0(struct job, 1);

	*own = (struct job){.process = {.cancel = cancel},
		.agent = agent,
		.job = *job,
		.program = g_strdup(job->program),
		.arguments = g_strdupv((char **)job->arguments),
		.name = g_uuid_string_random(),
		.input = -1,
		.kept = -1,
		.cpu_s = NAN,
		.meanwhile = agent_watch_none,
		.printed = g_string_new(NULL),
		.end = {.end = CHILD_LOST}};
	own->job.program = NULL;
	own->job.arguments = NULL;
	if (!look_at_program(own, err) || !start_step(own, STEP_RUN, err)) {
		job_free(own);
		return NULL;
	}
	*ret_argv = argv_of(own);
	return &own->process;
}
