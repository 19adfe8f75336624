#include "reporting.h"

#include "catalog.h"
#include "hints.h"
#include "report.h"

static char *hint_of(const void *hints, const char *library, const char *reason)
{
	const struct library *known = library ? catalog_library(hints, library, NULL) : NULL;

	return hint_for(known, reason);
}

bool reporting_make(const struct paths *paths, struct store *store, const char *folder, const char *selector,
	const char *command, GError **err)
{
	g_autofree char *assets = g_build_filename(paths->data, "report", NULL);
	struct catalog *catalog;

	if (!catalog_load(&catalog, paths->data, paths->user, err))
		return false;
	const struct report_spec spec = {
		.store = store,
		.selector = selector,
		.folder = folder,
		.assets = assets,
		.program = BM_VERSION,
		.command = command,
		.hint = hint_of,
		.hints = catalog,
	};
	bool ok = report_write(&spec, err);
	catalog_free(catalog);
	return ok;
}
