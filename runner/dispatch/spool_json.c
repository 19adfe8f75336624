#include "spool_frames.h"

#include <jansson.h>
#include <math.h>

static const char *const end_names[] = {
	[CHILD_EXITED] = "exited",
	[CHILD_SIGNALLED] = "signalled",
	[CHILD_TIMEOUT] = "timeout",
	[CHILD_SILENT] = "silent",
	[CHILD_FLOODED] = "flooded",
	[CHILD_CANCELLED] = "cancelled",
	[CHILD_NOT_RUN] = "not-run",
	[CHILD_LOST] = "lost",
};

static char *dump(json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	char *copy = g_strdup(text);

	free(text);
	json_decref(object);
	return copy;
}

/* JSON has no NAN: what is unknown is left out. */
static void put_real(json_t *object, const char *key, double value)
{
	if (isfinite(value))
		json_object_set_new(object, key, json_real(value));
}

static double get_real(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : NAN;
}

static json_t *condition_json(const struct agent_condition *condition)
{
	json_t *object = json_object();

	put_real(object, "load", condition->load);
	put_real(object, "frequency_hz", condition->frequency_hz);
	put_real(object, "fastest_hz", condition->fastest_hz);
	put_real(object, "busy_s", condition->busy_s);
	put_real(object, "temperature", condition->temperature);
	put_real(object, "throttles", condition->throttles);
	put_real(object, "held_down", condition->held_down);
	return object;
}

static struct agent_condition condition_of(const json_t *object)
{
	return (struct agent_condition){.load = get_real(object, "load"),
		.frequency_hz = get_real(object, "frequency_hz"),
		.fastest_hz = get_real(object, "fastest_hz"),
		.busy_s = get_real(object, "busy_s"),
		.temperature = get_real(object, "temperature"),
		.throttles = get_real(object, "throttles"),
		.held_down = get_real(object, "held_down")};
}

static json_t *watch_json(const struct agent_watch *watch)
{
	json_t *object = json_object();

	put_real(object, "load", watch->load);
	put_real(object, "temperature", watch->temperature);
	put_real(object, "held_down", watch->held_down);
	put_real(object, "fastest_hz", watch->fastest_hz);
	put_real(object, "fastest_hz_at_best", watch->fastest_hz_at_best);
	return object;
}

static struct agent_watch watch_of(const json_t *object)
{
	return (struct agent_watch){.load = get_real(object, "load"),
		.temperature = get_real(object, "temperature"),
		.held_down = get_real(object, "held_down"),
		.fastest_hz = get_real(object, "fastest_hz"),
		.fastest_hz_at_best = get_real(object, "fastest_hz_at_best")};
}

/* The index of a name, or -1. */
static int index_of(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (g_str_equal(names[i], name))
			return i;
	return -1;
}

char *spool_head_text(const struct spool_head *head)
{
	return dump(json_pack("{s:s, s:s, s:s, s:s, s:s*, s:s*, s:s, s:s, s:i, s:i}", "run", head->run,
		"attempt", head->uuid, "cell", head->cell, "build", head->build, "exact_key", head->exact_key,
		"importer", head->importer, "mode", agent_mode_names[head->mode], "environment",
		environment_names[head->environment], "invocations", head->invocations, "cores",
		head->cores));
}

bool spool_head_parse(struct spool_head *ret, json_t **ret_owner, const char *text)
{
	const char *mode, *environment;
	json_t *root = json_loads(text, 0, NULL);

	*ret = (struct spool_head){0};
	*ret_owner = root;
	if (json_unpack(root, "{s:s, s:s, s:s, s:s, s?s, s?s, s:s, s:s, s:i, s?i}", "run", &ret->run,
		    "attempt", &ret->uuid, "cell", &ret->cell, "build", &ret->build, "exact_key",
		    &ret->exact_key, "importer", &ret->importer, "mode", &mode, "environment", &environment,
		    "invocations", &ret->invocations, "cores", &ret->cores) != 0)
		return false;
	int m = index_of(agent_mode_names, AGENT_MODE_COUNT, mode);
	int e = index_of(environment_names, ENVIRONMENT_COUNT, environment);
	ret->mode = (enum agent_mode)m;
	ret->environment = (enum environment)e;
	return m >= 0 && e >= 0 && ret->invocations >= 1;
}

char *spool_process_text(const struct spool_process *process)
{
	return dump(json_pack("{s:i, s:s, s:I, s:o}", "invocation", process->invocation, "argv",
		process->argv, "started_at", (json_int_t)process->started_at, "before",
		condition_json(&process->before)));
}

bool spool_process_parse(struct spool_process *ret, json_t **ret_owner, const char *text)
{
	json_int_t started_at;
	json_t *root = json_loads(text, 0, NULL);

	*ret_owner = root;
	if (json_unpack(root, "{s:i, s:s, s:I}", "invocation", &ret->invocation, "argv", &ret->argv,
		    "started_at", &started_at) != 0)
		return false;
	ret->started_at = started_at;
	ret->before = condition_of(json_object_get(root, "before"));
	return ret->invocation >= 0;
}

char *spool_end_text(const struct spool_end *end)
{
	g_autofree char *text = g_utf8_make_valid(end->text, -1);
	json_t *root = json_pack("{s:b, s:s, s:o, s:o, s:o}", "started", end->started, "text", text, "before",
		condition_json(&end->before), "after", condition_json(&end->after), "meanwhile",
		watch_json(&end->meanwhile));

	if (end->started) {
		json_object_set_new(root, "end", json_string(end_names[end->exit.end]));
		json_object_set_new(root, "status", json_integer(end->exit.status));
		put_real(root, "seconds", end->exit.seconds);
		put_real(root, "cpu_seconds", end->exit.cpu_seconds);
		json_object_set_new(root, "max_rss_bytes", json_integer(end->exit.max_rss_bytes));
	}
	return dump(root);
}

static bool exit_of(struct child_exit *ret, json_t *root)
{
	const char *name;
	json_int_t rss;

	if (json_unpack(root, "{s:s, s:i, s:I}", "end", &name, "status", &ret->status, "max_rss_bytes",
		    &rss) != 0)
		return false;
	int end = index_of(end_names, G_N_ELEMENTS(end_names), name);
	ret->end = (enum child_end)end;
	ret->seconds = get_real(root, "seconds");
	ret->cpu_seconds = get_real(root, "cpu_seconds");
	ret->max_rss_bytes = rss;
	return end >= 0;
}

bool spool_end_parse(struct spool_end *ret, json_t **ret_owner, const char *text)
{
	int started;
	json_t *root = json_loads(text, 0, NULL);

	*ret = (struct spool_end){
		.exit = {.end = CHILD_NOT_RUN, .seconds = NAN, .cpu_seconds = NAN, .max_rss_bytes = -1}};
	*ret_owner = root;
	if (json_unpack(root, "{s:b, s:s}", "started", &started, "text", &ret->text) != 0)
		return false;
	ret->started = started;
	ret->before = condition_of(json_object_get(root, "before"));
	ret->after = condition_of(json_object_get(root, "after"));
	ret->meanwhile = watch_of(json_object_get(root, "meanwhile"));
	return !started || exit_of(&ret->exit, root);
}
