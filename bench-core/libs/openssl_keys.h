/* OpenSSL's public-key operations: part of openssl.c. Of all: our key and the peer's, the one that was
 * generated last, and the operation that is timed. */
static EVP_PKEY *own, *peer, *fresh;
static EVP_PKEY_CTX *operation;
static EVP_MD_CTX *signer;

static void pkey_done(void)
{
	EVP_MD_CTX_free(signer);
	EVP_PKEY_CTX_free(operation);
	EVP_PKEY_free(own);
	EVP_PKEY_free(peer);
	EVP_PKEY_free(fresh);
	signer = NULL;
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
	static const struct {
		const char *name;
		int (*begin)(EVP_PKEY_CTX *);
	} kinds[] = {
		{"public", EVP_PKEY_encrypt_init},
		{"private", EVP_PKEY_decrypt_init},
		{"sign", EVP_PKEY_sign_init},
		{"verify", EVP_PKEY_verify_recover_init},
	};
	const unsigned char *der = w->own.private;
	size_t i = 0;

	while (strcmp(kinds[i].name, w->operation) != 0)
		i++;
	own = d2i_PrivateKey(EVP_PKEY_RSA, NULL, &der, (long)w->own.private_size);
	operation = context_of(own, kinds[i].begin);
	return result(operation != NULL && EVP_PKEY_CTX_set_rsa_padding(operation, RSA_PKCS1_PADDING) == 1);
}

static int rsa_public_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_encrypt(operation, w->out, &w->out_size, w->in, w->in_size) == 1);
}

static int rsa_private_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_decrypt(operation, w->out, &w->out_size, w->in, w->in_size) == 1);
}

static int sign_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_sign(operation, w->out, &w->out_size, w->in, w->in_size) == 1);
}

/* What was signed comes out of it. */
static int rsa_verify_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_PKEY_verify_recover(
			      operation, w->out, &w->out_size, w->signature, w->signature_size) == 1);
}

static int rsa_crypt(EVP_PKEY *key, bool encrypt, unsigned char *out, size_t *size, const unsigned char *in,
	size_t in_size)
{
	EVP_PKEY_CTX *context = context_of(key, encrypt ? EVP_PKEY_encrypt_init : EVP_PKEY_decrypt_init);
	int error = result(
		context != NULL && EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1 &&
		(encrypt ? EVP_PKEY_encrypt : EVP_PKEY_decrypt)(context, out, size, in, in_size) == 1);

	EVP_PKEY_CTX_free(context);
	return error;
}

/* The padding is random, so that only what comes back can be compared between builds. */
static bool rsa_answer(struct core_work *w, struct core_why *why)
{
	static unsigned char plain[512];
	size_t size = sizeof(plain);
	int error = rsa_crypt(own, false, plain, &size, w->out, w->out_size);

	if (error != 0)
		return core_refuse(why, "the private operation refuses the ciphertext with %d", error);
	memcpy(w->out, plain, size);
	w->out_size = size;
	return true;
}

static int rsa_keygen_setup(const struct core_work *w)
{
	operation = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
	return result(operation != NULL && EVP_PKEY_keygen_init(operation) == 1 &&
		      EVP_PKEY_CTX_set_rsa_keygen_bits(operation, (int)w->bits) == 1);
}

