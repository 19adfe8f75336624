/* Files and folders of the tests of fsx.c. */
#ifndef FSX_HARNESS_H
#define FSX_HARNESS_H

#include "fsx.h"

#include <glib.h>
#include <string.h>

static char *scratch; /* a folder of this run */

static inline char *in(const char *folder, const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static inline char *new_folder(void)
{
	char *folder = fsx_unique_folder(scratch, "test", NULL);

	g_assert_nonnull(folder);
	return folder;
}

static inline void put(const char *folder, const char *name, const char *text)
{
	g_autofree char *file = in(folder, name);
	g_autofree char *parent = g_path_get_dirname(file);

	g_assert_true(fsx_make_folder(parent, NULL));
	g_assert_true(fsx_write(file, text, strlen(text), NULL));
}

#endif
