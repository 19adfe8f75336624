#include "runs.h"

#include "patterns.h"
#include "telling.h"

#include <string.h>

/* A name seen again after so many others starts a run over; after fewer it is the same thing measured twice.
 */
#define OTHERS 3

void run_done(struct run *run)
{
	g_clear_pointer(&run->first, g_free);
	g_clear_pointer(&run->names, g_hash_table_unref);
	run->figures = 0;
}

void run_heading(struct run *run, const struct import_sink *sink, const struct import_line *line)
{
	if (run->figures == 0)
		return;
	run_done(run);
	tell_break(sink, line);
}

void run_figure(
	struct run *run, const struct import_sink *sink, const struct import_line *line, const char *name)
{
	if (run->first && strcmp(run->first, name) == 0 && g_hash_table_size(run->names) > OTHERS)
		run_heading(run, sink, line);
	if (!run->first) {
		run->first = g_strdup(name);
		run->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	}
	if (!g_hash_table_contains(run->names, name))
		g_hash_table_add(run->names, g_strdup(name));
	run->figures++;
}

bool run_fact(struct run *run, const struct fact_rule *rules, const struct import_sink *sink,
	const struct import_line *line)
{
	for (const struct fact_rule *rule = rules; rule->pattern; rule++) {
		g_autoptr(GMatchInfo) match = NULL;
		if (!pattern_match(&match, rule->pattern, line->body))
			continue;
		g_autofree char *value = pattern_text(match, "value");
		if (rule->heading)
			run_heading(run, sink, line);
		tell_fact(sink, line, rule->key, value ? value : "");
		return true;
	}
	return false;
}
