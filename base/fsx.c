#include "fsx.h"

#include "diag.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_errno(GError **err, enum diag_code code, const char *file, const char *what)
{
	return diag_set(err, code, "%s: %s: %s", file, what, g_strerror(errno));
}

/* Opens a regular file. Not blocking, since opening a pipe would otherwise wait for its writer before we can
 * refuse it. */
static int open_regular(const char *file, struct stat *ret, GError **err)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		fail_errno(err, DIAG_INPUT, file, "cannot be opened");
		return -1;
	}
	bool known = fstat(fd, ret) == 0;
	if (known && S_ISREG(ret->st_mode))
		return fd;
	diag_set(err, DIAG_INPUT, "%s: is %s, not a file", file,
		known && S_ISDIR(ret->st_mode) ? "a folder" : "a pipe or device");
	close(fd);
	return -1;
}

static ssize_t read_again(int fd, void *bytes, size_t length)
{
	ssize_t got;

	do
		got = read(fd, bytes, length);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Reads on to the end and not to st_size: files of /proc say that they are empty. */
static bool read_whole(GString *text, int fd, const char *file, size_t ceiling, GError **err)
{
	char buffer[16384];
	ssize_t got;

	while ((got = read_again(fd, buffer, sizeof buffer)) > 0) {
		if ((size_t)got > ceiling - text->len)
			return diag_set(err, DIAG_INPUT, "%s: is larger than %zu bytes", file, ceiling);
		g_string_append_len(text, buffer, got);
	}
	return got == 0 || fail_errno(err, DIAG_INPUT, file, "cannot be read");
}

bool fsx_read(char **ret, size_t *ret_length, const char *file, size_t ceiling, GError **err)
{
	struct stat facts;
	int fd = open_regular(file, &facts, err);

	if (fd < 0)
		return false;
	GString *text = g_string_new(NULL);
	bool ok = read_whole(text, fd, file, ceiling, err);
	close(fd);
	if (!ok) {
		g_string_free(text, TRUE);
		return false;
	}
	*ret_length = text->len;
	*ret = g_string_free(text, FALSE);
	return true;
}

static bool write_whole(int fd, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t put = write(fd, bytes, length);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		bytes += put;
		length -= (size_t)put;
	}
	return true;
}

/* A name in the same folder, so that rename() stays within one file system. */
static char *temporary_name(const char *file)
{
	g_autofree char *folder = g_path_get_dirname(file);
	g_autofree char *name = g_path_get_basename(file);

	return g_strdup_printf("%s/.%s.%08x%08x.tmp", folder, name, g_random_int(), g_random_int());
}

/* So that the new name, too, is still there after a loss of power. A file system that cannot do it is no
 * failure. */
