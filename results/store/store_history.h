/* All figures of series, with what each was made with. */
#ifndef BM_STORE_HISTORY_H
#define BM_STORE_HISTORY_H

#include "store.h"

/* What a figure was made with, beside the library. Unknown is NULL. */
struct history_context {
	const char *compiler;	 /* its own words */
	const char *emulator;	 /* "qemu-aarch64 version 7.2.22 (...)" */
	const char *plugin;	 /* hash of what counts below the emulator */
	const char *core;	 /* version of bench-core */
	const char *machine;	 /* processor, and of hardware the kernel: "AMD EPYC, 6.1.0-13" */
	const char *key_library; /* schema/keys.md */
	const char *key_program;
	const char *code_sha256; /* of the library's code */
};

/* One figure. Lent for the call; the strings and the context live as long as the store. */
struct history_row {
	int64_t series, measurement, attempt, run;
	int64_t started_at; /* ns since 1970 */
	const char *run_uuid, *run_label;
	struct selectable what;
	enum metric metric;
	double value; /* figure_value() */
	bool carried;
	const struct history_context *context;
};
typedef void history_taker(const struct history_row *row, void *user);

/* Hands over each figure that the selector takes, of attempts that started at `since` or later and (where
 * `until` is not 0) before that, ns since 1970. Series by series; within one in no certain order. A `run` in
 * the selector is not looked at. */
bool store_history(struct store *store, const struct selector *selector, int64_t since, int64_t until,
	history_taker *take, void *user, GError **err);

#endif
