#include "selector.h"

#include "diag.h"

#include <string.h>

/* In the order of enum selector_key, from SELECT_ARCH. */
static const char *const other_keys[] = {
	"arch", "revision", "run", "algorithm", "operation", "source", "environment", "kind", "flag:"};
G_STATIC_ASSERT(G_N_ELEMENTS(other_keys) == SELECTOR_KEY_COUNT - LABEL_COUNT);

static const char *key_name(enum selector_key key)
{
	return (int)key < LABEL_COUNT ? label_keys[key] : other_keys[key - LABEL_COUNT];
}

static int find_key(const char *name)
{
	for (int key = 0; key < SELECTOR_KEY_COUNT; key++)
		if (key != SELECT_FLAG && strcmp(key_name(key), name) == 0)
			return key;
	return -1;
}

static void clear_term(gpointer data)
{
	struct selector_term *term = data;

	g_free(term->flag);
	g_free(term->pattern);
}

static bool unknown_key(const char *name, GError **err)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (int key = 0; key < SELECTOR_KEY_COUNT; key++)
		g_ptr_array_add(known, (gpointer)key_name(key));
	g_ptr_array_add(known, NULL);

	const char *const *names = (const char *const *)known->pdata;
	const char *nearest = diag_nearest(name, names);
	g_autofree char *shown = diag_printable(name, -1);
	if (nearest)
		return diag_set(err, DIAG_USAGE, "selector: unknown key \"%s\"; did you mean \"%s\"?", shown,
			nearest);
	g_autofree char *list = g_strjoinv(", ", (char **)known->pdata);
	return diag_set(err, DIAG_USAGE, "selector: unknown key \"%s\"; the keys are %s", shown, list);
}

/* The values of source, environment and kind are a closed list, so that a pattern which takes none is a
 * mistake. */
static bool check_closed(const struct selector_term *term, const char *const *names, size_t n, GError **err)
{
	g_autoptr(GPtrArray) known = g_ptr_array_new();

	for (size_t i = 0; i < n; i++) {
		if (selector_glob(term->pattern, names[i]))
			return true;
		g_ptr_array_add(known, (gpointer)names[i]);
	}
	g_ptr_array_add(known, NULL);
	g_autofree char *list = g_strjoinv(", ", (char **)known->pdata);
	g_autofree char *shown = diag_printable(term->pattern, -1);
	return diag_set(err, DIAG_USAGE, "selector: %s=%s: no such value; there are %s", key_name(term->key),
		shown, list);
}

static bool check_value(const struct selector_term *term, GError **err)
{
	g_autofree char *shown = diag_printable(term->pattern, -1);

	if (term->pattern[0] == '\0')
		return diag_set(err, DIAG_USAGE,
			"selector: \"%s%s=\" has no value; \"*\" takes any, \"-\" a label that is absent",
			key_name(term->key), term->flag ? term->flag : "");
	switch (term->key) {
	case SELECT_FLAG:
		if (strcmp(term->pattern, "on") == 0 || strcmp(term->pattern, "off") == 0)
			return true;
		return diag_set(
			err, DIAG_USAGE, "selector: flag:%s=%s: a flag is on or off", term->flag, shown);
	case SELECT_SOURCE:
		return check_closed(term, source_names, SOURCE_COUNT, err);
	case SELECT_ENVIRONMENT:
		return check_closed(term, environment_names, ENVIRONMENT_COUNT, err);
	case SELECT_KIND:
		return check_closed(term, kind_names, KIND_COUNT, err);
	default:
		return true;
	}
}

static bool is_repeated(const struct selector *selector, const struct selector_term *term)
{
	for (guint i = 0; i < selector->terms->len; i++) {
		const struct selector_term *other = &g_array_index(selector->terms, struct selector_term, i);
		if (other->key == term->key && g_strcmp0(other->flag, term->flag) == 0)
			return true;
	}
	return false;
}

/* Reads `text`, one term without its comma, and adds it. */
static bool add_term(struct selector *selector, const char *text, GError **err)
{
	const char *equals = strchr(text, '=');
	struct selector_term term = {0};

	if (!equals || equals == text) {
		g_autofree char *shown = diag_printable(text, -1);
		return diag_set(err, DIAG_USAGE,
			"selector: \"%s\" is not key=value; terms are separated by commas, a comma in a "
			"value is written \"\\,\"",
			shown);
	}
	g_autofree char *name = g_strndup(text, (gsize)(equals - text));
	int key = find_key(name);
	if (g_str_has_prefix(name, "flag:") && name[5] != '\0') {
		key = SELECT_FLAG;
		term.flag = g_strdup(name + 5);
	}
	if (key < 0)
		return unknown_key(name, err);
	term.key = (enum selector_key)key;
	term.pattern = g_strdup(equals + 1);
	if (is_repeated(selector, &term)) {
		clear_term(&term);
		return diag_set(err, DIAG_USAGE, "selector: \"%s\" stands twice", name);
	}
	g_array_append_val(selector->terms, term);
	return check_value(&term, err);
}

/* The length of the term that `text` begins with: up to a comma that no backslash goes before. */
static size_t term_length(const char *text)
{
	size_t length = 0;

	while (text[length] != '\0' && text[length] != ',') {
		if (text[length] == '\\' && text[length + 1] != '\0')
			length++;
		length++;
	}
	return length;
}

