#include "check.h"

#include "changes.h"
#include "compare.h"
#include "diag.h"
#include "request.h"
#include "trees.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As many are named. */
#define MOST_NAMED 5

static bool is_watched(const char *benchmarks, const char *name)
{
	g_auto(GStrv) globs = g_strsplit(benchmarks != NULL ? benchmarks : "*", ",", -1);

	for (char **glob = globs; *glob != NULL; glob++)
		if (name != NULL && g_pattern_match_simple(*glob, name))
			return true;
	return false;
}

bool check_is_exact(bool *ret, const char *metric, GError **err)
{
	const struct selector *const none[] = {NULL};
	enum metric found;

	if (!request_metric(&found, metric, none, err))
		return false;
	*ret = metric_infos[found].assume == ASSUME_EXACT;
	return true;
}

int check_pairs(const char *benchmarks)
{
	size_t n = 0;

	for (int i = 0; i < BENCHMARK_COUNT; i++)
		n += i != BENCHMARK_NULL_OPERATION && is_watched(benchmarks, benchmark_infos[i].name);
	return n > 0 ? (int)statistics_enough_pairs(COMPARISON_ALPHA, n) : 0;
}

/* --- the sides --- */

static bool has_results(bool *ret, const struct check_spec *spec, const char *version, GError **err)
{
	g_autofree char *text =
		g_strdup_printf("run=%s,version=%s,metric=%s", spec->uuid, version, spec->metric);
	g_autoptr(GArray) results = NULL;
	struct selector *selector;

	if (!selector_parse(&selector, text, err))
		return false;
	bool ok = store_results(spec->store, &results, selector, err);
	selector_free(selector);
	*ret = ok && results->len > 0;
	return ok;
}

/* The first thing that failed of a version; NULL where nothing did. */
static bool first_failure(char **ret, const struct check_spec *spec, const char *version, GError **err)
{
	g_autofree char *name = g_strdup_printf("-%s ", version);
	g_autoptr(GPtrArray) failures = NULL;

	*ret = NULL;
	if (!store_failures(spec->store, &failures, spec->run, err))
		return false;
	for (guint i = 0; i < failures->len && *ret == NULL; i++) {
		const struct failure_info *failure = failures->pdata[i];
		const char *benchmark = failure->benchmark;
		bool named = benchmark != NULL && *benchmark != '\0';
		if (strstr(failure->cell, name) != NULL)
			*ret = g_strdup_printf("%s%s%s%s%s", named ? benchmark : "", named ? ": " : "",
				failure->what, failure->reason ? ": " : "",
				failure->reason ? failure->reason : "");
	}
	return true;
}

static bool say_untestable(
	enum check_answer *ret, const struct check_spec *spec, const char *why, GError **err)
{
	g_autofree char *failure = NULL;

	if (!first_failure(&failure, spec, TREES_AFTER, err))
		return false;
	*ret = CHECK_UNTESTABLE;
	printf("cannot be tested: %s%s%s\n", why, failure ? ": " : "", failure ? failure : "");
	return true;
}

static bool check_before(const struct check_spec *spec, GError **err)
{
	g_autofree char *failure = NULL;
	bool there;

	if (spec->stored != NULL)
		return true;
	if (!has_results(&there, spec, TREES_BEFORE, err) ||
		!first_failure(&failure, spec, TREES_BEFORE, err))
		return false;
	return there || diag_set(err, DIAG_FAILED, "BEFORE has no result to hold AFTER against%s%s",
				failure ? ": " : "", failure ? failure : "");
}

/* --- the rows --- */

struct finding {
	guint watched;
	GString *worse, *untold; /* lists */
	guint n_worse, n_untold;
};

static double worsening(const struct comparison_row *row)
{
	return (row->evidence.n_before > 0 ? 1 / row->evidence.ratio.value : 1 / row->ratio) - 1;
}

static void add_text(GString *list, guint *n, const char *text)
{
	if (*n < MOST_NAMED)
		g_string_append_printf(list, "%s%s", *n > 0 ? ", " : "", text);
	else if (*n == MOST_NAMED)
		g_string_append(list, " and more");
	(*n)++;
}

