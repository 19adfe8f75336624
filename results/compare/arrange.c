#include "arrange.h"

#include "diag.h"
#include "join.h"
#include "values.h"

#include <math.h>
#include <string.h>

const char *const arrange_sort_names[ARRANGE_SORT_COUNT + 1] = {"name", "worst", "best", NULL};

/* --- keys --- */

#define FAMILY "family"

static const struct {
	const char *name;
	enum selector_key key;
} keys[] = {{"algorithm", SELECT_ALGORITHM}, {"operation", SELECT_OPERATION}, {"arch", SELECT_ARCH}};

static int find_key(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (strcmp(keys[i].name, name) == 0)
			return (int)keys[i].key;
	return label_find(name);
}

bool arrange_check_key(const char *key, GError **err)
{
	g_autofree char *labels = g_strjoinv(", ", (char **)label_keys);

	if (strcmp(key, FAMILY) == 0 || find_key(key) >= 0)
		return true;
	return diag_set(err, DIAG_USAGE,
		"--group %s: there is no such key; the keys are " FAMILY ", algorithm, operation, arch, %s",
		key, labels);
}

static char *family_of(const char *benchmark)
{
	const char *space = benchmark ? strrchr(benchmark, ' ') : NULL;
	g_autofree char *algorithm =
		space ? g_strndup(benchmark, (gsize)(space - benchmark)) : g_strdup(benchmark);
	g_auto(GStrv) parts = g_strsplit(algorithm ? algorithm : "-", "-", -1);
	GString *family = g_string_new(parts[0]);

	for (size_t i = 1; parts[0] && parts[i] && !strpbrk(parts[i], "0123456789"); i++)
		g_string_append_printf(family, "-%s", parts[i]);
	return g_string_free(family, FALSE);
}

char *arrange_value(const struct comparison_row *row, const char *key)
{
	const char *value;

	if (strcmp(key, FAMILY) == 0)
		return family_of(row->before->what.labels.v[LABEL_BENCHMARK]);
	value = values_of(row->before, (enum selector_key)find_key(key));
	return g_strdup(value ? value : "-");
}

/* --- groups --- */

static void group_free(gpointer data)
{
	struct arrange_group *group = data;

	g_free(group->name);
	g_free(group);
}

GPtrArray *arrange_groups(const struct comparison *comparison, const char *key)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
	g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		g_autofree char *name = arrange_value(row, key);
		struct arrange_group *group = g_hash_table_lookup(by_name, name);

		if (isnan(row->ratio))
			continue;
		if (!group) {
			group = g_new0(struct arrange_group, 1);
			group->name = g_steal_pointer(&name);
			g_hash_table_insert(by_name, group->name, group);
			g_ptr_array_add(groups, group);
		}
		/* The sum of logarithms until all are in. */
		group->geomean += log(row->ratio);
		group->n++;
	}
	for (guint i = 0; i < groups->len; i++) {
		struct arrange_group *group = groups->pdata[i];
		group->geomean = exp(group->geomean / group->n);
	}
	return groups;
}

/* --- what changed --- */

bool arrange_alarms(const struct comparison_row *row)
{
	if (row->verdict != VERDICT_BETTER && row->verdict != VERDICT_WORSE)
		return false;
	/* Without a ratio one of the two is zero: nothing is as far away. */
	return row->evidence.n_before > 0 || !(fabs(row->ratio - 1) < COMPARISON_EXACT_ALARM);
}

static bool has_changed(const struct comparison_row *row)
{
	/* A row without a ratio says nothing; how many those are is said below the table. */
	if (row->verdict == VERDICT_NONE)
		return row->ratio >= 1 + COMPARISON_FLOOR || row->ratio <= 1 / (1 + COMPARISON_FLOOR);
	return row->verdict == VERDICT_BETTER || row->verdict == VERDICT_WORSE;
}

char *arrange_tally(const GPtrArray *rows)
{
	GString *text = g_string_new(NULL);
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autoptr(GArray) counts = g_array_new(FALSE, TRUE, sizeof(guint));

	for (guint i = 0; i < rows->len; i++) {
		const char *word = comparison_word(rows->pdata[i]);
		guint at = 0;

		if (!word)
			continue;
		if (!g_ptr_array_find(words, word, &at)) {
			at = words->len;
			g_ptr_array_add(words, (char *)word);
			g_array_set_size(counts, words->len);
		}
		g_array_index(counts, guint, at)++;
	}
	for (guint i = 0; i < words->len; i++)
		g_string_append_printf(text, "%s%u %s", i > 0 ? ", " : "", g_array_index(counts, guint, i),
			(const char *)words->pdata[i]);
	return g_string_free(text, FALSE);
}

/* --- order --- */

struct placed {
	const struct comparison_row *row;
	guint group, at;
};

static gint by_place(gconstpointer a, gconstpointer b, gpointer sort)
{
	const struct placed *x = a, *y = b;
	double sign = GPOINTER_TO_INT(sort) == ARRANGE_BEST ? -1 : 1;
	bool x_known = !isnan(x->row->ratio), y_known = !isnan(y->row->ratio);

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	if (GPOINTER_TO_INT(sort) != ARRANGE_NAME && x_known != y_known)
		return x_known ? -1 : 1;
	if (GPOINTER_TO_INT(sort) != ARRANGE_NAME && x_known && x->row->ratio != y->row->ratio)
		return sign * x->row->ratio < sign * y->row->ratio ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

/* The number of the group by the order in which they come first. */
static guint group_of(GHashTable *numbers, const struct comparison_row *row, const char *key)
{
	char *value = key ? arrange_value(row, key) : g_strdup("");
	gpointer number;

	if (g_hash_table_lookup_extended(numbers, value, NULL, &number)) {
		g_free(value);
		return GPOINTER_TO_UINT(number);
	}
	guint next = g_hash_table_size(numbers);
	g_hash_table_insert(numbers, value, GUINT_TO_POINTER(next));
	return next;
}

GPtrArray *arrange_rows(
	const struct comparison *comparison, const struct arrangement *arrangement, char **ret_left_out)
{
	GPtrArray *rows = g_ptr_array_new();
	g_autoptr(GPtrArray) gone = g_ptr_array_new();
	g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(struct placed));
	g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < comparison->rows->len; i++) {
		struct comparison_row *row = comparison->rows->pdata[i];
		struct placed place = {row, group_of(numbers, row, arrangement->group), i};

		if (arrangement->changed && !has_changed(row))
			g_ptr_array_add(gone, row);
		else
			g_array_append_val(placed, place);
	}
	g_array_sort_with_data(placed, by_place, GINT_TO_POINTER(arrangement->sort));
	for (guint i = 0; i < placed->len; i++)
		g_ptr_array_add(rows, (gpointer)g_array_index(placed, struct placed, i).row);
	*ret_left_out = NULL;
	if (gone->len > 0) {
		g_autofree char *tally = arrange_tally(gone);
		*ret_left_out = g_strdup_printf("%u of %u rows without a proven change are left out%s%s",
			gone->len, comparison->rows->len, *tally ? ": " : "", tally);
	}
	return rows;
}
