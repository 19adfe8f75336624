/* Agents: places where a program runs.
 *
 * An agent stages files, starts argv, streams bytes, and reports how it ended. It knows nothing of records or
 * of the database. A kind of agent is a const table of functions; agents.c lists them. An agent is a named
 * instance of a kind with its settings: built in where the kind needs none, or from the user's agents.json.
 */
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
	const char *toolchain; /* its name; NULL: unknown */
	const char *arch;      /* "x86_64", "aarch64" */
	const char *emulator;  /* program of QEMU, "qemu-aarch64", "qemu-system-arm"; NULL: none is named */
	const char *cpu;       /* its -cpu; never NULL where emulator is not */
	const char *machine;   /* its -M, where it emulates a whole machine; else NULL */
	const char *package;   /* Debian package of the emulator */
	const char *strip;     /* takes symbols out of its programs; NULL: none is named */
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

/* How busy, fast and hot a place is at a moment; unknown is NAN. */
struct agent_condition {
	double load;	     /* average of one minute: processes that run or wait to */
	double frequency_hz; /* mean of its processors' present clocks */
	double fastest_hz;   /* the highest of them: one program at work sees it, however many others rest */
	double busy_s;	     /* processor time that everything on it has used since it was started */
	double temperature;  /* of the hottest sensor, degrees Celsius */
	double throttles;    /* how often its clock was held down since it was started: grows */
	double held_down;    /* 1: its clock is held down now, for heat or want of power; 0: it is not */
};
extern const struct agent_condition agent_condition_unknown;

/* What was seen of a place while a program ran, at moments seconds apart: the worst of each. */
struct agent_watch {
	double load, temperature, held_down; /* highest */
	double fastest_hz;		     /* lowest */
	double fastest_hz_at_best;	     /* highest */
};
extern const struct agent_watch agent_watch_none; /* no moment: all unknown */
void agent_watch_add(struct agent_watch *watch, const struct agent_condition *now);
/* Seconds between two such moments: rare enough to cost nothing that could be measured. */
#define AGENT_WATCH_S 10

/* How an invocation ended. */
struct agent_end {
	struct child_exit exit;
	const char *why; /* in words, where the exit alone does not tell; NULL. Lent */
	/* As the place told them; unknown where it did not, or where the kind has condition(). */
	struct agent_condition before, after;
	struct agent_watch meanwhile;
};

/* One invocation of a program. */
struct agent_job {
	const struct agent_target *target;
	enum agent_mode mode;
	const char *program;	      /* path on this machine */
	const char *const *arguments; /* after argv[0]; NULL-terminated */
	const char *functions; /* table of its functions for a counter that adds up by them; NULL: none */
	double timeout_s, silence_s, start_s; /* as in struct child_spec */
	size_t output_ceiling;
	void (*on_output)(int stream, const char *bytes, size_t length, void *user);
	void (*on_exit)(const struct agent_end *end, void *user); /* once, last */
	void *user;
};

/* An invocation under way; it is gone when on_exit returns. The kinds put this first in what they know of it.
 */
struct agent_process {
	void (*cancel)(struct agent_process *process);
};

struct agent_kind;
struct agent_state; /* what a kind remembers of an agent between invocations: its own */

/* Seconds; 0: the kind's or the mode's own. */
struct agent_deadlines {
	int connect; /* to the first word of the place */
	int upload;  /* of one program */
	int start;   /* to the first byte of a program */
	int silence; /* between two bytes of it */
	int total;   /* of one invocation */
	int lock;    /* for others that use the place */
	int gone;    /* how long a place that has vanished is waited for */
};

/* A place with its settings. Lent strings; NULL: not given. */
struct agent {
	const char *name; /* stands first: lists look it up */
	const struct agent_kind *kind;
	const char *host;     /* as ssh knows it */
	char *config;	      /* absolute: ssh's configuration file; NULL: the user's */
	const char *folder;   /* over there */
	const char *arch;     /* whose programs it runs: "aarch64"; NULL: asked over there */
	char **command;	      /* the user's own argv */
	char **toolchains;    /* whose programs it runs, by name; NULL: by architecture */
	GHashTable *facts;    /* char * -> char *: what the user says of it; stands against what it says */
	const char *settings; /* made while it times: "governor=performance,turbo=off" */
	int pin;	      /* the one processor that programs run on; -1: any */
	struct agent_deadlines deadlines;
	struct agent_state **state; /* where the kind keeps it; NULL where it keeps none */
};

