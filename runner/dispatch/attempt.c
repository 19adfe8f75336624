#include "attempt.h"

#include "diag.h"

#include <jansson.h>
#include <string.h>

/* Deadlines of one invocation. Emulated code runs 10 to 60 times slower than native. */
#define TIME_TIMEOUT_S	1800
#define TIME_SILENCE_S	300
#define COUNT_TIMEOUT_S 7200
#define COUNT_SILENCE_S 1800
/* A stream of 60 benchmarks at 8 block sizes is under 2 MiB. */
#define OUTPUT_CEILING (64u << 20)

struct attempt {
	struct attempt_spec spec;
	char *program, *key_program, *exact_key, *argv;
	struct intake_builder *builder;
	GString *out, *errors;
	struct child *child;
	int next;   /* invocation to start */
	bool ended; /* one has failed or was cancelled */
	enum attempt_state state;
	char *reason;
	int64_t started_at; /* ns since 1970; 0: not yet */
	double seconds;
};

static enum environment environment_of(const struct attempt *attempt)
{
	return attempt->spec.place->what->emulated ? ENVIRONMENT_EMULATOR : ENVIRONMENT_HARDWARE;
}

/* A count is exact: one invocation tells all. */
static int invocations_of(const struct attempt *attempt)
{
	return attempt->spec.cell->mode == AGENT_COUNT ? 1 : attempt->spec.matrix->invocations;
}

static char **arguments_of(const struct attempt *attempt, int invocation)
{
	const struct matrix *matrix = attempt->spec.matrix;
	g_autoptr(GStrvBuilder) arguments = g_strv_builder_new();
	g_autofree char *benchmarks = g_strjoinv(",", matrix->benchmarks);
	g_autofree char *budget = g_strdup_printf("%d", matrix->budget_ms);
	g_autofree char *number = g_strdup_printf("%d", invocation);
	g_autoptr(GString) blocks = g_string_new(NULL);

	for (const int *block = matrix->blocks; *block != 0; block++)
		g_string_append_printf(blocks, "%s%d", blocks->len ? "," : "", *block);
	g_strv_builder_add_many(arguments, attempt->spec.cell->mode == AGENT_COUNT ? "--count" : "--time",
		"--build", attempt->key_program, "--benchmarks", benchmarks, "--block", blocks->str,
		"--invocation", number, NULL);
	if (attempt->spec.cell->mode == AGENT_TIME)
		g_strv_builder_add_many(arguments, "--budget-ms", budget, NULL);
	return g_strv_builder_end(arguments);
}

static char *json_list(char **strings)
{
	json_t *list = json_array();

	for (char **s = strings; *s != NULL; s++)
		json_array_append_new(list, json_string(*s));

	char *text = json_dumps(list, JSON_COMPACT);
	char *copy = g_strdup(text);
	free(text);
	json_decref(list);
	return copy;
}

/* schema/keys.md: E. The program's arguments hold its own key. */
static char *exact_key_of(const struct attempt *attempt)
{
	const char *exact = attempt->spec.place->what->exact;

	if (exact == NULL || attempt->spec.cell->mode != AGENT_COUNT)
		return NULL;

	g_auto(GStrv) arguments = arguments_of(attempt, 0);
	g_autofree char *list = json_list(arguments);
	g_autofree char *input = g_strdup_printf("{\"arguments\":%s,\"exact\":\"%s\"}", list, exact);
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, input, -1);
}

struct attempt *attempt_new(const struct attempt_spec *spec)
{
	struct attempt *attempt = g_new0(struct attempt, 1);

	attempt->spec = *spec;
	attempt->program = g_strdup(spec->program);
	attempt->key_program = g_strdup(spec->key_program);
	attempt->builder = intake_builder_new(environment_of(attempt), attempt->key_program);
	attempt->out = g_string_new(NULL);
	attempt->errors = g_string_new(NULL);
	attempt->exact_key = exact_key_of(attempt);
	attempt->argv = g_strdup("[]");
	attempt->state = ATTEMPT_OK;
	return attempt;
}

