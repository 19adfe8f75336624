/* Whether library and adapter were compiled with the same size of a type. */
#ifndef CORE_SIZE_CHECK_H
#define CORE_SIZE_CHECK_H

#include "adapter.h"

#include <string.h>

/* The room behind an object, which making it must leave alone. */
#define SIZE_CHECK_GUARD 1024

/* In a function with `struct core_why *why` that gives false where no figure can be trusted: returns false
 * where making an object writes behind it. `make` and `unmake` are expressions with `name`, a pointer to it.
 */
#define SIZE_CHECK(type, name, make, unmake)                                                                 \
	do {                                                                                                 \
		static union {                                                                               \
			type object;                                                                         \
			unsigned char room[sizeof(type) + SIZE_CHECK_GUARD];                                 \
		} u;                                                                                         \
		type *name = &u.object;                                                                      \
		memset(&u, 0xa5, sizeof(u));                                                                 \
		(void)(make);                                                                                \
		for (size_t i = sizeof(type); i < sizeof(u.room); i++)                                       \
			if (u.room[i] != 0xa5)                                                               \
				return core_refuse(why,                                                      \
					"library and program were compiled with other sizes of " #type);     \
		(void)(unmake);                                                                              \
	} while (0)

#endif
