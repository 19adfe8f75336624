/* What the pages show, fetched once. */
#ifndef BM_REPORT_MODEL_H
#define BM_REPORT_MODEL_H

#include "compare.h"
#include "history.h"
#include "report.h"
#include "store.h"

/* A build that figures rest on. */
struct report_build {
	int64_t id;
	const struct result *example; /* one of its figures: labels, arch, compiler */
	double size;		      /* text, rodata and data of the library alone, bytes; NAN unknown */
	double latest_size;	      /* the same of the newest build with these labels that tells it */
	guint figures;
};

struct report_platform {
	const char *name;
	int64_t id; /* 0: the database describes no platform of that name */
	guint figures;
	const struct result *example;
};

/* A build that failed in the newest run, or in which something did. */
struct report_failed {
	int64_t id;
	GPtrArray *cells; /* const struct cell_info *, those that failed, wholly or in part */
};

struct report_failure {
	const struct failure_info *what;
	bool fresh; /* not in the run before */
};

/* Before and after of one metric, of the last two runs of a matrix. */
struct report_change {
	enum metric metric;
	struct comparison *comparison;
};

struct report_model {
	const struct report_spec *spec;
	struct selector *selector;
	GPtrArray *runs;		 /* struct run_info *, newest first */
	const struct run_info *last;	 /* the newest of a matrix, no aside; NULL: none */
	const struct run_info *previous; /* the one before of the same matrix; NULL: none */
	GPtrArray *cells;		 /* struct cell_info * of the last run */
	GPtrArray *failures;		 /* struct report_failure *, fresh ones first */
	GPtrArray *failure_infos;	 /* owns them */
	GPtrArray *failed;		 /* struct report_failed *, in the order of cells */
	GHashTable *failed_of;		 /* id -> struct report_failed * */
	GArray *results;		 /* struct result: the latest of each series */
	GPtrArray *builds;		 /* struct report_build *, in the order of their labels */
	GHashTable *build_of;		 /* id -> struct report_build * */
	GHashTable *index;		 /* of results, by series and origin: see report_index() */
	struct history *history;
	GPtrArray *platforms;	  /* struct report_platform *, by name */
	GPtrArray *changes;	  /* struct report_change *, exact metrics first */
	bool varies[LABEL_COUNT]; /* labels that differ among the results of own builds */
	char *made;		  /* "2026-11-30 22:56 UTC" */
	GHashTable *written;	  /* names of the files that were written (char *) */
};

bool report_model_make(struct report_model **ret, const struct report_spec *spec, GError **err);
void report_model_free(struct report_model *model); /* takes NULL */

/* "sp", or where more than the configuration varies "sp -O3 5.7.2": what tells a build from others on its
 * toolchain. Free with g_free(). */
char *report_build_name(const struct report_model *model, const struct labels *labels);
/* Whether two are builds of one kind: library, version, configuration, profile, optimisation, toolchain. */
bool report_same_build(const struct labels *a, const struct labels *b);
/* The file of a build's or platform's page: by number, so that no name decides it. NULL where there is none.
 * Free with g_free(). */
char *report_build_file(const struct report_model *model, int64_t build);
char *report_platform_file(const struct report_model *model, const char *name);

/* Where a result (of any fetch) stands in model->results: the number that data.js and the links to its
 * history know it by; -1 where it is not there. */
int report_index(const struct report_model *model, const struct result *result);

#endif
