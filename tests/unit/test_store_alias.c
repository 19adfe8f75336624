#include "document_fixture.h"
#include "store_fixture.h"

#include "diag.h"
#include "store_private.h"

#include <inttypes.h>

static int64_t take_in_document(struct fixture *fixture, struct document *document)
{
	g_autoptr(GError) err = NULL;
	bool is_new;
	int64_t run;

	store_document_take_in(fixture->store, &run, &is_new, document, &err);
	g_assert_no_error(err);
	g_assert_true(is_new);
	free_made(document);
	return run;
}

static int64_t number(struct fixture *fixture, const char *text)
{
	g_autoptr(GError) err = NULL;
	int64_t value = -1;

	sql_number(fixture->store->sql, &value, text, NULL, &err);
	g_assert_no_error(err);
	return value;
}

static void assert_sound(struct fixture *fixture)
{
	g_autoptr(GPtrArray) problems = NULL;

	g_assert_true(store_check(fixture->store, &problems, NULL));
	if (problems->len > 0)
		g_error("%u problems, the first: %s", problems->len, (char *)problems->pdata[0]);
}

static int64_t put_alias(struct fixture *fixture, const char *name, const char *benchmark)
{
	g_autoptr(GError) err = NULL;
	int64_t figures;

	store_alias_put(fixture->store, &figures, "cyassl", name, benchmark, &err);
	g_assert_no_error(err);
	return figures;
}

/* One known figure, and one number of a name that nobody knows, with what it is per. */
static struct document *with_unknown(const char *name, const char *unknown)
{
	struct document *document = made_document(name, "cyassl", name);
	struct document_part *part = made_part(document, "2.3.0");

	add_figure(document, part, made_reading(1, "RSA 2048 private", "rsa-2048 private", 0.009, "9.000"));
	add_reading(part, made_reading(2, unknown, NULL, 0.004, "4.000"));
	return document;
}