static bool rsa_keygen_answer(struct core_work *w, struct core_why *why)
{
	static unsigned char sealed[512], plain[512];
	size_t size = sizeof(sealed), plain_size = sizeof(plain);
	int error = fresh == NULL ? NO_WORDS : rsa_crypt(fresh, true, sealed, &size, w->in, w->in_size);
	int bits = fresh != NULL ? EVP_PKEY_get_bits(fresh) : 0;

	if (error == 0)
		error = rsa_crypt(fresh, false, plain, &plain_size, sealed, size);
	EVP_PKEY_free(fresh);
	fresh = NULL;
	w->out_size = 0;
	if (error != 0)
		return core_refuse(why, "encrypting and decrypting with the fresh key failed with %d", error);
	if (plain_size != w->in_size || memcmp(plain, w->in, plain_size) != 0)
		return core_refuse(why, "the fresh key does not give the text back");
	return bits == (int)w->bits || core_refuse(why, "the fresh key has %d bits", bits);
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

static bool push_public(OSSL_PARAM_BLD *list, const struct core_pair *pair, bool curve, BIGNUM *number)
{
	static unsigned char point[1 + 2 * 66];

	if (!curve)
		return number != NULL && OSSL_PARAM_BLD_push_BN(list, OSSL_PKEY_PARAM_PUB_KEY, number) == 1;
	point[0] = 4; /* both coordinates follow */
	memcpy(point + 1, pair->public, pair->public_size);
	return OSSL_PARAM_BLD_push_octet_string(
		       list, OSSL_PKEY_PARAM_PUB_KEY, point, pair->public_size + 1) == 1;
}

/* A key of a named curve, else of a named group. */
static EVP_PKEY *pair_of(const char *type, const char *group, const struct core_pair *pair)
{
	bool curve = strcmp(type, "DH") != 0;
	OSSL_PARAM_BLD *list = OSSL_PARAM_BLD_new();
	BIGNUM *private = BN_bin2bn(pair->private, (int)pair->private_size, NULL);
	BIGNUM *public = BN_bin2bn(pair->public, (int)pair->public_size, NULL);
	OSSL_PARAM *parameters = NULL;
	EVP_PKEY *key = NULL;

	if (list != NULL && private != NULL &&
		OSSL_PARAM_BLD_push_utf8_string(list, OSSL_PKEY_PARAM_GROUP_NAME, group, 0) == 1 &&
		push_public(list, pair, curve, public) &&
		OSSL_PARAM_BLD_push_BN(list, OSSL_PKEY_PARAM_PRIV_KEY, private) == 1)
		parameters = OSSL_PARAM_BLD_to_param(list);
	if (parameters != NULL)
		key = key_of(type, parameters);
	OSSL_PARAM_free(parameters);
	OSSL_PARAM_BLD_free(list);
	BN_free(private);
	BN_free(public);
	return key;
}

static EVP_PKEY *raw_key(const struct core_work *w, const struct core_pair *pair)
{
	const char *type = strcmp(w->algorithm, "curve25519") == 0 ? "X25519" : w->algorithm;

	return EVP_PKEY_new_raw_private_key_ex(NULL, type, NULL, pair->private, pair->private_size);
}

/* Ready to generate another key like ours, or to agree with the peer. */
static int exchange_setup(const struct core_work *w)
{
	const char *type = strncmp(w->algorithm, "dh-", 3) == 0 ? "DH" : "EC";
	bool keygen = strcmp(w->operation, "keygen") == 0;

	own = w->group != NULL ? pair_of(type, w->group, &w->own) : raw_key(w, &w->own);
	peer = w->group != NULL ? pair_of(type, w->group, &w->peer) : raw_key(w, &w->peer);
	if (own == NULL || peer == NULL)
		return take_error();
	operation = context_of(own, keygen ? EVP_PKEY_keygen_init : EVP_PKEY_derive_init);
	return result(operation != NULL && (keygen || EVP_PKEY_derive_set_peer(operation, peer) == 1));
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
	static unsigned char ours[512], theirs[512];
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
	bool sign = strcmp(w->operation, "sign") == 0;

	own = pair_of(strcmp(w->algorithm, "sm2") == 0 ? "SM2" : "EC", w->group, &w->own);
	operation = context_of(own, sign ? EVP_PKEY_sign_init : EVP_PKEY_verify_init);
	return result(operation != NULL);
}

static int ecdsa_verify_run(struct core_work *w)
{
	w->out_size = 0;
	return result(EVP_PKEY_verify(operation, w->signature, w->signature_size, w->in, w->in_size) == 1);
}

/* 0: this signature is of this hash. */
static int ecdsa_verify(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *of)
{
	EVP_PKEY_CTX *context = context_of(own, EVP_PKEY_verify_init);
	int error = result(context != NULL && EVP_PKEY_verify(context, signature, size, of, w->in_size) == 1);

	EVP_PKEY_CTX_free(context);
	return error;
}

static bool ecdsa_sign_answer(struct core_work *w, struct core_why *why)
{
	size_t size = w->out_size;

	w->out_size = 0;
	return answer_verifies(ecdsa_verify, w, w->out, size, why);
}

static bool ecdsa_verify_answer(struct core_work *w, struct core_why *why)
{
	return answer_verifies(ecdsa_verify, w, w->signature, w->signature_size, why);
}

/* ML-DSA's key follows from a seed. */
static EVP_PKEY *seeded_key(const struct core_work *w)
{
	OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_octet_string("seed", (void *)w->own.private, w->own.private_size),
		OSSL_PARAM_construct_end()};
	EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, w->algorithm, NULL);
	EVP_PKEY *key = NULL;

	if (maker != NULL && EVP_PKEY_keygen_init(maker) == 1 &&
		EVP_PKEY_CTX_set_params(maker, parameters) == 1)
		EVP_PKEY_generate(maker, &key);
	EVP_PKEY_CTX_free(maker);
	return key;
}

