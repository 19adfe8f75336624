/* What goes between the two sides of a TLS connection in memory, and what its bytes say for themselves,
 * whatever the library says of them. */
#ifndef CORE_TLS_WIRE_H
#define CORE_TLS_WIRE_H

#include "adapter.h"

enum tls_side { TLS_CLIENT, TLS_SERVER };

/* A row of tls_suites.def. */
struct tls_suite {
	const char *algorithm;	 /* of schema/benchmarks.def */
	unsigned version, code;	 /* as on the wire */
	const char *certificate; /* of tls_certs.def */
	const char *wolfssl, *openssl;
};

/* NULL: there is none. */
const struct tls_suite *tls_suite(const char *algorithm);

/* The most that one record holds. */
#define TLS_RECORD_MAX 16384

/* Room for what the client has sent and the server has not taken, and so for records that are made before
 * they are read. */
#define TLS_PIPE_ROOM (1024u * 1024u)

/* Forgets all that was sent, both ways. */
void tls_pipe_reset(void);
/* Sends bytes of this side to the other. False: there is no room; nothing was sent. */
bool tls_pipe_put(enum tls_side from, const void *bytes, size_t size);
/* What was sent to this side, at most `room` bytes of it. 0: nothing is there. */
size_t tls_pipe_take(enum tls_side to, void *bytes, size_t room);
/* All that this side has sent since the last reset, and how much of it was not taken yet. */
const unsigned char *tls_pipe_sent(enum tls_side from, size_t *size);
size_t tls_pipe_left(enum tls_side from);
/* Changes the last byte that this side has sent. */
void tls_pipe_forge(enum tls_side from);

/* What the server sent in the clear: that version and suite are these, and whether it went on with a session
 * (no certificate in TLS 1.2, the extension pre_shared_key in TLS 1.3) or not, as `resumed` has it. */
bool tls_wire_negotiated(const unsigned char *sent, size_t size, const struct tls_suite *suite, bool resumed,
	struct core_why *why);

/* How many records of application data the bytes are. 0: they are anything else. */
size_t tls_wire_records(const unsigned char *sent, size_t size);

#endif
