#include "course.h"

#include "diag.h"
#include "wire_reader.h"

#include <string.h>

/* Standard error of a process: only its last line is told. */
#define TAIL_MAX 4096
/* A program that names another benchmark each time that it dies must come to an end as well. */
#define PROCESSES_MAX 1000
#define LINKS_MAX     10000

struct course {
	bool foreign; /* its stream has no records */
	int invocations;
	int invocation; /* to start next, or under way */
	int processes;	/* of this invocation, but for those that are done: */
	int links;	/* after which another one did the next item */
	bool over;
	/* of the invocation */
	char *from;
	GPtrArray *skip;  /* char *: left out for the rest of this invocation */
	GPtrArray *retry; /* char *: died in once, and tried again */
	GPtrArray *hung;  /* char *: left out of all that follows */
	/* of the process under way */
	bool under_way;
	struct wire_reader *reader;
	char *in_hand, *told; /* begun and not finished; finished last; NULL */
	bool ended;	      /* its end record came */
	char *next;	      /* and names what another process is to go on with; NULL: nothing */
	GString *tail;	      /* of standard error */
	/* of the one that ended last */
	struct course_end end;
	char *end_reason;
	/* of the first that did not end well */
	enum attempt_state state;
	char *reason;
};

struct course *course_new(int invocations)
{
	struct course *course = g_new0(struct course, 1);

	course->invocations = invocations;
	course->skip = g_ptr_array_new_with_free_func(g_free);
	course->retry = g_ptr_array_new_with_free_func(g_free);
	course->hung = g_ptr_array_new_with_free_func(g_free);
	course->tail = g_string_new(NULL);
	course->state = ATTEMPT_OK;
	return course;
}

struct course *course_new_foreign(int invocations)
{
	struct course *course = course_new(invocations);

	course->foreign = true;
	return course;
}

void course_free(struct course *course)
{
	if (course == NULL)
		return;
	g_free(course->from);
	g_ptr_array_unref(course->skip);
	g_ptr_array_unref(course->retry);
	g_ptr_array_unref(course->hung);
	if (course->reader != NULL)
		wire_reader_free(course->reader);
	g_free(course->in_hand);
	g_free(course->told);
	g_free(course->next);
	g_string_free(course->tail, TRUE);
	g_free(course->end_reason);
	g_free(course->reason);
	g_free(course);
}

/* --- a process --- */

static void forget_process(struct course *course)
{
	g_clear_pointer(&course->reader, wire_reader_free);
	g_clear_pointer(&course->in_hand, g_free);
	g_clear_pointer(&course->told, g_free);
	g_clear_pointer(&course->next, g_free);
	g_string_truncate(course->tail, 0);
	course->ended = course->under_way = false;
}

void course_began(struct course *course, int invocation)
{
	course_lost(course);
	forget_process(course);
	course->invocation = invocation;
	course->under_way = true;
	course->processes++;
	course->reader = wire_reader_new();
}

static char *item_of(const struct wire_record *record)
{
	return g_strconcat(record->name, record->block != NULL ? " " : NULL, record->block, NULL);
}

static void take(struct course *course, const struct wire_record *record)
{
	g_autofree char *item = NULL;

	switch (record->kind) {
	case WIRE_START:
		g_free(course->in_hand);
		course->in_hand = item_of(record);
		return;
	case WIRE_BENCHMARK:
		item = item_of(record);
		if (g_strcmp0(item, course->in_hand) != 0)
			return;
		g_free(course->told);
		course->told = g_steal_pointer(&course->in_hand);
		return;
	case WIRE_END:
		course->ended = true;
		g_free(course->next);
		course->next = g_strdup(record->next);
		return;
	default:
		return;
	}
}

void course_bytes(struct course *course, int stream, const char *bytes, size_t length)
{
	struct wire_record record;

	if (!course->under_way)
		return;
	if (stream != 1) {
		g_string_append_len(course->tail, bytes, (gssize)length);
		if (course->tail->len > TAIL_MAX)
			g_string_erase(course->tail, 0, (gssize)(course->tail->len - TAIL_MAX));
		return;
	}
	if (course->foreign)
		return;
	wire_reader_push(course->reader, bytes, length);
	while (wire_reader_next(course->reader, &record))
		take(course, &record);
}

/* --- its end --- */

/* The last line that it wrote to standard error, or NULL. */
static char *last_words(const struct course *course)
{
	const char *begin = course->tail->str, *end = begin + course->tail->len;

	while (end > begin && g_ascii_isspace(end[-1]))
		end--;
	const char *line = end;
	while (line > begin && line[-1] != '\n')
		line--;
	return end > line ? diag_printable(line, end - line) : NULL;
}

static enum attempt_state judge(const struct course *course, const struct child_exit *exit)
{
	if (exit == NULL)
		return ATTEMPT_INFRASTRUCTURE;
	switch (exit->end) {
	case CHILD_EXITED:
		return exit->status == 0 && (course->ended || course->foreign) ? ATTEMPT_OK
									       : ATTEMPT_TRUNCATED;
	case CHILD_SIGNALLED:
		return ATTEMPT_CRASHED;
	case CHILD_TIMEOUT:
	case CHILD_SILENT:
		return ATTEMPT_TIMEOUT;
	case CHILD_FLOODED:
		return ATTEMPT_TRUNCATED;
	case CHILD_CANCELLED:
	case CHILD_LOST:
		return ATTEMPT_CANCELLED;
	case CHILD_NOT_RUN:
		return ATTEMPT_INFRASTRUCTURE;
	}
	g_assert_not_reached();
}

