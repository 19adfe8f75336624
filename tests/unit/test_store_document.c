#include "document_fixture.h"
#include "store_fixture.h"

#include "diag.h"
#include "store_private.h"

#include <inttypes.h>

static int64_t take_in_document(struct fixture *fixture, const struct document *document, bool expect_new)
{
	g_autoptr(GError) err = NULL;
	bool is_new;
	int64_t run;

	store_document_take_in(fixture->store, &run, &is_new, document, &err);
	g_assert_no_error(err);
	g_assert_cmpint(is_new, ==, expect_new);
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

/* Two parts, of versions 2.3.0 and 2.4.0: a figure each; the first also with a number in quarantine and an
 * unknown name; a line that was not understood. */
static struct document *two_parts(void)
{
	struct document *document =
		made_document("speed.txt", "cyassl", "RSA 2048 took 9.123 milliseconds\n");
	struct document_remark remark = {7, "RSA oops", "no number"};
	struct document_part *part = made_part(document, "2.3.0");
	struct document_reading doubtful = made_reading(4, "DH 2048", "dh-2048 agree", 0.002, "2.0");

	document->source.reference = "https://example.org/speed";
	add_figure(
		document, part, made_reading(3, "RSA 2048 private", "rsa-2048 private", 0.009123, "9.123"));
	doubtful.problem = "2.0 ms and 900 ops/sec disagree";
	add_reading(part, doubtful);
	add_reading(part, made_reading(5, "Fancy sign", NULL, 0.004, "4.000"));
	part = made_part(document, "2.4.0");
	add_figure(document, part, made_reading(9, "RSA 2048 private", "rsa-2048 private", 0.008, "8.000"));
	g_array_append_val(document->remarks, remark);
	return document;
}

static void a_document_becomes_a_run_without_a_matrix(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();
	g_autoptr(GPtrArray) runs = NULL, cells = NULL, failures = NULL;

	fixture_open(&fixture);
	int64_t run = take_in_document(&fixture, document, true);
	g_assert_true(store_runs(fixture.store, &runs, NULL));
	g_assert_cmpuint(runs->len, ==, 1);
	const struct run_info *info = runs->pdata[0];
	g_assert_null(info->matrix);
	g_assert_cmpstr(info->label, ==, "speed.txt");
	g_assert_cmpint(info->cells, ==, 2);
	g_assert_cmpint(info->ok, ==, 2);
	g_assert_cmpint(info->failed + info->partial, ==, 0);
	g_assert_true(store_cells(fixture.store, &cells, run, NULL));
	g_assert_cmpstr(((const struct cell_info *)cells->pdata[1])->name, ==,
		"speed.txt, part 2: cyassl-2.4.0 on sparc t3");
	g_assert_true(store_failures(fixture.store, &failures, run, NULL));
	g_assert_cmpuint(failures->len, ==, 0);
	assert_sound(&fixture);
	fixture_close(&fixture);
	free_made(document);
}

static void the_same_document_again_is_left_as_it_is(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();

	fixture_open(&fixture);
	int64_t run = take_in_document(&fixture, document, true);
	g_assert_cmpint(take_in_document(&fixture, document, false), ==, run);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM run"), ==, 1);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM reading"), ==, 4);
	fixture_close(&fixture);
	free_made(document);
}

static char *text_of(struct fixture *fixture, const char *text)
{
	struct sql_query query;

	g_assert_true(sql_query(&query, fixture->store->sql, text, NULL, NULL));
	g_assert_true(sql_next(&query));
	char *value = g_strdup(sql_text(&query, 0));
	g_assert_true(sql_done(&query, NULL));
	return value;
}

#define UUIDS                                                                                                \
	"35abf72b-f395-809c-b017-a1d683e9be63 "                                                              \
	"94b821f9-02e5-8299-87b9-0f80ebe3f300,4a4d91ba-ce26-85b8-baec-7ea855c2f916 "                         \
	"8b6cc8ce-8f8d-80e8-8169-dbda6c6cba5e,7f554ec2-af44-8e0e-8742-3ba115986ee1 "                         \
	"e2dc7a53-fea5-8b70-9c2c-1d2b7e87657e"

