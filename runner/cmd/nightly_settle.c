#include "nightly_settle.h"

#include "carry_out.h"
#include "diag.h"
#include "night_report.h"
#include "night_thresholds.h"
#include "nightly_runs.h"
#include "store_alarms.h"

#include <string.h>

/* A night that was stopped longer ago is given up, and its result held against nothing: the next one is due.
 */
#define GOES_ON_WITHIN_NS (18 * 3600 * G_GINT64_CONSTANT(1000000000))

void nightly_night_done(struct nightly_night *night)
{
	g_clear_pointer(&night->uuid, g_free);
	g_clear_pointer(&night->report, g_free);
}

static void free_night(gpointer data)
{
	nightly_night_done(data);
	g_free(data);
}

static bool is_recent(const struct night_info *night)
{
	return g_get_real_time() * 1000 - night->started_at < GOES_ON_WITHIN_NS;
}

/* "nightly" of "nightly", "x" of "../x.json": as the database has it. */
static bool matrix_name(char **ret, const struct nightly_spec *spec, GError **err)
{
	struct catalog *catalog;

	if (!catalog_load(&catalog, spec->paths->data, spec->paths->user, err))
		return false;
	g_autofree char *file = catalog_matrix_file(catalog, spec->matrix, err);
	catalog_free(catalog);
	if (file == NULL)
		return false;
	*ret = g_path_get_basename(file);
	if (g_str_has_suffix(*ret, ".json"))
		(*ret)[strlen(*ret) - strlen(".json")] = '\0';
	return true;
}

/* --- where the last night was left --- */

static bool find_untold(GPtrArray *untold, struct store *store, const char *matrix, GError **err)
{
	g_autoptr(GPtrArray) nights = NULL;

	if (!store_nights(store, &nights, matrix, err))
		return false;
	for (guint i = nights->len; i-- > 0;) {
		const struct night_info *night = nights->pdata[i];
		if (night->report == NULL || night->told_at != 0)
			continue;
		struct nightly_night *found = g_new0(struct nightly_night, 1);
		*found = (struct nightly_night){.run = night->run,
			.uuid = g_strdup(night->uuid),
			.report = g_strdup(night->report),
			.recent = is_recent(night)};
		g_ptr_array_add(untold, found);
	}
	return true;
}

bool nightly_untold(GPtrArray **ret, const struct nightly_spec *spec, GError **err)
{
	g_autoptr(GPtrArray) untold = g_ptr_array_new_with_free_func(free_night);
	g_autofree char *matrix = NULL;
	struct store *store = NULL;
	bool ok = matrix_name(&matrix, spec, err);

	if (ok && g_file_test(spec->paths->db, G_FILE_TEST_EXISTS)) {
		store = store_open(spec->paths->db, STORE_WRITE, err);
		ok = store != NULL && find_untold(untold, store, matrix, err);
		store_close(store);
	}
	if (ok)
		*ret = g_steal_pointer(&untold);
	return ok;
}

enum stand {
	STAND_NEW,    /* a night is to be begun */
	STAND_RUNS,   /* one was stopped while it ran */
	STAND_HAS_RUN /* one was stopped behind that */
};

static bool stand_of(enum stand *ret, struct store *store, const char *matrix, GError **err)
{
	g_autoptr(GPtrArray) nights = NULL;
	g_autofree char *latest = NULL;
	int64_t unfinished;
	bool ended;

	*ret = STAND_NEW;
	if (!store_nights(store, &nights, matrix, err))
		return false;
	const struct night_info *night = nights->len > 0 ? nights->pdata[0] : NULL;
	if (night == NULL || night->report != NULL || !is_recent(night))
		return true;
	if (!store_run_unfinished(store, &unfinished, &latest, matrix, err) ||
		!store_run_ended(store, &ended, night->run, err))
		return false;
	if (unfinished == night->run)
		*ret = STAND_RUNS;
	else if (ended || g_strcmp0(latest, night->uuid) == 0)
		*ret = STAND_HAS_RUN;
	return true;
}

static bool find_stand(enum stand *ret, const struct nightly_spec *spec, const char *matrix, GError **err)
{
	*ret = STAND_NEW;
	if (!g_file_test(spec->paths->db, G_FILE_TEST_EXISTS))
		return true;
	struct store *store = store_open(spec->paths->db, STORE_WRITE, err);
	bool ok = store != NULL && stand_of(ret, store, matrix, err);
	store_close(store);
	return ok;
}

