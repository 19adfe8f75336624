/* Which processors there are, and what they can do. */
#include "host_facts.h"

#include <stdio.h>
#include <string.h>

GArray *host_online(const struct host_view *view)
{
	g_autofree char *online = host_text(view, HOST_CPUS "/online");
	g_auto(GStrv) ranges = g_strsplit(online ? online : "0", ",", -1);
	GArray *all = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (char **range = ranges; *range; range++) {
		unsigned first, last;
		int found = sscanf(*range, "%6u-%6u", &first, &last);
		for (unsigned i = first; found > 0 && i <= (found == 2 ? last : first); i++) {
			if (all->len == HOST_PROCESSORS_MAX)
				return all;
			g_array_append_val(all, i);
		}
	}
	return all;
}

/* --- kinds of cores --- */

/* ARM's own parts, as MIDR_EL1 numbers them (Arm's reference manuals; util-linux's lscpu has the same). */
static const struct {
	unsigned part;
	const char *name;
} arm_parts[] = {
	{0x926, "ARM926"},
	{0xb76, "ARM1176"},
	{0xc05, "Cortex-A5"},
	{0xc07, "Cortex-A7"},
	{0xc08, "Cortex-A8"},
	{0xc09, "Cortex-A9"},
	{0xc0d, "Cortex-A17"},
	{0xc0e, "Cortex-A17"},
	{0xc0f, "Cortex-A15"},
	{0xd03, "Cortex-A53"},
	{0xd04, "Cortex-A35"},
	{0xd05, "Cortex-A55"},
	{0xd07, "Cortex-A57"},
	{0xd08, "Cortex-A72"},
	{0xd09, "Cortex-A73"},
	{0xd0a, "Cortex-A75"},
	{0xd0b, "Cortex-A76"},
	{0xd0c, "Neoverse-N1"},
	{0xd0d, "Cortex-A77"},
	{0xd40, "Neoverse-V1"},
	{0xd41, "Cortex-A78"},
	{0xd44, "Cortex-X1"},
	{0xd46, "Cortex-A510"},
	{0xd47, "Cortex-A710"},
	{0xd48, "Cortex-X2"},
	{0xd49, "Neoverse-N2"},
	{0xd4a, "Neoverse-E1"},
	{0xd4d, "Cortex-A715"},
	{0xd4e, "Cortex-X3"},
	{0xd4f, "Neoverse-V2"},
	{0xd80, "Cortex-A520"},
	{0xd81, "Cortex-A720"},
	{0xd82, "Cortex-X4"},
};

/* "Cortex-A72"; "0x61 0x22" where it is not ARM's or not known. New text. */
static char *part_name(unsigned implementer, unsigned part)
{
	for (size_t i = 0; implementer == 0x41 && i < G_N_ELEMENTS(arm_parts); i++)
		if (arm_parts[i].part == part)
			return g_strdup(arm_parts[i].name);
	return g_strdup_printf("0x%02x 0x%03x", implementer, part);
}

static unsigned hexadecimal(const char *text)
{
	return (unsigned)g_ascii_strtoull(text, NULL, 16);
}

/* Of /proc/cpuinfo: unsigned number of the processor -> its part's name. Empty where it names none. */
static GHashTable *parts_of(const char *cpuinfo)
{
	GHashTable *parts = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_auto(GStrv) lines = g_strsplit(cpuinfo ? cpuinfo : "", "\n", -1);
	unsigned processor = 0, implementer = 0;

	for (char **line = lines; *line; line++) {
		const char *colon = strchr(*line, ':');
		if (!colon)
			continue;
		if (g_str_has_prefix(*line, "processor"))
			processor = (unsigned)g_ascii_strtoull(colon + 1, NULL, 10);
		else if (g_str_has_prefix(*line, "CPU implementer"))
			implementer = hexadecimal(colon + 1);
		else if (g_str_has_prefix(*line, "CPU part"))
			g_hash_table_replace(parts, GUINT_TO_POINTER(processor),
				part_name(implementer, hexadecimal(colon + 1)));
	}
	return parts;
}

/* "Cortex-A72 at 1800 MHz", as far as it is known; NULL where nothing is. New text. */
static char *kind_of(const struct host_view *view, unsigned processor, const char *part)
{
	g_autofree char *khz = host_cpu_text(view, processor, "cpufreq/cpuinfo_max_freq");
	double mhz = khz ? g_ascii_strtod(khz, NULL) / 1000 : 0;

	if (mhz <= 0)
		return g_strdup(part);
	return g_strdup_printf("%s at %.0f MHz", part ? part : "core", mhz);
}

