#include "diag.h"
#include "export.h"

#include <string.h>

/* In the order to list them; each is one file. */
#define EXPORTERS(X) X(jsonl) X(csv) X(go) X(bmf) X(github_action_benchmark) X(openmetrics)

#define DECLARE(name) extern const struct exporter exporter_##name;
EXPORTERS(DECLARE)
#define ROW(name) &exporter_##name,
const struct exporter *const exporters[] = {EXPORTERS(ROW) NULL};

const struct exporter *exporter_find(const char *name, GError **err)
{
	const char *names[G_N_ELEMENTS(exporters)] = {NULL};

	for (size_t i = 0; exporters[i]; i++) {
		if (strcmp(exporters[i]->name, name) == 0)
			return exporters[i];
		names[i] = exporters[i]->name;
	}
	const char *nearest = diag_nearest(name, names);
	g_autofree char *list = g_strjoinv(", ", (char **)names);
	diag_set(err, DIAG_USAGE, "unknown export format \"%s\"%s%s%s; the formats are %s", name,
		nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", list);
	return NULL;
}
