#include "resolve.h"

#include "child.h"
#include "source.h"

#include <string.h>

#define TIMEOUT_S      60
#define OUTPUT_CEILING (64u << 20)

/* An annotated tag is an object of its own; "^{}" names the commit that it stands for. */
static const char *const forms[] = {
	"%s^{}", "%s", "refs/%s", "refs/tags/%s^{}", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s"};

static char *find_name(char *const *lines, const char *name)
{
	for (char *const *line = lines; *line; line++) {
		const char *tab = strchr(*line, '\t');
		if (tab && strcmp(tab + 1, name) == 0 && tab - *line >= 40)
			return g_strndup(*line, (gsize)(tab - *line));
	}
	return NULL;
}

static bool is_commit(const char *ref)
{
	size_t length = strlen(ref);

	return (length == 40 || length == 64) && strspn(ref, "0123456789abcdef") == length;
}

char *resolve_pick(const char *listing, const char *ref)
{
	g_auto(GStrv) lines = g_strsplit(listing, "\n", -1);
	char *commit = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(forms) && !commit; i++) {
		g_autoptr(GString) name = g_string_new(forms[i]);
		g_string_replace(name, "%s", ref, 1);
		commit = find_name(lines, name->str);
	}
	return commit;
}

static char *last_line(const char *text)
{
	g_autofree char *copy = g_strchomp(g_strdup(text));
	const char *newline = strrchr(copy, '\n');

	return g_strdup(newline ? newline + 1 : copy);
}

static void ask(struct origin *origin)
{
	g_auto(GStrv) environment = source_environment();
	const char *argv[] = {"git", "ls-remote", "--", origin->repository, NULL};
	const struct child_spec spec = {.argv = argv,
		.environment = (const char *const *)environment,
		.timeout_s = TIMEOUT_S,
		.output_ceiling = OUTPUT_CEILING,
		.cpu = -1};
	g_autoptr(GString) out = g_string_new(NULL), errors = g_string_new(NULL);
	g_autoptr(GError) err = NULL;
	struct child_exit end;

	if (!child_run(&end, out, errors, &spec, &err)) {
		origin->unresolved = g_strdup(err->message);
	} else if (end.end == CHILD_NOT_RUN) {
		origin->unresolved = g_strdup("git is not installed: apt-get install git");
	} else if (end.end != CHILD_EXITED || end.status != 0) {
		g_autofree char *how = child_end_text(&end), *said = last_line(errors->str);
		origin->unresolved =
			g_strdup_printf("git ls-remote %s: %s: %s", origin->repository, how, said);
	} else {
		origin->commit = resolve_pick(out->str, origin->ref);
		if (!origin->commit)
			origin->unresolved = g_strdup_printf(
				"%s has no branch, tag or commit %s", origin->repository, origin->ref);
	}
}

void resolve_refs(const GPtrArray *versions)
{
	for (guint i = 0; i < versions->len; i++) {
		struct origin *origin = &((struct version *)versions->pdata[i])->origin;
		if (origin->kind != ORIGIN_GIT || origin->commit || origin->unresolved)
			continue;
		if (is_commit(origin->ref))
			origin->commit = g_strdup(origin->ref);
		else
			ask(origin);
	}
}