/* How often each of `kinds` is there; each is named where it comes first. New text. */
static char *count_kinds(const GPtrArray *kinds)
{
	g_autoptr(GHashTable) counts = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < kinds->len; i++) {
		guint n = GPOINTER_TO_UINT(g_hash_table_lookup(counts, kinds->pdata[i]));
		if (n == 0)
			g_ptr_array_add(named, kinds->pdata[i]);
		g_hash_table_insert(counts, kinds->pdata[i], GUINT_TO_POINTER(n + 1));
	}
	for (guint i = 0; i < named->len; i++)
		g_string_append_printf(text, "%s%u x %s", i > 0 ? ", " : "",
			GPOINTER_TO_UINT(g_hash_table_lookup(counts, named->pdata[i])),
			(const char *)named->pdata[i]);
	return g_string_free(text, named->len == 0);
}

char *host_core_kinds(const struct host_view *view)
{
	g_autofree char *cpuinfo = host_text(view, "/proc/cpuinfo");
	g_autoptr(GHashTable) parts = parts_of(cpuinfo);
	g_autoptr(GArray) online = host_online(view);
	g_autoptr(GPtrArray) kinds = g_ptr_array_new_with_free_func(g_free);

	for (guint i = 0; i < online->len; i++) {
		unsigned processor = g_array_index(online, unsigned, i);
		char *kind =
			kind_of(view, processor, g_hash_table_lookup(parts, GUINT_TO_POINTER(processor)));
		if (kind)
			g_ptr_array_add(kinds, kind);
	}
	return count_kinds(kinds);
}

/* --- what they can do --- */

#define FEATURES_MAX 200 /* bytes that are shown as they are */

/* What ciphers, hashes, random numbers and long integers use; x86, then Arm. */
static const char *const used[] = {"aes", "pclmulqdq", "sha_ni", "vaes", "vpclmulqdq", "ssse3", "sse4_1",
	"sse4_2", "avx", "avx2", "avx512f", "avx512ifma", "avx512vbmi2", "gfni", "bmi1", "bmi2", "adx",
	"rdrand", "rdseed", "asimd", "neon", "pmull", "sha1", "sha2", "sha3", "sha512", "sm3", "sm4", "crc32",
	"atomics", "rng", "sve", "sve2", "sveaes", "svepmull", "svesha3", NULL};

static char *shortened(const char *all)
{
	g_auto(GStrv) words = g_strsplit(all, " ", -1);
	g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, all, -1);
	GString *text = g_string_new(NULL);
	unsigned others = 0;

	for (char **word = words; *word; word++) {
		if (g_strv_contains(used, *word))
			g_string_append_printf(text, "%s ", *word);
		else
			others++;
	}
	g_string_append_printf(text, "and %u more (all of them: %.8s)", others, hash);
	return g_string_free(text, FALSE);
}

char *host_features(const struct host_view *view)
{
	static const char *const keys[] = {"flags", "Features", "isa", "features", "ASEs implemented", NULL};
	g_autofree char *cpuinfo = host_text(view, "/proc/cpuinfo");
	g_autofree char *all = NULL;

	for (const char *const *key = keys; *key && !all; key++)
		all = host_value(cpuinfo, *key);
	if (all && strlen(all) > FEATURES_MAX)
		return shortened(all);
	return g_steal_pointer(&all);
}

/* --- whose guest it is --- */

/* Says nothing of who is the host, but that there is one. */
static bool flagged(const struct host_view *view)
{
	g_autofree char *cpuinfo = host_text(view, "/proc/cpuinfo");
	g_autofree char *flags = host_value(cpuinfo, "flags");
	g_auto(GStrv) words = g_strsplit(flags ? flags : "", " ", -1);

	return g_strv_contains((const char *const *)words, "hypervisor");
}

char *host_virtualisation(const struct host_view *view)
{
	static const char *const files[] = {
		"/sys/hypervisor/type", "/proc/device-tree/hypervisor/compatible", NULL};
	const char *machine = view->machine ? view->machine : "";
	bool pc = g_str_equal(machine, "x86_64") || (machine[0] == 'i' && g_str_has_suffix(machine, "86"));

	for (const char *const *file = files; *file; file++) {
		char *name = host_text(view, *file);
		if (name)
			return name;
	}
	if (!flagged(view))
		return pc ? g_strdup("none") : NULL;
	g_autofree char *product = host_text(view, "/sys/class/dmi/id/product_name");
	return product ? g_steal_pointer(&product) : g_strdup("a hypervisor that does not say its name");
}
