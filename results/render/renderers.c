#include "table.h"

#include "diag.h"

#include <string.h>

/* In the order to list them; each is one file. */
#define RENDERERS(X) X(terminal) X(markdown) X(csv) X(json) X(html)

#define DECLARE(name) extern const struct renderer renderer_##name;
RENDERERS(DECLARE)
#define ROW(name) &renderer_##name,
const struct renderer *const renderers[] = {RENDERERS(ROW) NULL};

const struct renderer *renderer_find(const char *name, GError **err)
{
	const char *names[G_N_ELEMENTS(renderers)] = {NULL};
	g_autofree char *list = NULL;
	const char *nearest;

	for (size_t i = 0; renderers[i]; i++) {
		if (strcmp(renderers[i]->name, name) == 0)
			return renderers[i];
		names[i] = renderers[i]->name;
	}
	nearest = diag_nearest(name, names);
	list = g_strjoinv(", ", (char **)names);
	diag_set(err, DIAG_USAGE, "unknown format \"%s\"%s%s%s; the formats are %s", name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", list);
	return NULL;
}
