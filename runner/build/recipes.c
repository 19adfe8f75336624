#include "recipe.h"

#include <string.h>

#define RECIPES(X) X(autotools) X(openssl) X(prebuilt) X(user_settings)

#define DECLARE(name) extern const struct recipe recipe_##name;
RECIPES(DECLARE)
#define ROW(name) &recipe_##name,
static const struct recipe *const recipes[] = {RECIPES(ROW)};

const struct recipe *recipe_find(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(recipes); i++)
		if (strcmp(recipes[i]->name, name) == 0)
			return recipes[i];
	return NULL;
}

char **recipe_expand(const char *const *words, const char *folder)
{
	g_autoptr(GStrvBuilder) expanded = g_strv_builder_new();
	for (; words && *words; words++) {
		g_autoptr(GString) word = g_string_new(*words);
		g_string_replace(word, "{build}", folder, 0);
		g_strv_builder_add(expanded, word->str);
	}
	return g_strv_builder_end(expanded);
}
