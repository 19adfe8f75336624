#include "cache_prune.h"

#include "cache.h"
#include "cache_entries.h"
#include "diag.h"
#include "fsx.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOUR 3600
#define DAY  (24 * HOUR)

static char *root; /* of the cache of the test that runs */

static void begin(void)
{
	g_autoptr(GError) err = NULL;
	struct cache cache;
	root = g_dir_make_tmp("prune-XXXXXX", NULL);
	g_assert_true(cache_open(&cache, root, &err));
	cache_close(&cache);
}

static void end(void)
{
	g_assert_true(fsx_remove_tree(root, NULL));
	g_clear_pointer(&root, g_free);
}

static char *path(const char *kind, const char *name, const char *file)
{
	return g_build_filename(root, kind, name, file, NULL);
}

static void set_age(const char *file, int age_s)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec -= age_s;
	g_assert_cmpint(utimensat(AT_FDCWD, file, (const struct timespec[]){now, now}, 0), ==, 0);
}

/* A program that was last used so many seconds ago, of about 100 KiB. */
static void put(const char *name, int age_s)
{
	static const char json[] = "{\"toolchain\":\"arm\",\"library\":\"toy\",\"version\":\"1\","
				   "\"config\":\"sp\",\"profile\":\"all\",\"optimisation\":\"-O2\"}";
	g_autofree char *folder = path("programs", name, NULL);
	g_autofree char *file = path("programs", name, "entry.json");
	g_autofree char *program = path("programs", name, "bench-core");
	g_autofree char *bytes = g_strnfill(100 * 1024, 'x');
	g_assert_true(fsx_make_folder(folder, NULL));
	g_assert_true(g_file_set_contents(program, bytes, -1, NULL));
	g_assert_true(g_file_set_contents(file, json, -1, NULL));
	set_age(file, age_s);
}

static bool has(const char *kind, const char *name)
{
	g_autofree char *file = path(kind, name, NULL);
	return access(file, F_OK) == 0;
}

static int64_t all_bytes(void)
{
	g_autoptr(GPtrArray) entries = NULL;
	int64_t sum = 0;
	g_assert_true(cache_entries(&entries, root, NULL));
	for (guint i = 0; i < entries->len; i++)
		sum += ((const struct cache_entry *)entries->pdata[i])->bytes;
	return sum;
}

static struct cache_pruned prune(struct cache_prune_spec spec)
{
	struct cache_pruned pruned;
	g_autoptr(GError) err = NULL;
	cache_prune(&pruned, root, &spec, &err);
	g_assert_no_error(err);
	g_assert_cmpint(
		pruned.kept_bytes, ==, spec.dry_run ? all_bytes() - pruned.removed_bytes : all_bytes());
	return pruned;
}

/* How many went. */
static guint pruned_count(struct cache_prune_spec spec)
{
	struct cache_pruned pruned = prune(spec);
	guint n = pruned.removed->len;
	cache_pruned_clear(&pruned);
	return n;
}

static void pin(const char *name, bool pinned)
{
	g_autoptr(GPtrArray) entries = NULL;
	g_assert_true(cache_entries(&entries, root, NULL));
	for (guint i = 0; i < entries->len; i++) {
		struct cache_entry *entry = entries->pdata[i];
		if (strcmp(entry->name, name) == 0)
			g_assert_true(cache_entry_pin(entry, root, pinned, NULL));
	}
}

static void removes_what_was_not_used_for_longest_until_the_rest_fits(void)
{
	begin();
	put("a", 3 * DAY);
	put("b", 5 * DAY);
	put("c", 2 * DAY);
	put("d", 4 * DAY);
	int64_t limit = all_bytes() / 2;
	struct cache_pruned pruned = prune((struct cache_prune_spec){.bytes = limit, .older_s = NAN});
	g_assert_cmpuint(pruned.removed->len, ==, 2);
	g_assert_cmpstr(((struct cache_entry *)pruned.removed->pdata[0])->name, ==, "b");
	g_assert_cmpstr(((struct cache_entry *)pruned.removed->pdata[1])->name, ==, "d");
	g_assert_cmpint(pruned.kept_bytes, <=, limit);
	g_assert_cmpint(pruned.removed_bytes, ==, limit);
	cache_pruned_clear(&pruned);
	g_assert_true(has("programs", "a") && has("programs", "c"));
	g_assert_false(has("programs", "b") || has("programs", "d"));
	end();
}

