#include "catalog_parts.h"
#include "fsx.h"
#include "hints_read.h"
#include "library_flags.h"
#include "library_tool.h"
#include "origin.h"
#include "ranges.h"
#include "words.h"

#include <string.h>

static const char *const library_keys[] = {"summary", "versions", "recipe", "program", "math", "packages",
	"profiles", "flags", "hints", "own", NULL};
static const char *const recipe_keys[] = {
	"name", "prepare", "configure", "targets", "archive", "config_header", "on", NULL};
static const char *const program_keys[] = {"includes", "cflags", "libs", NULL};
static const char *const profile_keys[] = {
	"name", "summary", "configure", "versions", "cflags", "defines", "archives", "program_cflags", NULL};
static const char *const math_keys[] = {"symbol", "name", NULL};

static void profile_more_free(struct profile_more *more)
{
	g_strfreev(more->configure);
	g_free(more);
}

static void profile_free(struct profile *profile)
{
	g_clear_pointer(&profile->more, g_ptr_array_unref);
	g_strfreev(profile->configure);
	g_strfreev(profile->cflags);
	g_strfreev(profile->defines);
	g_strfreev(profile->archives);
	g_strfreev(profile->core_cflags);
	g_free(profile);
}

static bool read_versions(struct library *library, struct jx root, GError **err)
{
	struct jx list;
	if (!jx_array(&list, root, "versions", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		struct jx at = jx_at(list, i);
		struct version *version;
		if (!version_read(&version, at, err))
			return false;
		g_ptr_array_add(library->versions, version);
		if (library_version(library, version->name) != version)
			return jx_fail(at, err, "version \"%s\" is named twice", version->name);
	}
	if (library->versions->len == 0)
		return jx_fail(list, err, "a library has at least one version");
	return true;
}

static bool read_profile_more(struct profile *profile, struct jx at, GError **err)
{
	static const char *const keys[] = {"configure", NULL};
	struct jx all;

	profile->more = g_ptr_array_new_with_free_func((GDestroyNotify)profile_more_free);
	if (!jx_has(at, "versions"))
		return true;
	if (!jx_object(&all, at, "versions", err))
		return false;
	for (size_t i = 0; i < jx_size(all); i++) {
		struct profile_more *more = g_new0(struct profile_more, 1);
		struct jx member = jx_member_at(all, i, &more->versions);
		g_ptr_array_add(profile->more, more);
		if (!range_check(more->versions, member, err) || !jx_only(member, keys, err) ||
			!jx_strings_or_empty(&more->configure, member, "configure", err))
			return false;
	}
	return true;
}

static bool read_profiles(struct library *library, struct jx root, GError **err)
{
	struct jx list;
	if (!jx_array(&list, root, "profiles", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		struct jx at = jx_at(list, i);
		struct profile *profile = g_new0(struct profile, 1);
		g_ptr_array_add(library->profiles, profile);
		if (!jx_only(at, profile_keys, err) ||
			!word_string(&profile->name, at, "name", "profile", err) ||
			!jx_string(&profile->summary, at, "summary", err) ||
			!jx_strings_or_empty(&profile->configure, at, "configure", err) ||
			!read_profile_more(profile, at, err) ||
			!jx_strings_or_empty(&profile->cflags, at, "cflags", err) ||
			!words_defines(&profile->defines, at, err) ||
			!jx_strings_or_empty(&profile->archives, at, "archives", err) ||
			!words_within(at, "archives", profile->archives, err) ||
			!jx_strings_or_empty(&profile->core_cflags, at, "program_cflags", err))
			return false;
		if (library_profile(library, profile->name) != profile)
			return jx_fail(at, err, "profile \"%s\" is named twice", profile->name);
	}
	if (library->profiles->len == 0)
		return jx_fail(list, err, "a library has at least one profile");
	return true;
}

static bool read_math(struct library *library, struct jx root, GError **err)
{
	struct jx list;
	if (!jx_has(root, "math"))
		return true;
	if (!jx_array(&list, root, "math", err))
		return false;
	for (size_t i = 0; i < jx_size(list); i++) {
		struct math_mark *mark = g_new0(struct math_mark, 1);
		g_ptr_array_add(library->math, mark);
		if (!jx_only(jx_at(list, i), math_keys, err) ||
			!jx_string(&mark->symbol, jx_at(list, i), "symbol", err) ||
			!jx_string(&mark->name, jx_at(list, i), "name", err))
			return false;
	}
	return true;
}

static void recipe_on_free(struct recipe_on *on)
{
	g_strfreev(on->configure);
	g_free(on);
}

static bool read_recipe_on(struct library *library, struct jx recipe, GError **err)
{
	static const char *const keys[] = {"configure", NULL};
	struct jx all;
	if (!jx_has(recipe, "on"))
		return true;
	if (!jx_object(&all, recipe, "on", err))
		return false;
	for (size_t i = 0; i < jx_size(all); i++) {
		struct recipe_on *on = g_new0(struct recipe_on, 1);
		struct jx member = jx_member_at(all, i, &on->arch);
		g_ptr_array_add(library->recipe_on, on);
		if (!jx_only(member, keys, err) ||
			!jx_strings_or_empty(&on->configure, member, "configure", err))
			return false;
	}
	return true;
}

static bool read_recipe(struct library *library, struct jx root, GError **err)
{
	struct jx recipe;
	if (!jx_object(&recipe, root, "recipe", err) || !jx_only(recipe, recipe_keys, err) ||
		!jx_string(&library->recipe, recipe, "name", err) ||
		!jx_strings_or_empty(&library->prepare, recipe, "prepare", err) ||
		!jx_strings_or_empty(&library->configure, recipe, "configure", err) ||
		!jx_strings_or_empty(&library->targets, recipe, "targets", err) ||
		!jx_string(&library->archive, recipe, "archive", err) ||
		!jx_string_or(&library->config_header, recipe, "config_header", NULL, err) ||
		!read_recipe_on(library, recipe, err))
		return false;
	library->recipe_canonical = jx_canonical(recipe.json);
	return word_within(recipe, "archive", library->archive, err) &&
	       (!library->config_header || word_within(recipe, "config_header", library->config_header, err));
}

static bool read_program(struct library *library, struct jx root, GError **err)
{
	struct jx program;
	if (!jx_object(&program, root, "program", err) || !jx_only(program, program_keys, err) ||
		!jx_strings_or_empty(&library->includes, program, "includes", err) ||
		!jx_strings_or_empty(&library->core_cflags, program, "cflags", err) ||
		!jx_strings_or_empty(&library->libs, program, "libs", err))
		return false;
	return words_within(program, "includes", library->includes, err);
}

static bool read_flags(struct library *library, struct jx root, GError **err)
{
	struct jx list;
	return jx_array(&list, root, "flags", err) && (library->flags = flags_read(NULL, list, err));
}

struct library *library_read(const char *name, const char *adapter, struct jx_document *doc, GError **err)
{
	struct jx root = jx_root(doc);
	struct library *library = g_new0(struct library, 1);
	library->name = g_strdup(name);
	library->adapter = g_strdup(adapter);
	library->file = jx_file(root);
	library->versions = g_ptr_array_new_with_free_func((GDestroyNotify)version_free);
	library->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	library->math = g_ptr_array_new_with_free_func(g_free);
	library->recipe_on = g_ptr_array_new_with_free_func((GDestroyNotify)recipe_on_free);
	if (!jx_only(root, library_keys, err) || !jx_string(&library->summary, root, "summary", err) ||
		!jx_strings_or_empty(&library->packages, root, "packages", err) ||
		!read_versions(library, root, err) || !read_profiles(library, root, err) ||
		!read_recipe(library, root, err) || !read_program(library, root, err) ||
		!read_math(library, root, err) || !read_flags(library, root, err) ||
		!tool_read(&library->tool, root, err) || !(library->hints = hints_read(root, err))) {
		library_free(library);
		return NULL;
	}
	return library;
}

void library_free(struct library *library)
{
	if (!library)
		return;
	g_free((char *)library->name);
	g_free((char *)library->adapter);
	g_ptr_array_unref(library->versions);
	g_ptr_array_unref(library->profiles);
	g_ptr_array_unref(library->math);
	g_ptr_array_unref(library->recipe_on);
	g_clear_pointer(&library->flags, g_ptr_array_unref);
	g_clear_pointer(&library->hints, g_ptr_array_unref);
	tool_free(library->tool);
	g_free(library->recipe_canonical);
	g_strfreev(library->prepare);
	g_strfreev(library->configure);
	g_strfreev(library->targets);
	g_strfreev(library->includes);
	g_strfreev(library->core_cflags);
	g_strfreev(library->libs);
	g_strfreev(library->packages);
	g_free(library);
}

const struct flag *library_flag(const struct library *library, const char *name)
{
	for (guint i = 0; i < library->flags->len; i++) {
		const struct flag *flag = library->flags->pdata[i];
		if (strcmp(flag->name, name) == 0)
			return flag;
	}
	return NULL;
}

const struct recipe_on *library_recipe_on(const struct library *library, const char *arch)
{
	for (guint i = 0; i < library->recipe_on->len; i++) {
		const struct recipe_on *on = library->recipe_on->pdata[i];
		if (strcmp(on->arch, arch) == 0)
			return on;
	}
	return NULL;
}

const struct profile *library_profile(const struct library *library, const char *name)
{
	for (guint i = 0; i < library->profiles->len; i++) {
		const struct profile *profile = library->profiles->pdata[i];
		if (strcmp(profile->name, name) == 0)
			return profile;
	}
	return NULL;
}

char **profile_configure(const struct profile *profile, const char *version)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();

	g_strv_builder_addv(words, (const char **)profile->configure);
	for (guint i = 0; profile->more && i < profile->more->len; i++) {
		const struct profile_more *more = profile->more->pdata[i];
		if (version_in_range(version, more->versions))
			g_strv_builder_addv(words, (const char **)more->configure);
	}
	return g_strv_builder_end(words);
}

const struct version *library_version(const struct library *library, const char *name)
{
	for (guint i = 0; i < library->versions->len; i++) {
		const struct version *version = library->versions->pdata[i];
		if (strcmp(version->name, name) == 0)
			return version;
	}
	return NULL;
}
