#include "cmd.h"
#include "diag.h"
#include "document.h"
#include "document_text.h"
#include "numbers.h"
#include "print.h"
#include "publication.h"
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lines on standard error about one document; `list readings` and `import --dry-run` have all of them. */
#define SHOWN 10

static char *format, *platform, *set, *speed, *reference, *environment;
static gboolean published, dry;

static const GOptionEntry options[] = {
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format,
		"what wrote the files (list importers); found out where not given", "NAME"},
	{"platform", 0, 0, G_OPTION_ARG_FILENAME, &platform, "the machine that it was measured on", "NAME"},
	{"environment", 0, 0, G_OPTION_ARG_FILENAME, &environment,
		"hardware, emulator or unknown; unknown where not given", "WHAT"},
	{"set", 0, 0, G_OPTION_ARG_FILENAME, &set,
		"labels (list labels), arch, compiler, revision: they go before what the text says",
		"KEY=VALUE,..."},
	{"clock", 0, 0, G_OPTION_ARG_FILENAME, &speed, "the core's clock, for cycles: 1.5GHz, 266MHz",
		"CLOCK"},
	{"reference", 0, 0, G_OPTION_ARG_FILENAME, &reference,
		"where it was published: an address, a citation; its figures then count as published",
		"TEXT"},
	{"published", 0, 0, G_OPTION_ARG_NONE, &published, "the accounts that come with the program", NULL},
	{"dry-run", 0, 0, G_OPTION_ARG_NONE, &dry, "show what was understood; store nothing", NULL},
	{0},
};

/* --- what the user says of the documents --- */

static bool put_value(const char **ret, const char *key, const char *value, GError **err)
{
	if (*ret)
		return diag_set(err, DIAG_USAGE, "--set: \"%s\" stands twice", key);
	*ret = value;
	return true;
}

static bool put_label(struct document_source *source, int label, const char *value, GError **err)
{
	bool counts = label == LABEL_BLOCK || label == LABEL_THREADS || label == LABEL_ASYNC;

	if (counts && (*value == '0' || !g_ascii_string_to_unsigned(value, 10, 1, INT64_MAX, NULL, NULL)))
		return diag_set(err, DIAG_USAGE, "--set: %s=%s: a whole number above 0 is expected",
			label_keys[label], value);
	return put_value(&source->labels.v[label], label_keys[label], value, err);
}

