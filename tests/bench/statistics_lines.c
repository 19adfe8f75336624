/* The functions of statistics.h for other programs: reads lines such as "u 1 2 3 | 4 5 6" and prints the
 * numbers that come out, one line each. */
#include "statistics.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1024 };

struct request {
	const char *name;
	double x[MOST], y[MOST];
	size_t n, m;
};

static bool read_request(struct request *request, char **words)
{
	double *values = request->x;
	size_t *count = &request->n;

	if (words[0] == NULL)
		return false;
	request->name = words[0];
	for (char **word = words + 1; *word != NULL && *count < MOST; word++) {
		if (strcmp(*word, "|") == 0) {
			values = request->y;
			count = &request->m;
			continue;
		}
		values[(*count)++] = g_ascii_strtod(*word, NULL);
	}
	return true;
}

static void print_estimate(struct estimate estimate)
{
	printf("%.17g %.17g %.17g %.17g\n", estimate.value, estimate.interval.low, estimate.interval.high,
		estimate.interval.coverage);
}

/* The first of y is the confidence, where one is asked for. */
static bool answer(struct request *request)
{
	double *x = request->x, *y = request->y;
	size_t n = request->n, m = request->m;

	if (strcmp(request->name, "u") == 0)
		printf("%.17g\n", statistics_u_test(x, n, y, m));
	else if (strcmp(request->name, "w") == 0)
		printf("%.17g\n", statistics_signed_rank_test(x, n));
	else if (strcmp(request->name, "shift") == 0 && m > 0)
		print_estimate(statistics_shift(x, n, y + 1, m - 1, y[0]));
	else if (strcmp(request->name, "paired") == 0 && m > 0)
		print_estimate(statistics_paired_shift(x, n, y[0]));
	else if (strcmp(request->name, "median") == 0 && m > 0) {
		double median = statistics_median(x, n);
		print_estimate((struct estimate){median, statistics_median_interval(x, n, y[0])});
	} else if (strcmp(request->name, "holm") == 0 || strcmp(request->name, "bh") == 0) {
		if (request->name[0] == 'h')
			statistics_holm(y, x, n);
		else
			statistics_benjamini_hochberg(y, x, n);
		for (size_t i = 0; i < n; i++)
			printf("%.17g%c", y[i], i + 1 < n ? ' ' : '\n');
	} else {
		return false;
	}
	return true;
}

int main(void)
{
	static char line[1 << 16];

	while (fgets(line, sizeof line, stdin) != NULL) {
		static struct request request;
		memset(&request, 0, sizeof request);
		g_auto(GStrv) words = g_strsplit(g_strstrip(line), " ", -1);
		if (!read_request(&request, words) || !answer(&request)) {
			fprintf(stderr, "no such line: %s\n", line);
			return 2;
		}
	}
	return 0;
}
