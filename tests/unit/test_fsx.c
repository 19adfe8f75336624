#include "diag.h"
#include "fsx_harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void assert_content(const char *file, const char *expected)
{
	g_autofree char *text = NULL;
	size_t length;

	g_assert_true(fsx_read(&text, &length, file, 1 << 20, NULL));
	g_assert_cmpstr(text, ==, expected);
}

static void assert_unreadable(const char *file, size_t ceiling, const char *what)
{
	g_autofree char *message = g_strdup_printf("%s: %s", file, what);
	g_autoptr(GError) error = NULL;
	char *text = NULL;
	size_t length;

	g_assert_false(fsx_read(&text, &length, file, ceiling, &error));
	g_assert_null(text);
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	g_assert_cmpstr(error->message, ==, message);
}

static void reads_a_file_up_to_the_ceiling(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "f");
	g_autofree char *text = NULL;
	size_t length;

	g_assert_true(fsx_write(file, "ab\0cd", 5, NULL));
	g_assert_true(fsx_read(&text, &length, file, 5, NULL));
	g_assert_cmpmem(text, length + 1, "ab\0cd", 6);
	assert_unreadable(file, 4, "is larger than 4 bytes");
}

static void reads_files_that_say_they_are_empty(void)
{
	g_autofree char *text = NULL;
	size_t length;

	g_assert_true(fsx_read(&text, &length, "/proc/self/stat", 1 << 16, NULL));
	g_assert_cmpuint(length, >, 20);
}

static void refuses_to_read_what_is_no_file(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *pipe_file = in(folder, "pipe");
	g_autofree char *missing = in(folder, "missing");

	g_assert_cmpint(mkfifo(pipe_file, 0600), ==, 0);
	assert_unreadable(folder, 10, "is a folder, not a file");
	assert_unreadable(pipe_file, 10, "is a pipe or device, not a file");
	assert_unreadable("/dev/zero", 10, "is a pipe or device, not a file");
	assert_unreadable(missing, 10, "cannot be opened: No such file or directory");
}

static guint count_entries(const char *folder)
{
	g_autoptr(GDir) stream = g_dir_open(folder, 0, NULL);
	guint n = 0;

	while (g_dir_read_name(stream))
		n++;
	return n;
}

static void replaces_a_file_and_keeps_its_mode(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "f");
	struct stat facts;

	put(folder, "f", "old");
	g_assert_cmpint(chmod(file, 0750), ==, 0);
	put(folder, "f", "new");
	assert_content(file, "new");
	g_assert_cmpint(stat(file, &facts), ==, 0);
	g_assert_cmpint(facts.st_mode & 07777, ==, 0750);
	g_assert_cmpuint(count_entries(folder), ==, 1);
}

static void says_where_it_cannot_write(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "none/f");
	g_autofree char *message = g_strdup_printf("%s: cannot be written: No such file or directory", file);
	g_autoptr(GError) error = NULL;

	g_assert_false(fsx_write(file, "x", 1, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_FAILED);
	g_assert_cmpstr(error->message, ==, message);
}

static void leaves_the_old_file_where_the_disk_is_full(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "f");
	g_autofree char *large = g_strnfill(1 << 20, 'x');
	g_autoptr(GError) error = NULL;

	if (mount("none", folder, "tmpfs", 0, "size=64k") != 0) {
		g_test_skip("a small tmpfs cannot be mounted: needs root");
		return;
	}
	put(folder, "f", "old");
	bool written = fsx_write(file, large, 1 << 20, &error);
	g_autofree char *text = NULL;
	size_t length;
	bool there = fsx_read(&text, &length, file, 10, NULL);
	guint entries = count_entries(folder);
	umount(folder);
	g_assert_false(written);
	g_assert_nonnull(strstr(error->message, g_strerror(ENOSPC)));
	g_assert_true(there);
	g_assert_cmpstr(text, ==, "old");
	g_assert_cmpuint(entries, ==, 1);
}

