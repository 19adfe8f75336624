/* wolfCrypt's RSA and Diffie-Hellman: part of wolfssl.c. The size follows from the key or the group. */
#define MODULUS_BYTES 512

/* The longest modulus that this build computes with, as far as its settings tell. */
#if (defined(WOLFSSL_SP_MATH_ALL) || defined(WOLFSSL_SP_MATH)) && defined(SP_INT_BITS)
#define MODULUS_BITS_MAX SP_INT_BITS
#elif defined(USE_FAST_MATH) && defined(FP_MAX_BITS)
#define MODULUS_BITS_MAX (FP_MAX_BITS / 2)
#else
#define MODULUS_BITS_MAX (8 * MODULUS_BYTES)
#endif

static inline int modulus_check(const struct core_work *w)
{
	return w->bits > MODULUS_BITS_MAX ? lacks("the numbers of this build are too short for the key") : 0;
}

#if !defined(NO_RSA) && !defined(WOLFSSL_RSA_PUBLIC_ONLY)
static RsaKey rsa;

static int rsa_blind(void)
{
#ifdef WC_RSA_BLINDING
	return wc_RsaSetRNG(&rsa, &rng);
#else
	return 0;
#endif
}

static int rsa_begin(const struct core_work *w)
{
	int error = wc_InitRsaKey(&rsa, NULL);

	if (error == 0)
		error = wc_InitRng(&rng);
	return error != 0 ? error : modulus_check(w);
}

static int rsa_setup(const struct core_work *w)
{
	word32 used = 0;
	int error = rsa_begin(w);

	if (error == 0)
		error = wc_RsaPrivateKeyDecode(w->own.private, &used, &rsa, (word32)w->own.private_size);
	return error != 0 ? error : rsa_blind();
}

static void rsa_done(void)
{
	wc_FreeRsaKey(&rsa);
	wc_FreeRng(&rng);
}

/* The library tells the size of its output and its errors with one number. */
static int rsa_result(struct core_work *w, int size)
{
	w->out_size = size > 0 ? (size_t)size : 0;
	return size < 0 ? size : 0;
}

static int rsa_public_run(struct core_work *w)
{
	return rsa_result(
		w, wc_RsaPublicEncrypt(w->in, (word32)w->in_size, w->out, CORE_OUT_ROOM, &rsa, &rng));
}

/* The padding is random, so that only what comes back can be compared between builds. */
static bool rsa_answer(struct core_work *w, struct core_why *why)
{
	static byte plain[MODULUS_BYTES];
	int size = wc_RsaPrivateDecrypt(w->out, (word32)w->out_size, plain, sizeof(plain), &rsa);

	if (size < 0)
		return core_refuse(why, "the private operation refuses the ciphertext with %d", size);
	memcpy(w->out, plain, (size_t)size);
	w->out_size = (size_t)size;
	return true;
}

static int rsa_private_run(struct core_work *w)
{
	return rsa_result(w, wc_RsaPrivateDecrypt(w->in, (word32)w->in_size, w->out, CORE_OUT_ROOM, &rsa));
}

static int rsa_sign_run(struct core_work *w)
{
	return rsa_result(w, wc_RsaSSL_Sign(w->in, (word32)w->in_size, w->out, CORE_OUT_ROOM, &rsa, &rng));
}

/* What was signed comes out of it. */
static int rsa_verify_run(struct core_work *w)
{
	return rsa_result(
		w, wc_RsaSSL_Verify(w->signature, (word32)w->signature_size, w->out, CORE_OUT_ROOM, &rsa));
}

