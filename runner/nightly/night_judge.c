#include "night_judge.h"

#include "night_weigh.h"

#include <math.h>
#include <string.h>

static void free_finding(gpointer data)
{
	struct night_finding *finding = data;

	g_free(finding->instrument_text);
	g_free(finding->reason);
	g_free(finding);
}

/* --- the instrument --- */

static void add_changed(GString *text, const char *what, const char *before, const char *after)
{
	if (g_strcmp0(before, after) == 0 || before == NULL || after == NULL)
		return;
	g_string_append_printf(
		text, "%sthe %s changed from %s to %s", text->len > 0 ? "; " : "", what, before, after);
}

static void add_words(GString *text, const char *words)
{
	g_string_append_printf(text, "%s%s", text->len > 0 ? "; " : "", words);
}

/* What only the keys tell: they are of the whole compiler and of every file of bench-core. */
static void add_keys(GString *text, const struct instrument *before, const struct instrument *after)
{
	bool library = g_strcmp0(before->key_library, after->key_library) != 0;

	if (library && g_strcmp0(before->compiler, after->compiler) == 0)
		add_words(text, "the library is built otherwise by the same version of the compiler: another "
				"build of it, other binutils, another C library, or other options");
	if (!library && g_strcmp0(before->key_program, after->key_program) != 0 &&
		g_strcmp0(before->core, after->core) == 0)
		add_words(text, "bench-core changed, with the same version number");
}

char *night_instrument_text(const struct instrument *before, const struct instrument *after, bool same_source)
{
	GString *text = g_string_new(NULL);

	add_changed(text, "compiler", before->compiler, after->compiler);
	add_changed(text, "version of bench-core", before->core, after->core);
	if (same_source)
		add_keys(text, before, after);
	add_changed(text, "emulator", before->emulator, after->emulator);
	if (g_strcmp0(before->plugin, after->plugin) != 0)
		add_words(text, "what counts below the emulator changed");
	add_changed(text, "machine", before->machine, after->machine);
	if (text->len > 0)
		return g_string_free(text, FALSE);
	g_string_free(text, TRUE);
	return NULL;
}

/* --- what was measured again --- */

static bool same_series(const struct result *a, const struct result *b)
{
	for (int l = 0; l < LABEL_COUNT; l++)
		if (l != LABEL_VERSION && g_strcmp0(a->what.labels.v[l], b->what.labels.v[l]) != 0)
			return false;
	return true;
}

/* Of the version of that name; NULL: any. */
static const struct result *find_again(
	const struct night_change *change, const struct night_suspect *suspect, const char *version)
{
	for (guint i = 0; change->again != NULL && i < change->again->len; i++) {
		const struct result *result = &g_array_index(change->again, struct result, i);
		if (same_series(result, suspect->after) &&
			(version == NULL || g_strcmp0(result->what.labels.v[LABEL_VERSION], version) == 0))
			return result;
	}
	return NULL;
}

/* --- judging --- */

/* A suspect in hand. */
struct judged {
	const struct result *old, *new;		 /* measured again; `new` only where both revisions were */
	struct night_pair *library, *instrument; /* NULL: not to be had */
};

static bool decided(const struct night_pair *pair)
{
	return pair != NULL && (pair->verdict == VERDICT_BETTER || pair->verdict == VERDICT_WORSE);
}

static bool same_revision(const struct night_change *change)
{
	return g_strcmp0(change->from, change->to) == 0;
}

static bool tell_instrument(struct night_finding *finding, struct store *store, const struct judged *judged,
	bool same_source, GError **err)
{
	struct instrument before, after;

	if (!store_instrument(store, &before, finding->suspect->before->attempt, err) ||
		!store_instrument(store, &after, judged->old->attempt, err))
		return false;
	finding->instrument_text = night_instrument_text(&before, &after, same_source);
	return true;
}

static enum alarm_kind by_ratio(const struct night_pair *pair)
{
	return pair->verdict == VERDICT_WORSE ? ALARM_REGRESSION : ALARM_IMPROVEMENT;
}

static void leave_unclear(struct night_finding *finding, const char *reason)
{
	finding->kind = ALARM_UNCLEAR;
	finding->reason = g_strdup(finding->change->problem ? finding->change->problem : reason);
}

/* Both revisions stand side by side with today's instrument. */
static bool judge_two(
	struct night_finding *finding, struct store *store, const struct judged *judged, GError **err)
{
	bool instrument = decided(judged->instrument);

	if (judged->library == NULL)
		leave_unclear(finding, judged->old == NULL ? "the old revision could not be measured again"
							   : "the new revision could not be measured again");
	else if (decided(judged->library))
		finding->kind = by_ratio(judged->library);
	else if (instrument)
		finding->kind = ALARM_INSTRUMENT;
	else if (judged->library->verdict == VERDICT_SAME)
		finding->kind = ALARM_REFUTED;
	else
		leave_unclear(finding, "measured again, the samples differ too much among themselves for a "
				       "verdict");
	return !instrument || tell_instrument(finding, store, judged, true, err);
}

