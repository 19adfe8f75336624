/* OpenSSL 3's libcrypto through EVP: algorithms are fetched and contexts made in setup, once. */
#include "adapter.h"
#include "answers.h"
#include "seed_stream.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

/* A random source of one's own is set by a function that 3.0 calls deprecated, and keeps. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
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

static EVP_CIPHER_CTX *cipher;

static int cipher_setup(const struct core_work *w, const char *name, bool encrypt)
{
	EVP_CIPHER *fetched = EVP_CIPHER_fetch(NULL, name, NULL);
	bool good = fetched != NULL && (cipher = EVP_CIPHER_CTX_new()) != NULL &&
		    EVP_CipherInit_ex2(cipher, fetched, w->key, NULL, encrypt, NULL) == 1 &&
		    EVP_CIPHER_CTX_set_padding(cipher, 0) == 1;

	EVP_CIPHER_free(fetched);
	return result(good);
}

static void cipher_done(void)
{
	EVP_CIPHER_CTX_free(cipher);
	cipher = NULL;
}

static int aes_cbc_setup(const struct core_work *w)
{
	return cipher_setup(w, "AES-128-CBC", w->id == CORE_AES_128_CBC_ENCRYPT);
}

static int sm4_cbc_setup(const struct core_work *w)
{
	return cipher_setup(w, "SM4-CBC", w->id == CORE_SM4_CBC_ENCRYPT);
}

/* The chain starts anew with each operation: otherwise the output would depend on how many came before.
 * Without padding the last block comes out at once, and nothing is left for EVP_CipherFinal_ex(). */
static int cbc_run(struct core_work *w)
{
	int size = 0;
	bool good = EVP_CipherInit_ex2(cipher, NULL, NULL, w->iv, -1, NULL) == 1 &&
		    EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1;

	w->out_size = (size_t)size;
	return result(good);
}

static int gcm_setup(const struct core_work *w)
{
	return cipher_setup(w, "AES-128-GCM", w->id == CORE_AES_128_GCM_ENCRYPT);
}

static bool gcm_begin(const struct core_work *w)
{
	int size;

	return EVP_CipherInit_ex2(cipher, NULL, NULL, w->iv, -1, NULL) == 1 &&
	       EVP_CipherUpdate(cipher, NULL, &size, w->aad, (int)w->aad_size) == 1;
}

static int gcm_encrypt_run(struct core_work *w)
{
	int size = 0, rest = 0;
	bool good = gcm_begin(w) && EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1 &&
		    EVP_CipherFinal_ex(cipher, w->out + size, &rest) == 1 &&
		    EVP_CIPHER_CTX_ctrl(
			    cipher, EVP_CTRL_AEAD_GET_TAG, (int)w->tag_size, w->out + w->in_size) == 1;

	w->out_size = (size_t)(size + rest) + w->tag_size;
	return result(good);
}

static int gcm_decrypt_run(struct core_work *w)
{
	int size = 0, rest = 0;
	bool good =
		gcm_begin(w) &&
		EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, (int)w->tag_size, (void *)w->tag) == 1 &&
		EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1 &&
		EVP_CipherFinal_ex(cipher, w->out + size, &rest) == 1;

	w->out_size = (size_t)(size + rest);
	return result(good);
}

static EVP_MD *digest;
static EVP_MD_CTX *hash;

static int hash_setup(const char *name)
{
	digest = EVP_MD_fetch(NULL, name, NULL);
	return result(digest != NULL && (hash = EVP_MD_CTX_new()) != NULL);
}

static int sha_256_setup(const struct core_work *w)
{
	(void)w;
	return hash_setup("SHA2-256");
}

static int sm3_setup(const struct core_work *w)
{
	(void)w;
	return hash_setup("SM3");
}

static int hash_run(struct core_work *w)
{
	unsigned int size = 0;
	bool good = EVP_DigestInit_ex2(hash, digest, NULL) == 1 &&
		    EVP_DigestUpdate(hash, w->in, w->in_size) == 1 &&
		    EVP_DigestFinal_ex(hash, w->out, &size) == 1;

	w->out_size = size;
	return result(good);
}

static void hash_done(void)
{
	EVP_MD_CTX_free(hash);
	EVP_MD_free(digest);
	hash = NULL;
	digest = NULL;
}

