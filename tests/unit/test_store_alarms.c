#include "store_alarms.h"

#include "store_fixture.h"

#include "diag.h"
#include "store_private.h"

static GPtrArray *nights_of(struct fixture *fixture, const char *matrix)
{
	g_autoptr(GError) err = NULL;
	GPtrArray *nights = NULL;

	store_nights(fixture->store, &nights, matrix, &err);
	g_assert_no_error(err);
	return nights;
}

static GArray *alarms_of(struct fixture *fixture)
{
	g_autoptr(GError) err = NULL;
	GArray *alarms = NULL;

	store_alarms(fixture->store, &alarms, "quick", &err);
	g_assert_no_error(err);
	return alarms;
}

/* A run of one figure that is a night; returns its series. */
static int64_t begin_night(struct fixture *fixture, const char *label)
{
	g_autoptr(GError) err = NULL;

	take_in_run(fixture, label, "default", 1000, 500);
	store_night_begin(fixture->store, fixture->run, "previous", &err);
	g_assert_no_error(err);
	g_autoptr(GArray) results = results_of(fixture, "");
	return result_at(results, 0)->series;
}

static struct alarm_row regression(int64_t series)
{
	return (struct alarm_row){.series = series,
		.kind = ALARM_REGRESSION,
		.before = 2.5,
		.after = 3.5,
		.again = (double)NAN,
		.revision_before = "aaaa",
		.revision_after = "bbbb"};
}

static void a_night_is_settled_with_its_alarms_once(void)
{
	struct fixture fixture;
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	int64_t series = begin_night(&fixture, "one");
	struct alarm_row alarm = regression(series);
	g_assert_true(store_night_settle(fixture.store, fixture.run, "{\"n\":1}", &alarm, 1, &err));
	g_assert_no_error(err);
	/* What was killed behind it and comes again changes nothing. */
	alarm.kind = ALARM_INSTRUMENT;
	g_assert_true(store_night_settle(fixture.store, fixture.run, "{\"n\":2}", &alarm, 1, &err));
	g_assert_no_error(err);

	g_autoptr(GPtrArray) nights = nights_of(&fixture, "quick");
	g_assert_cmpuint(nights->len, ==, 1);
	const struct night_info *night = nights->pdata[0];
	g_assert_cmpstr(night->report, ==, "{\"n\":1}");
	g_assert_cmpstr(night->baseline, ==, "previous");
	g_assert_cmpint(night->settled_at, >, 0);
	g_assert_cmpint(night->told_at, ==, 0);
	g_autoptr(GArray) alarms = alarms_of(&fixture);
	g_assert_cmpuint(alarms->len, ==, 1);
	const struct alarm_row *found = &g_array_index(alarms, struct alarm_row, 0);
	g_assert_cmpint(found->kind, ==, ALARM_REGRESSION);
	g_assert_cmpint(found->series, ==, series);
	g_assert_cmpfloat(found->before, ==, 2.5);
	g_assert_cmpfloat(found->after, ==, 3.5);
	g_assert_true(isnan(found->again));
	g_assert_cmpstr(found->revision_before, ==, "aaaa");
	g_assert_cmpstr(found->revision_after, ==, "bbbb");
	g_assert_null(found->instrument);
	fixture_close(&fixture);
}

