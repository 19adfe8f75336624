/* openssl speed, 0.9.8 to 4.x: progress lines, tables, and the lines of -mr and -multi.
 *
 * "k" is 1000 bytes per second, whatever documents say; a cell without it is bytes per second. Times are of
 * user CPU unless -elapsed was given. */
#include "openssl_speed.h"

#include "names.h"
#include "patterns.h"

#include <math.h>
#include <string.h>

/* Where one part of a line ends and the next begins, in documents that lost their line ends. */
static const char part_start[] =
	"(?<=\\S)\\s+(?=Doing \\S|type +\\d+ bytes|[Ee]ngine \"|You have chosen to measure|[rd]sa +\\d+ bits "
	"+[\\d.]+s|"
	"\\d+ bits? (?:ecdsa|ecdh|ffdh|EdDSA|SM2)\\b.*? [\\d.]+s|sign +verify +sign/s|sign +verify +encrypt)";
static const char sure_line[] =
	"Doing .* for [\\d.]+s(?: on \\d+ size blocks)?: |\\btype +\\d+ bytes +\\d+ bytes|"
	"^The 'numbers' are in 1000s of bytes|^\\+(?:DT|DTP|R\\d*|F\\d*|H):|^Got: \\+[HF]|"
	"\\bsign +verify +(?:encrypt +decrypt +)?sign/s|^keygen +(?:encaps|signs) |^[rd]sa +\\d+ bits "
	"+[\\d.]+s +[\\d.]+s";
static const char likely_line[] = "openssl speed|^You have chosen to measure elapsed|^[Ee]ngine \"\\S+\" "
				  "set|^\\S.* (?:\\d[\\d.]+k +){3,}\\d[\\d.]+k";

static const struct fact_rule facts[] = {
	{"^(?:\\[\\S+\\])?[#$%]? ?(?:\\S*/)?(?<value>openssl speed\\b.*)$", "command", true},
	{"^OpenSSL> (?<value>speed\\b.*)$", "command", true},
	{"^\\d?\\s*(?<value>openssl speed -\\S.*)$", "command", true},
	{"^[Ee]ngine \"(?<value>[^\"]+)\" set", "engine", false},
	{"^You have chosen to measure (?<value>elapsed) time", "timing", false},
	{"^(?:OpenSSL|LibreSSL|Tongsuo) (?<value>\\d+\\.\\d+\\S*?),? ", "version", false},
	{"^version: (?<value>\\d+\\.\\d+\\S*)", "version", false},
	{"^built on: (?<value>.*)$", "built", false},
	{"^options: ?(?<value>.*)$", "options", false},
	{"^compiler: (?<value>.*)$", "compiler", false},
	{"^CPUINFO: (?<value>.*)$", "cpu-features", false},
	{NULL, NULL, false},
};

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL, sure_line, line->body))
		return 10;
	return pattern_match(NULL, likely_line, line->body);
}

static void progress_free(gpointer user)
{
	struct progress *progress = user;

	g_free(progress->text);
	g_free(progress->name);
	g_free(progress->key);
	g_free(progress->block);
	g_free(progress->unit);
	g_free(progress->doubt);
	g_free(progress);
}

static void *begin(void)
{
	struct openssl_speed *state = g_new0(struct openssl_speed, 1);

	state->progress = g_ptr_array_new_with_free_func(progress_free);
	state->blocks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	state->times = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	state->version = (double)NAN;
	return state;
}

void openssl_remember(struct openssl_speed *state, const struct import_line *line, const char *name,
	const char *key, const char *block, const struct reading *reading, char *doubt)
{
	struct progress *progress = g_new0(struct progress, 1);

	progress->line = line->number;
	progress->text = g_strdup(line->text);
	progress->name = g_strdup(name);
	progress->key = name_tidy(key);
	progress->block = g_strdup(block);
	progress->reading = *reading;
	progress->unit = g_strdup(reading->unit);
	progress->reading.unit = progress->unit;
	progress->doubt = doubt;
	g_ptr_array_add(state->progress, progress);
}

/* Whether a table with these columns has no place for the block. */
static bool has_no_column(const struct openssl_speed *state, const char *block)
{
	for (size_t i = 0; i < state->n_columns; i++)
		if (g_strcmp0(state->columns[i], block) == 0)
			return false;
	return block && state->n_columns > 0;
}

