/* Each extract of tests/corpora/extracts, which is what an importer's tool prints, against the records that a
 * person read out of it: all of its figures in their order, what must not be understood, and some facts.
 * README.md there says how an expectation is written. */
#include "import_harness.h"

#define FOLDER BM_SOURCE "/tests/corpora/extracts"

/* "0.5 / 2", "1 / 129.7 / 1048576", "3 * 1024": from left to right. */
static double value_of(const char *expression)
{
	char *end;
	double value = g_ascii_strtod(expression, &end);

	g_assert_true(end > expression);
	while (*(end += strspn(end, " "))) {
		char sign = *end++;
		double next = g_ascii_strtod(end, &end);
		g_assert_true(sign == '*' || sign == '/');
		value = sign == '*' ? value * next : value / next;
	}
	return value;
}

/* What "block=64,engine=ct64" says under the key; NULL. New. */
static char *word_of(const char *words, const char *key)
{
	g_auto(GStrv) all = g_strsplit(words, ",", -1);
	size_t length = strlen(key);

	for (char **word = all; *word; word++) {
		g_strstrip(*word);
		if (g_str_has_prefix(*word, key) && (*word)[length] == '=')
			return g_strdup(*word + length + 1);
	}
	return NULL;
}

static void check_labels(const struct import_record *figure, const char *words)
{
	static const enum label labels[] = {LABEL_BLOCK, LABEL_THREADS, LABEL_ENGINE, LABEL_ASYNC};
	static const char *const statistics[] = {"mean", "best", "median", "worst"};
	g_autofree char *statistic = word_of(words, "statistic"), *kind = word_of(words, "kind");

	for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
		g_autofree char *label = word_of(words, label_keys[labels[i]]);
		g_assert_cmpstr(figure->labels.v[labels[i]], ==, label);
	}
	g_assert_cmpstr(statistics[figure->statistic], ==, statistic ? statistic : "mean");
	g_assert_cmpstr(kind_names[figure->figure_kind], ==, kind ? kind : "sampled");
}

/* line | benchmark or ? name | metric | value or ! reason | unit | labels */
static void check_figure(const struct import_record *figure, char **cells)
{
	const char *benchmark = cells[1], *value = cells[3];

	g_assert_cmpuint(g_strv_length(cells), ==, 6);
	g_assert_cmpuint(figure->line, ==, (guint)g_ascii_strtoull(cells[0], NULL, 10));
	if (*benchmark == '?') {
		g_assert_cmpstr(figure->labels.v[LABEL_BENCHMARK], ==, NULL);
		g_assert_cmpstr(figure->name, ==, benchmark + 2);
	} else {
		g_assert_cmpstr(figure->labels.v[LABEL_BENCHMARK], ==, benchmark);
	}
	g_assert_cmpstr(metric_infos[figure->metric].name, ==, cells[2]);
	g_assert_cmpstr(figure->unit, ==, cells[4]);
	check_labels(figure, cells[5]);
	if (*value == '!') {
		g_assert_nonnull(figure->problem);
		g_assert_nonnull(strstr(figure->problem, value + 2));
		return;
	}
	g_assert_cmpstr(figure->problem, ==, NULL);
	g_assert_cmpfloat_with_epsilon(figure->value / value_of(value), 1, 1e-9);
}

static void check_fact(const GPtrArray *all, const char *key, const char *fact)
{
	for (guint i = 0; i < told_count(all, IMPORT_FACT); i++) {
		const struct import_record *record = told_at(all, IMPORT_FACT, i);
		if (strcmp(record->key, key) == 0 && strcmp(record->fact, fact) == 0)
			return;
	}
	g_error("nothing tells that %s is \"%s\"", key, fact);
}

static char *read_file(const char *name, const char *ending)
{
	g_autofree char *file = g_strdup_printf("%s/%s.%s", FOLDER, name, ending);
	g_autoptr(GError) err = NULL;
	char *text = NULL;

	g_file_get_contents(file, &text, NULL, &err);
	g_assert_no_error(err);
	return text;
}

static void check_extract(gconstpointer data)
{
	const char *name = data;
	g_autofree char *text = read_file(name, "txt"), *expected = read_file(name, "expected"), *seen = NULL;
	g_autofree char *format = g_strndup(name, strcspn(name, "."));
	g_auto(GStrv) lines = g_strsplit(expected, "\n", -1);
	guint figures = 0, unread = 0, breaks = 0;

	g_assert_true(importer_find(format) != NULL);
	g_assert_true(import_recognise(&seen, text, strlen(text)) == importer_find(format));
	g_autoptr(GPtrArray) all = told_of(format, text);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) cells = g_strsplit(*line, "|", -1);
		for (char **cell = cells; *cell; cell++)
			g_strstrip(*cell);
		if (**line == '#' || **line == '\0')
			continue;
		if (strcmp(cells[0], "unread") == 0)
			g_assert_cmpuint(told_at(all, IMPORT_UNREAD, unread++)->line, ==,
				(guint)g_ascii_strtoull(cells[1], NULL, 10));
		else if (strcmp(cells[0], "fact") == 0)
			check_fact(all, cells[1], cells[2]);
		else if (strcmp(cells[0], "run") == 0)
			g_assert_cmpuint(told_at(all, IMPORT_BREAK, breaks++)->line, ==,
				(guint)g_ascii_strtoull(cells[1], NULL, 10));
		else
			check_figure(told_at(all, IMPORT_FIGURE, figures++), cells);
	}
	g_assert_cmpuint(figures, >, 0);
	g_assert_cmpuint(told_count(all, IMPORT_FIGURE), ==, figures);
	g_assert_cmpuint(told_count(all, IMPORT_UNREAD), ==, unread);
	g_assert_cmpuint(told_count(all, IMPORT_BREAK), ==, breaks);
}

int main(int argc, char **argv)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) folder = g_dir_open(FOLDER, 0, NULL);
	const char *file;

	g_test_init(&argc, &argv, NULL);
	g_assert_nonnull(folder);
	while ((file = g_dir_read_name(folder))) {
		if (!g_str_has_suffix(file, ".txt"))
			continue;
		char *name = g_strndup(file, strlen(file) - strlen(".txt"));
		g_autofree char *path = g_strdup_printf("/import_extracts/%s", name);
		g_ptr_array_add(names, name);
		g_test_add_data_func(path, name, check_extract);
	}
	g_assert_cmpuint(names->len, >=, 25);
	return g_test_run();
}
