/* One lock for all runs on this machine: builds and counts hold it together, timing holds it alone. */
#ifndef BM_MACHINE_LOCK_H
#define BM_MACHINE_LOCK_H

#include <glib.h>
#include <stdbool.h>

enum machine_lock_mode { MACHINE_FREE, MACHINE_SHARED, MACHINE_ALONE };

struct machine_lock {
	const char *const *files; /* NULL-terminated; the first that can be opened is used; lent */
	enum machine_lock_mode mode;
	int fd; /* -1 while free */
};

/* Never waits: *ret tells whether it is held in this mode now. What was held in another mode is let go first,
 * so that nobody waits while holding. Fails where none of the files can be opened. */
bool machine_lock_try(bool *ret, struct machine_lock *lock, enum machine_lock_mode mode, GError **err);
void machine_lock_release(struct machine_lock *lock);

#endif
