#include "cells.h"
#include "tables.h"
#include "values.h"

#include <math.h>
#include <string.h>

/* Names that their makers do not write in capitals. */
static const char *const spellings[] = {"Argon2i", "Argon2d", "Argon2id", "Blowfish", "Camellia", "ChaCha20",
	"ChaCha12", "ChaCha8", "Ed25519", "Ed448", "Falcon", "Kyber", "Poly1305", "Salsa20", "Serpent",
	"Twofish", "XChaCha20", "bcrypt", "scrypt"};

static char *spelled(const char *part)
{
	for (size_t i = 0; i < G_N_ELEMENTS(spellings); i++)
		if (g_ascii_strcasecmp(spellings[i], part) == 0)
			return g_strdup(spellings[i]);
	return g_ascii_strup(part, -1);
}

char *brief_name(const char *benchmark)
{
	const char *space = strchr(benchmark, ' ');
	g_autofree char *algorithm =
		g_strndup(benchmark, space ? (gsize)(space - benchmark) : strlen(benchmark));
	g_auto(GStrv) parts = g_strsplit(algorithm, "-", -1);
	GString *name = g_string_new(NULL);

	for (size_t i = 0; parts[i]; i++) {
		g_autofree char *part = spelled(parts[i]);
		bool blank = i > 0 && g_ascii_isdigit(*parts[i - 1]) && !g_ascii_isdigit(*parts[i]);

		g_string_append_printf(name, "%s%s", i == 0 ? "" : blank ? " " : "-", part);
	}
	g_string_append(name, space ? space : "");
	return g_string_free(name, FALSE);
}

/* Some benchmark has several blocks. */
static bool several_blocks(const struct comparison *comparison)
{
	g_autoptr(GHashTable) blocks = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < comparison->rows->len; i++) {
		const struct comparison_row *row = comparison->rows->pdata[i];
		const char *block = row->after->what.labels.v[LABEL_BLOCK];

		if (block)
			g_hash_table_add(blocks, (char *)block);
	}
	return g_hash_table_size(blocks) > 1;
}

static char *value_text(const struct result *result, const char *unit)
{
	enum work work = values_work(result);
	double value = figure_value(&result->figure);
	g_autofree char *text = NULL;

	if (!scale_note_text(&text, value, result->metric, work, unit, NULL))
		scale_note_text(&text, value, result->metric, work, NULL, NULL);
	return text ? g_steal_pointer(&text) : g_strdup("unknown");
}

static void add_line(GString *out, const struct comparison *comparison, const struct comparison_row *row,
	const char *unit, bool blocks)
{
	const struct result *after = row->after;
	const char *benchmark = after->what.labels.v[LABEL_BENCHMARK],
		   *block = after->what.labels.v[LABEL_BLOCK];
	g_autofree char *name = brief_name(benchmark ? benchmark : "-"), *value = value_text(after, unit);
	g_autofree char *ratio = ratio_text(row->ratio, row->evidence.n_before == 0);
	g_autoptr(GString) line = g_string_new(name);
	g_autofree char *printable = NULL;

	if (blocks && block)
		g_string_append_printf(line, " %s B", block);
	for (int l = 0; l < LABEL_COUNT; l++)
		if (comparison->shown[l] && l != LABEL_BENCHMARK && l != LABEL_BLOCK &&
			after->what.labels.v[l])
			g_string_append_printf(line, ", %s", after->what.labels.v[l]);
	/* A release note must not take for a speedup what the table would not call one. */
	bool doubtful = row->verdict == VERDICT_NONE || row->verdict == VERDICT_UNCLEAR;
	const char *word = doubtful ? comparison_word(row) : NULL;
	g_string_append_printf(line, ": %s (%s%s%s)", value, ratio, word ? ", " : "", word ? word : "");
	printable = cell_line(line->str);
	g_string_append_printf(out, "%s\n", printable);
}

bool brief_of_comparison(char **ret, const struct comparison *comparison, const struct comparison_view *view,
	const char *bullet, GError **err)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *left_out = NULL;
	g_autoptr(GPtrArray) rows = NULL;
	struct table *table = NULL;

	if (!table_of_comparison_view(&table, comparison, view, err))
		return false;
	rows = arrange_rows(comparison, &view->arrangement, &left_out);
	for (guint i = 0; i < rows->len; i++) {
		if (isnan(((const struct comparison_row *)rows->pdata[i])->ratio))
			continue;
		g_string_append(out, bullet);
		add_line(out, comparison, rows->pdata[i], view->unit, several_blocks(comparison));
	}
	g_string_append_c(out, '\n');
	for (guint i = 0; i < table->footer->len; i++) {
		g_autofree char *line = cell_line(table->footer->pdata[i]);

		g_string_append_printf(out, "%s%s\n", bullet, line);
	}
	table_free(table);
	*ret = g_string_free(g_steal_pointer(&out), FALSE);
	return true;
}
