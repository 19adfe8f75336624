#include "places.h"
#include "store_fixture.h"

#include <sqlite3.h>

static const char *governor;
static int asked;

static char *refuses(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	(void)target;
	return NULL;
}

/* Platforms "hardware" and "emulator", of the target's name. */
static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	(void)agent;
	(void)err;
	asked++;
	*ret = g_new0(struct agent_place, 1);
	(*ret)->platform = g_strdup(target->arch);
	(*ret)->emulated = g_str_equal(target->arch, "emulator");
	(*ret)->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	g_hash_table_insert((*ret)->facts, g_strdup("governor"), g_strdup(governor));
	return true;
}

static const struct agent_kind kind = {.name = "own", .refuses = refuses, .describe = describe};
static const struct agent own = {.name = "own", .kind = &kind, .pin = -1};

/* The governors that the database has of a platform, in the order seen, joined by commas. */
static char *governors(struct fixture *fixture, const char *platform)
{
	sqlite3 *db;
	sqlite3_stmt *statement;
	GString *all = g_string_new(NULL);

	g_assert_cmpint(sqlite3_open(fixture->file, &db), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_prepare_v2(db,
				"SELECT f.value FROM platform_fact AS f JOIN platform AS p ON p.id = "
				"f.platform_id WHERE f.key = 'governor' AND p.name = ? ORDER BY f.seen_at",
				-1, &statement, NULL),
		==, SQLITE_OK);
	sqlite3_bind_text(statement, 1, platform, -1, SQLITE_STATIC);
	while (sqlite3_step(statement) == SQLITE_ROW)
		g_string_append_printf(
			all, "%s%s", all->len ? "," : "", (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return g_string_free(all, FALSE);
}

static void are_asked_once_and_again_where_settings_changed(void)
{
	static const struct agent_target hardware = {.arch = "hardware"}, emulator = {.arch = "emulator"};
	struct fixture fixture = {0};
	const struct place *place, *same, *emulated;

	fixture_open(&fixture);
	struct places *places = places_new(fixture.store);
	governor = "powersave";
	g_assert_true(places_find(places, &place, &own, &hardware, NULL));
	g_assert_true(places_find(places, &same, &own, &hardware, NULL));
	g_assert_true(places_find(places, &emulated, &own, &emulator, NULL));
	g_assert_true(same == place);
	g_assert_cmpint(asked, ==, 2);

	int64_t platform = place->platform;
	governor = "performance";
	g_assert_true(places_describe_again(places, NULL));
	g_assert_cmpint(asked, ==, 3);
	g_assert_cmpint(place->platform, ==, platform);
	g_autofree char *seen = governors(&fixture, "hardware"), *other = governors(&fixture, "emulator");
	g_assert_cmpstr(seen, ==, "powersave,performance");
	g_assert_cmpstr(other, ==, "powersave");
	places_free(places);
	fixture_close(&fixture);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/places/are_asked_once_and_again_where_settings_changed",
		are_asked_once_and_again_where_settings_changed);
	return g_test_run();
}
