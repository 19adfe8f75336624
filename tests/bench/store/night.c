#include "night.h"
#include "store_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 5

/* 2026-10-01 00:00 UTC, seconds. */
#define FIRST_NIGHT G_GINT64_CONSTANT(1790812800)

/* What night_slow is of. */
#define SLOW_CELL   7
#define SLOW_FIGURE 5

bool night_sampled;
int night_slow = -1;

static const char *const blocks[] = {"64", "1024", "16384"};

/* The i-th of those per byte. */
static const char *benchmark_of(int i)
{
	static const char *names[NIGHT_BENCHMARKS];
	int n = names[0] ? NIGHT_BENCHMARKS : 0;

	for (int k = 0; n < NIGHT_BENCHMARKS; k++)
		if (benchmark_infos[k].work == WORK_BULK)
			names[n++] = benchmark_infos[k].name;
	return names[i];
}

/* Every third night of a series moves its figure a little. */
static double value_of(int night, int cell, int figure)
{
	bool slow = night_slow >= 0 && night >= night_slow && cell == SLOW_CELL && figure == SLOW_FIGURE;

	return (3.0 + figure * 0.37 + cell * 0.013 + ((night + cell + figure) / 3) * 1e-4) *
	       (slow ? 1.05 : 1);
}

/* Cells of a night begin a second after one another. */
static int64_t started_at(int night, int cell)
{
	return (FIRST_NIGHT + (int64_t)night * 86400 + cell) * G_GINT64_CONSTANT(1000000000);
}

static const char digest[] = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

static char *config_of(int cell)
{
	return g_strdup_printf("config%d", cell);
}

static char *uuid_of(int night, int cell)
{
	return g_strdup_printf("%08x-0000-4000-8000-%012x", night, cell);
}

/* --- through the store --- */

struct cell_data {
	struct outcome outcomes[NIGHT_FIGURES];
	struct measurement measurements[NIGHT_FIGURES];
	struct sample_set sets[NIGHT_FIGURES];
	double samples[NIGHT_FIGURES][SAMPLES];
};

static void fill_samples(struct cell_data *data, int i, double value)
{
	for (int k = 0; k < SAMPLES; k++)
		data->samples[i][k] = value * (1 + 0.001 * k);
	data->sets[i] = (struct sample_set){0, 1000, data->samples[i], SAMPLES};
	data->measurements[i].samples = &data->sets[i];
	data->measurements[i].n_samples = 1;
	data->measurements[i].figure = figure_of(data->samples[i], SAMPLES);
}

static struct intake *intake_of(struct cell_data *data, int night, int cell)
{
	struct intake *intake = g_new0(struct intake, 1);

	intake->outcomes = g_ptr_array_new();
	intake->measurements = g_ptr_array_new();
	intake->complete = true;
	for (int i = 0; i < NIGHT_FIGURES; i++) {
		double value = value_of(night, cell, i);
		data->outcomes[i] = (struct outcome){.benchmark = benchmark_of(i / NIGHT_BLOCKS),
			.block = blocks[i % NIGHT_BLOCKS],
			.state = OUTCOME_OK,
			.digest = digest,
			.proof = "digest"};
		data->measurements[i] = (struct measurement){.benchmark = data->outcomes[i].benchmark,
			.block = data->outcomes[i].block,
			.metric = night_sampled ? METRIC_TIME : METRIC_INSTRUCTIONS,
			.environment = night_sampled ? ENVIRONMENT_HARDWARE : ENVIRONMENT_EMULATOR,
			.kind = night_sampled ? KIND_SAMPLED : KIND_EXACT,
			.figure = {1, value, (double)NAN, value, (double)NAN, value, value, (double)NAN}};
		if (night_sampled)
			fill_samples(data, i, value);
		g_ptr_array_add(intake->outcomes, &data->outcomes[i]);
		g_ptr_array_add(intake->measurements, &data->measurements[i]);
	}
	return intake;
}