static void a_name_gets_its_benchmark_in_what_was_imported_before(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	take_in_document(&fixture, with_unknown("one.txt", "Fancy  Sign"));
	take_in_document(&fixture, with_unknown("two.txt", "fancy sign"));
	g_assert_cmpint(put_alias(&fixture, "Fancy Sign", "ecdsa-p256 sign"), ==, 2);
	g_autoptr(GArray) results = results_of(&fixture, "benchmark=ecdsa-p256 sign,run=one.txt");
	g_assert_cmpuint(results->len, ==, 1);
	const struct result *result = result_at(results, 0);
	g_assert_cmpfloat(result->figure.mean, ==, 0.004);
	g_assert_cmpint(result->measurement, ==, (result->attempt << 20) + 1);
	g_assert_cmpstr(result->what.labels.v[LABEL_VERSION], ==, "2.3.0");
	g_assert_cmpstr(result->what.labels.v[LABEL_PLATFORM], ==, "sparc t3");
	g_assert_cmpstr(result->what.labels.v[LABEL_INSTRUMENT], ==, "ctaocrypt-benchmark");
	g_assert_cmpint(result->what.source, ==, SOURCE_IMPORTED);
	g_assert_cmpint(result->what.environment, ==, ENVIRONMENT_HARDWARE);
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void cycles_follow_where_the_document_tells_the_clock(void)
{
	static const char cycles[] = "SELECT count(*) FROM result WHERE metric = 'cycles'";
	struct document *document = with_unknown("one.txt", "fancy sign");
	struct document_part *part = document->parts->pdata[0];
	struct fixture fixture = {0};

	fixture_open(&fixture);
	part->facts = "{\"clock\":\"1200000000\"}";
	take_in_document(&fixture, document);
	take_in_document(&fixture, with_unknown("two.txt", "fancy sign"));
	g_assert_cmpint(number(&fixture, cycles), ==, 0);
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ecdsa-p256 sign"), ==, 2);
	/* 0.004 s of 1.2 GHz; of the other document no clock is known. */
	g_assert_cmpint(number(&fixture, cycles), ==, 1);
	g_autoptr(GArray) results = results_of(&fixture, "metric=cycles,kind=derived");
	g_assert_cmpfloat_with_epsilon(result_at(results, 0)->figure.mean, 4.8e6, 1e-3);
	g_assert_cmpstr(result_at(results, 0)->what.labels.v[LABEL_BENCHMARK], ==, "ecdsa-p256 sign");
	assert_sound(&fixture);
	put_alias(&fixture, "fancy sign", NULL);
	g_assert_cmpint(number(&fixture, cycles), ==, 0);
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void a_name_has_its_benchmark_in_what_is_imported_later(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ecdsa-p256 sign"), ==, 0);
	take_in_document(&fixture, with_unknown("one.txt", "FANCY sign"));
	g_assert_cmpint(
		number(&fixture, "SELECT count(*) FROM result WHERE benchmark = 'ecdsa-p256 sign'"), ==, 1);
	/* Of another tool the same name may be something else. */
	struct document *other = with_unknown("other.txt", "fancy sign");
	other->importer = importer_find("wolfcrypt");
	take_in_document(&fixture, other);
	g_assert_cmpint(
		number(&fixture, "SELECT count(*) FROM result WHERE benchmark = 'ecdsa-p256 sign'"), ==, 1);
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void taking_an_alias_away_takes_its_figures_away(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) list = NULL;

	fixture_open(&fixture);
	take_in_document(&fixture, with_unknown("one.txt", "fancy sign"));
	put_alias(&fixture, "fancy sign", "ecdsa-p256 sign");
	g_assert_cmpint(put_alias(&fixture, "fancy sign", NULL), ==, 0);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM measurement"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM reading WHERE benchmark IS NULL AND "
					 "measurement_id IS NULL AND problem IS NULL"),
		==, 1);
	g_assert_true(store_aliases(fixture.store, &list, NULL));
	g_assert_cmpuint(list->len, ==, 0);
	assert_sound(&fixture);
	/* And another takes the free place. */
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ed25519 sign"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT max(id) & 1048575 FROM measurement"), ==, 1);
	fixture_close(&fixture);
}

static void another_benchmark_for_a_name_moves_its_figures(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) list = NULL;

	fixture_open(&fixture);
	take_in_document(&fixture, with_unknown("one.txt", "fancy sign"));
	put_alias(&fixture, "fancy sign", "ecdsa-p256 sign");
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ed25519 sign"), ==, 1);
	g_assert_cmpint(
		number(&fixture, "SELECT count(*) FROM result WHERE benchmark = 'ecdsa-p256 sign'"), ==, 0);
	g_assert_cmpint(
		number(&fixture, "SELECT count(*) FROM result WHERE benchmark = 'ed25519 sign'"), ==, 1);
	g_assert_true(store_aliases(fixture.store, &list, NULL));
	g_assert_cmpuint(list->len, ==, 1);
	g_assert_cmpstr(((const struct alias_info *)list->pdata[0])->benchmark, ==, "ed25519 sign");
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void a_second_figure_of_a_series_stays_out_with_a_reason(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	/* The document has a figure of RSA-2048 itself. */
	take_in_document(&fixture, with_unknown("one.txt", "rsa again"));
	g_assert_cmpint(put_alias(&fixture, "rsa again", "rsa-2048 private"), ==, 0);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM measurement"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM reading WHERE benchmark = 'rsa-2048 private' "
					 "AND measurement_id IS NULL AND problem = 'this execution of the "
					 "tool has a figure of this series already'"),
		==, 1);
	assert_sound(&fixture);
	/* The reason goes with the alias, the document's own figure stays. */
	put_alias(&fixture, "rsa again", NULL);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM reading WHERE problem IS NOT NULL"), ==, 0);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM measurement"), ==, 1);
	fixture_close(&fixture);
}