static void sync_folder_of(const char *file)
{
	g_autofree char *folder = g_path_get_dirname(file);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

bool fsx_write(const char *file, const void *bytes, size_t length, GError **err)
{
	g_autofree char *temporary = temporary_name(file);
	struct stat old;
	int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return fail_errno(err, DIAG_FAILED, file, "cannot be written");
	bool ok = stat(file, &old) != 0 || fchmod(fd, old.st_mode & 07777) == 0;
	ok = ok && write_whole(fd, bytes, length) && fsync(fd) == 0;
	int error = errno;
	if (close(fd) != 0 && ok) {
		ok = false;
		error = errno;
	}
	if (ok && rename(temporary, file) != 0) {
		ok = false;
		error = errno;
	}
	if (!ok) {
		unlink(temporary);
		errno = error;
		return fail_errno(err, DIAG_FAILED, file, "cannot be written");
	}
	sync_folder_of(file);
	return true;
}

bool fsx_make_folder(const char *folder, GError **err)
{
	if (g_mkdir_with_parents(folder, 0777) != 0)
		return fail_errno(err, DIAG_FAILED, folder, "the folder cannot be made");
	return true;
}

char *fsx_unique_folder(const char *parent, const char *prefix, GError **err)
{
	g_autofree char *name = g_strdup_printf("%s/%s-XXXXXX", parent, prefix);

	if (!g_mkdtemp_full(name, 0777)) {
		fail_errno(err, DIAG_FAILED, parent, "no folder can be made in it");
		return NULL;
	}
	return g_steal_pointer(&name);
}

static bool remove_at(int parent, const char *name);

/* Closes `fd`. */
static bool remove_entries(int fd)
{
	DIR *stream = fdopendir(fd);
	bool ok = true;

	if (!stream) {
		close(fd);
		return false;
	}
	for (struct dirent *entry; ok && (entry = readdir(stream));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			ok = remove_at(fd, entry->d_name);
	int error = errno;
	closedir(stream);
	errno = error;
	return ok;
}

/* Works from open folders and names, never from paths, so that a link put there meanwhile leads nowhere. */
static bool remove_at(int parent, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

	if (unlinkat(parent, name, 0) == 0 || errno == ENOENT)
		return true;
	if (errno != EISDIR && errno != EPERM)
		return false;

	int fd = openat(parent, name, flags);
	if (fd >= 0 && faccessat(parent, name, W_OK | X_OK, AT_EACCESS) != 0)
		fchmod(fd, 0700);
	if (fd < 0 && errno == EACCES && fchmodat(parent, name, 0700, 0) == 0)
		fd = openat(parent, name, flags);
	return fd >= 0 && remove_entries(fd) && unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

bool fsx_remove_tree(const char *folder, GError **err)
{
	return remove_at(AT_FDCWD, folder) || fail_errno(err, DIAG_FAILED, folder, "cannot be removed");
}

/* Where the file was removed while we waited, we hold a lock that nobody else can see. */
static bool is_named(int fd, const char *file)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 && stat(file, &named) == 0 && held.st_ino == named.st_ino &&
	       held.st_dev == named.st_dev;
}

/* *ret -1: another one holds it. */
static bool lock_opened(
	int *ret, const char *file, int (*opened)(const char *file), int operation, GError **err)
{
	for (;;) {
		int fd = opened(file);
		if (fd < 0)
			return fail_errno(err, DIAG_FAILED, file, "the lock cannot be opened");
		int failed;
		do
			failed = flock(fd, operation);
		while (failed && errno == EINTR);
		if (failed) {
			int error = errno;
			close(fd);
			*ret = -1;
			errno = error;
			return error == EWOULDBLOCK || fail_errno(err, DIAG_FAILED, file, "cannot be locked");
		}
		if (is_named(fd, file)) {
			*ret = fd;
			return true;
		}
		close(fd);
	}
}

static int open_own(const char *file)
{
	return open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
}

bool fsx_lock(int *ret, const char *file, bool wait, GError **err)
{
	return lock_opened(ret, file, open_own, LOCK_EX | (wait ? 0 : LOCK_NB), err);
}

/* Making it is refused where it belongs to another user and the folder is one such as /tmp; opening is not.
 */
static int open_common(const char *file)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	int fd = open(file, flags);

	return fd < 0 && errno == ENOENT ? open(file, flags | O_CREAT, 0666) : fd;
}

bool fsx_lock_machine(int *ret, const char *file, bool shared, GError **err)
{
	return lock_opened(ret, file, open_common, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB, err);
}

void fsx_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

static bool is_program(const char *file)
{
	struct stat facts;

	return stat(file, &facts) == 0 && S_ISREG(facts.st_mode) && access(file, X_OK) == 0;
}

char *fsx_beside(const char *file, const char *name)
{
	g_autofree char *absolute = g_canonicalize_filename(file, NULL);
	g_autofree char *folder = g_path_get_dirname(absolute);

	return g_canonicalize_filename(name, folder);
}

char *fsx_find_program(const char *name, const char *path)
{
	if (strchr(name, '/'))
		return is_program(name) ? g_canonicalize_filename(name, NULL) : NULL;
	if (!path)
		path = g_getenv("PATH");

	g_auto(GStrv) folders = g_strsplit(path ? path : "/bin:/usr/bin", ":", -1);
	for (char **folder = folders; *name && *folder; folder++) {
		/* An empty element is the current folder, as execvp has it. */
		g_autofree char *file = g_build_filename(**folder ? *folder : ".", name, NULL);
		if (is_program(file))
			return g_canonicalize_filename(file, NULL);
	}
	return NULL;
}
