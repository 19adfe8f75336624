#include "nightly_tell.h"

#include "diag.h"
#include "fsx.h"
#include "http.h"
#include "night_report.h"
#include "publishing.h"
#include "report.h"
#include "reporting.h"
#include "store_alarms.h"

#include <stdio.h>
#include <string.h>

/* An address that is a secret stands in a file. */
static bool read_address(char **ret, const char *word, GError **err)
{
	if (*word != '@') {
		*ret = g_strdup(word);
		return true;
	}
	return publishing_token(ret, word + 1, err);
}

static bool check_addresses(char **words, GError **err)
{
	for (char **word = words; word != NULL && *word; word++) {
		g_autofree char *address = NULL;
		if (!read_address(&address, *word, err))
			return false;
		if (!g_str_has_prefix(address, "http://") && !g_str_has_prefix(address, "https://"))
			return diag_set(err, DIAG_USAGE,
				"an address to send to begins with https:// or http://, or is @FILE, a file "
				"that has it");
	}
	return true;
}

bool nightly_audience_check(const struct nightly_audience *audience, GError **err)
{
	g_autofree char *token = NULL, *webhook_token = NULL;

	return (audience->report == NULL || report_check_folder(audience->report, err)) &&
	       check_addresses(audience->webhooks, err) && check_addresses(audience->places, err) &&
	       publishing_token(&token, audience->token_file, err) &&
	       publishing_token(&webhook_token, audience->webhook_token_file, err);
}

/* --- mail --- */

static bool write_mail(const json_t *report, const char *uuid, const char *file, GError **err)
{
	g_autofree char *headline = night_report_headline(report), *body = night_report_text(report, true);
	g_autofree char *mail = g_strdup_printf("Subject: [benchmatrix] %s\n"
						"Message-ID: <%s@benchmatrix>\n"
						"MIME-Version: 1.0\n"
						"Content-Type: text/markdown; charset=utf-8\n"
						"Content-Transfer-Encoding: 8bit\n\n%s",
		headline, uuid, body);

	return fsx_write(file, mail, strlen(mail), err);
}

/* --- webhooks --- */

static bool send_report(const struct nightly_night *night, const char *word, const char *token, GError **err)
{
	g_autofree char *url = NULL;
	g_autofree char *key = g_strdup_printf("Idempotency-Key: \"%s\"", night->uuid);
	const char *const headers[] = {"Content-Type: application/json", key, NULL};
	struct http_answer answer;

	if (!read_address(&url, word, err))
		return false;
	struct http_post post = {.url = url,
		.body = night->report,
		.length = strlen(night->report),
		.headers = headers,
		.token = token,
		.silence_s = PUBLISHING_TIMEOUT,
		.tries = PUBLISHING_TRIES,
		.on_wait = publishing_tell_wait};
	bool ok = http_post(&answer, &post, err);
	http_answer_done(&answer);
	return ok;
}

static bool send_reports(
	const struct nightly_night *night, const struct nightly_audience *audience, GError **err)
{
	g_autofree char *token = NULL;

	if (!publishing_token(&token, audience->webhook_token_file, err))
		return false;
	for (char **word = audience->webhooks; word != NULL && *word; word++)
		if (!send_report(night, *word, token, err))
			return false;
	return true;
}

/* --- figures --- */

static bool publish_to(const struct export_set *set, const char *word, const char *token_file, GError **err)
{
	g_autofree char *url = NULL;

	if (!read_address(&url, word, err))
		return false;
	const struct publishing to = {.url = url,
		.token_file = token_file,
		.exporter = exporter_find(PUBLISHING_FORMAT, err),
		.tries = PUBLISHING_TRIES,
		.timeout_s = PUBLISHING_TIMEOUT};
	return to.exporter != NULL && publishing_send(&to, set, err);
}

static bool publish_all(struct store *store, const struct nightly_night *night,
	const struct nightly_audience *audience, GError **err)
{
	g_autofree char *selector = g_strconcat("run=", night->uuid, NULL);
	struct export_set *set = NULL;
	bool ok = true;

	if (audience->places == NULL)
		return true;
	if (!export_set_make(&set, store, selector, err))
		return false;
	for (char **word = audience->places; ok && *word; word++)
		ok = publish_to(set, *word, audience->token_file, err);
	export_set_free(set);
	return ok;
}

/* --- the site --- */

/* Of the whole database: a night beside those before it. */
static bool make_site(
	struct store *store, const struct paths *paths, const struct nightly_audience *audience, GError **err)
{
	if (audience->report == NULL)
		return true;
	g_autofree char *command = g_strdup_printf("benchmatrix nightly --report %s", audience->report);
	if (!reporting_make(paths, store, audience->report, NULL, command, err))
		return false;
	printf("report: %s/index.html\n", audience->report);
	fflush(stdout);
	return true;
}

/* --- the whole --- */

static bool reach_all(struct store *store, const json_t *report, const struct nightly_night *night,
	const struct nightly_audience *audience, const struct paths *paths, GError **err)
{
	g_autofree char *text = night_report_text(report, false);

	fputs(text, stdout);
	printf("\ndatabase: %s\n", store_file(store));
	fflush(stdout);
	return (audience->mail == NULL || write_mail(report, night->uuid, audience->mail, err)) &&
	       send_reports(night, audience, err) && publish_all(store, night, audience, err) &&
	       make_site(store, paths, audience, err) && store_night_told(store, night->run, err);
}

bool nightly_tell(int *ret_status, const struct nightly_night *night, const struct nightly_audience *audience,
	const struct paths *paths, GError **err)
{
	json_t *report = json_loads(night->report, 0, NULL);
	struct store *store = store_open(paths->db, STORE_WRITE, err);
	bool ok = store != NULL &&
		  (report != NULL || diag_set(err, DIAG_INPUT, "%s: the report of night %.8s is no JSON",
					     paths->db, night->uuid)) &&
		  reach_all(store, report, night, audience, paths, err);

	if (ok)
		*ret_status = night_report_status(report);
	json_decref(report);
	store_close(store);
	return ok;
}
