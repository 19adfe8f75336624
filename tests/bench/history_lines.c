/* The functions of history.h that need no database, for other programs: reads lines such as "splits 0.01 0.01
 * 100 101 99 ..." and prints the numbers that come out, one line each. */
#include "history.h"
#include "ranks.h"
#include "splits.h"

#include <stdio.h>
#include <string.h>

static GArray *read_values(char **words)
{
	GArray *values = g_array_new(FALSE, FALSE, sizeof(double));

	for (; *words; words++) {
		double value = g_ascii_strtod(*words, NULL);
		g_array_append_val(values, value);
	}
	return values;
}

/* "place p place p ..." */
static void print_splits(const double *values, size_t n, double alpha, double least)
{
	g_autoptr(GArray) splits = history_splits(values, n, alpha, least);

	for (guint i = 0; i < splits->len; i++) {
		const struct history_split *split = &g_array_index(splits, struct history_split, i);
		printf("%s%zu %.17g", i > 0 ? " " : "", split->at, split->p);
	}
	printf("\n");
}

/* "noise, neighbours": of the values as nights. */
static void print_noise(const double *values, guint n)
{
	static const struct history_context none;
	struct history_series series = {.metric = METRIC_TIME};

	series.points = g_array_new(FALSE, TRUE, sizeof(struct history_point));
	for (guint i = 0; i < n; i++) {
		struct history_point point = {.value = values[i], .n = 1, .context = &none};
		g_array_append_val(series.points, point);
	}
	history_analyse(&series);
	printf("%.17g %u\n", series.noise, series.neighbours);
	g_array_unref(series.points);
	g_array_unref(series.segments);
	g_array_unref(series.changes);
}

static bool answer(const char *name, const double *x, guint n)
{
	if (strcmp(name, "splits") == 0 && n > 2)
		print_splits(x + 2, n - 2, x[0], x[1]);
	else if (strcmp(name, "noise") == 0 && n > 0)
		print_noise(x, n);
	else if (strcmp(name, "u") == 0 && n == 3)
		printf("%.17g\n", ranks_u_p(x[0], (size_t)x[1], (size_t)x[2]));
	else if (strcmp(name, "series") == 0 && n == 2)
		printf("%.17g\n", history_series_p(x[0], (size_t)x[1]));
	else
		return false;
	return true;
}

int main(void)
{
	static char line[1 << 20];

	while (fgets(line, sizeof line, stdin) != NULL) {
		g_auto(GStrv) words = g_strsplit(g_strstrip(line), " ", -1);
		g_autoptr(GArray) values = words[0] ? read_values(words + 1) : NULL;

		if (!values || !answer(words[0], (const double *)(void *)values->data, values->len)) {
			fprintf(stderr, "no such line: %.200s\n", line);
			return 2;
		}
	}
	return 0;
}
