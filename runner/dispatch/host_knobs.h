/* The settings themselves: where they are, and what has to be changed. For the host_settings files only. */
#ifndef BM_HOST_KNOBS_H
#define BM_HOST_KNOBS_H

#include "host_settings.h"

#define HOST_CPU "devices/system/cpu" /* below sysfs */

struct change {
	char *path;
	char *old; /* to put back */
	char *new; /* NULL where it was read from a journal */
};

/* Of struct change, with its own free function. */
GPtrArray *changes_new(void);
/* `new` may be NULL. */
void changes_add(GPtrArray *changes, const char *path, const char *old, const char *new);

/* The text of a setting without the newline at its end; NULL where it cannot be read. */
char *knob_read(const char *path);
/* Fails, too, where it then says something else. */
bool knob_write(const char *path, const char *value, GError **err);

/* What has to be changed for what is wanted; fails as host_settings_check(). */
bool knobs_find(GPtrArray *changes, const struct host_settings_spec *spec, GError **err);

#endif
