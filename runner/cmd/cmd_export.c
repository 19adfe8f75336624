#include "cmd.h"
#include "diag.h"
#include "exported.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *format, *file;
static gboolean samples;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format,
		"jsonl (where not given), csv, go, bmf, github-action-benchmark or openmetrics", "FORMAT"},
	{"output", 'o', 0, G_OPTION_ARG_FILENAME, &file, "write to this file instead of standard output",
		"FILE"},
	{"samples", 0, 0, G_OPTION_ARG_NONE, &samples, "each sample too (jsonl, go)", NULL},
	{0},
};

struct destination {
	int fd;
	const char *name; /* in messages */
};

static bool take(void *user, const char *bytes, size_t length, GError **err)
{
	const struct destination *to = user;

	while (length > 0) {
		ssize_t written = write(to->fd, bytes, length);
		if (written < 0 && errno != EINTR)
			return diag_set(
				err, DIAG_FAILED, "cannot write to %s: %s", to->name, g_strerror(errno));
		if (written > 0) {
			bytes += written;
			length -= (size_t)written;
		}
	}
	return true;
}

static bool write_to(struct export_count *ret, struct destination *to, const struct exporter *exporter,
	const struct export_set *set, GError **err)
{
	struct export_options wanted = {.program = "benchmatrix " BM_VERSION, .samples = samples};
	struct export_target target = {take, to};

	return export_write(ret, exporter, set, &wanted, &target, err);
}

/* A pipe or a device is written to as it is. */
static bool is_special(const char *name)
{
	struct stat st;

	return stat(name, &st) == 0 && !S_ISREG(st.st_mode);
}

/* The file is there entirely or as it was before. */
static bool write_file(
	struct export_count *ret, const struct exporter *exporter, const struct export_set *set, GError **err)
{
	bool special = is_special(file);
	g_autofree char *temporary = special ? g_strdup(file) : g_strconcat(file, ".XXXXXX", NULL);
	struct destination to = {.name = file};

	to.fd = special ? open(file, O_WRONLY | O_CLOEXEC)
			: g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0666);
	if (to.fd < 0)
		return diag_set(err, DIAG_FAILED, "%s: cannot be written: %s", file, g_strerror(errno));
	bool ok = write_to(ret, &to, exporter, set, err);
	if (ok && !special && fsync(to.fd) != 0)
		ok = diag_set(err, DIAG_FAILED, "%s: cannot be written: %s", file, g_strerror(errno));
	close(to.fd);
	if (ok && !special && rename(temporary, file) != 0)
		ok = diag_set(err, DIAG_FAILED, "%s: cannot be written: %s", file, g_strerror(errno));
	if (!ok && !special)
		unlink(temporary);
	return ok;
}

static bool export_set(const struct export_set *set, const struct exporter *exporter, GError **err)
{
	struct destination standard = {STDOUT_FILENO, "standard output"};
	struct export_count count = {0};

	if (!(file ? write_file(&count, exporter, set, err)
		   : write_to(&count, &standard, exporter, set, err)))
		return false;
	if (file) {
		g_autofree char *figures = exported_figures(count.figures);
		fprintf(stderr, "%s: %s\n", file, figures);
	}
	exported_tell_left_out(set, exporter, &count);
	return true;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	const struct exporter *exporter = exporter_find(format ? format : "jsonl", err);
	struct store *store = exporter ? store_open(paths->db, STORE_READ, err) : NULL;
	struct export_set *set = NULL;

	bool ok = store && export_set_make(&set, store, arguments[0], err) && export_set(set, exporter, err);
	export_set_free(set);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_export = {
	.name = "export",
	.arguments = "[SELECTOR]",
	.summary = "results for other programs",
	.description = "Writes the figures that the selector takes, all where there is none: of each series "
		       "the latest "
		       "ones, or with run=... those of that run. `benchmatrix export config=sp --format csv "
		       "-o sp.csv`.\n\n"
		       "jsonl is our own format (schema/export.md): it keeps everything, and with --samples "
		       "each sample, "
		       "and `import` reads it. csv is for spreadsheets; go for benchstat; bmf for Bencher; "
		       "github-action-benchmark for the action of that name; openmetrics for Prometheus. "
		       "Imported figures "
		       "keep the text that they were printed with in jsonl and csv.\n\n"
		       "Values are medians in base units: seconds per byte or per operation. go, bmf and "
		       "github-action-benchmark have nanoseconds per call. Emulated time is left out unless "
		       "the selector "
		       "names the environment.",
	.options = options,
	.max = 1,
	.run = run,
};
