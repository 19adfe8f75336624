/* The database: one SQLite file (schema/). The only place that speaks SQL.
 *
 * One writer per process, in its main thread. Identifiers are rowids. Functions return false with an error
 * that names the file: DIAG_INPUT where it is not our database or is of a newer version, DIAG_FAILED where it
 * is full, busy or not writable. */
#ifndef BM_STORE_H
#define BM_STORE_H

#include "document.h"
#include "intake.h"
#include "rows.h"
#include "selector.h"

#include <glib.h>
#include <stdint.h>

struct store;

enum store_mode { STORE_READ, STORE_WRITE };

/* STORE_WRITE makes the file and its folder where missing, and migrates an older database after a backup
 * beside it (FILE.v1.bak). STORE_READ needs an existing, current database. */
struct store *store_open(const char *file, enum store_mode mode, GError **err);
void store_close(struct store *store); /* takes NULL */
const char *store_file(const struct store *store);

/* --- writing a run; strings are lent for the call; NULL is unknown --- */

/* What is written between the two is one transaction: a write to the disk for each would be most of what a
 * cell costs that is carried forward. Begin fails before there is a group; the end must come in any case,
 * with `ok` false where something within it failed: then nothing of it is there. Other processes cannot write
 * meanwhile. */
bool store_group_begin(struct store *store, GError **err);
bool store_group_end(struct store *store, bool ok, GError **err);

struct run_row {
	const char *matrix, *label, *matrix_text, *plan_text, *program;
};
bool store_run_begin(
	struct store *store, int64_t *ret_id, char **ret_uuid, const struct run_row *run, GError **err);
/* Again, where the run was gone on with: the last end holds. */
bool store_run_end(struct store *store, int64_t id, int status, GError **err);
/* Ends a run that nobody goes on with, with status 1; one that has ended stays as it is. */
bool store_run_end_killed(struct store *store, int64_t id, GError **err);

struct build_row {
	struct labels labels; /* library, version, config, profile, optimisation, toolchain */
	enum build_state state;
	const char *key_library, *key_program, *reason, *arch, *revision, *compiler, *configure_line;
	const char *parent; /* the commit before `revision` */
	const char *optimisation_effective, *math, *machine, *code_sha256;
	const char *log; /* whole text */
	double seconds;	 /* NAN: unknown */
};
/* A build that is the same in every respect but its log and time is not stored twice: *ret_id is then the
 * older row's. */
bool store_build_put(struct store *store, int64_t *ret_id, const struct build_row *build, GError **err);

/* The platform by name, made where missing. What its facts say from now on; results of before keep theirs. */
bool store_platform_put(struct store *store, int64_t *ret_id, const char *name, enum environment environment,
	GHashTable *facts, GError **err);

struct cell_row {
	int64_t run, build, platform; /* platform 0: not reached */
	bool build_cached;
	const char *name, *agent, *instrument, *mode;
};
/* A cell of the same name in the run is the same cell; its build and platform are brought up to date until
 * its first attempt, or as long as attempts came to nothing because its platform was never reached. */
bool store_cell_put(struct store *store, int64_t *ret_id, const struct cell_row *cell, GError **err);
/* The platform of a cell that was not reached until now. */
bool store_cell_reached(struct store *store, int64_t cell, int64_t platform, GError **err);

/* One process of an attempt (schema/0002_processes.sql, 0007_conditions.sql); unknown is NAN, max_rss_bytes
 * -1.
 */
struct process_row {
	int invocation;
	const char *argv, *ended;
	int64_t started_at;
	double seconds, cpu_seconds;
	int64_t max_rss_bytes;
	double load_before, load_after, load_meanwhile, frequency_before, frequency_after, others;
	double clock_highest, clock_lowest; /* Hz, of the processor that ran fastest */
	double temperature_before, temperature_meanwhile, temperature_after; /* degrees Celsius */
	double throttled;						     /* 1 or 0 */
};
struct attempt_row {
	const char *uuid; /* an attempt whose UUID is there is not taken in again */
	int64_t cell;
	int number; /* of the try; 0: the next one */
	enum attempt_state state;
	const char *reason, *exact_key, *argv; /* argv: JSON list */
	const char *out, *errors;	       /* whole texts, with their lengths */
	size_t out_length, errors_length;
	const char *const *notes; /* NULL-terminated; may be NULL */
	const struct process_row *processes;
	size_t n_processes;
	int64_t started_at; /* ns since 1970 */
	double seconds;
};
/* In one transaction: the attempt, its outcomes, measurements and samples. */
bool store_attempt_take_in(struct store *store, int64_t *ret_id, const struct attempt_row *attempt,
	const struct intake *intake, GError **err);

