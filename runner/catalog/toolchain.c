#include "catalog_parts.h"
#include "words.h"

#include <limits.h>
#include <string.h>

static const char *const toolchain_keys[] = {"summary", "arch", "triple", "cc", "ar", "ranlib", "strip", "nm",
	"cflags", "ldflags", "packages", "machine", "bits", "endian", "cpu_features", "debian_arch", "bare",
	"lto", "run", NULL};
static const char *const run_keys[] = {"emulator", "cpu", "machine", "package", NULL};

/* "EM_AARCH64", as <elf.h> spells it. */
static bool machine_valid(const char *machine)
{
	return g_str_has_prefix(machine, "EM_") && machine[3] &&
	       strspn(machine + 3, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(machine + 3);
}

static bool read_run(struct toolchain *toolchain, struct jx root, GError **err)
{
	struct agent_target *target = &toolchain->target;
	target->toolchain = toolchain->name;
	target->arch = toolchain->arch;
	target->strip = toolchain->strip;
	if (!jx_has(root, "run"))
		return true;
	struct jx run;
	return jx_object(&run, root, "run", err) && jx_only(run, run_keys, err) &&
	       jx_string(&target->emulator, run, "emulator", err) &&
	       jx_string(&target->cpu, run, "cpu", err) &&
	       jx_string_or(&target->machine, run, "machine", NULL, err) &&
	       jx_string(&target->package, run, "package", err);
}

static bool read_machine(struct toolchain *toolchain, struct jx root, GError **err)
{
	struct jx machine, bits, endian;
	const char *order;
	int64_t width;
	if (!jx_string(&toolchain->machine, root, "machine", err) ||
		!jx_get(&machine, root, "machine", err) || !jx_get(&bits, root, "bits", err) ||
		!jx_int_or(&width, root, "bits", 0, 0, INT_MAX, err) ||
		!jx_string(&order, root, "endian", err) || !jx_get(&endian, root, "endian", err))
		return false;
	if (!machine_valid(toolchain->machine))
		return jx_fail(machine, err, "\"%s\" is no machine of <elf.h>, such as \"EM_AARCH64\"",
			toolchain->machine);
	if (width != 32 && width != 64)
		return jx_fail(bits, err, "%d bits; it can be 32 or 64", (int)width);
	if (strcmp(order, "little") != 0 && strcmp(order, "big") != 0)
		return jx_fail(endian, err, "\"%s\"; it can be \"little\" or \"big\"", order);
	toolchain->bits = (int)width;
	toolchain->big_endian = order[0] == 'b';
	return true;
}

static bool read_words(struct toolchain *toolchain, struct jx root, GError **err)
{
	return jx_string(&toolchain->summary, root, "summary", err) &&
	       word_string(&toolchain->arch, root, "arch", "architecture", err) &&
	       word_string(&toolchain->triple, root, "triple", "triple", err) &&
	       jx_string(&toolchain->cc, root, "cc", err) && jx_string(&toolchain->ar, root, "ar", err) &&
	       jx_string(&toolchain->ranlib, root, "ranlib", err) &&
	       jx_string(&toolchain->strip, root, "strip", err) &&
	       jx_string(&toolchain->nm, root, "nm", err) &&
	       jx_strings_or_empty(&toolchain->cflags, root, "cflags", err) &&
	       jx_strings_or_empty(&toolchain->ldflags, root, "ldflags", err) &&
	       jx_strings_or_empty(&toolchain->packages, root, "packages", err) &&
	       jx_string_or(&toolchain->debian_arch, root, "debian_arch", NULL, err) &&
	       jx_bool_or(&toolchain->bare, root, "bare", false, err) &&
	       jx_bool_or(&toolchain->lto, root, "lto", false, err) &&
	       jx_strings_or_empty(&toolchain->cpu_features, root, "cpu_features", err);
}

static json_t *strings_json(char *const *strings)
{
	json_t *array = json_array();
	for (; *strings; strings++)
		json_array_append_new(array, json_string(*strings));
	return array;
}

/* Only what the compiler sees: how the output runs must not name another library archive. */
static char *toolchain_canonical(const struct toolchain *toolchain)
{
	json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "triple", toolchain->triple,
		"cc", toolchain->cc, "ar", toolchain->ar, "ranlib", toolchain->ranlib, "strip",
		toolchain->strip, "nm", toolchain->nm, "cflags", strings_json(toolchain->cflags), "ldflags",
		strings_json(toolchain->ldflags));
	char *text = jx_canonical(json);
	json_decref(json);
	return text;
}

struct toolchain *toolchain_read(const char *name, struct jx_document *doc, GError **err)
{
	struct jx root = jx_root(doc);
	struct toolchain *toolchain = g_new0(struct toolchain, 1);
	toolchain->name = g_strdup(name);
	toolchain->file = jx_file(root);
	if (!jx_only(root, toolchain_keys, err) || !read_words(toolchain, root, err) ||
		!read_machine(toolchain, root, err) || !read_run(toolchain, root, err)) {
		toolchain_free(toolchain);
		return NULL;
	}
	toolchain->canonical = toolchain_canonical(toolchain);
	return toolchain;
}

void toolchain_free(struct toolchain *toolchain)
{
	if (!toolchain)
		return;
	g_free((char *)toolchain->name);
	g_strfreev(toolchain->cflags);
	g_strfreev(toolchain->ldflags);
	g_strfreev(toolchain->packages);
	g_strfreev(toolchain->cpu_features);
	g_free(toolchain->canonical);
	g_free(toolchain);
}
