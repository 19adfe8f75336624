#include "compare.h"

#include "doubts.h"
#include "evidence.h"
#include "join.h"
#include "request.h"

/* The three selectors of a comparison. */
struct parsed {
	struct selector *before, *after, *where;
};

static void parsed_clear(struct parsed *parsed)
{
	g_clear_pointer(&parsed->before, selector_free);
	g_clear_pointer(&parsed->after, selector_free);
	g_clear_pointer(&parsed->where, selector_free);
}

static bool parse_one(struct selector **ret, const char *name, const char *text, GError **err)
{
	if (selector_parse(ret, text, err))
		return true;
	g_prefix_error(err, "%s: ", name);
	return false;
}

static bool make(struct comparison **ret, struct store *store, const struct parsed *parsed,
	const char *metric, GError **err)
{
	const struct selector *const selectors[] = {parsed->before, parsed->after, parsed->where, NULL};
	struct comparison_request request = {
		.before = parsed->before, .after = parsed->after, .where = parsed->where};
	g_autoptr(GArray) before = NULL, after = NULL;
	struct comparison *comparison = NULL;

	if (!request_metric(&request.metric, metric, selectors, err) ||
		!request_results(
			&before, store, "BEFORE", request.before, request.where, request.metric, err) ||
		!request_results(&after, store, "AFTER", request.after, request.where, request.metric, err) ||
		!comparison_join(&comparison, before, after, &request, err))
		return false;
	if (!evidence_gather(comparison, store, err) || !doubts_clocks(comparison, store, err)) {
		comparison_free(comparison);
		return false;
	}
	*ret = comparison;
	return true;
}

bool comparison_make(struct comparison **ret, struct store *store, const char *before, const char *after,
	const char *where, const char *metric, GError **err)
{
	struct parsed parsed = {0};
	bool done = parse_one(&parsed.before, "BEFORE", before, err) &&
		    parse_one(&parsed.after, "AFTER", after, err) &&
		    parse_one(&parsed.where, "--where", where, err) && make(ret, store, &parsed, metric, err);

	parsed_clear(&parsed);
	return done;
}
