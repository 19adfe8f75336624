/* Settings of this machine that make its timing steadier: changed only where the user asks, put back after.
 *
 *     governor=NAME   every cpufreq policy's scaling_governor: "performance"
 *     turbo=on|off    the processor's clock above its base: intel_pstate/no_turbo, else cpufreq/boost
 *
 * What was there before is in a journal on disk before anything is changed, so that it can be put back even
 * where we were killed. A journal from before the machine's last start says nothing any more and is dropped.
 */
#ifndef BM_HOST_SETTINGS_H
#define BM_HOST_SETTINGS_H

#include <glib.h>
#include <stdbool.h>

/* Lent strings. */
struct host_settings_spec {
	const char *wanted;  /* "governor=performance,turbo=off"; NULL: nothing is changed */
	const char *sysfs;   /* "/sys"; another folder in tests */
	const char *journal; /* folder for the journal and its lock; made where missing */
};

/* Puts back what a process that was killed has left changed; *ret gets a line for each ("PATH: VALUE", char
 * *). Does nothing while another live process has settings changed. DIAG_FAILED where something cannot be put
 * back: the message says what to write where. */
bool host_settings_recover(GPtrArray **ret, const struct host_settings_spec *spec, GError **err);

/* Whether the settings could be applied here; changes nothing. DIAG_USAGE where the words are not understood;
 * DIAG_LACKS with what was looked for where this machine does not have one; DIAG_FAILED where we may not
 * change it. */
bool host_settings_check(const struct host_settings_spec *spec, GError **err);

struct host_settings;

/* Changes all or nothing; *ret is NULL where nothing is wanted. Fails as host_settings_check() does, and with
 * DIAG_FAILED where another live process has settings changed. */
bool host_settings_apply(struct host_settings **ret, const struct host_settings_spec *spec, GError **err);

/* Puts the old values back and frees in any case; takes NULL. Fails as host_settings_recover(): the journal
 * then stays. */
bool host_settings_restore(struct host_settings *settings, GError **err);

/* For a signal that ends us: writes the old values of what is changed, and nothing else. Says nothing where
 * it cannot; the journal stays in any case, so that the next host_settings_recover() looks again. */
void host_settings_put_back_at_once(void);

/* How "governor" or "turbo" stands, in the words of --host; governors that differ from policy to policy are
 * joined by ", ". NULL where this machine does not have it. New text. */
char *host_settings_now(const char *name, const char *sysfs);

#endif
