#include "host_knobs.h"

#include "diag.h"
#include "fsx.h"
#include "jsonx.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

struct host_settings {
	char *journal;
	int lock;
	GPtrArray *changes; /* struct change */
};

/* --- the journal --- */

static char *journal_file(const struct host_settings_spec *spec)
{
	return g_build_filename(spec->journal, "host-settings.json", NULL);
}

static bool write_journal(const char *journal, const GPtrArray *changes, GError **err)
{
	g_autofree char *boot = knob_read(BOOT_ID);
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
	g_autofree char *folder = g_strconcat(sysfs, "/" HOST_CPU "/", NULL);
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
	changes_add(changes, path, value, NULL);
	return true;
}

/* The changes that a journal of this start of the machine tells of; none for an older one. */
static bool read_journal(
	GPtrArray *changes, const char *journal, const struct host_settings_spec *spec, GError **err)
{
	g_autofree char *boot = knob_read(BOOT_ID);
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
		g_autofree char *now = knob_read(change->path);
		g_autoptr(GError) why = NULL;

		if (g_strcmp0(now, change->old) == 0 || !g_file_test(change->path, G_FILE_TEST_EXISTS))
			continue;
		if (!knob_write(change->path, change->old, &why))
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

	return spec->wanted == NULL || knobs_find(changes, spec, err);
}

/* --- at once --- */

/* What a signal handler needs, ready to be written. Never freed: a signal may be about to read it. */
struct old_value {
	const char *path, *line;
	size_t length;
};
static const struct old_value *old_values; /* ends with a path of NULL; NULL: nothing is changed */

static void be_ready_for_signals(const GPtrArray *changes)
{
	static GPtrArray *all;
	struct old_value *values = g_new0(struct old_value, changes->len + 1);

	for (guint i = 0; i < changes->len; i++) {
		/* As they are put back: the last change first. */
		const struct change *change = changes->pdata[changes->len - 1 - i];
		char *line = g_strconcat(change->old, "\n", NULL);
		values[i] = (struct old_value){g_strdup(change->path), line, strlen(line)};
	}
	if (all == NULL)
		all = g_ptr_array_new();
	g_ptr_array_add(all, values);
	g_atomic_pointer_set(&old_values, values);
}

void host_settings_put_back_at_once(void)
{
	const struct old_value *value = g_atomic_pointer_get(&old_values);

	for (; value != NULL && value->path != NULL; value++) {
		int fd = open(value->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
		if (fd >= 0) {
			(void)!write(fd, value->line, value->length);
			close(fd);
		}
	}
}

/* --- changing --- */

static bool change_all(const struct host_settings *settings, GError **err)
{
	if (settings->changes->len > 0 && !write_journal(settings->journal, settings->changes, err))
		return false;
	be_ready_for_signals(settings->changes);
	for (guint i = 0; i < settings->changes->len; i++) {
		const struct change *change = settings->changes->pdata[i];
		if (!knob_write(change->path, change->new, err))
			return false;
	}
	return true;
}

static void release(struct host_settings *settings)
{
	g_atomic_pointer_set(&old_values, NULL);
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
		!knobs_find(settings->changes, spec, err)) {
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