/* "HOW in ITEM: SAID"; what is NULL is left out. */
static char *sentence(const char *how, const char *item, const char *said)
{
	return g_strconcat(how, item != NULL ? " in " : "", item != NULL ? item : "",
		said != NULL ? ": " : "", said != NULL ? said : "", NULL);
}

/* `how` NULL: it ended by itself, before its end record. What lacks then is for those to say who read the
 * whole stream, unless a benchmark is to blame. */
static void note_end(struct course *course, enum attempt_state state, const char *how)
{
	const char *item = course->in_hand;
	g_autofree char *said = last_words(course);
	g_autofree char *cut = how == NULL && item != NULL
				       ? g_strdup_printf("invocation %d: no end record", course->invocation)
				       : NULL;

	g_free(course->end_reason);
	course->end_reason = how != NULL ? sentence(how, NULL, said) : g_strdup(cut);
	course->end = (struct course_end){.state = state,
		.blame = state == ATTEMPT_TIMEOUT ? OUTCOME_TIMEOUT : OUTCOME_CRASHED,
		.reason = course->end_reason};
	if (course->state != ATTEMPT_OK)
		return;
	course->state = state;
	course->reason = how != NULL   ? sentence(how, item, said)
			 : cut != NULL ? sentence(cut, item, said)
				       : NULL;
}

static bool has(const GPtrArray *items, const char *item)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)items, item, g_str_equal, NULL);
}

static void add(GPtrArray *items, const char *item)
{
	g_ptr_array_add(items, g_strdup(item));
}

static void go_on_from(struct course *course, const char *item)
{
	char *from = g_strdup(item);

	g_free(course->from);
	course->from = from;
}

static void next_invocation(struct course *course)
{
	course->invocation++;
	course->processes = course->links = 0;
	course->over = course->invocation >= course->invocations;
	g_clear_pointer(&course->from, g_free);
	g_ptr_array_set_size(course->skip, 0);
	g_ptr_array_set_size(course->retry, 0);
}

/* Its end record came. A program that always names another item must come to an end as well. */
static void after_end(struct course *course)
{
	if (course->next == NULL || ++course->links > LINKS_MAX)
		next_invocation(course);
	else
		go_on_from(course, course->next);
}

/* Behind the benchmark that it died in; where there is but one invocation, at it once more, so that one that
 * fails now and then is seen to. */
static void go_on(struct course *course, enum attempt_state state)
{
	const char *item = course->in_hand;

	if (state == ATTEMPT_INFRASTRUCTURE || item == NULL || has(course->hung, item) ||
		has(course->skip, item) || course->processes >= PROCESSES_MAX) {
		course->over = true;
		return;
	}
	if (state == ATTEMPT_TIMEOUT)
		add(course->hung, item);
	else if (course->invocations > 1 || has(course->retry, item))
		add(course->skip, item);
	else
		add(course->retry, item);
	go_on_from(course, item);
}

const struct course_end *course_ended(struct course *course, const struct child_exit *exit, const char *text)
{
	enum attempt_state state = judge(course, exit);

	if (state == ATTEMPT_CANCELLED)
		return course_lost(course);
	if (state == ATTEMPT_OK) {
		course->end = (struct course_end){.state = ATTEMPT_OK, .blame = OUTCOME_OK};
		course->processes--;
		after_end(course);
	} else {
		bool by_itself = exit != NULL && exit->end == CHILD_EXITED && exit->status == 0;
		note_end(course, state, by_itself ? NULL : text);
		go_on(course, state);
	}
	forget_process(course);
	return &course->end;
}

bool course_progressed(const struct course *course)
{
	return course->under_way && (course->told != NULL || course->ended);
}

const struct course_end *course_lost(struct course *course)
{
	if (!course->under_way)
		return NULL;
	course->end = (struct course_end){
		.state = ATTEMPT_CANCELLED, .blame = OUTCOME_OK, .reason = "lost with the run"};
	course->processes--;
	if (course->ended) {
		after_end(course);
	} else if (course->in_hand != NULL) {
		go_on_from(course, course->in_hand);
	} else if (course->told != NULL) {
		go_on_from(course, course->told);
		add(course->skip, course->told);
	}
	forget_process(course);
	return &course->end;
}

void course_finish(struct course *course)
{
	course->over |= course->invocation > 0 || course->processes > 0;
}

/* --- what comes next --- */

bool course_over(const struct course *course)
{
	return course->over;
}

int course_invocation(const struct course *course)
{
	return course->invocation;
}

const char *course_from(const struct course *course)
{
	return course->from;
}

char *course_skip(const struct course *course)
{
	GString *list = g_string_new(NULL);

	for (guint i = 0; i < course->skip->len + course->hung->len; i++)
		g_string_append_printf(list, "%s%s", i > 0 ? "," : "",
			(const char *)(i < course->skip->len ? course->skip->pdata[i]
							     : course->hung->pdata[i - course->skip->len]));
	return g_string_free(list, list->len == 0);
}

enum attempt_state course_state(const struct course *course)
{
	return course->state;
}

const char *course_reason(const struct course *course)
{
	return course->reason;
}
