/* What can be built with what: the JSON files of toolchains, libraries and matrices, read and checked.
 *
 * Files are found by name in three places, the first that has it wins: the user's folder
 * ($XDG_CONFIG_HOME/benchmatrix/<kind>/), the folder beside the program in the build tree, the install
 * prefix's share folder. All strings are lent by the catalog. */
#ifndef BM_CATALOG_H
#define BM_CATALOG_H

#include "agent.h"

#include <glib.h>
#include <stdbool.h>

/* One toolchain: toolchains/<name>.json, schema/toolchain.schema.json. */
struct toolchain {
	const char *name, *file, *summary;
	const char *arch;   /* "x86_64", "aarch64" */
	const char *triple; /* for configure's --host */
	const char *cc, *ar, *ranlib, *strip, *nm;
	char **cflags, **ldflags;
	char **packages;     /* Debian packages of compiler and C library */
	const char *machine; /* ELF machine as in <elf.h>: "EM_AARCH64" */
	int bits;	     /* 32 or 64 */
	bool big_endian;
	const char *debian_arch; /* Debian's name of its architecture: "arm64"; NULL where Debian has none */
	bool bare;		 /* its programs have no operating system below them */
	bool lto;		 /* its archiver and linker take objects of -flto */
	char **cpu_features;	 /* what its CPU flags promise: a flag's `cpu` needs are held against it */
	struct agent_target target;
	char *canonical; /* what the compiler sees of it, canonical JSON: part of the library key */
};

/* What a flag needs on one architecture, beside what it needs on all. */
struct flag_on {
	const char *arch;
	char **cpu;	      /* CPU features */
	const char *versions; /* NULL: all */
};

/* A configure flag of a library: one row of its file. */
struct flag {
	const char *name, *summary;
	char **configure, **cflags;
	char **defines; /* what stands for `configure` in a settings header: "NAME", "NAME=VALUE", "!NAME"
			   takes one back */
	char **needs, **implies, **excludes; /* names of flags */
	char **arch;			     /* archs that have it; empty: all */
	char **cpu;			     /* CPU features that it needs */
	const char *versions;		     /* ">=4.0 <5.0", NULL: all */
	GPtrArray *on;			     /* struct flag_on * */
};

/* Where a version's source comes from. */
enum origin_kind { ORIGIN_DEBIAN, ORIGIN_FOLDER, ORIGIN_TARBALL, ORIGIN_GIT, ORIGIN_DEBIAN_BINARY };
struct origin {
	enum origin_kind kind;
	/* ORIGIN_DEBIAN, ORIGIN_DEBIAN_BINARY: source package, or package with a static library and its
	 * headers, and the suite that has it. */
	const char *package, *suite;
	const char
		*upstream;  /* those two: the package's upstream version, a glob; NULL: the version's name */
	bool unpatched;	    /* ORIGIN_DEBIAN: the upstream tarball alone, without Debian's changes */
	const char *folder; /* ORIGIN_FOLDER: absolute */
	const char *url, *sha256;     /* ORIGIN_TARBALL */
	const char *repository, *ref; /* ORIGIN_GIT: a URL or an absolute path; branch, tag or commit */
	/* ORIGIN_GIT: where the ref stands, asked for once when the plan is made (resolve.h); else NULL. */
	char *commit;
	char *unresolved; /* why there is no commit */
};

struct version {
	const char *name; /* "5.5.4", "git:master", or the name that a matrix gives */
	struct origin origin;
	bool settings; /* built without configure, from a settings header (recipe "user_settings") */
};

/* A symbol of the archive (nm's spelling, of any kind but undefined) that tells that a math back end is
 * compiled in. */
struct math_mark {
	const char *symbol, *name; /* "sp_RsaPrivate_2048", "sp_c64.c" */
};

/* What a recipe adds on one architecture. */
struct recipe_on {
	const char *arch;
	char **configure;
};

/* What a profile adds in some versions. */
struct profile_more {
	const char *versions; /* ">=5.9" */
	char **configure;
};

struct profile {
	const char *name, *summary;
	char **configure, **cflags, **defines;
	GPtrArray *more;    /* struct profile_more *; NULL: nothing */
	char **archives;    /* libraries that it has besides, within the build folder: linked before the
			     * library's own
			     */
	char **core_cflags; /* how programs of it are compiled: not part of the library key */
};

