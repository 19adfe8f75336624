/* The Go benchmark format, for benchstat and the like: golang.org/design/14313-benchmark-format.
 *
 * What tells environments apart stands in configuration lines, what tells benchmarks apart in the name. What
 * changes with every run (revision, compiler, run) is a comment: as a configuration it would keep benchstat
 * from holding one file against another. Each process invocation is a line, as a run of a benchmark is for
 * Go: its median, since samples of one process are not independent. With samples each of them is a line. */
#include "diag.h"
#include "export_out.h"
#include "intake.h"

#include <math.h>
#include <string.h>

enum { CONFIG_ARCH = LABEL_COUNT, CONFIG_SOURCE, CONFIG_ENVIRONMENT, CONFIG_KIND, CONFIG_COUNT };

struct writer {
	struct export_out *out;
	GString *text;
	char *config[CONFIG_COUNT]; /* in force */
	GHashTable *units;	    /* of exact metrics: told so far */
	int64_t attempt;	    /* told last */
};

static bool is_in_name(int label)
{
	return label == LABEL_BENCHMARK || label == LABEL_BLOCK || label == LABEL_THREADS ||
	       label == LABEL_ENGINE || label == LABEL_ASYNC || label == LABEL_METRIC;
}

/* --- configuration lines --- */

/* Without line ends and what could act on a terminal. Free with g_free(). */
static char *one_line(const char *text)
{
	char *printable = diag_printable(text, -1);

	return g_strdelimit(printable, "\n\t", ' ');
}

static void config(struct writer *writer, int i, const char *key, const char *value)
{
	g_autofree char *line = value ? one_line(value) : NULL;

	if (g_strcmp0(line, writer->config[i]) == 0)
		return;
	/* Without a value: from here on there is none. */
	g_string_append_printf(writer->text, "%s:%s%s\n", key, line ? " " : "", line ? line : "");
	g_free(writer->config[i]);
	writer->config[i] = g_steal_pointer(&line);
}

static void configs(struct writer *writer, const struct selectable *what)
{
	for (int i = 0; i < LABEL_COUNT; i++)
		if (!is_in_name(i))
			config(writer, i, label_keys[i], what->labels.v[i]);
	config(writer, CONFIG_ARCH, "arch", what->arch);
	config(writer, CONFIG_SOURCE, "source", source_names[what->source]);
	config(writer, CONFIG_ENVIRONMENT, "environment", environment_names[what->environment]);
	config(writer, CONFIG_KIND, "kind", kind_names[what->kind]);
}

static void comment(struct writer *writer, const char *key, const char *value)
{
	g_autofree char *line = value ? one_line(value) : NULL;

	if (line)
		g_string_append_printf(writer->text, "# %s %s\n", key, line);
}

static void comments(struct writer *writer, const struct result *result)
{
	if (writer->attempt == result->attempt)
		return;
	writer->attempt = result->attempt;
	comment(writer, "run", result->run_uuid);
	g_string_append(writer->text, "# time ");
	put_time(writer->text, result->started_at);
	g_string_append_c(writer->text, '\n');
	comment(writer, "revision", result->what.revision);
	comment(writer, "compiler", result->compiler);
	comment(writer, "emulator", result->emulator);
	for (size_t i = 0; result->notes[i]; i++)
		comment(writer, "note", result->notes[i]);
}

/* --- result lines --- */

static void part(GString *name, const char *key, const char *value)
{
	g_autofree char *line = value ? one_line(value) : NULL;

	if (line)
		g_string_append_printf(name, "/%s=%s", key, g_strdelimit(line, " /", '_'));
}

static char *name_of(const struct result *result)
{
	const struct labels *labels = &result->what.labels;
	int known = labels->v[LABEL_BENCHMARK] ? benchmark_find(labels->v[LABEL_BENCHMARK]) : -1;
	GString *name = g_string_new("BenchmarkCrypto");

	if (known >= 0) {
		part(name, "algorithm", benchmark_infos[known].algorithm);
		part(name, "operation", benchmark_infos[known].operation);
	} else {
		part(name, "name", labels->v[LABEL_BENCHMARK]);
	}
	part(name, "block", labels->v[LABEL_BLOCK]);
	part(name, "threads", labels->v[LABEL_THREADS]);
	part(name, "engine", labels->v[LABEL_ENGINE]);
	part(name, "async", labels->v[LABEL_ASYNC]);
	/* "-2" at the end would be taken for Go's number of processors. */
	if (g_regex_match_simple("-\\d+$", name->str, 0, 0))
		g_string_append(name, "-1");
	return g_string_free(name, FALSE);
}