/* The UUIDs were computed with Python's hashlib from the rule in store_private.h. */
static void two_databases_give_it_the_same_uuids(void)
{
	static const char all[] = "SELECT (SELECT group_concat(uuid) FROM run) || ' ' || (SELECT "
				  "group_concat(uuid) FROM (SELECT uuid FROM attempt ORDER BY id)) || ' ' || "
				  "(SELECT group_concat(uuid) FROM (SELECT uuid FROM build ORDER BY id)) || "
				  "' ' || (SELECT group_concat(uuid) FROM platform)";
	struct fixture one = {0}, other = {0};
	struct document *document = two_parts();

	fixture_open(&one);
	fixture_open(&other);
	/* Something else was there before. */
	take_in_run(&other, NULL, "sp", 1, 1000);
	take_in_document(&one, document, true);
	int64_t run = take_in_document(&other, document, true);
	g_autofree char *ours = text_of(&one, all);
	g_assert_cmpstr(ours, ==, UUIDS);
	g_autofree char *run_uuid = text_of(&one, "SELECT uuid FROM run");
	g_autofree char *attempts =
		text_of(&one, "SELECT group_concat(uuid) FROM (SELECT uuid FROM attempt ORDER BY id)");
	int64_t there;
	g_assert_true(store_run_by_uuid(other.store, &there, run_uuid, NULL));
	g_assert_cmpint(there, ==, run);
	g_autofree char *theirs = text_of(&other,
		"SELECT group_concat(uuid) FROM (SELECT a.uuid FROM attempt AS a JOIN cell AS c ON c.id = "
		"a.cell_id JOIN run AS r ON r.id = c.run_id WHERE r.matrix IS NULL ORDER BY a.id)");
	g_assert_cmpstr(attempts, ==, theirs);
	fixture_close(&one);
	fixture_close(&other);
	free_made(document);
}

static void equal_builds_of_two_documents_are_one(void)
{
	struct fixture fixture = {0};
	struct document *first = two_parts(), *second = made_document("more.txt", "cyassl", "another\n");

	add_figure(second, made_part(second, "2.4.0"),
		made_reading(1, "RSA 2048 private", "rsa-2048 private", 0.0081, "8.100"));
	fixture_open(&fixture);
	take_in_document(&fixture, first, true);
	take_in_document(&fixture, second, true);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM build"), ==, 2);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM platform"), ==, 1);
	fixture_close(&fixture);
	free_made(first);
	free_made(second);
}

static void imports_are_counted(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();
	g_autoptr(GPtrArray) imports = NULL;

	fixture_open(&fixture);
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	int64_t run = take_in_document(&fixture, document, true);
	g_assert_true(store_imports(fixture.store, &imports, NULL));
	g_assert_cmpuint(imports->len, ==, 1);
	const struct import_info *info = imports->pdata[0];
	g_assert_cmpint(info->run, ==, run);
	g_assert_cmpstr(info->name, ==, "speed.txt");
	g_assert_cmpstr(info->importer, ==, "cyassl");
	g_assert_cmpstr(info->reference, ==, "https://example.org/speed");
	g_assert_cmpstr(info->platform, ==, "sparc t3");
	g_assert_cmpint(info->lines, ==, 12);
	g_assert_cmpint(info->other, ==, 3);
	g_assert_cmpint(info->figures, ==, 2);
	g_assert_cmpint(info->quarantined, ==, 1);
	g_assert_cmpint(info->unknown, ==, 1);
	g_assert_cmpint(info->not_understood, ==, 1);
	fixture_close(&fixture);
	free_made(document);
}