/* Benchmarks that a tool measures only, or not, when it is told. */
struct tool_choice {
	char **benchmarks; /* globs over names of benchmarks.def */
	const char *argument;
};

/* The library's own benchmark, made of its sources in the same build, and read by an importer. */
struct tool {
	const char *importer;	/* results/import: "wolfcrypt" */
	const char *instrument; /* label of its figures: "wolfcrypt-benchmark" */
	char **sources;		/* within the source tree */
	char **cflags;		/* after the library's core_cflags */
	char **libs;		/* linked after the archive */
	char **arguments;	/* "{block}" stands for the bytes of a block */
	GPtrArray *choices;	/* struct tool_choice *: without an argument of theirs it measures all */
};

/* One library: bench-core/libs/<name>.json, schema/library.schema.json. */
struct library {
	const char *name, *file, *summary;
	const char *adapter; /* absolute path of its adapter's source */
	GPtrArray *versions; /* struct version * */
	GPtrArray *profiles; /* struct profile * */
	GPtrArray *flags;    /* struct flag * */
	/* The recipe: which build system, and its words. In every string of these, of profiles and of flags
	 * "{build}" stands for the build folder's absolute path. */
	const char *recipe;	/* "autotools" */
	char *recipe_canonical; /* the recipe object, canonical JSON: part of the library key */
	char **prepare;		/* argv of a step that is done once per source; empty: none */
	char **configure, **targets;
	/* struct recipe_on *: where there are any, the recipe knows no other architecture; empty: it knows
	 * all. */
	GPtrArray *recipe_on;
	const char *archive, *config_header; /* relative to the build folder; config_header may be NULL */
	char **includes;		     /* include folders relative to the build folder */
	char **core_cflags; /* how programs against it are compiled: not part of the library key */
	char **libs;	    /* linked after the archive: not part of the library key */
	GPtrArray *math; /* struct math_mark *: every one found is in force; told in this order, joined by " +
			    " */
	char **packages; /* Debian packages that its build system needs */
	struct tool *tool; /* its own benchmark; NULL: none is known */
	GPtrArray *hints;  /* struct hint * (hints.h): what to try against failures whose words are known */
};

struct catalog {
	GPtrArray *toolchains; /* struct toolchain *, sorted by name */
	GPtrArray *libraries;  /* struct library *, sorted by name */
	GPtrArray *matrices;   /* char *: names of matrices found, sorted */
	struct agents *agents; /* the built-in ones and those of the user's agents.json */
	/* private */
	GPtrArray *documents;
	char **folders;
};

/* `data` is the folder that holds toolchains/, libs/, matrices/; `user` the user's, with agents.json (may be
 * NULL or missing).
 * A file that is wrong is DIAG_INPUT: nothing is skipped silently. */
bool catalog_load(struct catalog **ret, const char *data, const char *user, GError **err);
void catalog_free(struct catalog *catalog);

/* By name; DIAG_INPUT with the nearest name where unknown. Lent. */
const struct toolchain *catalog_toolchain(const struct catalog *catalog, const char *name, GError **err);
const struct library *catalog_library(const struct catalog *catalog, const char *name, GError **err);
const struct flag *library_flag(const struct library *library, const char *name); /* NULL where unknown */
const struct flag_on *flag_on(const struct flag *flag, const char *arch); /* NULL where it needs no more */
const struct recipe_on *library_recipe_on(const struct library *library, const char *arch);
const struct profile *library_profile(const struct library *library, const char *name);
/* What a version gets of a profile on its configure line; g_strfreev(). */
char **profile_configure(const struct profile *profile, const char *version);
const struct version *library_version(const struct library *library, const char *name);
/* The file of a matrix: `name` with a slash or an ending .json is a path, else a bundled or user's one. Free
 * with g_free(). */
char *catalog_matrix_file(const struct catalog *catalog, const char *name, GError **err);

/* Whether a version is in a range such as ">=4.0 <5.0"; NULL takes all. Versions compare by their numbers,
 * part by part: 5.0 equals 5, and what follows the numbers ("+p1") does not count. A version that begins with
 * no digit, as a folder's may, is in every range: nothing is known against it. */
bool version_in_range(const char *version, const char *range);

#endif
