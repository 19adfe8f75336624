/* What a toolchain's programs are, remembered as long as their files stay the same: to ask and to hash them
 * takes half a second for each toolchain. */
#ifndef BM_IDENTITY_KEPT_H
#define BM_IDENTITY_KEPT_H

#include "identity.h"

/* As identity_probe(), which it asks where `folder` holds no answer for these words, or a file that was
 * looked at then is another one now (by size, times, inode). What it is told is kept in `folder`, made where
 * missing; that it cannot be kept is no failure. */
bool identity_find(struct identity **ret, const char *folder, const struct toolchain *toolchain,
	const char *const *environment, GError **err);

#endif
