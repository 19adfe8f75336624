#include "http.h"

#include "diag.h"
#include "http_private.h"

#include <string.h>

/* A Retry-After beyond this is given up. */
#define LONGEST_WAIT_S (60 * 60 - 1)
#define MOST_REDIRECTS 5
/* So much of an answer is kept, and so much is read. */
#define KEPT	       4096
#define MOST	       (1024 * 1024)
#define LINE_MAX_BYTES 200

struct sending {
	const struct http_post *post;
	CURL *curl;
	struct curl_slist *headers;
	char *url;	  /* as redirected */
	GString *answer;  /* its beginning */
	size_t length;	  /* of all of it */
	char *status;	  /* "503 Service Unavailable" */
	gint64 heard;	  /* when bytes last went either way: monotonic, microseconds */
	curl_off_t moved; /* how many had by then */
	char text[CURL_ERROR_SIZE];
};

char *http_shown(const char *url)
{
	CURLU *parts = curl_url();
	char *shown = NULL;

	if (curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK) {
		curl_url_set(parts, CURLUPART_USER, NULL, 0);
		curl_url_set(parts, CURLUPART_PASSWORD, NULL, 0);
		curl_url_set(parts, CURLUPART_QUERY, NULL, 0);
		curl_url_set(parts, CURLUPART_FRAGMENT, NULL, 0);
		curl_url_get(parts, CURLUPART_URL, &shown, 0);
	}
	char *copy = g_strdup(shown ? shown : "the address");
	curl_free(shown);
	curl_url_cleanup(parts);
	return copy;
}

/* A part of a URL; NULL where it has none, or is no URL. Free with g_free(). */
static char *part_of(const char *url, CURLUPart what)
{
	CURLU *parts = curl_url();
	char *part = NULL;

	if (curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK)
		curl_url_get(parts, what, &part, CURLU_DEFAULT_PORT);
	char *copy = g_strdup(part);
	curl_free(part);
	curl_url_cleanup(parts);
	return copy;
}

static bool is_loopback(const char *host)
{
	return g_ascii_strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0 ||
	       (g_str_has_prefix(host, "127.") && g_hostname_is_ip_address(host));
}

static bool check_url(const struct http_post *post, GError **err)
{
	g_autofree char *scheme = part_of(post->url, CURLUPART_SCHEME);
	g_autofree char *host = part_of(post->url, CURLUPART_HOST);

	if (!scheme || !host || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
		return diag_set(err, DIAG_USAGE, "\"%s\" is no http or https address", post->url);
	if (post->token && strcmp(scheme, "https") != 0 && !is_loopback(host))
		return diag_set(err, DIAG_USAGE,
			"the token would cross the network in the clear: use https://%s... instead of http",
			host);
	return true;
}

/* --- one try --- */

static size_t take_answer(char *bytes, size_t one, size_t n, void *user)
{
	struct sending *sending = user;
	(void)one;

	if (sending->answer->len < KEPT)
		g_string_append_len(sending->answer, bytes, (gssize)MIN(n, KEPT - sending->answer->len));
	sending->length += n;
	return sending->length > MOST ? 0 : n;
}

/* Keeps the words of the status line: "HTTP/1.1 503 Service Unavailable". */
static size_t take_header(char *bytes, size_t one, size_t n, void *user)
{
	struct sending *sending = user;
	g_autofree char *line = g_strchomp(g_strndup(bytes, n));
	const char *words = strchr(line, ' ');
	(void)one;

	if (g_str_has_prefix(line, "HTTP/") && words) {
		g_free(sending->status);
		sending->status = g_strstrip(diag_printable(words, -1));
		g_strdelimit(sending->status, "\n\t", ' ');
	}
	return n;
}

static double silence_of(const struct http_post *post)
{
	return post->silence_s > 0 ? post->silence_s : HTTP_SILENCE_S;
}

/* The library's own limit is one of average speed, which what was just sent holds up. */
static int watch(void *user, curl_off_t a, curl_off_t down, curl_off_t b, curl_off_t up)
{
	struct sending *sending = user;
	gint64 now = g_get_monotonic_time();
	(void)a, (void)b;

	if (down + up != sending->moved) {
		sending->moved = down + up;
		sending->heard = now;
	}
	return (double)(now - sending->heard) > silence_of(sending->post) * G_USEC_PER_SEC;
}

static void set_up(struct sending *sending)
{
	const struct http_post *post = sending->post;
	CURL *curl = sending->curl;

	/* No waiting for the server's leave to send: few know how to give it. */
	sending->headers = curl_slist_append(NULL, "Expect:");
	for (size_t i = 0; post->headers && post->headers[i]; i++)
		sending->headers = curl_slist_append(sending->headers, post->headers[i]);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, sending->headers);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(curl, CURLOPT_POST, 1L);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->length);
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->body);
	if (post->token) {
		curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
		curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, post->token);
	}
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)HTTP_CONNECT_S);
	curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, watch);
	curl_easy_setopt(curl, CURLOPT_XFERINFODATA, sending);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "benchmatrix");
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, sending->text);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_answer);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, sending);
	curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, sending);
}

