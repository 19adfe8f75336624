#include "flags.h"

#include "words.h"

#include <stdlib.h>
#include <string.h>

static const struct flag *flag_at(const struct library *library, guint index)
{
	return library->flags->pdata[index];
}

static uint64_t bit_of(const struct library *library, const char *name)
{
	for (guint i = 0; i < library->flags->len; i++) {
		if (strcmp(flag_at(library, i)->name, name) == 0)
			return UINT64_C(1) << i;
	}
	return 0;
}

uint64_t flags_set(const struct library *library, const char *const *names)
{
	uint64_t set = 0;
	for (; *names; names++)
		set |= bit_of(library, *names);
	return set;
}

uint64_t flags_closed(const struct library *library, uint64_t set)
{
	uint64_t before;
	do {
		before = set;
		for (guint i = 0; i < library->flags->len; i++) {
			if (set >> i & 1)
				set |= flags_set(library, (const char *const *)flag_at(library, i)->implies);
		}
	} while (set != before);
	return set;
}

const char **flags_names(const struct library *library, uint64_t set)
{
	const char **names = g_new0(const char *, library->flags->len + 1);
	size_t count = 0;
	for (guint i = 0; i < library->flags->len; i++) {
		if (set >> i & 1)
			names[count++] = flag_at(library, i)->name;
	}
	return names;
}

static int compare_flag_names(const void *a, const void *b)
{
	const char *left = *(const char *const *)a, *right = *(const char *const *)b;
	int folded = g_ascii_strcasecmp(left, right);
	return folded ? folded : strcmp(left, right);
}

char *config_name(const char *const *flags)
{
	guint count = g_strv_length((char **)flags);
	if (count == 0)
		return g_strdup("default");
	g_autofree const char **sorted = g_memdup2(flags, (count + 1) * sizeof(*flags));
	qsort(sorted, count, sizeof(*sorted), compare_flag_names);
	return g_strjoinv("+", (char **)sorted);
}

static char *cpu_refused(const struct flag *flag, char *const *features, const struct toolchain *toolchain)
{
	for (; *features; features++) {
		if (!word_among((const char *const *)toolchain->cpu_features, *features))
			return g_strdup_printf(
				"flag %s: needs a processor with %s, which toolchain %s does not promise",
				flag->name, *features, toolchain->name);
	}
	return NULL;
}

/* Why a flag by itself has no place on this toolchain and version. */
static char *flag_refused(const struct flag *flag, const char *version, const struct toolchain *toolchain)
{
	if (flag->arch[0] && !word_among((const char *const *)flag->arch, toolchain->arch)) {
		g_autofree char *archs = g_strjoinv(", ", flag->arch);
		return g_strdup_printf("flag %s: %s only, not %s", flag->name, archs, toolchain->arch);
	}
	const struct flag_on *on = flag_on(flag, toolchain->arch);
	char *lacking = cpu_refused(flag, flag->cpu, toolchain);
	if (!lacking && on)
		lacking = cpu_refused(flag, on->cpu, toolchain);
	if (lacking)
		return lacking;
	if (!version_in_range(version, flag->versions))
		return g_strdup_printf(
			"flag %s: versions %s only, not %s", flag->name, flag->versions, version);
	if (on && !version_in_range(version, on->versions))
		return g_strdup_printf("flag %s: versions %s only on %s, not %s", flag->name, on->versions,
			toolchain->arch, version);
	return NULL;
}

/* What a flag has against the rest of the set. */
static char *company_refused(const struct library *library, const struct flag *flag, uint64_t set)
{
	for (char **other = flag->excludes; *other; other++) {
		if (set & bit_of(library, *other))
			return g_strdup_printf("%s excludes %s", flag->name, *other);
	}
	for (char **other = flag->needs; *other; other++) {
		if (!(set & bit_of(library, *other)))
			return g_strdup_printf("%s needs %s", flag->name, *other);
	}
	return NULL;
}

/* "fasthugemath implies fastmath: the same as fasthugemath+fastmath" */
static char *unclosed(const struct library *library, const struct flag *flag, uint64_t set)
{
	for (char **other = flag->implies; *other; other++) {
		if (set & bit_of(library, *other))
			continue;
		g_autofree const char **closed = flags_names(library, flags_closed(library, set));
		g_autofree char *name = config_name(closed);
		return g_strdup_printf("%s implies %s: the same as %s", flag->name, *other, name);
	}
	return NULL;
}

char *flags_set_refused(
	const struct library *library, const char *version, const struct toolchain *toolchain, uint64_t set)
{
	/* What cannot be at all comes before what is only spelled differently, and that before what is
	 * missing: the closed set may have it. */
	for (int pass = 0; pass < 3; pass++) {
		for (guint i = 0; i < library->flags->len; i++) {
			const struct flag *flag = flag_at(library, i);
			if (!(set >> i & 1))
				continue;
			char *reason = pass == 0   ? flag_refused(flag, version, toolchain)
				       : pass == 1 ? unclosed(library, flag, set)
						   : company_refused(library, flag, set);
			if (reason)
				return reason;
		}
	}
	return NULL;
}

char *flags_refused(const struct library *library, const char *version, const struct toolchain *toolchain,
	const char *const *flags)
{
	return flags_set_refused(library, version, toolchain, flags_set(library, flags));
}
