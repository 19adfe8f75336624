#include "night_report.h"

#include "diag.h"
#include "night_log.h"

#include <math.h>
#include <string.h>

const char *const night_failure_states[] = {"new", "old", "known"};

/* Text from outside: shown as it may be, everywhere. */
static json_t *printable(const char *text)
{
	g_autofree char *safe = text != NULL ? diag_printable(text, -1) : NULL;

	return safe != NULL ? json_string(safe) : json_null();
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static char *time_text(int64_t ns)
{
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(ns / 1000000000);

	return g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ");
}

/* --- failures --- */

static json_t *failure_json(const struct night_failure *failure)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "state", night_failure_states[failure->state],
		"cell", printable(failure->failure->cell), "benchmark",
		printable(failure->failure->benchmark), "what", printable(failure->failure->what), "reason",
		printable(failure->failure->reason), "known", printable(failure->known));
}

static json_t *failures_json(const GArray *failures, int *ret_new)
{
	json_t *list = json_array();

	*ret_new = 0;
	for (int state = NIGHT_FAILURE_NEW; state <= NIGHT_FAILURE_KNOWN; state++) {
		for (guint i = 0; i < failures->len; i++) {
			const struct night_failure *failure =
				&g_array_index(failures, struct night_failure, i);
			if ((int)failure->state == state)
				json_array_append_new(list, failure_json(failure));
			*ret_new += (int)failure->state == state && state == NIGHT_FAILURE_NEW;
		}
	}
	return list;
}

/* --- changes --- */

/* By how many percent of the value before the value has moved, from a ratio above 1 is better. */
static json_t *percent_of(double ratio, enum metric metric)
{
	return number(((metric_infos[metric].better == BETTER_LOWER ? 1 / ratio : ratio) - 1) * 100);
}

static json_t *series_json(const struct night_finding *finding)
{
	const struct result *before = finding->suspect->before, *after = finding->suspect->after;
	const char *const *v = after->what.labels.v;
	json_t *series = json_object();

	for (int l = 0; l < LABEL_COUNT; l++)
		if (v[l] != NULL && l != LABEL_LIBRARY && l != LABEL_VERSION)
			json_object_set_new(series, label_keys[l], printable(v[l]));
	json_object_set_new(series, "unit", json_string(metric_infos[after->metric].unit));
	json_object_set_new(series, "before", number(figure_value(&before->figure)));
	json_object_set_new(series, "again", number(finding->again));
	json_object_set_new(series, "after", number(figure_value(&after->figure)));
	json_object_set_new(series, "percent", percent_of(finding->suspect->ratio, after->metric));
	json_object_set_new(series, "percent_library", percent_of(finding->library, after->metric));
	json_object_set_new(series, "percent_instrument", percent_of(finding->instrument, after->metric));
	return series;
}

static json_t *log_json(const struct night_change *change)
{
	json_t *list = json_array();

	if (!change->two)
		return list;
	g_auto(GStrv) lines = night_log(change->version->origin.repository, change->from, change->to);
	for (char **line = lines; line != NULL && *line; line++)
		json_array_append_new(list, json_string(*line));
	return list;
}

static json_t *change_json(const struct night_finding *first)
{
	const struct night_change *change = first->change;
	const char *const *v = first->suspect->after->what.labels.v;

	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:[]}", "kind",
		alarm_kind_names[first->kind], "library", printable(v[LABEL_LIBRARY]), "version",
		printable(v[LABEL_VERSION]), "from", printable(change->from), "to", printable(change->to),
		"log", log_json(change), "instrument", printable(first->instrument_text), "reason",
		printable(first->reason), "confirmed_by", printable(change->run_uuid), "series");
}

/* Findings that are told as one: of one change, with one cause. */
static bool belongs(const struct night_finding *a, const struct night_finding *b)
{
	return a->change == b->change && a->kind == b->kind &&
	       g_strcmp0(a->instrument_text, b->instrument_text) == 0 && g_strcmp0(a->reason, b->reason) == 0;
}

static void add_change(json_t *list, const GPtrArray *findings, guint first, int kinds[])
{
	json_t *change = NULL;

	for (guint i = 0; i < first; i++)
		if (belongs(findings->pdata[i], findings->pdata[first]))
			return;
	change = change_json(findings->pdata[first]);
	for (guint i = first; i < findings->len; i++)
		if (belongs(findings->pdata[i], findings->pdata[first]))
			json_array_append_new(
				json_object_get(change, "series"), series_json(findings->pdata[i]));
	kinds[((const struct night_finding *)findings->pdata[first])->kind]++;
	json_array_append_new(list, change);
}

static json_t *changes_json(const GPtrArray *findings, int kinds[])
{
	json_t *list = json_array();

	for (int kind = 0; kind < ALARM_KIND_COUNT; kind++)
		for (guint i = 0; i < findings->len; i++)
			if ((int)((const struct night_finding *)findings->pdata[i])->kind == kind)
				add_change(list, findings, i, kinds);
	return list;
}

/* --- the whole --- */

static json_t *run_json(const struct run_info *run)
{
	g_autofree char *started = time_text(run->started_at);

	return json_pack("{s:s, s:o, s:o, s:s, s:i, s:i, s:i, s:i}", "uuid", run->uuid, "matrix",
		printable(run->matrix), "label", printable(run->label), "started", started, "cells",
		run->cells, "ok", run->ok, "partial", run->partial, "failed", run->failed);
}

json_t *night_report_make(const struct night_report *report)
{
	int kinds[ALARM_KIND_COUNT] = {0}, fresh;
	json_t *failures = failures_json(report->failures, &fresh);
	json_t *changes = changes_json(report->findings, kinds);
	json_t *root = json_pack("{s:s, s:s, s:i, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:o}", "schema",
		NIGHT_REPORT_SCHEMA, "program", report->program, "status",
		kinds[ALARM_REGRESSION] + fresh > 0 ? 1 : 0, "run", run_json(report->run), "baseline",
		printable(report->baseline), "compared", (int)report->suspects->compared, "new_series",
		(int)report->suspects->fresh, "new_failures", fresh, "regressions", kinds[ALARM_REGRESSION],
		"failures", failures, "changes", changes);
	g_autofree char *headline = night_report_headline(root);

	/* What chat programs show of what is sent to them. */
	json_object_set_new(root, "text", json_string(headline));
	return root;
}

int night_report_status(const json_t *report)
{
	return (int)json_integer_value(json_object_get(report, "status"));
}