/* With what it would take to tell. */
static void add_untold(struct finding *finding, const struct comparison_row *row, const char *text)
{
	g_autofree char *too_few = comparison_too_few(row), *would_tell = comparison_would_tell(row);
	const char *why = too_few ? too_few : would_tell;
	g_autofree char *all = g_strconcat(text, why ? " (" : NULL, why, ")", NULL);

	add_text(finding->untold, &finding->n_untold, all);
}

static void look_at_row(
	struct finding *finding, const struct check_spec *spec, const struct comparison_row *row)
{
	bool sampled = row->evidence.n_before > 0;
	double above = !isnan(spec->above) ? spec->above
		       : sampled	   ? COMPARISON_FLOOR
					   : COMPARISON_EXACT_ALARM;
	double by = worsening(row);
	g_autofree char *name = values_benchmark(row->before);
	g_autofree char *number = changes_percent(fabs(by) * 100);
	g_autofree char *text = g_strdup_printf("%s: %s %% %s", name, number, by > 0 ? "more" : "less");

	if (row->verdict == VERDICT_NONE && isnan(row->ratio))
		return;
	finding->watched++;
	if (row->verdict == VERDICT_WORSE && by > above)
		add_text(finding->worse, &finding->n_worse, text);
	else if (row->verdict == VERDICT_NONE || (row->verdict == VERDICT_UNCLEAR && by > above))
		add_untold(finding, row, text);
}

static void look_at_lost(struct finding *finding, const struct check_spec *spec, const GPtrArray *lost)
{
	for (guint i = 0; i < lost->len; i++) {
		const struct result *result = lost->pdata[i];
		g_autofree char *name = values_benchmark(result);
		g_autofree char *text = g_strdup_printf("%s: no result", name);
		if (!is_watched(spec->benchmarks, result->what.labels.v[LABEL_BENCHMARK]))
			continue;
		finding->watched++;
		add_text(finding->untold, &finding->n_untold, text);
	}
}

static struct finding find(const struct check_spec *spec, const struct comparison *comparison)
{
	struct finding finding = {.worse = g_string_new(NULL), .untold = g_string_new(NULL)};

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		if (is_watched(spec->benchmarks, row->labels.v[LABEL_BENCHMARK]))
			look_at_row(&finding, spec, row);
	}
	look_at_lost(&finding, spec, comparison->only_before);
	return finding;
}

static bool tell(
	enum check_answer *ret, const struct check_spec *spec, const struct finding *finding, GError **err)
{
	g_autofree char *why = g_strconcat("of AFTER ", finding->untold->str, NULL);

	if (finding->watched == 0)
		return diag_set(err, DIAG_USAGE, "nothing is watched: BEFORE has no result of %s among %s",
			spec->metric, spec->benchmarks != NULL ? spec->benchmarks : "all benchmarks");
	if (finding->n_worse > 0) {
		*ret = CHECK_BAD;
		printf("bad: %s %s (%u of %u watched)\n", finding->worse->str, spec->metric, finding->n_worse,
			finding->watched);
		return true;
	}
	if (finding->n_untold > 0)
		return say_untestable(ret, spec, why, err);
	*ret = CHECK_GOOD;
	printf("good: none of %u watched is worse\n", finding->watched);
	return true;
}

static bool judge(enum check_answer *ret, const struct check_spec *spec, GError **err)
{
	const char *before = spec->stored != NULL ? spec->stored : "version=" TREES_BEFORE ",run=";
	g_autofree char *from = g_strconcat(before, spec->stored != NULL ? NULL : spec->uuid, NULL);
	g_autofree char *to = g_strconcat("version=" TREES_AFTER ",run=", spec->uuid, NULL);
	struct comparison *comparison;

	if (!comparison_make(&comparison, spec->store, from, to, "", spec->metric, err))
		return false;
	struct finding finding = find(spec, comparison);
	bool ok = tell(ret, spec, &finding, err);
	g_string_free(finding.worse, TRUE);
	g_string_free(finding.untold, TRUE);
	comparison_free(comparison);
	return ok;
}

bool check_judge(enum check_answer *ret, const struct check_spec *spec, GError **err)
{
	bool there;

	if (!check_before(spec, err) || !has_results(&there, spec, TREES_AFTER, err))
		return false;
	return there ? judge(ret, spec, err) : say_untestable(ret, spec, "AFTER has no result", err);
}