static void doubt_progress(struct progress *progress, char *doubt)
{
	if (progress->doubt)
		g_free(doubt);
	else
		progress->doubt = doubt;
}

char *openssl_covered(
	struct openssl_speed *state, const char *key, const char *block, const struct reading *cell)
{
	g_autofree char *tidy = name_tidy(key);

	for (guint i = 0; i < state->progress->len; i++) {
		struct progress *progress = state->progress->pdata[i];
		if (strcmp(progress->key, tidy) != 0)
			continue;
		if (has_no_column(state, progress->block))
			doubt_progress(progress, g_strdup_printf("the run's table has no column of %s bytes",
							 progress->block));
		if (g_strcmp0(progress->block, block) != 0)
			continue;
		if (readings_agree(&progress->reading, cell)) {
			char *doubt = g_steal_pointer(&progress->doubt);
			g_ptr_array_remove_index(state->progress, i);
			return doubt;
		}
		if (block)
			doubt_progress(progress,
				g_strdup_printf("the run's table says %s %s", cell->printed, cell->unit));
	}
	return NULL;
}

struct import_record openssl_figure(const struct openssl_speed *state, const struct import_line *line,
	const char *name, enum work work, const char *block)
{
	struct import_record figure = figure_of_line(line, OPENSSL_SPEED, name, work);

	if (!figure.labels.v[LABEL_BENCHMARK]) {
		g_autofree char *directed = g_strconcat(name, state->decrypt ? " decrypt" : " encrypt", NULL);
		int benchmark = name_benchmark(OPENSSL_SPEED, directed);
		if (benchmark >= 0)
			figure.labels.v[LABEL_BENCHMARK] = benchmark_infos[benchmark].name;
	}
	figure.labels.v[LABEL_BLOCK] = block;
	figure.labels.v[LABEL_ENGINE] = state->engine;
	figure.labels.v[LABEL_ASYNC] = state->async;
	if (state->threads[0])
		figure.labels.v[LABEL_THREADS] = state->threads;
	return figure;
}

void openssl_flush(struct openssl_speed *state, const struct import_sink *sink)
{
	for (guint i = 0; i < state->progress->len; i++) {
		struct progress *progress = state->progress->pdata[i];
		struct import_line line = {
			progress->text, strlen(progress->text), progress->line, progress->text};
		struct import_record figure = openssl_figure(state, &line, progress->name,
			progress->block ? WORK_BULK : WORK_OPERATION, progress->block);
		tell_readings(sink, &figure, &progress->reading, 1, progress->doubt);
	}
	g_ptr_array_set_size(state->progress, 0);
}

static void forget_run(struct openssl_speed *state)
{
	g_clear_pointer(&state->engine, g_free);
	g_clear_pointer(&state->async, g_free);
	g_clear_pointer(&state->evp, g_free);
	g_clear_pointer(&state->operations, g_strfreev);
	g_hash_table_remove_all(state->blocks);
	g_hash_table_remove_all(state->times);
	for (size_t i = 0; i < state->n_columns; i++)
		g_free(state->columns[i]);
	state->n_columns = 0;
	state->threads[0] = '\0';
	state->children = 0;
	state->got = false;
	state->timed = false;
	state->decrypt = false;
	state->version = (double)NAN;
}

static char *option_of(const char *command, const char *option)
{
	g_auto(GStrv) words = g_strsplit_set(command, " \t", -1);

	for (guint i = 0; words[i] && words[i + 1]; i++)
		if (strcmp(words[i], option) == 0)
			return g_strdup(words[i + 1]);
	return NULL;
}

static void learn_command(struct openssl_speed *state, const char *command)
{
	g_autofree char *multi = option_of(command, "-multi");

	g_free(state->engine);
	g_free(state->async);
	g_free(state->evp);
	state->engine = option_of(command, "-engine");
	state->async = option_of(command, "-async_jobs");
	state->evp = option_of(command, "-evp");
	state->decrypt = strstr(command, " -decrypt") != NULL;
	g_strlcpy(state->threads, multi && strcmp(multi, "1") != 0 ? multi : "", sizeof state->threads);
}