static int edwards_setup(const struct core_work *w)
{
	own = strncmp(w->algorithm, "ml-dsa", 6) == 0 ? seeded_key(w) : raw_key(w, &w->own);
	if (own == NULL || (signer = EVP_MD_CTX_new()) == NULL)
		return take_error();
	if (strcmp(w->operation, "keygen") == 0)
		return result((operation = context_of(own, EVP_PKEY_keygen_init)) != NULL);
	if (strcmp(w->operation, "sign") == 0)
		return result(EVP_DigestSignInit_ex(signer, NULL, NULL, NULL, NULL, own, NULL) == 1);
	return result(EVP_DigestVerifyInit_ex(signer, NULL, NULL, NULL, NULL, own, NULL) == 1);
}

/* One context does for one message, from 3.5 on, unless it begins anew with the key that it has. */
static int edwards_sign_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(EVP_DigestSignInit_ex(signer, NULL, NULL, NULL, NULL, NULL, NULL) == 1 &&
		      EVP_DigestSign(signer, w->out, &w->out_size, w->in, w->in_size) == 1);
}

static int edwards_verify(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *message)
{
	return result(EVP_DigestVerifyInit_ex(signer, NULL, NULL, NULL, NULL, NULL, NULL) == 1 &&
		      EVP_DigestVerify(signer, signature, size, message, w->in_size) == 1);
}

static int edwards_verify_run(struct core_work *w)
{
	w->out_size = 0;
	return edwards_verify(w, w->signature, w->signature_size, w->in);
}

static bool edwards_verify_answer(struct core_work *w, struct core_why *why)
{
	return answer_verifies(edwards_verify, w, w->signature, w->signature_size, why);
}

static unsigned char ml_dsa_signature[CORE_OUT_ROOM];
static size_t ml_dsa_size;

/* Beside the context that is timed. 0: this signature is of this message. */
static int ml_dsa_verify(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *message)
{
	EVP_MD_CTX *verifier = EVP_MD_CTX_new();
	int error = result(verifier != NULL &&
			   EVP_DigestVerifyInit_ex(verifier, NULL, NULL, NULL, NULL, own, NULL) == 1 &&
			   EVP_DigestVerify(verifier, signature, size, message, w->in_size) == 1);

	EVP_MD_CTX_free(verifier);
	return error;
}

/* The signature has random numbers in it, and there is none that is published for them: one is made. */
static int ml_dsa_verify_setup(const struct core_work *w)
{
	EVP_MD_CTX *maker = EVP_MD_CTX_new();
	int error = maker != NULL ? edwards_setup(w) : NO_WORDS;

	ml_dsa_size = sizeof(ml_dsa_signature);
	if (error == 0)
		error = result(EVP_DigestSignInit_ex(maker, NULL, NULL, NULL, NULL, own, NULL) == 1 &&
			       EVP_DigestSign(maker, ml_dsa_signature, &ml_dsa_size, w->in, w->in_size) == 1);
	EVP_MD_CTX_free(maker);
	return error;
}

static int ml_dsa_verify_run(struct core_work *w)
{
	w->out_size = 0;
	return edwards_verify(w, ml_dsa_signature, ml_dsa_size, w->in);
}

static bool ml_dsa_sign_answer(struct core_work *w, struct core_why *why)
{
	size_t size = w->out_size;

	w->out_size = 0;
	return answer_verifies(ml_dsa_verify, w, w->out, size, why);
}

static bool ml_dsa_verify_answer(struct core_work *w, struct core_why *why)
{
	return answer_verifies(ml_dsa_verify, w, ml_dsa_signature, ml_dsa_size, why);
}

/* The fresh key signs, and its signature is verified. */
static bool edwards_keygen_answer(struct core_work *w, struct core_why *why)
{
	size_t size = CORE_OUT_ROOM;
	int error = NO_WORDS;
	bool good;

	if (fresh != NULL)
		error = result(EVP_DigestSignInit_ex(signer, NULL, NULL, NULL, NULL, fresh, NULL) == 1 &&
			       EVP_DigestSign(signer, w->out, &size, w->in, w->in_size) == 1);
	EVP_MD_CTX_reset(signer);
	if (error == 0)
		error = result(EVP_DigestVerifyInit_ex(signer, NULL, NULL, NULL, NULL, fresh, NULL) == 1);
	good = error == 0 ? answer_verifies(edwards_verify, w, w->out, size, why)
			  : core_refuse(why, "signing with the fresh key failed with %d", error);
	EVP_MD_CTX_reset(signer);
	EVP_PKEY_free(fresh);
	fresh = NULL;
	w->out_size = 0;
	return good;
}

