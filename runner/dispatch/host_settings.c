#include "host_settings.h"

#include "diag.h"
#include "fsx.h"
#include "jsonx.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_SETTING 4096 /* bytes: a file of sysfs is one page at most */
#define CPU		"devices/system/cpu"
#define BOOT_ID		"/proc/sys/kernel/random/boot_id"

struct change {
	char *path;
	char *old; /* to put back */
	char *new; /* NULL where it was read from a journal */
};

struct host_settings {
	char *journal;
	int lock;
	GPtrArray *changes; /* struct change */
};

static void change_free(gpointer data)
{
	struct change *change = data;

	g_free(change->path);
	g_free(change->old);
	g_free(change->new);
	g_free(change);
}

static GPtrArray *changes_new(void)
{
	return g_ptr_array_new_with_free_func(change_free);
}

static void add_change(GPtrArray *changes, const char *path, const char *old, const char *new)
{
	struct change *change = g_new0(struct change, 1);

	change->path = g_strdup(path);
	change->old = g_strdup(old);
	change->new = g_strdup(new);
	g_ptr_array_add(changes, change);
}

/* --- single settings --- */

/* The text of a file without the newline at its end; NULL where it cannot be read. */
static char *read_setting(const char *path)
{
	char *text = NULL;
	size_t length;

	return fsx_read(&text, &length, path, LARGEST_SETTING, NULL) ? g_strchomp(text) : NULL;
}

/* In one write(), as sysfs wants it, and onto the file itself: it cannot be replaced by another. */
static bool write_setting(const char *path, const char *value, GError **err)
{
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
	g_autofree char *now = read_setting(path);
	return g_strcmp0(now, value) == 0 ||
	       diag_set(err, DIAG_FAILED, "%s: \"%s\" was written, but it still says \"%s\"", path, value,
		       now ? now : "");
}

