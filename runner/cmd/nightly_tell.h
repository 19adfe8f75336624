/* A night that is settled reaches those who are to hear of it. */
#ifndef BM_NIGHTLY_TELL_H
#define BM_NIGHTLY_TELL_H

#include "nightly_settle.h"

struct nightly_audience {
	const char *mail;   /* file for the mail; NULL: none */
	const char *report; /* folder of the site; NULL: none */
	char **webhooks,
		**places; /* addresses that get the report, the figures; NULL: none. "@FILE" is in a file
			   */
	const char *webhook_token_file, *token_file; /* NULL: none wanted */
};
/* DIAG_USAGE, DIAG_INPUT: what could not be told in the end; before anything is measured. */
bool nightly_audience_check(const struct nightly_audience *audience, GError **err);

/* Prints it, writes the mail, sends it, publishes the figures, and marks it as told where all of that went
 * well; else the next call tells it again, under the same Idempotency-Key. *ret_status: the night's. */
bool nightly_tell(int *ret_status, const struct nightly_night *night, const struct nightly_audience *audience,
	const struct paths *paths, GError **err);

#endif