static void a_name_that_waited_takes_the_place_of_one_that_goes(void)
{
	struct fixture fixture = {0};
	struct document *document = with_unknown("one.txt", "fancy sign");

	add_reading(document->parts->pdata[0], made_reading(3, "plain sign", NULL, 0.003, "3.000"));
	fixture_open(&fixture);
	take_in_document(&fixture, document);
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ecdsa-p256 sign"), ==, 1);
	g_assert_cmpint(put_alias(&fixture, "plain sign", "ecdsa-p256 sign"), ==, 0);
	/* The same again does not give the place away. */
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ecdsa-p256 sign"), ==, 1);
	g_autoptr(GArray) first = results_of(&fixture, "benchmark=ecdsa-p256 sign");
	g_assert_cmpfloat(result_at(first, 0)->figure.mean, ==, 0.004);
	put_alias(&fixture, "fancy sign", NULL);
	g_autoptr(GArray) second = results_of(&fixture, "benchmark=ecdsa-p256 sign");
	g_assert_cmpuint(second->len, ==, 1);
	g_assert_cmpfloat(result_at(second, 0)->figure.mean, ==, 0.003);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM reading WHERE problem IS NOT NULL"), ==, 0);
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void best_and_mean_of_a_name_are_one_figure(void)
{
	struct fixture fixture = {0};
	struct document *document = with_unknown("one.txt", "fancy sign");
	struct document_reading best = made_reading(3, "fancy sign", NULL, 0.003, "3.000");
	struct document_reading again = made_reading(4, "fancy sign", NULL, 0.0035, "3.500");

	best.statistic = IMPORT_BEST;
	again.statistic = IMPORT_BEST;
	add_reading(document->parts->pdata[0], best);
	add_reading(document->parts->pdata[0], again);
	fixture_open(&fixture);
	take_in_document(&fixture, document);
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ecdsa-p256 sign"), ==, 1);
	g_autoptr(GArray) results = results_of(&fixture, "benchmark=ecdsa-p256 sign");
	g_assert_cmpfloat(result_at(results, 0)->figure.mean, ==, 0.004);
	g_assert_cmpfloat(result_at(results, 0)->figure.min, ==, 0.003);
	g_assert_cmpint(number(&fixture, "SELECT line FROM reading WHERE problem LIKE '%already'"), ==, 4);
	assert_sound(&fixture);
	put_alias(&fixture, "fancy sign", NULL);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM measurement"), ==, 1);
	fixture_close(&fixture);
}

static void quarantine_and_the_wrong_work_keep_a_number_out(void)
{
	struct fixture fixture = {0};
	struct document *document = with_unknown("one.txt", "fancy sign");
	struct document_reading doubtful = made_reading(3, "fancy sign", NULL, 0.003, "3.000");

	doubtful.problem = "two clocks";
	add_reading(document->parts->pdata[0], doubtful);
	fixture_open(&fixture);
	take_in_document(&fixture, document);
	/* SHA-256 is per byte. */
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "sha-256 hash"), ==, 0);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM reading WHERE problem = 'its value is per "
					 "operation, and the benchmark is per byte'"),
		==, 1);
	g_assert_cmpint(put_alias(&fixture, "fancy sign", "ecdsa-p256 sign"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT line FROM reading WHERE problem = 'two clocks' AND "
					 "measurement_id IS NULL"),
		==, 3);
	assert_sound(&fixture);
	fixture_close(&fixture);
}

