/* The store under years of nights: what it takes to write them beside bare SQLite, how large they become, and
 * how long the usual questions take on a file that is not in memory.
 *
 *   store_bench FOLDER NIGHTS [sampled]
 *
 * A night is 100 cells of 180 exact measurements, 18,000 series; "sampled" gives each five samples instead.
 * Two databases in FOLDER get the same rows in turns, night by night: one through the store, one by prepared
 * statements alone, a transaction an attempt in both. */
#include "compare.h"
#include "fsx.h"
#include "night.h"
#include "store_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void stop(GError *err)
{
	fprintf(stderr, "store_bench: %s\n", err->message);
	exit(1);
}

static double seconds_since(gint64 start)
{
	return (double)(g_get_monotonic_time() - start) / 1e6;
}

static struct store *open_store(const char *file, enum store_mode mode)
{
	GError *err = NULL;
	struct store *store = store_open(file, mode, &err);

	if (!store)
		stop(err);
	return store;
}

/* --- a cold file --- */

/* All caches where this may be said, else the file's own pages. */
static const char *make_cold(const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), all;

	sync();
	if (fd >= 0) {
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		close(fd);
	}
	all = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool dropped = all >= 0 && write(all, "3", 1) == 1;
	if (all >= 0)
		close(all);
	return dropped ? "drop_caches" : "posix_fadvise";
}

/* --- questions --- */

static void ask_compare(const char *file, int nights)
{
	struct comparison *comparison;
	GError *err = NULL;
	g_autofree char *before = g_strdup_printf("run=night %d", nights / 2);
	g_autofree char *after = g_strdup_printf("run=night %d", nights - 1);
	gint64 start = g_get_monotonic_time();
	struct store *store = open_store(file, STORE_READ);

	if (!comparison_make(
		    &comparison, store, before, after, NULL, night_sampled ? "time" : "instructions", &err))
		stop(err);
	printf("compare two nights: %.3f s, %u rows\n", seconds_since(start), comparison->rows->len);
	comparison_free(comparison);
	store_close(store);
}

static void ask_run(const char *file, int night)
{
	struct selector *selector;
	GArray *results;
	GError *err = NULL;
	g_autofree char *text = g_strdup_printf("run=night %d", night);
	gint64 start = g_get_monotonic_time();
	struct store *store = open_store(file, STORE_READ);

	if (!selector_parse(&selector, text, &err) || !store_results(store, &results, selector, &err))
		stop(err);
	printf("one night: %.3f s, %u results\n", seconds_since(start), results->len);
	g_array_unref(results);
	selector_free(selector);
	store_close(store);
}

static void ask_latest(const char *file, const char *text)
{
	struct selector *selector;
	GArray *results;
	GError *err = NULL;
	gint64 start = g_get_monotonic_time();
	struct store *store = open_store(file, STORE_READ);

	if (!selector_parse(&selector, text, &err) || !store_results(store, &results, selector, &err))
		stop(err);
	printf("latest of \"%s\": %.3f s, %u results\n", text, seconds_since(start), results->len);
	g_array_unref(results);
	selector_free(selector);
	store_close(store);
}

static void ask_history(const char *file, int64_t series)
{
	struct sql_query query;
	GError *err = NULL;
	int n = 0;
	double sum = 0;
	gint64 start = g_get_monotonic_time();
	struct store *store = open_store(file, STORE_READ);

	if (!sql_query(&query, store->sql,
		    "SELECT m.median, a.started_at FROM (SELECT id FROM measurement WHERE series_id = :series"
		    " ORDER BY id DESC LIMIT 365) AS l JOIN measurement AS m ON m.id = l.id"
		    " JOIN attempt AS a ON a.id = m.id >> 20 ORDER BY m.id",
		    SQL_ARGS(SQL_INT(":series", series)), &err))
		stop(err);
	for (; sql_next(&query); n++)
		sum += sql_real(&query, 0);
	if (!sql_done(&query, &err))
		stop(err);
	printf("one series over %d nights: %.3f s (mean %.6g)\n", n, seconds_since(start), sum / n);
	store_close(store);
}

