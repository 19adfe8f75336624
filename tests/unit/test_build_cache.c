#include "cache.h"

#include "fsx.h"
#include "tree.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utime.h>

static char *temporary(void)
{
	return g_dir_make_tmp("cache-XXXXXX", NULL);
}

static struct cache opened(const char *root)
{
	struct cache cache;
	g_autoptr(GError) err = NULL;
	cache_open(&cache, root, &err);
	g_assert_no_error(err);
	return cache;
}

static void put(const char *folder, const char *name, const char *text)
{
	g_autofree char *file = g_build_filename(folder, name, NULL);
	g_autofree char *parent = g_path_get_dirname(file);
	g_assert_true(fsx_make_folder(parent, NULL));
	g_assert_true(g_file_set_contents(file, text, -1, NULL));
}

static bool has(const char *folder, const char *name)
{
	g_autofree char *file = g_build_filename(folder, name, NULL);
	return g_file_test(file, G_FILE_TEST_EXISTS);
}

/* Two processes publish the same entry at the same moment, many times: one whole entry must stand, and no
 * unfinished one. */
static void two_processes_that_publish_one_entry_leave_it_whole(void)
{
	g_autofree char *root = temporary();
	for (int round = 0; round < 50; round++) {
		g_autofree char *entry = g_strdup_printf("%s/entry-%d", root, round);
		int gate[2];
		g_assert_cmpint(pipe(gate), ==, 0);
		pid_t children[2];
		for (int i = 0; i < 2; i++) {
			g_autofree char *unfinished = g_strdup_printf("%s/unfinished-%d-%d", root, round, i);
			put(unfinished, "a", "same");
			put(unfinished, "b/c", "same");
			children[i] = fork();
			if (children[i] != 0)
				continue;
			char byte;
			close(gate[1]);
			if (read(gate[0], &byte, 1) < 0)
				_exit(2);
			_exit(cache_publish(unfinished, entry, NULL) ? 0 : 1);
		}
		close(gate[0]);
		close(gate[1]);
		for (int i = 0; i < 2; i++) {
			int status = -1;
			g_assert_cmpint(waitpid(children[i], &status, 0), ==, children[i]);
			g_assert_cmpint(status, ==, 0);
		}
		g_assert_true(has(entry, "a") && has(entry, "b/c"));
		g_assert_false(has(entry, "unfinished"));
		for (int i = 0; i < 2; i++) {
			g_autofree char *unfinished = g_strdup_printf("%s/unfinished-%d-%d", root, round, i);
			g_assert_false(g_file_test(unfinished, G_FILE_TEST_EXISTS));
		}
	}
	g_assert_true(fsx_remove_tree(root, NULL));
}

static void says_what_cannot_be_published(void)
{
	g_autofree char *root = temporary();
	g_autofree char *missing = g_build_filename(root, "missing", NULL);
	g_autofree char *entry = g_build_filename(root, "entry", NULL);
	g_autoptr(GError) err = NULL;
	g_assert_false(cache_publish(missing, entry, &err));
	g_assert_nonnull(strstr(err->message, "missing"));
	g_assert_true(fsx_remove_tree(root, NULL));
}

static int taken = -2;

static void take(int lock, const GError *err, void *user)
{
	g_assert_no_error(err);
	g_assert_true(user == &taken);
	taken = lock;
}

static void turn(int milliseconds)
{
	gint64 end = g_get_monotonic_time() + milliseconds * 1000;
	while (g_get_monotonic_time() < end) {
		g_main_context_iteration(NULL, FALSE);
		g_usleep(1000);
	}
}

static void waits_for_a_lock_without_holding_up_the_loop(void)
{
	g_autofree char *root = temporary();
	struct cache cache = opened(root);
	g_autofree char *file = cache_path(&cache, "locks", "key");
	int other;
	g_assert_true(fsx_lock(&other, file, false, NULL));
	g_assert_cmpint(other, >=, 0);
	taken = -2;
	cache_lock(&cache, "key", take, &taken);
	g_assert_cmpint(taken, ==, -2);
	turn(250);
	g_assert_cmpint(taken, ==, -2);
	fsx_unlock(other);
	turn(400);
	g_assert_cmpint(taken, >=, 0);
	fsx_unlock(taken);
	cache_close(&cache);
	g_assert_true(fsx_remove_tree(root, NULL));
}

