/* Numbers whose printed name gets a benchmark after the document was read, or loses it again. */
#include "store_pick.h"

#include "diag.h"
#include "names.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Why a number whose name got a benchmark still counts for nothing; taking the alias away takes them away. */
#define TWICE	      "this execution of the tool has a figure of this series already"
#define PER_BYTE      "its value is per byte, and the benchmark is per operation"
#define PER_OPERATION "its value is per operation, and the benchmark is per byte"

/* A number of a document that is there. */
struct there {
	int64_t id, attempt, measurement;
	enum source source;
	struct document_reading reading; /* strings interned */
};

struct renaming {
	struct store *store;
	const char *name; /* as in schema/aliases.def */
	int benchmark;	  /* index of benchmark_infos; -1: unknown */
	GHashTable *made; /* int64_t: the measurements that came */
	int64_t attempt;  /* that `labels` are of; 0: none yet */
	struct labels labels;
};

/* --- the numbers that a name is of --- */

#define COLUMNS                                                                                              \
	"SELECT x.id, x.attempt_id, x.measurement_id, x.environment, d.reference IS NOT NULL, x.line, "      \
	"x.name, x.block, x.threads, x.engine, x.async, x.metric, x.work, x.kind, x.statistic, x.value, "    \
	"x.error, x.problem"
#define OF_RUN                                                                                               \
	COLUMNS " FROM document AS d CROSS JOIN cell AS c ON c.run_id = d.run_id"                            \
		" CROSS JOIN attempt AS a ON a.cell_id = c.id CROSS JOIN reading AS x"                       \
		" ON x.attempt_id = a.id WHERE d.run_id = :run AND x.benchmark IS NULL ORDER BY x.id"
#define OF_IMPORTER                                                                                          \
	COLUMNS " FROM reading AS x JOIN attempt AS a ON a.id = x.attempt_id JOIN cell AS c ON c.id = "      \
		"a.cell_id JOIN document AS d ON d.run_id = c.run_id WHERE d.importer = :importer"           \
		" AND x.benchmark IS :benchmark ORDER BY x.id"

static enum import_statistic statistic_of(const char *name)
{
	switch (name[0]) {
	case 'b':
		return IMPORT_BEST;
	case 'w':
		return IMPORT_WORST;
	default:
		return strcmp(name, "median") == 0 ? IMPORT_MEDIAN : IMPORT_MEAN;
	}
}

/* False where the metric is one of a newer benchmatrix. */
static bool read_there(struct store *store, struct there *ret, struct sql_query *query)
{
	int metric = metric_find(sql_text(query, 11));
	struct document_reading *reading = &ret->reading;

	*ret = (struct there){.id = sql_int(query, 0),
		.attempt = sql_int(query, 1),
		.measurement = sql_int(query, 2),
		.source = sql_int(query, 4) ? SOURCE_PUBLISHED : SOURCE_IMPORTED};
	reading->line = (size_t)sql_int(query, 5);
	reading->name = store_intern(store, sql_text(query, 6));
	for (int i = 0; i < 4; i++)
		reading->labels.v[LABEL_BLOCK + i] = store_intern(store, sql_text(query, 7 + i));
	reading->metric = (enum metric)metric;
	reading->work = strcmp(sql_text(query, 12), "byte") == 0 ? WORK_BULK : WORK_OPERATION;
	reading->kind = (enum kind)sql_int(query, 13);
	reading->environment = (enum environment)sql_int(query, 3);
	reading->statistic = statistic_of(sql_text(query, 14));
	reading->value = sql_real(query, 15);
	reading->error = sql_real(query, 16);
	reading->problem = store_intern(store, sql_text(query, 17));
	reading->measurement = -1;
	return metric >= 0;
}

static GArray *read_all(struct store *store, const char *text, const struct sql_arg *args, GError **err)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct there));
	struct sql_query query;

	if (!sql_query(&query, store->sql, text, args, err))
		return NULL;
	while (sql_next(&query)) {
		struct there there;
		if (read_there(store, &there, &query))
			g_array_append_val(all, there);
	}
	return sql_done(&query, err) ? g_steal_pointer(&all) : NULL;
}

static bool is_named(const struct there *there, const char *name)
{
	g_autofree char *tidy = name_tidy(there->reading.name);

	return strcmp(tidy, name) == 0;
}

/* --- a name gets its benchmark --- */

static bool set_reading(struct store *store, const struct there *there, const char *benchmark,
	const char *problem, GError **err)
{
	return sql_run(store->sql,
		"UPDATE reading SET benchmark = :benchmark, problem = :problem, measurement_id = :measurement"
		" WHERE id = :id",
		SQL_ARGS(SQL_TEXT(":benchmark", benchmark), SQL_TEXT(":problem", problem),
			SQL_ID(":measurement", there->measurement), SQL_INT(":id", there->id)),
		err);
}