/* --- going on with a run --- */

/* The latest run of the matrix where something is left to do: it was killed or cancelled, so cells are
 * missing, not measured, or cancelled. *ret_id is 0 where the latest run has nothing left, or there is none;
 * *ret_uuid is the latest run's in either case, and NULL where there is none. */
bool store_run_unfinished(
	struct store *store, int64_t *ret_id, char **ret_uuid, const char *matrix, GError **err);
/* The texts that it began with; NULL where it had none. */
bool store_run_texts(
	struct store *store, char **ret_matrix_text, char **ret_plan_text, int64_t run, GError **err);
/* The run with exactly this UUID, or 0; the cell of that name in it, or 0. */
bool store_run_by_uuid(struct store *store, int64_t *ret, const char *uuid, GError **err);
/* Its UUID, new; NULL where there is no such run. */
bool store_run_uuid(struct store *store, char **ret, int64_t run, GError **err);
bool store_cell_by_name(struct store *store, int64_t *ret, int64_t run, const char *name, GError **err);
/* The names of the run's cells whose state is final: measured (not cancelled), or without a program for a
 * reason that is not cancelling. A set of char *. */
bool store_run_done(struct store *store, GHashTable **ret, int64_t run, GError **err);

/* The latest attempt whose exact key is equal and which may be carried forward: of state ok, measured and not
 * carried itself, each line of it read and no benchmark of it failed. *ret_id, or 0 where there is none. */
bool store_exact_find(struct store *store, int64_t *ret_id, const char *exact_key, GError **err);
/* A new attempt at `attempt->cell` with the outcomes and exact measurements of `from`, marked as carried;
 * where `from` was timed, with all its measurements and their samples. The labels of the cell's own build
 * apply. Raw texts are shared. */
bool store_attempt_carry(struct store *store, const struct attempt_row *attempt, int64_t from, GError **err);

/* --- reading --- */

/* One figure with all that tells what it is. Owned by its array; strings are interned and live as long as the
 * store. */
struct result {
	int64_t measurement, attempt, cell, run, build, series;
	struct selectable what; /* labels, arch, revision, origin */
	enum metric metric;
	struct figure figure;
	const char *run_uuid, *run_label, *compiler, *emulator, *optimisation_effective, *math;
	const char *document, *reference; /* where an imported figure stood; NULL for our own */
	const char *environment_note; /* a doubt about the platform: "rock5: frequency governor powersave";
					 NULL */
	const char *const *notes;     /* of the attempt; NULL-terminated, never NULL */
	bool carried;
	int64_t started_at;
};

/* The results that the selector takes. Without a `run` term: of each series and origin (source, environment,
 * kind) the latest with a good outcome. With one: those of that run. Sorted by labels in the order of
 * schema/labels.def, benchmarks in the order of benchmarks.def. *ret is a GArray of struct result with its
 * own free function (g_array_unref). DIAG_USAGE where `run` finds no run or several. */
bool store_results(struct store *store, GArray **ret, const struct selector *selector, GError **err);

/* The samples of a measurement by invocation; no sets where there are none. Free with sample_list_free(). */
struct sample_list {
	GArray *sets;	/* struct sample_set, in order */
	double *values; /* of all of them, one after the other */
};
bool store_sample_sets(struct store *store, struct sample_list **ret, int64_t measurement, GError **err);
void sample_list_free(struct sample_list *list); /* takes NULL */

struct run_info {
	int64_t id;
	char *uuid, *label, *matrix, *program; /* matrix NULL: an import; its label is the document's name */
	int64_t started_at, ended_at;	       /* ended_at 0: not ended */
	int status;			       /* -1: not ended */
	int cells, ok, failed, partial; /* a cell may be none of these: excluded, or not measured yet */
};
/* Newest first, imports among them. GPtrArray of struct run_info with its own free function. */
bool store_runs(struct store *store, GPtrArray **ret, GError **err);
/* `latest`, `latest~2` (of the runs of a matrix), a baseline (it goes before what follows), a label, the name
 * of a document, a UUID or its beginning. DIAG_USAGE where there is none or it is not the only one. */
