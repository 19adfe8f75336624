#include "night_log.h"

#include "child.h"
#include "diag.h"

#include <string.h>

#define GIT_TIMEOUT_S  60
#define OUTPUT_CEILING (1u << 20)

/* A bare repository, a work tree, or the address of either as a file. */
static const char *folder_of(const char *repository)
{
	const char *folder =
		g_str_has_prefix(repository, "file://") ? repository + strlen("file://") : repository;

	return g_path_is_absolute(folder) && g_file_test(folder, G_FILE_TEST_IS_DIR) ? folder : NULL;
}

char **night_log(const char *repository, const char *from, const char *to)
{
	const char *folder = repository != NULL && from != NULL && to != NULL ? folder_of(repository) : NULL;
	g_autofree char *range = g_strconcat(from ? from : "", "..", to ? to : "", NULL);
	g_autofree char *most = g_strdup_printf("--max-count=%d", NIGHT_LOG_MOST);
	g_auto(GStrv) environment = child_clean_environment(NULL);
	const char *argv[] = {"git", "-C", folder, "log", "--oneline", "--no-decorate", "--no-color", most,
		"--end-of-options", range, NULL};
	const struct child_spec spec = {.argv = argv,
		.environment = (const char *const *)environment,
		.timeout_s = GIT_TIMEOUT_S,
		.output_ceiling = OUTPUT_CEILING,
		.cpu = -1};
	g_autoptr(GString) out = g_string_new(NULL);
	struct child_exit end;

	if (folder == NULL || !child_run(&end, out, NULL, &spec, NULL) || end.end != CHILD_EXITED ||
		end.status != 0)
		return NULL;
	g_autofree char *text = diag_printable(out->str, (gssize)out->len);
	g_strchomp(text);
	return *text ? g_strsplit(text, "\n", -1) : g_new0(char *, 1);
}
