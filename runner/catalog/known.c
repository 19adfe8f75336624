#include "known.h"

#include "jsonx.h"
#include "selector.h"
#include "words.h"

#include <string.h>

static const char *const file_keys[] = {"known_failures", NULL};
static const char *const entry_keys[] = {"cell", "benchmark", "state", "reason", "until", NULL};

/* What a failure is called: the states that are none of the good ones, each once. Lent strings. */
static GPtrArray *bad_states(void)
{
	static const struct {
		const struct state_info *states;
		size_t n;
	} kinds[] = {{build_states, BUILD_STATE_COUNT}, {attempt_states, ATTEMPT_STATE_COUNT},
		{outcome_states, OUTCOME_STATE_COUNT}};
	GPtrArray *names = g_ptr_array_new();

	for (size_t kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		for (size_t i = 0; i < kinds[kind].n; i++) {
			const struct state_info *state = &kinds[kind].states[i];
			if (!state->good &&
				!g_ptr_array_find_with_equal_func(names, state->name, g_str_equal, NULL))
				g_ptr_array_add(names, (gpointer)state->name);
		}
	}
	return names;
}

static bool read_state(struct known_failure *entry, struct jx at, GError **err)
{
	g_autoptr(GPtrArray) names = bad_states();
	struct jx state;

	if (!jx_string_or(&entry->state, at, "state", NULL, err))
		return false;
	if (entry->state == NULL)
		return true;
	for (guint i = 0; i < names->len; i++)
		if (selector_glob(entry->state, names->pdata[i]))
			return true;
	g_ptr_array_add(names, NULL);
	return jx_get(&state, at, "state", err) && word_unknown(state, "state of a failure", entry->state,
							   (const char *const *)names->pdata, err);
}

/* "2027-03-31" */
static bool is_date(const char *text)
{
	static const char shape[] = "0000-00-00";
	size_t i;

	for (i = 0; text[i] != '\0' && shape[i] != '\0'; i++)
		if (shape[i] == '0' ? !g_ascii_isdigit(text[i]) : text[i] != shape[i])
			return false;
	return text[i] == '\0' && shape[i] == '\0' &&
	       g_date_valid_dmy((GDateDay)g_ascii_strtoull(text + 8, NULL, 10),
		       (GDateMonth)g_ascii_strtoull(text + 5, NULL, 10),
		       (GDateYear)g_ascii_strtoull(text, NULL, 10));
}

static bool read_until(struct known_failure *entry, struct jx at, GError **err)
{
	struct jx until;

	if (!jx_string_or(&entry->until, at, "until", NULL, err))
		return false;
	if (entry->until == NULL || is_date(entry->until))
		return true;
	return jx_get(&until, at, "until", err) &&
	       jx_fail(until, err, "\"%s\" is no date, such as \"2027-03-31\"", entry->until);
}

/* A string that says something. */
static bool read_words(const char **ret, struct jx at, const char *key, const char *what, GError **err)
{
	struct jx place;

	if (!jx_string(ret, at, key, err) || !jx_get(&place, at, key, err))
		return false;
	return **ret != '\0' || jx_fail(place, err, "is empty: %s", what);
}

static bool read_entry(struct known_failure *entry, struct jx at, GError **err)
{
	return jx_only(at, entry_keys, err) &&
	       read_words(&entry->cell, at, "cell", "give a glob over the names of cells", err) &&
	       jx_string_or(&entry->benchmark, at, "benchmark", NULL, err) && read_state(entry, at, err) &&
	       read_words(&entry->reason, at, "reason", "say why it is known", err) &&
	       read_until(entry, at, err);
}

static bool read_entries(struct known *known, GError **err)
{
	struct jx root = jx_root(known->document), list;

	known->file = jx_file(root);
	if (!jx_only(root, file_keys, err) || !jx_array(&list, root, "known_failures", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		struct known_failure *entry = g_new0(struct known_failure, 1);
		g_ptr_array_add(known->entries, entry);
		if (!read_entry(entry, jx_at(list, i), err))
			return false;
	}
	return true;
}

bool known_load(struct known **ret, const char *file, GError **err)
{
	struct jx_document *document = jx_load(file, err);

	if (document == NULL)
		return false;
	struct known *known = g_new0(struct known, 1);
	known->document = document;
	known->entries = g_ptr_array_new_with_free_func(g_free);
	if (!read_entries(known, err)) {
		known_free(known);
		return false;
	}
	*ret = known;
	return true;
}

void known_free(struct known *known)
{
	if (known == NULL)
		return;
	g_ptr_array_unref(known->entries);
	jx_document_free(known->document);
	g_free(known);
}

char *known_today(void)
{
	g_autoptr(GDateTime) now = g_date_time_new_now_utc();

	return g_date_time_format(now, "%Y-%m-%d");
}

bool known_expired(const struct known_failure *entry, const char *today)
{
	return entry->until != NULL && strcmp(entry->until, today) < 0;
}

/* A benchmark with its block is "aes-128-cbc encrypt 16384". */
static bool takes_benchmark(const char *pattern, const char *benchmark)
{
	const char *block = strrchr(benchmark, ' ');
	g_autofree char *bare =
		block && block[1] != '\0' && block[1 + strspn(block + 1, "0123456789")] == '\0'
			? g_strndup(benchmark, (gsize)(block - benchmark))
			: NULL;

	return selector_glob(pattern, benchmark) || (bare != NULL && selector_glob(pattern, bare));
}

bool known_matches(
	const struct known_failure *entry, const char *cell, const char *benchmark, const char *state)
{
	return selector_glob(entry->cell, cell) &&
	       (entry->benchmark == NULL || takes_benchmark(entry->benchmark, benchmark)) &&
	       (entry->state == NULL || selector_glob(entry->state, state));
}

const struct known_failure *known_find(const struct known *known, const char *cell, const char *benchmark,
	const char *state, const char *today)
{
	const struct known_failure *expired = NULL;

	for (guint i = 0; known != NULL && i < known->entries->len; i++) {
		const struct known_failure *entry = known->entries->pdata[i];
		if (!known_matches(entry, cell, benchmark, state))
			continue;
		if (!known_expired(entry, today))
			return entry;
		expired = expired ? expired : entry;
	}
	return expired;
}
