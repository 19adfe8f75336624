#include "attempt.h"

#include "attempt_words.h"
#include "course.h"
#include "diag.h"
#include "functions_table.h"
#include "patience.h"
#include "stripped.h"
#include "take_in.h"

#include <glib/gstdio.h>

/* Emulated code runs 10 to 60 times slower than native. */
const struct attempt_limits attempt_limits_default = {
	.timeout_s = {[AGENT_TIME] = 1800, [AGENT_COUNT] = 7200},
	.silence_s = {[AGENT_TIME] = 300, [AGENT_COUNT] = 1800},
};

/* A stream of 60 benchmarks at 8 block sizes is under 2 MiB. */
#define OUTPUT_CEILING (64u << 20)

struct attempt {
	struct attempt_spec spec;
	char *program, *key_program, *exact_key, *uuid;
	struct course *course;
	struct spool_file *file;       /* NULL until its first process starts */
	struct agent_process *process; /* under way; NULL: none */
	char *refused;		       /* why the process could not be started */
	GError *error;		       /* of the spool */
	double seconds;
	bool lost;		      /* the last process was, with its machine */
	struct agent_watch meanwhile; /* of the process under way, where we are who looks */
	guint watch;		      /* timer; 0: none */
	bool hurried;		      /* a machine that vanishes is not waited for */
	struct patience patience;
};

struct attempt *attempt_new(const struct attempt_spec *spec)
{
	struct attempt *attempt = g_new0(struct attempt, 1);

	attempt->spec = *spec;
	attempt->program = g_strdup(spec->program);
	attempt->key_program = g_strdup(spec->key_program);
	attempt->spec.program = attempt->program;
	attempt->spec.key_program = attempt->key_program;
	attempt->exact_key = attempt_exact_key_of(&attempt->spec);
	attempt->uuid = g_uuid_string_random();
	attempt->course = spec->cell->build->tool != NULL ? course_new_foreign(attempt_invocations(spec))
							  : course_new(attempt_invocations(spec));
	return attempt;
}

static void end_watch(struct attempt *attempt)
{
	if (attempt->watch != 0)
		g_source_remove(attempt->watch);
	attempt->watch = 0;
}

void attempt_free(struct attempt *attempt)
{
	end_watch(attempt);
	course_free(attempt->course);
	spool_file_free(attempt->file);
	g_free(attempt->program);
	g_free(attempt->key_program);
	g_free(attempt->exact_key);
	g_free(attempt->uuid);
	g_free(attempt->refused);
	g_clear_error(&attempt->error);
	g_free(attempt);
}

static bool fits(const struct attempt *attempt, const struct left_over *left)
{
	return g_str_equal(left->build, attempt->key_program) &&
	       g_strcmp0(left->exact_key, attempt->exact_key) == 0 &&
	       left->invocations == attempt_invocations(&attempt->spec);
}

/* Where nothing fits, the attempt stays as it is. */
static bool go_on_with(struct attempt *attempt, const char *path, GError **err)
{
	struct left_over *left;

	if (!left_over_read(&left, path, err))
		return false;
	if (!fits(attempt, left)) {
		left_over_free(left);
		g_unlink(path);
		return true;
	}
	g_free(attempt->uuid);
	attempt->uuid = g_strdup(left->uuid);
	course_free(attempt->course);
	attempt->course = g_steal_pointer(&left->course);
	attempt->seconds = left->seconds;
	left_over_free(left);
	return spool_reopen(&attempt->file, path, err);
}

bool attempt_resume(
	struct attempt **ret, const struct attempt_spec *spec, const char *left_over, GError **err)
{
	struct attempt *attempt = attempt_new(spec);

	if (go_on_with(attempt, left_over, err)) {
		*ret = attempt;
		return true;
	}
	attempt_free(attempt);
	return false;
}

const struct planned_cell *attempt_cell(const struct attempt *attempt)
{
	return attempt->spec.cell;
}

int64_t attempt_cell_row(const struct attempt *attempt)
{
	return attempt->spec.cell_row;
}

const char *attempt_exact_key(const struct attempt *attempt)
{
	return attempt->exact_key;
}

double attempt_seconds(const struct attempt *attempt)
{
	return attempt->seconds;
}

bool attempt_done(const struct attempt *attempt)
{
	return course_over(attempt->course);
}

