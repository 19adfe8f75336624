#include "asides.h"

#include <glib.h>

bool aside_alternates(const char *matrix)
{
	static const char *const asides[] = {ASIDE_DUEL, ASIDE_CONFIRM, NULL};

	return matrix != NULL && g_strv_contains(asides, matrix);
}

bool aside_is(const char *matrix)
{
	static const char *const asides[] = {ASIDE_DUEL, ASIDE_TREES, ASIDE_CONFIRM, NULL};

	return g_strv_contains(asides, matrix);
}
