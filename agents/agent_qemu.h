/* What the kinds of agents that run QEMU share. For this folder only. */
#ifndef BM_AGENT_QEMU_H
#define BM_AGENT_QEMU_H

#include "agent_common.h"

/* The emulator's file. Free with g_free(); NULL with DIAG_LACKS where it is not installed. */
char *qemu_find(const struct agent_target *target, GError **err);

/* What the place is: see `describe` of struct agent_kind. Emulator, model of CPU, machine and plugin are
 * looked at, and must be good. */
bool qemu_describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err);

/* Adds "-plugin" and our plugin that counts; by functions where their table is named. False where no plugin
 * was named. */
bool qemu_add_plugin(GPtrArray *argv, const char *functions, GError **err);

/* A text as an option's value, in which a comma would end it. Free with g_free(). */
char *qemu_value(const char *text);

#endif