void attempt_free(struct attempt *attempt)
{
	if (attempt->builder != NULL)
		intake_free(intake_builder_finish(attempt->builder));
	g_free(attempt->program);
	g_free(attempt->key_program);
	g_free(attempt->exact_key);
	g_free(attempt->argv);
	g_free(attempt->reason);
	g_string_free(attempt->out, TRUE);
	g_string_free(attempt->errors, TRUE);
	g_free(attempt);
}

const struct planned_cell *attempt_cell(const struct attempt *attempt)
{
	return attempt->spec.cell;
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
	return attempt->ended || attempt->next >= invocations_of(attempt);
}

static void fail(struct attempt *attempt, enum attempt_state state, char *reason)
{
	attempt->ended = true;
	attempt->state = state;
	g_free(attempt->reason);
	attempt->reason = reason;
}

static void on_output(int stream, const char *bytes, size_t length, void *user)
{
	struct attempt *attempt = user;

	if (stream == 1) {
		g_string_append_len(attempt->out, bytes, (gssize)length);
		intake_builder_push(attempt->builder, bytes, length);
	} else {
		g_string_append_len(attempt->errors, bytes, (gssize)length);
	}
}

/* The last line that the program wrote to standard error, or NULL. */
static char *last_error_line(const struct attempt *attempt)
{
	g_auto(GStrv) lines = g_strsplit(g_strchomp(attempt->errors->str), "\n", -1);
	guint n = g_strv_length(lines);

	return n > 0 && *lines[n - 1] != '\0' ? diag_printable(lines[n - 1], -1) : NULL;
}

static void judge(struct attempt *attempt, const struct child_exit *end)
{
	g_autofree char *text = child_end_text(end);
	g_autofree char *said = last_error_line(attempt);
	char *reason = said ? g_strdup_printf("%s: %s", text, said) : g_strdup(text);

	switch (end->end) {
	case CHILD_EXITED:
		if (end->status != 0) {
			fail(attempt, ATTEMPT_TRUNCATED, reason);
			return;
		}
		g_free(reason);
		return;
	case CHILD_SIGNALLED:
		fail(attempt, ATTEMPT_CRASHED, reason);
		return;
	case CHILD_TIMEOUT:
	case CHILD_SILENT:
		fail(attempt, ATTEMPT_TIMEOUT, reason);
		return;
	case CHILD_FLOODED:
		fail(attempt, ATTEMPT_TRUNCATED, reason);
		return;
	case CHILD_CANCELLED:
		fail(attempt, ATTEMPT_CANCELLED, reason);
		return;
	case CHILD_NOT_RUN:
		fail(attempt, ATTEMPT_INFRASTRUCTURE, reason);
		return;
	}
	g_assert_not_reached();
}

static void on_exit_(const struct child_exit *end, void *user)
{
	struct attempt *attempt = user;
	bool by_itself = end->end == CHILD_EXITED && end->status == 0;
	bool deadline = end->end == CHILD_TIMEOUT || end->end == CHILD_SILENT;

	attempt->child = NULL;
	attempt->seconds += end->seconds;
	judge(attempt, end);
	intake_builder_invocation_ended(attempt->builder, deadline ? OUTCOME_TIMEOUT : OUTCOME_CRASHED,
		by_itself ? NULL : attempt->reason);
	attempt->spec.on_ended(attempt, attempt->spec.user);
}

static gboolean could_not_start(gpointer user)
{
	struct attempt *attempt = user;

	attempt->spec.on_ended(attempt, attempt->spec.user);
	return G_SOURCE_REMOVE;
}