/* Of all public-key benchmarks: our key and the peer's, the one that was generated last, and the operation
 * that is timed. */
static EVP_PKEY *own, *peer, *fresh;
static EVP_PKEY_CTX *operation;

static void pkey_done(void)
{
	EVP_PKEY_CTX_free(operation);
	EVP_PKEY_free(own);
	EVP_PKEY_free(peer);
	EVP_PKEY_free(fresh);
	operation = NULL;
	own = peer = fresh = NULL;
}

static EVP_PKEY_CTX *context_of(EVP_PKEY *key, int (*begin)(EVP_PKEY_CTX *))
{
	EVP_PKEY_CTX *context = key != NULL ? EVP_PKEY_CTX_new_from_pkey(NULL, key, NULL) : NULL;

	if (context != NULL && begin(context) == 1)
		return context;
	EVP_PKEY_CTX_free(context);
	return NULL;
}

static int rsa_setup(const struct core_work *w)
{
	bool encrypt = w->id == CORE_RSA_2048_PUBLIC;
	const unsigned char *der = vectors->rsa_key;

	own = d2i_PrivateKey(EVP_PKEY_RSA, NULL, &der, sizeof(vectors->rsa_key));
	operation = context_of(own, encrypt ? EVP_PKEY_encrypt_init : EVP_PKEY_decrypt_init);
	return result(operation != NULL && EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_PADDING) == 1);
}

static int rsa_public_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_encrypt(operation, w->out, &w->out_size, vectors->rsa_plain,
			      sizeof(vectors->rsa_plain)) == 1);
}

static int rsa_private_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_decrypt(operation, w->out, &w->out_size, vectors->rsa_cipher,
			      sizeof(vectors->rsa_cipher)) == 1);
}

/* The padding is random, so that only what comes back can be compared between builds. */
static bool rsa_answer(struct core_work *w, struct core_why *why)
{
	static unsigned char plain[256];
	size_t size = sizeof(plain);
	EVP_PKEY_CTX *back = context_of(own, EVP_PKEY_decrypt_init);
	int error = result(back != NULL && EVP_PKEY_CTX_set_rsa_padding(back, RSA_PKCS1_PADDING) == 1 &&
			   EVP_PKEY_decrypt(back, plain, &size, w->out, w->out_size) == 1);

	EVP_PKEY_CTX_free(back);
	if (error != 0)
		return core_refuse(why, "the private operation refuses the ciphertext with %d", error);
	memcpy(w->out, plain, size);
	w->out_size = size;
	return true;
}

static EVP_PKEY *key_of(const char *type, OSSL_PARAM *parameters)
{
	EVP_PKEY *key = NULL;
	EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);

	if (maker != NULL && EVP_PKEY_fromdata_init(maker) == 1)
		EVP_PKEY_fromdata(maker, &key, EVP_PKEY_KEYPAIR, parameters);
	EVP_PKEY_CTX_free(maker);
	return key;
}

