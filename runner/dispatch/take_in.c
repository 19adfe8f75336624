#include "take_in.h"

#include "conditions.h"
#include "diag.h"
#include "tool_intake.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static struct course *course_of(const struct spool_head *head)
{
	return head->importer != NULL ? course_new_foreign(head->invocations) : course_new(head->invocations);
}

/* --- what is left of it --- */

static bool left_head(const struct spool_head *head, void *user, GError **err)
{
	struct left_over *left = user;
	(void)err;

	left->uuid = g_strdup(head->uuid);
	left->cell = g_strdup(head->cell);
	left->build = g_strdup(head->build);
	left->exact_key = g_strdup(head->exact_key);
	left->invocations = head->invocations;
	left->course = course_of(head);
	return true;
}

static bool left_begin(const struct spool_process *process, void *user, GError **err)
{
	(void)err;
	course_began(((struct left_over *)user)->course, process->invocation);
	return true;
}

static bool left_bytes(int stream, const char *bytes, size_t length, void *user, GError **err)
{
	(void)err;
	course_bytes(((struct left_over *)user)->course, stream, bytes, length);
	return true;
}

static bool left_end(const struct spool_end *end, void *user, GError **err)
{
	struct left_over *left = user;
	(void)err;

	course_ended(left->course, end->started ? &end->exit : NULL, end->text);
	left->seconds += isnan(end->exit.seconds) ? 0 : end->exit.seconds;
	return true;
}

static bool left_finished(void *user, GError **err)
{
	(void)err;
	course_finish(((struct left_over *)user)->course);
	return true;
}

bool left_over_read(struct left_over **ret, const char *path, GError **err)
{
	struct left_over *left = g_new0(struct left_over, 1);
	const struct spool_visitor visitor = {.head = left_head,
		.begin = left_begin,
		.bytes = left_bytes,
		.end = left_end,
		.finished = left_finished,
		.user = left};

	if (!spool_read(path, &visitor, err)) {
		left_over_free(left);
		return false;
	}
	course_lost(left->course);
	*ret = left;
	return true;
}

void left_over_free(struct left_over *left)
{
	if (left == NULL)
		return;
	g_free(left->uuid);
	g_free(left->cell);
	g_free(left->build);
	g_free(left->exact_key);
	course_free(left->course);
	g_free(left);
}

/* --- all of it --- */

struct taking {
	char *run, *uuid, *cell, *exact_key;
	enum agent_mode mode;
	enum environment environment;
	int cores;
	struct course *course;
	struct intake_builder *builder; /* or */
	struct tool_intake *tool;
	GString *out, *errors;
	GArray *processes; /* struct process_row, strings owned */
	struct conditions conditions;
};

static struct intake *finish(struct taking *t)
{
	return t->tool != NULL ? tool_intake_finish(g_steal_pointer(&t->tool))
			       : intake_builder_finish(g_steal_pointer(&t->builder));
}

static bool begin(struct taking *t, const struct spool_head *head, GError **err)
{
	const struct importer *importer = head->importer != NULL ? importer_find(head->importer) : NULL;

	if (importer != NULL)
		t->tool = tool_intake_new(importer, head->environment);
	else
		t->builder = intake_builder_new(head->environment, head->build);
	return head->importer == NULL || importer != NULL ||
	       diag_set(err, DIAG_INPUT, "%s: there is no importer \"%s\"; `list importers` names them",
		       head->cell, head->importer);
}

static bool take_head(const struct spool_head *head, void *user, GError **err)
{
	struct taking *t = user;

	t->run = g_strdup(head->run);
	t->uuid = g_strdup(head->uuid);
	t->cell = g_strdup(head->cell);
	t->exact_key = g_strdup(head->exact_key);
	t->mode = head->mode;
	t->environment = head->environment;
	t->cores = head->cores;
	t->course = course_of(head);
	return begin(t, head, err);
}

