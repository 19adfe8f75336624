#include "reporting.h"

#include "catalog.h"
#include "diag.h"
#include "hints.h"
#include "report.h"

#include <stdio.h>

static char *hint_of(const void *hints, const char *library, const char *reason)
{
	const struct library *known = library ? catalog_library(hints, library, NULL) : NULL;

	return hint_for(known, reason);
}

bool reporting_make(const struct paths *paths, struct store *store, const char *folder, const char *selector,
	const char *command, GError **err)
{
	g_autofree char *assets = g_build_filename(paths->data, "report", NULL);
	g_autoptr(GError) nothing = NULL;
	struct catalog *catalog = NULL;

	/* A file that is wrong there spoils no results. */
	if (!catalog_load(&catalog, paths->data, paths->user, &nothing)) {
		g_autofree char *why = diag_printable(nothing->message, -1);
		fprintf(stderr, "benchmatrix: %s: the report gives no hints\n", why);
	}
	const struct report_spec spec = {
		.store = store,
		.selector = selector,
		.folder = folder,
		.assets = assets,
		.program = BM_VERSION,
		.command = command,
		.hint = catalog ? hint_of : NULL,
		.hints = catalog,
	};
	bool ok = report_write(&spec, err);
	if (catalog != NULL)
		catalog_free(catalog);
	return ok;
}
