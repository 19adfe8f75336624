#include "stripped.h"

#include "child.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define STRIP_S 60

static bool strip(const char *from, const char *to, const char *tool)
{
	g_auto(GStrv) environment = child_clean_environment(NULL);
	const char *const argv[] = {tool, "-o", to, from, NULL};
	const struct child_spec spec = {.argv = argv,
		.environment = (const char *const *)environment,
		.timeout_s = STRIP_S,
		.cpu = -1};
	struct child_exit end;

	return child_run(&end, NULL, NULL, &spec, NULL) && end.end == CHILD_EXITED && end.status == 0;
}

char *stripped_program(const char *program, const struct agent_target *target)
{
	g_autofree char *file = g_strconcat(program, ".stripped", NULL);
	g_autofree char *unfinished = g_strdup_printf("%s.%d", file, (int)getpid());

	if (!target->strip)
		return g_strdup(program);
	if (g_file_test(file, G_FILE_TEST_IS_REGULAR) ||
		(strip(program, unfinished, target->strip) && g_rename(unfinished, file) == 0))
		return g_steal_pointer(&file);
	g_unlink(unfinished);
	return g_strdup(program);
}
