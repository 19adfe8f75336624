/* wolfCrypt, with the calls of its own benchmark. Differences from the build of the library are in here and
 * nowhere else. */
#include "adapter.h"
#include "answers.h"
#include "hash_drbg.h"
#include "heap.h"
#include "seed_stream.h"
#include "size_check.h"
#include "tls_time.h"

#include <stdlib.h>
#include <string.h>

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>
#include <wolfssl/wolfcrypt/des3.h>
#include <wolfssl/wolfcrypt/dh.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/hmac.h>
#include <wolfssl/wolfcrypt/memory.h>
#include <wolfssl/wolfcrypt/pwdbased.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/rsa.h>
#include <wolfssl/wolfcrypt/sha.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>
#include <wolfssl/wolfcrypt/wc_port.h>
#ifndef NO_MD5
#include <wolfssl/wolfcrypt/md5.h>
#endif
#ifndef NO_RC4
#include <wolfssl/wolfcrypt/arc4.h>
#endif
#ifdef HAVE_CHACHA
#include <wolfssl/wolfcrypt/chacha.h>
#endif
#ifdef HAVE_POLY1305
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/poly1305.h>
#endif
#ifdef HAVE_CAMELLIA
#include <wolfssl/wolfcrypt/camellia.h>
#endif
#ifdef HAVE_RABBIT
#include <wolfssl/wolfcrypt/rabbit.h>
#endif
#ifdef HAVE_HC128
#include <wolfssl/wolfcrypt/hc128.h>
#endif
#if defined(HAVE_BLAKE2) || defined(HAVE_BLAKE2B) || defined(HAVE_BLAKE2S)
#include <wolfssl/wolfcrypt/blake2.h>
#endif
#ifdef WOLFSSL_RIPEMD
#include <wolfssl/wolfcrypt/ripemd.h>
#endif
#ifdef WOLFSSL_HAVE_MLKEM
#include <wolfssl/wolfcrypt/wc_mlkem.h>
#endif
#ifdef WOLFSSL_HAVE_MLDSA
#include <wolfssl/wolfcrypt/wc_mldsa.h>
#endif
#ifdef WOLFSSL_HAVE_SLHDSA
#include <wolfssl/wolfcrypt/wc_slhdsa.h>
#endif
#ifdef HAVE_CURVE25519
#include <wolfssl/wolfcrypt/curve25519.h>
#endif
#ifdef HAVE_CURVE448
#include <wolfssl/wolfcrypt/curve448.h>
#endif
#ifdef HAVE_ED25519
#include <wolfssl/wolfcrypt/ed25519.h>
#endif
#ifdef HAVE_ED448
#include <wolfssl/wolfcrypt/ed448.h>
#endif
#ifndef WOLFCRYPT_ONLY
#include <wolfssl/ssl.h>
#endif

/* Why the setup in hand said NOT_COMPILED_IN, where the library's words would not tell; else NULL. */
static const char *lacking;

static inline int lacks(const char *why)
{
	lacking = why;
	return NOT_COMPILED_IN;
}

/* The number that a setting stands for, as text. */
#define NUMBER(setting) NUMBER_(setting)
#define NUMBER_(number) #number

#include "wolfssl_random.h"

#include "wolfssl_ciphers.h"
#include "wolfssl_curves.h"
#include "wolfssl_hashes.h"
#include "wolfssl_kdf.h"
#include "wolfssl_kem.h"
#include "wolfssl_mldsa.h"
#include "wolfssl_rsa.h"
#include "wolfssl_slhdsa.h"
#include "wolfssl_tls.h"

#if defined(USE_WOLFSSL_MEMORY) && !defined(WOLFSSL_STATIC_MEMORY) && !defined(WOLFSSL_DEBUG_MEMORY)
#define HAS_HEAP_HOOK 1
static void hook_heap(bool on)
{
	if (on)
		wolfSSL_SetAllocators(heap_malloc, heap_free, heap_realloc);
	else
		wolfSSL_SetAllocators(malloc, free, realloc);
}
#else
#define HAS_HEAP_HOOK 0
#endif

