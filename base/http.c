#include "http_module.h"

#include "diag.h"
#include "http_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CANCEL_POLL_MS 100

struct transfer {
	const struct http_fetch *fetch;
	CURL *curl;
	int fd;
	int64_t have; /* bytes in the file */
	int error;    /* errno of a write that failed; 0 */
	bool too_large;
	char text[CURL_ERROR_SIZE];
};

static bool is_cancelled(const struct http_fetch *fetch)
{
	return fetch->cancelled && g_atomic_int_get(fetch->cancelled);
}

static size_t take(char *bytes, size_t one, size_t n, void *user)
{
	struct transfer *transfer = user;
	size_t done = 0;
	(void)one;

	if (transfer->have + (int64_t)n > transfer->fetch->ceiling) {
		transfer->too_large = true;
		return 0;
	}
	while (done < n) {
		ssize_t written = write(transfer->fd, bytes + done, n - done);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			transfer->error = errno;
			return 0;
		}
		done += (size_t)written;
	}
	transfer->have += (int64_t)n;
	return n;
}

static int watch(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
	const struct transfer *transfer = user;
	(void)a, (void)b, (void)c, (void)d;

	return is_cancelled(transfer->fetch);
}

static void set_up(struct transfer *transfer)
{
	const struct http_fetch *fetch = transfer->fetch;
	CURL *curl = transfer->curl;
	double silence = fetch->silence_s > 0 ? fetch->silence_s : HTTP_SILENCE_S;

	curl_easy_setopt(curl, CURLOPT_URL, fetch->url);
	curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https,file");
	curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 10L);
	curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)HTTP_CONNECT_S);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, silence < 1 ? 1L : (long)silence);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "benchmatrix");
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, transfer->text);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, transfer);
	curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, watch);
	curl_easy_setopt(curl, CURLOPT_XFERINFODATA, transfer);
}

static bool begin_anew(struct transfer *transfer)
{
	transfer->have = 0;
	if (ftruncate(transfer->fd, 0) == 0 && lseek(transfer->fd, 0, SEEK_SET) == 0)
		return true;
	transfer->error = errno;
	return false;
}

/* What a server says of a range behind the end: the file was whole already, or is another one by now; the
 * caller's check tells. */
static bool was_whole(const struct transfer *transfer)
{
	long status = 0;

	curl_easy_getinfo(transfer->curl, CURLINFO_RESPONSE_CODE, &status);
	return transfer->have > 0 && status == 416;
}

bool http_status_may_pass(long status)
{
	return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
	       status == 504;
}

bool http_fault_may_pass(CURLcode code)
{
	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_CONNECT:
	case CURLE_OPERATION_TIMEDOUT:
	case CURLE_PARTIAL_FILE:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return true;
	default:
		return false;
	}
}

static bool may_pass(CURLcode code, CURL *curl)
{
	long status = 0;

	if (code != CURLE_HTTP_RETURNED_ERROR)
		return http_fault_may_pass(code);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	/* Whatever else a server says of itself may be over soon, too. */
	return http_status_may_pass(status) || status >= 500;
}

static CURLcode try_once(struct transfer *transfer)
{
	transfer->text[0] = '\0';
	curl_easy_setopt(transfer->curl, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)transfer->have);
	CURLcode code = curl_easy_perform(transfer->curl);
	if (code == CURLE_HTTP_RETURNED_ERROR && was_whole(transfer))
		return CURLE_OK;
	/* The server cannot go on in the middle, or the file there is shorter now. */
	if ((code == CURLE_RANGE_ERROR || code == CURLE_BAD_DOWNLOAD_RESUME) && begin_anew(transfer)) {
		curl_easy_setopt(transfer->curl, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)0);
		code = curl_easy_perform(transfer->curl);
	}
	return code;
}

static bool pause_before(int attempt, const struct http_fetch *fetch)
{
	int left_ms = 1000 << (attempt < 5 ? attempt : 5);

	for (; left_ms > 0 && !is_cancelled(fetch); left_ms -= CANCEL_POLL_MS)
		g_usleep(CANCEL_POLL_MS * 1000);
	return !is_cancelled(fetch);
}

static bool fail(const struct transfer *transfer, CURLcode code, GError **err)
{
	const struct http_fetch *fetch = transfer->fetch;

	if (is_cancelled(fetch))
		return diag_set(err, DIAG_FAILED, "cancelled");
	if (transfer->error)
		return diag_set(err, DIAG_FAILED, "%s: cannot be written: %s", fetch->file,
			g_strerror(transfer->error));
	if (transfer->too_large)
		return diag_set(err, DIAG_LACKS, "%s: is larger than %" G_GINT64_FORMAT " bytes", fetch->url,
			fetch->ceiling);
	return diag_set(err, DIAG_LACKS, "%s: %s", fetch->url,
		transfer->text[0] ? transfer->text : curl_easy_strerror(code));
}

static bool run(struct transfer *transfer, GError **err)
{
	int tries = transfer->fetch->tries > 0 ? transfer->fetch->tries : HTTP_TRIES;
	CURLcode code = CURLE_OK;

	for (int i = 0; i < tries; i++) {
		if (i > 0 && !pause_before(i - 1, transfer->fetch))
			break;
		code = try_once(transfer);
		if (code == CURLE_OK)
			return fsync(transfer->fd) == 0 ||
			       diag_set(err, DIAG_FAILED, "%s: cannot be written: %s", transfer->fetch->file,
				       g_strerror(errno));
		if (!may_pass(code, transfer->curl))
			break;
	}
	return fail(transfer, code, err);
}

void http_start(void)
{
	static gsize once;

	if (g_once_init_enter(&once)) {
		curl_global_init(CURL_GLOBAL_DEFAULT);
		g_once_init_leave(&once, 1);
	}
}

bool http_fetch(const struct http_fetch *fetch, GError **err)
{
	struct transfer transfer = {.fetch = fetch};
	struct stat st;

	http_start();
	transfer.fd = open(fetch->file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (transfer.fd < 0 || fstat(transfer.fd, &st) != 0) {
		diag_set(err, DIAG_FAILED, "%s: cannot be opened: %s", fetch->file, g_strerror(errno));
		if (transfer.fd >= 0)
			close(transfer.fd);
		return false;
	}
	transfer.have = st.st_size;
	transfer.curl = curl_easy_init();
	g_assert(transfer.curl != NULL);
	set_up(&transfer);
	bool ok = run(&transfer, err);
	curl_easy_cleanup(transfer.curl);
	close(transfer.fd);
	return ok;
}

const struct http_module http_module = {http_fetch, http_post, http_shown};
