#include "diag.h"
#include "fsx.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_errno(GError **err, const char *file)
{
	return diag_set(err, DIAG_INPUT, "%s: cannot be read: %s", file, g_strerror(errno));
}

static bool add_content(struct sha256_ctx *sum, int fd, const char *file, GError **err)
{
	guchar buffer[65536];
	ssize_t got;

	while ((got = read(fd, buffer, sizeof buffer)) != 0) {
		if (got < 0 && errno != EINTR)
			return fail_errno(err, file);
		if (got > 0)
			sha256_update(sum, (size_t)got, buffer);
	}
	return true;
}

static char *hexadecimal(struct sha256_ctx *sum)
{
	guchar digest[SHA256_DIGEST_SIZE];
	GString *text = g_string_sized_new(2 * sizeof digest + 1);

	sha256_digest(sum, sizeof digest, digest);
	for (size_t i = 0; i < sizeof digest; i++)
		g_string_append_printf(text, "%02x", digest[i]);
	return g_string_free(text, FALSE);
}

char *fsx_hash_file(const char *file, GError **err)
{
	struct sha256_ctx sum;
	struct stat facts;
	/* Not blocking: opening a pipe would wait for its writer. */
	int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0) {
		fail_errno(err, file);
		return NULL;
	}
	sha256_init(&sum);
	bool ok = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode)
			  ? add_content(&sum, fd, file, err)
			  : diag_set(err, DIAG_INPUT, "%s: is not a file", file);
	close(fd);
	return ok ? hexadecimal(&sum) : NULL;
}

static int by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a folder, sorted by bytes, so that neither the file system nor the locale has a say. */
static GPtrArray *sorted_names(const char *folder, const char *const *skip, GError **err)
{
	g_autoptr(GDir) stream = g_dir_open(folder, 0, NULL);
	GPtrArray *names;

	if (!stream) {
		diag_set(err, DIAG_INPUT, "%s: cannot be read as a folder", folder);
		return NULL;
	}
	names = g_ptr_array_new_with_free_func(g_free);
	for (const char *name; (name = g_dir_read_name(stream));)
		if (!skip || !g_strv_contains(skip, name))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, by_name);
	return names;
}

/* Every part ends with a NUL, which no name, link or hexadecimal text contains: no two trees give the same
 * bytes. */
static void add_part(GChecksum *sum, const char *text)
{
	g_checksum_update(sum, (const guchar *)text, (gssize)strlen(text) + 1);
}

static bool add_folder(
	GChecksum *sum, const char *folder, const char *inside, const char *const *skip, GError **err);

static bool add_entry(
	GChecksum *sum, const char *file, const char *relative, const char *const *skip, GError **err)
{
	struct stat facts;

	if (lstat(file, &facts) != 0)
		return fail_errno(err, file);
	if (S_ISDIR(facts.st_mode)) {
		add_part(sum, "folder");
		add_part(sum, relative);
		return add_folder(sum, file, relative, skip, err);
	}

	g_autofree char *content = NULL;
	if (S_ISREG(facts.st_mode)) {
		add_part(sum, facts.st_mode & S_IXUSR ? "program" : "file");
		content = fsx_hash_file(file, err);
		if (!content)
			return false;
	} else if (S_ISLNK(facts.st_mode)) {
		add_part(sum, "link");
		content = g_file_read_link(file, err);
		if (!content)
			return false;
	} else {
		g_autofree char *type = g_strdup_printf("type %o", (unsigned)(facts.st_mode & S_IFMT));
		add_part(sum, type);
	}
	add_part(sum, relative);
	add_part(sum, content ? content : "");
	return true;
}

static bool add_folder(
	GChecksum *sum, const char *folder, const char *inside, const char *const *skip, GError **err)
{
	g_autoptr(GPtrArray) names = sorted_names(folder, skip, err);

	if (!names)
		return false;
	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *file = g_build_filename(folder, name, NULL);
		g_autofree char *relative = *inside ? g_build_filename(inside, name, NULL) : g_strdup(name);
		if (!add_entry(sum, file, relative, skip, err))
			return false;
	}
	return true;
}

char *fsx_hash_tree(const char *folder, const char *const *skip, GError **err)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	if (!add_folder(sum, folder, "", skip, err))
		return NULL;
	return g_strdup(g_checksum_get_string(sum));
}