static struct process_row *last_process(const struct taking *t)
{
	return &g_array_index(t->processes, struct process_row, t->processes->len - 1);
}

static void take_course_end(struct taking *t, const struct course_end *end)
{
	if (t->tool != NULL)
		tool_intake_process_ended(t->tool, end->reason);
	else
		intake_builder_process_ended(t->builder, end->blame, end->reason);
}

static void take_lost(struct taking *t)
{
	const struct course_end *end = course_lost(t->course);

	if (end == NULL)
		return;
	last_process(t)->ended = g_strdup(end->reason);
	take_course_end(t, end);
}

static bool take_begin(const struct spool_process *process, void *user, GError **err)
{
	struct taking *t = user;
	struct process_row row = {
		.invocation = process->invocation,
		.argv = g_strdup(process->argv),
		.started_at = process->started_at,
		.seconds = NAN,
		.cpu_seconds = NAN,
		.max_rss_bytes = -1,
	};
	(void)err;

	take_lost(t);
	course_began(t->course, process->invocation);
	if (t->tool != NULL)
		tool_intake_process_began(t->tool, process->invocation);
	else
		intake_builder_process_began(t->builder, process->invocation);
	conditions_begin(&t->conditions, &row, process);
	g_array_append_val(t->processes, row);
	return true;
}

static bool take_bytes(int stream, const char *bytes, size_t length, void *user, GError **err)
{
	struct taking *t = user;
	(void)err;

	if (t->processes->len == 0)
		return true;
	course_bytes(t->course, stream, bytes, length);
	if (stream == 1 && t->tool != NULL)
		tool_intake_push(t->tool, bytes, length);
	else if (stream == 1)
		intake_builder_push(t->builder, bytes, length);
	g_string_append_len(stream == 1 ? t->out : t->errors, bytes, (gssize)length);
	return true;
}

static bool take_end(const struct spool_end *end, void *user, GError **err)
{
	struct taking *t = user;
	(void)err;

	if (t->processes->len == 0 || last_process(t)->ended != NULL)
		return true;

	struct process_row *row = last_process(t);
	conditions_end(&t->conditions, row, end);
	row->ended = g_strdup(end->text);
	row->seconds = end->exit.seconds;
	row->cpu_seconds = end->exit.cpu_seconds;
	row->max_rss_bytes = end->exit.max_rss_bytes;
	take_course_end(t, course_ended(t->course, end->started ? &end->exit : NULL, end->text));
	return true;
}

static bool take_finished(void *user, GError **err)
{
	(void)err;
	course_finish(((struct taking *)user)->course);
	return true;
}

static void free_process(gpointer data)
{
	struct process_row *row = data;

	g_free((char *)row->argv);
	g_free((char *)row->ended);
}

static void done(struct taking *t)
{
	if (t->builder != NULL || t->tool != NULL)
		intake_free(finish(t));
	course_free(t->course);
	g_string_free(t->out, TRUE);
	g_string_free(t->errors, TRUE);
	g_array_unref(t->processes);
	g_free(t->run);
	g_free(t->uuid);
	g_free(t->cell);
	g_free(t->exact_key);
}

static bool read_all(struct taking *t, const char *path, GError **err)
{
	const struct spool_visitor visitor = {.head = take_head,
		.begin = take_begin,
		.bytes = take_bytes,
		.end = take_end,
		.finished = take_finished,
		.user = t};

	*t = (struct taking){.out = g_string_new(NULL),
		.errors = g_string_new(NULL),
		.processes = g_array_new(FALSE, FALSE, sizeof(struct process_row))};
	conditions_begin_all(&t->conditions);
	g_array_set_clear_func(t->processes, free_process);
	if (!spool_read(path, &visitor, err))
		return false;
	take_lost(t);
	return true;
}

