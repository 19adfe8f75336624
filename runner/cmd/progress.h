/* What a run is doing, on standard error: one line that is rewritten on a terminal, plain lines elsewhere. */
#ifndef BM_PROGRESS_H
#define BM_PROGRESS_H

#include "dispatch.h"

struct progress;
struct progress *progress_new(int total);      /* builds and cells */
void progress_free(struct progress *progress); /* clears the line */
void progress_event(const struct dispatch_event *event, void *progress);
/* For struct builder_spec: on_step. */
void progress_step(const char *build, const char *step, void *progress);

#endif
