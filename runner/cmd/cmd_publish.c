#include "cmd.h"
#include "diag.h"
#include "exported.h"
#include "fsx.h"
#include "http.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define LONGEST_TOKEN 8192

static char *token_file, *format;
static gboolean samples;
static int tries = 5, timeout = 60;

static const GOptionEntry options[] = {
	{"token-file", 0, 0, G_OPTION_ARG_FILENAME, &token_file,
		"a file that only you can read, with the token that the server wants", "FILE"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "as of export; jsonl where not given", "FORMAT"},
	{"samples", 0, 0, G_OPTION_ARG_NONE, &samples, "each sample too (jsonl, go)", NULL},
	{"tries", 0, 0, G_OPTION_ARG_INT, &tries, "how often to try in all; 5 where not given", "N"},
	{"timeout", 0, 0, G_OPTION_ARG_INT, &timeout,
		"seconds after which a server that says nothing is asked again; 60 where not given",
		"SECONDS"},
	{0},
};

static bool is_token(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!g_ascii_isgraph(*text))
			return false;
	return true;
}

/* NULL where no file was named. A token that others could read is one that they may have. */
static bool read_token(char **ret, GError **err)
{
	g_autofree char *text = NULL;
	struct stat st;
	size_t length;

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

static void tell_wait(const char *why, int seconds, int next_try, int of, void *user)
{
	g_autofree char *printable = diag_printable(why, -1);

	(void)user;
	fprintf(stderr, "%s; trying again in %d s (%d of %d)\n", printable, seconds, next_try, of);
}

static bool send_body(const GByteArray *body, const char *sha256, const char *media_type, const char *url,
	const char *token, const char *figures, GError **err)
{
	g_autofree char *type = g_strconcat("Content-Type: ", media_type, NULL);
	g_autofree char *key = g_strdup_printf("Idempotency-Key: \"%s\"", sha256);
	g_autofree char *shown = http_shown(url);
	const char *const headers[] = {type, "Content-Encoding: gzip", key, NULL};
	struct http_post post = {.url = url,
		.body = body->data,
		.length = body->len,
		.headers = headers,
		.token = token,
		.silence_s = timeout,
		.tries = tries,
		.on_wait = tell_wait};
	struct http_answer answer;

	fprintf(stderr, "publishing %s to %s: %u bytes\n", figures, shown, body->len);
	bool ok = http_post(&answer, &post, err);
	if (ok)
		fprintf(stderr, "published %s: %d%s%s\n", figures, answer.status, answer.line ? ": " : "",
			answer.line ? answer.line : "");
	http_answer_done(&answer);
	return ok;
}

static bool publish(
	const struct export_set *set, const struct exporter *exporter, const char *url, GError **err)
{
	struct export_options wanted = {.program = "benchmatrix " BM_VERSION, .samples = samples};
	struct export_count count = {0};
	g_autoptr(GByteArray) body = NULL;
	g_autofree char *sha256 = NULL, *token = NULL;

	if (!read_token(&token, err) || !export_packed(&body, &sha256, &count, exporter, set, &wanted, err))
		return false;
	exported_tell_left_out(set, exporter, &count);
	g_autofree char *figures = exported_figures(count.figures);
	return send_body(body, sha256, exporter->media_type, url, token, figures, err);
}

static int run(const struct paths *paths, char **arguments, GError **err)
{
	if (tries < 1 || timeout < 1) {
		diag_set(err, DIAG_USAGE, "--tries and --timeout take whole numbers above 0");
		return DIAG_USAGE;
	}
	const struct exporter *exporter = exporter_find(format ? format : "jsonl", err);
	struct store *store = exporter ? store_open(paths->db, STORE_READ, err) : NULL;
	struct export_set *set = NULL;
	bool ok = store && export_set_make(&set, store, arguments[1], err) &&
		  publish(set, exporter, arguments[0], err);

	export_set_free(set);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_publish = {
	.name = "publish",
	.arguments = "URL [SELECTOR]",
	.summary = "send results to a server",
	.description = "Sends what `export` would write to the address, compressed, as one POST: "
		       "`benchmatrix publish https://results.example/upload run=latest --token-file "
		       "~/.results-token`.\n\n"
		       "A server that is busy or away (408, 429, 500, 502, 503, 504, faults of the network) "
		       "is asked again, as "
		       "late as its Retry-After says. The header Idempotency-Key is the SHA-256 of the "
		       "content, so that the "
		       "server can tell the same again from something new. The token goes into an "
		       "Authorization header, over "
		       "https only (or to this machine), and never to another host; its file must be "
		       "readable by you alone. A "
		       "redirect to another host is not followed.",
	.options = options,
	.min = 1,
	.max = 2,
	.run = run,
};