static bool ends_in_half_an_escape(const char *text)
{
	size_t backslashes = 0;

	for (size_t n = strlen(text); n > 0 && text[n - 1] == '\\'; n--)
		backslashes++;
	return backslashes % 2 == 1;
}

static bool add_terms(struct selector *selector, const char *text, GError **err)
{
	if (!g_utf8_validate(text, -1, NULL))
		return diag_set(err, DIAG_USAGE, "selector: the text is not UTF-8");
	if (ends_in_half_an_escape(text))
		return diag_set(err, DIAG_USAGE,
			"selector: a \"\\\" at the end escapes nothing; write \"\\\\\" for itself");
	while (*text != '\0') {
		size_t length = term_length(text);
		g_autofree char *term = g_strndup(text, length);
		if (!add_term(selector, term, err))
			return false;
		text += length;
		if (*text == ',' && *++text == '\0')
			return diag_set(err, DIAG_USAGE, "selector: nothing follows the last comma");
	}
	return true;
}

bool selector_parse(struct selector **ret, const char *text, GError **err)
{
	struct selector *selector = g_new0(struct selector, 1);

	selector->terms = g_array_new(FALSE, FALSE, sizeof(struct selector_term));
	g_array_set_clear_func(selector->terms, clear_term);
	if (!add_terms(selector, text ? text : "", err)) {
		selector_free(selector);
		return false;
	}
	*ret = selector;
	return true;
}

void selector_free(struct selector *selector)
{
	if (!selector)
		return;
	g_array_unref(selector->terms);
	g_free(selector);
}

const struct selector_term *selector_term(const struct selector *selector, enum selector_key key)
{
	for (guint i = 0; i < selector->terms->len; i++) {
		const struct selector_term *term = &g_array_index(selector->terms, struct selector_term, i);
		if (term->key == key)
			return term;
	}
	return NULL;
}

bool selector_names(const struct selector *selector, enum label label)
{
	if (selector_term(selector, (enum selector_key)label))
		return true;
	if (label == LABEL_CONFIG)
		return selector_term(selector, SELECT_FLAG) != NULL;
	if (label == LABEL_BENCHMARK)
		return selector_term(selector, SELECT_ALGORITHM) || selector_term(selector, SELECT_OPERATION);
	return false;
}

static bool flag_matches(const struct selector_term *term, const char *config)
{
	bool on = false;

	if (!config)
		return false;
	if (strcmp(config, "default") != 0) {
		g_auto(GStrv) flags = g_strsplit(config, "+", -1);
		on = g_strv_contains((const char *const *)flags, term->flag);
	}
	return on == (strcmp(term->pattern, "on") == 0);
}

/* The benchmark's name is "<algorithm> <operation>", and no operation has a blank in it. */
static bool part_matches(const struct selector_term *term, const char *benchmark)
{
	const char *blank = benchmark ? strrchr(benchmark, ' ') : NULL;

	if (term->key == SELECT_OPERATION)
		return selector_glob(term->pattern, blank ? blank + 1 : NULL);
	g_autofree char *algorithm =
		blank ? g_strndup(benchmark, (gsize)(blank - benchmark)) : g_strdup(benchmark);
	return selector_glob(term->pattern, algorithm);
}

static bool origin_matches(const struct selector_term *term, int value, const char *const *names)
{
	return value < 0 || selector_glob(term->pattern, names[value]);
}

static bool term_matches(const struct selector_term *term, const struct selectable *what)
{
	switch (term->key) {
	case SELECT_ARCH:
		return selector_glob(term->pattern, what->arch);
	case SELECT_REVISION:
		return selector_glob(term->pattern, what->revision);
	case SELECT_RUN:
		return true;
	case SELECT_ALGORITHM:
	case SELECT_OPERATION:
		return part_matches(term, what->labels.v[LABEL_BENCHMARK]);
	case SELECT_SOURCE:
		return origin_matches(term, what->source, source_names);
	case SELECT_ENVIRONMENT:
		return origin_matches(term, what->environment, environment_names);
	case SELECT_KIND:
		return origin_matches(term, what->kind, kind_names);
	case SELECT_FLAG:
		return flag_matches(term, what->labels.v[LABEL_CONFIG]);
	default:
		return selector_glob(term->pattern, what->labels.v[term->key]);
	}
}

bool selector_matches(const struct selector *selector, const struct selectable *what)
{
	for (guint i = 0; i < selector->terms->len; i++)
		if (!term_matches(&g_array_index(selector->terms, struct selector_term, i), what))
			return false;
	return true;
}

static gint compare_terms(gconstpointer a, gconstpointer b)
{
	const struct selector_term *const *x = a, *const *y = b;

	return (*x)->key != (*y)->key ? (gint)(*x)->key - (gint)(*y)->key : g_strcmp0((*x)->flag, (*y)->flag);
}

char *selector_text(const struct selector *selector)
{
	g_autoptr(GPtrArray) terms = g_ptr_array_new();
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < selector->terms->len; i++)
		g_ptr_array_add(terms, &g_array_index(selector->terms, struct selector_term, i));
	g_ptr_array_sort(terms, compare_terms);
	for (guint i = 0; i < terms->len; i++) {
		const struct selector_term *term = terms->pdata[i];
		g_string_append_printf(text, "%s%s%s=%s", i ? "," : "", key_name(term->key),
			term->flag ? term->flag : "", term->pattern);
	}
	return g_string_free(text, FALSE);
}