static void removes_nothing_where_all_fits(void)
{
	begin();
	put("a", 300 * DAY);
	g_assert_cmpuint(
		pruned_count((struct cache_prune_spec){.bytes = all_bytes(), .older_s = NAN}), ==, 0);
	g_assert_cmpuint(
		pruned_count((struct cache_prune_spec){.bytes = CACHE_NO_LIMIT, .older_s = NAN}), ==, 0);
	g_assert_true(has("programs", "a"));
	end();
}

static void removes_what_is_older_than_it_may_be(void)
{
	begin();
	put("old", 10 * DAY);
	put("young", 8 * DAY);
	g_assert_cmpuint(pruned_count((struct cache_prune_spec){
				 .bytes = CACHE_NO_LIMIT, .older_s = 9 * DAY, .asked = true}),
		==, 1);
	g_assert_true(!has("programs", "old") && has("programs", "young"));
	end();
}

static void keeps_the_last_day_unless_the_user_names_a_limit(void)
{
	const struct cache_prune_spec by_itself = {.bytes = 0, .older_s = NAN};
	const struct cache_prune_spec asked = {.bytes = 0, .older_s = NAN, .asked = true};
	begin();
	put("today", 23 * HOUR);
	put("yesterday", 25 * HOUR);
	struct cache_pruned pruned = prune(by_itself);
	g_assert_cmpuint(pruned.removed->len, ==, 1);
	g_assert_cmpint(pruned.kept_in_use, ==, pruned.kept_bytes);
	cache_pruned_clear(&pruned);
	g_assert_true(has("programs", "today") && !has("programs", "yesterday"));
	g_assert_cmpuint(pruned_count(asked), ==, 1);
	g_assert_false(has("programs", "today"));
	end();
}

static void keeps_what_a_living_process_may_be_using(void)
{
	struct cache living;
	begin();
	g_assert_true(cache_open(&living, root, NULL));
	/* It began three days ago. */
	g_autofree char *lock = g_build_filename(living.work, "lock", NULL);
	set_age(lock, 3 * DAY);
	put("used", 2 * DAY);
	put("before", 4 * DAY);
	put("today", HOUR);
	const struct cache_prune_spec asked = {.bytes = 0, .older_s = NAN, .asked = true};
	struct cache_pruned pruned = prune(asked);
	g_assert_cmpint(pruned.processes, ==, 1);
	cache_pruned_clear(&pruned);
	g_assert_true(has("programs", "used") && has("programs", "today"));
	g_assert_false(has("programs", "before"));
	/* To itself it is no other. */
	struct cache_prune_spec own = asked;
	own.own_work = living.work;
	g_assert_cmpuint(pruned_count(own), ==, 2);
	cache_close(&living);
	end();
}

static void keeps_the_last_day_while_a_process_lives(void)
{
	struct cache living;
	begin();
	put("today", HOUR);
	g_assert_true(cache_open(&living, root, NULL));
	g_assert_cmpuint(
		pruned_count((struct cache_prune_spec){.bytes = 0, .older_s = NAN, .asked = true}), ==, 0);
	cache_close(&living);
	g_assert_cmpuint(
		pruned_count((struct cache_prune_spec){.bytes = 0, .older_s = NAN, .asked = true}), ==, 1);
	end();
}

static void keeps_what_is_pinned(void)
{
	begin();
	put("kept", 9 * DAY);
	put("gone", 8 * DAY);
	pin("kept", true);
	struct cache_pruned pruned = prune((struct cache_prune_spec){.bytes = 0, .older_s = DAY});
	g_assert_cmpuint(pruned.removed->len, ==, 1);
	g_assert_cmpint(pruned.kept_pinned, ==, pruned.kept_bytes);
	cache_pruned_clear(&pruned);
	g_assert_true(has("programs", "kept"));
	pin("kept", false);
	g_assert_cmpuint(pruned_count((struct cache_prune_spec){.bytes = 0, .older_s = NAN}), ==, 1);
	end();
}

static gpointer prune_all(gpointer user)
{
	struct cache_prune_spec spec = {.bytes = 0, .older_s = NAN};
	struct cache_pruned *pruned = user;
	return GINT_TO_POINTER(cache_prune(pruned, root, &spec, NULL));
}

/* Pruning has seen that the entry is old, and is held up before it removes it; there it comes into use. */
static void keeps_what_comes_into_use_meanwhile(void)
{
	struct cache_pruned pruned;
	int lock;
	begin();
	put("x", 9 * DAY);
	g_autofree char *file = path("programs", "x", "entry.json");
	g_assert_true(cache_lock_uses(&lock, root, NULL));
	GThread *thread = g_thread_new("prune", prune_all, &pruned);
	g_usleep(300000);
	set_age(file, 0);
	fsx_unlock(lock);
	g_assert_true(GPOINTER_TO_INT(g_thread_join(thread)));
	g_assert_cmpuint(pruned.removed->len, ==, 0);
	cache_pruned_clear(&pruned);
	g_assert_true(has("programs", "x"));
	end();
}

