#include "library_flags.h"

#include "catalog.h"
#include "ranges.h"
#include "words.h"

#include <string.h>

enum { MOST_FLAGS = 64 }; /* the plan keeps a set in a word of 64 bits */

static const char *const flag_keys[] = {"name", "summary", "configure", "cflags", "defines", "needs",
	"implies", "excludes", "arch", "cpu", "versions", "on", NULL};
static const char *const on_keys[] = {"cpu", "versions", NULL};

static void on_free(struct flag_on *on)
{
	g_strfreev(on->cpu);
	g_free(on);
}

static void flag_free(struct flag *flag)
{
	g_strfreev(flag->configure);
	g_strfreev(flag->cflags);
	g_strfreev(flag->defines);
	g_strfreev(flag->needs);
	g_strfreev(flag->implies);
	g_strfreev(flag->excludes);
	g_strfreev(flag->arch);
	g_strfreev(flag->cpu);
	g_clear_pointer(&flag->on, g_ptr_array_unref);
	g_free(flag);
}

static bool read_versions(const char **ret, struct jx at, GError **err)
{
	if (!jx_string_or(ret, at, "versions", NULL, err))
		return false;
	return !*ret || range_check(*ret, at, err);
}

static bool read_on(struct flag *flag, struct jx at, GError **err)
{
	struct jx all;
	flag->on = g_ptr_array_new_with_free_func((GDestroyNotify)on_free);
	if (!jx_has(at, "on"))
		return true;
	if (!jx_object(&all, at, "on", err))
		return false;
	for (size_t i = 0; i < jx_size(all); i++) {
		struct flag_on *on = g_new0(struct flag_on, 1);
		struct jx member = jx_member_at(all, i, &on->arch);
		g_ptr_array_add(flag->on, on);
		if (!jx_only(member, on_keys, err) || !jx_strings_or_empty(&on->cpu, member, "cpu", err) ||
			!read_versions(&on->versions, member, err))
			return false;
		if (flag->arch[0] && !word_among((const char *const *)flag->arch, on->arch))
			return word_unknown(
				member, "architecture", on->arch, (const char *const *)flag->arch, err);
	}
	return true;
}

const struct flag_on *flag_on(const struct flag *flag, const char *arch)
{
	for (guint i = 0; i < flag->on->len; i++) {
		const struct flag_on *on = flag->on->pdata[i];
		if (strcmp(on->arch, arch) == 0)
			return on;
	}
	return NULL;
}

static bool read_flag(struct flag *flag, struct jx at, GError **err)
{
	if (!jx_only(at, flag_keys, err) || !word_string(&flag->name, at, "name", "flag", err) ||
		!jx_string(&flag->summary, at, "summary", err) ||
		!jx_strings_or_empty(&flag->configure, at, "configure", err) ||
		!jx_strings_or_empty(&flag->cflags, at, "cflags", err) ||
		!words_defines(&flag->defines, at, err) ||
		!jx_strings_or_empty(&flag->needs, at, "needs", err) ||
		!jx_strings_or_empty(&flag->implies, at, "implies", err) ||
		!jx_strings_or_empty(&flag->excludes, at, "excludes", err) ||
		!jx_strings_or_empty(&flag->arch, at, "arch", err) ||
		!jx_strings_or_empty(&flag->cpu, at, "cpu", err) ||
		!read_versions(&flag->versions, at, err) || !read_on(flag, at, err))
		return false;
	/* "default" and "+" are how sets are named: config_name() must have one reading. */
	if (strcmp(flag->name, "default") == 0 || strchr(flag->name, '+'))
		return jx_fail(at, err, "\"%s\" cannot name a flag: \"default\" and \"+\" name sets of flags",
			flag->name);
	if (!flag->configure[0] && !flag->cflags[0])
		return jx_fail(at, err, "flag %s does nothing: give it configure or cflags", flag->name);
	return true;
}

static bool check_links(const struct flag *flag, struct jx at, const char *key, char *const *links,
	const char *const *known, GError **err)
{
	for (size_t i = 0; links[i]; i++) {
		struct jx list;
		if (!jx_array(&list, at, key, err))
			return false;
		if (!word_among(known, links[i]))
			return word_unknown(jx_at(list, i), "flag", links[i], known, err);
		if (strcmp(links[i], flag->name) == 0)
			return jx_fail(jx_at(list, i), err, "flag %s names itself", flag->name);
	}
	return true;
}

GPtrArray *flags_read(const GPtrArray *before, struct jx list, GError **err)
{
	g_autoptr(GPtrArray) flags = g_ptr_array_new_with_free_func((GDestroyNotify)flag_free);
	g_autoptr(GPtrArray) known = g_ptr_array_new();
	for (guint i = 0; before && i < before->len; i++)
		g_ptr_array_add(known, (char *)((const struct flag *)before->pdata[i])->name);
	if (known->len + jx_size(list) > MOST_FLAGS) {
		jx_fail(list, err, "%zu flags; a library can have %d", known->len + jx_size(list),
			MOST_FLAGS);
		return NULL;
	}
	for (size_t i = 0; i < jx_size(list); i++) {
		struct flag *flag = g_new0(struct flag, 1);
		g_ptr_array_add(flags, flag);
		if (!read_flag(flag, jx_at(list, i), err))
			return NULL;
		if (g_ptr_array_find_with_equal_func(known, flag->name, g_str_equal, NULL)) {
			jx_fail(jx_at(list, i), err, "flag \"%s\" is named twice", flag->name);
			return NULL;
		}
		g_ptr_array_add(known, (char *)flag->name);
	}
	g_ptr_array_add(known, NULL);
	const char *const *names = (const char *const *)known->pdata;
	for (size_t i = 0; i < flags->len; i++) {
		const struct flag *flag = flags->pdata[i];
		struct jx at = jx_at(list, i);
		if (!check_links(flag, at, "needs", flag->needs, names, err) ||
			!check_links(flag, at, "implies", flag->implies, names, err) ||
			!check_links(flag, at, "excludes", flag->excludes, names, err))
			return NULL;
	}
	return g_steal_pointer(&flags);
}
