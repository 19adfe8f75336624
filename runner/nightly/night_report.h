/* What a night has to tell: once as JSON, which is kept and sent; and that as text. */
#ifndef BM_NIGHT_REPORT_H
#define BM_NIGHT_REPORT_H

#include "night_judge.h"

#include <jansson.h>

#define NIGHT_REPORT_SCHEMA "benchmatrix-night-1"

enum night_failure_state { NIGHT_FAILURE_NEW, NIGHT_FAILURE_OLD, NIGHT_FAILURE_KNOWN };
extern const char *const night_failure_states[]; /* "new", "old", "known" */
struct night_failure {
	const struct failure_info *failure;
	enum night_failure_state state;
	const char *known; /* the reason that is known; NULL */
};

struct night_report {
	const struct run_info *run;
	const char *program;  /* "benchmatrix 0.1.0" */
	const char *baseline; /* as asked for */
	const struct night_suspects *suspects;
	const GPtrArray *changes;  /* struct night_change * */
	const GPtrArray *findings; /* struct night_finding * */
	const GArray *failures;	   /* struct night_failure */
};
/* New: json_decref(). Its "status" is 1 where there is a regression or a new failure, else 0. */
json_t *night_report_make(const struct night_report *report);
int night_report_status(const json_t *report);
/* One line: "nightly: 2 regressions, 1 new failure". Free with g_free(). */
char *night_report_headline(const json_t *report);
/* For a terminal, or as Markdown. Free with g_free(). */
char *night_report_text(const json_t *report, bool markdown);

#endif