static EVP_PKEY *p256_key(const unsigned char *x, const unsigned char *y, const unsigned char *private)
{
	unsigned char point[65] = {4}; /* both coordinates follow */
	OSSL_PARAM_BLD *list = OSSL_PARAM_BLD_new();
	BIGNUM *number = BN_bin2bn(private, 32, NULL);
	OSSL_PARAM *parameters = NULL;
	EVP_PKEY *key = NULL;

	memcpy(point + 1, x, 32);
	memcpy(point + 33, y, 32);
	if (list != NULL && number != NULL &&
		OSSL_PARAM_BLD_push_utf8_string(list, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1 &&
		OSSL_PARAM_BLD_push_octet_string(list, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) == 1 &&
		OSSL_PARAM_BLD_push_BN(list, OSSL_PKEY_PARAM_PRIV_KEY, number) == 1)
		parameters = OSSL_PARAM_BLD_to_param(list);
	if (parameters != NULL)
		key = key_of("EC", parameters);
	OSSL_PARAM_free(parameters);
	OSSL_PARAM_BLD_free(list);
	BN_free(number);
	return key;
}

static EVP_PKEY *dh_key(const unsigned char *public, const unsigned char *private)
{
	OSSL_PARAM_BLD *list = OSSL_PARAM_BLD_new();
	BIGNUM *ours = BN_bin2bn(private, sizeof(vectors->dh_private), NULL);
	BIGNUM *theirs = BN_bin2bn(public, sizeof(vectors->dh_public), NULL);
	OSSL_PARAM *parameters = NULL;
	EVP_PKEY *key = NULL;

	if (list != NULL && ours != NULL && theirs != NULL &&
		OSSL_PARAM_BLD_push_utf8_string(list, OSSL_PKEY_PARAM_GROUP_NAME, "ffdhe2048", 0) == 1 &&
		OSSL_PARAM_BLD_push_BN(list, OSSL_PKEY_PARAM_PUB_KEY, theirs) == 1 &&
		OSSL_PARAM_BLD_push_BN(list, OSSL_PKEY_PARAM_PRIV_KEY, ours) == 1)
		parameters = OSSL_PARAM_BLD_to_param(list);
	if (parameters != NULL)
		key = key_of("DH", parameters);
	OSSL_PARAM_free(parameters);
	OSSL_PARAM_BLD_free(list);
	BN_free(ours);
	BN_free(theirs);
	return key;
}

/* With the keys made: ready to generate another, or to agree. */
static int exchange_setup(bool keygen)
{
	if (own == NULL || peer == NULL)
		return take_error();
	operation = context_of(own, keygen ? EVP_PKEY_keygen_init : EVP_PKEY_derive_init);
	return result(operation != NULL && (keygen || EVP_PKEY_derive_set_peer(operation, peer) == 1));
}

static int dh_setup(const struct core_work *w)
{
	own = dh_key(vectors->dh_public, vectors->dh_private);
	peer = dh_key(vectors->dh_peer_public, vectors->dh_peer_private);
	return exchange_setup(w->id == CORE_DH_2048_KEYGEN);
}

static int ec_setup(const struct core_work *w)
{
	own = p256_key(vectors->ecdh_public_x, vectors->ecdh_public_y, vectors->ecdh_private);
	peer = p256_key(vectors->ecdh_peer_x, vectors->ecdh_peer_y, vectors->ecdh_peer_private);
	return exchange_setup(w->id == CORE_EC_P256_KEYGEN);
}

static int keygen_run(struct core_work *w)
{
	(void)w;
	EVP_PKEY_free(fresh);
	fresh = NULL;
	return result(EVP_PKEY_generate(operation, &fresh) == 1);
}

static int agree_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_derive(operation, w->out, &w->out_size) == 1);
}

static int agree(EVP_PKEY *private, EVP_PKEY *public, unsigned char *secret, size_t *size)
{
	EVP_PKEY_CTX *context = context_of(private, EVP_PKEY_derive_init);
	int error = result(context != NULL && EVP_PKEY_derive_set_peer(context, public) == 1 &&
			   EVP_PKEY_derive(context, secret, size) == 1);

	EVP_PKEY_CTX_free(context);
	return error;
}

static bool keygen_answer(struct core_work *w, struct core_why *why)
{
	static unsigned char ours[256], theirs[256];
	size_t ours_size = sizeof(ours), theirs_size = sizeof(theirs);
	int error = fresh == NULL ? NO_WORDS : agree(fresh, peer, ours, &ours_size);

	if (error == 0)
		error = agree(peer, fresh, theirs, &theirs_size);
	/* This key must not stand for the next one. */
	EVP_PKEY_free(fresh);
	fresh = NULL;
	w->out_size = 0;
	if (error != 0)
		return core_refuse(why, "agreeing with the fresh key failed with %d", error);
	return answer_same_secret(ours, ours_size, theirs, theirs_size, why);
}

static int ecdsa_setup(const struct core_work *w)
{
	bool sign = w->id == CORE_ECDSA_P256_SIGN;

	own = p256_key(vectors->ecdsa_public_x, vectors->ecdsa_public_y, vectors->ecdsa_private);
	operation = context_of(own, sign ? EVP_PKEY_sign_init : EVP_PKEY_verify_init);
	return result(operation != NULL);
}

static int sign_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_sign(operation, w->out, &w->out_size, vectors->ecdsa_hash,
			      sizeof(vectors->ecdsa_hash)) == 1);
}

static int verify_run(struct core_work *w)
{
	w->out_size = 0;
	return result(EVP_PKEY_verify(operation, vectors->ecdsa_signature, sizeof(vectors->ecdsa_signature),
			      vectors->ecdsa_hash, sizeof(vectors->ecdsa_hash)) == 1);
}

