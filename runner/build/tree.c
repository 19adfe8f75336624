#include "tree.h"

#include "diag.h"
#include "fsx.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(GError **err, const char *file)
{
	return diag_set(err, DIAG_FAILED, "cannot copy %s: %s", file, g_strerror(errno));
}

static bool copy_bytes(int in, int out)
{
	char buffer[65536];
	ssize_t got;
	while ((got = read(in, buffer, sizeof buffer)) > 0)
		for (ssize_t put = 0, n; put < got; put += n)
			if ((n = write(out, buffer + put, (size_t)(got - put))) < 0)
				return false;
	return got == 0;
}

static bool copy_regular(const char *from, const char *to, const struct stat *st, GError **err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (in < 0)
		return fail(err, from);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, st->st_mode & 0777);
	bool good = out >= 0 && copy_bytes(in, out);
	/* Times matter: make runs autoconf again where its inputs look newer than its output. */
	good = good && futimens(out, (const struct timespec[]){st->st_atim, st->st_mtim}) == 0;
	if (!good)
		fail(err, from);
	close(in);
	if (out >= 0 && close(out) != 0 && good)
		good = fail(err, to);
	return good;
}

static bool copy_link(const char *from, const char *to, GError **err)
{
	g_autofree char *target = g_file_read_link(from, err);
	if (!target)
		return false;
	return symlink(target, to) == 0 || fail(err, to);
}

bool tree_copy(const char *from, const char *to,
	bool (*takes)(const char *folder, const char *name, bool is_folder), GError **err)
{
	g_autoptr(GDir) dir = g_dir_open(from, 0, err);
	if (!dir || !fsx_make_folder(to, err))
		return false;
	const char *name;
	while ((name = g_dir_read_name(dir))) {
		g_autofree char *source = g_build_filename(from, name, NULL);
		g_autofree char *target = g_build_filename(to, name, NULL);
		struct stat st;
		if (lstat(source, &st) != 0)
			return fail(err, source);
		if (takes && !takes(from, name, S_ISDIR(st.st_mode)))
			continue;
		bool good = true;
		if (S_ISDIR(st.st_mode))
			good = tree_copy(source, target, takes, err);
		else if (S_ISLNK(st.st_mode))
			good = copy_link(source, target, err);
		else if (S_ISREG(st.st_mode))
			good = copy_regular(source, target, &st, err);
		if (!good)
			return false;
	}
	return true;
}

bool tree_copy_file(const char *from, const char *to, GError **err)
{
	g_autofree char *folder = g_path_get_dirname(to);
	struct stat st;
	if (!fsx_make_folder(folder, err))
		return false;
	if (stat(from, &st) != 0)
		return fail(err, from);
	return copy_regular(from, to, &st, err);
}

static bool has_beside(const char *folder, const char *name, const char *ending)
{
	g_autofree char *file = g_strconcat(folder, "/", name, ending, NULL);
	return access(file, F_OK) == 0;
}

bool tree_takes_source(const char *folder, const char *name, bool is_folder)
{
	static const char *const names[] = {".git", ".hg", ".svn", ".libs", ".deps", "autom4te.cache",
		"config.log", "config.status", "config.cache", "libtool", "stamp-h1", NULL};
	static const char *const endings[] = {".o", ".lo", ".la", ".a", ".so", "~"};
	(void)is_folder;
	if (g_strv_contains(names, name))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i]))
			return false;
	/* A generated file has its template beside it; a hand-written Makefile has none. */
	return strcmp(name, "configure") == 0 || !has_beside(folder, name, ".in");
}

bool tree_takes_headers(const char *folder, const char *name, bool is_folder)
{
	static const char *const endings[] = {".h", ".inc", ".def", ".hpp"};
	(void)folder;
	if (is_folder)
		return *name != '.';
	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (g_str_has_suffix(name, endings[i]))
			return true;
	return false;
}