/* --- its state --- */

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
static char *missing_count(enum agent_mode mode, const struct intake *intake)
{
	if (mode != AGENT_COUNT)
		return NULL;
	for (guint i = 0; i < intake->outcomes->len; i++) {
		const struct outcome *outcome = intake->outcomes->pdata[i];
		/* A footprint is none of the benchmarks that run. */
		if (outcome->state == OUTCOME_OK && benchmark_find(outcome->benchmark) >= 0 &&
			!has_count(intake, outcome))
			return g_strconcat("no count came for ", outcome->benchmark,
				outcome->block ? " " : "", outcome->block, NULL);
	}
	return NULL;
}

/* Sets state and reason; the reason is new text, NULL where it is the intake's. */
static char *judge(
	struct attempt_row *row, const struct taking *t, const struct intake *intake, const char *unfinished)
{
	char *missing;

	row->state = course_state(t->course);
	if (!course_over(t->course)) {
		row->state = ATTEMPT_CANCELLED;
		return g_strdup(unfinished != NULL ? unfinished : "it was not finished");
	}
	if (row->state != ATTEMPT_OK)
		return g_strdup(course_reason(t->course));
	missing = intake->complete ? missing_count(t->mode, intake) : NULL;
	if (missing != NULL || !intake->complete)
		row->state = ATTEMPT_TRUNCATED;
	return missing;
}

static double seconds_of(const struct taking *t)
{
	double seconds = 0;

	for (guint i = 0; i < t->processes->len; i++) {
		double one = g_array_index(t->processes, struct process_row, i).seconds;
		seconds += isnan(one) ? 0 : one;
	}
	return seconds;
}

/* NULL-terminated. */
static gpointer *all_notes(GPtrArray *notes, const struct taking *t, const struct intake *intake)
{
	if (t->mode == AGENT_TIME && t->environment == ENVIRONMENT_HARDWARE)
		conditions_notes(&t->conditions, t->cores, notes);
	for (guint i = 0; i < intake->remarks->len && intake->remarks->pdata[i] != NULL; i++)
		g_ptr_array_add(notes, g_strdup(intake->remarks->pdata[i]));
	g_ptr_array_add(notes, NULL);
	return notes->pdata;
}

static bool put(struct taking *t, struct store *store, int64_t cell, const char *unfinished, GError **err)
{
	struct intake *intake = finish(t);
	const struct process_row *first = t->processes->len > 0 ? (const void *)t->processes->data : NULL;
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	struct attempt_row row = {
		.uuid = t->uuid,
		.cell = cell,
		.exact_key = t->exact_key,
		.argv = first != NULL ? first->argv : "[]",
		.out = t->out->str,
		.out_length = t->out->len,
		.errors = t->errors->str,
		.errors_length = t->errors->len,
		.notes = (const char *const *)all_notes(notes, t, intake),
		.processes = first,
		.n_processes = t->processes->len,
		.started_at = first != NULL ? first->started_at : g_get_real_time() * 1000,
		.seconds = seconds_of(t),
	};
	g_autofree char *reason = judge(&row, t, intake, unfinished);
	int64_t id;

	row.reason = reason;
	bool ok = store_attempt_take_in(store, &id, &row, intake, err);
	intake_free(intake);
	return ok;
}

static bool find_cell(struct store *store, int64_t *ret, const struct taking *t, GError **err)
{
	int64_t run;

	*ret = 0;
	return store_run_by_uuid(store, &run, t->run, err) &&
	       (run == 0 || store_cell_by_name(store, ret, run, t->cell, err));
}

bool take_in(struct store *store, const char *path, const char *unfinished, GError **err)
{
	struct taking t;
	int64_t cell = 0;
	bool ok = read_all(&t, path, err) && find_cell(store, &cell, &t, err) &&
		  (cell == 0 || put(&t, store, cell, unfinished, err));

	done(&t);
	if (ok && cell != 0 && g_unlink(path) != 0)
		return diag_set(err, DIAG_FAILED, "%s: cannot be removed: %s", path, g_strerror(errno));
	return ok;
}
