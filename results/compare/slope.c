#include "slope.h"

#include "diag.h"
#include "values.h"

#include <math.h>

/* --- the line --- */

double slope_student(double t, size_t degrees)
{
	double angle = atan(t / sqrt((double)degrees)), c = cos(angle), sum = 0;
	bool odd = degrees % 2 == 1;
	double term = odd ? c : 1;

	for (size_t k = odd ? 1 : 0; k + 2 <= degrees; k += 2) {
		sum += term;
		term *= c * c * (double)(k + 1) / (double)(k + 2);
	}
	return odd ? 2 / G_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

/* The t that so much of the distribution lies within. */
static double student_quantile(double confidence, size_t degrees)
{
	double low = 0, high = 1;

	while (slope_student(high, degrees) < confidence)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;
		if (slope_student(middle, degrees) < confidence)
			low = middle;
		else
			high = middle;
	}
	return high;
}

struct sums {
	double w, x, y, xx, xy;
};

static struct sums weighted_sums(const double *bytes, const double *costs, size_t n)
{
	struct sums s = {0, 0, 0, 0, 0};

	for (size_t i = 0; i < n; i++) {
		double w = 1 / (costs[i] * costs[i]);
		s.w += w;
		s.x += w * bytes[i];
		s.y += w * costs[i];
		s.xx += w * bytes[i] * bytes[i];
		s.xy += w * bytes[i] * costs[i];
	}
	return s;
}

static struct estimate around(double value, double width, double confidence)
{
	struct estimate estimate = {value, {value - width, value + width, isfinite(width) ? confidence : 1}};

	return estimate;
}

static bool has_two(const double *bytes, const double *costs, size_t n)
{
	bool two = false;

	for (size_t i = 0; i < n; i++) {
		two |= bytes[i] != bytes[0];
		if (!(costs[i] > 0) || !isfinite(costs[i]))
			return false;
	}
	return two;
}

bool slope_fit(struct slope *ret, const double *bytes, const double *costs, size_t n, double confidence)
{
	double off = 0, factor = INFINITY;

	if (!has_two(bytes, costs, n))
		return false;
	struct sums s = weighted_sums(bytes, costs, n);
	double determinant = s.w * s.xx - s.x * s.x;
	double per_byte = (s.w * s.xy - s.x * s.y) / determinant;
	double per_call = (s.xx * s.y - s.x * s.xy) / determinant;
	for (size_t i = 0; i < n; i++) {
		double share = (costs[i] - per_call - per_byte * bytes[i]) / costs[i];
		off += share * share;
	}
	if (n > 2)
		factor = student_quantile(confidence, n - 2) * sqrt(off / (double)(n - 2) / determinant);
	ret->points = n;
	ret->per_byte = around(per_byte, factor * sqrt(s.w), confidence);
	ret->per_call = around(per_call, factor * sqrt(s.xx), confidence);
	return true;
}

/* --- the lines of a pivot --- */

static void free_row(gpointer data)
{
	struct slope_row *row = data;

	g_strfreev(row->values);
	g_free(row);
}

/* What tells the figures of one line from those of others. */
static char **values_at(const struct pivot *pivot, guint row, guint column)
{
	g_autoptr(GStrvBuilder) values = g_strv_builder_new();
	char **of_row = pivot->rows->pdata[row], **of_column = pivot->columns->pdata[column];

	for (size_t i = 0; i < pivot->n_row_keys; i++)
		if ((int)pivot->row_keys[i] != LABEL_BLOCK)
			g_strv_builder_add(values, of_row[i]);
	for (size_t i = 0; i < pivot->n_column_keys; i++)
		if ((int)pivot->column_keys[i] != LABEL_BLOCK)
			g_strv_builder_add(values, of_column[i]);
	return g_strv_builder_end(values);
}

/* The points of a line that is coming up. */
struct points {
	char **values;
	GArray *bytes, *costs; /* double */
	size_t left_out;
};

static void free_points(gpointer data)
{
	struct points *points = data;

	g_strfreev(points->values);
	g_array_unref(points->bytes);
	g_array_unref(points->costs);
	g_free(points);
}

static struct points *points_of(GPtrArray *all, GHashTable *index, char **values)
{
	g_autofree char *key = g_strjoinv("\x1f", values);
	struct points *points = g_hash_table_lookup(index, key);

	if (points) {
		g_strfreev(values);
		return points;
	}
	points = g_new0(struct points, 1);
	points->values = values;
	points->bytes = g_array_new(FALSE, FALSE, sizeof(double));
	points->costs = g_array_new(FALSE, FALSE, sizeof(double));
	g_ptr_array_add(all, points);
	g_hash_table_insert(index, g_steal_pointer(&key), points);
	return points;
}

static void add_point(struct points *points, const struct result *result)
{
	double bytes = g_ascii_strtod(result->what.labels.v[LABEL_BLOCK], NULL);
	double cost = figure_value(&result->figure) * bytes;

	if (!(cost > 0) || !isfinite(cost)) {
		points->left_out++;
		return;
	}
	g_array_append_val(points->bytes, bytes);
	g_array_append_val(points->costs, cost);
}

/* In the order of the pivot's rows. */
static GPtrArray *all_points(const struct pivot *pivot)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(free_points);
	g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint r = 0; r < pivot->rows->len; r++)
		for (guint c = 0; c < pivot->columns->len; c++) {
			const struct result *result = pivot->cells->pdata[r * pivot->columns->len + c];
			if (result && values_work(result) == WORK_BULK && result->what.labels.v[LABEL_BLOCK])
				add_point(points_of(all, index, values_at(pivot, r, c)), result);
		}
	return all;
}

static void add_row(GPtrArray *rows, struct points *points)
{
	struct slope_row row = {.left_out = points->left_out};

	if (!slope_fit(&row.slope, (const double *)(void *)points->bytes->data,
		    (const double *)(void *)points->costs->data, points->bytes->len, SLOPE_CONFIDENCE))
		return;
	row.values = g_steal_pointer(&points->values);
	g_ptr_array_add(rows, g_memdup2(&row, sizeof row));
}

bool slope_rows(GPtrArray **ret, const struct pivot *pivot, GError **err)
{
	if (metric_is_whole(pivot->metric))
		return diag_set(err, DIAG_USAGE,
			"a slope is of a metric per byte, such as time or instructions; %s is not",
			metric_infos[pivot->metric].name);
	g_autoptr(GPtrArray) all = all_points(pivot);
	g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(free_row);
	for (guint i = 0; i < all->len; i++)
		add_row(rows, all->pdata[i]);
	if (rows->len == 0)
		return diag_set(err, DIAG_USAGE,
			"no benchmark has figures at two block sizes; a matrix names them: \"blocks\": [16, "
			"1024, 16384]");
	*ret = g_steal_pointer(&rows);
	return true;
}
