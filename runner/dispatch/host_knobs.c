#include "host_knobs.h"

#include "diag.h"
#include "fsx.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_SETTING 4096 /* bytes: a file of sysfs is one page at most */

static void change_free(gpointer data)
{
	struct change *change = data;

	g_free(change->path);
	g_free(change->old);
	g_free(change->new);
	g_free(change);
}

GPtrArray *changes_new(void)
{
	return g_ptr_array_new_with_free_func(change_free);
}

void changes_add(GPtrArray *changes, const char *path, const char *old, const char *new)
{
	struct change *change = g_new0(struct change, 1);

	change->path = g_strdup(path);
	change->old = g_strdup(old);
	change->new = g_strdup(new);
	g_ptr_array_add(changes, change);
}

/* --- single settings --- */

char *knob_read(const char *path)
{
	char *text = NULL;
	size_t length;

	return fsx_read(&text, &length, path, LARGEST_SETTING, NULL) ? g_strchomp(text) : NULL;
}

bool knob_write(const char *path, const char *value, GError **err)
{
	/* In one write(), as sysfs wants it, and onto the file itself: it cannot be replaced by another. */
	g_autofree char *line = g_strconcat(value, "\n", NULL);
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, line, strlen(line)) == (ssize_t)strlen(line);
	int error = errno;

	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		error = errno;
	}
	if (!ok)
		return diag_set(
			err, DIAG_FAILED, "%s: \"%s\" cannot be written: %s", path, value, g_strerror(error));

	/* A driver may take the text and do something else. */
	g_autofree char *now = knob_read(path);
	return g_strcmp0(now, value) == 0 ||
	       diag_set(err, DIAG_FAILED, "%s: \"%s\" was written, but it still says \"%s\"", path, value,
		       now ? now : "");
}

/* Wants `new` in a file; nothing is to do where it is there already. */
static bool want(GPtrArray *changes, const char *path, const char *new, GError **err)
{
	g_autofree char *old = knob_read(path);

	if (old == NULL)
		return diag_set(err, DIAG_LACKS, "--host: %s cannot be read", path);
	if (strcmp(old, new) == 0)
		return true;
	if (access(path, W_OK) != 0)
		return diag_set(err, DIAG_FAILED,
			"--host: %s cannot be changed from \"%s\" to \"%s\": %s; run as root, or write it "
			"yourself and leave it out of --host",
			path, old, new, g_strerror(errno));
	changes_add(changes, path, old, new);
	return true;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The folders of the cpufreq policies: one for each group of processors with a common clock. */
static GPtrArray *find_policies(const char *sysfs)
{
	GPtrArray *policies = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *folder = g_build_filename(sysfs, HOST_CPU "/cpufreq", NULL);
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL)
		if (g_str_has_prefix(name, "policy"))
			g_ptr_array_add(policies, g_build_filename(folder, name, NULL));
	g_clear_pointer(&dir, g_dir_close);
	g_ptr_array_sort(policies, compare_names);
	return policies;
}

static bool want_governor_of(GPtrArray *changes, const char *policy, const char *governor, GError **err)
{
	g_autofree char *path = g_build_filename(policy, "scaling_governor", NULL);
	g_autofree char *list = g_build_filename(policy, "scaling_available_governors", NULL);
	g_autofree char *known = knob_read(list);
	g_auto(GStrv) governors = known ? g_strsplit(g_strstrip(known), " ", -1) : NULL;

	if (governors != NULL && !g_strv_contains((const char *const *)governors, governor))
		return diag_set(err, DIAG_LACKS, "--host: there is no governor \"%s\"; %s has: %s", governor,
			list, known);
	return want(changes, path, governor, err);
}

static bool want_governor(GPtrArray *changes, const char *sysfs, const char *governor, GError **err)
{
	g_autoptr(GPtrArray) policies = find_policies(sysfs);

	if (policies->len == 0)
		return diag_set(err, DIAG_LACKS,
			"--host: governor: there is no %s/" HOST_CPU
			"/cpufreq/policy*/scaling_governor: nothing here governs the clock, "
			"as in most virtual machines; leave governor out of --host",
			sysfs);
	for (guint i = 0; i < policies->len; i++)
		if (!want_governor_of(changes, policies->pdata[i], governor, err))
			return false;
	return true;
}

