/* Bencher Metric Format: {"benchmark": {"measure": {"value", "lower_value", "upper_value"}}}. Time is the
 * measure `latency`, in ns, as there; others have their metric's name. The bounds are the quartiles. */
#include "export_out.h"

#include <math.h>
#include <string.h>

/* Results of one name together, in the order of the names' first ones. GPtrArray of GPtrArray of const struct
 * result *, with their free functions; *ret_names gets the names. */
static GPtrArray *by_name(const struct export_set *set, GPtrArray **ret_names)
{
	g_autoptr(GHashTable) groups = g_hash_table_new(g_str_hash, g_str_equal);
	GPtrArray *list = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < set->results->len; i++) {
		g_autoptr(GString) name = g_string_new(NULL);
		put_name(name, set->results->pdata[i]);
		GPtrArray *group = g_hash_table_lookup(groups, name->str);
		if (!group) {
			group = g_ptr_array_new();
			g_ptr_array_add(list, group);
			g_ptr_array_add(names, g_strdup(name->str));
			g_hash_table_insert(groups, names->pdata[names->len - 1], group);
		}
		g_ptr_array_add(group, set->results->pdata[i]);
	}
	*ret_names = names;
	return list;
}

/* "latency", "instructions", "instructions-per-byte". Free with g_free(). */
static char *measure_of(const struct result *result, const char *unit)
{
	if (strcmp(unit, "ns/op") == 0)
		return g_strdup("latency");
	return g_strconcat(
		metric_infos[result->metric].name, g_str_has_suffix(unit, "/B") ? "-per-byte" : "", NULL);
}

static void bound(GString *text, const struct result *result, const char *key, double value)
{
	g_string_append_printf(text, ", \"%s\": ", key);
	put_per_call(text, result, value);
}

static void measure(GString *text, const struct result *result, const char *before)
{
	g_autofree char *unit = figure_per_call_unit(result), *name = measure_of(result, unit);

	g_string_append_printf(text, "%s    \"%s\": {\"value\": ", before, name);
	put_per_call(text, result, figure_value(&result->figure));
	if (figure_has_quartiles(result)) {
		bound(text, result, "lower_value", result->figure.q1);
		bound(text, result, "upper_value", result->figure.q3);
	}
	g_string_append_c(text, '}');
}

static void write_all(struct export_out *out, const struct export_set *set)
{
	g_autoptr(GPtrArray) names = NULL;
	g_autoptr(GPtrArray) groups = by_name(set, &names);

	g_string_append(out->text, "{");
	for (guint i = 0; i < groups->len && out_room(out); i++) {
		const GPtrArray *group = groups->pdata[i];
		g_string_append(out->text, i > 0 ? ",\n  " : "\n  ");
		put_json(out->text, names->pdata[i]);
		g_string_append(out->text, ": {\n");
		for (guint k = 0; k < group->len; k++)
			measure(out->text, group->pdata[k], k > 0 ? ",\n" : "");
		g_string_append(out->text, "\n  }");
		out->count.figures += group->len;
	}
	g_string_append(out->text, "\n}\n");
}

const struct exporter exporter_bmf = {
	"bmf", "Bencher Metric Format, one JSON object", "application/json", NULL, false, write_all};
