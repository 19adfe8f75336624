/* What an attempt's processes are told, and what equal results need. For this folder only. */
#ifndef BM_ATTEMPT_WORDS_H
#define BM_ATTEMPT_WORDS_H

#include "attempt.h"
#include "course.h"

/* How many it has in all. */
int attempt_invocations(const struct attempt_spec *spec);
/* Of the next process; g_strfreev(). */
char **attempt_arguments(const struct attempt_spec *spec, const struct course *course);
/* A JSON list; g_free(). */
char *attempt_list(char **strings);
/* schema/keys.md: E. NULL where results are not exact. g_free(). */
char *attempt_exact_key_of(const struct attempt_spec *spec);

#endif