/* Of all metrics but time. */
static char *unit_of(const struct result *result)
{
	const struct metric_info *info = &metric_infos[result->metric];

	if (figure_per(result))
		return figure_unit(result);
	return strcmp(info->unit, "B") == 0 ? g_strconcat(info->name, "-bytes", NULL) : g_strdup(info->name);
}

static void unit_line(struct writer *writer, const struct result *result)
{
	const struct metric_info *info = &metric_infos[result->metric];
	g_autofree char *unit = unit_of(result);

	if (info->assume != ASSUME_EXACT || g_hash_table_contains(writer->units, unit))
		return;
	g_string_append_printf(writer->text, "Unit %s assume=exact better=%s\n", unit,
		info->better == BETTER_LOWER ? "lower" : "higher");
	g_hash_table_add(writer->units, g_steal_pointer(&unit));
}

static void computed(GString *text, double number, const char *unit)
{
	g_string_append_c(text, '\t');
	put_computed(text, number);
	g_string_append_printf(text, " %s", unit);
}

static void line(struct writer *writer, const struct result *result, double number, double iterations)
{
	g_autofree char *name = name_of(result);
	const char *per = figure_per(result);
	double block = figure_block(result);

	g_string_append_printf(writer->text, "%s\t", name);
	put_number(writer->text, iterations);
	if (result->metric != METRIC_TIME) {
		g_autofree char *unit = unit_of(result);
		g_string_append_c(writer->text, '\t');
		put_number(writer->text, number);
		g_string_append_printf(writer->text, " %s", unit);
	} else if (strcmp(per, "operation") == 0) {
		computed(writer->text, number * 1e9, "ns/op");
	} else {
		if (block > 0)
			computed(writer->text, number * block * 1e9, "ns/op");
		if (number > 0)
			computed(writer->text, 1e-6 / number, "MB/s");
	}
	g_string_append_c(writer->text, '\n');
}

/* The median of the sets from `first` on that are of one invocation. Returns the index behind them. */
static guint invocation_line(
	struct writer *writer, const struct result *result, const struct sample_list *samples, guint first)
{
	const struct sample_set *sets = (const struct sample_set *)(const void *)samples->sets->data;
	double iterations = 0;
	size_t n = 0;
	guint end;

	for (end = first; end < samples->sets->len && sets[end].invocation == sets[first].invocation; end++) {
		iterations += (double)sets[end].n * (double)sets[end].iterations;
		n += sets[end].n;
	}
	if (n > 0)
		line(writer, result, figure_of(sets[first].values, n).median, iterations);
	return end;
}

static void every_sample(
	struct writer *writer, const struct result *result, const struct sample_list *samples)
{
	for (guint i = 0; i < samples->sets->len; i++) {
		const struct sample_set *set = &g_array_index(samples->sets, struct sample_set, i);
		for (size_t k = 0; k < set->n; k++)
			line(writer, result, set->values[k], (double)set->iterations);
	}
}

static void lines(struct writer *writer, const struct result *result, const struct sample_list *samples)
{
	if (samples->sets->len == 0)
		line(writer, result, figure_value(&result->figure), MAX(1, (double)result->figure.n));
	else if (writer->out->options->samples)
		every_sample(writer, result, samples);
	else
		for (guint i = 0; i < samples->sets->len;)
			i = invocation_line(writer, result, samples, i);
}

static bool one(struct writer *writer, const struct result *result)
{
	struct sample_list *samples = out_samples(writer->out, result);

	if (!samples)
		return false;
	/* No rate follows from a time of zero. */
	if (result->metric == METRIC_TIME && figure_value(&result->figure) <= 0) {
		writer->out->count.left_out++;
	} else {
		configs(writer, &result->what);
		comments(writer, result);
		unit_line(writer, result);
		lines(writer, result, samples);
		writer->out->count.figures++;
	}
	sample_list_free(samples);
	return out_room(writer->out);
}

static void write_all(struct export_out *out, const struct export_set *set)
{
	struct writer writer = {.out = out, .text = out->text};

	writer.units = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < set->results->len; i++)
		if (!one(&writer, set->results->pdata[i]))
			break;
	g_hash_table_unref(writer.units);
	for (size_t i = 0; i < CONFIG_COUNT; i++)
		g_free(writer.config[i]);
}

const struct exporter exporter_go = {"go",
	"the Go benchmark format, for benchstat: one line per process invocation",
	"text/plain; charset=utf-8", "times of zero", true, write_all};