static CURLcode try_once(struct sending *sending)
{
	g_string_truncate(sending->answer, 0);
	sending->length = 0;
	g_clear_pointer(&sending->status, g_free);
	sending->text[0] = '\0';
	sending->moved = 0;
	sending->heard = g_get_monotonic_time();
	curl_easy_setopt(sending->curl, CURLOPT_URL, sending->url);
	CURLcode code = curl_easy_perform(sending->curl);
	if (code == CURLE_ABORTED_BY_CALLBACK) {
		g_snprintf(sending->text, sizeof sending->text, "the server said nothing for %.0f s",
			silence_of(sending->post));
		return CURLE_OPERATION_TIMEDOUT;
	}
	/* The rest of an endless answer is not waited for. */
	return code == CURLE_WRITE_ERROR && sending->length > MOST ? CURLE_OK : code;
}

static long status_of(const struct sending *sending)
{
	long status = 0;

	curl_easy_getinfo(sending->curl, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

/* The answer's first line that is not blank; NULL where there is none. Free with g_free(). */
static char *first_line(const GString *answer)
{
	g_auto(GStrv) lines = g_strsplit_set(answer->str, "\r\n", -1);

	for (size_t i = 0; lines[i]; i++) {
		if (!*g_strstrip(lines[i]))
			continue;
		char *line = diag_printable(lines[i], -1);
		g_strdelimit(line, "\n\t", ' ');
		g_autofree char *cut = strlen(line) > LINE_MAX_BYTES ? g_strndup(line, LINE_MAX_BYTES) : NULL;
		if (!cut)
			return line;
		g_free(line);
		return g_utf8_make_valid(cut, -1);
	}
	return NULL;
}

/* --- redirects --- */

static bool is_same_host(const char *a, const char *b)
{
	static const CURLUPart parts[] = {CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT};

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *x = part_of(a, parts[i]), *y = part_of(b, parts[i]);
		if (!x || !y || g_ascii_strcasecmp(x, y) != 0)
			return false;
	}
	return true;
}

/* Whether the same is to be sent to another place of the same host, which is in hand then. */
static bool redirected(struct sending *sending, int *hops)
{
	long status = status_of(sending);
	char *to = NULL;

	curl_easy_getinfo(sending->curl, CURLINFO_REDIRECT_URL, &to);
	if ((status != 307 && status != 308) || !to || ++*hops > MOST_REDIRECTS ||
		!is_same_host(sending->url, to))
		return false;
	char *url = g_strdup(to);
	g_free(sending->url);
	sending->url = url;
	return true;
}

/* --- all tries --- */

static bool fail(const struct sending *sending, CURLcode code, const char *line, GError **err)
{
	g_autofree char *shown = http_shown(sending->url);
	long status = status_of(sending);
	char *to = NULL;

	if (code != CURLE_OK)
		return diag_set(err, DIAG_LACKS, "%s: %s", shown,
			sending->text[0] ? sending->text : curl_easy_strerror(code));
	curl_easy_getinfo(sending->curl, CURLINFO_REDIRECT_URL, &to);
	if (status / 100 == 3 && to) {
		g_autofree char *shown_to = http_shown(to);
		return diag_set(err, DIAG_FAILED,
			"%s: the server sends us on to %s (%ld), which is not followed: name that address if "
			"you "
			"trust it",
			shown, shown_to, status);
	}
	return diag_set(err, DIAG_FAILED, "%s: the server refused with %s%s%s%s%s", shown,
		sending->status ? sending->status : "no status", line ? ": " : "", line ? line : "",
		status == 401 || status == 403 ? "; see that the token is the right one (--token-file)" : "",
		http_status_may_pass(status) ? "; try again later" : "");
}

/* The seconds to wait before the next try; -1: there is none. */
static int wait_after(const struct sending *sending, CURLcode code, int tried, int tries)
{
	curl_off_t asked = 0;

	if (tried >= tries || (code != CURLE_OK && !http_fault_may_pass(code)) ||
		(code == CURLE_OK && !http_status_may_pass(status_of(sending))))
		return -1;
	curl_easy_getinfo(sending->curl, CURLINFO_RETRY_AFTER, &asked);
	if (asked > LONGEST_WAIT_S)
		return -1;
	return asked > 0 ? (int)asked : 1 << MIN(tried - 1, 5);
}

static CURLcode try_all(struct sending *sending)
{
	const struct http_post *post = sending->post;
	int tries = post->tries > 0 ? post->tries : HTTP_TRIES, hops = 0;

	for (int tried = 1;; tried++) {
		CURLcode code = try_once(sending);
		while (code == CURLE_OK && redirected(sending, &hops))
			code = try_once(sending);
		int wait = wait_after(sending, code, tried, tries);
		if (wait < 0)
			return code;
		if (post->on_wait)
			post->on_wait(code == CURLE_OK	 ? sending->status
				      : sending->text[0] ? sending->text
							 : curl_easy_strerror(code),
				wait, tried + 1, tries, post->user);
		g_usleep((gulong)wait * G_USEC_PER_SEC);
	}
}

bool http_post(struct http_answer *ret, const struct http_post *post, GError **err)
{
	struct sending sending = {.post = post, .url = g_strdup(post->url), .answer = g_string_new(NULL)};
	bool ok = check_url(post, err);

	*ret = (struct http_answer){0};
	if (ok) {
		http_start();
		sending.curl = curl_easy_init();
		g_assert(sending.curl != NULL);
		set_up(&sending);
		CURLcode code = try_all(&sending);
		ret->status = (int)status_of(&sending);
		ret->line = first_line(sending.answer);
		ok = (code == CURLE_OK && ret->status / 100 == 2) || fail(&sending, code, ret->line, err);
		curl_easy_cleanup(sending.curl);
		curl_slist_free_all(sending.headers);
	}
	g_free(sending.url);
	g_free(sending.status);
	g_string_free(sending.answer, TRUE);
	return ok;
}
