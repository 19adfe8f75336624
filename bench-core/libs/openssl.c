/* OpenSSL 3's libcrypto through EVP, and libssl where the profile has it: algorithms are fetched and contexts
 * made in setup, once. */
#include "adapter.h"
#include "answers.h"
#include "heap.h"
#include "seed_stream.h"
#include "tls.h"

#include <stdio.h>
#include <string.h>

/* A random source of one's own is set by a function that 3.0 calls deprecated, and keeps. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

/* What fetching an algorithm says that the build has not. */
#define NOT_COMPILED_IN ((int)ERR_PACK(ERR_LIB_EVP, 0, ERR_R_UNSUPPORTED))
/* Some refusals leave nothing on the queue of errors: a forged tag, a wrong signature. */
#define NO_WORDS (-1)

/* The first of the queue: what came after it are those that passed it on. */
static int take_error(void)
{
	unsigned long error = ERR_get_error();

	ERR_clear_error();
	return error != 0 ? (int)(error & 0x7fffffff) : NO_WORDS;
}

static int result(bool good)
{
	return good ? 0 : take_error();
}

#include "openssl_bulk.h"
#include "openssl_keys.h"

#include "openssl_kem.h"
#include "openssl_tls.h"

static int random_bytes(unsigned char *out, int size)
{
	seed_bytes(out, (size_t)size);
	return 1;
}

static int random_status(void)
{
	return 1;
}

static void *get(size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return size > 0 ? heap_malloc(size) : NULL;
}

static void *resize(void *block, size_t size, const char *file, int line)
{
	if (size == 0) {
		heap_free(block);
		return NULL;
	}
	return block != NULL ? heap_realloc(block, size) : get(size, file, line);
}

static void give_back(void *block, const char *file, int line)
{
	(void)file;
	(void)line;
	heap_free(block);
}

static bool start(struct core_why *why)
{
	/* In the place of the library's generators, for padding, blinding, keys and nonces alike. */
	static const RAND_METHOD seeded = {NULL, random_bytes, NULL, NULL, random_bytes, random_status};

	if (OpenSSL_version_num() != (unsigned long)OPENSSL_VERSION_NUMBER)
		return core_refuse(why, "the library is version %s, its headers are of %s",
			OpenSSL_version(OPENSSL_FULL_VERSION_STRING), OPENSSL_FULL_VERSION_STR);
	/* Only before the first allocation of the library. */
	if (CRYPTO_set_mem_functions(get, resize, give_back) == 1)
		heap_hooked(NULL);
#ifdef BENCH_LIBSSL
	tls_use(&tls_steps, NOT_COMPILED_IN);
#endif
	/* Whatever openssl.cnf says on the machine that it runs on is no part of the measurement. */
	if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) != 1 ||
		RAND_set_rand_method(&seeded) != 1 || OSSL_PROVIDER_load(NULL, "default") == NULL)
		return core_refuse(why, "starting the library failed with %d", take_error());
	return true;
}

static const char *version(void)
{
	return OpenSSL_version(OPENSSL_FULL_VERSION_STRING);
}

/* Where the library has it, bn multiplies by Montgomery's method in assembly. */
extern void bn_mul_mont(void);
#pragma weak bn_mul_mont

/* With what the library found of the processor, as it spells it: "OPENSSL_ia32cap=0x...". */
static const char *math(void)
{
	static char text[160];
	const char *cpu = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);

	snprintf(text, sizeof(text), "bn in %s%s%s", bn_mul_mont != NULL ? "assembly" : "C",
		cpu != NULL ? "; " : "", cpu != NULL ? cpu : "");
	return text;
}

static const char *error_text(int error)
{
	const char *words = tls_words(error);

	if (words != NULL)
		return words;
	return error == NO_WORDS ? "refused" : ERR_reason_error_string((unsigned long)error);
}

static const struct core_operation operations[] = {
	BULK_ROWS,
	KEY_ROWS,
	KEM_ROWS,
	SIGNATURE_ROWS,
	KDF_ROWS,
	CORE_LACKS(RNG_GENERATE, "the program's own source stands in the place of OpenSSL's generators"),
#define TLS_SUITE(ID, ...) TLS_ROW(ID),
#include "tls_suites.def"
#undef TLS_SUITE
};

const struct core_adapter core_adapter = {"openssl", start, version, math, error_text, NOT_COMPILED_IN,
	operations, sizeof(operations) / sizeof(operations[0]), 0};
