#include "tls_wire.h"

#include <string.h>

#define RECORD_HEADER  5
#define MESSAGE_HEADER 4
#define HANDSHAKE      22
#define APPLICATION    23
#define SERVER_HELLO   2
#define CERTIFICATE    11
#define PRE_SHARED_KEY 41
#define VERSIONS       43
#define CLIENT_ROOM    65536 /* of what the server sends: its side of a handshake, and a record */
#define HANDSHAKE_ROOM 8192

static const struct tls_suite suites[] = {
#define TLS_SUITE(ID, algorithm, version, certificate, code, wolfssl, openssl)                               \
	{algorithm, version, code, certificate, wolfssl, openssl},
#include "tls_suites.def"
#undef TLS_SUITE
};

const struct tls_suite *tls_suite(const char *algorithm)
{
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		if (strcmp(suites[i].algorithm, algorithm) == 0)
			return &suites[i];
	return NULL;
}

/* --- the pipes --- */

static unsigned char from_client[TLS_PIPE_ROOM], from_server[CLIENT_ROOM];
static struct {
	unsigned char *bytes;
	size_t room, sent, taken;
} pipes[] = {
	[TLS_CLIENT] = {from_client, TLS_PIPE_ROOM, 0, 0}, [TLS_SERVER] = {from_server, CLIENT_ROOM, 0, 0}};

void tls_pipe_reset(void)
{
	for (int i = TLS_CLIENT; i <= TLS_SERVER; i++)
		pipes[i].sent = pipes[i].taken = 0;
}

bool tls_pipe_put(enum tls_side from, const void *bytes, size_t size)
{
	if (size > pipes[from].room - pipes[from].sent)
		return false;
	memcpy(pipes[from].bytes + pipes[from].sent, bytes, size);
	pipes[from].sent += size;
	return true;
}

size_t tls_pipe_take(enum tls_side to, void *bytes, size_t room)
{
	enum tls_side from = to == TLS_CLIENT ? TLS_SERVER : TLS_CLIENT;
	size_t left = tls_pipe_left(from), size = room < left ? room : left;

	memcpy(bytes, pipes[from].bytes + pipes[from].taken, size);
	pipes[from].taken += size;
	return size;
}

const unsigned char *tls_pipe_sent(enum tls_side from, size_t *size)
{
	*size = pipes[from].sent;
	return pipes[from].bytes;
}

size_t tls_pipe_left(enum tls_side from)
{
	return pipes[from].sent - pipes[from].taken;
}

void tls_pipe_forge(enum tls_side from)
{
	if (pipes[from].sent > 0)
		pipes[from].bytes[pipes[from].sent - 1] ^= 1;
}

/* --- what they hold --- */

/* Big-endian numbers out of bytes that may end too early. */
struct cursor {
	const unsigned char *at;
	size_t left;
	bool good;
};

static const unsigned char *skip(struct cursor *c, size_t size)
{
	const unsigned char *at = c->at;

	c->good = c->good && size <= c->left;
	if (!c->good)
		return NULL;
	c->at += size;
	c->left -= size;
	return at;
}

static unsigned number(struct cursor *c, size_t size)
{
	const unsigned char *at = skip(c, size);
	unsigned value = 0;

	for (size_t i = 0; at != NULL && i < size; i++)
		value = value << 8 | at[i];
	return value;
}

static struct cursor part(struct cursor *c, size_t size)
{
	const unsigned char *at = skip(c, size);

	return (struct cursor){at, at != NULL ? size : 0, at != NULL};
}

/* The messages of the handshake that come first, without the records around them: 0 where there is no room.
 */
static size_t in_the_clear(unsigned char *out, struct cursor c)
{
	size_t size = 0;

	while (c.good && c.left > 0) {
		bool handshake = number(&c, 1) == HANDSHAKE;
		skip(&c, 2);
		struct cursor record = part(&c, number(&c, 2));
		if (!handshake || !record.good)
			break;
		if (record.left > HANDSHAKE_ROOM - size)
			return 0;
		memcpy(out + size, record.at, record.left);
		size += record.left;
	}
	return size;
}

/* What a ServerHello says. */
struct hello {
	unsigned version, code;
	bool pre_shared;
};

/* RFC 5246, section 7.4.1.3; RFC 8446, section 4.1.3. */
static bool read_hello(struct hello *ret, struct cursor c)
{
	ret->version = number(&c, 2);
	skip(&c, 32); /* random */
	skip(&c, number(&c, 1));
	ret->code = number(&c, 2);
	skip(&c, 1); /* compression */
	ret->pre_shared = false;
	if (!c.good || c.left == 0)
		return c.good;

	struct cursor extensions = part(&c, number(&c, 2));
	while (extensions.good && extensions.left > 0) {
		unsigned type = number(&extensions, 2);
		struct cursor body = part(&extensions, number(&extensions, 2));
		if (type == VERSIONS)
			ret->version = number(&body, 2);
		ret->pre_shared = ret->pre_shared || type == PRE_SHARED_KEY;
	}
	return extensions.good;
}

bool tls_wire_negotiated(const unsigned char *sent, size_t size, const struct tls_suite *suite, bool resumed,
	struct core_why *why)
{
	static unsigned char messages[HANDSHAKE_ROOM];
	struct cursor all = {messages, in_the_clear(messages, (struct cursor){sent, size, true}), true};
	struct hello hello = {0, 0, false};
	bool first = true, certificate = false, went_on;

	while (all.good && all.left >= MESSAGE_HEADER) {
		unsigned type = number(&all, 1);
		struct cursor body = part(&all, number(&all, 3));
		if (first && (type != SERVER_HELLO || !body.good || !read_hello(&hello, body)))
			break;
		first = false;
		certificate = certificate || type == CERTIFICATE;
	}
	if (first)
		return core_refuse(why, "what the server sent does not begin with a ServerHello");
	if (hello.version != suite->version || hello.code != suite->code)
		return core_refuse(why,
			"the server chose version 0x%04x and suite 0x%04x, expected 0x%04x and 0x%04x",
			hello.version, hello.code, suite->version, suite->code);
	went_on = suite->version >= 0x0304 ? hello.pre_shared : !certificate;
	return went_on == resumed ||
	       core_refuse(why, "the server %s a session", went_on ? "went on with" : "did not go on with");
}

size_t tls_wire_records(const unsigned char *sent, size_t size)
{
	struct cursor c = {sent, size, true};
	size_t n = 0;

	while (c.good && c.left > 0) {
		if (number(&c, 1) != APPLICATION)
			return 0;
		skip(&c, 2);
		skip(&c, number(&c, 2));
		n++;
	}
	return c.good ? n : 0;
}
