/* Gathers the text of a library's own benchmark, process by process, into rows: intake.h for programs whose
 * text an importer reads. Each process gives one sample of a series: the mean that it printed. Answers are
 * not checked by such a program, so that its outcomes are `ok` without a proof. */
#ifndef BM_TOOL_INTAKE_H
#define BM_TOOL_INTAKE_H

#include "importer.h"
#include "intake.h"

struct tool_intake;
struct tool_intake *tool_intake_new(const struct importer *importer, enum environment environment);
void tool_intake_process_began(struct tool_intake *tool, int64_t invocation);
void tool_intake_push(struct tool_intake *tool, const char *bytes, size_t length);
/* `reason` NULL: it came to its end. What it printed before counts in any case. */
void tool_intake_process_ended(struct tool_intake *tool, const char *reason);
/* Frees it. The intake is the caller's: intake_free(). It is complete where the last process of every
 * invocation came to its end and printed a figure. */
struct intake *tool_intake_finish(struct tool_intake *tool);

#endif