static void makes_folders_with_their_parents(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *deep = in(folder, "a/b/c");
	g_autofree char *file = in(folder, "f");
	g_autofree char *below = in(folder, "f/x");

	g_assert_true(fsx_make_folder(deep, NULL));
	g_assert_true(fsx_make_folder(deep, NULL));
	g_assert_true(g_file_test(deep, G_FILE_TEST_IS_DIR));
	put(folder, "f", "x");
	g_assert_false(fsx_make_folder(file, NULL));
	g_assert_false(fsx_make_folder(below, NULL));
}

static void makes_folders_that_nobody_else_has(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *missing = in(folder, "missing");
	g_autofree char *one = fsx_unique_folder(folder, "x", NULL);
	g_autofree char *two = fsx_unique_folder(folder, "x", NULL);
	g_autofree char *beginning = in(folder, "x-");
	g_autoptr(GError) error = NULL;

	g_assert_cmpstr(one, !=, two);
	g_assert_true(g_str_has_prefix(one, beginning));
	g_assert_cmpuint(count_entries(two), ==, 0);
	g_assert_null(fsx_unique_folder(missing, "x", &error));
	g_assert_error(error, DIAG_ERROR, DIAG_FAILED);
}

static void removes_a_tree_and_nothing_that_it_links_to(void)
{
	g_autofree char *kept = new_folder();
	g_autofree char *folder = new_folder();
	g_autofree char *link = in(folder, "a/link");
	g_autofree char *locked = in(folder, "a/locked");
	g_autofree char *file = in(kept, "precious");

	put(kept, "precious", "x");
	put(folder, "a/locked/f", "x");
	put(folder, "a/b/c/d", "x");
	g_assert_cmpint(symlink(kept, link), ==, 0);
	g_assert_cmpint(chmod(locked, 0500), ==, 0);
	g_assert_true(fsx_remove_tree(folder, NULL));
	g_assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
	assert_content(file, "x");
	g_assert_true(fsx_remove_tree(folder, NULL)); /* it is missing by now */
	/* A link given by name goes, not what it points to. */
	g_assert_cmpint(symlink(kept, folder), ==, 0);
	g_assert_true(fsx_remove_tree(folder, NULL));
	assert_content(file, "x");
}

static void locks_out_a_second_holder_in_the_same_process(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "lock");
	int first, second;

	g_assert_true(fsx_lock(&first, file, false, NULL));
	g_assert_cmpint(first, >=, 0);
	g_assert_true(fsx_lock(&second, file, false, NULL));
	g_assert_cmpint(second, ==, -1);
	fsx_unlock(second);
	fsx_unlock(first);
	g_assert_true(fsx_lock(&second, file, false, NULL));
	g_assert_cmpint(second, >=, 0);
	fsx_unlock(second);
}