static void assert_refused(struct fixture *fixture, const char *importer, const char *name,
	const char *benchmark, const char *why)
{
	g_autoptr(GError) err = NULL;
	int64_t figures;

	g_assert_false(store_alias_put(fixture->store, &figures, importer, name, benchmark, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	if (!strstr(err->message, why))
		g_error("\"%s\" does not say \"%s\"", err->message, why);
}

static void what_cannot_be_an_alias_is_refused(void)
{
	struct fixture fixture = {0};

	fixture_open(&fixture);
	assert_refused(&fixture, "cyasl", "x", "rsa-2048 private", "did you mean \"cyassl\"");
	assert_refused(&fixture, "cyassl", "x", "rsa-2048 privat", "did you mean \"rsa-2048 private\"");
	assert_refused(&fixture, "cyassl", " ", "rsa-2048 private", "needs a name");
	assert_refused(&fixture, "cyassl", "SHA", "md5 hash", "it is the benchmark \"sha-1 hash\"");
	assert_refused(&fixture, "cyassl", "fancy", NULL, "\"fancy\" of cyassl has no alias");
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM alias"), ==, 0);
	fixture_close(&fixture);
}

static void unknown_names_are_listed_with_how_often(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) list = NULL;

	fixture_open(&fixture);
	take_in_document(&fixture, with_unknown("one.txt", "fancy sign"));
	take_in_document(&fixture, with_unknown("two.txt", "rare"));
	take_in_document(&fixture, with_unknown("three.txt", "Fancy  Sign"));
	g_assert_true(store_unknown_names(fixture.store, &list, NULL));
	g_assert_cmpuint(list->len, ==, 2);
	const struct unknown_info *first = list->pdata[0], *second = list->pdata[1];
	g_assert_cmpstr(first->importer, ==, "cyassl");
	g_assert_cmpint(g_ascii_strncasecmp(first->name, "fancy", 5), ==, 0);
	g_assert_cmpint(first->times, ==, 2);
	g_assert_cmpstr(second->name, ==, "rare");
	g_assert_cmpint(second->times, ==, 1);
	fixture_close(&fixture);
}

static void a_run_is_pinned_under_a_name(void)
{
	struct fixture fixture = {0};
	g_autoptr(GPtrArray) list = NULL;
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	int64_t first = begin_run(&fixture, "first"), second = begin_run(&fixture, "second");
	g_assert_true(store_baseline_put(fixture.store, "release", first, NULL));
	g_assert_true(store_baseline_put(fixture.store, "release", second, NULL));
	g_assert_true(store_baseline_put(fixture.store, "before", first, NULL));
	g_assert_true(store_baselines(fixture.store, &list, NULL));
	g_assert_cmpuint(list->len, ==, 2);
	const struct baseline_info *before = list->pdata[0], *release = list->pdata[1];
	g_assert_cmpstr(before->name, ==, "before");
	g_assert_cmpstr(release->label, ==, "second");
	g_assert_cmpstr(release->matrix, ==, "quick");
	g_assert_cmpint(release->run, ==, second);
	g_assert_true(store_baseline_drop(fixture.store, "release", NULL));
	g_assert_false(store_baseline_drop(fixture.store, "befor", &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(err->message, "did you mean \"before\"?"));
	g_clear_error(&err);
	g_assert_false(store_baseline_put(fixture.store, "x", 99, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_clear_error(&err);
	/* run=latest would go on to mean the newest run. */
	g_assert_false(store_baseline_put(fixture.store, "latest~1", first, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_clear_error(&err);
	g_assert_false(store_baseline_put(fixture.store, "", first, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	fixture_close(&fixture);
}

#define TEST(name) g_test_add_func("/store_alias/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(a_name_gets_its_benchmark_in_what_was_imported_before);
	TEST(a_name_has_its_benchmark_in_what_is_imported_later);
	TEST(taking_an_alias_away_takes_its_figures_away);
	TEST(another_benchmark_for_a_name_moves_its_figures);
	TEST(a_second_figure_of_a_series_stays_out_with_a_reason);
	TEST(a_name_that_waited_takes_the_place_of_one_that_goes);
	TEST(best_and_mean_of_a_name_are_one_figure);
	TEST(cycles_follow_where_the_document_tells_the_clock);
	TEST(quarantine_and_the_wrong_work_keep_a_number_out);
	TEST(what_cannot_be_an_alias_is_refused);
	TEST(unknown_names_are_listed_with_how_often);
	TEST(a_run_is_pinned_under_a_name);
	return g_test_run();
}
