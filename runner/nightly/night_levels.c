#include "night_levels.h"

#include "diag.h"
#include "selector.h"
#include "store_alarms.h"

#include <string.h>

#define MOST_NIGHTS 1000

struct night_levels {
	GHashTable *by_series; /* int64_t -> struct night_level */
	GPtrArray *arrays;     /* GArray of struct result: keeps them alive */
	GArray *runs;	       /* int64_t */
};

/* While they are made. */
struct making {
	struct night_levels *levels;
	struct store *store;
	const struct night_levels_spec *spec;
	GPtrArray *nights;   /* struct night_info *, settled ones before tonight, newest first */
	GArray *alarms;	     /* struct alarm_row, newest first */
	GHashTable *wanted;  /* series */
	GHashTable *figures; /* series -> GPtrArray of const struct result *, newest night first */
	GHashTable *changed; /* series -> started_at of the night that told of its last change */
	GHashTable *unclear; /* "night series" that are to be looked into again */
	GHashTable *started; /* run -> started_at */
};

bool night_baseline_read(struct night_baseline *ret, const char *text, GError **err)
{
	guint64 nights = 1;

	*ret = (struct night_baseline){0, text};
	if (*text == '\0')
		return diag_set(err, DIAG_USAGE, "--baseline: previous, median:N or the name of a baseline");
	if (strcmp(text, "previous") != 0 && !g_str_has_prefix(text, "median:"))
		return true;
	if (g_str_has_prefix(text, "median:") &&
		!g_ascii_string_to_unsigned(text + strlen("median:"), 10, 1, MOST_NIGHTS, &nights, NULL))
		return diag_set(err, DIAG_USAGE,
			"--baseline %s: median:N takes a number of nights from 1 to %d", text, MOST_NIGHTS);
	*ret = (struct night_baseline){(int)nights, NULL};
	return true;
}

bool night_results(struct store *store, GArray **ret, const char *uuid, GError **err)
{
	g_autofree char *text = g_strdup_printf("run=%s,source=own", uuid);
	struct selector *selector;

	if (!selector_parse(&selector, text, err))
		return false;
	bool ok = store_results(store, ret, selector, err);
	selector_free(selector);
	return ok;
}

static GHashTable *table_of_ids(GDestroyNotify free_value)
{
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_value);
}

static gpointer id_key(int64_t id)
{
	return g_memdup2(&id, sizeof id);
}

/* --- what was told --- */

static char *unclear_key(int64_t night, int64_t series)
{
	return g_strdup_printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, night, series);
}

/* Newest first: a series is unclear in the nights since it last was clear, unless these are too many. */
static void note_unclear(struct making *making)
{
	g_autoptr(GHashTable) times = table_of_ids(NULL);

	for (guint i = 0; i < making->alarms->len; i++) {
		const struct alarm_row *alarm = &g_array_index(making->alarms, struct alarm_row, i);
		int n = GPOINTER_TO_INT(g_hash_table_lookup(times, &alarm->series));
		if (alarm->kind == ALARM_UNCLEAR && n >= 0)
			n++;
		else
			n = n > 0 ? -n : n; /* counted to its end */
		if (n != 0)
			g_hash_table_insert(times, id_key(alarm->series), GINT_TO_POINTER(n));
	}
	for (guint i = 0; i < making->alarms->len; i++) {
		const struct alarm_row *alarm = &g_array_index(making->alarms, struct alarm_row, i);
		int n = GPOINTER_TO_INT(g_hash_table_lookup(times, &alarm->series));
		if (alarm->kind == ALARM_UNCLEAR && ABS(n) < NIGHT_UNCLEAR_MOST)
			g_hash_table_add(making->unclear, unclear_key(alarm->run, alarm->series));
	}
}

static void note_alarms(struct making *making)
{
	for (guint i = 0; i < making->alarms->len; i++) {
		const struct alarm_row *alarm = &g_array_index(making->alarms, struct alarm_row, i);
		const int64_t *started = g_hash_table_lookup(making->started, &alarm->run);
		if (alarm->kind != ALARM_UNCLEAR && started != NULL &&
			!g_hash_table_contains(making->changed, &alarm->series))
			g_hash_table_insert(making->changed, id_key(alarm->series), id_key(*started));
	}
	note_unclear(making);
}

