/* Every importer over its extract (tests/corpora/import/<importer>.txt): whole, in pieces, and cut at random.
 * No cut may crash it, lose a line without a word, or make a figure that breaks the promises of importer.h.
 */
#include "import_harness.h"

#define CUTS 60

static char *extract_of(const struct importer *importer, gsize *ret_length)
{
	g_autofree char *file = g_strdup_printf("%s/tests/corpora/import/%s.txt", BM_SOURCE, importer->name);
	g_autoptr(GError) err = NULL;
	char *text;

	g_file_get_contents(file, &text, ret_length, &err);
	g_assert_no_error(err);
	return text;
}

static void check_figure(const struct import_record *figure)
{
	const char *benchmark = figure->labels.v[LABEL_BENCHMARK];

	g_assert_nonnull(figure->name);
	g_assert_nonnull(figure->printed);
	g_assert_nonnull(figure->unit);
	/* Of our own formats a size may be 0, and it is of no benchmark of the list. */
	bool whole = figure->figure && benchmark && benchmark_find(benchmark) < 0;
	g_assert_true(figure->problem || (isfinite(figure->value) && (whole || figure->value > 0)));
	g_assert_true(!(figure->error < 0));
	if (benchmark && !figure->problem && !whole)
		g_assert_cmpint(benchmark_infos[benchmark_find(benchmark)].work, ==, figure->work);
}

static void check_records(const GPtrArray *all)
{
	for (guint i = 0; i < all->len; i++) {
		const struct import_record *record = &((const struct told *)all->pdata[i])->record;
		g_assert_nonnull(record->text);
		g_assert_cmpuint(record->line, >, 0);
		g_assert_true(g_utf8_validate(record->text, -1, NULL));
		if (record->kind == IMPORT_FIGURE)
			check_figure(record);
		g_assert_true((record->kind != IMPORT_UNREAD) || record->problem);
		g_assert_true((record->kind == IMPORT_FACT) == (record->key && record->fact));
	}
}

static void assert_same(const GPtrArray *a, const GPtrArray *b)
{
	g_assert_cmpuint(a->len, ==, b->len);
	for (guint i = 0; i < a->len; i++) {
		const struct import_record *x = &((const struct told *)a->pdata[i])->record;
		const struct import_record *y = &((const struct told *)b->pdata[i])->record;
		g_assert_cmpint(x->kind, ==, y->kind);
		g_assert_cmpuint(x->line, ==, y->line);
		g_assert_cmpstr(x->name, ==, y->name);
		g_assert_true(x->value == y->value || (isnan(x->value) && isnan(y->value)));
	}
}

static void each_extract_is_recognised(void)
{
	for (size_t i = 0; importers[i]; i++) {
		gsize length;
		g_autofree char *text = extract_of(importers[i], &length), *seen = NULL;
		const struct importer *found = import_recognise(&seen, text, length);
		if (found != importers[i])
			g_error("%s is taken for %s (%s)", importers[i]->name,
				found ? found->name : "nothing", seen);
	}
}

static void each_extract_has_figures(void)
{
	for (size_t i = 0; importers[i]; i++) {
		gsize length;
		g_autofree char *text = extract_of(importers[i], &length);
		g_autoptr(GPtrArray) all = told_in_pieces(importers[i]->name, text, length, length);
		g_assert_cmpuint(told_count(all, IMPORT_FIGURE), >=, 3);
		check_records(all);
	}
}

static void pieces_of_any_size_tell_the_same(void)
{
	for (size_t i = 0; importers[i]; i++) {
		gsize length;
		g_autofree char *text = extract_of(importers[i], &length);
		g_autoptr(GPtrArray) whole = told_in_pieces(importers[i]->name, text, length, length);
		g_autoptr(GPtrArray) bytes = told_in_pieces(importers[i]->name, text, length, 1);
		assert_same(whole, bytes);
	}
}

static void every_line_is_told(void)
{
	for (size_t i = 0; importers[i]; i++) {
		gsize length;
		g_autofree char *text = extract_of(importers[i], &length);
		g_autoptr(GPtrArray) all = told_in_pieces(importers[i]->name, text, length, length);
		g_autoptr(GHashTable) lines = g_hash_table_new(NULL, NULL);
		for (guint k = 0; k < all->len; k++)
			g_hash_table_add(
				lines, GSIZE_TO_POINTER(((const struct told *)all->pdata[k])->record.line));
		guint n = 0;
		for (gsize k = 0; k < length; k++)
			n += text[k] == '\n';
		/* A progress line is told by the table that says it again. */
		if (strcmp(importers[i]->name, "openssl-speed") != 0)
			g_assert_cmpuint(g_hash_table_size(lines), ==, n);
	}
}

static void cuts_break_nothing(void)
{
	GRand *random = g_rand_new_with_seed(7);

	for (size_t i = 0; importers[i]; i++) {
		gsize length;
		g_autofree char *text = extract_of(importers[i], &length);
		for (int cut = 0; cut < CUTS; cut++) {
			gsize from = (gsize)g_rand_int_range(random, 0, (gint32)length);
			gsize to = (gsize)g_rand_int_range(random, (gint32)from, (gint32)length + 1);
			gsize piece = (gsize)g_rand_int_range(random, 1, 100);
			g_autoptr(GPtrArray) all =
				told_in_pieces(importers[i]->name, text + from, to - from, piece);
			check_records(all);
		}
	}
	g_rand_free(random);
}

static void each_importer_takes_the_others_documents(void)
{
	for (size_t i = 0; importers[i]; i++) {
		gsize length;
		g_autofree char *text = extract_of(importers[i], &length);
		for (size_t k = 0; importers[k]; k++) {
			g_autoptr(GPtrArray) all = told_in_pieces(importers[k]->name, text, length, length);
			check_records(all);
		}
	}
}

#define TEST(name) g_test_add_func("/import_cuts/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(each_extract_is_recognised);
	TEST(each_extract_has_figures);
	TEST(pieces_of_any_size_tell_the_same);
	TEST(every_line_is_told);
	TEST(cuts_break_nothing);
	TEST(each_importer_takes_the_others_documents);
	return g_test_run();
}
