#include "objects.h"

#include "catalog.h"
#include "diag.h"
#include "print.h"
#include "sizes.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *fact_of(const struct store_description *build, const char *key)
{
	for (guint i = 0; i < build->keys->len; i++)
		if (strcmp(build->keys->pdata[i], key) == 0)
			return build->values->pdata[i];
	return NULL;
}

static char *archive_of(const struct paths *paths, const struct store_description *build, GError **err)
{
	const char *key = fact_of(build, "library key"), *name = fact_of(build, "library");
	const struct library *library = NULL;
	struct catalog *catalog = NULL;
	char *file = NULL;

	if (key == NULL || name == NULL) {
		diag_set(err, DIAG_USAGE, "--objects: this build has no library");
		return NULL;
	}
	if (catalog_load(&catalog, paths->data, paths->user, err))
		library = catalog_library(catalog, name, err);
	if (library != NULL)
		file = g_build_filename(paths->cache, "libraries", key, "tree", library->archive, NULL);
	if (file != NULL && !g_file_test(file, G_FILE_TEST_EXISTS)) {
		diag_set(err, DIAG_LACKS, "%s: the cache does not have it any more; run the build again",
			file);
		g_clear_pointer(&file, g_free);
	}
	if (catalog != NULL)
		catalog_free(catalog);
	return file;
}

static gint by_size(gconstpointer a, gconstpointer b)
{
	const struct sizes *x = &(*(struct object_sizes *const *)a)->sizes,
			   *y = &(*(struct object_sizes *const *)b)->sizes;
	int64_t left = x->text + x->rodata + x->data, right = y->text + y->rodata + y->data;

	return (left < right) - (left > right);
}

static void put(struct table_cell *cell, enum metric metric, int64_t bytes)
{
	cell->number = (double)bytes;
	scale_text(&cell->text, cell->number, metric, WORK_OPERATION, NULL, NULL);
}

static struct table *table_of(const GPtrArray *objects)
{
	static const enum metric metrics[] = {METRIC_TEXT, METRIC_RODATA, METRIC_DATA, METRIC_BSS};
	struct table *table = table_new("objects of the library");

	table_add_column(table, "object", "object", NULL, TABLE_LEFT);
	for (size_t m = 0; m < G_N_ELEMENTS(metrics); m++) {
		const struct metric_info *info = &metric_infos[metrics[m]];
		table_add_column(table, info->name, info->name, info->unit, TABLE_RIGHT);
	}
	for (guint i = 0; i < objects->len; i++) {
		const struct object_sizes *object = objects->pdata[i];
		struct table_cell *cell = table_add_row(table);
		cell++->text = g_strdup(object->name);
		put(cell++, METRIC_TEXT, object->sizes.text);
		put(cell++, METRIC_RODATA, object->sizes.rodata);
		put(cell++, METRIC_DATA, object->sizes.data);
		put(cell, METRIC_BSS, object->sizes.bss);
	}
	table_add_footer(table, "%u objects; a linker leaves out those that nobody calls", objects->len);
	return table;
}

bool objects_print(const struct paths *paths, const struct store_description *build, GError **err)
{
	g_autofree char *file = archive_of(paths, build, err);
	g_autoptr(GPtrArray) objects = NULL;

	if (file == NULL || !sizes_of_objects(&objects, file, err))
		return false;
	g_ptr_array_sort(objects, by_size);
	struct table *table = table_of(objects);
	putchar('\n');
	bool ok = print_table(table, NULL, err);
	table_free(table);
	return ok;
}