static void ask_sizes(const char *file)
{
	GPtrArray *sizes;
	GError *err = NULL;
	struct store *store = open_store(file, STORE_READ);
	int64_t measurements;

	if (!store_sizes(store, &sizes, &err) ||
		!sql_number(store->sql, &measurements, "SELECT count(*) FROM measurement", NULL, &err))
		stop(err);
	printf("%" PRId64 " measurements; bytes each:", measurements);
	for (guint i = 0; i < sizes->len; i++) {
		const struct table_size *size = sizes->pdata[i];
		if (size->bytes > measurements / 10)
			printf(" %s %.1f", size->name, (double)size->bytes / (double)measurements);
	}
	putchar('\n');
	g_ptr_array_unref(sizes);
	store_close(store);
}

/* --- writing --- */

static void fill(const char *ours, const char *bare, int nights)
{
	struct store *store = open_store(ours, STORE_WRITE);
	struct store *made = open_store(bare, STORE_WRITE); /* for its tables */
	double taken[2] = {0, 0}, last[2] = {0, 0};
	GError *err = NULL;

	store_close(made);
	struct night_bare *writer = night_bare_open(bare);
	for (int night = 0; night < nights; night++) {
		gint64 start = g_get_monotonic_time();
		if (!night_store(store, night, &err))
			stop(err);
		taken[0] += seconds_since(start);
		start = g_get_monotonic_time();
		night_bare_write(writer, night);
		taken[1] += seconds_since(start);
		if (night % 50 != 49 && night != nights - 1)
			continue;
		int n = night % 50 + 1;
		printf("night %d: %.0f measurements/s, bare %.0f\n", night + 1,
			n * NIGHT_SERIES / (taken[0] - last[0]), n * NIGHT_SERIES / (taken[1] - last[1]));
		fflush(stdout);
		memcpy(last, taken, sizeof last);
	}
	printf("all: %.0f measurements/s, bare %.0f: %.2f of its rate\n", nights * NIGHT_SERIES / taken[0],
		nights * NIGHT_SERIES / taken[1], taken[1] / taken[0]);
	night_bare_close(writer);
	store_close(store);
}

static void print_equal(const char *ours, const char *bare)
{
	static const char *const tables[] = {
		"run", "cell", "attempt", "outcome", "measurement", "sample", "series", "series_label"};
	struct store *a = open_store(ours, STORE_READ), *b = open_store(bare, STORE_READ);
	GError *err = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autofree char *text = g_strdup_printf("SELECT count(*) FROM %s", tables[i]);
		int64_t x, y;
		if (!sql_number(a->sql, &x, text, NULL, &err) || !sql_number(b->sql, &y, text, NULL, &err))
			stop(err);
		if (x != y)
			printf("%s: %" PRId64 " rows, bare %" PRId64 "\n", tables[i], x, y);
	}
	store_close(a);
	store_close(b);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: store_bench FOLDER NIGHTS [sampled]\n");
		return 2;
	}
	int nights = (int)g_ascii_strtoll(argv[2], NULL, 10);
	g_autofree char *ours = g_build_filename(argv[1], "ours.db", NULL);
	g_autofree char *bare = g_build_filename(argv[1], "bare.db", NULL);
	night_sampled = argc > 3;
	if (!g_file_test(ours, G_FILE_TEST_EXISTS)) {
		fill(ours, bare, nights);
		print_equal(ours, bare);
	}
	ask_sizes(ours);
	printf("cold by %s\n", make_cold(ours));
	ask_compare(ours, nights);
	make_cold(ours);
	ask_run(ours, nights / 3);
	make_cold(ours);
	ask_history(ours, NIGHT_SERIES / 3);
	make_cold(ours);
	ask_latest(ours, "config=config17");
	make_cold(ours);
	ask_latest(ours, "");
	printf("warm:\n");
	ask_compare(ours, nights);
	ask_history(ours, NIGHT_SERIES / 2);
	return 0;
}
