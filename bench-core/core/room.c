#include "room.h"

#include <stdio.h>
#include <string.h>

/* An allowance for heap and stack of the operation, and for what the program itself has not touched yet. */
#define OTHERS (256u << 10)

#define KIB 1024u
#define MIB (1024u * 1024u)

/* "600 KiB", "1.5 MiB", rounded down. Small C libraries print neither fractions nor numbers of 64 bits. */
static void size_text(char *ret, size_t room, uint64_t bytes)
{
	unsigned long tenths = (unsigned long)(bytes * 10 / MIB);

	if (bytes < MIB)
		snprintf(ret, room, "%lu KiB", (unsigned long)(bytes / KIB));
	else if (tenths % 10 == 0)
		snprintf(ret, room, "%lu MiB", tenths / 10);
	else
		snprintf(ret, room, "%lu.%lu MiB", tenths / 10, tenths % 10);
}

bool room_for(size_t block, size_t touched, uint64_t available, struct core_why *why)
{
	/* Its input and its output. */
	uint64_t need = 2 * (uint64_t)block + OTHERS;
	char needed[24], of[24], there[24];

	if (block <= touched || available == 0 || available >= need)
		return true;
	size_text(needed, sizeof(needed), need);
	size_text(of, sizeof(of), block);
	size_text(there, sizeof(there), available);
	return core_refuse(why, "it needs about %s for blocks of %s, and %s are free", needed, of, there);
}

void room_tell(struct core_why *why, uint64_t available)
{
	size_t used = strlen(why->text);
	char there[24];

	if (available == 0)
		return;
	size_text(there, sizeof(there), available);
	snprintf(why->text + used, sizeof(why->text) - used, "; %s are free", there);
}