#define RSA(bits)                                                                                            \
	CORE_PROVIDES(RSA_##bits##_PUBLIC, ROUND_TRIP, rsa_setup, rsa_public_run, rsa_answer, rsa_done),     \
		CORE_PROVIDES(RSA_##bits##_PRIVATE, DIGEST, rsa_setup, rsa_private_run, NULL, rsa_done),     \
		CORE_PROVIDES(RSA_##bits##_SIGN, DIGEST, rsa_setup, rsa_sign_run, NULL, rsa_done),           \
		CORE_PROVIDES(RSA_##bits##_VERIFY, DIGEST, rsa_setup, rsa_verify_run, NULL, rsa_done)
#else
#define NO_PRIVATE_RSA "the build has no RSA with private keys"
#define RSA(bits)                                                                                            \
	CORE_LACKS(RSA_##bits##_PUBLIC, NO_PRIVATE_RSA), CORE_LACKS(RSA_##bits##_PRIVATE, NO_PRIVATE_RSA),   \
		CORE_LACKS(RSA_##bits##_SIGN, NO_PRIVATE_RSA),                                               \
		CORE_LACKS(RSA_##bits##_VERIFY, NO_PRIVATE_RSA)
#endif

#if !defined(NO_RSA) && !defined(WOLFSSL_RSA_PUBLIC_ONLY) && defined(WOLFSSL_KEY_GEN)
static int rsa_keygen_setup(const struct core_work *w)
{
	int error = rsa_begin(w);

#ifdef RSA_MIN_SIZE
	if (error == 0 && w->bits < (unsigned)RSA_MIN_SIZE)
		return lacks("the build makes no RSA key below " NUMBER(RSA_MIN_SIZE) " bits");
#endif
	return error;
}

static int rsa_keygen_run(struct core_work *w)
{
	int error;

	wc_FreeRsaKey(&rsa);
	error = wc_InitRsaKey(&rsa, NULL);
	return error != 0 ? error : wc_MakeRsaKey(&rsa, (int)w->bits, WC_RSA_EXPONENT, &rng);
}

static bool rsa_keygen_answer(struct core_work *w, struct core_why *why)
{
	int error = rsa_blind();
	bool good;

	w->out_size = 0;
	if (error == 0)
		error = rsa_public_run(w);
	if (error != 0)
		return core_refuse(why, "encrypting with the fresh key failed with %d", error);
	good = wc_RsaEncryptSize(&rsa) == (int)(w->bits + 7) / 8 ||
	       core_refuse(why, "the fresh key has %d bytes", wc_RsaEncryptSize(&rsa));
	good = good && rsa_answer(w, why);
	if (good && (w->out_size != w->in_size || memcmp(w->out, w->in, w->in_size) != 0))
		good = core_refuse(why, "the fresh key does not give the text back");
	/* This key must not stand for the next one. */
	wc_FreeRsaKey(&rsa);
	wc_InitRsaKey(&rsa, NULL);
	w->out_size = 0;
	return good;
}
#define RSA_KEYGEN(bits)                                                                                     \
	CORE_PROVIDES(RSA_##bits##_KEYGEN, ROUND_TRIP, rsa_keygen_setup, rsa_keygen_run, rsa_keygen_answer,  \
		rsa_done)
#else
#define RSA_KEYGEN(bits) CORE_LACKS(RSA_##bits##_KEYGEN, "the build has no generation of RSA keys")
#endif

#ifndef NO_DH
static DhKey dh;
static byte dh_fresh[MODULUS_BYTES];
static word32 dh_fresh_size;

static int dh_setup(const struct core_work *w)
{
	static const byte generator[] = {2};
	int error = wc_InitDhKey(&dh);

	if (error == 0)
		error = wc_InitRng(&rng);
	if (error == 0)
		error = modulus_check(w);
	return error != 0 ? error
			  : wc_DhSetKey(&dh, w->prime, (word32)w->prime_size, generator, sizeof(generator));
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
	static byte ours[MODULUS_BYTES], theirs[MODULUS_BYTES];
	word32 ours_size = sizeof(ours), theirs_size = sizeof(theirs);
	int error = wc_DhAgree(
		&dh, ours, &ours_size, dh_fresh, dh_fresh_size, w->peer.public, (word32)w->peer.public_size);

	if (error == 0)
		error = wc_DhAgree(&dh, theirs, &theirs_size, w->peer.private, (word32)w->peer.private_size,
			w->out, (word32)w->out_size);
	w->out_size = 0;
	if (error != 0)
		return core_refuse(why, "agreeing with the fresh key failed with %d", error);
	return answer_same_secret(ours, ours_size, theirs, theirs_size, why);
}

static int dh_agree_run(struct core_work *w)
{
	word32 size = CORE_OUT_ROOM;
	int error = wc_DhAgree(&dh, w->out, &size, w->own.private, (word32)w->own.private_size,
		w->peer.public, (word32)w->peer.public_size);

	w->out_size = size;
	return error;
}

#define DH(bits)                                                                                             \
	CORE_PROVIDES(DH_##bits##_KEYGEN, ROUND_TRIP, dh_setup, dh_keygen_run, dh_answer, dh_done),          \
		CORE_PROVIDES(DH_##bits##_AGREE, DIGEST, dh_setup, dh_agree_run, NULL, dh_done)
#else
#define DH(bits)                                                                                             \
	CORE_LACKS(DH_##bits##_KEYGEN, "the build has no DH"),                                               \
		CORE_LACKS(DH_##bits##_AGREE, "the build has no DH")
#endif

#define RSA_DH_ROWS                                                                                          \
	RSA(1024), RSA(2048), RSA(2056), RSA(3072), RSA(4096), DH(2048), DH(3072), DH(4096),                 \
		RSA_KEYGEN(1024), RSA_KEYGEN(2048),                                                          \
		CORE_LACKS(                                                                                  \
			RSA_2056_KEYGEN, "its primes have whole bytes: asked for 2056 bits it makes 2048"),  \
		RSA_KEYGEN(3072), RSA_KEYGEN(4096)
