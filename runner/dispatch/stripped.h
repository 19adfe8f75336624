/* A program as it is sent to another machine: without symbols, which stay here. */
#ifndef BM_STRIPPED_H
#define BM_STRIPPED_H

#include "agent.h"

/* Beside the program, made once by the toolchain's strip; the program itself where that cannot be had. New
 * text. */
char *stripped_program(const char *program, const struct agent_target *target);

#endif