static const char *obstacle_of(const struct there *there, int benchmark)
{
	const struct document_reading *reading = &there->reading;

	if (reading->problem)
		return reading->problem;
	if (reading->work == benchmark_infos[benchmark].work)
		return NULL;
	return reading->work == WORK_BULK ? PER_BYTE : PER_OPERATION;
}

static bool find_series(struct renaming *renaming, int64_t *ret, const struct there *there, GError **err)
{
	struct labels labels;

	if (renaming->attempt != there->attempt) {
		int64_t cell;
		if (!sql_number(renaming->store->sql, &cell, "SELECT cell_id FROM attempt WHERE id = :id",
			    SQL_ARGS(SQL_INT(":id", there->attempt)), err) ||
			!store_cell_labels(renaming->store, &renaming->labels, cell, err))
			return false;
		renaming->attempt = there->attempt;
	}
	labels = renaming->labels;
	for (int i = LABEL_BENCHMARK; i < LABEL_COUNT; i++)
		labels.v[i] = there->reading.labels.v[i];
	labels.v[LABEL_METRIC] = metric_infos[there->reading.metric].name;
	return store_series_id(renaming->store, ret, &labels, err);
}

/* The attempt's figure of that series and origin, or *ret_id 0. */
static bool find_figure(struct renaming *renaming, int64_t *ret_id, struct figure *ret_figure,
	int64_t attempt, int64_t series, const struct measurement *measurement, GError **err)
{
	struct sql_query query;

	*ret_id = 0;
	if (!sql_query(&query, renaming->store->sql,
		    "SELECT m.id, m.n, m.minimum, m.quartile_1, m.median, m.quartile_3, m.maximum, m.mean, "
		    "m.sd FROM measurement AS m WHERE +m.series_id = :series AND m.source = :source"
		    " AND m.environment = :environment AND m.kind = :kind AND" STORE_OF_ATTEMPT(
			    "m", ":attempt"),
		    SQL_ARGS(SQL_INT(":series", series), SQL_INT(":source", measurement->source),
			    SQL_INT(":environment", measurement->environment),
			    SQL_INT(":kind", measurement->kind), SQL_INT(":attempt", attempt)),
		    err))
		return false;
	if (sql_next(&query)) {
		*ret_id = sql_int(&query, 0);
		*ret_figure = store_read_figure(&query, 1);
	}
	return sql_done(&query, err);
}

bool store_next_place(struct store *store, int64_t *ret_id, int64_t attempt, GError **err)
{
	if (!sql_number(store->sql, ret_id,
		    "SELECT coalesce(max(m.id) + 1, :attempt << 20) FROM measurement AS m "
		    "WHERE" STORE_OF_ATTEMPT("m", ":attempt"),
		    SQL_ARGS(SQL_INT(":attempt", attempt)), err))
		return false;
	return *ret_id >> 20 == attempt ||
	       diag_set(err, DIAG_FAILED, "%s: attempt %" PRId64 " has as many figures as can be kept",
		       store->file, attempt);
}

static bool make_figure(struct renaming *renaming, struct there *there, int64_t series,
	const struct measurement *measurement, GError **err)
{
	if (!store_next_place(renaming->store, &there->measurement, there->attempt, err) ||
		!store_insert_figure(renaming->store, there->measurement, series, measurement, err))
		return false;
	g_hash_table_add(renaming->made, g_memdup2(&there->measurement, sizeof there->measurement));
	return true;
}

/* Whether what the second tells is what the first lacks. */
static bool completes(const struct figure *first, const struct figure *second)
{
	const double a[] = {first->min, first->median, first->max, first->mean};
	const double b[] = {second->min, second->median, second->max, second->mean};

	for (size_t i = 0; i < G_N_ELEMENTS(a); i++)
		if (!isnan(a[i]) && !isnan(b[i]))
			return false;
	return true;
}

static bool complete_figure(struct store *store, int64_t id, const struct figure *figure, GError **err)
{
	return sql_run(store->sql,
		"UPDATE measurement SET minimum = coalesce(minimum, :minimum), median = coalesce(median, "
		":median), maximum = coalesce(maximum, :maximum), mean = coalesce(mean, :mean) WHERE id = "
		":id",
		SQL_ARGS(SQL_INT(":id", id), SQL_REAL(":minimum", figure->min),
			SQL_REAL(":median", figure->median), SQL_REAL(":maximum", figure->max),
			SQL_REAL(":mean", figure->mean)),
		err);
}