static void a_cancelled_wait_is_not_heard_of_again(void)
{
	g_autofree char *root = temporary();
	struct cache cache = opened(root);
	taken = -2;
	cache_lock_cancel(cache_lock(&cache, "key", take, &taken));
	turn(250);
	g_assert_cmpint(taken, ==, -2);
	cache_close(&cache);
	g_assert_true(fsx_remove_tree(root, NULL));
}

static void removes_the_work_of_the_dead_and_not_of_the_living(void)
{
	g_autofree char *root = temporary();
	struct cache living = opened(root);
	put(living.work, "build-1/x", "alive");
	g_autofree char *work = g_build_filename(root, "work", NULL);
	put(work, "process-dead/build-1/x", "dead");
	struct cache second = opened(root);
	g_assert_true(has(living.work, "build-1/x"));
	g_assert_false(has(work, "process-dead"));
	g_assert_cmpstr(second.work, !=, living.work);
	cache_close(&second);
	g_assert_true(has(living.work, "build-1/x"));
	cache_close(&living);
	g_assert_true(fsx_remove_tree(root, NULL));
}

static void says_which_folder_cannot_be_made(void)
{
	struct cache cache;
	g_autoptr(GError) err = NULL;
	g_assert_false(cache_open(&cache, "/proc/nowhere", &err));
	g_assert_nonnull(strstr(err->message, "/proc/nowhere"));
}

static void copies_a_source_without_what_building_left_in_it(void)
{
	static const char *const kept[] = {
		"configure", "configure.in", "a.c", "sub/b.c", "Makefile.in", "hand/Makefile"};
	static const char *const left[] = {".git/HEAD", "a.o", "sub/b.lo", "sub/.libs/b.o", "libx.a",
		"config.log", "config.status", "Makefile"};
	g_autofree char *root = temporary();
	g_autofree char *from = g_build_filename(root, "from", NULL);
	g_autofree char *to = g_build_filename(root, "to", NULL);
	g_autoptr(GError) err = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
		put(from, kept[i], kept[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(left); i++)
		put(from, left[i], left[i]);
	g_autofree char *link = g_build_filename(from, "link", NULL);
	g_autofree char *script = g_build_filename(from, "configure", NULL);
	g_assert_cmpint(symlink("a.c", link), ==, 0);
	g_assert_cmpint(chmod(script, 0755), ==, 0);
	g_assert_cmpint(g_utime(script, &(struct utimbuf){1000, 2000}), ==, 0);
	tree_copy(from, to, tree_takes_source, &err);
	g_assert_no_error(err);
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++)
		g_assert_true(has(to, kept[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(left); i++)
		g_assert_false(has(to, left[i]));
	g_autofree char *copied = g_build_filename(to, "configure", NULL);
	g_autofree char *copied_link = g_build_filename(to, "link", NULL);
	g_autofree char *target = g_file_read_link(copied_link, NULL);
	struct stat st;
	g_assert_cmpint(stat(copied, &st), ==, 0);
	g_assert_cmpint(st.st_mode & 0777, ==, 0755);
	g_assert_cmpint(st.st_mtime, ==, 2000);
	g_assert_cmpstr(target, ==, "a.c");
	g_assert_true(fsx_remove_tree(root, NULL));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cache/two_processes_that_publish_one_entry_leave_it_whole",
		two_processes_that_publish_one_entry_leave_it_whole);
	g_test_add_func("/cache/says_what_cannot_be_published", says_what_cannot_be_published);
	g_test_add_func("/cache/waits_for_a_lock_without_holding_up_the_loop",
		waits_for_a_lock_without_holding_up_the_loop);
	g_test_add_func(
		"/cache/a_cancelled_wait_is_not_heard_of_again", a_cancelled_wait_is_not_heard_of_again);
	g_test_add_func("/cache/removes_the_work_of_the_dead_and_not_of_the_living",
		removes_the_work_of_the_dead_and_not_of_the_living);
	g_test_add_func("/cache/says_which_folder_cannot_be_made", says_which_folder_cannot_be_made);
	g_test_add_func("/cache/copies_a_source_without_what_building_left_in_it",
		copies_a_source_without_what_building_left_in_it);
	return g_test_run();
}
