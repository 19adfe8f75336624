/* What an adapter provides: one file in libs/ per library, which only calls its library. It never times, and
 * it never prints. */
#ifndef CORE_ADAPTER_H
#define CORE_ADAPTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The rows of schema/benchmarks.def. */
enum core_id {
#define BENCHMARK(ID, name, algorithm, operation, work) CORE_##ID,
#include "benchmarks.def"
#undef BENCHMARK
	CORE_ID_COUNT
};

/* Why something was refused: what differed, in words. */
struct core_why {
	char text[512];
	int error; /* the library's error that it comes from; 0: none */
};

/* Writes the text and returns false, so that a check can end with it. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool core_refuse(struct core_why *why, const char *format, ...);

/* A pair of keys, as the family has them: big-endian numbers; a curve's public key is x and y, each as long
 * as the field; of curve25519 and its like the bytes of their RFCs. RSA: private is RSAPrivateKey of PKCS #1.
 */
struct core_pair {
	const unsigned char *private, *public;
	size_t private_size, public_size;
};

/* One operation's surroundings. Inputs are lent and stay unchanged. An adapter finds here all that the
 * operation works on, so that one function can do for each size and curve of its family. */
struct core_work {
	enum core_id id; /* the benchmark that it is of */
	const char *algorithm, *operation;
	bool decrypts; /* the operation is "decrypt" */
	const unsigned char *key;
	size_t key_size;
	const unsigned char *iv; /* of derivations: the salt */
	size_t iv_size;
	const unsigned char *aad; /* of derivations: the context */
	size_t aad_size;
	/* What to work on: of public-key operations the text to encrypt or to decrypt, the hash to sign (with
	 * RSA its DigestInfo, with Ed25519 and Ed448 the message) */
	const unsigned char *in;
	size_t in_size;
	const unsigned char *tag; /* what an authenticated decryption must take; NULL elsewhere */
	size_t tag_size;	  /* of that tag, or of the one to be made */
	size_t want;		  /* bytes that a derivation must give */
	/* Public-key operations: bits of the modulus, name of curve or group ("P-256", "ffdhe2048"), the
	 * group's prime (its generator is 2), our keys and the peer's, the signature to verify */
	unsigned bits;
	const char *group;
	const unsigned char *prime;
	size_t prime_size;
	struct core_pair own, peer;
	const unsigned char *signature;
	size_t signature_size;
	unsigned char *out; /* room for in_size + tag_size bytes, CORE_OUT_ROOM at least */
	size_t out_size;    /* set by each operation: bytes written */
};
#define CORE_OUT_ROOM 8192

/* What the output of a benchmark is held against, as in schema/wire.md. */
enum core_proof { CORE_PROOF_NONE, CORE_PROOF_DIGEST, CORE_PROOF_ROUND_TRIP, CORE_PROOF_VERIFY };

/* How an adapter provides one benchmark. */
struct core_operation {
	enum core_id id;
	/* Why the build lacks it, or NULL. The functions may be NULL where it is not. */
	const char *unavailable;
	enum core_proof proof;
	/* Makes keys and contexts ready. The random source has just been restarted. 0, or the library's
	 * error. */
	int (*setup)(const struct core_work *work);
	/* ONE operation. 0, or the library's error. */
	int (*run)(struct core_work *work);
	/* Proves the last output by other means than its digest, and leaves in out the bytes whose digest can
	 * be compared between builds (out_size 0: none). NULL with CORE_PROOF_DIGEST: the output itself. */
	bool (*answer)(struct core_work *work, struct core_why *why);
	/* Frees what setup made; also called after a setup that failed. */
	void (*done)(void);
	/* Before the next *n operations, and never timed: makes ready what each of them uses up. It lowers *n
	 * to what it has room for. 0, or the library's error. NULL: nothing is used up. */
	int (*prepare)(struct core_work *work, uint64_t *n);
	/* What the operation leaves on the heap is a figure of its own, and the most that it held. */
	bool holds;
};

/* Rows of the table: a benchmark that the build has, and one that it lacks, with why. */
#define CORE_PROVIDES(id, proof, setup, run, answer, done)                                                   \
	{                                                                                                    \
		CORE_##id, NULL, CORE_PROOF_##proof, setup, run, answer, done, NULL, false                   \
	}
#define CORE_LACKS(id, reason)                                                                               \
	{                                                                                                    \
		CORE_##id, reason, CORE_PROOF_NONE, NULL, NULL, NULL, NULL, NULL, false                      \
	}

/* The same of both directions of a cipher, whose output its digest proves. */
#define CORE_CIPHER(algorithm, setup, encrypt, decrypt, done)                                                \
	CORE_PROVIDES(algorithm##_ENCRYPT, DIGEST, setup, encrypt, NULL, done),                              \
		CORE_PROVIDES(algorithm##_DECRYPT, DIGEST, setup, decrypt, NULL, done)
#define CORE_LACKS_CIPHER(algorithm, reason)                                                                 \
	CORE_LACKS(algorithm##_ENCRYPT, reason), CORE_LACKS(algorithm##_DECRYPT, reason)

struct core_adapter {
	const char *library;
	/* Once, before all else. False: no figure of this program can be trusted. */
	bool (*start)(struct core_why *why);
	const char *(*version)(void);
	/* Math back end in force, as far as the library tells. */
	const char *(*math)(void);
	/* In words; NULL: nothing known. */
	const char *(*error_text)(int error);
	/* Its error for "not compiled in": such a benchmark is unavailable, not wrong. 0: it has none. */
	int not_compiled_in;
	const struct core_operation *operations; /* in the order to run */
	size_t count;
	/* Its error for "no memory": such a benchmark is skipped, not wrong. 0: it has none. */
	int no_memory;
};

/* The one adapter of the program. */
extern const struct core_adapter core_adapter;

#endif