static bool store_cell(struct store *store, int night, int cell, int64_t run, int64_t platform, GError **err)
{
	g_autofree char *config = config_of(cell), *uuid = uuid_of(night, cell);
	g_autofree struct cell_data *data = g_new0(struct cell_data, 1);
	struct build_row build = {.labels.v = {[LABEL_LIBRARY] = "wolfssl",
					  [LABEL_VERSION] = "git:master",
					  [LABEL_CONFIG] = config,
					  [LABEL_PROFILE] = "crypto",
					  [LABEL_OPTIMISATION] = "O2",
					  [LABEL_TOOLCHAIN] = "aarch64-gcc"},
		.state = BUILD_OK,
		.key_program = config,
		.arch = "aarch64",
		.seconds = 1};
	struct cell_row row = {.run = run,
		.platform = platform,
		.name = config,
		.agent = "local",
		.instrument = "bench-core",
		.mode = night_sampled ? "time" : "count"};
	struct attempt_row attempt = {.uuid = uuid,
		.number = 1,
		.state = ATTEMPT_OK,
		.argv = "[]",
		.started_at = started_at(night, cell),
		.seconds = 1};
	int64_t id;

	if (!store_build_put(store, &row.build, &build, err) ||
		!store_cell_put(store, &attempt.cell, &row, err))
		return false;
	struct intake *intake = intake_of(data, night, cell);
	bool ok = store_attempt_take_in(store, &id, &attempt, intake, err);
	g_ptr_array_unref(intake->outcomes);
	g_ptr_array_unref(intake->measurements);
	g_free(intake);
	return ok;
}

bool night_store(struct store *store, int night, GError **err)
{
	g_autofree char *label = g_strdup_printf("night %d", night);
	struct run_row run = {.matrix = "nightly", .label = label, .program = "0.1.0"};
	int64_t id, platform;

	if (!store_run_begin(store, &id, NULL, &run, err) ||
		!store_platform_put(store, &platform, "machine",
			night_sampled ? ENVIRONMENT_HARDWARE : ENVIRONMENT_EMULATOR, NULL, err))
		return false;
	for (int cell = 0; cell < NIGHT_CELLS; cell++)
		if (!store_cell(store, night, cell, id, platform, err))
			return false;
	return store_run_end(store, id, 0, err);
}

/* --- by bare SQLite --- */

enum statement {
	BEGIN,
	COMMIT,
	RUN,
	BUILD,
	CELL,
	ATTEMPT,
	OUTCOME_LIST,
	OUTCOME_LINE,
	MEASUREMENT,
	SAMPLE,
	LATEST,
	SERIES,
	SERIES_LABEL,
	COUNT
};

static const char *const texts[COUNT] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[RUN] = "INSERT INTO run (uuid, matrix, label, program, started_at, ended_at, status) VALUES (?, "
		"'nightly', ?, '0.1.0', ?, 1, 0)",
	[BUILD] = "INSERT INTO build (uuid, state, key_program, arch, created_at) VALUES (?, 'ok', ?, "
		  "'aarch64', 1)",
	[CELL] = "INSERT INTO cell (run_id, name, build_id, build_cached, agent, instrument, mode, "
		 "created_at) VALUES (?, ?, ?, 0, 'local', 'bench-core', 'count', 1)",
	[ATTEMPT] = "INSERT INTO attempt (uuid, cell_id, number, state, argv, started_at, seconds, "
		    "outcome_list_id) VALUES (?, ?, 1, 'ok', '[]', ?, 1, 1)",
	[OUTCOME_LIST] = "INSERT INTO outcome_list (id, sha256) VALUES (1, randomblob(32))",
	[OUTCOME_LINE] =
		"INSERT INTO outcome_line (list_id, benchmark, block, state, digest, proof) VALUES (1, ?, ?, "
		"'ok', ?, 'digest')",
	[LATEST] = "INSERT OR REPLACE INTO latest (series_id, source, environment, kind, started_at, "
		   "measurement_id) VALUES (?, 0, ?, ?, ?, ?)",
	[MEASUREMENT] = "INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, n, "
			"minimum, quartile_1, median, quartile_3, maximum, mean, sd) VALUES (?, ?, ?, 0, ?, "
			"?, ?, ?, ?, ?, ?, ?, ?, ?)",
	[SAMPLE] = "INSERT INTO sample (measurement_id, packed) VALUES (?, ?)",
	[SERIES] = "INSERT INTO series (id, sha256) VALUES (?, randomblob(32))",
	[SERIES_LABEL] = "INSERT INTO series_label (series_id, label_id) SELECT ?, id FROM label LIMIT 11",
};