/* clang-format off */
#define RSA_ROWS(bits) \
	CORE_PROVIDES(RSA_##bits##_PUBLIC, ROUND_TRIP, rsa_setup, rsa_public_run, rsa_answer, pkey_done), \
	CORE_PROVIDES(RSA_##bits##_PRIVATE, DIGEST, rsa_setup, rsa_private_run, NULL, pkey_done), \
	CORE_PROVIDES(RSA_##bits##_SIGN, DIGEST, rsa_setup, sign_run, NULL, pkey_done), \
	CORE_PROVIDES(RSA_##bits##_VERIFY, DIGEST, rsa_setup, rsa_verify_run, NULL, pkey_done)
#define RSA_KEYGEN(bits) CORE_PROVIDES(RSA_##bits##_KEYGEN, ROUND_TRIP, rsa_keygen_setup, keygen_run, rsa_keygen_answer, pkey_done)
#define EXCHANGE(keygen, agree) \
	CORE_PROVIDES(keygen##_KEYGEN, ROUND_TRIP, exchange_setup, keygen_run, keygen_answer, pkey_done), \
	CORE_PROVIDES(agree##_AGREE, DIGEST, exchange_setup, agree_run, NULL, pkey_done)
#define CURVE(id) \
	EXCHANGE(EC_##id, ECDH_##id), \
	CORE_PROVIDES(ECDSA_##id##_SIGN, VERIFY, ecdsa_setup, sign_run, ecdsa_sign_answer, pkey_done), \
	CORE_PROVIDES(ECDSA_##id##_VERIFY, VERIFY, ecdsa_setup, ecdsa_verify_run, ecdsa_verify_answer, pkey_done)
#define EDWARDS(id) \
	CORE_PROVIDES(id##_KEYGEN, ROUND_TRIP, edwards_setup, keygen_run, edwards_keygen_answer, pkey_done), \
	CORE_PROVIDES(id##_SIGN, DIGEST, edwards_setup, edwards_sign_run, NULL, pkey_done), \
	CORE_PROVIDES(id##_VERIFY, VERIFY, edwards_setup, edwards_verify_run, edwards_verify_answer, pkey_done)
#define SM2_ROWS \
	CORE_PROVIDES(SM2_SIGN, VERIFY, ecdsa_setup, sign_run, ecdsa_sign_answer, pkey_done), \
	CORE_PROVIDES(SM2_VERIFY, VERIFY, ecdsa_setup, ecdsa_verify_run, ecdsa_verify_answer, pkey_done)
#define ML_DSA(id) \
	CORE_PROVIDES(id##_KEYGEN, ROUND_TRIP, edwards_setup, keygen_run, edwards_keygen_answer, pkey_done), \
	CORE_PROVIDES(id##_SIGN, VERIFY, edwards_setup, edwards_sign_run, ml_dsa_sign_answer, pkey_done), \
	CORE_PROVIDES(id##_VERIFY, VERIFY, ml_dsa_verify_setup, ml_dsa_verify_run, ml_dsa_verify_answer, pkey_done)
#define SIGNATURE_ROWS SM2_ROWS, ML_DSA(ML_DSA_44), ML_DSA(ML_DSA_65), ML_DSA(ML_DSA_87)
#define KEY_ROWS \
	RSA_ROWS(1024), RSA_ROWS(2048), RSA_ROWS(2056), RSA_ROWS(3072), RSA_ROWS(4096), \
	EXCHANGE(DH_2048, DH_2048), EXCHANGE(DH_3072, DH_3072), EXCHANGE(DH_4096, DH_4096), \
	RSA_KEYGEN(1024), RSA_KEYGEN(2048), RSA_KEYGEN(2056), RSA_KEYGEN(3072), RSA_KEYGEN(4096), \
	CURVE(P256), CURVE(P192), CURVE(P224), CURVE(P384), CURVE(P521), CURVE(SECP256K1), CURVE(BRAINPOOLP256R1), \
	CURVE(BRAINPOOLP384R1), EXCHANGE(CURVE25519, CURVE25519), EDWARDS(ED25519), EXCHANGE(X448, X448), EDWARDS(ED448)
/* clang-format on */