/* Forks a process that holds the lock for ever; returns once it does. */
static pid_t start_holder(const char *file)
{
	int fds[2], lock;
	char byte;

	g_assert_cmpint(pipe(fds), ==, 0);
	pid_t pid = fork();
	if (pid == 0) {
		if (!fsx_lock(&lock, file, true, NULL) || write(fds[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	g_assert_cmpint(read(fds[0], &byte, 1), ==, 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static void locks_out_other_processes_until_they_die(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "lock");
	int lock;
	pid_t holder = start_holder(file);

	g_assert_true(fsx_lock(&lock, file, false, NULL));
	g_assert_cmpint(lock, ==, -1);
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
	g_assert_true(fsx_lock(&lock, file, false, NULL));
	g_assert_cmpint(lock, >=, 0);
	fsx_unlock(lock);
}

static void waits_for_a_lock_until_it_is_free(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "lock");
	int lock;
	pid_t holder = start_holder(file);
	gint64 begin = g_get_monotonic_time();
	pid_t killer = fork();

	if (killer == 0) {
		g_usleep(300000);
		_exit(kill(holder, SIGKILL) != 0);
	}
	g_assert_true(fsx_lock(&lock, file, true, NULL));
	g_assert_cmpint(lock, >=, 0);
	g_assert_cmpint(g_get_monotonic_time() - begin, >=, 250000);
	fsx_unlock(lock);
	waitpid(killer, NULL, 0);
	waitpid(holder, NULL, 0);
}

static void says_where_it_cannot_lock(void)
{
	g_autoptr(GError) error = NULL;
	int lock;

	g_assert_false(fsx_lock(&lock, "/nonexistent/lock", false, &error));
	g_assert_cmpstr(error->message, ==,
		"/nonexistent/lock: the lock cannot be opened: No such file or directory");
}

static void finds_programs_as_execvp_would(void)
{
	g_autofree char *first = new_folder();
	g_autofree char *second = new_folder();
	g_autofree char *path = g_strdup_printf("/nonexistent:%s:%s", first, second);
	g_autofree char *program = in(second, "tool");

	put(first, "tool", "no program: not executable");
	g_assert_null(fsx_find_program("tool", path));
	put(second, "tool", "x");
	g_assert_cmpint(chmod(program, 0755), ==, 0);
	g_autofree char *found = fsx_find_program("tool", path);
	g_assert_cmpstr(found, ==, program);
	g_autofree char *named = fsx_find_program(program, "/nonexistent");
	g_assert_cmpstr(named, ==, program);
	g_assert_null(fsx_find_program("none", path));
	g_assert_null(fsx_find_program("", path));
	g_assert_null(fsx_find_program(second, path)); /* a folder is no program, though it has the bit */
	g_autofree char *sh = fsx_find_program("sh", NULL);
	g_assert_true(g_str_has_suffix(sh, "/sh"));
}

static void finds_programs_in_the_current_folder_where_the_path_says_so(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *program = in(folder, "tool");
	g_autofree char *before = g_get_current_dir();

	put(folder, "tool", "x");
	g_assert_cmpint(chmod(program, 0755), ==, 0);
	g_assert_cmpint(chdir(folder), ==, 0);
	g_autofree char *found = fsx_find_program("tool", "/nonexistent:");
	g_autofree char *relative = fsx_find_program("./tool", NULL);
	g_assert_cmpint(chdir(before), ==, 0);
	g_assert_cmpstr(found, ==, program);
	g_assert_cmpstr(relative, ==, program);
}

static void names_beside_a_file_are_absolute(void)
{
	g_autofree char *here = g_get_current_dir();
	g_autofree char *expected = g_build_filename(here, "tree", NULL);
	g_autofree char *relative = fsx_beside("m.json", "tree"), *up = fsx_beside("/a/b/m.json", "../tree");
	g_autofree char *absolute = fsx_beside("m.json", "/tree");

	g_assert_cmpstr(relative, ==, expected);
	g_assert_cmpstr(up, ==, "/a/tree");
	g_assert_cmpstr(absolute, ==, "/tree");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-fsx", NULL);
#define TEST(name) g_test_add_func("/fsx/" #name, name)
	TEST(reads_a_file_up_to_the_ceiling);
	TEST(reads_files_that_say_they_are_empty);
	TEST(refuses_to_read_what_is_no_file);
	TEST(replaces_a_file_and_keeps_its_mode);
	TEST(says_where_it_cannot_write);
	TEST(leaves_the_old_file_where_the_disk_is_full);
	TEST(makes_folders_with_their_parents);
	TEST(makes_folders_that_nobody_else_has);
	TEST(removes_a_tree_and_nothing_that_it_links_to);
	TEST(locks_out_a_second_holder_in_the_same_process);
	TEST(locks_out_other_processes_until_they_die);
	TEST(waits_for_a_lock_until_it_is_free);
	TEST(says_where_it_cannot_lock);
	TEST(finds_programs_as_execvp_would);
	TEST(finds_programs_in_the_current_folder_where_the_path_says_so);
	TEST(names_beside_a_file_are_absolute);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
