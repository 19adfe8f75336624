#include "attempt.h"

#include "diag.h"

#include <jansson.h>

/* Emulated code runs 10 to 60 times slower than native. */
const struct attempt_limits attempt_limits_default = {
	.timeout_s = {[AGENT_TIME] = 1800, [AGENT_COUNT] = 7200},
	.silence_s = {[AGENT_TIME] = 300, [AGENT_COUNT] = 1800},
};

/* A stream of 60 benchmarks at 8 block sizes is under 2 MiB. */
#define OUTPUT_CEILING (64u << 20)

struct attempt {
	struct attempt_spec spec;
	char *program, *key_program, *exact_key, *argv;
	struct intake_builder *builder;
	GString *out, *errors;
	size_t errors_before; /* bytes of errors that earlier invocations wrote */
	struct child *child;
	int next;   /* invocation to start */
	bool ended; /* one has failed or was cancelled */
	enum attempt_state state;
	char *reason;
	char *how, *said;   /* the end of an invocation that failed, and its last words; NULL */
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
	g_free(attempt->how);
	g_free(attempt->said);
	g_string_free(attempt->out, TRUE);
	g_string_free(attempt->errors, TRUE);
	g_free(attempt);
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

bool attempt_ran(const struct attempt *attempt)
{
	return attempt->next > 0;
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

/* The last line that this invocation wrote to standard error, or NULL. */
static char *last_error_line(const struct attempt *attempt)
{
	const char *begin = attempt->errors->str + attempt->errors_before;
	const char *end = attempt->errors->str + attempt->errors->len;

	while (end > begin && g_ascii_isspace(end[-1]))
		end--;
	const char *line = end;
	while (line > begin && line[-1] != '\n')
		line--;
	return end > line ? diag_printable(line, end - line) : NULL;
}

/* The state of an attempt whose invocation ended so. */
static enum attempt_state judge(const struct child_exit *end)
{
	switch (end->end) {
	case CHILD_EXITED:
		return end->status == 0 ? ATTEMPT_OK : ATTEMPT_TRUNCATED;
	case CHILD_SIGNALLED:
		return ATTEMPT_CRASHED;
	case CHILD_TIMEOUT:
	case CHILD_SILENT:
		return ATTEMPT_TIMEOUT;
	case CHILD_FLOODED:
		return ATTEMPT_TRUNCATED;
	case CHILD_CANCELLED:
		return ATTEMPT_CANCELLED;
	case CHILD_NOT_RUN:
		return ATTEMPT_INFRASTRUCTURE;
	}
	g_assert_not_reached();
}

/* "signal 7 (SIGBUS) in rsa-2048 private: what it said last"; `in` may be NULL. */
static char *reason_of(const struct attempt *attempt, const char *in)
{
	return g_strconcat(attempt->how, in ? " in " : "", in ? in : "", attempt->said ? ": " : "",
		attempt->said ? attempt->said : "", NULL);
}

static void on_exit_(const struct child_exit *end, void *user)
{
	struct attempt *attempt = user;
	enum attempt_state state = judge(end);

	attempt->child = NULL;
	attempt->seconds += end->seconds;
	if (state != ATTEMPT_OK) {
		attempt->how = child_end_text(end);
		attempt->said = state == ATTEMPT_CANCELLED ? NULL : last_error_line(attempt);
		fail(attempt, state, reason_of(attempt, NULL));
	}
	/* What was in hand when we cancelled is not to blame: it gets no outcome. */
	intake_builder_invocation_ended(attempt->builder,
		state == ATTEMPT_TIMEOUT ? OUTCOME_TIMEOUT : OUTCOME_CRASHED,
		state == ATTEMPT_CANCELLED ? NULL : attempt->reason);
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
	enum agent_mode mode = attempt->spec.cell->mode;
	g_auto(GStrv) arguments = arguments_of(attempt, attempt->next);
	g_auto(GStrv) argv = NULL;
	g_autoptr(GError) error = NULL;
	const struct agent_job job = {
		.target = &attempt->spec.cell->build->toolchain->target,
		.mode = mode,
		.program = attempt->program,
		.arguments = (const char *const *)arguments,
		.timeout_s = attempt->spec.limits->timeout_s[mode],
		.silence_s = attempt->spec.limits->silence_s[mode],
		.output_ceiling = OUTPUT_CEILING,
		.on_output = on_output,
		.on_exit = on_exit_,
		.user = attempt,
	};

	if (attempt->started_at == 0)
		attempt->started_at = g_get_real_time() * 1000;
	attempt->next++;
	attempt->errors_before = attempt->errors->len;
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

static bool has_count(const struct intake *intake, const struct outcome *outcome)
{
	for (guint i = 0; i < intake->measurements->len; i++) {
		const struct measurement *measurement = intake->measurements->pdata[i];
		if (measurement->metric == METRIC_INSTRUCTIONS &&
			g_strcmp0(measurement->benchmark, outcome->benchmark) == 0 &&
			g_strcmp0(measurement->block, outcome->block) == 0)
			return true;
	}
	return false;
}

/* A counter that gave up leaves a stream that is whole but for its counts. Such an attempt must not be
 * carried forward as if it were good. New text; NULL where none is missing. */
static char *missing_count(const struct attempt *attempt, const struct intake *intake)
{
	if (attempt->spec.cell->mode != AGENT_COUNT)
		return NULL;
	for (guint i = 0; i < intake->outcomes->len; i++) {
		const struct outcome *outcome = intake->outcomes->pdata[i];
		if (outcome->state == OUTCOME_OK && !has_count(intake, outcome))
			return g_strconcat("no count came for ", outcome->benchmark,
				outcome->block ? " " : "", outcome->block, NULL);
	}
	return NULL;
}

/* What only the whole stream tells. */
static void judge_stream(struct attempt *attempt, const struct intake *intake)
{
	if (attempt->state == ATTEMPT_OK && !intake->complete)
		fail(attempt, ATTEMPT_TRUNCATED, g_strdup(intake->incomplete_reason));
	char *missing = attempt->state == ATTEMPT_OK ? missing_count(attempt, intake) : NULL;
	if (missing != NULL)
		fail(attempt, ATTEMPT_TRUNCATED, missing);
	if (attempt->state == ATTEMPT_CRASHED || attempt->state == ATTEMPT_TIMEOUT)
		fail(attempt, attempt->state, reason_of(attempt, intake->last_started));
}

bool attempt_store(struct attempt *attempt, struct store *store, GError **err)
{
	struct intake *intake = intake_builder_finish(g_steal_pointer(&attempt->builder));
	g_autofree char *uuid = g_uuid_string_random();
	int64_t id;

	judge_stream(attempt, intake);
	if (attempt->started_at == 0)
		attempt->started_at = g_get_real_time() * 1000;

	const struct attempt_row row = row_of(attempt, uuid);
	bool ok = store_attempt_take_in(store, &id, &row, intake, err);

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
