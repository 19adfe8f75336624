/* Contact with a board through OpenSSH's own programs, so that the user's configuration, keys, agent and jump
 * hosts work. For this folder only. */
#ifndef BM_SSH_LINK_H
#define BM_SSH_LINK_H

#include "agent_common.h"
#include "dump.h"

/* What is known of a board between invocations. */
struct agent_state {
	char *folder;	      /* private to us: holds the control socket; NULL: nothing is shared */
	int held;	      /* says that the folder is in use */
	struct child *master; /* the shared connection; NULL: none, each goes its own way */
	struct dump *facts;   /* NULL: not asked yet */
	GHashTable *programs; /* char *: hashes of those that were seen to be there whole */
	double round_trip_s;  /* of the last question; NAN: unknown */
};
/* Made when first asked for. */
struct agent_state *link_state(const struct agent *agent);
void link_forget(struct agent_state *state);

/* What stands for /sys over there; "/sys" but in tests. */
const char *link_sys(void);

/* A word that nobody can guess; g_free(). */
char *link_nonce(void);

/* Starts the script over there with `words`, which begin with its verb: DESIGN's argv, each quoted. `spec`
 * gives deadlines, callbacks and input. */
struct child *link_start(
	const struct agent *agent, const char *const *words, const struct child_spec *spec, GError **err);
/* The shared connection, where there is none; whether it comes up is not waited for. */
void link_share(const struct agent *agent);

/* Asks the board what it is, and waits for the answer: into state->facts. DIAG_FAILED where it cannot be
 * reached, which may change by itself. */
bool link_ask(const struct agent *agent, GError **err);

/* What asking consists of: a pipe that holds the word and ends (the descriptor to read, or -1), how long an
 * answer may take, and what the answer was (NULL: none). */
#define LINK_ANSWER_CEILING                                                                                  \
	(4u << 20) /* bytes: /proc/cpuinfo of 1024 processors is 1.5 MB, of which 256 KiB come */
int link_pipe_with(const char *nonce, GError **err);
double link_answer_s(const struct agent *agent);
struct dump *link_read_answer(const char *nonce, const GString *out);
/* As struct agent_kind's. */
struct agent_process *link_look(
	const struct agent *agent, void (*on_end)(const char *why, void *user), void *user, GError **err);

/* Why ssh could not be used, out of what it printed; says what to do where that is known. New text. */
char *link_trouble(const struct agent *agent, const char *printed, const struct child_exit *end);

#endif
