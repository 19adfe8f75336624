#include "store_pick.h"

#include "diag.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- samples as bytes: see schema/0001_facts.sql --- */

static void append_u32(GByteArray *bytes, uint32_t value)
{
	value = GUINT32_TO_LE(value);
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof value);
}

static void append_u64(GByteArray *bytes, uint64_t value)
{
	value = GUINT64_TO_LE(value);
	g_byte_array_append(bytes, (const guint8 *)&value, sizeof value);
}

GByteArray *store_pack_samples(const struct measurement *measurement)
{
	GByteArray *bytes = g_byte_array_new();

	for (size_t i = 0; i < measurement->n_samples; i++) {
		const struct sample_set *set = &measurement->samples[i];
		append_u32(bytes, set->invocation);
		append_u32(bytes, (uint32_t)set->n);
		append_u64(bytes, set->iterations);
		for (size_t j = 0; j < set->n; j++) {
			uint64_t bits;
			memcpy(&bits, &set->values[j], sizeof bits);
			append_u64(bytes, bits);
		}
	}
	return bytes;
}

static uint64_t u64_at(const guint8 *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof value);
	return GUINT64_FROM_LE(value);
}

GArray *store_unpack_samples(const void *packed, size_t length)
{
	const guint8 *at = packed, *end = at + length;
	g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(double));

	while (at < end) {
		uint32_t n;
		if (end - at < 16)
			return NULL;
		memcpy(&n, at + 4, sizeof n);
		n = GUINT32_FROM_LE(n);
		at += 16;
		if ((uint64_t)(end - at) / 8 < n)
			return NULL;
		for (; n > 0; n--, at += 8) {
			uint64_t bits = u64_at(at);
			double value;
			memcpy(&value, &bits, sizeof value);
			g_array_append_val(values, value);
		}
	}
	return g_steal_pointer(&values);
}

/* --- parts of an attempt --- */

bool store_insert_attempt(struct store *store, int64_t *ret_id, const struct attempt_row *attempt,
	const struct attempt_told *told, GError **err)
{
	static const struct attempt_told nothing;

	told = told ? told : &nothing;
	if (!sql_run(store->sql,
		    "INSERT INTO attempt (uuid, cell_id, number, state, reason, exact_key, argv, started_at, "
		    "seconds, out_raw_id, errors_raw_id, problems, library_version, facts)"
		    " VALUES (:uuid, :cell, coalesce(nullif(:number, 0),"
		    " (SELECT coalesce(max(number), 0) + 1 FROM attempt WHERE cell_id = :cell)),"
		    " :state, :reason, :exact_key, :argv, :started_at, :seconds, :out, :errors, :problems,"
		    " :library_version, CASE WHEN json_valid(:facts) THEN :facts END)",
		    SQL_ARGS(SQL_TEXT(":uuid", attempt->uuid), SQL_INT(":cell", attempt->cell),
			    SQL_INT(":number", attempt->number),
			    SQL_TEXT(":state", attempt_states[attempt->state].name),
			    SQL_TEXT(":reason", attempt->reason), SQL_TEXT(":exact_key", attempt->exact_key),
			    SQL_TEXT(":argv", attempt->argv), SQL_INT(":started_at", attempt->started_at),
			    SQL_REAL(":seconds", attempt->seconds), SQL_ID(":out", told->out),
			    SQL_ID(":errors", told->errors), SQL_INT(":problems", told->problems),
			    SQL_TEXT(":library_version", told->library_version),
			    SQL_TEXT(":facts", told->facts)),
		    err))
		return false;
	*ret_id = sql_last_id(store->sql);
	for (const char *const *note = attempt->notes; note && *note; note++)
		if (!sql_run(store->sql,
			    "INSERT INTO attempt_note (attempt_id, note) VALUES (:id, :note) ON CONFLICT DO "
			    "NOTHING",
			    SQL_ARGS(SQL_INT(":id", *ret_id), SQL_TEXT(":note", *note)), err))
			return false;
	return true;
}

static bool insert_process(
	struct store *store, int64_t attempt, size_t number, const struct process_row *process, GError **err)
{
	return sql_run(store->sql,
		"INSERT INTO process (attempt_id, number, invocation, argv, ended, started_at, seconds, "
		"cpu_seconds, max_rss_bytes, load_before, load_after, frequency_before, frequency_after, "
		"others, load_meanwhile, clock_highest, clock_lowest, temperature_before, "
		"temperature_meanwhile, temperature_after, throttled) VALUES (:attempt, :number, "
		":invocation, :argv, :ended, :started_at, :seconds, "
		":cpu_seconds, CASE WHEN :rss >= 0 THEN :rss END, :load_before, :load_after, "
		":frequency_before, :frequency_after, :others, :load_meanwhile, :clock_highest, "
		":clock_lowest, :temperature_before, :temperature_meanwhile, :temperature_after, "
		"CAST(:throttled AS INTEGER))",
		SQL_ARGS(SQL_INT(":attempt", attempt), SQL_INT(":number", (int64_t)number),
			SQL_INT(":invocation", process->invocation), SQL_TEXT(":argv", process->argv),
			SQL_TEXT(":ended", process->ended), SQL_INT(":started_at", process->started_at),
			SQL_REAL(":seconds", process->seconds),
			SQL_REAL(":cpu_seconds", process->cpu_seconds),
			SQL_INT(":rss", process->max_rss_bytes),
			SQL_REAL(":load_before", process->load_before),
			SQL_REAL(":load_after", process->load_after),
			SQL_REAL(":frequency_before", process->frequency_before),
			SQL_REAL(":frequency_after", process->frequency_after),
			SQL_REAL(":others", process->others),
			SQL_REAL(":load_meanwhile", process->load_meanwhile),
			SQL_REAL(":clock_highest", process->clock_highest),
			SQL_REAL(":clock_lowest", process->clock_lowest),
			SQL_REAL(":temperature_before", process->temperature_before),
			SQL_REAL(":temperature_meanwhile", process->temperature_meanwhile),
			SQL_REAL(":temperature_after", process->temperature_after),
			SQL_REAL(":throttled", process->throttled)),
		err);
}

