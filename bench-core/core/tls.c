#include "tls.h"

#include "tls_certs.h"

#include <string.h>

/* What a record may take beside its data: header, nonce, padding, tag, and the type of TLS 1.3. */
#define RECORD_EXTRA 128
/* Of steps of a handshake: it takes two or three. */
#define ROUNDS_MAX 10

static const struct tls_library *library;
static int not_compiled_in;
static struct {
	int error;
	const char *words;
} said;

/* The benchmark in hand. */
static struct {
	const struct tls_suite *suite;
	bool resumes, writes;
	uint64_t made, unread; /* records that the client wrote since the last reset, and that the server has
				  not read */
	bool good; /* the handshake behind reading and writing was what it should be, and all that was read */
	struct core_why why;
} run;

void tls_use(const struct tls_library *which, int lacks)
{
	library = which;
	not_compiled_in = lacks;
}

const char *tls_words(int error)
{
	const char *words = error == said.error ? said.words : NULL;

	said.words = NULL;
	return words;
}

int tls_fail(int error, const char *words)
{
	said.error = error;
	said.words = words;
	return error;
}

/* --- a handshake --- */

/* With `forge`, the last byte of the client's Finished is changed on its way. */
static int shake(bool forge)
{
	bool client = false, server = false;

	for (int round = 0; round < ROUNDS_MAX && !(client && server); round++) {
		int error = client ? 0 : library->shake(TLS_CLIENT, &client);
		if (error != 0)
			return error;
		if (forge && round > 0 && tls_pipe_left(TLS_CLIENT) > 0) {
			tls_pipe_forge(TLS_CLIENT);
			forge = false;
		}
		error = server ? 0 : library->shake(TLS_SERVER, &server);
		if (error != 0)
			return error;
	}
	return client && server ? 0 : tls_fail(TLS_FAULT, "the handshake came to no end");
}

static int connect(bool resume, bool forge)
{
	int error;

	library->close(TLS_CLIENT);
	library->close(TLS_SERVER);
	tls_pipe_reset();
	error = library->open(TLS_SERVER, false);
	if (error == 0)
		error = library->open(TLS_CLIENT, resume);
	return error != 0 ? error : shake(forge);
}

/* --- proof --- */

static bool failed(int error, const char *what, struct core_why *why)
{
	const char *words = tls_words(error);

	return core_refuse(
		why, "%s: error %d%s%s", what, error, words != NULL ? ", " : "", words != NULL ? words : "");
}

/* One record from one side to the other. */
static bool carried(enum tls_side from, struct core_why *why)
{
	static const unsigned char text[] = "what goes in at one side comes out at the other";
	enum tls_side to = from == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT;
	unsigned char got[sizeof(text)];
	size_t size = 0;
	int error = library->write(from, text, sizeof(text));

	if (error == 0)
		error = library->read(to, got, sizeof(got), &size);
	if (error != 0)
		return failed(error, "carrying data over the new connection failed", why);
	return (size == sizeof(text) && memcmp(got, text, size) == 0) ||
	       core_refuse(why, "what was read from the new connection is not what was written");
}

static bool same_keys(struct core_why *why)
{
	unsigned char client[32], server[32];
	int error;

	if (library->export == NULL)
		return true;
	error = library->export(TLS_CLIENT, client);
	if (error == 0)
		error = library->export(TLS_SERVER, server);
	if (error != 0)
		return failed(error, "exporting keying material failed", why);
	return memcmp(client, server, sizeof(client)) == 0 ||
	       core_refuse(why, "the two sides export different keying material");
}

/* Of the connection as it stands. */
static bool negotiated(bool resumed, struct core_why *why)
{
	size_t size;
	const unsigned char *sent = tls_pipe_sent(TLS_SERVER, &size);

	if (!tls_wire_negotiated(sent, size, run.suite, resumed, why))
		return false;
	if (library->resumed(TLS_CLIENT) != resumed || library->resumed(TLS_SERVER) != resumed)
		return core_refuse(why, "the two sides do not agree that it %s",
			resumed ? "goes on with a session" : "is a full handshake");
	return same_keys(why);
}

bool tls_handshake_answer(struct core_work *work, struct core_why *why)
{
	/* Fresh keys: there is nothing to compare between builds. */
	work->out_size = 0;
	if (!negotiated(run.resumes, why) || !carried(TLS_CLIENT, why) || !carried(TLS_SERVER, why))
		return false;
	return connect(run.resumes, true) != 0 || core_refuse(why, "a forged Finished was taken");
}

