/* wolfCrypt, with the calls of its own benchmark. Differences from the build of the library are in here and
 * nowhere else. */
#include "adapter.h"
#include "answers.h"
#include "seed_stream.h"
#include "size_check.h"
#include "vectors.h"

#include <string.h>

#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/settings.h>

#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/dh.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/rsa.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/wc_port.h>
#ifndef WOLFCRYPT_ONLY
#include <wolfssl/ssl.h>
#endif

/* The linker puts it in the place of wc_GenerateSeed(). */
int bench_generate_seed(OS_Seed *os, byte *output, word32 size);
int bench_generate_seed(OS_Seed *os, byte *output, word32 size)
{
	(void)os;
	seed_bytes(output, size);
	return 0;
}

static WC_RNG rng;

#ifndef NO_AES
static Aes aes;

static void aes_done(void)
{
	wc_AesFree(&aes);
}
#endif

#if !defined(NO_AES) && defined(HAVE_AES_CBC)
static int cbc_setup(const struct core_work *w)
{
	int direction = w->id == CORE_AES_128_CBC_ENCRYPT ? AES_ENCRYPTION : AES_DECRYPTION;
	int error = wc_AesInit(&aes, NULL, INVALID_DEVID);

	return error != 0 ? error : wc_AesSetKey(&aes, w->key, (word32)w->key_size, w->iv, direction);
}

/* The chain starts anew with each operation: otherwise the output would depend on how many came before. */
static int cbc_encrypt_run(struct core_work *w)
{
	int error = wc_AesSetIV(&aes, w->iv);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_AesCbcEncrypt(&aes, w->out, w->in, (word32)w->in_size);
}

#define CBC_ENCRYPT CORE_PROVIDES(AES_128_CBC_ENCRYPT, DIGEST, cbc_setup, cbc_encrypt_run, NULL, aes_done)
#else
#define CBC_ENCRYPT CORE_LACKS(AES_128_CBC_ENCRYPT, "the build has no AES-CBC")
#endif

#if !defined(NO_AES) && defined(HAVE_AES_CBC) && defined(HAVE_AES_DECRYPT)
static int cbc_decrypt_run(struct core_work *w)
{
	int error = wc_AesSetIV(&aes, w->iv);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_AesCbcDecrypt(&aes, w->out, w->in, (word32)w->in_size);
}

#define CBC_DECRYPT CORE_PROVIDES(AES_128_CBC_DECRYPT, DIGEST, cbc_setup, cbc_decrypt_run, NULL, aes_done)
#else
#define CBC_DECRYPT CORE_LACKS(AES_128_CBC_DECRYPT, "the build has no AES-CBC decryption")
#endif

#if !defined(NO_AES) && defined(HAVE_AESGCM)
static int gcm_setup(const struct core_work *w)
{
	int error = wc_AesInit(&aes, NULL, INVALID_DEVID);

	return error != 0 ? error : wc_AesGcmSetKey(&aes, w->key, (word32)w->key_size);
}

static int gcm_encrypt_run(struct core_work *w)
{
	w->out_size = w->in_size + w->tag_size;
	return wc_AesGcmEncrypt(&aes, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size,
		w->out + w->in_size, (word32)w->tag_size, w->aad, (word32)w->aad_size);
}

#define GCM_ENCRYPT CORE_PROVIDES(AES_128_GCM_ENCRYPT, DIGEST, gcm_setup, gcm_encrypt_run, NULL, aes_done)
#else
#define GCM_ENCRYPT CORE_LACKS(AES_128_GCM_ENCRYPT, "the build has no AES-GCM")
#endif

#if !defined(NO_AES) && defined(HAVE_AESGCM) && (defined(HAVE_AES_DECRYPT) || defined(HAVE_AESGCM_DECRYPT))
static int gcm_decrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesGcmDecrypt(&aes, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size, w->tag,
		(word32)w->tag_size, w->aad, (word32)w->aad_size);
}

#define GCM_DECRYPT CORE_PROVIDES(AES_128_GCM_DECRYPT, DIGEST, gcm_setup, gcm_decrypt_run, NULL, aes_done)
#else
#define GCM_DECRYPT CORE_LACKS(AES_128_GCM_DECRYPT, "the build has no AES-GCM decryption")
#endif

