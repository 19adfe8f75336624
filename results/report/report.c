#include "report.h"

#include "diag.h"
#include "fsx.h"
#include "report_model.h"
#include "report_nav.h"
#include "report_page.h"
#include "report_pages.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

/* Marks a folder as ours: its other files may be removed. */
#define MARK "benchmatrix-report"

#define ASSET_CEILING (4 << 20)

static const char *const assets[] = {
	"report.css", "print.css", "report.js", "drawing.js", "charts.js", "chart.js"};

static bool is_page(const char *name)
{
	return g_str_has_suffix(name, ".html") || g_str_has_suffix(name, ".csv") ||
	       g_str_has_suffix(name, PAGE_PART);
}

/* Pages of builds that are gone would else be found by old links, and tell of nothing that is here. Last: who
 * reads the site meanwhile finds its pages. */
static bool clear(const char *folder, GHashTable *written, GError **err)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, err);
	const char *name;

	if (dir == NULL)
		return false;
	while ((name = g_dir_read_name(dir)) != NULL) {
		g_autofree char *file = g_build_filename(folder, name, NULL);

		if (is_page(name) && !g_hash_table_contains(written, name) && g_unlink(file) != 0)
			return diag_set(err, DIAG_FAILED, "%s: %s", file, g_strerror(errno));
	}
	return true;
}

bool report_check_folder(const char *folder, GError **err)
{
	g_autofree char *mark = g_build_filename(folder, MARK, NULL);

	if (g_file_test(folder, G_FILE_TEST_EXISTS) && !g_file_test(folder, G_FILE_TEST_IS_DIR))
		return diag_set(err, DIAG_USAGE, "%s: is a file; -o names a folder", folder);
	if (!g_file_test(folder, G_FILE_TEST_EXISTS) || g_file_test(mark, G_FILE_TEST_EXISTS))
		return true;
	g_autoptr(GDir) dir = g_dir_open(folder, 0, err);
	return dir != NULL && (g_dir_read_name(dir) == NULL ||
				      diag_set(err, DIAG_USAGE,
					      "%s: holds other files; name a new folder, or one that holds a "
					      "report",
					      folder));
}

static bool prepare(const char *folder, GError **err)
{
	g_autofree char *mark = g_build_filename(folder, MARK, NULL);
	static const char text[] = "A report of benchmatrix: made anew as a whole each time.\n";

	return report_check_folder(folder, err) && fsx_make_folder(folder, err) &&
	       fsx_write(mark, text, strlen(text), err);
}

static bool copy_asset(const struct report_spec *spec, const char *name, GError **err)
{
	g_autofree char *from = g_build_filename(spec->assets, name, NULL);
	g_autofree char *to = g_build_filename(spec->folder, name, NULL);
	g_autofree char *bytes = NULL;
	size_t length;

	return fsx_read(&bytes, &length, from, ASSET_CEILING, err) && fsx_write(to, bytes, length, err);
}

static bool write_all(const struct report_model *model, GError **err)
{
	const struct report_spec *spec = model->spec;
	bool ok = prepare(spec->folder, err);

	for (size_t i = 0; ok && i < G_N_ELEMENTS(assets); i++)
		ok = copy_asset(spec, assets[i], err);
	ok = ok && report_data(model, err);
	for (const struct report_nav *nav = report_navs; ok && nav->file; nav++)
		if (nav->wanted == NULL || nav->wanted(model))
			ok = nav->write(model, err);
	return ok && clear(spec->folder, model->written, err);
}

bool report_write(const struct report_spec *spec, GError **err)
{
	struct report_model *model;

	if (!report_model_make(&model, spec, err))
		return false;
	bool ok = write_all(model, err);
	report_model_free(model);
	return ok;
}
