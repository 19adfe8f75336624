#include "moved.h"

#include <string.h>

const char *const history_moved_names[HISTORY_MOVED_COUNT] = {
	"revision", "code", "compiler", "emulator", "bench-core", "machine"};

static const struct history_point *point_at(const struct history_series *series, guint i)
{
	return &g_array_index(series->points, struct history_point, i);
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcmp(a, b) != 0;
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static unsigned moved_step(const struct history_point *a, const struct history_point *b)
{
	const struct history_context *x = a->context, *y = b->context;
	bool same_library = same(x->key_library, y->key_library);
	unsigned moved = 0;

	if (differ(a->revision, b->revision))
		moved |= HISTORY_REVISION;
	if (!same_library && !same(x->code_sha256, y->code_sha256))
		moved |= HISTORY_CODE;
	if (differ(x->compiler, y->compiler))
		moved |= HISTORY_COMPILER;
	if (differ(x->emulator, y->emulator) || differ(x->plugin, y->plugin))
		moved |= HISTORY_EMULATOR;
	/* The program's key holds bench-core's sources beside the library's. */
	if (differ(x->core, y->core) || (same_library && differ(x->key_program, y->key_program)))
		moved |= HISTORY_CORE;
	if (differ(x->machine, y->machine))
		moved |= HISTORY_MACHINE;
	return moved;
}

unsigned moved_between(const struct history_series *series, guint before, guint after)
{
	unsigned moved = 0;

	for (guint i = before; i < after; i++)
		moved |= moved_step(point_at(series, i), point_at(series, i + 1));
	return moved;
}

/* --- in words --- */

/* A commit as git shortens it; others are names. Free with g_free(). */
static char *short_revision(const char *revision)
{
	return strlen(revision) == 40 && strspn(revision, "0123456789abcdef") == 40 ? g_strndup(revision, 10)
										    : g_strdup(revision);
}

char *history_revisions(const struct history_series *series, const struct history_change *change)
{
	const char *before = point_at(series, change->before)->revision;
	const char *after = point_at(series, change->after)->revision;

	if (!before || !after)
		return NULL;
	g_autofree char *from = short_revision(before), *to = short_revision(after);
	return strcmp(before, after) == 0 ? g_steal_pointer(&from) : g_strconcat(from, "..", to, NULL);
}

/* "compiler gcc 12.2.0 -> gcc 12.3.0"; "compiler" alone where one is not known or both read the same. */
static void add_step(GString *text, const char *name, const char *before, const char *after)
{
	g_string_append_printf(text, "%s%s", text->len > 0 ? "; " : "", name);
	if (differ(before, after))
		g_string_append_printf(text, " %s -> %s", before, after);
}

char *history_moved_text(const struct history_series *series, const struct history_change *change)
{
	const struct history_context *before = point_at(series, change->before)->context;
	const struct history_context *after = point_at(series, change->after)->context;
	GString *text = g_string_new(NULL);

	if (change->moved & HISTORY_COMPILER)
		add_step(text, "compiler", before->compiler, after->compiler);
	if (change->moved & HISTORY_EMULATOR)
		add_step(text, "emulator", before->emulator, after->emulator);
	if (change->moved & HISTORY_CORE)
		add_step(text, "bench-core", before->core, after->core);
	if (change->moved & HISTORY_MACHINE)
		add_step(text, "machine", before->machine, after->machine);
	if (!(change->moved & HISTORY_CODE))
		add_step(text, "the library's code is the same", NULL, NULL);
	else if (!(change->moved & HISTORY_REVISION) && point_at(series, change->before)->revision &&
		 point_at(series, change->after)->revision)
		add_step(text, "the library's revision is the same", NULL, NULL);
	if (text->len > 0)
		return g_string_free(text, FALSE);
	g_string_free(text, TRUE);
	return NULL;
}