/* 0: this signature is of this hash. */
static int verify(const unsigned char *signature, size_t size, const unsigned char *of)
{
	EVP_PKEY_CTX *context = context_of(own, EVP_PKEY_verify_init);
	int error = result(context != NULL &&
			   EVP_PKEY_verify(context, signature, size, of, sizeof(vectors->ecdsa_hash)) == 1);

	EVP_PKEY_CTX_free(context);
	return error;
}

static bool sign_answer(struct core_work *w, struct core_why *why)
{
	size_t size = w->out_size;

	w->out_size = 0;
	return answer_verifies(verify, w->out, size, why);
}

static bool verify_answer(struct core_work *w, struct core_why *why)
{
	(void)w;
	return answer_verifies(verify, vectors->ecdsa_signature, sizeof(vectors->ecdsa_signature), why);
}

static int random_bytes(unsigned char *out, int size)
{
	seed_bytes(out, (size_t)size);
	return 1;
}

static int random_status(void)
{
	return 1;
}

static bool start(struct core_why *why)
{
	/* In the place of the library's generators, for padding, blinding, keys and nonces alike. */
	static const RAND_METHOD seeded = {NULL, random_bytes, NULL, NULL, random_bytes, random_status};

	if (OpenSSL_version_num() != (unsigned long)OPENSSL_VERSION_NUMBER)
		return core_refuse(why, "the library is version %s, its headers are of %s",
			OpenSSL_version(OPENSSL_FULL_VERSION_STRING), OPENSSL_FULL_VERSION_STR);
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
	return error == NO_WORDS ? "refused" : ERR_reason_error_string((unsigned long)error);
}

static const struct core_operation operations[] = {
	CORE_PROVIDES(AES_128_CBC_ENCRYPT, DIGEST, aes_cbc_setup, cbc_run, NULL, cipher_done),
	CORE_PROVIDES(AES_128_CBC_DECRYPT, DIGEST, aes_cbc_setup, cbc_run, NULL, cipher_done),
	CORE_PROVIDES(AES_128_GCM_ENCRYPT, DIGEST, gcm_setup, gcm_encrypt_run, NULL, cipher_done),
	CORE_PROVIDES(AES_128_GCM_DECRYPT, DIGEST, gcm_setup, gcm_decrypt_run, NULL, cipher_done),
	CORE_PROVIDES(SM4_CBC_ENCRYPT, DIGEST, sm4_cbc_setup, cbc_run, NULL, cipher_done),
	CORE_PROVIDES(SM4_CBC_DECRYPT, DIGEST, sm4_cbc_setup, cbc_run, NULL, cipher_done),
	CORE_PROVIDES(SHA_256_HASH, DIGEST, sha_256_setup, hash_run, NULL, hash_done),
	CORE_PROVIDES(SM3_HASH, DIGEST, sm3_setup, hash_run, NULL, hash_done),
	CORE_PROVIDES(RSA_2048_PUBLIC, ROUND_TRIP, rsa_setup, rsa_public_run, rsa_answer, pkey_done),
	CORE_PROVIDES(RSA_2048_PRIVATE, DIGEST, rsa_setup, rsa_private_run, NULL, pkey_done),
	CORE_PROVIDES(DH_2048_KEYGEN, ROUND_TRIP, dh_setup, keygen_run, keygen_answer, pkey_done),
	CORE_PROVIDES(DH_2048_AGREE, DIGEST, dh_setup, agree_run, NULL, pkey_done),
	CORE_PROVIDES(EC_P256_KEYGEN, ROUND_TRIP, ec_setup, keygen_run, keygen_answer, pkey_done),
	CORE_PROVIDES(ECDH_P256_AGREE, DIGEST, ec_setup, agree_run, NULL, pkey_done),
	CORE_PROVIDES(ECDSA_P256_SIGN, VERIFY, ecdsa_setup, sign_run, sign_answer, pkey_done),
	CORE_PROVIDES(ECDSA_P256_VERIFY, VERIFY, ecdsa_setup, verify_run, verify_answer, pkey_done),
};

const struct core_adapter core_adapter = {"openssl", start, version, math, error_text, NOT_COMPILED_IN,
	operations, sizeof(operations) / sizeof(operations[0])};