#ifndef NO_SHA256
static wc_Sha256 sha;

static int sha_setup(const struct core_work *w)
{
	(void)w;
	return wc_InitSha256_ex(&sha, NULL, INVALID_DEVID);
}

static int sha_run(struct core_work *w)
{
	int error = wc_InitSha256_ex(&sha, NULL, INVALID_DEVID);

	if (error == 0)
		error = wc_Sha256Update(&sha, w->in, (word32)w->in_size);
	if (error == 0)
		error = wc_Sha256Final(&sha, w->out);
	w->out_size = WC_SHA256_DIGEST_SIZE;
	return error;
}

static void sha_done(void)
{
	wc_Sha256Free(&sha);
}

#define SHA_256 CORE_PROVIDES(SHA_256_HASH, DIGEST, sha_setup, sha_run, NULL, sha_done)
#else
#define SHA_256 CORE_LACKS(SHA_256_HASH, "the build has no SHA-256")
#endif

#if !defined(NO_RSA) && !defined(WOLFSSL_RSA_PUBLIC_ONLY)
static RsaKey rsa;

static int rsa_setup(const struct core_work *w)
{
	word32 used = 0;
	int error = wc_InitRsaKey(&rsa, NULL);

	(void)w;
	if (error == 0)
		error = wc_InitRng(&rng);
	if (error == 0)
		error = wc_RsaPrivateKeyDecode(vectors->rsa_key, &used, &rsa, sizeof(vectors->rsa_key));
#ifdef WC_RSA_BLINDING
	if (error == 0)
		error = wc_RsaSetRNG(&rsa, &rng);
#endif
	return error;
}

static void rsa_done(void)
{
	wc_FreeRsaKey(&rsa);
	wc_FreeRng(&rng);
}

static int rsa_public_run(struct core_work *w)
{
	int size = wc_RsaPublicEncrypt(
		vectors->rsa_plain, sizeof(vectors->rsa_plain), w->out, CORE_OUT_ROOM, &rsa, &rng);

	w->out_size = size > 0 ? (size_t)size : 0;
	return size < 0 ? size : 0;
}

/* The padding is random, so that only what comes back can be compared between builds. */
static bool rsa_answer(struct core_work *w, struct core_why *why)
{
	static byte plain[256];
	int size = wc_RsaPrivateDecrypt(w->out, (word32)w->out_size, plain, sizeof(plain), &rsa);

	if (size < 0)
		return core_refuse(why, "the private operation refuses the ciphertext with %d", size);
	memcpy(w->out, plain, (size_t)size);
	w->out_size = (size_t)size;
	return true;
}

static int rsa_private_run(struct core_work *w)
{
	int size = wc_RsaPrivateDecrypt(
		vectors->rsa_cipher, sizeof(vectors->rsa_cipher), w->out, CORE_OUT_ROOM, &rsa);

	w->out_size = size > 0 ? (size_t)size : 0;
	return size < 0 ? size : 0;
}

#define RSA_PUBLIC  CORE_PROVIDES(RSA_2048_PUBLIC, ROUND_TRIP, rsa_setup, rsa_public_run, rsa_answer, rsa_done)
#define RSA_PRIVATE CORE_PROVIDES(RSA_2048_PRIVATE, DIGEST, rsa_setup, rsa_private_run, NULL, rsa_done)
#else
#define RSA_PUBLIC  CORE_LACKS(RSA_2048_PUBLIC, "the build has no RSA with private keys")
#define RSA_PRIVATE CORE_LACKS(RSA_2048_PRIVATE, "the build has no RSA with private keys")
#endif

#ifndef NO_DH
static DhKey dh;
static byte dh_fresh[256];
static word32 dh_fresh_size;

static int dh_setup(const struct core_work *w)
{
	int error = wc_InitDhKey(&dh);

	(void)w;
	if (error == 0)
		error = wc_InitRng(&rng);
	if (error == 0)
		error = wc_DhSetKey(
			&dh, vectors->dh_p, sizeof(vectors->dh_p), vectors->dh_g, sizeof(vectors->dh_g));
	return error;
}