/* --- failures --- */

static bool is_among(const struct failure_info *failure, const GPtrArray *failures)
{
	for (guint i = 0; i < failures->len; i++) {
		const struct failure_info *other = failures->pdata[i];
		if (strcmp(failure->cell, other->cell) == 0 &&
			g_strcmp0(failure->benchmark, other->benchmark) == 0 &&
			strcmp(failure->what, other->what) == 0)
			return true;
	}
	return false;
}

static bool old_failures(GPtrArray **ret, struct store *store, const GArray *runs, GError **err)
{
	g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);

	for (guint i = 0; i < runs->len; i++) {
		GPtrArray *list;
		if (!store_failures(store, &list, g_array_index(runs, int64_t, i), err))
			return false;
		g_ptr_array_add(lists, list);
	}
	*ret = g_steal_pointer(&lists);
	return true;
}

static struct night_failure failure_of(const struct verdict *verdict, guint i, const GPtrArray *old)
{
	const struct known_failure *entry = verdict->entries->pdata[i];
	struct night_failure failure = {.failure = verdict->failures->pdata[i]};

	if (entry != NULL && !known_expired(entry, verdict->today)) {
		failure.state = NIGHT_FAILURE_KNOWN;
		failure.known = entry->reason;
	}
	for (guint k = 0; failure.state == NIGHT_FAILURE_NEW && k < old->len; k++)
		if (is_among(failure.failure, old->pdata[k]))
			failure.state = NIGHT_FAILURE_OLD;
	return failure;
}

/* --- from a run that has ended to its report --- */

/* What a night is made of; all of it lives until its report is kept. */
struct settling {
	const struct nightly_spec *spec;
	struct store *store;
	struct catalog *catalog;
	struct matrix *matrix;
	const struct night_info *night;
	const struct run_info *run;
	GPtrArray *nights, *runs, *cells, *changes, *findings, *old;
	GArray *tonight, *failures;
	struct night_levels *levels;
	struct night_thresholds *thresholds;
	struct night_suspects suspects;
	struct known *known;
	struct verdict *verdict;
};

static void unref_list(GPtrArray **list)
{
	g_clear_pointer(list, g_ptr_array_unref);
}

static void settling_clear(struct settling *s)
{
	unref_list(&s->findings);
	unref_list(&s->changes);
	unref_list(&s->cells);
	unref_list(&s->old);
	g_clear_pointer(&s->failures, g_array_unref);
	night_suspects_clear(&s->suspects);
	night_thresholds_free(s->thresholds);
	night_levels_free(s->levels);
	g_clear_pointer(&s->tonight, g_array_unref);
	verdict_free(s->verdict);
	known_free(s->known);
	unref_list(&s->runs);
	unref_list(&s->nights);
	matrix_free(s->matrix);
	store_close(s->store);
	g_clear_pointer(&s->catalog, catalog_free);
}

static bool read_night(struct settling *s, const char *matrix, GError **err)
{
	g_autofree char *text = NULL, *plan = NULL;
	g_autofree char *file = NULL;

	if (!(s->store = store_open(s->spec->paths->db, STORE_WRITE, err)) ||
		!store_nights(s->store, &s->nights, matrix, err) || !store_runs(s->store, &s->runs, err))
		return false;
	s->night = s->nights->len > 0 ? s->nights->pdata[0] : NULL;
	for (guint i = 0; s->night != NULL && i < s->runs->len; i++)
		if (((struct run_info *)s->runs->pdata[i])->id == s->night->run)
			s->run = s->runs->pdata[i];
	if (s->run == NULL)
		return diag_set(err, DIAG_FAILED, "%s: the night of %s is gone", s->spec->paths->db, matrix);
	return catalog_load(&s->catalog, s->spec->paths->data, s->spec->paths->user, err) &&
	       (file = catalog_matrix_file(s->catalog, s->spec->matrix, err)) &&
	       store_run_texts(s->store, &text, &plan, s->run->id, err) &&
	       matrix_load_text(&s->matrix, file, text ? text : "", s->catalog, err);
}