static bool put_texts(struct store *store, struct attempt_told *ret, const struct attempt_row *attempt,
	const struct intake *intake, GError **err)
{
	*ret = (struct attempt_told){.problems = (int64_t)intake->problems,
		.library_version = intake->library_version,
		.facts = intake->header};
	return store_raw_put(store, &ret->out, attempt->out, attempt->out_length, err) &&
	       store_raw_put(store, &ret->errors, attempt->errors, attempt->errors_length, err);
}

bool store_insert_samples(
	struct store *store, int64_t id, const struct measurement *measurement, GError **err)
{
	if (measurement->n_samples == 0)
		return true;
	g_autoptr(GByteArray) packed = store_pack_samples(measurement);
	return sql_run(store->sql, "INSERT INTO sample (measurement_id, packed) VALUES (:id, :packed)",
		SQL_ARGS(SQL_INT(":id", id), SQL_BLOB(":packed", packed->data, packed->len)), err);
}

bool store_insert_figure(
	struct store *store, int64_t id, int64_t series, const struct measurement *measurement, GError **err)
{
	const struct figure *figure = &measurement->figure;
	/* The spread of one value is no news. */
	bool one = figure->n == 1;

	return sql_run(store->sql,
		"INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, n, minimum, "
		"quartile_1, "
		"median, quartile_3, maximum, mean, sd) VALUES (:id, :series, :id >> 20, :source, "
		":environment, :kind, "
		"nullif(:n, 0), :minimum, :quartile_1, :median, :quartile_3, :maximum, :mean, :sd)",
		SQL_ARGS(SQL_INT(":id", id), SQL_INT(":series", series),
			SQL_INT(":source", measurement->source),
			SQL_INT(":environment", measurement->environment),
			SQL_INT(":kind", measurement->kind), SQL_INT(":n", figure->n),
			SQL_REAL(":minimum", one ? (double)NAN : figure->min),
			SQL_REAL(":quartile_1", figure->q1), SQL_REAL(":median", figure->median),
			SQL_REAL(":quartile_3", figure->q3),
			SQL_REAL(":maximum", one ? (double)NAN : figure->max),
			SQL_REAL(":mean", one ? (double)NAN : figure->mean), SQL_REAL(":sd", figure->sd)),
		err);
}

/* `labels` are those of the cell. */
static bool insert_measurement(struct store *store, int64_t id, struct labels labels,
	const struct measurement *measurement, GError **err)
{
	int64_t series;

	labels.v[LABEL_BENCHMARK] = measurement->benchmark;
	labels.v[LABEL_BLOCK] = measurement->block;
	labels.v[LABEL_METRIC] = metric_infos[measurement->metric].name;
	if (!store_series_id(store, &series, &labels, err) ||
		!store_insert_figure(store, id, series, measurement, err))
		return false;
	return store_insert_samples(store, id, measurement, err);
}

static bool insert_all(struct store *store, int64_t *ret_id, const struct attempt_row *attempt,
	const struct intake *intake, GError **err)
{
	struct attempt_row row = *attempt;
	struct attempt_told told;
	struct labels labels;

	if (row.state != ATTEMPT_OK && !row.reason)
		row.reason = intake->incomplete_reason ? intake->incomplete_reason : "no reason was given";
	if (!store_cell_labels(store, &labels, row.cell, err) ||
		!put_texts(store, &told, &row, intake, err) ||
		!store_insert_attempt(store, ret_id, &row, &told, err))
		return false;
	for (size_t i = 0; i < row.n_processes; i++)
		if (!insert_process(store, *ret_id, i, &row.processes[i], err))
			return false;
	if (!store_insert_outcomes(store, *ret_id, intake->outcomes, err))
		return false;
	for (guint i = 0; i < intake->measurements->len; i++)
		if (!insert_measurement(store, store_measurement_id(*ret_id, i), labels,
			    intake->measurements->pdata[i], err))
			return false;
	return store_note_latest(store, *ret_id, err);
}

static bool take_in(struct store *store, int64_t *ret_id, const struct attempt_row *attempt,
	const struct intake *intake, GError **err)
{
	if (!sql_number(store->sql, ret_id, "SELECT id FROM attempt WHERE uuid = :uuid",
		    SQL_ARGS(SQL_TEXT(":uuid", attempt->uuid)), err))
		return false;
	return *ret_id != 0 || insert_all(store, ret_id, attempt, intake, err);
}

bool store_attempt_take_in(struct store *store, int64_t *ret_id, const struct attempt_row *attempt,
	const struct intake *intake, GError **err)
{
	return store_begin(store, err) && store_end(store, take_in(store, ret_id, attempt, intake, err), err);
}