void attempt_start(struct attempt *attempt)
{
	bool count = attempt->spec.cell->mode == AGENT_COUNT;
	g_auto(GStrv) arguments = arguments_of(attempt, attempt->next);
	g_auto(GStrv) argv = NULL;
	g_autoptr(GError) error = NULL;
	const struct agent_job job = {
		.target = &attempt->spec.cell->build->toolchain->target,
		.mode = attempt->spec.cell->mode,
		.program = attempt->program,
		.arguments = (const char *const *)arguments,
		.timeout_s = count ? COUNT_TIMEOUT_S : TIME_TIMEOUT_S,
		.silence_s = count ? COUNT_SILENCE_S : TIME_SILENCE_S,
		.output_ceiling = OUTPUT_CEILING,
		.on_output = on_output,
		.on_exit = on_exit_,
		.user = attempt,
	};

	if (attempt->started_at == 0)
		attempt->started_at = g_get_real_time() * 1000;
	attempt->next++;
	attempt->child = attempt->spec.cell->agent->start(&argv, &job, &error);
	if (attempt->child == NULL) {
		fail(attempt, ATTEMPT_INFRASTRUCTURE, g_strdup(error->message));
		g_idle_add(could_not_start, attempt);
		return;
	}
	if (attempt->next == 1) {
		g_free(attempt->argv);
		attempt->argv = json_list(argv);
	}
}

void attempt_cancel(struct attempt *attempt)
{
	if (attempt->child != NULL)
		child_cancel(attempt->child);
	else if (!attempt_done(attempt))
		fail(attempt, ATTEMPT_CANCELLED, g_strdup("cancelled"));
}

static struct attempt_row row_of(const struct attempt *attempt, const char *uuid)
{
	return (struct attempt_row){
		.uuid = uuid,
		.cell = attempt->spec.cell_row,
		.number = 1,
		.state = attempt->state,
		.reason = attempt->reason,
		.exact_key = attempt->exact_key,
		.argv = attempt->argv,
		.out = attempt->out->str,
		.out_length = attempt->out->len,
		.errors = attempt->errors->str,
		.errors_length = attempt->errors->len,
		.started_at = attempt->started_at,
		.seconds = attempt->seconds,
	};
}

/* The state of the cell, as the view cell_state derives it. */
static const char *cell_state_of(const struct attempt *attempt, const struct intake *intake)
{
	bool some = false, bad = false;

	for (guint i = 0; i < intake->outcomes->len; i++) {
		const struct outcome *outcome = intake->outcomes->pdata[i];
		some |= outcome->state == OUTCOME_OK;
		bad |= !outcome_states[outcome->state].good;
	}
	if (attempt->state == ATTEMPT_OK && !bad)
		return "ok";
	return some ? "partial" : "failed";
}

static char *first_bad_outcome(const struct intake *intake)
{
	for (guint i = 0; i < intake->outcomes->len; i++) {
		const struct outcome *outcome = intake->outcomes->pdata[i];
		if (!outcome_states[outcome->state].good)
			return g_strdup_printf("%s: %s: %s", outcome->benchmark,
				outcome_states[outcome->state].name, outcome->reason);
	}
	return NULL;
}

bool attempt_store(
	struct attempt *attempt, struct store *store, const char **ret_state, char **ret_reason, GError **err)
{
	struct intake *intake = intake_builder_finish(g_steal_pointer(&attempt->builder));
	g_autofree char *uuid = g_uuid_string_random();

	if (attempt->state == ATTEMPT_OK && !intake->complete)
		fail(attempt, ATTEMPT_TRUNCATED, g_strdup(intake->incomplete_reason));
	if (attempt->state == ATTEMPT_CRASHED && intake->last_started != NULL)
		fail(attempt, ATTEMPT_CRASHED,
			g_strdup_printf("%s in %s", attempt->reason, intake->last_started));
	if (attempt->started_at == 0)
		attempt->started_at = g_get_real_time() * 1000;

	struct attempt_row row = row_of(attempt, uuid);
	int64_t id;
	bool ok = store_attempt_take_in(store, &id, &row, intake, err);

	if (ok) {
		*ret_state = cell_state_of(attempt, intake);
		*ret_reason = attempt->reason ? g_strdup(attempt->reason) : first_bad_outcome(intake);
	}
	intake_free(intake);
	return ok;
}

bool attempt_carry(struct attempt *attempt, struct store *store, int64_t from, GError **err)
{
	g_autofree char *uuid = g_uuid_string_random();
	struct attempt_row row = row_of(attempt, uuid);

	row.started_at = g_get_real_time() * 1000;
	return store_attempt_carry(store, &row, from, err);
}