/* --- what was measured --- */

static bool is_unclear(const struct making *making, int64_t night, int64_t series)
{
	g_autofree char *key = unclear_key(night, series);

	return g_hash_table_contains(making->unclear, key);
}

/* Whether the series was told to be elsewhere in a later night. */
static bool is_past(const struct making *making, int64_t started_at, int64_t series)
{
	const int64_t *changed = g_hash_table_lookup(making->changed, &series);

	return changed != NULL && started_at < *changed;
}

static void add_figures(struct making *making, GArray *results, const struct night_info *night, guint most)
{
	for (guint i = 0; i < results->len; i++) {
		const struct result *result = &g_array_index(results, struct result, i);
		GPtrArray *figures = g_hash_table_lookup(making->figures, &result->series);
		if (figures == NULL || figures->len >= most ||
			is_past(making, night->started_at, result->series) ||
			is_unclear(making, night->run, result->series))
			continue;
		g_ptr_array_add(figures, (gpointer)result);
		if (figures->len == most)
			g_hash_table_remove(making->wanted, &result->series);
	}
}

/* Behind a pinned run the nights count of series alone that were told to be elsewhere since. */
static guint nights_wanted(const struct making *making)
{
	if (making->spec->baseline->nights > 0)
		return (guint)making->spec->baseline->nights;
	return g_hash_table_size(making->changed) > 0 ? NIGHT_LOOK_BACK : 1;
}

static bool add_nights(struct making *making, GError **err)
{
	guint most = nights_wanted(making);

	for (guint i = 0; i < making->nights->len && i < MAX(most, NIGHT_LOOK_BACK); i++) {
		const struct night_info *night = making->nights->pdata[i];
		GArray *results;
		if (g_hash_table_size(making->wanted) == 0)
			break;
		if (!night_results(making->store, &results, night->uuid, err))
			return false;
		g_ptr_array_add(making->levels->arrays, results);
		add_figures(making, results, night, most);
	}
	return true;
}

static gint by_value(gconstpointer a, gconstpointer b)
{
	double x = figure_value(&(*(const struct result *const *)a)->figure),
	       y = figure_value(&(*(const struct result *const *)b)->figure);

	return (x > y) - (x < y);
}

static void settle_nights(struct making *making)
{
	GHashTableIter iter;
	gpointer key, value;

	g_hash_table_iter_init(&iter, making->figures);
	while (g_hash_table_iter_next(&iter, &key, &value)) {
		GPtrArray *figures = value;
		if (figures->len == 0)
			continue;
		struct night_level *level = g_new0(struct night_level, 1);
		level->last = figures->pdata[0];
		g_ptr_array_sort(figures, by_value);
		level->reference = figures->pdata[(figures->len - 1) / 2];
		g_hash_table_insert(making->levels->by_series, id_key(*(const int64_t *)key), level);
	}
}

/* --- a pinned run --- */

static bool find_run(struct making *making, struct run_info **ret, GPtrArray **ret_runs, GError **err)
{
	int64_t id;

	if (!store_run_find(making->store, &id, making->spec->baseline->name, err) ||
		!store_runs(making->store, ret_runs, err))
		return false;
	*ret = NULL;
	for (guint i = 0; i < (*ret_runs)->len; i++)
		if (((struct run_info *)(*ret_runs)->pdata[i])->id == id)
			*ret = (*ret_runs)->pdata[i];
	return *ret != NULL ||
	       diag_set(err, DIAG_USAGE, "--baseline %s: there is no such run", making->spec->baseline->name);
}

/* The pinned figure stands, but for series that were told to be elsewhere since: the median of their nights
 * since then is in `levels` already. */