static bool set_one(struct document_source *source, const char *key, const char *value, GError **err)
{
	const struct {
		const char *key;
		const char **value;
	} others[] = {
		{"arch", &source->arch}, {"compiler", &source->compiler}, {"revision", &source->revision}};
	const char *known[LABEL_COUNT + G_N_ELEMENTS(others) + 1] = {NULL};
	size_t n = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
		known[n++] = others[i].key;
		if (strcmp(others[i].key, key) != 0)
			continue;
		return put_value(others[i].value, key, value, err);
	}
	for (int i = 0; i < LABEL_METRIC; i++) {
		if (i == LABEL_BENCHMARK)
			continue;
		known[n++] = label_keys[i];
		if (strcmp(label_keys[i], key) != 0)
			continue;
		return put_label(source, i, value, err);
	}
	const char *nearest = diag_nearest(key, known);
	return diag_set(err, DIAG_USAGE, "--set: \"%s\" is no label that can be set%s%s%s (`list labels`)",
		key, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

/* Cuts `words`, which holds the strings that *source then lends. */
static bool set_labels(struct document_source *source, char **words, GError **err)
{
	for (; *words; words++) {
		char *equals = strchr(*words, '=');
		if (!equals || equals == *words || !equals[1])
			return diag_set(err, DIAG_USAGE, "--set: \"%s\" is not KEY=VALUE", *words);
		*equals = '\0';
		if (!set_one(source, *words, equals + 1, err))
			return false;
	}
	return true;
}

static bool set_clock(struct document_source *source, GError **err)
{
	static const struct {
		const char *unit;
		double scale;
	} units[] = {{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}};
	struct number number;

	source->clock = (double)NAN;
	if (!speed)
		return true;
	if (number_read(&number, speed, NUMBER_COMMA_UNKNOWN) && !number.problem) {
		const char *rest = speed + number.length + strspn(speed + number.length, " ");
		for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
			if (g_ascii_strcasecmp(units[i].unit, rest) == 0)
				source->clock = number.value * units[i].scale;
	}
	if (isnan(source->clock))
		return diag_set(err, DIAG_USAGE,
			"--clock: \"%s\" is no clock; it is a number with its unit, as 1.5GHz or 266MHz",
			speed);
	return true;
}

static bool set_environment(struct document_source *source, GError **err)
{
	source->environment = ENVIRONMENT_UNKNOWN;
	for (int i = 0; environment && i < ENVIRONMENT_COUNT; i++) {
		if (strcmp(environment_names[i], environment) != 0)
			continue;
		source->environment = (enum environment)i;
		return true;
	}
	return !environment ||
	       diag_set(err, DIAG_USAGE, "--environment: \"%s\" is none of hardware, emulator, unknown",
		       environment);
}

/* --- bytes --- */

/* Whatever comes until its end, or until it is too much. 0, or errno. */
static int read_all(GString *ret, int fd)
{
	for (;;) {
		char piece[65536];
		ssize_t n = read(fd, piece, sizeof piece);
		if (n > 0)
			g_string_append_len(ret, piece, n);
		else if (n == 0 || errno != EINTR)
			return n == 0 ? 0 : errno;
		if (ret->len > DOCUMENT_LARGEST)
			return 0;
	}
}

static bool may_be_read(const char *name, const struct stat *facts, GError **err)
{
	if (S_ISDIR(facts->st_mode))
		return diag_set(err, DIAG_INPUT, "%s: is a folder; name the files in it", name);
	if (S_ISREG(facts->st_mode) && facts->st_size > DOCUMENT_LARGEST)
		return diag_set(err, DIAG_INPUT, "%s: larger than %d MiB; import the part with the figures",
			name, DOCUMENT_LARGEST / 1024 / 1024);
	return true;
}

/* A file, a pipe, a device; NULL where it cannot be read. */
static GBytes *read_bytes(const char *name, GError **err)
{
	bool standard = strcmp(name, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	struct stat facts;

	if (fd < 0 || fstat(fd, &facts) != 0) {
		diag_set(err, DIAG_INPUT, "%s: %s", name, g_strerror(errno));
		return NULL;
	}
	if (!may_be_read(name, &facts, err)) {
		if (!standard)
			close(fd);
		return NULL;
	}
	GString *bytes = g_string_sized_new(S_ISREG(facts.st_mode) ? (gsize)facts.st_size + 1 : 0);
	int failure = read_all(bytes, fd);
	if (!standard)
		close(fd);
	if (!failure)
		return g_string_free_to_bytes(bytes);
	g_string_free(bytes, TRUE);
	diag_set(err, DIAG_INPUT, "%s: %s", name, g_strerror(failure));
	return NULL;
}

/* --- documents --- */

struct importing {
	const struct paths *paths;
	struct store *store; /* NULL until a document needs it */
	int status;
};

static bool store_one(struct importing *importing, const struct document *document, GError **err)
{
	int64_t id;
	bool new;

	if (!importing->store)
		importing->store = store_open(importing->paths->db, STORE_WRITE, err);
	if (!importing->store || !store_document_take_in(importing->store, &id, &new, document, err))
		return false;
	g_autoptr(GString) line = g_string_new(NULL);
	g_autofree char *run = NULL;
	if (!store_run_uuid(importing->store, &run, id, err))
		return false;
	document_line(line, document, new ? NULL : "is there already");
	g_autofree char *shown = diag_printable(line->str, -1);
	printf("%s (run %.8s)\n", shown, run);
	return true;
}

/* False where nothing more can be stored. */
static bool take_document(struct importing *importing, const struct document *document, GError **err)
{
	g_autoptr(GString) doubts = g_string_new(NULL);

	document_doubts(doubts, document, dry ? 0 : SHOWN);
	if (doubts->len > 0) {
		g_autofree char *shown = diag_printable(doubts->str, -1);
		fputs(shown, stderr);
	}
	if (document_counting(document) == 0)
		importing->status = MAX(importing->status, 1);
	if (!dry)
		return store_one(importing, document, err);
	struct table *table = document_table(document);
	bool ok = print_table(table, NULL, err);
	table_free(table);
	return ok;
}

/* One file that is wrong does not keep the others out. */
static void tell_error(struct importing *importing, GError *error)
{
	g_autofree char *message = diag_printable(error->message, -1);

	fprintf(stderr, "benchmatrix: %s\n", message);
	importing->status = MAX(importing->status, diag_exit_status(error));
	g_error_free(error);
}

static bool take_file(
	struct importing *importing, const struct document_source *source, const char *name, GError **err)
{
	g_autofree char *base = g_path_get_basename(name);
	struct document_source own = *source;
	struct document *document;
	GError *error = NULL;

	own.name = strcmp(name, "-") == 0 ? "standard input" : base;
	g_autoptr(GBytes) bytes = read_bytes(name, &error);
	if (!bytes || !document_read_bytes(&document, &own, bytes, &error)) {
		if (g_error_matches(error, DIAG_ERROR, DIAG_USAGE)) {
			g_propagate_error(err, error);
			return false;
		}
		tell_error(importing, error);
		return true;
	}
	bool ok = take_document(importing, document, err);
	document_free(document);
	return ok;
}

static bool take_files(struct importing *importing, char **names, GError **err)
{
	struct document_source source = {.format = format,
		.platform = platform,
		.reference = reference,
		.source = reference ? SOURCE_PUBLISHED : SOURCE_IMPORTED};
	g_auto(GStrv) words = g_strsplit(set ? set : "", ",", -1);

	if (platform && !*platform)
		return diag_set(err, DIAG_USAGE, "--platform: a name is expected");
	if (!set_labels(&source, words, err) || !set_clock(&source, err) || !set_environment(&source, err))
		return false;
	for (; *names; names++)
		if (!take_file(importing, &source, *names, err))
			return false;
	return true;
}

/* --- publications --- */

static bool take_publication(struct importing *importing, const char *file, GError **err)
{
	g_autoptr(GPtrArray) documents = NULL;
	GError *error = NULL;

	if (!publication_read(&documents, file, &error)) {
		tell_error(importing, error);
		return true;
	}
	for (guint i = 0; i < documents->len; i++)
		if (!take_document(importing, documents->pdata[i], err))
			return false;
	return true;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Those of the folder, by name; a folder that is missing has none. */
static void add_publications(GPtrArray *all, const char *parent)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	g_autofree char *folder = g_build_filename(parent, "published", NULL);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".json"))
			g_ptr_array_add(files, g_build_filename(folder, name, NULL));
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(files, by_name);
	g_ptr_array_extend(all, files, NULL, NULL);
}