static double version_number(const char *text)
{
	double parts[3] = {0};
	const char *c = text;

	for (int i = 0; i < 3 && g_ascii_isdigit(*c); i++) {
		parts[i] = (double)g_ascii_strtoull(c, (char **)&c, 10);
		c += *c == '.';
	}
	return parts[0] + parts[1] / 100 + parts[2] / 10000;
}

static void learn(struct openssl_speed *state, const char *key, const char *fact)
{
	if (strcmp(key, "command") == 0) {
		learn_command(state, fact);
	} else if (strcmp(key, "engine") == 0) {
		g_free(state->engine);
		state->engine = g_strdup(fact);
	} else if (strcmp(key, "timing") == 0) {
		state->timed = true;
	} else if (strcmp(key, "version") == 0) {
		state->version = version_number(fact);
	}
}

struct learner {
	struct openssl_speed *state;
	const struct import_sink *sink;
};

/* Hands records on, and learns from them. */
static void take_record(const struct import_record *record, void *user)
{
	struct learner *learner = user;
	struct openssl_speed *state = learner->state;

	if (record->kind == IMPORT_BREAK) {
		openssl_flush(state, learner->sink);
		forget_run(state);
	} else if (record->kind == IMPORT_FACT) {
		learn(state, record->key, record->fact);
	}
	learner->sink->take(record, learner->sink->user);
}

char *openssl_child_doubt(const struct openssl_speed *state)
{
	if (!state->threads[0] && (!state->got || state->children == 1))
		return NULL;
	return g_strdup_printf("one of %s processes at once: only their sum can be compared",
		state->threads[0] ? state->threads : "several");
}

/* Children of -multi: counted as they are forked. */
static bool take_child(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;
	struct number number;

	if (!pattern_match(&match, "^Forked child (?<n>\\d{1,5})$", line->body) ||
		!pattern_number(&number, match, "n", NUMBER_COMMA_UNKNOWN))
		return false;
	state->children = (guint)number.value + 1;
	g_snprintf(state->threads, sizeof state->threads, "%u", state->children);
	if (state->children == 1)
		state->threads[0] = '\0';
	tell_other(sink, line);
	return true;
}

static void take_part(
	struct openssl_speed *state, const struct import_line *line, const struct import_sink *sink)
{
	struct learner learner = {state, sink};
	struct import_sink learning = {take_record, &learner, sink->version, sink->clock, sink->excerpt};

	if (take_child(state, line, sink) || openssl_machine(state, line, &learning) ||
		openssl_progress(state, line, &learning) || openssl_table(state, line, &learning))
		return;
	if (run_fact(&state->run, facts, &learning, line))
		return;
	if (pattern_match(NULL,
		    "^Doing \\S.* for [\\d.]+s|^\\+[RF]\\d*:|^Got: \\+|: Doing |^\\d+ [\\w-]+'s in [\\d.]+s",
		    line->body))
		tell_unread(sink, line,
			pattern_match(NULL, "^(?:Got: )?\\+F\\d+:\\d+:\\d+\\.", line->body)
				? "a result that does not name its algorithm"
				: "the line is cut, or two lines are torn into each other");
	else
		tell_other(sink, line);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct openssl_speed *state = user;
	const char *rest = line->body;
	GMatchInfo *match = NULL;

	while (pattern_match(&match, part_start, rest)) {
		int start, end;
		g_match_info_fetch_pos(match, 0, &start, &end);
		g_autofree char *part = g_strndup(rest, (gsize)start);
		struct import_line one = {line->text, line->length, line->number, part};
		take_part(state, &one, sink);
		rest += end;
		g_clear_pointer(&match, g_match_info_unref);
	}
	g_clear_pointer(&match, g_match_info_unref);
	struct import_line last = {line->text, line->length, line->number, rest};
	take_part(state, &last, sink);
}

static void finish(void *user, const struct import_sink *sink)
{
	struct openssl_speed *state = user;

	openssl_flush(state, sink);
	forget_run(state);
	run_done(&state->run);
	g_ptr_array_unref(state->progress);
	g_hash_table_unref(state->blocks);
	g_hash_table_unref(state->times);
	g_free(state);
}

const struct importer importer_openssl_speed = {OPENSSL_SPEED,
	"openssl speed: tables, progress, -mr and -multi", "openssl-speed", "openssl", recognise, begin,
	take_line, finish};
