#include "identity.h"

#include "child.h"
#include "diag.h"
#include "fsx.h"

#include <string.h>

#define PROBE_SECONDS 20
#define PROBE_CEILING 65536

struct probe {
	const struct toolchain *toolchain;
	const char *const *environment;
	const char *path; /* of the environment */
	GStrvBuilder *files;
};

static const char *path_of(const char *const *environment)
{
	const char *path = g_environ_getenv((char **)environment, "PATH");
	return path ? path : "/usr/bin:/bin";
}

/* The first line that a program prints on its standard output, or NULL with DIAG_LACKS where it fails. */
static char *first_line(
	const struct probe *probe, const char *program, char **flags, const char *question, GError **err)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	g_ptr_array_add(argv, (char *)program);
	for (char **flag = flags; flag && *flag; flag++)
		g_ptr_array_add(argv, *flag);
	g_ptr_array_add(argv, (char *)question);
	g_ptr_array_add(argv, NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	struct child_exit end;
	const struct child_spec spec = {
		.argv = (const char *const *)argv->pdata,
		.environment = probe->environment,
		.timeout_s = PROBE_SECONDS,
		.output_ceiling = PROBE_CEILING,
		.cpu = -1,
	};
	if (!child_run(&end, out, NULL, &spec, err))
		return NULL;
	if (end.end != CHILD_EXITED || end.status != 0) {
		g_autofree char *how = child_end_text(&end);
		diag_set(err, DIAG_LACKS, "%s does not run: `%s %s`: %s", program, program, question, how);
		return NULL;
	}
	char *newline = strchr(out->str, '\n');
	if (newline)
		*newline = '\0';
	if (*out->str)
		return g_strdup(out->str);
	diag_set(err, DIAG_LACKS, "%s does not run: `%s %s` says nothing", program, program, question);
	return NULL;
}

/* As fsx_find_program(), and notes what was found. */
static char *find(const struct probe *probe, const char *name)
{
	char *found = fsx_find_program(name, probe->path);
	if (found)
		g_strv_builder_add(probe->files, found);
	return found;
}

/* Where the compiler keeps one of its programs. */
static char *program_of(const struct probe *probe, const char *name)
{
	g_autofree char *question = g_strconcat("-print-prog-name=", name, NULL);
	g_autofree char *answer =
		first_line(probe, probe->toolchain->cc, probe->toolchain->cflags, question, NULL);
	return answer ? find(probe, answer) : NULL;
}

static char *version_of(const struct probe *probe, const char *name)
{
	g_autofree char *program = program_of(probe, name);
	return program ? first_line(probe, program, NULL, "--version", NULL) : NULL;
}

/* GCC's driver is a small program that starts cc1; both make what comes out. */
static char *compiler_hash(const struct probe *probe, const char *driver, GError **err)
{
	g_autofree char *driver_hash = fsx_hash_file(driver, err);
	if (!driver_hash)
		return NULL;
	g_autofree char *proper = program_of(probe, "cc1");
	g_autofree char *proper_hash = proper ? fsx_hash_file(proper, NULL) : NULL;
	g_autofree char *both = g_strdup_printf("%s %s", driver_hash, proper_hash ? proper_hash : "-");
	return g_compute_checksum_for_string(G_CHECKSUM_SHA256, both, -1);
}

/* False where the compiler says that it has no static C library: it answers with the bare name then. One that
 * does not know the question leaves it unknown. */
static bool libc_hash(char **ret, const struct probe *probe)
{
	g_autofree char *file = first_line(
		probe, probe->toolchain->cc, probe->toolchain->cflags, "-print-file-name=libc.a", NULL);
	*ret = file && g_path_is_absolute(file) ? fsx_hash_file(file, NULL) : NULL;
	if (*ret)
		g_strv_builder_add(probe->files, file);
	return !file || *ret;
}

/* Whether the compiler takes -ffile-prefix-map: GCC before 8 and many compilers of vendors do not. */
static bool maps_folders(const struct probe *probe)
{
	static const char *const words[] = {"-ffile-prefix-map=/a=b", "-E", "-x", "c", NULL};
	g_autoptr(GStrvBuilder) flags = g_strv_builder_new();
	g_strv_builder_addv(flags, (const char **)probe->toolchain->cflags);
	g_strv_builder_addv(flags, (const char **)words);
	g_auto(GStrv) all = g_strv_builder_end(flags);
	g_autofree char *answer = first_line(probe, probe->toolchain->cc, all, "/dev/null", NULL);
	return answer != NULL;
}

static bool lacks(const struct toolchain *toolchain, const char *what, GError **err)
{
	g_autofree char *packages =
		toolchain->packages && *toolchain->packages ? g_strjoinv(" ", toolchain->packages) : NULL;
	if (!packages)
		return diag_set(err, DIAG_LACKS, "%s is not installed (toolchain %s)", what, toolchain->name);
	return diag_set(err, DIAG_LACKS, "%s is not installed: apt-get install %s", what, packages);
}

bool identity_probe(struct identity **ret, const struct toolchain *toolchain, const char *const *environment,
	GError **err)
{
	g_autoptr(GStrvBuilder) files = g_strv_builder_new();
	const struct probe probe = {toolchain, environment, path_of(environment), files};
	const char *const needed[] = {toolchain->cc, toolchain->ar, toolchain->ranlib};
	g_autofree char *driver = find(&probe, toolchain->cc);
	for (size_t i = 0; i < G_N_ELEMENTS(needed); i++) {
		g_autofree char *found = needed[i] ? find(&probe, needed[i]) : NULL;
		if (needed[i] && !found)
			return lacks(toolchain, needed[i], err);
	}
	struct identity *identity = g_new0(struct identity, 1);
	identity->compiler = first_line(&probe, toolchain->cc, NULL, "--version", err);
	if (identity->compiler)
		identity->compiler_sha256 = compiler_hash(&probe, driver, err);
	identity->assembler = version_of(&probe, "as");
	identity->linker = version_of(&probe, "ld");
	identity->maps_folders = maps_folders(&probe);
	bool has_libc = libc_hash(&identity->libc_sha256, &probe);
	identity->files = g_strv_builder_end(files);
	bool good = identity->compiler_sha256 != NULL;
	if (good && !has_libc) {
		g_autofree char *what = g_strdup_printf("the static C library of %s", toolchain->cc);
		good = lacks(toolchain, what, err);
	}
	if (!good) {
		identity_free(identity);
		return false;
	}
	*ret = identity;
	return true;
}

void identity_free(struct identity *identity)
{
	if (!identity)
		return;
	g_free(identity->compiler);
	g_free(identity->compiler_sha256);
	g_free(identity->assembler);
	g_free(identity->linker);
	g_free(identity->libc_sha256);
	g_strfreev(identity->files);
	g_free(identity);
}
