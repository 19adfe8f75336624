#include "publishing.h"

#include "diag.h"
#include "exported.h"
#include "fsx.h"
#include "http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LONGEST_TOKEN 8192

static bool is_token(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!g_ascii_isgraph(*text))
			return false;
	return true;
}

/* A token that others could read is one that they may have. */
bool publishing_token(char **ret, const char *token_file, GError **err)
{
	g_autofree char *text = NULL;
	struct stat st;
	size_t length;

	*ret = NULL;
	if (!token_file)
		return true;
	if (stat(token_file, &st) != 0)
		return diag_set(err, DIAG_INPUT, "%s: cannot be read: %s", token_file, g_strerror(errno));
	if (st.st_mode & (S_IRWXG | S_IRWXO))
		return diag_set(err, DIAG_INPUT,
			"%s: others can read the token in it; run `chmod 600 %s`, and get a new token if "
			"this "
			"machine has other users",
			token_file, token_file);
	if (!fsx_read(&text, &length, token_file, LONGEST_TOKEN, err))
		return false;
	if (strlen(text) != length || !is_token(g_strstrip(text)))
		return diag_set(err, DIAG_INPUT, "%s: is no token: one word of printable ASCII is expected",
			token_file);
	*ret = g_steal_pointer(&text);
	return true;
}

void publishing_tell_wait(const char *why, int seconds, int next_try, int of, void *user)
{
	g_autofree char *printable = diag_printable(why, -1);

	(void)user;
	fprintf(stderr, "%s; trying again in %d s (%d of %d)\n", printable, seconds, next_try, of);
}

static bool send_body(const struct publishing *to, const GByteArray *body, const char *sha256,
	const char *token, const char *figures, GError **err)
{
	g_autofree char *type = g_strconcat("Content-Type: ", to->exporter->media_type, NULL);
	g_autofree char *key = g_strdup_printf("Idempotency-Key: \"%s\"", sha256);
	g_autofree char *shown = http_shown(to->url);
	const char *const headers[] = {type, "Content-Encoding: gzip", key, NULL};
	struct http_post post = {.url = to->url,
		.body = body->data,
		.length = body->len,
		.headers = headers,
		.token = token,
		.silence_s = to->timeout_s,
		.tries = to->tries,
		.on_wait = publishing_tell_wait};
	struct http_answer answer;

	fprintf(stderr, "publishing %s to %s: %u bytes\n", figures, shown, body->len);
	bool ok = http_post(&answer, &post, err);
	if (ok)
		fprintf(stderr, "published %s: %d%s%s\n", figures, answer.status, answer.line ? ": " : "",
			answer.line ? answer.line : "");
	http_answer_done(&answer);
	return ok;
}

bool publishing_send(const struct publishing *to, const struct export_set *set, GError **err)
{
	struct export_options wanted = {.program = "benchmatrix " BM_VERSION, .samples = to->samples};
	struct export_count count = {0};
	g_autoptr(GByteArray) body = NULL;
	g_autofree char *sha256 = NULL, *token = NULL;

	if (!publishing_token(&token, to->token_file, err) ||
		!export_packed(&body, &sha256, &count, to->exporter, set, &wanted, err))
		return false;
	exported_tell_left_out(set, to->exporter, &count);
	g_autofree char *figures = exported_figures(count.figures);
	return send_body(to, body, sha256, token, figures, err);
}
