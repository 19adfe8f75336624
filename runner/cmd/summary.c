#include "summary.h"

#include "diag.h"
#include "hints.h"

#include <stdio.h>

const char *plural(int n)
{
	return n == 1 ? "" : "s";
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

bool summary_known(struct known **ret, const struct paths *paths, const char *file, GError **err)
{
	g_autofree char *own = g_build_filename(paths->user, "known-failures.json", NULL);

	*ret = NULL;
	if (file == NULL && !g_file_test(own, G_FILE_TEST_EXISTS))
		return true;
	return known_load(ret, file ? file : own, err);
}

/* --- judging --- */

static const struct known_failure *entry_of(const struct verdict *verdict, const struct failure_info *failure)
{
	return known_find(verdict->known, failure->cell, failure->benchmark, failure->what, verdict->today);
}

/* The new ones, then the known ones, each in the order of cells. */
static void sort_failures(struct verdict *verdict)
{
	const GPtrArray *failures = verdict->all;

	for (int fresh = 1; fresh >= 0; fresh--) {
		for (guint i = 0; i < failures->len; i++) {
			const struct known_failure *entry = entry_of(verdict, failures->pdata[i]);
			bool is_fresh = entry == NULL || known_expired(entry, verdict->today);
			if (is_fresh != (fresh == 1))
				continue;
			g_ptr_array_add(verdict->failures, failures->pdata[i]);
			g_ptr_array_add(verdict->entries, (gpointer)entry);
			verdict->fresh += is_fresh;
		}
	}
}

static bool happened(const struct known_failure *entry, const GPtrArray *failures)
{
	for (guint i = 0; i < failures->len; i++) {
		const struct failure_info *failure = failures->pdata[i];
		if (known_matches(entry, failure->cell, failure->benchmark, failure->what))
			return true;
	}
	return false;
}

/* Whether what the entry is about was measured and is good: a benchmark, or where it names none a cell. */
static bool is_good(const struct known_failure *entry, const GPtrArray *goods)
{
	const struct known_failure any_state = {.cell = entry->cell, .benchmark = entry->benchmark};

	for (guint i = 0; i < goods->len; i++) {
		const struct good_info *good = goods->pdata[i];
		if ((entry->benchmark != NULL || good->cell_ok) &&
			known_matches(&any_state, good->cell, good->benchmark, ""))
			return true;
	}
	return false;
}

static bool find_idle(struct verdict *verdict, struct store *store, int64_t run, GError **err)
{
	const struct known *known = verdict->known;
	g_autoptr(GPtrArray) goods = NULL;

	if (known == NULL)
		return true;
	if (!store_good(store, &goods, run, err))
		return false;
	for (guint i = 0; i < known->entries->len; i++) {
		const struct known_failure *entry = known->entries->pdata[i];
		if (!happened(entry, verdict->failures) && is_good(entry, goods))
			g_ptr_array_add(verdict->idle, (gpointer)entry);
	}
	return true;
}

bool verdict_make(
	struct verdict **ret, struct store *store, int64_t run, const struct known *known, GError **err)
{
	struct verdict *verdict = g_new0(struct verdict, 1);

	verdict->today = known_today();
	verdict->known = known;
	verdict->failures = g_ptr_array_new();
	verdict->entries = g_ptr_array_new();
	verdict->idle = g_ptr_array_new();
	bool ok = store_failures(store, &verdict->all, run, err);
	if (ok) {
		sort_failures(verdict);
		ok = find_idle(verdict, store, run, err);
	}
	if (!ok) {
		verdict_free(verdict);
		return false;
	}
	*ret = verdict;
	return true;
}

void verdict_free(struct verdict *verdict)
{
	if (verdict == NULL)
		return;
	g_ptr_array_unref(verdict->failures);
	g_ptr_array_unref(verdict->entries);
	g_ptr_array_unref(verdict->idle);
	g_clear_pointer(&verdict->all, g_ptr_array_unref);
	g_free(verdict->today);
	g_free(verdict);
}

/* --- telling --- */

static void print_failure(const struct failure_info *failure)
{
	g_autofree char *reason = diag_printable(failure->reason ? failure->reason : "", -1);
	g_autofree char *benchmark = diag_printable(failure->benchmark, -1);

	printf("  %s%s%s: %s%s%s\n", failure->cell, *benchmark ? ", " : "", benchmark, failure->what,
		*reason ? ": " : "", reason);
}

static void print_known(const struct known_failure *entry, const char *today)
{
	g_autofree char *reason = diag_printable(entry->reason, -1);

	printf("    known%s%s%s: %s\n", entry->until ? " until " : "", entry->until ? entry->until : "",
		known_expired(entry, today) ? ", expired" : "", reason);
}

/* Each hint once, below the first failure that it helps with. */
static void print_hint(GHashTable *told, const struct library *library, const char *reason)
{
	char *hint = hint_for(library, reason);

	if (hint == NULL || g_hash_table_contains(told, hint)) {
		g_free(hint);
		return;
	}
	g_autofree char *safe = diag_printable(hint, -1);
	printf("    hint: %s\n", safe);
	g_hash_table_add(told, hint);
}

static void print_idle(const struct verdict *verdict)
{
	if (verdict->idle->len == 0)
		return;
	printf("\nKnown failures that did not happen (take them out of %s):\n", verdict->known->file);
	for (guint i = 0; i < verdict->idle->len; i++) {
		const struct known_failure *entry = verdict->idle->pdata[i];
		g_autofree char *cell = diag_printable(entry->cell, -1);
		g_autofree char *benchmark = diag_printable(entry->benchmark ? entry->benchmark : "", -1);
		g_autofree char *reason = diag_printable(entry->reason, -1);
		printf("  %s%s%s%s%s: %s\n", cell, *benchmark ? ", " : "", benchmark,
			entry->state ? ": " : "", entry->state ? entry->state : "", reason);
	}
}

void verdict_print(const struct verdict *verdict, const struct library *library)
{
	g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	int n = (int)verdict->failures->len;

	if (n > verdict->fresh)
		printf("\nFailed (%d new, %d known):\n", verdict->fresh, n - verdict->fresh);
	else if (n > 0)
		printf("\nFailed:\n");
	for (guint i = 0; i < verdict->failures->len; i++) {
		const struct failure_info *failure = verdict->failures->pdata[i];
		print_failure(failure);
		if (verdict->entries->pdata[i] != NULL)
			print_known(verdict->entries->pdata[i], verdict->today);
		print_hint(told, library, failure->reason);
	}
	print_idle(verdict);
}