/* The same again. Where the source is the same, nothing but the instrument can have moved it. */
static bool judge_one(
	struct night_finding *finding, struct store *store, const struct judged *judged, GError **err)
{
	bool same = same_revision(finding->change);

	if (judged->instrument == NULL) {
		leave_unclear(finding, "it could not be measured again");
		return true;
	}
	if (!decided(judged->instrument)) {
		if (judged->instrument->verdict == VERDICT_SAME)
			finding->kind = ALARM_REFUTED;
		else
			leave_unclear(finding, "measured again, the samples differ too much among themselves "
					       "for a verdict");
		return true;
	}
	if (!tell_instrument(finding, store, judged, same, err))
		return false;
	if (same)
		finding->kind = ALARM_INSTRUMENT;
	else if (finding->instrument_text == NULL)
		finding->kind = by_ratio(judged->instrument);
	else
		leave_unclear(finding,
			"both the source and the instrument changed, and the old source is not "
			"to be had again: which of them it was cannot be told");
	return true;
}

static struct night_finding *finding_new(
	const struct night_change *change, guint i, const struct judged *judged)
{
	struct night_finding *finding = g_new0(struct night_finding, 1);

	finding->suspect = change->suspects->pdata[i];
	finding->change = change;
	finding->again = judged->old != NULL ? figure_value(&judged->old->figure) : (double)NAN;
	finding->library = judged->library != NULL ? judged->library->ratio : (double)NAN;
	finding->instrument = judged->instrument != NULL ? judged->instrument->ratio : (double)NAN;
	return finding;
}

/* The pairs of a change's suspects; an index into them, or -1, of each. */
struct pairs {
	GArray *of; /* struct night_pair */
	int *at;
};

static struct pairs pairs_new(guint n)
{
	return (struct pairs){g_array_new(FALSE, FALSE, sizeof(struct night_pair)), g_new(int, n)};
}

static void pairs_clear(struct pairs *pairs)
{
	g_array_unref(pairs->of);
	g_free(pairs->at);
}

static void pairs_add(struct pairs *pairs, guint i, const struct result *before, const struct result *after,
	double threshold)
{
	const struct night_pair pair = {.before = before, .after = after, .threshold = threshold};

	pairs->at[i] = before != NULL && after != NULL ? (int)pairs->of->len : -1;
	if (pairs->at[i] >= 0)
		g_array_append_val(pairs->of, pair);
}

static struct night_pair *pairs_get(const struct pairs *pairs, guint i)
{
	return pairs->at[i] >= 0 ? &g_array_index(pairs->of, struct night_pair, pairs->at[i]) : NULL;
}

static bool judge_all(GPtrArray *findings, struct store *store, const struct night_change *change,
	struct judged *judged, GError **err)
{
	for (guint i = 0; i < change->suspects->len; i++) {
		struct night_finding *finding = finding_new(change, i, &judged[i]);
		g_ptr_array_add(findings, finding);
		if (!(change->two ? judge_two : judge_one)(finding, store, &judged[i], err))
			return false;
	}
	return true;
}

static bool judge_change(
	GPtrArray *findings, struct store *store, const struct night_change *change, GError **err)
{
	guint n = change->suspects->len;
	g_autofree struct judged *judged = g_new0(struct judged, n);
	struct pairs library = pairs_new(n), instrument = pairs_new(n);

	for (guint i = 0; i < n; i++) {
		const struct night_suspect *suspect = change->suspects->pdata[i];
		judged[i].old = find_again(change, suspect, change->two ? NIGHT_BEFORE : NULL);
		judged[i].new = change->two ? find_again(change, suspect, NIGHT_AFTER) : NULL;
		pairs_add(&library, i, judged[i].old, judged[i].new, suspect->threshold);
		pairs_add(&instrument, i, suspect->before, judged[i].old, suspect->threshold);
	}
	bool ok = night_weigh(library.of, store, CORRECTION_HOLM, err) &&
		  night_weigh(instrument.of, store, CORRECTION_HOLM, err);
	for (guint i = 0; ok && i < n; i++) {
		judged[i].library = pairs_get(&library, i);
		judged[i].instrument = pairs_get(&instrument, i);
	}
	ok = ok && judge_all(findings, store, change, judged, err);
	pairs_clear(&library);
	pairs_clear(&instrument);
	return ok;
}

bool night_judge(GPtrArray **ret, struct store *store, const GPtrArray *changes, GError **err)
{
	g_autoptr(GPtrArray) findings = g_ptr_array_new_with_free_func(free_finding);

	for (guint i = 0; i < changes->len; i++)
		if (!judge_change(findings, store, changes->pdata[i], err))
			return false;
	*ret = g_steal_pointer(&findings);
	return true;
}

struct alarm_row night_alarm(const struct night_finding *finding)
{
	const struct night_suspect *suspect = finding->suspect;

	return (struct alarm_row){
		.series = suspect->after->series,
		.kind = finding->kind,
		.before = figure_value(&suspect->before->figure),
		.after = figure_value(&suspect->after->figure),
		.again = finding->again,
		.revision_before = finding->change->from,
		.revision_after = finding->change->to,
		.instrument = finding->instrument_text,
		.confirmed_run = finding->change->run,
	};
}
