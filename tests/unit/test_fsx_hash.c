#include "fsx_harness.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static void hashes_a_file_as_the_standard_says(void)
{
	g_autofree char *folder = new_folder();
	g_autofree char *file = in(folder, "f");
	g_autofree char *pipe_file = in(folder, "pipe");

	put(folder, "f", "abc");
	g_assert_cmpint(mkfifo(pipe_file, 0600), ==, 0);
	g_autofree char *hash = fsx_hash_file(file, NULL);
	/* FIPS 180-4's example for "abc" */
	g_assert_cmpstr(hash, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	g_assert_null(fsx_hash_file(folder, NULL));
	g_assert_null(fsx_hash_file(pipe_file, NULL));
}

static char *tree_hash(const char *folder)
{
	g_autoptr(GError) error = NULL;
	char *hash = fsx_hash_tree(folder, NULL, &error);

	g_assert_no_error(error);
	return hash;
}

/* The same tree each time. */
static char *new_tree(void)
{
	char *folder = new_folder();
	g_autofree char *empty = in(folder, "empty");
	g_autofree char *link = in(folder, "link");

	put(folder, "b", "ab");
	put(folder, "a", "c");
	put(folder, "sub/x", "x");
	g_assert_true(fsx_make_folder(empty, NULL));
	g_assert_cmpint(symlink("a", link), ==, 0);
	return folder;
}

static void hashes_equal_trees_alike_whatever_their_times(void)
{
	g_autofree char *one = new_tree();
	g_autofree char *two = new_tree();
	g_autofree char *file = in(two, "a");
	const struct utimbuf old = {1000000000, 1000000000};

	g_assert_cmpint(utime(file, &old), ==, 0);
	g_assert_cmpint(chmod(file, 0640), ==, 0);
	g_autofree char *first = tree_hash(one);
	g_autofree char *second = tree_hash(two);
	g_assert_cmpuint(strlen(first), ==, 64);
	g_assert_cmpstr(first, ==, second);
}

static void change_content(const char *folder)
{
	put(folder, "sub/x", "y");
}

/* The concatenation of all contents stays the same. */
static void move_a_byte(const char *folder)
{
	put(folder, "a", "ca");
	put(folder, "b", "b");
}

static void rename_file(const char *folder)
{
	g_autofree char *from = in(folder, "sub/x");
	g_autofree char *to = in(folder, "sub/y");

	g_assert_cmpint(rename(from, to), ==, 0);
}

static void make_executable(const char *folder)
{
	g_autofree char *file = in(folder, "a");

	g_assert_cmpint(chmod(file, 0744), ==, 0);
}

static void change_link(const char *folder)
{
	g_autofree char *link = in(folder, "link");

	unlink(link);
	g_assert_cmpint(symlink("b", link), ==, 0);
}

static void replace_link_by_its_file(const char *folder)
{
	g_autofree char *link = in(folder, "link");

	unlink(link);
	put(folder, "link", "c");
}

static void remove_empty_folder(const char *folder)
{
	g_autofree char *empty = in(folder, "empty");

	g_assert_cmpint(rmdir(empty), ==, 0);
}

static void sees_every_change_of_a_tree(void)
{
	void (*const changes[])(const char *) = {change_content, move_a_byte, rename_file, make_executable,
		change_link, replace_link_by_its_file, remove_empty_folder};
	g_autofree char *original = new_tree();
	g_autofree char *hash = tree_hash(original);

	for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
		g_autofree char *folder = new_tree();
		changes[i](folder);
		g_autofree char *changed = tree_hash(folder);
		if (g_str_equal(hash, changed))
			g_error("change %zu is not seen", i);
	}
}

static void leaves_out_what_it_shall_skip_at_every_depth(void)
{
	const char *const skip[] = {".git", "junk", NULL};
	g_autofree char *plain = new_tree();
	g_autofree char *folder = new_tree();

	put(folder, ".git/config", "x");
	put(folder, "sub/junk", "x");
	g_autofree char *expected = tree_hash(plain);
	g_autofree char *skipped = fsx_hash_tree(folder, skip, NULL);
	g_autofree char *all = tree_hash(folder);
	g_assert_cmpstr(skipped, ==, expected);
	g_assert_cmpstr(all, !=, expected);
	g_assert_null(fsx_hash_tree("/nonexistent", NULL, NULL));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-fsx", NULL);
#define TEST(name) g_test_add_func("/fsx_hash/" #name, name)
	TEST(hashes_a_file_as_the_standard_says);
	TEST(hashes_equal_trees_alike_whatever_their_times);
	TEST(sees_every_change_of_a_tree);
	TEST(leaves_out_what_it_shall_skip_at_every_depth);
	int status = g_test_run();
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	return status;
}
