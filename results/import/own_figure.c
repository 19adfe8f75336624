#include "own_figure.h"

#include <math.h>
#include <string.h>

const char *own_problem(double value, bool whole)
{
	if (!isfinite(value))
		return "not a number";
	if (value < 0)
		return "negative";
	return value > 0 || whole ? NULL : "zero";
}

static enum import_statistic statistic_of(const struct figure *figure)
{
	static const char *const names[IMPORT_STATISTIC_COUNT] = {[IMPORT_MEAN] = "mean",
		[IMPORT_BEST] = "best",
		[IMPORT_MEDIAN] = "median",
		[IMPORT_WORST] = "worst"};
	enum import_statistic statistic = IMPORT_MEAN;

	while (strcmp(names[statistic], figure_statistic(figure)) != 0)
		statistic++;
	return statistic;
}

struct own_figure own_figure_of(const struct figure *figure, enum metric metric, enum work work, bool whole)
{
	double value = figure_value(figure);
	struct own_figure own = {
		.figure = *figure,
		.unit = g_strconcat(metric_infos[metric].unit,
			whole		    ? ""
			: work == WORK_BULK ? "/B"
					    : "/op",
			NULL),
		.statistic = statistic_of(figure),
		.problem = own_problem(value, whole),
	};

	decimal_shortest(own.printed, value);
	return own;
}