static void says_whether_an_entry_that_comes_into_use_is_there(void)
{
	struct cache cache;
	begin();
	put("x", 9 * DAY);
	g_assert_true(cache_open(&cache, root, NULL));
	g_autofree char *file = path("programs", "x", "entry.json");
	g_autofree char *missing = path("programs", "y", "entry.json");
	struct stat st;
	g_assert_true(cache_use(&cache, file));
	g_assert_cmpint(stat(file, &st), ==, 0);
	g_assert_cmpint(time(NULL) - st.st_mtime, <, 60);
	g_assert_false(cache_use(&cache, missing));
	cache_close(&cache);
	end();
}

/* A process that dies between taking an entry away and removing it leaves no half entry, and what it left
 * goes. */
static void a_kill_in_the_middle_leaves_no_half_entry(void)
{
	begin();
	put("x", DAY);
	pid_t child = fork();
	if (child == 0) {
		g_autofree char *entry = path("programs", "x", NULL);
		char *away;
		_exit(cache_take_away(&away, root, entry, NULL) && away ? 0 : 1);
	}
	int status = -1;
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_cmpint(status, ==, 0);
	g_assert_false(has("programs", "x"));
	g_autofree char *work = g_build_filename(root, "work", NULL);
	g_assert_cmpint(g_rmdir(work), !=, 0);
	cache_clean(root);
	g_assert_cmpint(g_rmdir(work), ==, 0);
	end();
}

static void a_dry_run_removes_nothing(void)
{
	begin();
	put("x", 9 * DAY);
	g_autofree char *lock = path("locks", "program-gone", NULL);
	g_assert_true(g_file_set_contents(lock, "", -1, NULL));
	g_assert_cmpuint(
		pruned_count((struct cache_prune_spec){.bytes = 0, .older_s = NAN, .dry_run = true}), ==, 1);
	g_assert_true(has("programs", "x") && has("locks", "program-gone"));
	end();
}

static void removes_locks_whose_entries_are_gone(void)
{
	static const char *const names[] = {"program-there", "program-gone", "library-gone", "library-held",
		"source-0123456789abcdef", "source-ffffffffffffffff", "something-else"};
	begin();
	put("there", 2 * HOUR);
	g_autofree char *source = path("sources", "toy-1-0123456789ab", NULL);
	g_assert_true(fsx_make_folder(source, NULL));
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *lock = path("locks", names[i], NULL);
		g_assert_true(g_file_set_contents(lock, "", -1, NULL));
	}
	g_autofree char *held_file = path("locks", "library-held", NULL);
	int held;
	g_assert_true(fsx_lock(&held, held_file, false, NULL));
	pruned_count((struct cache_prune_spec){.bytes = CACHE_NO_LIMIT, .older_s = NAN});
	g_assert_true(has("locks", "program-there") && has("locks", "library-held"));
	g_assert_true(has("locks", "source-0123456789abcdef") && has("locks", "something-else"));
	g_assert_false(has("locks", "program-gone") || has("locks", "library-gone"));
	g_assert_false(has("locks", "source-ffffffffffffffff"));
	fsx_unlock(held);
	end();
}

static void reads_sizes(void)
{
	static const struct {
		const char *text;
		int64_t bytes; /* -1: is none */
	} cases[] = {{"0", 0}, {"1234", 1234}, {"1K", 1024}, {"20G", INT64_C(21474836480)},
		{"1.5g", 1610612736}, {"512 MiB", 536870912}, {"2TB", INT64_C(2199023255552)}, {"7B", 7},
		{"", -1}, {"G", -1}, {"-1", -1}, {"10 apples", -1}, {"10GG", -1}, {"1e30", -1}, {"nan", -1},
		{" 1", -1}};
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		int64_t bytes = -1;
		g_assert_true(cache_size_parse(&bytes, cases[i].text) == (cases[i].bytes >= 0));
		g_assert_cmpint(bytes, ==, cases[i].bytes);
	}
}