static bool want_turbo(GPtrArray *changes, const char *sysfs, const char *turbo, GError **err)
{
	g_autofree char *intel = g_build_filename(sysfs, HOST_CPU "/intel_pstate/no_turbo", NULL);
	g_autofree char *boost = g_build_filename(sysfs, HOST_CPU "/cpufreq/boost", NULL);
	bool on = strcmp(turbo, "on") == 0;

	if (!on && strcmp(turbo, "off") != 0)
		return diag_set(err, DIAG_USAGE, "--host: turbo=%s: it is turbo=on or turbo=off", turbo);
	if (g_file_test(intel, G_FILE_TEST_EXISTS))
		return want(changes, intel, on ? "0" : "1", err);
	if (g_file_test(boost, G_FILE_TEST_EXISTS))
		return want(changes, boost, on ? "1" : "0", err);
	return diag_set(err, DIAG_LACKS,
		"--host: turbo: there is neither %s nor %s: this machine has no switch for it; leave turbo "
		"out of --host",
		intel, boost);
}

static const struct setting {
	const char *name;
	bool (*want)(GPtrArray *changes, const char *sysfs, const char *value, GError **err);
} settings_known[] = {{"governor", want_governor}, {"turbo", want_turbo}};

static bool want_term(GPtrArray *changes, const char *sysfs, const char *term, GError **err)
{
	const char *names[G_N_ELEMENTS(settings_known) + 1] = {NULL};
	const char *equals = strchr(term, '=');
	g_autofree char *name = g_strndup(term, equals ? (size_t)(equals - term) : strlen(term));

	for (size_t i = 0; i < G_N_ELEMENTS(settings_known); i++) {
		names[i] = settings_known[i].name;
		if (strcmp(names[i], name) != 0)
			continue;
		if (equals == NULL || equals[1] == '\0')
			return diag_set(err, DIAG_USAGE,
				"--host: %s: say what it is to be, as in governor=performance or turbo=off",
				name);
		return settings_known[i].want(changes, sysfs, equals + 1, err);
	}

	const char *nearest = diag_nearest(name, names);
	return diag_set(err, DIAG_USAGE, "--host: unknown setting \"%s\"%s%s%s: it is governor or turbo",
		name, nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "");
}

bool knobs_find(GPtrArray *changes, const struct host_settings_spec *spec, GError **err)
{
	g_auto(GStrv) terms = g_strsplit(spec->wanted, ",", -1);

	if (*terms == NULL)
		return diag_set(err, DIAG_USAGE, "--host: say what, as in governor=performance,turbo=off");
	for (char **term = terms; *term != NULL; term++)
		if (!want_term(changes, spec->sysfs, *term, err))
			return false;
	return true;
}

/* --- how they stand --- */

static char *governor_now(const char *sysfs)
{
	g_autoptr(GPtrArray) policies = find_policies(sysfs);
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < policies->len; i++) {
		g_autofree char *path = g_build_filename(policies->pdata[i], "scaling_governor", NULL);
		char *word = knob_read(path);
		if (word == NULL || g_ptr_array_find_with_equal_func(words, word, g_str_equal, NULL))
			g_free(word);
		else
			g_ptr_array_add(words, word);
	}
	if (words->len == 0)
		return NULL;
	g_ptr_array_add(words, NULL);
	return g_strjoinv(", ", (char **)words->pdata);
}

static char *turbo_now(const char *sysfs)
{
	g_autofree char *intel = g_build_filename(sysfs, HOST_CPU "/intel_pstate/no_turbo", NULL);
	g_autofree char *boost = g_build_filename(sysfs, HOST_CPU "/cpufreq/boost", NULL);
	g_autofree char *off = knob_read(intel), *on = knob_read(boost);

	if (off != NULL)
		return g_strdup(strcmp(off, "0") == 0 ? "on" : "off");
	if (on != NULL)
		return g_strdup(strcmp(on, "0") == 0 ? "off" : "on");
	return NULL;
}

char *host_settings_now(const char *name, const char *sysfs)
{
	return strcmp(name, "governor") == 0 ? governor_now(sysfs) : turbo_now(sysfs);
}