static void what_was_printed_comes_out_as_it_went_in(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();
	g_autoptr(GPtrArray) readings = NULL;
	g_autofree char *text = NULL, *unit = NULL, *none = NULL, *no_unit = NULL;

	fixture_open(&fixture);
	int64_t run = take_in_document(&fixture, document, true);
	g_assert_true(store_readings(fixture.store, &readings, run, NULL));
	g_assert_cmpuint(readings->len, ==, 5);
	const struct reading_info *first = readings->pdata[0], *doubtful = readings->pdata[1],
				  *unknown = readings->pdata[2], *remark = readings->pdata[3];
	g_assert_cmpint(first->line, ==, 3);
	g_assert_cmpstr(first->benchmark, ==, "rsa-2048 private");
	g_assert_cmpfloat(first->value, ==, 0.009123);
	g_assert_cmpint(doubtful->measurement, ==, 0);
	g_assert_cmpstr(doubtful->problem, ==, "2.0 ms and 900 ops/sec disagree");
	g_assert_cmpstr(unknown->name, ==, "Fancy sign");
	g_assert_null(unknown->benchmark);
	g_assert_cmpint(remark->line, ==, 7);
	g_assert_null(remark->name);
	g_assert_cmpstr(remark->text, ==, "RSA oops");
	g_assert_true(isnan(remark->value));
	g_assert_true(store_printed(fixture.store, &text, &unit, first->measurement, "mean", NULL));
	g_assert_cmpstr(text, ==, "9.123");
	g_assert_cmpstr(unit, ==, "milliseconds");
	g_assert_true(store_printed(fixture.store, &none, &no_unit, first->measurement, "best", NULL));
	g_assert_null(none);
	g_assert_null(no_unit);
	fixture_close(&fixture);
	free_made(document);
}

static void a_figure_tells_its_document(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();

	fixture_open(&fixture);
	document->source.published_at = INT64_C(1300000000000000000);
	document->source.source = SOURCE_PUBLISHED;
	for (guint i = 0; i < 2; i++)
		g_array_index(((struct document_part *)document->parts->pdata[i])->measurements,
			struct measurement, 0)
			.source = SOURCE_PUBLISHED;
	take_in_run(&fixture, NULL, "sp", 1, 1000);
	take_in_document(&fixture, document, true);
	g_autoptr(GArray) results = results_of(&fixture, "source=published,version=2.3.0");
	g_assert_cmpuint(results->len, ==, 1);
	const struct result *result = result_at(results, 0);
	g_assert_cmpstr(result->document, ==, "speed.txt");
	g_assert_cmpstr(result->reference, ==, "https://example.org/speed");
	g_assert_cmpint(result->started_at, ==, INT64_C(1300000000000000000));
	g_assert_cmpint(result->figure.n, ==, 0);
	g_assert_cmpfloat(result->figure.mean, ==, 0.009123);
	g_assert_true(isnan(result->figure.median) && isnan(result->figure.min));
	g_autoptr(GArray) own = results_of(&fixture, "source=own");
	g_assert_cmpuint(own->len, ==, 1);
	g_assert_null(result_at(own, 0)->document);
	g_assert_null(result_at(own, 0)->reference);
	fixture_close(&fixture);
	free_made(document);
}

