#include "machine_lock.h"

#include "fsx.h"

bool machine_lock_try(bool *ret, struct machine_lock *lock, enum machine_lock_mode mode, GError **err)
{
	*ret = lock->mode == mode;
	if (*ret)
		return true;
	machine_lock_release(lock);
	for (const char *const *file = lock->files; *file != NULL; file++) {
		g_clear_error(err);
		if (!fsx_lock_machine(&lock->fd, *file, mode == MACHINE_SHARED, err))
			continue;
		*ret = lock->fd >= 0;
		lock->mode = *ret ? mode : MACHINE_FREE;
		return true;
	}
	return false;
}

void machine_lock_release(struct machine_lock *lock)
{
	if (lock->mode != MACHINE_FREE)
		fsx_unlock(lock->fd);
	lock->mode = MACHINE_FREE;
	lock->fd = -1;
}
