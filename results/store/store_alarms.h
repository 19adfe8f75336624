/* Nights and their alarms: schema/0006_alarms.sql. */
#ifndef BM_STORE_ALARMS_H
#define BM_STORE_ALARMS_H

#include "store.h"

/* A run that `nightly` made. */
struct night_info {
	int64_t run;
	char *uuid, *baseline;
	char *report;				 /* JSON; NULL: not settled yet */
	int64_t started_at, settled_at, told_at; /* ns since 1970; 0: not yet */
};
/* Marks a run that has just begun as a night. */
bool store_night_begin(struct store *store, int64_t run, const char *baseline, GError **err);
/* Of one matrix, or of all (NULL), newest first. GPtrArray of struct night_info with its own free function.
 */
bool store_nights(struct store *store, GPtrArray **ret, const char *matrix, GError **err);

enum alarm_kind {
	ALARM_REGRESSION,  /* confirmed: the library is worse */
	ALARM_IMPROVEMENT, /* confirmed: the library is better */
	ALARM_INSTRUMENT,  /* what measures has changed the figure, not the library */
	ALARM_REFUTED,	   /* measured again, there was no difference */
	ALARM_UNCLEAR,	   /* it could not be measured again, or that decided nothing */
	ALARM_KIND_COUNT
};
extern const char *const alarm_kind_names[ALARM_KIND_COUNT];

/* What a night found about one series. Values are in the metric's base unit per unit of work. */
struct alarm_row {
	int64_t run, series; /* of the night */
	enum alarm_kind kind;
	double before, after; /* as the nights measured them */
	double again;	      /* the old revision with the new instrument; NAN: not measured */
	const char *revision_before, *revision_after; /* NULL: unknown */
	const char *instrument; /* what changed of it, in words; NULL: nothing that is known */
	int64_t confirmed_run;	/* that measured it again; 0: none */
};
/* In one transaction: the night's report and its alarms. A night that is settled already stays as it is. */
bool store_night_settle(struct store *store, int64_t run, const char *report, const struct alarm_row *alarms,
	size_t n, GError **err);
/* What the night has to tell has reached everybody who was to hear it. */
bool store_night_told(struct store *store, int64_t run, GError **err);

/* Of all nights of a matrix, newest first. GArray of struct alarm_row; strings are interned by the store. */
bool store_alarms(struct store *store, GArray **ret, const char *matrix, GError **err);

/* What a figure was measured with. Interned by the store; NULL is unknown. */
struct instrument {
	const char *compiler;		       /* its own words */
	const char *key_library, *key_program; /* schema/keys.md */
	const char *emulator, *plugin;	       /* words; hash of what counts below it */
	const char *core;		       /* version of bench-core */
	const char *machine;		       /* processor and kernel, of hardware alone */
};
bool store_instrument(struct store *store, struct instrument *ret, int64_t attempt, GError **err);

/* The latest run with exactly this matrix and label. *ret_id 0: none; *ret_ended: it came to its end. */
bool store_run_labelled(struct store *store, int64_t *ret_id, char **ret_uuid, bool *ret_ended,
	const char *matrix, const char *label, GError **err);
/* Whether the run has come to its end. */
bool store_run_ended(struct store *store, bool *ret, int64_t run, GError **err);

#endif
