/* wolfCrypt's ML-DSA, where it has the final standard's: part of wolfssl.c. Its key follows from a seed; what
 * it signs has random numbers in it, and is proved by verifying it. */
#if defined(WOLFSSL_HAVE_MLDSA) && !defined(WOLFSSL_MLDSA_VERIFY_ONLY) &&                                    \
	!defined(WOLFSSL_MLDSA_FIPS204_DRAFT)
static wc_MlDsaKey ml_dsa, ml_dsa_fresh;
static byte ml_dsa_signature[CORE_OUT_ROOM];
static word32 ml_dsa_size;

static byte ml_dsa_level(const struct core_work *w)
{
	return strcmp(w->algorithm, "ml-dsa-44") == 0	? WC_ML_DSA_44
	       : strcmp(w->algorithm, "ml-dsa-65") == 0 ? WC_ML_DSA_65
							: WC_ML_DSA_87;
}

static int ml_dsa_init(wc_MlDsaKey *key, const struct core_work *w)
{
	int error = wc_MlDsaKey_Init(key, NULL, INVALID_DEVID);

	return error != 0 ? error : wc_MlDsaKey_SetParams(key, ml_dsa_level(w));
}

static int ml_dsa_sign(wc_MlDsaKey *key, const struct core_work *w, byte *out, word32 *size)
{
	*size = CORE_OUT_ROOM;
	return wc_MlDsaKey_SignCtx(key, NULL, 0, out, size, w->in, (word32)w->in_size, &rng);
}

static int ml_dsa_setup(const struct core_work *w)
{
	int error = ml_dsa_init(&ml_dsa, w);

	if (error == 0)
		error = ml_dsa_init(&ml_dsa_fresh, w);
	if (error == 0)
		error = wc_InitRng(&rng);
	if (error == 0)
		error = wc_MlDsaKey_MakeKeyFromSeed(&ml_dsa, w->own.private);
	return error != 0 ? error : ml_dsa_sign(&ml_dsa, w, ml_dsa_signature, &ml_dsa_size);
}

static void ml_dsa_done(void)
{
	wc_MlDsaKey_Free(&ml_dsa);
	wc_MlDsaKey_Free(&ml_dsa_fresh);
	wc_FreeRng(&rng);
}

static int ml_dsa_check(
	wc_MlDsaKey *key, const struct core_work *w, const byte *signature, size_t size, const byte *message)
{
	int good = 0;
	int error = wc_MlDsaKey_VerifyCtx(
		key, signature, (word32)size, NULL, 0, message, (word32)w->in_size, &good);

	return error != 0 || good == 1 ? error : SIG_VERIFY_E;
}

static int ml_dsa_verify(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *message)
{
	return ml_dsa_check(&ml_dsa, w, signature, size, message);
}

static int ml_dsa_verify_fresh(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *message)
{
	return ml_dsa_check(&ml_dsa_fresh, w, signature, size, message);
}

static int ml_dsa_keygen_run(struct core_work *w)
{
	int error;

	wc_MlDsaKey_Free(&ml_dsa_fresh);
	error = ml_dsa_init(&ml_dsa_fresh, w);
	return error != 0 ? error : wc_MlDsaKey_MakeKey(&ml_dsa_fresh, &rng);
}

/* The fresh key signs, and its signature is verified. */
static bool ml_dsa_keygen_answer(struct core_work *w, struct core_why *why)
{
	word32 size;
	int error = ml_dsa_sign(&ml_dsa_fresh, w, w->out, &size);
	bool good = error == 0 ? answer_verifies(ml_dsa_verify_fresh, w, w->out, size, why)
			       : core_refuse(why, "signing with the fresh key failed with %d", error);

	/* This key must not stand for the next one. */
	wc_MlDsaKey_Free(&ml_dsa_fresh);
	ml_dsa_init(&ml_dsa_fresh, w);
	w->out_size = 0;
	return good;
}

static int ml_dsa_sign_run(struct core_work *w)
{
	word32 size;
	int error = ml_dsa_sign(&ml_dsa, w, w->out, &size);

	w->out_size = size;
	return error;
}

static bool ml_dsa_sign_answer(struct core_work *w, struct core_why *why)
{
	size_t size = w->out_size;

	w->out_size = 0;
	return answer_verifies(ml_dsa_verify, w, w->out, size, why);
}

static int ml_dsa_verify_run(struct core_work *w)
{
	w->out_size = 0;
	return ml_dsa_verify(w, ml_dsa_signature, ml_dsa_size, w->in);
}

static bool ml_dsa_verify_answer(struct core_work *w, struct core_why *why)
{
	return answer_verifies(ml_dsa_verify, w, ml_dsa_signature, ml_dsa_size, why);
}

/* clang-format off */
#define ML_DSA(bits) \
	CORE_PROVIDES(ML_DSA_##bits##_KEYGEN, ROUND_TRIP, ml_dsa_setup, ml_dsa_keygen_run, ml_dsa_keygen_answer, ml_dsa_done), \
	CORE_PROVIDES(ML_DSA_##bits##_SIGN, VERIFY, ml_dsa_setup, ml_dsa_sign_run, ml_dsa_sign_answer, ml_dsa_done), \
	CORE_PROVIDES(ML_DSA_##bits##_VERIFY, VERIFY, ml_dsa_setup, ml_dsa_verify_run, ml_dsa_verify_answer, ml_dsa_done)
#else
#define ML_DSA(bits) \
	CORE_LACKS(ML_DSA_##bits##_KEYGEN, "the build has no ML-DSA"), \
	CORE_LACKS(ML_DSA_##bits##_SIGN, "the build has no ML-DSA"), \
	CORE_LACKS(ML_DSA_##bits##_VERIFY, "the build has no ML-DSA")
#endif
#define SIGNATURE_ROWS \
	CORE_LACKS(SM2_SIGN, "the sources of this version have no SM2: it is a package of its own"), \
	CORE_LACKS(SM2_VERIFY, "the sources of this version have no SM2: it is a package of its own"), \
	ML_DSA(44), ML_DSA(65), ML_DSA(87)
/* clang-format on */