static void dh_done(void)
{
	wc_FreeDhKey(&dh);
	wc_FreeRng(&rng);
}

static int dh_keygen_run(struct core_work *w)
{
	word32 size = CORE_OUT_ROOM;
	int error;

	dh_fresh_size = sizeof(dh_fresh);
	error = wc_DhGenerateKeyPair(&dh, &rng, dh_fresh, &dh_fresh_size, w->out, &size);
	w->out_size = size;
	return error;
}

static bool dh_answer(struct core_work *w, struct core_why *why)
{
	static byte ours[256], theirs[256];
	word32 ours_size = sizeof(ours), theirs_size = sizeof(theirs);
	int error = wc_DhAgree(&dh, ours, &ours_size, dh_fresh, dh_fresh_size, vectors->dh_peer_public,
		sizeof(vectors->dh_peer_public));

	if (error == 0)
		error = wc_DhAgree(&dh, theirs, &theirs_size, vectors->dh_peer_private,
			sizeof(vectors->dh_peer_private), w->out, (word32)w->out_size);
	w->out_size = 0;
	if (error != 0)
		return core_refuse(why, "agreeing with the fresh key failed with %d", error);
	return answer_same_secret(ours, ours_size, theirs, theirs_size, why);
}

static int dh_agree_run(struct core_work *w)
{
	word32 size = CORE_OUT_ROOM;
	int error = wc_DhAgree(&dh, w->out, &size, vectors->dh_private, sizeof(vectors->dh_private),
		vectors->dh_peer_public, sizeof(vectors->dh_peer_public));

	w->out_size = size;
	return error;
}

#define DH_KEYGEN CORE_PROVIDES(DH_2048_KEYGEN, ROUND_TRIP, dh_setup, dh_keygen_run, dh_answer, dh_done)
#define DH_AGREE  CORE_PROVIDES(DH_2048_AGREE, DIGEST, dh_setup, dh_agree_run, NULL, dh_done)
#else
#define DH_KEYGEN CORE_LACKS(DH_2048_KEYGEN, "the build has no DH")
#define DH_AGREE  CORE_LACKS(DH_2048_AGREE, "the build has no DH")
#endif

#if defined(HAVE_ECC) && defined(HAVE_ECC_KEY_IMPORT) && (!defined(NO_ECC256) || defined(HAVE_ALL_CURVES))
#define HAVE_P256
static ecc_key own, peer;

static int p256_import(ecc_key *key, const byte *x, const byte *y, const byte *private)
{
	int error = wc_ecc_import_unsigned(key, x, y, private, ECC_SECP256R1);

#ifdef ECC_TIMING_RESISTANT
	if (error == 0)
		error = wc_ecc_set_rng(key, &rng);
#endif
	return error;
}

static int p256_setup(const struct core_work *w)
{
	bool ecdsa = w->id == CORE_ECDSA_P256_SIGN || w->id == CORE_ECDSA_P256_VERIFY;
	int error = wc_InitRng(&rng), own_error = wc_ecc_init(&own), peer_error = wc_ecc_init(&peer);

	error = error != 0 ? error : own_error != 0 ? own_error : peer_error;
	if (error == 0 && ecdsa)
		return p256_import(
			&own, vectors->ecdsa_public_x, vectors->ecdsa_public_y, vectors->ecdsa_private);
	if (error == 0)
		error = p256_import(
			&own, vectors->ecdh_public_x, vectors->ecdh_public_y, vectors->ecdh_private);
	if (error == 0)
		error = p256_import(
			&peer, vectors->ecdh_peer_x, vectors->ecdh_peer_y, vectors->ecdh_peer_private);
	return error;
}

static void p256_done(void)
{
	wc_ecc_free(&own);
	wc_ecc_free(&peer);
	wc_FreeRng(&rng);
}
#endif

#if defined(HAVE_P256) && defined(HAVE_ECC_DHE)
static int ecdh_run(struct core_work *w)
{
	word32 size = CORE_OUT_ROOM;
	int error = wc_ecc_shared_secret(&own, &peer, w->out, &size);

	w->out_size = size;
	return error;
}

