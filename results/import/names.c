#include "names.h"

#include <string.h>

const struct alias aliases[] = {
#define ALIAS(importer, name, benchmark) {importer, name, benchmark},
#include "aliases.def"
#undef ALIAS
	{NULL, NULL, NULL}};

/* Longer names are rubbish, and are not remembered. */
#define LONGEST_NAME 100
/* Names looked up before that are remembered. */
#define MOST_KNOWN 4096

void name_put(GString *text, const char *printed, size_t n)
{
	bool blank = false;

	g_string_truncate(text, 0);
	for (const char *c = printed; c < printed + n; c++) {
		if (g_ascii_isspace(*c)) {
			blank = true;
			continue;
		}
		bool inside = (text->len > 0 && text->str[text->len - 1] == '[') || *c == ']';
		if (blank && text->len > 0 && !inside)
			g_string_append_c(text, ' ');
		blank = false;
		g_string_append_c(text, *c);
	}
}

char *name_plain(const char *printed)
{
	GString *plain = g_string_new(NULL);

	name_put(plain, printed, strlen(printed));
	return g_string_free(plain, FALSE);
}

char *name_tidy(const char *printed)
{
	g_autofree char *plain = name_plain(printed);

	return g_ascii_strdown(plain, -1);
}

static bool has_signs(const char *name)
{
	return strpbrk(name, "#@*") != NULL;
}

/* The alias with signs as a regular expression. */
static char *expression_of(const char *name)
{
	GString *expression = g_string_new("^");

	for (const char *c = name; *c; c++) {
		if (*c == '#')
			g_string_append(expression, "([0-9]+)");
		else if (*c == '@')
			g_string_append(expression, "([a-z]+(?:-siv)?)");
		else if (*c == '*')
			g_string_append(expression, ".*");
		else {
			g_autofree char *plain = g_regex_escape_string(c, 1);
			g_string_append(expression, plain);
		}
	}
	g_string_append_c(expression, '$');
	return g_string_free(expression, FALSE);
}

/* The n-th (from 0) sign of that kind in the name, counted among all that capture; 0 where there is none. */
static int capture_of(const char *name, char sign, int n)
{
	int capture = 0;

	for (const char *c = name; *c; c++) {
		if (*c == '#' || *c == '@')
			capture++;
		if (*c == sign && n-- == 0)
			return capture;
	}
	return 0;
}

static int fill_in(const struct alias *alias, const GMatchInfo *match)
{
	g_autoptr(GString) name = g_string_new(NULL);
	int numbers = 0, words = 0;

	for (const char *c = alias->benchmark; *c; c++) {
		if (*c != '#' && *c != '@') {
			g_string_append_c(name, *c);
			continue;
		}
		int capture = capture_of(alias->name, *c, *c == '#' ? numbers++ : words++);
		g_autofree char *text = g_match_info_fetch(match, capture);
		g_string_append(name, text);
	}
	return benchmark_find(name->str);
}

static int match_alias(size_t index, const char *name)
{
	static GRegex *expressions[G_N_ELEMENTS(aliases)];
	g_autoptr(GMatchInfo) match = NULL;

	if (!expressions[index]) {
		g_autofree char *expression = expression_of(aliases[index].name);
		expressions[index] = g_regex_new(expression, G_REGEX_OPTIMIZE, 0, NULL);
	}
	if (!g_regex_match(expressions[index], name, 0, &match))
		return -1;
	return fill_in(&aliases[index], match);
}

static int look_up(const char *importer, const char *name)
{
	int found = -1;

	for (size_t i = 0; aliases[i].importer && found < 0; i++)
		if (!has_signs(aliases[i].name) && strcmp(aliases[i].importer, importer) == 0 &&
			strcmp(aliases[i].name, name) == 0)
			found = benchmark_find(aliases[i].benchmark);
	for (size_t i = 0; aliases[i].importer && found < 0; i++)
		if (has_signs(aliases[i].name) && strcmp(aliases[i].importer, importer) == 0)
			found = match_alias(i, name);
	return found;
}

/* A name as an importer's tool printed it. */
struct printed_name {
	const char *importer, *printed;
};

static guint hash_name(gconstpointer key)
{
	const struct printed_name *name = key;

	return g_str_hash(name->printed) * 31 + g_str_hash(name->importer);
}

static gboolean equal_names(gconstpointer a, gconstpointer b)
{
	const struct printed_name *x = a, *y = b;

	return strcmp(x->printed, y->printed) == 0 && strcmp(x->importer, y->importer) == 0;
}

static void free_name(gpointer key)
{
	struct printed_name *name = key;

	g_free((gpointer)name->importer);
	g_free((gpointer)name->printed);
	g_free(name);
}

int name_benchmark(const char *importer, const char *printed)
{
	static GHashTable *known;
	const struct printed_name key = {importer, printed};
	gpointer found;

	if (strlen(printed) > LONGEST_NAME)
		return -1;
	if (!known)
		known = g_hash_table_new_full(hash_name, equal_names, free_name, NULL);
	if (g_hash_table_lookup_extended(known, &key, NULL, &found))
		return GPOINTER_TO_INT(found);
	g_autofree char *name = name_tidy(printed);
	int benchmark = look_up(importer, name);
	if (g_hash_table_size(known) < MOST_KNOWN) {
		struct printed_name *kept = g_new(struct printed_name, 1);
		*kept = (struct printed_name){g_strdup(importer), g_strdup(printed)};
		g_hash_table_insert(known, kept, GINT_TO_POINTER(benchmark));
	}
	return benchmark;
}