static bool take_publications(struct importing *importing, GError **err)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);

	add_publications(files, importing->paths->data);
	add_publications(files, importing->paths->user);
	for (guint i = 0; i < files->len; i++)
		if (!take_publication(importing, files->pdata[i], err))
			return false;
	return true;
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct importing importing = {.paths = paths};

	if (published == (*arguments != NULL)) {
		diag_set(err, DIAG_USAGE,
			"usage: benchmatrix import FILE..., or benchmatrix import --published alone");
		return DIAG_USAGE;
	}
	bool ok = published ? take_publications(&importing, err) : take_files(&importing, arguments, err);
	store_close(importing.store);
	return ok ? importing.status : 1;
}

const struct cmd cmd_import = {
	.name = "import",
	.arguments = "FILE...|--published",
	.summary = "figures of other tools",
	.description = "Reads what other benchmark tools printed (`list importers`), as users paste it: with "
		       "prose around it, "
		       "log prefixes, lines cut or torn. A FILE that is - is standard input. The figures "
		       "count with the source "
		       "`imported`, beside the program's own and never mixed with them unasked.\n\n"
		       "A number that could be two things, or that another one on the same line contradicts, "
		       "is kept apart "
		       "with its reason and counts for nothing; so does one whose name no benchmark has, "
		       "until `alias add` "
		       "gives it one. `list readings RUN` shows each number, its line and its reason, and "
		       "--dry-run does before "
		       "anything is stored; `show cell NAME --log` prints the text itself, with what only "
		       "confirms a number. "
		       "The same document again changes nothing.\n\n"
		       "Files that bench-core wrote and what `export` wrote come in with their samples.\n\n"
		       "--published takes in the published accounts that come with the program, and those in "
		       "the folder "
		       "`published` of the user's configuration.",
	.options = options,
	.min = 0,
	.max = -1,
	.run = run,
};
