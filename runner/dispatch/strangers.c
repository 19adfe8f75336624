#include "strangers.h"

#include "diag.h"
#include "spool.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>

static void strangers_free(gpointer data)
{
	struct strangers *strangers = data;

	g_free(strangers->folder);
	g_free(strangers->run);
	g_ptr_array_unref(strangers->files);
	g_free(strangers);
}

/* --- finding them --- */

struct place {
	struct store *store;
	int64_t run, cell; /* 0: the database does not know it */
};

static bool look_up(const struct spool_head *head, void *user, GError **err)
{
	struct place *place = user;

	return store_run_by_uuid(place->store, &place->run, head->run, err) &&
	       (place->run == 0 ||
		       store_cell_by_name(place->store, &place->cell, place->run, head->cell, err));
}

static double age_of(const char *path)
{
	GStatBuf facts;

	if (g_stat(path, &facts) != 0)
		return NAN;
	return MAX(0, (double)g_get_real_time() / G_USEC_PER_SEC - (double)facts.st_mtime);
}

static void add(struct strangers *strangers, const char *path, bool run_known)
{
	double age = age_of(path);

	strangers->age_s = strangers->files->len == 0 ? age : fmin(strangers->age_s, age);
	strangers->run_known = strangers->run_known || run_known;
	g_ptr_array_add(strangers->files, g_strdup(path));
}

static bool look_at(struct strangers *strangers, struct store *store, const char *path, GError **err)
{
	struct place place = {.store = store};
	const struct spool_visitor visitor = {.head = look_up, .user = &place};
	g_autoptr(GError) error = NULL;

	if (!spool_read(path, &visitor, &error)) {
		/* Without a head it is nothing, and the next run removes it. */
		if (g_error_matches(error, DIAG_ERROR, DIAG_INPUT))
			return true;
		g_propagate_error(err, g_steal_pointer(&error));
		return false;
	}
	if (place.cell == 0)
		add(strangers, path, place.run != 0);
	return true;
}

static bool look_through(struct strangers *strangers, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) files = spool_files_in(strangers->folder);

	for (guint i = 0; i < files->len; i++)
		if (!look_at(strangers, store, files->pdata[i], err))
			return false;
	return true;
}

bool strangers_find(GPtrArray **ret, struct store *store, GError **err)
{
	g_autoptr(GPtrArray) runs = spool_left_over(store_file(store));
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(strangers_free);

	for (guint i = 0; i < runs->len; i++) {
		struct strangers *strangers = g_new0(struct strangers, 1);
		strangers->run = g_strdup(runs->pdata[i]);
		strangers->folder = spool_folder_of(store_file(store), strangers->run);
		strangers->files = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(all, strangers);
		if (!look_through(strangers, store, err))
			return false;
		if (strangers->files->len == 0)
			g_ptr_array_remove(all, strangers);
	}
	*ret = g_steal_pointer(&all);
	return true;
}

/* --- telling and removing them --- */

static char *age_text(double seconds)
{
	static const struct {
		double seconds;
		const char *one, *many;
	} units[] = {{86400, "day", "days"}, {3600, "hour", "hours"}, {60, "minute", "minutes"}};

	if (isnan(seconds))
		return g_strdup("at an unknown time");
	for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
		int n = (int)(seconds / units[i].seconds);
		if (n > 0)
			return g_strdup_printf("%d %s ago", n, n == 1 ? units[i].one : units[i].many);
	}
	return g_strdup("just now");
}

char *strangers_text(const struct strangers *strangers)
{
	g_autofree char *age = age_text(strangers->age_s);

	return g_strdup_printf("%s: %u attempt%s of run %.8s, %s the database does not know, last written %s",
		strangers->folder, strangers->files->len, strangers->files->len == 1 ? "" : "s",
		strangers->run, strangers->run_known ? "whose cells" : "which", age);
}

bool strangers_remove(const struct strangers *strangers, const char *db, GError **err)
{
	struct spool *spool;

	if (!spool_open(&spool, db, strangers->run, err))
		return false;
	bool ok = true;
	for (guint i = 0; ok && i < strangers->files->len; i++) {
		const char *path = strangers->files->pdata[i];
		ok = g_unlink(path) == 0 || errno == ENOENT ||
		     diag_set(err, DIAG_FAILED, "%s: cannot be removed: %s", path, g_strerror(errno));
	}
	spool_close(spool);
	return ok;
}