struct agent_kind {
	const char *name;    /* "qemu-user" */
	const char *summary; /* one line for `list agent-kinds` */
	unsigned modes;	     /* 1u << enum agent_mode for each that it can do */
	bool elsewhere;	     /* another machine than this one: times there while we build */
	bool sends;	     /* programs go there over a line, and are better small */
	/* What an agent of it may have in agents.json beside what all have, and what it must have; keys,
	 * NULL-terminated. NULL: none is read from there. */
	const char *const *keys, *const *needs;
	bool told_arch; /* agents.json must say whose programs it runs: nobody else knows */
	/* Why programs for this target cannot run here at all, whatever is installed ("runs x86_64 only"), or
	 * NULL. Asks no other machine. New text. */
	char *(*refuses)(const struct agent *agent, const struct agent_target *target);
	/* What the place is. DIAG_LACKS names the package where something is missing. */
	bool (*describe)(struct agent_place **ret, const struct agent *agent,
		const struct agent_target *target, GError **err);
	/* Asks a place whether it is there by now, when describe() said DIAG_FAILED: it could not be reached.
	 * on_end follows once, never before this returns: with NULL where it is there, and describe() then
	 * answers at once; else with why not, in words (lent). NULL: describe() asks no other machine. */
	struct agent_process *(*look)(const struct agent *agent, void (*on_end)(const char *why, void *user),
		void *user, GError **err);
	/* The condition of this machine now. NULL: times measured there do not depend on it, or the place
	 * tells it with the end of an invocation. */
	void (*condition)(struct agent_condition *ret);
	/* Starts an invocation; on_exit follows, never before this returns. *ret_argv gets the whole argv as
	 * started (g_strfreev). */
	struct agent_process *(*start)(
		char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err);
	/* Frees what it remembers of an agent; NULL where it remembers nothing. */
	void (*forget)(struct agent_state *state);
};

extern const struct agent_kind agent_kind_local, agent_kind_qemu_user, agent_kind_qemu_system, agent_kind_ssh,
	agent_kind_fake;
extern const struct agent_kind *const agent_kinds[]; /* NULL-terminated; the fake is not among them */

/* Agents of kinds that need no settings. */
extern const struct agent agent_local, agent_qemu_user, agent_qemu_system, agent_fake;

/* All agents that there are: the built-in ones, then the user's in the order of the file. */
struct agents {
	GPtrArray *all; /* const struct agent *; without the fake */
	/* private */
	struct jx_document *doc;
	GPtrArray *own;
};
/* `file`: the user's agents.json, schema/agents.schema.json; NULL, or not there: the built-in ones alone.
 * DIAG_INPUT names file and path of what is wrong. */
bool agents_load(struct agents **ret, const char *file, GError **err);
void agents_free(struct agents *agents); /* takes NULL */
/* By name, the fake, which tests use, among them; NULL where there is none. Lent. */
const struct agent *agents_find(const struct agents *agents, const char *name);

/* As the kind's functions of these names, with the agent's settings on top. */
char *agent_refuses(const struct agent *agent, const struct agent_target *target);
bool agent_describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err);
struct agent_process *agent_start(
	char ***ret_argv, const struct agent *agent, const struct agent_job *job, GError **err);
/* Stops it and everything below it; on_exit follows with CHILD_CANCELLED. */
void agent_cancel(struct agent_process *process);

/* Where our QEMU plugin is; told once at start by the program. The lent string must live on. */
void agent_set_plugin(const char *path);

/* A folder for what emulators answer about themselves, so that they are asked once for as long as their files
 * stay the same; made where missing. Without it they are asked each time. The lent string must live on. */
void agent_keep_answers(const char *folder);

#endif