static void an_alarm_that_cannot_be_kept_leaves_the_night_unsettled(void)
{
	struct fixture fixture;
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	struct alarm_row alarms[] = {regression(begin_night(&fixture, "one")), regression(999)};
	g_assert_false(store_night_settle(fixture.store, fixture.run, "{}", alarms, 2, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_autoptr(GPtrArray) nights = nights_of(&fixture, "quick");
	g_assert_null(((const struct night_info *)nights->pdata[0])->report);
	g_autoptr(GArray) kept = alarms_of(&fixture);
	g_assert_cmpuint(kept->len, ==, 0);
	fixture_close(&fixture);
}

static void a_night_is_told_only_when_it_is_settled(void)
{
	struct fixture fixture;
	g_autoptr(GError) err = NULL;

	fixture_open(&fixture);
	begin_night(&fixture, "one");
	g_assert_true(store_night_told(fixture.store, fixture.run, &err));
	g_autoptr(GPtrArray) before = nights_of(&fixture, "quick");
	g_assert_cmpint(((const struct night_info *)before->pdata[0])->told_at, ==, 0);
	g_assert_true(store_night_settle(fixture.store, fixture.run, "{}", NULL, 0, &err));
	g_assert_true(store_night_told(fixture.store, fixture.run, &err));
	g_autoptr(GPtrArray) after = nights_of(&fixture, "quick");
	g_assert_cmpint(((const struct night_info *)after->pdata[0])->told_at, >, 0);
	fixture_close(&fixture);
}

static void nights_are_those_of_the_matrix_newest_first(void)
{
	struct fixture fixture;

	fixture_open(&fixture);
	begin_night(&fixture, "one");
	int64_t first = fixture.run;
	take_in_run(&fixture, "by hand", "default", 2000, 500);
	begin_night(&fixture, "two");
	g_autoptr(GPtrArray) nights = nights_of(&fixture, "quick"), none = nights_of(&fixture, "slow"),
			     all = nights_of(&fixture, NULL);
	g_assert_cmpuint(nights->len, ==, 2);
	g_assert_cmpint(((const struct night_info *)nights->pdata[0])->run, ==, fixture.run);
	g_assert_cmpint(((const struct night_info *)nights->pdata[1])->run, ==, first);
	g_assert_cmpuint(none->len, ==, 0);
	g_assert_cmpuint(all->len, ==, 2);
	fixture_close(&fixture);
}

static void an_instrument_is_what_measured_the_attempt(void)
{
	struct fixture fixture;
	struct instrument instrument;
	g_autoptr(GError) err = NULL;
	g_autoptr(GHashTable) facts = g_hash_table_new(g_str_hash, g_str_equal);

	fixture_open(&fixture);
	take_in_run(&fixture, "one", "default", 1000, 500);
	g_hash_table_insert(facts, (char *)"cpu", (char *)"Cortex-A76");
	g_hash_table_insert(facts, (char *)"kernel", (char *)"6.1.0");
	int64_t platform;
	g_assert_true(
		store_platform_put(fixture.store, &platform, "rock5", ENVIRONMENT_HARDWARE, facts, &err));
	int64_t attempt = take_in_run(&fixture, "two", "default", 2000, 500);
	g_assert_true(store_instrument(fixture.store, &instrument, attempt, &err));
	g_assert_cmpstr(instrument.compiler, ==, "gcc 12");
	g_assert_cmpstr(instrument.key_library, ==, "11aa");
	g_assert_cmpstr(instrument.key_program, ==, "22bb");
	g_assert_cmpstr(instrument.machine, ==, "Cortex-A76, 6.1.0");
	g_assert_null(instrument.emulator);
	g_assert_null(instrument.plugin);
	g_assert_null(instrument.core);
	fixture_close(&fixture);
}

static void a_run_is_found_by_its_matrix_and_label(void)
{
	struct fixture fixture;
	g_autoptr(GError) err = NULL;
	g_autofree char *uuid = NULL, *none = NULL;
	int64_t run;
	bool ended;

	fixture_open(&fixture);
	begin_run(&fixture, "night one");
	int64_t wanted = begin_run(&fixture, "night *");
	begin_run(&fixture, "night two");
	g_assert_true(store_run_labelled(fixture.store, &run, &uuid, &ended, "quick", "night *", &err));
	g_assert_cmpint(run, ==, wanted);
	g_assert_false(ended);
	g_assert_true(store_run_end(fixture.store, wanted, 0, &err));
	g_clear_pointer(&uuid, g_free);
	g_assert_true(store_run_labelled(fixture.store, &run, &uuid, &ended, "quick", "night *", &err));
	g_assert_true(ended);
	g_assert_true(store_run_ended(fixture.store, &ended, fixture.run, &err));
	g_assert_false(ended);
	g_assert_true(store_run_labelled(fixture.store, &run, &none, &ended, "slow", "night *", &err));
	g_assert_cmpint(run, ==, 0);
	g_assert_null(none);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func(
		"/alarms/a_night_is_settled_with_its_alarms_once", a_night_is_settled_with_its_alarms_once);
	g_test_add_func("/alarms/an_alarm_that_cannot_be_kept_leaves_the_night_unsettled",
		an_alarm_that_cannot_be_kept_leaves_the_night_unsettled);
	g_test_add_func(
		"/alarms/a_night_is_told_only_when_it_is_settled", a_night_is_told_only_when_it_is_settled);
	g_test_add_func("/alarms/nights_are_those_of_the_matrix_newest_first",
		nights_are_those_of_the_matrix_newest_first);
	g_test_add_func("/alarms/an_instrument_is_what_measured_the_attempt",
		an_instrument_is_what_measured_the_attempt);
	g_test_add_func(
		"/alarms/a_run_is_found_by_its_matrix_and_label", a_run_is_found_by_its_matrix_and_label);
	return g_test_run();
}