static bool read_failures(struct settling *s, GError **err)
{
	if (!summary_known(&s->known, s->spec->paths, s->spec->known_file, err) ||
		!verdict_make(&s->verdict, s->store, s->run->id, s->known, err) ||
		!old_failures(&s->old, s->store, night_levels_runs(s->levels), err))
		return false;
	s->failures = g_array_new(FALSE, FALSE, sizeof(struct night_failure));
	for (guint i = 0; i < s->verdict->failures->len; i++) {
		const struct night_failure failure = failure_of(s->verdict, i, s->old);
		g_array_append_val(s->failures, failure);
	}
	return true;
}

static bool find_suspects(struct settling *s, GError **err)
{
	struct night_levels_spec levels = {
		.matrix = s->run->matrix, .run = s->run->id, .baseline = &s->spec->baseline};

	if (!night_results(s->store, &s->tonight, s->run->uuid, err))
		return false;
	levels.tonight = s->tonight;
	if (!night_levels_make(&s->levels, s->store, &levels, err) ||
		!night_thresholds_make(&s->thresholds, s->store, s->tonight, s->run->started_at, err) ||
		!night_suspects_find(&s->suspects, s->store, s->tonight, s->levels, s->thresholds, err) ||
		!store_cells(s->store, &s->cells, s->run->id, err))
		return false;
	s->changes = night_changes(&s->suspects, s->matrix, s->cells, s->run->uuid);
	return true;
}

static bool confirm_all(struct settling *s, bool *ret_cancelled, GError **err)
{
	for (guint i = 0; i < s->changes->len && !*ret_cancelled; i++) {
		enum nightly_end end;
		if (!nightly_confirm(&end, s->changes->pdata[i], s->store, s->spec, err))
			return false;
		*ret_cancelled = end == NIGHTLY_CANCELLED;
	}
	return *ret_cancelled || night_judge(&s->findings, s->store, s->changes, err);
}

static char *report_text(const struct settling *s)
{
	const struct night_report report = {.run = s->run,
		.program = "benchmatrix " BM_VERSION,
		.baseline = s->spec->baseline_text,
		.suspects = &s->suspects,
		.changes = s->changes,
		.findings = s->findings,
		.failures = s->failures};
	json_t *root = night_report_make(&report);
	char *text = json_dumps(root, JSON_INDENT(1));
	char *copy = g_strdup(text);

	free(text);
	json_decref(root);
	return copy;
}

static bool keep(struct settling *s, const char *report, GError **err)
{
	g_autoptr(GArray) alarms = g_array_new(FALSE, FALSE, sizeof(struct alarm_row));

	for (guint i = 0; i < s->findings->len; i++) {
		const struct alarm_row alarm = night_alarm(s->findings->pdata[i]);
		g_array_append_val(alarms, alarm);
	}
	return store_night_settle(s->store, s->run->id, report,
		(const struct alarm_row *)(void *)alarms->data, alarms->len, err);
}

static bool settle(
	struct settling *s, struct nightly_night *ret, bool *ret_cancelled, const char *matrix, GError **err)
{
	if (!read_night(s, matrix, err) || !find_suspects(s, err) || !read_failures(s, err) ||
		!confirm_all(s, ret_cancelled, err))
		return false;
	if (*ret_cancelled)
		return true;
	ret->run = s->run->id;
	ret->uuid = g_strdup(s->run->uuid);
	ret->report = report_text(s);
	return keep(s, ret->report, err);
}

bool nightly_settle(
	struct nightly_night *ret, bool *ret_cancelled, const struct nightly_spec *spec, GError **err)
{
	g_autofree char *matrix = NULL;
	enum nightly_end end = NIGHTLY_DONE;
	enum stand stand;

	*ret = (struct nightly_night){.recent = true};
	*ret_cancelled = false;
	if (!matrix_name(&matrix, spec, err) || !find_stand(&stand, spec, matrix, err))
		return false;
	if (stand != STAND_HAS_RUN && !nightly_run(&end, spec, stand == STAND_RUNS, err))
		return false;
	*ret_cancelled = end == NIGHTLY_CANCELLED;
	ret->lacks = end == NIGHTLY_LACKS;
	if (*ret_cancelled)
		return true;
	struct settling s = {.spec = spec};
	bool ok = settle(&s, ret, ret_cancelled, matrix, err);
	settling_clear(&s);
	return ok;
}