struct night_bare {
	sqlite3 *handle;
	sqlite3_stmt *statements[COUNT];
	int64_t attempt, run;
};

static void check(struct night_bare *bare, bool ok)
{
	if (ok)
		return;
	fprintf(stderr, "store_bench: bare: %s\n", sqlite3_errmsg(bare->handle));
	exit(1);
}

struct night_bare *night_bare_open(const char *file)
{
	struct night_bare *bare = g_new0(struct night_bare, 1);

	check(bare, sqlite3_open(file, &bare->handle) == SQLITE_OK);
	check(bare, sqlite3_exec(bare->handle,
			    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; "
			    "WITH RECURSIVE n (i) AS "
			    "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO label (key, "
			    "value) SELECT 'key', 'value' || i FROM n",
			    NULL, NULL, NULL) == SQLITE_OK);
	for (int i = 0; i < COUNT; i++)
		check(bare, sqlite3_prepare_v2(bare->handle, texts[i], -1, &bare->statements[i], NULL) ==
				    SQLITE_OK);
	return bare;
}

void night_bare_close(struct night_bare *bare)
{
	for (int i = 0; i < COUNT; i++)
		sqlite3_finalize(bare->statements[i]);
	sqlite3_close(bare->handle);
	g_free(bare);
}

static void step(struct night_bare *bare, enum statement which)
{
	check(bare, sqlite3_step(bare->statements[which]) == SQLITE_DONE);
	sqlite3_reset(bare->statements[which]);
}

static void bind_text(struct night_bare *bare, enum statement which, int place, const char *text)
{
	sqlite3_bind_text(bare->statements[which], place, text, -1, SQLITE_STATIC);
}

static void write_series(struct night_bare *bare, int64_t series)
{
	sqlite3_bind_int64(bare->statements[SERIES], 1, series);
	step(bare, SERIES);
	sqlite3_bind_int64(bare->statements[SERIES_LABEL], 1, series);
	step(bare, SERIES_LABEL);
}

/* Eight figures as the store has them. */
static void write_figure(struct night_bare *bare, int64_t id, double value)
{
	sqlite3_stmt *m = bare->statements[MEASUREMENT];
	double samples[SAMPLES];

	sqlite3_bind_int(m, 6, 1);
	sqlite3_bind_double(m, 9, value);
	if (!night_sampled) {
		step(bare, MEASUREMENT);
		return;
	}
	for (int k = 0; k < SAMPLES; k++)
		samples[k] = value * (1 + 0.001 * k);
	struct figure figure = figure_of(samples, SAMPLES);
	const double columns[] = {
		figure.min, figure.q1, figure.median, figure.q3, figure.max, figure.mean, figure.sd};
	sqlite3_bind_int(m, 6, SAMPLES);
	for (int k = 0; k < 7; k++)
		sqlite3_bind_double(m, 7 + k, columns[k]);
	step(bare, MEASUREMENT);
	char packed[16 + sizeof samples] = {0};
	memcpy(packed + 16, samples, sizeof samples);
	sqlite3_bind_int64(bare->statements[SAMPLE], 1, id);
	sqlite3_bind_blob(bare->statements[SAMPLE], 2, packed, sizeof packed, SQLITE_TRANSIENT);
	step(bare, SAMPLE);
}