static int ec_keygen_run(struct core_work *w)
{
	int error;

	(void)w;
	wc_ecc_free(&own);
	error = wc_ecc_init(&own);
	return error != 0 ? error : wc_ecc_make_key_ex(&rng, 32, &own, ECC_SECP256R1);
}

static bool ec_answer(struct core_work *w, struct core_why *why)
{
	byte ours[32], theirs[32];
	word32 ours_size = sizeof(ours), theirs_size = sizeof(theirs);
	int error = 0;

	(void)w;
#ifdef ECC_TIMING_RESISTANT
	error = wc_ecc_set_rng(&own, &rng);
#endif
	if (error == 0)
		error = wc_ecc_shared_secret(&own, &peer, ours, &ours_size);
	if (error == 0)
		error = wc_ecc_shared_secret(&peer, &own, theirs, &theirs_size);
	/* This key must not stand for the next one. */
	wc_ecc_free(&own);
	wc_ecc_init(&own);
	if (error != 0)
		return core_refuse(why, "agreeing with the fresh key failed with %d", error);
	return answer_same_secret(ours, ours_size, theirs, theirs_size, why);
}

#define EC_KEYGEN CORE_PROVIDES(EC_P256_KEYGEN, ROUND_TRIP, p256_setup, ec_keygen_run, ec_answer, p256_done)
#define ECDH	  CORE_PROVIDES(ECDH_P256_AGREE, DIGEST, p256_setup, ecdh_run, NULL, p256_done)
#else
#define EC_KEYGEN CORE_LACKS(EC_P256_KEYGEN, "the build has no ECDH over P-256")
#define ECDH	  CORE_LACKS(ECDH_P256_AGREE, "the build has no ECDH over P-256")
#endif

#if defined(HAVE_P256) && defined(HAVE_ECC_SIGN) && defined(HAVE_ECC_VERIFY)
static int sign_run(struct core_work *w)
{
	word32 size = CORE_OUT_ROOM;
	int error =
		wc_ecc_sign_hash(vectors->ecdsa_hash, sizeof(vectors->ecdsa_hash), w->out, &size, &rng, &own);

	w->out_size = size;
	return error;
}

/* 0: this signature is of this hash. */
static int verify(const byte *sig, size_t size, const byte *hash)
{
	int verified = 0;
	int error = wc_ecc_verify_hash(sig, (word32)size, hash, sizeof(vectors->ecdsa_hash), &verified, &own);

	return error == 0 && verified != 1 ? SIG_VERIFY_E : error;
}

static bool sign_answer(struct core_work *w, struct core_why *why)
{
	size_t size = w->out_size;

	w->out_size = 0;
	return answer_verifies(verify, w->out, size, why);
}

static int verify_run(struct core_work *w)
{
	(void)w;
	return verify(vectors->ecdsa_signature, sizeof(vectors->ecdsa_signature), vectors->ecdsa_hash);
}

static bool verify_answer(struct core_work *w, struct core_why *why)
{
	(void)w;
	return answer_verifies(verify, vectors->ecdsa_signature, sizeof(vectors->ecdsa_signature), why);
}

#define SIGN   CORE_PROVIDES(ECDSA_P256_SIGN, VERIFY, p256_setup, sign_run, sign_answer, p256_done)
#define VERIFY CORE_PROVIDES(ECDSA_P256_VERIFY, VERIFY, p256_setup, verify_run, verify_answer, p256_done)
#else
#define SIGN CORE_LACKS(ECDSA_P256_SIGN, "the build has no ECDSA over P-256 with signing and verification")
#define VERIFY                                                                                               \
	CORE_LACKS(ECDSA_P256_VERIFY, "the build has no ECDSA over P-256 with signing and verification")
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
	return wc_GetErrorString(error);
}

static const struct core_operation operations[] = {CBC_ENCRYPT, CBC_DECRYPT, GCM_ENCRYPT, GCM_DECRYPT,
	SHA_256, RSA_PUBLIC, RSA_PRIVATE, DH_KEYGEN, DH_AGREE, EC_KEYGEN, ECDH, SIGN, VERIFY};

const struct core_adapter core_adapter = {"wolfssl", start, version, math, error_text, NOT_COMPILED_IN,
	operations, sizeof(operations) / sizeof(operations[0])};
