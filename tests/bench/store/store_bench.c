/* The store under years of nights: what it takes to write them beside bare SQLite, how large they become, and
 * how long the usual questions take on a file that is not in memory. A folder that has them is only asked.
 *
 *   store_bench FOLDER NIGHTS [sampled]
 *
 * A night is 100 cells of 180 exact measurements, 18,000 series; "sampled" gives each five samples instead.
 * Two databases in FOLDER get the same rows in turns, night by night: one through the store, one by prepared
 * statements alone, a transaction an attempt in both. Where there are many nights that is done for the last
 * MEASURED of them; those before go through the store without waiting for the disk, and both begin with them.
 */
#include "compare.h"
#include "night.h"
#include "store_history.h"
#include "store_private.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void stop(GError *err)
{
	fprintf(stderr, "store_bench: %s\n", err->message);
	exit(1);
}

#define MEASURED 40

/* Of the wall, and of this process alone: others may be busy. */
struct moment {
	gint64 wall;
	clock_t own;
};

struct duration {
	double wall, own;
};

static struct moment now(void)
{
	return (struct moment){g_get_monotonic_time(), clock()};
}

static struct duration since(struct moment start)
{
	return (struct duration){(double)(g_get_monotonic_time() - start.wall) / 1e6,
		(double)(clock() - start.own) / CLOCKS_PER_SEC};
}

static void print_duration(const char *what, struct moment start, guint n)
{
	struct duration taken = since(start);

	printf("%s: %.3f s, %.3f s of processor, %u rows\n", what, taken.wall, taken.own, n);
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
	struct moment start = now();
	struct store *store = open_store(file, STORE_READ);

	if (!comparison_make(
		    &comparison, store, before, after, NULL, night_sampled ? "time" : "instructions", &err))
		stop(err);
	print_duration("compare two nights", start, comparison->rows->len);
	comparison_free(comparison);
	store_close(store);
}

static void ask_run(const char *file, int night)
{
	struct selector *selector;
	GArray *results;
	GError *err = NULL;
	g_autofree char *text = g_strdup_printf("run=night %d", night);
	struct moment start = now();
	struct store *store = open_store(file, STORE_READ);

	if (!selector_parse(&selector, text, &err) || !store_results(store, &results, selector, &err))
		stop(err);
	print_duration("one night", start, results->len);
	g_array_unref(results);
	selector_free(selector);
	store_close(store);
}

static void ask_latest(const char *file, const char *text)
{
	struct selector *selector;
	GArray *results;
	GError *err = NULL;
	struct moment start = now();
	struct store *store = open_store(file, STORE_READ);

	if (!selector_parse(&selector, text, &err) || !store_results(store, &results, selector, &err))
		stop(err);
	printf("latest of \"%s\", ", text);
	print_duration("", start, results->len);
	g_array_unref(results);
	selector_free(selector);
	store_close(store);
}

struct seen {
	guint n;
	double sum;
};

static void see(const struct history_row *row, void *user)
{
	struct seen *seen = user;

	seen->n++;
	seen->sum += row->value;
}

/* As `history` asks. */
static void ask_history(const char *file, const char *text)
{
	struct selector *selector;
	struct seen seen = {0, 0};
	GError *err = NULL;
	struct moment start = now();
	struct store *store = open_store(file, STORE_READ);

	if (!selector_parse(&selector, text, &err) || !store_history(store, selector, 0, 0, see, &seen, &err))
		stop(err);
	printf("mean %.6g, ", seen.sum / seen.n);
	print_duration("one series over all nights", start, seen.n);
	selector_free(selector);
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

static void add(struct duration *sum, struct moment start)
{
	struct duration taken = since(start);

	sum->wall += taken.wall;
	sum->own += taken.own;
}

/* Since the last time that it was told. */
static void print_rates(int night, int n, struct duration sum[2])
{
	double figures = (double)n * NIGHT_SERIES;

	printf("night %d: %.0f measurements/s, bare %.0f (by processor time %.0f and %.0f: %.2f of its "
	       "rate)\n",
		night, figures / sum[0].wall, figures / sum[1].wall, figures / sum[0].own,
		figures / sum[1].own, sum[1].own / sum[0].own);
	fflush(stdout);
	memset(sum, 0, 2 * sizeof *sum);
}

static void fill_quickly(const char *file, int nights)
{
	struct store *store = open_store(file, STORE_WRITE);
	struct moment start = now();
	GError *err = NULL;

	if (!sql_script(store->sql, "PRAGMA synchronous = OFF", &err))
		stop(err);
	for (int night = 0; night < nights; night++)
		if (!night_store(store, night, &err))
			stop(err);
	store_close(store);
	print_duration("nights before", start, (guint)nights);
}

static void fill(const char *ours, const char *bare, int nights)
{
	int before = nights > 2 * MEASURED ? nights - MEASURED : 0;
	struct duration sum[2] = {{0, 0}, {0, 0}};
	GError *err = NULL;

	fill_quickly(ours, before);
	struct store *store = open_store(ours, STORE_WRITE);
	if (!store_backup(store, bare, &err))
		stop(err);
	struct night_bare *writer = night_bare_open(bare);
	for (int night = before; night < nights; night++) {
		struct moment start = now();
		if (!night_store(store, night, &err))
			stop(err);
		add(&sum[0], start);
		start = now();
		night_bare_write(writer, night);
		add(&sum[1], start);
	}
	print_rates(nights, nights - before, sum);
	night_bare_close(writer);
	store_close(store);
}

static void print_equal(const char *ours, const char *bare)
{
	static const char *const tables[] = {"run", "cell", "attempt", "outcome_list", "outcome_line",
		"measurement", "sample", "latest", "series", "series_label"};
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
	ask_history(ours, "config=config33,benchmark=aes-128-cbc encrypt,block=1024");
	make_cold(ours);
	ask_latest(ours, "config=config17");
	make_cold(ours);
	ask_latest(ours, "");
	printf("warm:\n");
	ask_compare(ours, nights);
	ask_history(ours, "config=config50,benchmark=aes-128-cbc encrypt,block=1024");
	return 0;
}
