#include "link_folder.h"

#include "fsx.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "bm-ssh"
/* Who has just made one may not hold it yet: seconds. */
#define YOUNG 60

/* -1: somebody else has it, or it is not ours. */
static int hold(const char *folder)
{
	int held = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (held >= 0 && flock(held, LOCK_EX | LOCK_NB) == 0)
		return held;
	if (held >= 0)
		close(held);
	return -1;
}

static void remove_left(const char *folder)
{
	GStatBuf facts;

	if (g_lstat(folder, &facts) != 0 || facts.st_uid != getuid() || time(NULL) - facts.st_mtime < YOUNG)
		return;
	int held = hold(folder);
	if (held < 0)
		return;
	fsx_remove_tree(folder, NULL);
	close(held);
}

static void remove_all_left(const char *parent)
{
	g_autoptr(GDir) dir = g_dir_open(parent, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *folder = g_build_filename(parent, name, NULL);
		if (g_str_has_prefix(name, PREFIX "-"))
			remove_left(folder);
	}
}

char *link_folder_new(int *held)
{
	remove_all_left(g_get_tmp_dir());
	char *folder = fsx_unique_folder(g_get_tmp_dir(), PREFIX, NULL);

	*held = folder ? hold(folder) : -1;
	return folder;
}