int attempt_invocation(const struct attempt *attempt)
{
	return course_invocation(attempt->course);
}

void attempt_finish(struct attempt *attempt)
{
	course_finish(attempt->course);
}

const GError *attempt_error(const struct attempt *attempt)
{
	return attempt->error;
}

static struct agent_condition condition_of(const struct attempt *attempt)
{
	struct agent_condition condition = agent_condition_unknown;

	if (attempt->spec.cell->agent->kind->condition != NULL)
		attempt->spec.cell->agent->kind->condition(&condition);
	return condition;
}

static gboolean look(gpointer user)
{
	struct attempt *attempt = user;
	struct agent_condition now = condition_of(attempt);

	agent_watch_add(&attempt->meanwhile, &now);
	return G_SOURCE_CONTINUE;
}

static void begin_watch(struct attempt *attempt)
{
	attempt->meanwhile = agent_watch_none;
	if (attempt->spec.cell->agent->kind->condition != NULL)
		attempt->watch = g_timeout_add_seconds(AGENT_WATCH_S, look, attempt);
}

/* --- a process --- */

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct attempt *attempt = user;

	if (attempt->error != NULL)
		return;
	if (spool_put_bytes(attempt->file, stream, bytes, length, &attempt->error))
		course_bytes(attempt->course, stream, bytes, length);
	else
		agent_cancel(attempt->process);
}

/* The spool first: what the course knows is on disk. */
static void note_end(struct attempt *attempt, const struct spool_end *end)
{
	if (attempt->error == NULL && spool_put_end(attempt->file, end, &attempt->error))
		course_ended(attempt->course, end->started ? &end->exit : NULL, end->text);
	attempt->spec.on_ended(attempt, attempt->spec.user);
}

/* True where it has been waited for long enough. */
static bool wait_for_machine(struct attempt *attempt)
{
	if (course_progressed(attempt->course))
		attempt->patience = (struct patience){0};
	return patience_ends(&attempt->patience, attempt->spec.cell->agent, attempt->hurried);
}

/* Its machine is given up: it cannot be started there. */
static void give_up(struct attempt *attempt, const struct agent_end *end, const char *text)
{
	const struct spool_end given_up = {.text = text,
		.before = end->before,
		.after = agent_condition_unknown,
		.meanwhile = end->meanwhile};

	attempt->lost = true;
	note_end(attempt, &given_up);
}

static void on_exit_(const struct agent_end *end, void *user)
{
	struct attempt *attempt = user;
	g_autofree char *text = end->why ? g_strdup(end->why) : child_end_text(&end->exit);
	bool told = attempt->spec.cell->agent->kind->condition == NULL;

	attempt->process = NULL;
	end_watch(attempt);
	attempt->seconds += end->exit.seconds;
	attempt->lost = end->exit.end == CHILD_LOST;
	if (attempt->lost && wait_for_machine(attempt)) {
		give_up(attempt, end, text);
		return;
	}
	if (!attempt->lost)
		attempt->patience = (struct patience){0};
	note_end(attempt, &(struct spool_end){.started = true,
				  .exit = end->exit,
				  .text = text,
				  .before = end->before,
				  .after = told ? end->after : condition_of(attempt),
				  .meanwhile = told ? end->meanwhile : attempt->meanwhile});
}

static gboolean could_not_start(gpointer user)
{
	struct attempt *attempt = user;
	const struct spool_end end = {.text = attempt->refused,
		.before = agent_condition_unknown,
		.after = agent_condition_unknown,
		.meanwhile = agent_watch_none};

	note_end(attempt, &end);
	return G_SOURCE_REMOVE;
}

static bool have_file(struct attempt *attempt)
{
	const struct attempt_spec *spec = &attempt->spec;
	const char *cores = g_hash_table_lookup(spec->place->what->facts, "cores");
	const struct spool_head head = {
		.run = spool_run(spec->spool),
		.uuid = attempt->uuid,
		.cell = spec->cell->name,
		.build = attempt->key_program,
		.exact_key = attempt->exact_key,
		.importer = spec->cell->build->tool != NULL ? spec->cell->build->tool->importer : NULL,
		.mode = spec->cell->mode,
		.environment = spec->place->what->emulated ? ENVIRONMENT_EMULATOR : ENVIRONMENT_HARDWARE,
		.invocations = attempt_invocations(spec),
		.cores = cores != NULL ? (int)g_ascii_strtoll(cores, NULL, 10) : 0,
	};

	return attempt->file != NULL || spool_begin(&attempt->file, spec->spool, &head, &attempt->error);
}