static bool settle_pinned(struct making *making, GError **err)
{
	g_autoptr(GPtrArray) runs = NULL;
	struct run_info *run;
	GArray *results;

	if (!find_run(making, &run, &runs, err) || !night_results(making->store, &results, run->uuid, err))
		return false;
	g_ptr_array_add(making->levels->arrays, results);
	g_array_append_val(making->levels->runs, run->id);
	for (guint i = 0; i < results->len; i++) {
		const struct result *result = &g_array_index(results, struct result, i);
		struct night_level *level = g_hash_table_lookup(making->levels->by_series, &result->series);
		if (level == NULL) {
			level = g_new0(struct night_level, 1);
			g_hash_table_insert(making->levels->by_series, id_key(result->series), level);
		}
		if (level->reference == NULL || !is_past(making, run->started_at, result->series))
			level->reference = result;
	}
	return true;
}

/* --- the whole --- */

static bool is_earlier(const struct night_info *night, const GPtrArray *nights, int64_t run)
{
	for (guint i = 0; i < nights->len; i++) {
		const struct night_info *other = nights->pdata[i];
		if (other->run == run)
			return night->settled_at != 0 && night->started_at < other->started_at;
	}
	return night->settled_at != 0;
}

static void pick_nights(struct making *making, const GPtrArray *all)
{
	for (guint i = 0; i < all->len; i++) {
		struct night_info *night = all->pdata[i];
		if (night->run == making->spec->run || !is_earlier(night, all, making->spec->run))
			continue;
		g_ptr_array_add(making->nights, night);
		g_hash_table_insert(making->started, id_key(night->run), id_key(night->started_at));
	}
	if (making->nights->len > 0) {
		const struct night_info *last = making->nights->pdata[0];
		g_array_append_val(making->levels->runs, last->run);
	}
}

static void want_series(struct making *making)
{
	for (guint i = 0; i < making->spec->tonight->len; i++) {
		int64_t series = g_array_index(making->spec->tonight, struct result, i).series;
		g_hash_table_add(making->wanted, id_key(series));
		g_hash_table_insert(making->figures, id_key(series), g_ptr_array_new());
	}
}

static bool fill(struct making *making, GError **err)
{
	g_autoptr(GPtrArray) all = NULL;
	g_autoptr(GArray) alarms = NULL;

	if (!store_nights(making->store, &all, making->spec->matrix, err) ||
		!store_alarms(making->store, &alarms, making->spec->matrix, err))
		return false;
	making->alarms = alarms;
	pick_nights(making, all);
	note_alarms(making);
	want_series(making);
	if (!add_nights(making, err))
		return false;
	settle_nights(making);
	return making->spec->baseline->nights > 0 || settle_pinned(making, err);
}

bool night_levels_make(
	struct night_levels **ret, struct store *store, const struct night_levels_spec *spec, GError **err)
{
	struct night_levels *levels = g_new0(struct night_levels, 1);

	levels->by_series = table_of_ids(g_free);
	levels->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	levels->runs = g_array_new(FALSE, FALSE, sizeof(int64_t));
	struct making making = {
		.levels = levels,
		.store = store,
		.spec = spec,
		.nights = g_ptr_array_new(),
		.wanted = table_of_ids(NULL),
		.figures = table_of_ids((GDestroyNotify)g_ptr_array_unref),
		.changed = table_of_ids(g_free),
		.started = table_of_ids(g_free),
		.unclear = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	bool ok = fill(&making, err);
	g_ptr_array_unref(making.nights);
	g_hash_table_unref(making.wanted);
	g_hash_table_unref(making.figures);
	g_hash_table_unref(making.changed);
	g_hash_table_unref(making.started);
	g_hash_table_unref(making.unclear);
	if (!ok) {
		night_levels_free(levels);
		return false;
	}
	*ret = levels;
	return true;
}

void night_levels_free(struct night_levels *levels)
{
	if (levels == NULL)
		return;
	g_hash_table_unref(levels->by_series);
	g_ptr_array_unref(levels->arrays);
	g_array_unref(levels->runs);
	g_free(levels);
}

const struct night_level *night_levels_find(const struct night_levels *levels, int64_t series)
{
	return g_hash_table_lookup(levels->by_series, &series);
}

const GArray *night_levels_runs(const struct night_levels *levels)
{
	return levels->runs;
}