bool store_run_find(struct store *store, int64_t *ret, const char *name, GError **err);

struct cell_info {
	int64_t id, build, platform, attempt; /* 0: none */
	char *name, *state, *reason, *mode, *agent, *build_state, *attempt_state;
	bool build_cached, carried;
	int outcomes_ok, outcomes_failed;
};
bool store_cells(struct store *store, GPtrArray **ret, int64_t run, GError **err);
/* The state of one cell, as the view cell_state derives it, and why it is not "ok": the reason of its attempt
 * or build, else the first outcome that failed; NULL where there is nothing to tell. Both are new. */
bool store_cell_state(struct store *store, char **ret_state, char **ret_reason, int64_t cell, GError **err);

/* Rows of (key, value) that describe a build, an attempt, a platform or a run, in the order to show them; and
 * the log or raw text that belongs to it (NULL where there is none). For `show`. */
enum store_thing { STORE_RUN, STORE_BUILD, STORE_ATTEMPT, STORE_PLATFORM, STORE_CELL };
struct store_description {
	GPtrArray *keys, *values; /* char * */
	char *text;		  /* log, or raw stream; NULL, also where it was pruned (a row says when) */
	char *errors;		  /* standard error; the same */
	size_t text_length, errors_length; /* a stream may hold a NUL */
};
bool store_describe(struct store *store, struct store_description **ret, enum store_thing thing, int64_t id,
	GError **err);
void store_description_free(struct store_description *description);
/* The ids of things whose name matches the glob: a cell's name, a platform's name, a build's key (or its
 * beginning) or "toolchain library-version config profile optimisation". GArray of int64_t, newest first. */
bool store_find(struct store *store, GArray **ret, enum store_thing thing, const char *pattern, GError **err);

struct failure_info {
	char *cell, *benchmark, *what, *reason;
};
/* What went wrong in a run, in the order of cells. GPtrArray of struct failure_info. */
bool store_failures(struct store *store, GPtrArray **ret, int64_t run, GError **err);

/* The benchmarks of a run that gave right answers in the last attempt at their cell, in the order of cells.
 * GPtrArray of struct good_info. */
struct good_info {
	char *cell, *benchmark; /* with its block, as in struct failure_info */
	bool cell_ok;		/* nothing in the cell failed */
};
bool store_good(struct store *store, GPtrArray **ret, int64_t run, GError **err);

/* Configurations of a run whose libraries are the same code where all else is equal: those with more flags,
 * each against the one with the fewest. GPtrArray of struct twin_info. */
struct twin_info {
	char *place; /* "aarch64-gcc wolfssl-5.5.4 crypto -O2" */
	char *config, *same_as;
};
bool store_twins(struct store *store, GPtrArray **ret, int64_t run, GError **err);
/* The other configurations whose libraries are the same code as this build's. char *. */
bool store_build_twins(struct store *store, GPtrArray **ret, int64_t build, GError **err);

/* --- documents of other tools: schema/0004_imports.sql --- */

/* In one transaction: the run, a cell and an attempt for each part, readings, measurements, remarks. A
 * document that is there already (equal sha256) is left as it is: *ret_new is then false and *ret_run the
 * older one's. Names that the user has given an alias get it. */
bool store_document_take_in(
	struct store *store, int64_t *ret_run, bool *ret_new, const struct document *document, GError **err);

struct import_info {
	int64_t run;
	char *uuid, *name, *importer, *reference,
		*platform; /* platform: "a, b" where parts differ; NULL unknown */
	int64_t imported_at;
	int64_t lines, other, figures, quarantined, unknown, not_understood;
};
/* Newest first. GPtrArray of struct import_info with its own free function. */
bool store_imports(struct store *store, GPtrArray **ret, GError **err);