static double or_usual(int asked, double usual)
{
	return asked > 0 ? asked : usual;
}

/* Beside the program, made once. False where it cannot be had. */
static bool functions_of(char **ret, const struct attempt *attempt, GError **err)
{
	bool wanted = attempt->spec.matrix->functions && attempt->spec.cell->mode == AGENT_COUNT;

	*ret = wanted ? g_strconcat(attempt->program, ".functions", NULL) : NULL;
	return !wanted || g_file_test(*ret, G_FILE_TEST_IS_REGULAR) ||
	       functions_table_write(*ret, attempt->program, err);
}

/* *ret_argv is what was started, or would have been. */
static struct agent_process *start(struct attempt *attempt, char ***ret_argv)
{
	const struct matrix_deadlines *asked = &attempt->spec.matrix->deadlines;
	enum agent_mode mode = attempt->spec.cell->mode;
	g_auto(GStrv) arguments = attempt_arguments(&attempt->spec, attempt->course);
	g_autoptr(GError) error = NULL;
	g_autofree char *functions = NULL;
	bool ready = functions_of(&functions, attempt, &error);
	const struct agent_target *target = &attempt->spec.cell->build->toolchain->target;
	g_autofree char *program = attempt->spec.cell->agent->kind->sends
					   ? stripped_program(attempt->program, target)
					   : g_strdup(attempt->program);
	const struct agent_job job = {
		.target = target,
		.mode = mode,
		.program = program,
		.arguments = (const char *const *)arguments,
		.functions = functions,
		.timeout_s = or_usual(asked->total, attempt->spec.limits->timeout_s[mode]),
		.silence_s = or_usual(asked->silence, attempt->spec.limits->silence_s[mode]),
		.start_s = asked->start,
		.output_ceiling = OUTPUT_CEILING,
		.on_output = on_output,
		.on_exit = on_exit_,
		.user = attempt,
	};
	struct agent_process *process =
		ready ? agent_start(ret_argv, attempt->spec.cell->agent, &job, &error) : NULL;

	if (process == NULL) {
		attempt->refused = g_strdup(error->message);
		*ret_argv = g_steal_pointer(&arguments);
	}
	return process;
}

static void note_begin(struct attempt *attempt, char **argv, const struct agent_condition *before)
{
	g_autofree char *list = attempt_list(argv);
	const struct spool_process process = {
		.invocation = course_invocation(attempt->course),
		.argv = list,
		.started_at = g_get_real_time() * 1000,
		.before = *before,
	};

	if (spool_put_begin(attempt->file, &process, &attempt->error))
		course_began(attempt->course, process.invocation);
}

void attempt_start(struct attempt *attempt)
{
	g_auto(GStrv) argv = NULL;

	if (have_file(attempt)) {
		struct agent_condition before = condition_of(attempt);
		attempt->process = start(attempt, &argv);
		note_begin(attempt, argv, &before);
		begin_watch(attempt);
	}
	if (attempt->process == NULL)
		g_idle_add(could_not_start, attempt);
	else if (attempt->error != NULL)
		agent_cancel(attempt->process);
}

double attempt_pause_s(const struct attempt *attempt)
{
	return attempt->patience.pause_s;
}

bool attempt_lost(const struct attempt *attempt)
{
	return attempt->lost;
}

void attempt_hurry(struct attempt *attempt, bool hurry)
{
	attempt->hurried = hurry;
}

void attempt_cancel(struct attempt *attempt)
{
	if (attempt->process != NULL)
		agent_cancel(attempt->process);
}

bool attempt_store(struct attempt *attempt, struct store *store, GError **err)
{
	return spool_put_finished(attempt->file, err) &&
	       take_in(store, spool_file_path(attempt->file), NULL, err);
}

bool attempt_carry(struct attempt *attempt, struct store *store, int64_t from, GError **err)
{
	const struct attempt_row row = {
		.uuid = attempt->uuid,
		.cell = attempt->spec.cell_row,
		.state = ATTEMPT_OK,
		.exact_key = attempt->exact_key,
		.argv = "[]",
		.started_at = g_get_real_time() * 1000,
	};

	return store_attempt_carry(store, &row, from, err);
}
