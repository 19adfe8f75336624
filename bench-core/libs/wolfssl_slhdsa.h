/* wolfCrypt's SLH-DSA: part of wolfssl.c. Its key follows from a seed; what it signs has random numbers in
 * it, and is proved by verifying it. */
#if defined(WOLFSSL_HAVE_SLHDSA) && !defined(WOLFSSL_SLHDSA_VERIFY_ONLY)
static SlhDsaKey slh_dsa, slh_dsa_fresh;
/* Of 256f, the longest of FIPS 205, table 2. */
static byte slh_dsa_signature[49856];
static word32 slh_dsa_size;

/* -1 where the build knows no such set. */
static int slh_dsa_set(const struct core_work *w)
{
	static const struct {
		const char *name;
		int set;
	} sets[] = {
		{"slh-dsa-shake-128s", SLHDSA_SHAKE128S},
		{"slh-dsa-shake-128f", SLHDSA_SHAKE128F},
		{"slh-dsa-shake-192s", SLHDSA_SHAKE192S},
		{"slh-dsa-shake-192f", SLHDSA_SHAKE192F},
		{"slh-dsa-shake-256s", SLHDSA_SHAKE256S},
		{"slh-dsa-shake-256f", SLHDSA_SHAKE256F},
#ifdef WOLFSSL_SLHDSA_SHA2
		{"slh-dsa-sha2-128s", SLHDSA_SHA2_128S},
		{"slh-dsa-sha2-128f", SLHDSA_SHA2_128F},
		{"slh-dsa-sha2-192s", SLHDSA_SHA2_192S},
		{"slh-dsa-sha2-192f", SLHDSA_SHA2_192F},
		{"slh-dsa-sha2-256s", SLHDSA_SHA2_256S},
		{"slh-dsa-sha2-256f", SLHDSA_SHA2_256F},
#endif
	};

	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
		if (strcmp(sets[i].name, w->algorithm) == 0)
			return sets[i].set;
	return -1;
}

/* The sets that a build leaves out have no length. */
static int slh_dsa_init(SlhDsaKey *key, const struct core_work *w)
{
	int set = slh_dsa_set(w);

	if (set < 0 || wc_SlhDsaKey_SigSizeFromParam((enum SlhDsaParam)set) <= 0)
		return lacks("the build has not this parameter set");
	return wc_SlhDsaKey_Init(key, (enum SlhDsaParam)set, NULL, INVALID_DEVID);
}

static int slh_dsa_sign(SlhDsaKey *key, const struct core_work *w)
{
	slh_dsa_size = sizeof(slh_dsa_signature);
	return wc_SlhDsaKey_Sign(
		key, NULL, 0, w->in, (word32)w->in_size, slh_dsa_signature, &slh_dsa_size, &rng);
}

static int slh_dsa_setup(const struct core_work *w)
{
	const byte *seed = w->own.private;
	word32 n = (word32)w->own.private_size / 3;
	int error = slh_dsa_init(&slh_dsa, w);

	if (error == 0)
		error = slh_dsa_init(&slh_dsa_fresh, w);
	if (error == 0)
		error = wc_InitRng(&rng);
	return error != 0 ? error
			  : wc_SlhDsaKey_MakeKeyWithRandom(&slh_dsa, seed, n, seed + n, n, seed + 2 * n, n);
}

static int slh_dsa_verify_setup(const struct core_work *w)
{
	int error = slh_dsa_setup(w);

	return error != 0 ? error : slh_dsa_sign(&slh_dsa, w);
}

static void slh_dsa_done(void)
{
	wc_SlhDsaKey_Free(&slh_dsa);
	wc_SlhDsaKey_Free(&slh_dsa_fresh);
	wc_FreeRng(&rng);
}

static int slh_dsa_verify(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *message)
{
	return wc_SlhDsaKey_Verify(&slh_dsa, NULL, 0, message, (word32)w->in_size, signature, (word32)size);
}

static int slh_dsa_verify_fresh(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *message)
{
	return wc_SlhDsaKey_Verify(
		&slh_dsa_fresh, NULL, 0, message, (word32)w->in_size, signature, (word32)size);
}

static int slh_dsa_keygen_run(struct core_work *w)
{
	int error;

	w->out_size = 0;
	wc_SlhDsaKey_Free(&slh_dsa_fresh);
	error = slh_dsa_init(&slh_dsa_fresh, w);
	return error != 0 ? error : wc_SlhDsaKey_MakeKey(&slh_dsa_fresh, &rng);
}

/* The fresh key signs, and its signature is verified. */
static bool slh_dsa_keygen_answer(struct core_work *w, struct core_why *why)
{
	int error = slh_dsa_sign(&slh_dsa_fresh, w);
	bool good = error == 0
			    ? answer_verifies(slh_dsa_verify_fresh, w, slh_dsa_signature, slh_dsa_size, why)
			    : core_refuse(why, "signing with the fresh key failed with %d", error);

	/* This key must not stand for the next one. */
	wc_SlhDsaKey_Free(&slh_dsa_fresh);
	slh_dsa_init(&slh_dsa_fresh, w);
	return good;
}

static int slh_dsa_sign_run(struct core_work *w)
{
	w->out_size = 0;
	return slh_dsa_sign(&slh_dsa, w);
}

static int slh_dsa_verify_run(struct core_work *w)
{
	w->out_size = 0;
	return slh_dsa_verify(w, slh_dsa_signature, slh_dsa_size, w->in);
}

static bool slh_dsa_answer(struct core_work *w, struct core_why *why)
{
	return answer_verifies(slh_dsa_verify, w, slh_dsa_signature, slh_dsa_size, why);
}

/* clang-format off */
#define SLH_DSA(set) \
	CORE_PROVIDES(SLH_DSA_##set##_KEYGEN, ROUND_TRIP, slh_dsa_setup, slh_dsa_keygen_run, slh_dsa_keygen_answer, slh_dsa_done), \
	CORE_PROVIDES(SLH_DSA_##set##_SIGN, VERIFY, slh_dsa_setup, slh_dsa_sign_run, slh_dsa_answer, slh_dsa_done), \
	CORE_PROVIDES(SLH_DSA_##set##_VERIFY, VERIFY, slh_dsa_verify_setup, slh_dsa_verify_run, slh_dsa_answer, slh_dsa_done)
#else
#define SLH_DSA(set) \
	CORE_LACKS(SLH_DSA_##set##_KEYGEN, "the build has no SLH-DSA"), \
	CORE_LACKS(SLH_DSA_##set##_SIGN, "the build has no SLH-DSA"), \
	CORE_LACKS(SLH_DSA_##set##_VERIFY, "the build has no SLH-DSA")
#endif
/* clang-format on */

#define SLHDSA_ROWS                                                                                          \
	SLH_DSA(SHA2_128S), SLH_DSA(SHA2_128F), SLH_DSA(SHA2_192S), SLH_DSA(SHA2_192F), SLH_DSA(SHA2_256S),  \
		SLH_DSA(SHA2_256F), SLH_DSA(SHAKE_128S), SLH_DSA(SHAKE_128F), SLH_DSA(SHAKE_192S),           \
		SLH_DSA(SHAKE_192F), SLH_DSA(SHAKE_256S), SLH_DSA(SHAKE_256F)