/* --- setup --- */

/* The client reads what the server sends behind the handshake: tickets, in TLS 1.3. */
static int read_tickets(void)
{
	unsigned char none[16];
	size_t got = 0;
	int error = library->read(TLS_CLIENT, none, sizeof(none), &got);

	return error == 0 && got > 0 ? tls_fail(TLS_FAULT, "data came that nobody wrote") : error;
}

int tls_setup(const struct core_work *work)
{
	struct tls_identity identity;
	bool data = work->in_size > 0;
	int error;

	run.suite = tls_suite(work->algorithm);
	run.resumes = strncmp(work->operation, "resume-", 7) == 0;
	run.writes = strncmp(work->operation, "write-", 6) == 0;
	run.made = run.unread = 0;
	run.good = true;
	said.words = NULL;
	if (work->in_size > TLS_RECORD_MAX)
		return tls_fail(not_compiled_in, "a record of TLS holds 16384 bytes at most");
	if (!tls_identity(&identity, run.suite->certificate))
		return tls_fail(TLS_FAULT, "there is no room for the certificates");
	error = library->begin(run.suite, &identity);
	if (error != 0 || !(data || run.resumes))
		return error;
	error = connect(false, false);
	if (error != 0)
		return error;
	run.good = negotiated(false, &run.why);
	error = read_tickets();
	if (error == 0 && run.resumes)
		error = library->keep();
	tls_pipe_reset();
	return error;
}

void tls_done(void)
{
	library->close(TLS_CLIENT);
	library->close(TLS_SERVER);
	library->end();
}

int tls_handshake_run(struct core_work *work)
{
	(void)work;
	return connect(false, false);
}

int tls_resume_run(struct core_work *work)
{
	(void)work;
	return connect(true, false);
}

/* --- data, from the client to the server --- */

int tls_read_run(struct core_work *work)
{
	run.unread--;
	return library->read(TLS_SERVER, work->out, work->in_size, &work->out_size);
}

int tls_write_run(struct core_work *work)
{
	run.made++;
	run.unread++;
	return library->write(TLS_CLIENT, work->in, work->in_size);
}

static void note(const char *words)
{
	if (run.good)
		core_refuse(&run.why, "%s", words);
	run.good = false;
}

static void compare(const struct core_work *work, size_t got)
{
	if (got != work->in_size || memcmp(work->out, work->in, got) != 0)
		note("the bytes read are not the bytes written");
}

/* The server reads all that was written, so that out has the last of it. */
static int drain(struct core_work *work)
{
	size_t size;
	const unsigned char *sent = tls_pipe_sent(TLS_CLIENT, &size);
	int error = 0;

	if (tls_wire_records(sent, size) != run.made)
		note("what was written did not go out as one record for each write");
	while (error == 0 && run.unread > 0) {
		memset(work->out, 0xa5, work->in_size);
		error = tls_read_run(work);
		compare(work, work->out_size);
	}
	if (error == 0 && tls_pipe_left(TLS_CLIENT) > 0)
		note("more was written than was read");
	return error;
}

/* Reading needs records, and writing needs room for them. */
int tls_prepare(struct core_work *work, uint64_t *n)
{
	uint64_t most = TLS_PIPE_ROOM / (work->in_size + RECORD_EXTRA);
	int error = drain(work);

	if (*n > most)
		*n = most;
	tls_pipe_reset();
	run.made = 0;
	while (error == 0 && !run.writes && run.made < *n)
		error = tls_write_run(work);
	return error;
}

bool tls_data_answer(struct core_work *work, struct core_why *why)
{
	uint64_t none = 0;
	size_t got = 0;
	int error;

	if (!run.writes)
		compare(work, work->out_size);
	error = tls_prepare(work, &none);
	if (error != 0)
		return failed(error, "reading what was written failed", why);
	if (!run.good) {
		*why = run.why;
		return false;
	}
	error = library->write(TLS_CLIENT, work->in, work->in_size);
	if (error != 0)
		return failed(error, "writing one more record failed", why);
	tls_pipe_forge(TLS_CLIENT);
	work->out_size = 0;
	if (library->read(TLS_SERVER, work->out, work->in_size, &got) == 0)
		return core_refuse(why, "a forged record was taken");
	memcpy(work->out, work->in, work->in_size);
	work->out_size = work->in_size;
	return true;
}
