/* The benchmarks of TLS: client and server in one process, over memory. An adapter says how its library does
 * the steps (struct tls_library); what is done with them, and what proves it, is here. */
#ifndef CORE_TLS_H
#define CORE_TLS_H

#include "adapter.h"
#include "tls_wire.h"

/* DER: the root that the client trusts, and the server's certificate and key (of RSA: RSAPrivateKey, of
 * ECDSA: ECPrivateKey). */
struct tls_identity {
	const unsigned char *root, *certificate, *key;
	size_t root_size, certificate_size, key_size;
	const unsigned char *dh_prime; /* of ffdhe2048 */
	size_t dh_prime_size;
};

/* The steps, each 0 or the library's error. The bytes that go between the two sides go through
 * tls_pipe_put() and tls_pipe_take(). */
struct tls_library {
	/* Both contexts, for this suite alone. Tickets: the library's default, but one ticket at most. */
	int (*begin)(const struct tls_suite *suite, const struct tls_identity *identity);
	/* Frees them, and the session that was kept; also after a begin that failed. */
	void (*end)(void);
	/* A new connection at this side; the client's goes on with the session that was kept. */
	int (*open)(enum tls_side side, bool resume);
	void (*close)(enum tls_side side); /* does nothing where there is none */
	/* As far as it goes with what came from the other side. */
	int (*shake)(enum tls_side side, bool *done);
	int (*write)(enum tls_side side, const unsigned char *bytes, size_t size);
	/* What one record holds, if there is one; *got 0: there is none. */
	int (*read)(enum tls_side side, unsigned char *bytes, size_t room, size_t *got);
	/* Keeps the client's session. */
	int (*keep)(void);
	/* Whether this side says that it went on with a session. */
	bool (*resumed)(enum tls_side side);
	/* 32 bytes of exported keying material (RFC 5705). NULL: the build has no exporter. */
	int (*export)(enum tls_side side, unsigned char bytes[32]);
};

/* An error that is none of the library's: tls_words() tells it. */
#define TLS_FAULT (-0x7154)
/* Why the last step gave this error, where it is TLS_FAULT or "not compiled in"; NULL: nobody said. Only
 * once. */
const char *tls_words(int error);
/* Notes why, for tls_words(), and returns the error. `words` stay as they are. */
int tls_fail(int error, const char *words);

/* Before any benchmark of TLS. `lacks`: the library's error for "not compiled in". */
void tls_use(const struct tls_library *library, int lacks);

/* The time that both sides see, in seconds since 1970: the same on every machine, with or without a clock. */
#define TLS_TIME 1700000000

int tls_setup(const struct core_work *work);
int tls_handshake_run(struct core_work *work);
int tls_resume_run(struct core_work *work);
int tls_read_run(struct core_work *work);
int tls_write_run(struct core_work *work);
bool tls_handshake_answer(struct core_work *work, struct core_why *why);
bool tls_data_answer(struct core_work *work, struct core_why *why);
int tls_prepare(struct core_work *work, uint64_t *n);
void tls_done(void);

/* Rows of an adapter's table: of a suite, and of one that the build lacks. */
#define TLS_PROVIDES(ID)                                                                                     \
	{CORE_##ID##_HANDSHAKE_IN_MEMORY, NULL, CORE_PROOF_ROUND_TRIP, tls_setup, tls_handshake_run,         \
		tls_handshake_answer, tls_done, NULL, true},                                                 \
		{CORE_##ID##_RESUME_IN_MEMORY, NULL, CORE_PROOF_ROUND_TRIP, tls_setup, tls_resume_run,       \
			tls_handshake_answer, tls_done, NULL, true},                                         \
		{CORE_##ID##_READ_IN_MEMORY, NULL, CORE_PROOF_ROUND_TRIP, tls_setup, tls_read_run,           \
			tls_data_answer, tls_done, tls_prepare, false},                                      \
	{                                                                                                    \
		CORE_##ID##_WRITE_IN_MEMORY, NULL, CORE_PROOF_ROUND_TRIP, tls_setup, tls_write_run,          \
			tls_data_answer, tls_done, tls_prepare, false                                        \
	}
#define TLS_LACKS(ID, reason)                                                                                \
	CORE_LACKS(ID##_HANDSHAKE_IN_MEMORY, reason), CORE_LACKS(ID##_RESUME_IN_MEMORY, reason),             \
		CORE_LACKS(ID##_READ_IN_MEMORY, reason), CORE_LACKS(ID##_WRITE_IN_MEMORY, reason)

#endif