static void write_measurement(struct night_bare *bare, int night, int cell, int i)
{
	sqlite3_stmt *m = bare->statements[MEASUREMENT], *l = bare->statements[LATEST];
	int64_t series = cell * NIGHT_FIGURES + i + 1, id = (bare->attempt << 20) + i;

	sqlite3_bind_int64(m, 1, id);
	sqlite3_bind_int64(m, 2, series);
	sqlite3_bind_int64(m, 3, bare->attempt);
	sqlite3_bind_int(m, 4, night_sampled ? 0 : 1);
	sqlite3_bind_int(m, 5, night_sampled ? 0 : 1);
	write_figure(bare, id, value_of(night, cell, i));
	sqlite3_bind_int64(l, 1, series);
	sqlite3_bind_int(l, 2, night_sampled ? 0 : 1);
	sqlite3_bind_int(l, 3, night_sampled ? 0 : 1);
	sqlite3_bind_int64(l, 4, started_at(night, cell));
	sqlite3_bind_int64(l, 5, id);
	step(bare, LATEST);
}

/* All cells give the same answers. */
static void write_outcomes(struct night_bare *bare)
{
	step(bare, OUTCOME_LIST);
	for (int i = 0; i < NIGHT_FIGURES; i++) {
		bind_text(bare, OUTCOME_LINE, 1, benchmark_of(i / NIGHT_BLOCKS));
		bind_text(bare, OUTCOME_LINE, 2, blocks[i % NIGHT_BLOCKS]);
		bind_text(bare, OUTCOME_LINE, 3, digest);
		step(bare, OUTCOME_LINE);
	}
}

static void write_cell(struct night_bare *bare, int night, int cell)
{
	g_autofree char *config = config_of(cell), *uuid = uuid_of(night, cell);
	sqlite3_stmt *c = bare->statements[CELL], *a = bare->statements[ATTEMPT];

	/* The store commits a cell before its attempt. */
	step(bare, BEGIN);
	sqlite3_bind_int64(c, 1, bare->run);
	bind_text(bare, CELL, 2, config);
	sqlite3_bind_int64(c, 3, cell + 1);
	step(bare, CELL);
	step(bare, COMMIT);
	step(bare, BEGIN);
	bind_text(bare, ATTEMPT, 1, uuid);
	sqlite3_bind_int64(a, 2, sqlite3_last_insert_rowid(bare->handle));
	sqlite3_bind_int64(a, 3, started_at(night, cell));
	step(bare, ATTEMPT);
	bare->attempt = sqlite3_last_insert_rowid(bare->handle);
	for (int i = 0; i < NIGHT_FIGURES; i++) {
		if (night == 0)
			write_series(bare, cell * NIGHT_FIGURES + i + 1);
		write_measurement(bare, night, cell, i);
	}
	step(bare, COMMIT);
}

void night_bare_write(struct night_bare *bare, int night)
{
	g_autofree char *label = g_strdup_printf("night %d", night);

	if (night == 0)
		write_outcomes(bare);
	for (int cell = 0; night == 0 && cell < NIGHT_CELLS; cell++) {
		g_autofree char *config = config_of(cell);
		bind_text(bare, BUILD, 1, config);
		bind_text(bare, BUILD, 2, config);
		step(bare, BUILD);
	}
	bind_text(bare, RUN, 1, label);
	bind_text(bare, RUN, 2, label);
	sqlite3_bind_int64(bare->statements[RUN], 3, night);
	step(bare, RUN);
	bare->run = sqlite3_last_insert_rowid(bare->handle);
	for (int cell = 0; cell < NIGHT_CELLS; cell++)
		write_cell(bare, night, cell);
}
