#include "summary.h"

#include "diag.h"

#include <stdio.h>

const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

bool print_failures(struct store *store, int64_t run, GError **err)
{
	g_autoptr(GPtrArray) failures = NULL;

	if (!store_failures(store, &failures, run, err))
		return false;
	if (failures->len > 0)
		printf("\nFailed:\n");
	for (guint i = 0; i < failures->len; i++) {
		const struct failure_info *failure = failures->pdata[i];
		g_autofree char *reason = diag_printable(failure->reason ? failure->reason : "", -1);
		g_autofree char *benchmark = diag_printable(failure->benchmark, -1);
		printf("  %s%s%s: %s%s%s\n", failure->cell, *benchmark ? ", " : "", benchmark, failure->what,
			*reason ? ": " : "", reason);
	}
	return true;
}

void print_summary(const struct run_info *run, const struct dispatch_result *result)
{
	printf("run %.8s of %s%s: %d cell%s: %d ok, %d partial, %d failed\n", run->uuid, run->matrix,
		result->cancelled ? " (cancelled)" : "", run->cells, plural(run->cells), run->ok,
		run->partial, run->failed);
	printf("%d program%s built (%d librar%s compiled), %d taken from the cache; %d cell%s measured, %d "
	       "carried forward\n",
		result->programs_built, plural(result->programs_built), result->libraries_compiled,
		result->libraries_compiled == 1 ? "y" : "ies", result->programs_cached, result->measured,
		plural(result->measured), result->carried);
}
