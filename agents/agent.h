/* Agents: places where a program runs.
 *
 * An agent stages files, starts argv, streams bytes, and reports how it ended. It knows nothing of records or
 * of the database. A kind of agent is a const table of functions; agents.c lists them. */
#ifndef BM_AGENT_H
#define BM_AGENT_H

#include "child.h"

#include <glib.h>
#include <stdbool.h>

/* What a program is asked to do: time itself, or run below a counter. */
enum agent_mode { AGENT_TIME, AGENT_COUNT, AGENT_MODE_COUNT };
extern const char *const agent_mode_names[AGENT_MODE_COUNT]; /* "time", "count" */

/* How programs of a toolchain run: from its file. Lent strings. */
struct agent_target {
	const char *arch;     /* "x86_64", "aarch64" */
	const char *emulator; /* program of QEMU user mode, "qemu-aarch64"; NULL: none is named */
	const char *cpu;      /* its -cpu; never NULL where emulator is not */
	const char *package;  /* Debian package of the emulator */
};

/* What the place is. Free with agent_place_free(). */
struct agent_place {
	char *platform;	   /* name for the label `platform`: the CPU's name in lower case and dashes;
			      "qemu-aarch64-cortex-a72" */
	bool emulated;	   /* times measured here are not hardware's */
	GHashTable *facts; /* char * -> char *: cpu, cores, memory, os, kernel, governor, turbo, emulator,
			      plugin; unknown ones are absent */
	char *exact; /* what exact results depend on beside program and arguments: hashes of emulator and
		      * plugin, CPU model; NULL where results here are not exact */
};
void agent_place_free(struct agent_place *place);

/* How busy and how fast a place is at a moment; unknown is NAN. */
struct agent_condition {
	double load;	     /* average of one minute: processes that run or wait to */
	double frequency_hz; /* mean of its processors' present clocks */
	double busy_s;	     /* processor time that everything on it has used since it was started */
};
extern const struct agent_condition agent_condition_unknown;

/* One invocation of a program. */
struct agent_job {
	const struct agent_target *target;
	enum agent_mode mode;
	const char *program;		      /* path on this machine */
	const char *const *arguments;	      /* after argv[0]; NULL-terminated */
	double timeout_s, silence_s, start_s; /* as in struct child_spec */
	size_t output_ceiling;
	void (*on_output)(int stream, const char *bytes, size_t length, void *user);
	void (*on_exit)(const struct child_exit *end, void *user); /* once, last */
	void *user;
};

struct agent_kind {
	const char *name;    /* "qemu-user" */
	const char *summary; /* one line for `list agent-kinds` */
	unsigned modes;	     /* 1u << enum agent_mode for each that it can do */
	/* Why programs for this target cannot run here at all, whatever is installed ("runs x86_64 only"), or
	 * NULL. New text. */
	char *(*refuses)(const struct agent_target *target);
	/* What the place is. DIAG_LACKS names the package where something is missing. */
	bool (*describe)(struct agent_place **ret, const struct agent_target *target, GError **err);
	/* Its condition now. NULL: times measured there do not depend on it. */
	void (*condition)(struct agent_condition *ret);
	/* Starts an invocation; on_exit follows. *ret_argv gets the whole argv as started (g_strfreev). */
	struct child *(*start)(char ***ret_argv, const struct agent_job *job, GError **err);
};

extern const struct agent_kind agent_local, agent_qemu_user, agent_fake;
extern const struct agent_kind *const agent_kinds[]; /* NULL-terminated; the fake is found by name only */

/* By name, or NULL. */
const struct agent_kind *agent_kind_find(const char *name);

/* Where our QEMU plugin is; told once at start by the program. The lent string must live on. */
void agent_set_plugin(const char *path);

/* A folder for what emulators answer about themselves, so that they are asked once for as long as their files
 * stay the same; made where missing. Without it they are asked each time. The lent string must live on. */
void agent_keep_answers(const char *folder);

#endif
