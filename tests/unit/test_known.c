#include "diag.h"
#include "known.h"

#include <glib/gstdio.h>
#include <string.h>

static char *scratch;

static bool load(struct known **ret, const char *text, GError **err)
{
	g_autofree char *file = g_build_filename(scratch, "known-failures.json", NULL);

	g_assert_true(g_file_set_contents(file, text, -1, NULL));
	return known_load(ret, file, err);
}

static struct known *loaded(const char *text)
{
	g_autoptr(GError) error = NULL;
	struct known *known = NULL;

	load(&known, text, &error);
	g_assert_no_error(error);
	return known;
}

static const char two[] =
	"{\"known_failures\": ["
	"{\"cell\": \"mips-gcc wolfssl-* default *\", \"benchmark\": \"rsa-*\", \"state\": \"crashed\","
	" \"reason\": \"unaligned words\", \"until\": \"2027-03-31\"},"
	"{\"cell\": \"sparc*\", \"reason\": \"no compiler yet\"}]}";

#define MIPS "mips-gcc wolfssl-5.5.4 default crypto -O2 on qemu-user count"

static void reads_entries_in_order(void)
{
	struct known *known = loaded(two);

	g_assert_true(g_str_has_suffix(known->file, "/known-failures.json"));
	g_assert_cmpuint(known->entries->len, ==, 2);
	const struct known_failure *first = known->entries->pdata[0], *second = known->entries->pdata[1];
	g_assert_cmpstr(first->cell, ==, "mips-gcc wolfssl-* default *");
	g_assert_cmpstr(first->benchmark, ==, "rsa-*");
	g_assert_cmpstr(first->state, ==, "crashed");
	g_assert_cmpstr(first->reason, ==, "unaligned words");
	g_assert_cmpstr(first->until, ==, "2027-03-31");
	g_assert_null(second->benchmark);
	g_assert_null(second->state);
	g_assert_null(second->until);
	known_free(known);
}

static void finds_by_cell_benchmark_and_state(void)
{
	struct known *known = loaded(two);
	const struct known_failure *rsa = known->entries->pdata[0], *sparc = known->entries->pdata[1];

	g_assert_true(known_find(known, MIPS, "rsa-2048 private", "crashed", "2026-11-30") == rsa);
	g_assert_null(known_find(known, MIPS, "rsa-2048 private", "wrong-answer", "2026-11-30"));
	g_assert_null(known_find(known, MIPS, "dh-2048 agree", "crashed", "2026-11-30"));
	g_assert_null(known_find(known, MIPS, "", "crashed", "2026-11-30"));
	g_assert_null(known_find(known, "mips-gcc wolfssl-5.5.4 sp crypto -O2 on qemu-user count",
		"rsa-2048 private", "crashed", "2026-11-30"));
	g_assert_true(known_find(known, "sparc-gcc x", "", "unsupported", "2026-11-30") == sparc);
	g_assert_true(
		known_find(known, "sparc-gcc x", "sha-256 hash 1024", "timeout", "2099-01-01") == sparc);
	g_assert_null(known_find(NULL, MIPS, "rsa-2048 private", "crashed", "2026-11-30"));
	known_free(known);
}

static void takes_a_benchmark_with_its_block_or_without(void)
{
	struct known *known = loaded("{\"known_failures\": ["
				     "{\"cell\": \"a\", \"benchmark\": \"sha-256 hash\", \"reason\": \"r\"},"
				     "{\"cell\": \"b\", \"benchmark\": \"* 1024\", \"reason\": \"r\"}]}");

	g_assert_nonnull(known_find(known, "a", "sha-256 hash 1024", "timeout", "2026-11-30"));
	g_assert_nonnull(known_find(known, "a", "sha-256 hash", "timeout", "2026-11-30"));
	g_assert_nonnull(known_find(known, "b", "sha-256 hash 1024", "timeout", "2026-11-30"));
	g_assert_null(known_find(known, "b", "sha-256 hash 64", "timeout", "2026-11-30"));
	known_free(known);
}

static void holds_through_its_last_day(void)
{
	struct known *known = loaded(two);
	const struct known_failure *entry = known->entries->pdata[0];

	g_assert_false(known_expired(entry, "2026-11-30"));
	g_assert_false(known_expired(entry, "2027-03-31"));
	g_assert_true(known_expired(entry, "2027-04-01"));
	g_assert_false(known_expired(known->entries->pdata[1], "2999-12-31"));
	/* It is still found, so that it can be said. */
	g_assert_true(known_find(known, MIPS, "rsa-2048 private", "crashed", "2027-04-01") == entry);
	known_free(known);
}

