#include "errors.h"

#include <errno.h>
#include <string.h>

/* From the surest sign to the last resort. */
enum rank { RANK_REAL, RANK_SUMMARY, RANK_ANY, RANK_NONE };

#define REASON_MAX 400 /* bytes: a reason is a line in a table */

bool errors_disk_full(const char *text)
{
	return strstr(text, "No space left on device") || strstr(text, "Disk quota exceeded");
}

static bool says_link(const char *line)
{
	static const char *const signs[] = {"undefined reference to", "cannot find -l",
		"multiple definition of", "relocation truncated", "file format not recognized",
		"is incompatible with elf", "cannot find crt", "cannot find Scrt", "undefined symbol",
		"unable to find library", "file in wrong format"};
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strstr(line, signs[i]))
			return true;
	return false;
}

/* "x.c:3:9: error: ...", "configure: error: ...", "cc1: fatal error: ..." but not "-Werror" or a file named
 * error.c. */
static bool says_error(const char *line)
{
	static const char *const signs[] = {
		": error: ", ": fatal error: ", ": internal compiler error: ", ": Error: "};
	for (size_t i = 0; i < G_N_ELEMENTS(signs); i++)
		if (strstr(line, signs[i]))
			return true;
	return g_str_has_prefix(line, "E: ");
}

static enum rank rank_of(const char *line)
{
	/* Commands, and what the steps say of their end, are our own words. */
	if (!*line || *line == '$' || *line == '[')
		return RANK_NONE;
	/* These say where, or that, and another line says what. */
	if (strstr(line, "collect2: ") || g_str_has_prefix(line, "configure: error: in "))
		return RANK_SUMMARY;
	if (says_link(line) || says_error(line) || g_str_has_suffix(line, ": not found") ||
		g_str_has_suffix(line, ": command not found") || errors_disk_full(line))
		return RANK_REAL;
	if (strstr(line, ": *** ") && g_str_has_prefix(line, "make"))
		return RANK_SUMMARY;
	return RANK_ANY;
}

static char *without_folder(const char *line, const char *folder)
{
	g_autoptr(GString) text = g_string_new(line);
	if (folder) {
		g_autofree char *prefix = g_strconcat(folder, "/", NULL);
		g_string_replace(text, prefix, "", 0);
		g_string_replace(text, folder, ".", 0);
	}
	g_strstrip(text->str);
	size_t length = strlen(text->str);
	/* Tools print bytes; a reason goes into places where only text can stand. */
	g_autofree char *valid = g_utf8_make_valid(text->str, (gssize)MIN(length, REASON_MAX));
	return g_strconcat(valid, length > REASON_MAX ? "..." : NULL, NULL);
}

/* Takes the next line from the text: one at a time, since a tool that has run wild leaves millions. */
static bool take_line(GString *line, const char **rest)
{
	if (!**rest)
		return false;
	const char *end = strchrnul(*rest, '\n');
	g_string_truncate(line, 0);
	g_string_append_len(line, *rest, end - *rest);
	*rest = *end ? end + 1 : end;
	return true;
}

/* The line to show: the first of the best rank, but the last of RANK_ANY. A new text, or NULL. */
static char *pick(const char *log)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(GString) best = g_string_new(NULL);
	enum rank rank = RANK_NONE;
	while (rank != RANK_REAL && take_line(line, &log)) {
		enum rank here = rank_of(line->str);
		if (here < rank || (here == RANK_ANY && rank == RANK_ANY)) {
			g_string_assign(best, line->str);
			rank = here;
		}
	}
	return rank == RANK_NONE ? NULL : g_strdup(best->str);
}

char *errors_first(const char *log, const char *folder)
{
	g_autofree char *line = pick(log);
	return line ? without_folder(line, folder) : NULL;
}

bool errors_is_link(const char *log)
{
	g_autofree char *line = pick(log);
	return line && (says_link(line) || strstr(line, "collect2: "));
}

static char *not_there(const char *program, int error, const char *const *packages)
{
	g_autofree char *names = packages && *packages ? g_strjoinv(" ", (char **)packages) : NULL;
	if (error != ENOENT)
		return g_strdup_printf("cannot start %s: %s", program, g_strerror(error));
	/* It is the source's own, which no package brings. */
	if (strchr(program, '/'))
		return g_strdup_printf("%s is not there: is this the library's source?", program);
	if (!names)
		return g_strdup_printf("%s is not installed", program);
	return g_strdup_printf("%s is not installed: apt-get install %s", program, names);
}

enum build_state errors_judge(char **ret_reason, const struct step *failed, const struct child_exit *end,
	const GError *err, const GString *log, const char *const *packages)
{
	if (err) {
		*ret_reason = g_strdup_printf("%s: %s", failed->name, err->message);
		return BUILD_UNSUPPORTED;
	}
	g_autofree char *how = child_end_text(end);
	g_autofree char *first = errors_first(log->str + failed->output_from, failed->folder);
	switch (end->end) {
	case CHILD_CANCELLED:
		*ret_reason = g_strdup("cancelled");
		return BUILD_CANCELLED;
	case CHILD_TIMEOUT:
	case CHILD_SILENT:
		*ret_reason = g_strdup_printf("%s: not done after %g s", failed->name, failed->timeout_s);
		return BUILD_TIMEOUT;
	case CHILD_NOT_RUN:
		*ret_reason = not_there(failed->argv[0], end->status, packages);
		return BUILD_UNSUPPORTED;
	case CHILD_EXITED:
		break;
	case CHILD_SIGNALLED:
	case CHILD_FLOODED:
	case CHILD_LOST:
		*ret_reason = g_strdup_printf("%s: %s", failed->name, how);
		return failed->fails_as;
	}
	*ret_reason = g_strdup_printf("%s: %s", failed->name, first ? first : how);
	/* A program is compiled and linked by one command. */
	if (failed->fails_as == BUILD_LINK_FAILED && first && !errors_is_link(log->str + failed->output_from))
		return BUILD_COMPILE_FAILED;
	return failed->fails_as;
}

static bool is_compile(char **words)
{
	bool source = false;
	for (char **word = words; *word; word++)
		source = source || g_str_has_suffix(*word, ".c") || g_str_has_suffix(*word, ".cc") ||
			 g_str_has_suffix(*word, ".cpp");
	return source && g_strv_contains((const char *const *)words, "-c");
}

/* "-O2", "-O2 -flto": as the compiler takes a command, its later words before its earlier ones. */
static char *level_of(char **words)
{
	const char *level = "-O0";
	bool lto = false;
	for (char **word = words; *word; word++) {
		if (g_str_has_prefix(*word, "-O"))
			level = *word;
		if (g_str_has_prefix(*word, "-flto"))
			lto = true;
		if (strcmp(*word, "-fno-lto") == 0)
			lto = false;
	}
	return g_strconcat(level, lto ? " -flto" : NULL, NULL);
}

char *errors_optimisation(const char *log)
{
	g_autoptr(GString) line = g_string_new(NULL);
	g_autoptr(GPtrArray) seen = g_ptr_array_new_with_free_func(g_free);
	while (take_line(line, &log)) {
		if (*line->str == '$')
			continue;
		g_auto(GStrv) words = g_strsplit_set(line->str, " \t", -1);
		if (!is_compile(words))
			continue;
		g_autofree char *level = level_of(words);
		if (!g_ptr_array_find_with_equal_func(seen, level, g_str_equal, NULL))
			g_ptr_array_add(seen, g_steal_pointer(&level));
	}
	if (!seen->len)
		return NULL;
	g_ptr_array_add(seen, NULL);
	return g_strjoinv(",", (char **)seen->pdata);
}