static void the_latest_run_is_one_of_a_matrix(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();
	g_autoptr(GError) err = NULL;
	int64_t found;

	fixture_open(&fixture);
	int64_t run = take_in_document(&fixture, document, true);
	g_assert_false(store_run_find(fixture.store, &found, "latest", &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	int64_t older = begin_run(&fixture, "older"), newer = begin_run(&fixture, "newer");
	g_assert_true(sql_script(fixture.store->sql,
		"UPDATE run SET started_at = 1 WHERE label = 'older'; "
		"UPDATE run SET started_at = 2 WHERE label = 'newer'",
		NULL));
	g_assert_true(store_run_find(fixture.store, &found, "latest", NULL));
	g_assert_cmpint(found, ==, newer);
	g_assert_true(store_run_find(fixture.store, &found, "latest~1", NULL));
	g_assert_cmpint(found, ==, older);
	g_assert_true(store_run_find(fixture.store, &found, "speed.txt", NULL));
	g_assert_cmpint(found, ==, run);
	g_autoptr(GArray) results = results_of(&fixture, "run=speed.txt");
	g_assert_cmpuint(results->len, ==, 2);
	fixture_close(&fixture);
	free_made(document);
}

static const char *value_of(const struct store_description *description, const char *key)
{
	for (guint i = 0; i < description->keys->len; i++)
		if (strcmp(description->keys->pdata[i], key) == 0)
			return description->values->pdata[i];
	return NULL;
}

static struct store_description *description_of(struct fixture *fixture, enum store_thing thing, int64_t id)
{
	g_autoptr(GError) err = NULL;
	struct store_description *description = NULL;

	store_describe(fixture->store, &description, thing, id, &err);
	g_assert_no_error(err);
	return description;
}

static void an_import_is_described(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();

	fixture_open(&fixture);
	int64_t run = take_in_document(&fixture, document, true);
	struct store_description *d = description_of(&fixture, STORE_RUN, run);
	g_assert_cmpstr(value_of(d, "document"), ==, "speed.txt");
	g_assert_cmpstr(value_of(d, "format"), ==, "cyassl");
	g_assert_cmpstr(value_of(d, "lines"), ==, "12 (3 of them not the tool's)");
	g_assert_cmpstr(value_of(d, "executions of the tool"), ==, "2");
	g_assert_cmpstr(value_of(d, "numbers"), ==, "2");
	g_assert_cmpstr(value_of(d, "numbers in quarantine"), ==, "1");
	g_assert_cmpstr(value_of(d, "numbers with an unknown name"), ==, "1");
	g_assert_cmpstr(value_of(d, "lines not understood"), ==, "1");
	g_assert_null(value_of(d, "exit status"));
	g_assert_null(value_of(d, "ended"));
	g_assert_cmpstr(d->text, ==, document->text);
	store_description_free(d);

	d = description_of(&fixture, STORE_ATTEMPT, number(&fixture, "SELECT max(id) FROM attempt"));
	g_assert_cmpstr(value_of(d, "document"), ==, "speed.txt");
	g_assert_cmpstr(value_of(d, "reference"), ==, "https://example.org/speed");
	g_assert_cmpstr(value_of(d, "from line"), ==, "9");
	g_assert_cmpstr(value_of(d, "it says"), ==, "{\"cpu\":\"SPARC T3\"}");
	/* How long it took is unknown, and so is what was started. */
	g_assert_null(value_of(d, "took"));
	g_assert_null(value_of(d, "argv"));
	store_description_free(d);

	d = description_of(&fixture, STORE_BUILD, number(&fixture, "SELECT max(id) FROM build"));
	g_assert_cmpstr(value_of(d, "version"), ==, "2.4.0");
	g_assert_cmpstr(value_of(d, "compiler"), ==, "gcc 4.7");
	g_assert_cmpstr(value_of(d, "known from"), ==, "speed.txt");
	g_assert_null(value_of(d, "built"));
	store_description_free(d);
	fixture_close(&fixture);
	free_made(document);
}

static void a_build_of_which_nothing_is_known_is_described(void)
{
	struct fixture fixture = {0};
	struct document *document = made_document("bare.txt", "cyassl", "bare\n");
	struct document_part *part = made_part(document, NULL);

	part->labels = (struct labels){{NULL}};
	part->compiler = NULL;
	add_figure(document, part, made_reading(1, "RSA 2048 private", "rsa-2048 private", 0.01, "10.000"));
	fixture_open(&fixture);
	take_in_document(&fixture, document, true);
	g_assert_cmpint(number(&fixture, "SELECT platform_id FROM cell"), ==, 0);
	struct store_description *d = description_of(&fixture, STORE_BUILD, 1);
	g_assert_cmpstr(value_of(d, "known from"), ==, "bare.txt");
	store_description_free(d);
	g_autofree char *cell = text_of(&fixture, "SELECT name || ' of ' || instrument FROM cell");
	g_autofree char *expected = g_strdup_printf("bare.txt of %s", document->importer->instrument);
	g_assert_cmpstr(cell, ==, expected);
	assert_sound(&fixture);
	fixture_close(&fixture);
	free_made(document);
}

static void a_document_never_speaks_against_a_machine(void)
{
	static const char *const facts[] = {"cpu", "SPARC T3", "cores", "16", NULL};
	struct fixture fixture = {0};
	struct document *document = two_parts();
	g_autoptr(GHashTable) own = g_hash_table_new(g_str_hash, g_str_equal);
	int64_t platform;

	fixture_open(&fixture);
	g_hash_table_insert(own, (gpointer) "cpu", (gpointer) "SPARC T3 rev 2");
	g_hash_table_insert(own, (gpointer) "governor", (gpointer) "performance");
	g_assert_true(
		store_platform_put(fixture.store, &platform, "sparc t3", ENVIRONMENT_HARDWARE, own, NULL));
	document->source.platform_facts = facts;
	document->source.environment = ENVIRONMENT_UNKNOWN;
	take_in_document(&fixture, document, true);
	struct store_description *d = description_of(&fixture, STORE_PLATFORM, platform);
	g_assert_cmpstr(value_of(d, "cpu"), ==, "SPARC T3 rev 2");
	g_assert_cmpstr(value_of(d, "governor"), ==, "performance");
	g_assert_cmpstr(value_of(d, "cores"), ==, "16");
	g_assert_cmpstr(value_of(d, "environment"), ==, "hardware");
	store_description_free(d);
	fixture_close(&fixture);
	free_made(document);
}

static void what_a_platform_is_may_become_known_but_not_change(void)
{
	struct fixture fixture = {0};
	struct document *document = two_parts();
	g_autoptr(GError) err = NULL;
	bool is_new;
	int64_t run, platform;

	fixture_open(&fixture);
	document->source.environment = ENVIRONMENT_UNKNOWN;
	take_in_document(&fixture, document, true);
	platform = put_platform(&fixture, "sparc t3", ENVIRONMENT_EMULATOR);
	struct store_description *d = description_of(&fixture, STORE_PLATFORM, platform);
	g_assert_cmpstr(value_of(d, "environment"), ==, "emulator");
	store_description_free(d);
	document->source.environment = ENVIRONMENT_HARDWARE;
	document->sha256[0] ^= 1;
	g_assert_false(store_document_take_in(fixture.store, &run, &is_new, document, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	g_assert_nonnull(strstr(err->message, "\"sparc t3\" is known as emulator"));
	/* Nothing of it stays. */
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM run"), ==, 1);
	fixture_close(&fixture);
	free_made(document);
}

static void bulk_work_without_a_block_is_per_byte(void)
{
	struct fixture fixture = {0};
	struct document *document = made_document("bulk.txt", "cyassl", "bulk\n");
	struct document_reading reading = made_reading(1, "AES", "aes-128-cbc encrypt", 2e-8, "50.000");

	reading.work = WORK_BULK;
	add_figure(document, made_part(document, "2.3.0"), reading);
	fixture_open(&fixture);
	take_in_document(&fixture, document, true);
	g_autofree char *per = text_of(&fixture, "SELECT per || ' ' || document FROM result");
	g_assert_cmpstr(per, ==, "byte bulk.txt");
	fixture_close(&fixture);
	free_made(document);
}

static void more_figures_than_ids_are_refused(void)
{
	struct fixture fixture = {0};
	struct document *document = made_document("huge.txt", "cyassl", "huge\n");
	struct document_part *part = made_part(document, "2.3.0");
	g_autoptr(GError) err = NULL;
	bool is_new;
	int64_t run;

	g_array_set_size(part->measurements, (1 << 20) + 1);
	fixture_open(&fixture);
	g_assert_false(store_document_take_in(fixture.store, &run, &is_new, document, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpint(number(&fixture, "SELECT count(*) FROM run"), ==, 0);
	fixture_close(&fixture);
	free_made(document);
}

#define TEST(name) g_test_add_func("/store_document/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	TEST(a_document_becomes_a_run_without_a_matrix);
	TEST(the_same_document_again_is_left_as_it_is);
	TEST(two_databases_give_it_the_same_uuids);
	TEST(equal_builds_of_two_documents_are_one);
	TEST(imports_are_counted);
	TEST(what_was_printed_comes_out_as_it_went_in);
	TEST(a_figure_tells_its_document);
	TEST(the_latest_run_is_one_of_a_matrix);
	TEST(an_import_is_described);
	TEST(a_build_of_which_nothing_is_known_is_described);
	TEST(a_document_never_speaks_against_a_machine);
	TEST(what_a_platform_is_may_become_known_but_not_change);
	TEST(bulk_work_without_a_block_is_per_byte);
	TEST(more_figures_than_ids_are_refused);
	return g_test_run();
}