static bool start(struct core_why *why)
{
	int error = wolfCrypt_Init();

	if (error != 0)
		return core_refuse(why, "wolfCrypt_Init() failed with %d", error);
#ifdef CheckCtcSettings
	if (!CheckCtcSettings())
		return core_refuse(why, "library and program differ in their settings (CheckCtcSettings)");
#endif
#ifdef CheckFastMathSettings
	if (!CheckFastMathSettings())
		return core_refuse(
			why, "library and program differ in the size of numbers (CheckFastMathSettings)");
#endif
#if HAS_HEAP_HOOK
	heap_hooked(hook_heap);
#endif
#ifndef NO_TLS_HERE
	if (wolfSSL_Init() != WOLFSSL_SUCCESS)
		return core_refuse(why, "wolfSSL_Init() failed");
	tls_use(&tls_steps, NOT_COMPILED_IN);
#endif
	SIZE_CHECK(WC_RNG, random, wc_InitRng(random), wc_FreeRng(random));
#ifndef NO_RSA
	SIZE_CHECK(RsaKey, key, wc_InitRsaKey(key, NULL), wc_FreeRsaKey(key));
#endif
#ifdef HAVE_ECC
	SIZE_CHECK(ecc_key, key, wc_ecc_init(key), wc_ecc_free(key));
#endif
	return true;
}

static const char *version(void)
{
#ifdef WOLFCRYPT_ONLY
	/* The library's own function for it is part of TLS. */
	return LIBWOLFSSL_VERSION_STRING;
#else
	return wolfSSL_lib_version();
#endif
}

/* Later versions tell it themselves. */
extern const char *wc_GetMathInfo(void);
#pragma weak wc_GetMathInfo

static const char *math(void)
{
	return wc_GetMathInfo != NULL ? wc_GetMathInfo() :
#if defined(WOLFSSL_SP_MATH_ALL) || defined(WOLFSSL_SP_MATH)
				      "sp_int.c"
#elif defined(USE_FAST_MATH)
				      "tfm.c"
#else
				      "integer.c"
#endif
#if defined(WOLFSSL_HAVE_SP_RSA) || defined(WOLFSSL_HAVE_SP_DH) || defined(WOLFSSL_HAVE_SP_ECC)
#ifdef WOLFSSL_SP_ASM
				      "; single precision in assembler:"
#else
				      "; single precision in C:"
#endif
#endif
#ifdef WOLFSSL_HAVE_SP_RSA
				      " rsa"
#endif
#ifdef WOLFSSL_HAVE_SP_DH
				      " dh"
#endif
#ifdef WOLFSSL_HAVE_SP_ECC
				      " ecc"
#endif
		;
}

static const char *error_text(int error)
{
	const char *words = tls_words(error);

	if (words == NULL && error == NOT_COMPILED_IN)
		words = lacking;
	lacking = NULL;
	if (words != NULL)
		return words;
#ifdef NO_TLS_HERE
	return wc_GetErrorString(error);
#else
	return wolfSSL_ERR_reason_error_string((unsigned long)-error);
#endif
}

static const struct core_operation operations[] = {
	CIPHER_ROWS,
	HASH_ROWS,
	MAC_ROWS,
	RSA_DH_ROWS,
	CURVE_ROWS,
	KEM_ROWS,
	SIGNATURE_ROWS,
	SLHDSA_ROWS,
	KDF_ROWS,
	RANDOM_ROW,
#define TLS_SUITE(ID, ...) TLS_ROW(ID),
#include "tls_suites.def"
#undef TLS_SUITE
};

const struct core_adapter core_adapter = {"wolfssl", start, version, math, error_text, NOT_COMPILED_IN,
	operations, sizeof(operations) / sizeof(operations[0]), MEMORY_E};