static void prefers_an_entry_that_has_not_expired(void)
{
	struct known *known =
		loaded("{\"known_failures\": ["
		       "{\"cell\": \"*\", \"reason\": \"old\", \"until\": \"2025-01-01\"},"
		       "{\"cell\": \"*\", \"reason\": \"older\", \"until\": \"2024-01-01\"},"
		       "{\"cell\": \"mips*\", \"reason\": \"new\", \"until\": \"2027-01-01\"}]}");

	g_assert_cmpstr(known_find(known, MIPS, "", "crashed", "2026-11-30")->reason, ==, "new");
	g_assert_cmpstr(known_find(known, MIPS, "", "crashed", "2028-11-30")->reason, ==, "old");
	known_free(known);
}

static void knows_what_day_it_is(void)
{
	g_autoptr(GDateTime) before = g_date_time_new_now_utc();
	g_autofree char *today = known_today();
	g_autoptr(GDateTime) after = g_date_time_new_now_utc();
	g_autofree char *first = g_date_time_format(before, "%F"), *last = g_date_time_format(after, "%F");

	g_assert_true(strcmp(today, first) == 0 || strcmp(today, last) == 0);
}

static void refuses_what_is_wrong_with_its_place(void)
{
	static const struct {
		const char *entry, *path, *words;
	} cases[] = {
		{"{\"reason\": \"r\"}", "$.known_failures[0]", "cell"},
		{"{\"cell\": \"*\"}", "$.known_failures[0]", "reason"},
		{"{\"cell\": \"\", \"reason\": \"r\"}", "$.known_failures[0].cell", "empty"},
		{"{\"cell\": \"*\", \"reason\": \"\"}", "$.known_failures[0].reason", "say why"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"benchmrk\": \"*\"}", "$.known_failures[0]",
			"did you mean \"benchmark\"?"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"state\": \"crashd\"}", "$.known_failures[0].state",
			"did you mean \"crashed\"?"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"state\": \"ok\"}", "$.known_failures[0].state",
			"unknown state of a failure"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"until\": \"2027-02-29\"}",
			"$.known_failures[0].until", "no date"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"until\": \"31.03.2027\"}",
			"$.known_failures[0].until", "no date"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"until\": \"2027-3-31\"}",
			"$.known_failures[0].until", "no date"},
		{"{\"cell\": \"*\", \"reason\": \"r\", \"until\": \"2027-03-31 \"}",
			"$.known_failures[0].until", "no date"},
		{"{\"cell\": [], \"reason\": \"r\"}", "$.known_failures[0].cell", "string"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *text = g_strdup_printf("{\"known_failures\": [%s]}", cases[i].entry);
		g_autoptr(GError) error = NULL;
		struct known *known;
		g_assert_false(load(&known, text, &error));
		g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
		if (strstr(error->message, cases[i].path) == NULL ||
			strstr(error->message, cases[i].words) == NULL)
			g_error("%s or \"%s\" is not in: %s", cases[i].path, cases[i].words, error->message);
	}
}

static void refuses_a_file_of_another_shape(void)
{
	static const char *const texts[] = {"[]", "{}", "{\"known_failures\": {}}",
		"{\"known_failures\": [], \"more\": 1}", "{\"known_failures\": [1]}"};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		struct known *known;
		g_assert_false(load(&known, texts[i], &error));
		g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	}
	struct known *none = loaded("{\"known_failures\": []}");
	g_assert_cmpuint(none->entries->len, ==, 0);
	known_free(none);
}

#define TEST(name) g_test_add_func("/known/" #name, name)

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	scratch = g_dir_make_tmp("benchmatrix-known-XXXXXX", NULL);
	TEST(reads_entries_in_order);
	TEST(finds_by_cell_benchmark_and_state);
	TEST(takes_a_benchmark_with_its_block_or_without);
	TEST(holds_through_its_last_day);
	TEST(prefers_an_entry_that_has_not_expired);
	TEST(knows_what_day_it_is);
	TEST(refuses_what_is_wrong_with_its_place);
	TEST(refuses_a_file_of_another_shape);
	int status = g_test_run();
	g_autofree char *file = g_build_filename(scratch, "known-failures.json", NULL);
	g_unlink(file);
	g_rmdir(scratch);
	g_free(scratch);
	return status;
}
