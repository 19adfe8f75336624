#include "diag.h"
#include "join.h"
#include "sample_results.h"
#include "tables.h"

#include <string.h>

#define AES "aes-128-cbc encrypt"
#define RSA "rsa-2048 private"

struct world {
	GArray *results;
	struct selector *selector;
	struct pivot *pivot;
	struct table *table;
	GError *error;
};

static void set_up(struct world *world, gconstpointer user)
{
	(void)user;
	world->results = sample_array();
}

static void tear_down(struct world *world, gconstpointer user)
{
	(void)user;
	table_free(world->table);
	pivot_free(world->pivot);
	selector_free(world->selector);
	g_array_unref(world->results);
	g_clear_error(&world->error);
}

static void make_pivot(struct world *world)
{
	struct pivot_request request = {.metric = METRIC_TIME};

	g_assert_true(selector_parse(&world->selector, NULL, NULL));
	request.selector = world->selector;
	g_assert_true(pivot_of(&world->pivot, world->results, &request, &world->error));
}

/* Text of the cell under a column of that key. */
static const struct table_cell *cell_of(const struct table *table, guint row, const char *key)
{
	for (guint c = 0; c < table->columns->len; c++) {
		const struct table_column *column = table->columns->pdata[c];
		if (strcmp(column->key, key) == 0)
			return &((const struct table_cell *)table->rows->pdata[row])[c];
	}
	g_error("no column %s", key);
}

static void assert_near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-9 * fabs(b)))
		g_error("%.17g is not %.17g", a, b);
}

/* Samples of 0.9, 1 and 1.1 us: the operations per second of them. */
static void spread_shows_best_median_mean_and_worst(struct world *world, gconstpointer user)
{
	struct result *result = sample_time(world->results, "sp", RSA, NULL, 1e-6);

	(void)user;
	result->figure.mean = 1.02e-6;
	result->figure.sd = 0.0612e-6;
	make_pivot(world);
	g_assert_true(table_of_spread(&world->table, world->pivot, NULL, &world->error));
	g_assert_cmpuint(world->table->rows->len, ==, 1);
	g_assert_cmpstr(cell_of(world->table, 0, "n")->text, ==, "5");
	g_assert_cmpstr(cell_of(world->table, 0, "best")->text, ==, "1,111,111 ops/s");
	g_assert_cmpstr(cell_of(world->table, 0, "median")->text, ==, "1,000,000 ops/s");
	g_assert_cmpstr(cell_of(world->table, 0, "mean")->text, ==, "980,392 ops/s");
	g_assert_cmpstr(cell_of(world->table, 0, "worst")->text, ==, "909,091 ops/s");
	g_assert_cmpstr(cell_of(world->table, 0, "sd")->text, ==, "6.0%");
	assert_near(cell_of(world->table, 0, "best")->number, 0.9e-6);
	assert_near(cell_of(world->table, 0, "worst")->number, 1.1e-6);
	g_assert_cmpstr(cell_of(world->table, 0, "unit")->text, ==, "s/op");
}

static void spread_has_a_row_for_each_figure(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "sp", RSA, NULL, 1e-6);
	sample_time(world->results, "default", RSA, NULL, 3e-6);
	sample_time(world->results, "default", AES, "1024", 1e-9);
	sample_last(world->results)->figure.sd = NAN;
	make_pivot(world);
	g_assert_true(table_of_spread(&world->table, world->pivot, "ns", &world->error));
	g_assert_cmpuint(world->table->rows->len, ==, 3);
	g_assert_cmpstr(cell_of(world->table, 0, "benchmark")->text, ==, AES);
	g_assert_cmpstr(cell_of(world->table, 0, "median")->text, ==, "1.000 ns/B");
	g_assert_null(cell_of(world->table, 0, "sd")->text);
	g_assert_cmpstr(cell_of(world->table, 1, "config")->text, ==, "default");
	g_assert_cmpstr(cell_of(world->table, 1, "median")->text, ==, "3,000 ns/op");
	g_assert_cmpstr(cell_of(world->table, 2, "config")->text, ==, "sp");
}

/* Calls of 20 ns and 3 ns a byte: 68 ns for 16, 212 for 64, 788 for 256; of the other configuration 116 and
 * 1064, so 100 and 1. */
static void slope_shows_what_a_call_and_a_byte_cost(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "default", AES, "16", 68e-9 / 16);
	sample_time(world->results, "default", AES, "64", 212e-9 / 64);
	sample_time(world->results, "default", AES, "256", 788e-9 / 256);
	sample_time(world->results, "sp", AES, "16", 116e-9 / 16);
	sample_time(world->results, "sp", AES, "964", 1064e-9 / 964);
	sample_time(world->results, "sp", RSA, NULL, 1e-3);
	make_pivot(world);
	g_assert_true(table_of_slopes(&world->table, world->pivot, &world->error));
	g_assert_cmpuint(world->table->rows->len, ==, 2);
	g_assert_cmpstr(cell_of(world->table, 0, "config")->text, ==, "default");
	g_assert_cmpstr(cell_of(world->table, 0, "sizes")->text, ==, "3");
	g_assert_cmpstr(cell_of(world->table, 0, "per_byte")->text, ==, "3.000 ns/B [3.000, 3.000]");
	g_assert_cmpstr(cell_of(world->table, 0, "per_call")->text, ==, "20.00 ns/op [20.00, 20.00]");
	assert_near(cell_of(world->table, 0, "per_byte")->number, 3e-9);
	assert_near(cell_of(world->table, 0, "per_call")->number, 20e-9);
	g_assert_cmpstr(cell_of(world->table, 1, "config")->text, ==, "sp");
	/* Two sizes have no interval. */
	g_assert_cmpstr(cell_of(world->table, 1, "per_byte")->text, ==, "1.000 ns/B");
	g_assert_cmpstr(cell_of(world->table, 1, "per_call")->text, ==, "100.0 ns/op");
	g_assert_true(isnan(cell_of(world->table, 1, "per_call_low")->number));
}

static void slope_is_refused_where_there_is_one_size(struct world *world, gconstpointer user)
{
	(void)user;
	sample_time(world->results, "default", AES, "16", 68e-9 / 16);
	sample_time(world->results, "sp", RSA, NULL, 1e-3);
	make_pivot(world);
	g_assert_false(table_of_slopes(&world->table, world->pivot, &world->error));
	g_assert_error(world->error, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(world->error->message, "two block sizes"));
	g_clear_error(&world->error);
	world->pivot->metric = METRIC_HEAP_PEAK;
	g_assert_false(table_of_slopes(&world->table, world->pivot, &world->error));
	g_assert_nonnull(strstr(world->error->message, "heap-peak"));
}

#define TEST(name) g_test_add("/query_views/" #name, struct world, NULL, set_up, name, tear_down)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(spread_shows_best_median_mean_and_worst);
	TEST(spread_has_a_row_for_each_figure);
	TEST(slope_shows_what_a_call_and_a_byte_cost);
	TEST(slope_is_refused_where_there_is_one_size);
	return g_test_run();
}
