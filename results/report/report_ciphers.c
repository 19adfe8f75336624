#include "report_cells.h"
#include "report_headline.h"
#include "report_page.h"
#include "report_pages.h"

#include "figures.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* What every cipher of a platform is held against, in the order of preference. */
static const char *const yardsticks[] = {"aes-128-cbc encrypt", "aes-128-gcm encrypt", "sha-256 hash"};

/* A platform's bulk figures of one build, by one metric, each at its largest block. */
struct platform_sheet {
	const struct report_platform *platform;
	GHashTable *by_benchmark; /* const char * -> const struct result * */
	const struct result *yardstick;
};

static bool is_candidate(const struct result *result, const struct report_platform *platform)
{
	return g_strcmp0(result->what.labels.v[LABEL_PLATFORM], platform->name) == 0 &&
	       result->what.labels.v[LABEL_BENCHMARK] != NULL && values_work(result) == WORK_BULK &&
	       g_str_has_prefix(result->what.labels.v[LABEL_BENCHMARK], "tls") == false &&
	       figure_value(&result->figure) > 0;
}

/* The build that has most of them, one without flags where there is one; and of its metrics time by hardware,
 * else instructions. */
static enum metric metric_of(const struct report_model *model, const struct report_platform *platform)
{
	bool time = false, count = false;

	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);

		if (!is_candidate(result, platform))
			continue;
		time = time ||
		       (result->metric == METRIC_TIME && result->what.environment != ENVIRONMENT_EMULATOR);
		count = count || result->metric == METRIC_INSTRUCTIONS;
	}
	return time || !count ? METRIC_TIME : METRIC_INSTRUCTIONS;
}

static int64_t build_of(
	const struct report_model *model, const struct report_platform *platform, enum metric metric)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(g_int64_hash, g_int64_equal);
	int64_t best = 0;
	guint most = 0;

	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);

		if (!is_candidate(result, platform) || result->metric != metric)
			continue;
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, &result->build)) + 2;
		bool plain = g_strcmp0(result->what.labels.v[LABEL_CONFIG], "default") == 0;
		g_hash_table_insert(counts, (gpointer)&result->build, GUINT_TO_POINTER(n));
		if (n + plain > most) {
			most = n + plain;
			best = result->build;
		}
	}
	return best;
}

static bool is_larger(const struct result *a, const struct result *b)
{
	return b == NULL || values_order((enum selector_key)LABEL_BLOCK, a->what.labels.v[LABEL_BLOCK],
				    b->what.labels.v[LABEL_BLOCK]) > 0;
}

static bool sheet_make(
	struct platform_sheet *ret, const struct report_model *model, const struct report_platform *platform)
{
	enum metric metric = metric_of(model, platform);
	int64_t build = build_of(model, platform, metric);

	*ret = (struct platform_sheet){platform, g_hash_table_new(g_str_hash, g_str_equal), NULL};
	for (guint i = 0; i < model->results->len; i++) {
		const struct result *result = &g_array_index(model->results, struct result, i);
		const char *benchmark = result->what.labels.v[LABEL_BENCHMARK];

		if (is_candidate(result, platform) && result->metric == metric && result->build == build &&
			is_larger(result, g_hash_table_lookup(ret->by_benchmark, benchmark)))
			g_hash_table_insert(ret->by_benchmark, (gpointer)benchmark, (gpointer)result);
	}
	for (size_t y = 0; y < G_N_ELEMENTS(yardsticks) && ret->yardstick == NULL; y++)
		ret->yardstick = g_hash_table_lookup(ret->by_benchmark, yardsticks[y]);
	return ret->yardstick != NULL && g_hash_table_size(ret->by_benchmark) > 1;
}

static gint by_order(gconstpointer a, gconstpointer b)
{
	return values_order(
		(enum selector_key)LABEL_BENCHMARK, *(const char *const *)a, *(const char *const *)b);
}

/* Static: what the chart is drawn from is the table itself. */
static bool put_table(struct page *page, const GArray *sheets, GError **err)
{
	g_autoptr(GPtrArray) benchmarks = g_ptr_array_new(), links = page_links_new();
	struct table *table =
		table_new("speed of each cipher as a multiple of AES-128-CBC's on the same platform");

	table_add_column(table, "cipher", "Cipher", NULL, TABLE_LEFT);
	for (guint s = 0; s < sheets->len; s++) {
		const struct platform_sheet *sheet = &g_array_index(sheets, struct platform_sheet, s);
		GHashTableIter iter;
		gpointer name;

		table_add_column(table, sheet->platform->name, sheet->platform->name, "x", TABLE_RIGHT);
		g_hash_table_iter_init(&iter, sheet->by_benchmark);
		while (g_hash_table_iter_next(&iter, &name, NULL))
			if (!g_ptr_array_find_with_equal_func(benchmarks, name, g_str_equal, NULL))
				g_ptr_array_add(benchmarks, name);
	}
	g_ptr_array_sort(benchmarks, by_order);
	for (guint b = 0; b < benchmarks->len; b++) {
		struct table_cell *cells = table_add_row(table);

		cell_put_text(&cells[0], benchmarks->pdata[b]);
		for (guint s = 0; s < sheets->len; s++) {
			const struct platform_sheet *sheet = &g_array_index(sheets, struct platform_sheet, s);
			const struct result *result =
				g_hash_table_lookup(sheet->by_benchmark, benchmarks->pdata[b]);

			cell_put_ratio(&cells[1 + s],
				result ? figure_value(&sheet->yardstick->figure) /
						 figure_value(&result->figure)
				       : NAN,
				false);
			if (result != NULL)
				page_links_put(links, table, 1 + s, cell_history_link(page->model, result));
		}
	}
	for (guint s = 0; s < sheets->len; s++) {
		const struct platform_sheet *sheet = &g_array_index(sheets, struct platform_sheet, s);
		g_autofree char *build = report_build_name(page->model, &sheet->yardstick->what.labels);
		g_autofree char *benchmark = values_benchmark(sheet->yardstick);
		g_autofree char *origin = page_origin(sheet->yardstick);

		table_add_footer(table, "%s: %s, 1 is %s, by %s (%s)", sheet->platform->name, build,
			benchmark, metric_infos[sheet->yardstick->metric].name, origin);
	}
	bool ok = page_table(page, table, links, err);
	table_free(table);
	return ok;
}

bool report_ciphers(const struct report_model *model, GError **err)
{
	struct page *page = page_begin(model, "ciphers.html", "Relative cipher speed");
	g_autoptr(GArray) sheets = g_array_new(FALSE, FALSE, sizeof(struct platform_sheet));
	bool ok = true;

	for (guint i = 0; i < model->platforms->len; i++) {
		struct platform_sheet sheet;

		if (sheet_make(&sheet, model, model->platforms->pdata[i]))
			g_array_append_val(sheets, sheet);
		else
			g_hash_table_unref(sheet.by_benchmark);
	}
	if (sheets->len == 0) {
		page_paragraph(page, "No platform has figures of two ciphers.");
	} else {
		page_section(page, "relative", "What a cipher costs beside AES-128-CBC");
		page_paragraph(
			page, "Within a platform alone: platforms are not held against each other here.");
		page_chart(page, "ciphers", "speed of each cipher relative to AES-128-CBC, by platform");
		ok = put_table(page, sheets, err);
		page_section_end(page);
	}
	for (guint i = 0; i < sheets->len; i++)
		g_hash_table_unref(g_array_index(sheets, struct platform_sheet, i).by_benchmark);
	return page_end(page, ok ? err : NULL) && ok;
}
