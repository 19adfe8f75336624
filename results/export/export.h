/* Figures for other programs: one file per format behind one const vtable, listed in exporters.c.
 *
 * Output is streamed, in an order that depends on the figures alone, with a decimal point in every locale:
 * equal figures give equal bytes. Values are the median, or what else is known (figure_value()). */
#ifndef BM_EXPORT_H
#define BM_EXPORT_H

#include "store.h"

#include <glib.h>

/* Where the bytes go. False with an error ends the export. */
struct export_target {
	bool (*take)(void *user, const char *bytes, size_t length, GError **err);
	void *user;
};

/* What is exported. */
struct export_set {
	struct store *store;
	GArray *all;	    /* struct result: keeps them alive */
	GPtrArray *results; /* const struct result *, in the order of results */
	char *selector;	    /* canonical; NULL: everything */
	guint emulated;	    /* figures of emulated time that were left out, since nobody asked for them */
};

/* The figures that the selector takes (NULL: all): of each series and origin the latest, or with a `run` term
 * those of that run. Emulated time is left out unless `environment` is named. DIAG_USAGE where there are
 * none: says what there is instead. */
bool export_set_make(struct export_set **ret, struct store *store, const char *selector, GError **err);
void export_set_free(struct export_set *set); /* takes NULL */

struct export_options {
	const char *program; /* what writes it: "benchmatrix 0.1.0" */
	bool samples;
};

/* What was written. */
struct export_count {
	size_t figures, left_out; /* left_out: figures that the format cannot express */
};

struct export_out; /* export_out.h */
struct exporter {
	const char *name, *summary, *media_type;
	const char *cannot; /* what the format cannot express, "ratios"; NULL: nothing */
	bool samples;	    /* whether it can hold them */
	void (*write)(struct export_out *out, const struct export_set *set);
};

extern const struct exporter *const exporters[]; /* NULL-terminated */
/* By name; DIAG_USAGE with the nearest name where unknown. */
const struct exporter *exporter_find(const char *name, GError **err);

/* DIAG_USAGE where samples are asked for and the format has none. */
bool export_write(struct export_count *ret, const struct exporter *exporter, const struct export_set *set,
	const struct export_options *options, const struct export_target *target, GError **err);

/* The same as one gzip stream in memory, which equal figures make equal, and the SHA-256 of what is in it, in
 * hexadecimal. */
bool export_packed(GByteArray **ret, char **ret_sha256, struct export_count *ret_count,
	const struct exporter *exporter, const struct export_set *set, const struct export_options *options,
	GError **err);

#endif
