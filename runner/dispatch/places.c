#include "places.h"

#include "diag.h"

struct places {
	struct store *store;
	GHashTable *by_name; /* "agent emulator cpu" -> struct place */
};

static void place_free(gpointer data)
{
	struct place *place = data;

	agent_place_free(place->what);
	g_free(place->lacks);
	g_free(place);
}

struct places *places_new(struct store *store)
{
	struct places *places = g_new0(struct places, 1);

	places->store = store;
	places->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, place_free);
	return places;
}

void places_free(struct places *places)
{
	g_hash_table_unref(places->by_name);
	g_free(places);
}

static bool put_facts(struct place *place, struct store *store, GHashTable *facts, GError **err)
{
	return store_platform_put(store, &place->platform, place->what->platform,
		place->what->emulated ? ENVIRONMENT_EMULATOR : ENVIRONMENT_HARDWARE, facts, err);
}

static bool describe(struct place *place, struct store *store, GError **err)
{
	g_autoptr(GError) error = NULL;

	g_clear_pointer(&place->lacks, g_free);
	place->away = false;
	if (!agent_describe(&place->what, place->agent, place->target, &error)) {
		place->lacks = g_strdup(error->message);
		place->away =
			place->agent->kind->look != NULL && g_error_matches(error, DIAG_ERROR, DIAG_FAILED);
		return true;
	}
	return put_facts(place, store, place->what->facts, err);
}

/* Another place on the same machine that is away; NULL: none. A deadline is not to be waited for twice. */
static const struct place *away_with(const struct places *places, const struct agent *agent)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, places->by_name);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		const struct place *place = value;
		if (place->agent == agent && place->away)
			return place;
	}
	return NULL;
}

static struct place *place_new(
	struct places *places, const struct agent *agent, const struct agent_target *target)
{
	const struct place *other = away_with(places, agent);
	struct place *place = g_new0(struct place, 1);

	*place = (struct place){.agent = agent,
		.target = target,
		.away = other != NULL,
		.lacks = other != NULL ? g_strdup(other->lacks) : NULL};
	return place;
}

bool places_find(struct places *places, const struct place **ret, const struct agent *agent,
	const struct agent_target *target, GError **err)
{
	g_autofree char *name = g_strdup_printf("%s %s %s %s", agent->name, target->arch,
		target->emulator ? target->emulator : "", target->cpu ? target->cpu : "");
	struct place *place = g_hash_table_lookup(places->by_name, name);

	if (place == NULL) {
		place = place_new(places, agent, target);
		g_hash_table_insert(places->by_name, g_steal_pointer(&name), place);
		if (!place->away && !describe(place, places->store, err))
			return false;
	}
	*ret = place;
	return true;
}

bool places_returned(struct places *places, const struct place *place, GError **err)
{
	struct place *own = (struct place *)place;

	return place->what != NULL || describe(own, places->store, err);
}

static bool describe_again(struct place *place, struct store *store, GError **err)
{
	struct agent_place *now;

	/* Where it cannot be asked any more, what was known before still is. */
	if (!agent_describe(&now, place->agent, place->target, NULL))
		return true;
	bool ok = put_facts(place, store, now->facts, err);
	agent_place_free(now);
	return ok;
}

bool places_describe_again(struct places *places, GError **err)
{
	GHashTableIter iter;
	gpointer value;

	g_hash_table_iter_init(&iter, places->by_name);
	while (g_hash_table_iter_next(&iter, NULL, &value)) {
		struct place *place = value;
		if (place->what != NULL && !place->what->emulated && !place->agent->kind->elsewhere &&
			!describe_again(place, places->store, err))
			return false;
	}
	return true;
}