/* Best, mean and worst under one name are one figure, as when a document is read. */
static bool file_reading(struct renaming *renaming, struct there *there, GError **err)
{
	const char *benchmark = benchmark_infos[renaming->benchmark].name;
	const char *obstacle = obstacle_of(there, renaming->benchmark);
	struct measurement measurement;
	struct figure figure;
	int64_t series, id;

	there->reading.labels.v[LABEL_BENCHMARK] = benchmark;
	if (obstacle || !document_measurement_of(
				&measurement, &there->reading, there->source, there->reading.environment))
		return set_reading(renaming->store, there, benchmark, obstacle, err);
	if (!find_series(renaming, &series, there, err) ||
		!find_figure(renaming, &id, &figure, there->attempt, series, &measurement, err))
		return false;
	if (id == 0)
		return make_figure(renaming, there, series, &measurement, err) &&
		       set_reading(renaming->store, there, benchmark, NULL, err);
	if (!g_hash_table_contains(renaming->made, &id) || !completes(&figure, &measurement.figure))
		return set_reading(renaming->store, there, benchmark, TWICE, err);
	there->measurement = id;
	return complete_figure(renaming->store, id, &measurement.figure, err) &&
	       set_reading(renaming->store, there, benchmark, NULL, err);
}

static bool file_all(struct renaming *renaming, GArray *unknown, GError **err)
{
	for (guint i = 0; i < unknown->len; i++) {
		struct there *there = &g_array_index(unknown, struct there, i);
		if (is_named(there, renaming->name) && !file_reading(renaming, there, err))
			return false;
	}
	return true;
}

/* Cycles follow when all statistics of a time are there. */
static bool derive_cycles(struct renaming *renaming, GError **err)
{
	GHashTableIter iter;
	gpointer id;

	g_hash_table_iter_init(&iter, renaming->made);
	while (g_hash_table_iter_next(&iter, &id, NULL))
		if (!store_derive_cycles(renaming->store, *(int64_t *)id, err))
			return false;
	return true;
}

/* An attempt may have several of the figures that came: once or more makes no difference. */
static bool note_made(struct renaming *renaming, GError **err)
{
	GHashTableIter iter;
	gpointer id;

	g_hash_table_iter_init(&iter, renaming->made);
	while (g_hash_table_iter_next(&iter, &id, NULL))
		if (!store_note_latest(renaming->store, *(int64_t *)id >> 20, err))
			return false;
	return true;
}

bool store_name_readings(
	struct store *store, int64_t *ret_figures, const struct alias_info *alias, int64_t run, GError **err)
{
	struct renaming renaming = {
		.store = store, .name = alias->name, .benchmark = benchmark_find(alias->benchmark)};
	g_autoptr(GArray) unknown = NULL;

	*ret_figures = 0;
	/* A benchmark of a newer benchmatrix; that one files them. */
	if (renaming.benchmark < 0)
		return true;
	unknown =
		run ? read_all(store, OF_RUN, SQL_ARGS(SQL_INT(":run", run)), err)
		    : read_all(store, OF_IMPORTER,
			      SQL_ARGS(SQL_TEXT(":importer", alias->importer), SQL_TEXT(":benchmark", NULL)),
			      err);
	if (!unknown)
		return false;
	renaming.made = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	bool ok = file_all(&renaming, unknown, err) && derive_cycles(&renaming, err) &&
		  note_made(&renaming, err);
	*ret_figures = g_hash_table_size(renaming.made);
	g_hash_table_unref(renaming.made);
	return ok;
}

/* --- a name loses it --- */

static const char *own_problem(const char *problem)
{
	static const char *const ours[] = {TWICE, PER_BYTE, PER_OPERATION, NULL};

	return problem && g_strv_contains(ours, problem) ? NULL : problem;
}

static bool unfile_reading(struct store *store, struct there *there, GError **err)
{
	const struct sql_arg *args = SQL_ARGS(SQL_INT(":id", there->measurement));
	int64_t measurement = there->measurement, others;

	there->measurement = 0;
	if (!set_reading(store, there, NULL, own_problem(there->reading.problem), err) ||
		!sql_number(store->sql, &others, "SELECT count(*) FROM reading WHERE measurement_id = :id",
			args, err))
		return false;
	return others > 0 ||
	       (store_drop_cycles(store, measurement, err) && store_forget_latest(store, measurement, err) &&
		       sql_run(store->sql, "DELETE FROM measurement WHERE id = :id", args, err));
}

bool store_unname_readings(struct store *store, const struct alias_info *alias, GError **err)
{
	g_autoptr(GArray) named = read_all(store, OF_IMPORTER,
		SQL_ARGS(SQL_TEXT(":importer", alias->importer), SQL_TEXT(":benchmark", alias->benchmark)),
		err);

	for (guint i = 0; named && i < named->len; i++) {
		struct there *there = &g_array_index(named, struct there, i);
		if (is_named(there, alias->name) && !unfile_reading(store, there, err))
			return false;
	}
	return named != NULL;
}