/* A number that a document printed, or (`name` NULL) a line of it that was not understood. */
struct reading_info {
	int64_t line, measurement; /* measurement 0: it counts for nothing */
	char *name, *benchmark, *block, *metric, *printed, *unit, *problem, *text;
	double value;
};
/* Of one import, by line. GPtrArray of struct reading_info with its own free function. */
bool store_readings(struct store *store, GPtrArray **ret, int64_t run, GError **err);
/* The printed text and unit of a measurement's value, with the statistic that figure_statistic() names; NULL
 * where it was not printed. Both are new. */
bool store_printed(struct store *store, char **ret_text, char **ret_unit, int64_t measurement,
	const char *statistic, GError **err);

/* Names that no benchmark has, with their importer and how often: by importer, the most frequent first. */
struct unknown_info {
	char *importer, *name;
	int64_t times;
};
bool store_unknown_names(struct store *store, GPtrArray **ret, GError **err);

/* From now on that importer's name is the benchmark (NULL: unknown again), in what was imported before too:
 * *ret_figures is how many figures came to count. The name is as printed or as in schema/aliases.def. Where
 * another name of the benchmark that it had before waited for its place, that one counts then.
 * DIAG_USAGE for an unknown importer or benchmark, for a name that the program itself knows, and for one that
 * is to lose an alias and has none. */
bool store_alias_put(struct store *store, int64_t *ret_figures, const char *importer, const char *name,
	const char *benchmark, GError **err);
struct alias_info {
	char *importer, *name, *benchmark;
};
bool store_aliases(struct store *store, GPtrArray **ret, GError **err);

/* --- looking after the file --- */

/* A run under a name: what it rests on is never pruned. NULL run: drops it. */
bool store_baseline_put(struct store *store, const char *name, int64_t run, GError **err);
bool store_baseline_drop(struct store *store, const char *name, GError **err);
struct baseline_info {
	char *name, *uuid, *label, *matrix;
	int64_t run, pinned_at;
};
bool store_baselines(struct store *store, GPtrArray **ret, GError **err);

/* A whole copy while others write (SQLite's online backup), published by rename. An older copy of that name
 * is replaced. DIAG_USAGE where the file is something else, the database itself, or in use. */
bool store_backup(struct store *store, const char *file, GError **err);

/* What an attempt's processes wrote to standard output, one behind the other, followed by a NUL; NULL where
 * it was pruned or nothing came. Free with g_free(). */
bool store_attempt_output(struct store *store, char **ret, size_t *ret_length, int64_t attempt, GError **err);

/* Gives up the bytes of raw texts that only older attempts and builds rest on, and no baseline; hash and size
 * stay. */
struct prune_spec {
	int64_t before; /* ns since 1970 */
	bool functions; /* also outputs that tell counts by function: nothing else does */
	bool dry;	/* only count */
};
struct prune_result {
	int64_t texts, bytes; /* bytes: as stored */
};
bool store_prune(struct store *store, struct prune_result *ret, const struct prune_spec *spec, GError **err);
/* Gives the room that is free within the file back to the disk; it is copied for that, and nobody else can
 * write meanwhile. */
bool store_shrink(struct store *store, GError **err);

struct table_size {
	char *name;	     /* table or index */
	int64_t rows, bytes; /* rows -1: an index */
};
/* Largest first. GPtrArray of struct table_size with its own free function. */
bool store_sizes(struct store *store, GPtrArray **ret, GError **err);

/* Takes in what another database has and this one lacks, by UUID: runs with all that belongs to them,
 * platforms, imports, aliases, baselines. Doing it again changes nothing. A platform of the same name and
 * another UUID is another machine and gets the name "NAME (UUID's first 8)". A baseline or alias of the same
 * name stays as it is here. The other file is only read; one of an older version is brought up to date in a
 * copy. DIAG_USAGE where it is the database itself, DIAG_INPUT where it is missing, damaged or of a newer
 * version; nothing is then taken in. */
struct merge_result {
	int64_t runs, attempts, measurements, platforms; /* that came new */
};
bool store_merge(struct store *store, struct merge_result *ret, const char *other_file, GError **err);

/* Integrity of the file, foreign keys, and our own rules: every raw text has its hash, every measurement its
 * outcome, sampled ones their samples with the figures that follow from them, exact ones of equal exact keys
 * are equal. Problems as lines (char *); none: empty. */
bool store_check(struct store *store, GPtrArray **ret_problems, GError **err);

#endif