static void takes_the_limit_from_the_environment(void)
{
	static const char variable[] = "BENCHMATRIX_CACHE_SIZE";
	g_autoptr(GError) err = NULL;
	int64_t limit;
	g_unsetenv(variable);
	g_assert_true(cache_size_limit(&limit, NULL));
	g_assert_cmpint(limit, ==, INT64_C(20) * 1024 * 1024 * 1024);
	g_setenv(variable, "3M", TRUE);
	g_assert_true(cache_size_limit(&limit, NULL));
	g_assert_cmpint(limit, ==, 3145728);
	g_setenv(variable, "0", TRUE);
	g_assert_true(cache_size_limit(&limit, NULL));
	g_assert_cmpint(limit, ==, CACHE_NO_LIMIT);
	g_setenv(variable, "much", TRUE);
	g_assert_false(cache_size_limit(&limit, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_assert_nonnull(strstr(err->message, "BENCHMATRIX_CACHE_SIZE is \"much\""));
	g_unsetenv(variable);
}

static void knows_entries_by_key_and_by_build(void)
{
	static const struct {
		const char *pattern;
		bool meant;
	} cases[] = {{"0123abcd", true}, {"0123", true}, {"012", false}, {"123a", false}, {"arm *", true},
		{"arm toy-1 sp all -O2", true}, {"arm toy-1 sp all", false}, {"* toy-? sp *", true},
		{"x86 *", false}, {"*", true}};
	g_autoptr(GPtrArray) entries = NULL;
	begin();
	put("0123abcdef", HOUR);
	g_assert_true(cache_entries(&entries, root, NULL));
	g_assert_cmpuint(entries->len, ==, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_true(cache_entry_matches(entries->pdata[0], cases[i].pattern) == cases[i].meant);
	end();
}

static void an_entry_is_measured_once_and_again_where_it_is_another(void)
{
	begin();
	g_autofree char *tree = path("programs", "0123abcdef", "tree");
	g_autofree char *file = g_build_filename(tree, "large", NULL);
	g_autofree char *bytes = g_strnfill(1 << 20, 'x');
	g_assert_true(fsx_make_folder(tree, NULL));
	put("0123abcdef", HOUR);
	int64_t before = all_bytes();
	/* Entries do not change; this one does behind the back of the folder that is looked at. */
	g_assert_true(g_file_set_contents(file, bytes, 1 << 20, NULL));
	g_assert_cmpint(all_bytes(), ==, before);

	/* Made anew under its name. */
	g_autofree char *entry = path("programs", "0123abcdef", NULL);
	g_assert_true(fsx_remove_tree(entry, NULL));
	g_assert_true(fsx_make_folder(tree, NULL));
	g_assert_true(g_file_set_contents(file, bytes, 1 << 20, NULL));
	put("0123abcdef", HOUR);
	g_assert_cmpint(all_bytes(), >=, before + (1 << 20));
	int64_t after = all_bytes();

	/* What is remembered may be lost or damaged. */
	g_autofree char *sizes = g_build_filename(root, "sizes", NULL);
	g_assert_true(g_file_set_contents(sizes, "1 2\nnothing of the kind\n99 99 99 \n", -1, NULL));
	g_assert_cmpint(all_bytes(), ==, after);
	end();
}

static void a_cache_that_is_not_there_is_empty(void)
{
	g_autoptr(GPtrArray) entries = NULL;
	g_assert_true(cache_entries(&entries, "/nowhere/at/all", NULL));
	g_assert_cmpuint(entries->len, ==, 0);
	struct cache_pruned pruned;
	const struct cache_prune_spec spec = {.bytes = 0, .older_s = NAN};
	g_assert_true(cache_prune(&pruned, "/nowhere/at/all", &spec, NULL));
	cache_pruned_clear(&pruned);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/prune/" #name, name)
	TEST(removes_what_was_not_used_for_longest_until_the_rest_fits);
	TEST(removes_nothing_where_all_fits);
	TEST(removes_what_is_older_than_it_may_be);
	TEST(keeps_the_last_day_unless_the_user_names_a_limit);
	TEST(keeps_what_a_living_process_may_be_using);
	TEST(keeps_the_last_day_while_a_process_lives);
	TEST(keeps_what_is_pinned);
	TEST(keeps_what_comes_into_use_meanwhile);
	TEST(says_whether_an_entry_that_comes_into_use_is_there);
	TEST(a_kill_in_the_middle_leaves_no_half_entry);
	TEST(a_dry_run_removes_nothing);
	TEST(removes_locks_whose_entries_are_gone);
	TEST(reads_sizes);
	TEST(takes_the_limit_from_the_environment);
	TEST(knows_entries_by_key_and_by_build);
	TEST(an_entry_is_measured_once_and_again_where_it_is_another);
	TEST(a_cache_that_is_not_there_is_empty);
	return g_test_run();
}
