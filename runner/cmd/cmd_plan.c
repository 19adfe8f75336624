#include "catalog.h"
#include "cmd.h"
#include "plan.h"
#include "resolve.h"

#include <stdio.h>

/* Where the moving refs stand. */
static void print_refs(const struct matrix *matrix)
{
	for (guint i = 0; i < matrix->versions->len; i++) {
		const struct version *version = matrix->versions->pdata[i];
		if (version->origin.commit != NULL)
			printf("%s is %s\n", version->name, version->origin.commit);
		else if (version->origin.unresolved != NULL)
			printf("%s cannot be looked up: %s\n", version->name, version->origin.unresolved);
	}
}

static void print_plan(const struct plan *plan)
{
	printf("%s: %u builds, %u cells, %u exclusions\n", plan->matrix->name, plan->builds->len,
		plan->cells->len, plan->exclusions->len);
	print_refs(plan->matrix);
	printf("\nBuilds\n");
	for (guint i = 0; i < plan->builds->len; i++)
		printf("  %s\n", ((const struct planned_build *)plan->builds->pdata[i])->name);
	printf("\nCells\n");
	for (guint i = 0; i < plan->cells->len; i++)
		printf("  %s\n", ((const struct planned_cell *)plan->cells->pdata[i])->name);
	if (plan->exclusions->len > 0)
		printf("\nLeft out\n");
	for (guint i = 0; i < plan->exclusions->len; i++) {
		const struct exclusion *exclusion = plan->exclusions->pdata[i];
		printf("  %s: %s\n", exclusion->what, exclusion->reason);
	}
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	struct catalog *catalog = NULL;
	struct matrix *matrix = NULL;
	struct plan *plan = NULL;
	g_autofree char *file = NULL;
	int status = 1;

	if (!catalog_load(&catalog, paths->data, paths->user, err))
		return status;
	file = catalog_matrix_file(catalog, arguments[0], err);
	if (file != NULL && matrix_load(&matrix, file, catalog, err) && plan_make(&plan, matrix, err)) {
		resolve_refs(matrix->versions);
		print_plan(plan);
		status = 0;
	}
	plan_free(plan);
	matrix_free(matrix);
	catalog_free(catalog);
	return status;
}

const struct cmd cmd_plan = {
	.name = "plan",
	.arguments = "MATRIX",
	.summary = "what a matrix would build and run, and what it leaves out",
	.description = "Lists the builds and cells of a matrix, and each combination that is left out with "
		       "its reason. MATRIX is a bundled name "
		       "(list matrices) or a file. Refs of git repositories are looked up; nothing is "
		       "fetched, built or run.",
	.min = 1,
	.max = 1,
	.run = run,
};