/* Wants `new` in a file; nothing is to do where it is there already. */
static bool want(GPtrArray *changes, const char *path, const char *new, GError **err)
{
	g_autofree char *old = read_setting(path);

	if (old == NULL)
		return diag_set(err, DIAG_LACKS, "--host: %s cannot be read", path);
	if (strcmp(old, new) == 0)
		return true;
	if (access(path, W_OK) != 0)
		return diag_set(err, DIAG_FAILED,
			"--host: %s cannot be changed from \"%s\" to \"%s\": %s; run as root, or write it "
			"yourself and leave it out of --host",
			path, old, new, g_strerror(errno));
	add_change(changes, path, old, new);
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
	g_autofree char *folder = g_build_filename(sysfs, CPU "/cpufreq", NULL);
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
	g_autofree char *known = read_setting(list);
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
			"--host: governor: there is no %s/" CPU
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
	g_autofree char *intel = g_build_filename(sysfs, CPU "/intel_pstate/no_turbo", NULL);
	g_autofree char *boost = g_build_filename(sysfs, CPU "/cpufreq/boost", NULL);
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

/* What has to be changed for what is wanted. */
static bool find_changes(GPtrArray *changes, const struct host_settings_spec *spec, GError **err)
{
	g_auto(GStrv) terms = g_strsplit(spec->wanted, ",", -1);

	if (*terms == NULL)
		return diag_set(err, DIAG_USAGE, "--host: say what, as in governor=performance,turbo=off");
	for (char **term = terms; *term != NULL; term++)
		if (!want_term(changes, spec->sysfs, *term, err))
			return false;
	return true;
}

/* --- the journal --- */

static char *journal_file(const struct host_settings_spec *spec)
{
	return g_build_filename(spec->journal, "host-settings.json", NULL);
}

static bool write_journal(const char *journal, const GPtrArray *changes, GError **err)
{
	g_autofree char *boot = read_setting(BOOT_ID);
	json_t *settings = json_array();

	for (guint i = 0; i < changes->len; i++) {
		const struct change *change = changes->pdata[i];
		json_array_append_new(
			settings, json_pack("{s:s, s:s}", "path", change->path, "value", change->old));
	}
	json_t *json = json_pack("{s:s, s:o}", "boot", boot ? boot : "", "settings", settings);
	g_autofree char *text = jx_canonical(json);
	json_decref(json);
	return fsx_write(journal, text, strlen(text), err);
}

/* Only what we may have changed: a journal that another hand has written must not make us write anywhere. */
static bool is_ours(const char *path, const char *sysfs)
{
	g_autofree char *folder = g_strconcat(sysfs, "/" CPU "/", NULL);
	g_autofree char *plain = g_canonicalize_filename(path, "/");

	return strcmp(path, plain) == 0 && g_str_has_prefix(path, folder) &&
	       (g_str_has_suffix(path, "/scaling_governor") || g_str_has_suffix(path, "/no_turbo") ||
		       g_str_has_suffix(path, "/boost"));
}

static bool read_entry(GPtrArray *changes, struct jx at, const char *sysfs, GError **err)
{
	const char *path, *value;

	if (!jx_string(&path, at, "path", err) || !jx_string(&value, at, "value", err))
		return false;
	if (!is_ours(path, sysfs))
		return jx_fail(at, err, "\"%s\" is no setting that is changed here; remove the file", path);
	add_change(changes, path, value, NULL);
	return true;
}

/* The changes that a journal of this start of the machine tells of; none for an older one. */
static bool read_journal(
	GPtrArray *changes, const char *journal, const struct host_settings_spec *spec, GError **err)
{
	g_autofree char *boot = read_setting(BOOT_ID);
	struct jx_document *doc = jx_load(journal, err);
	const char *then;
	struct jx list;
	bool ok = doc != NULL && jx_string(&then, jx_root(doc), "boot", err) &&
		  jx_array(&list, jx_root(doc), "settings", err);
	bool counts = ok && (boot == NULL || strcmp(boot, then) == 0);

	for (size_t i = 0; ok && counts && i < jx_size(list); i++)
		ok = read_entry(changes, jx_at(list, i), spec->sysfs, err);
	jx_document_free(doc);
	return ok;
}

/* Writes the old values, the last change first, and removes the journal where all could be written. `told`
 * may be NULL. A file that is gone has taken its setting with it. */
static bool put_back(const GPtrArray *changes, const char *journal, GPtrArray *told, GError **err)
{
	g_autoptr(GString) left = g_string_new(NULL);

	for (guint i = changes->len; i > 0; i--) {
		const struct change *change = changes->pdata[i - 1];
		g_autofree char *now = read_setting(change->path);
		g_autoptr(GError) why = NULL;

		if (g_strcmp0(now, change->old) == 0 || !g_file_test(change->path, G_FILE_TEST_EXISTS))
			continue;
		if (!write_setting(change->path, change->old, &why))
			g_string_append_printf(
				left, "\n  write \"%s\" to %s (%s)", change->old, change->path, why->message);
		else if (told != NULL)
			g_ptr_array_add(told, g_strdup_printf("%s: %s", change->path, change->old));
	}
	if (left->len > 0)
		return diag_set(err, DIAG_FAILED,
			"settings of this machine that were changed for timing could not be put back; do it "
			"as root:%s\nThe next run looks again (%s)",
			left->str, journal);
	if (g_unlink(journal) != 0 && errno != ENOENT)
		return diag_set(err, DIAG_FAILED, "%s: cannot be removed: %s", journal, g_strerror(errno));
	return true;
}

/* With the lock held. */
static bool recover_locked(
	GPtrArray *told, const char *journal, const struct host_settings_spec *spec, GError **err)
{
	g_autoptr(GPtrArray) changes = changes_new();

	if (!g_file_test(journal, G_FILE_TEST_EXISTS))
		return true;
	return read_journal(changes, journal, spec, err) && put_back(changes, journal, told, err);
}

static bool take_lock(int *ret, const struct host_settings_spec *spec, GError **err)
{
	g_autofree char *file = g_build_filename(spec->journal, "host-settings.lock", NULL);

	return fsx_make_folder(spec->journal, err) && fsx_lock(ret, file, false, err);
}

bool host_settings_recover(GPtrArray **ret, const struct host_settings_spec *spec, GError **err)
{
	g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *journal = journal_file(spec);
	int lock = -1;

	if (g_file_test(journal, G_FILE_TEST_EXISTS)) {
		if (!take_lock(&lock, spec, err))
			return false;
		bool ok = lock < 0 || recover_locked(told, journal, spec, err);
		if (lock >= 0)
			fsx_unlock(lock);
		if (!ok)
			return false;
	}
	*ret = g_steal_pointer(&told);
	return true;
}

bool host_settings_check(const struct host_settings_spec *spec, GError **err)
{
	g_autoptr(GPtrArray) changes = changes_new();

	return spec->wanted == NULL || find_changes(changes, spec, err);
}

static bool change_all(const struct host_settings *settings, GError **err)
{
	if (settings->changes->len > 0 && !write_journal(settings->journal, settings->changes, err))
		return false;
	for (guint i = 0; i < settings->changes->len; i++) {
		const struct change *change = settings->changes->pdata[i];
		if (!write_setting(change->path, change->new, err))
			return false;
	}
	return true;
}

static void release(struct host_settings *settings)
{
	fsx_unlock(settings->lock);
	g_ptr_array_unref(settings->changes);
	g_free(settings->journal);
	g_free(settings);
}

bool host_settings_apply(struct host_settings **ret, const struct host_settings_spec *spec, GError **err)
{
	int lock = -1;

	*ret = NULL;
	if (spec->wanted == NULL)
		return true;
	if (!take_lock(&lock, spec, err))
		return false;
	if (lock < 0)
		return diag_set(err, DIAG_FAILED,
			"--host: another run has the settings of this machine changed; wait for its end");

	struct host_settings *settings = g_new0(struct host_settings, 1);
	settings->journal = journal_file(spec);
	settings->lock = lock;
	settings->changes = changes_new();
	if (!recover_locked(NULL, settings->journal, spec, err) ||
		!find_changes(settings->changes, spec, err)) {
		release(settings);
		return false;
	}
	if (!change_all(settings, err)) {
		/* Where this fails, too, the journal stays, and the next run tells it. */
		host_settings_restore(settings, NULL);
		return false;
	}
	*ret = settings;
	return true;
}

bool host_settings_restore(struct host_settings *settings, GError **err)
{
	if (settings == NULL)
		return true;

	bool ok = put_back(settings->changes, settings->journal, NULL, err);
	release(settings);
	return ok;
}
