/* wolfCrypt's elliptic curves: part of wolfssl.c. */
#if defined(HAVE_ECC) && defined(HAVE_ECC_KEY_IMPORT)
static ecc_key own, peer;

/* ECC_CURVE_INVALID where the build has it not. */
static int curve_of(const struct core_work *w)
{
	static const struct {
		const char *name;
		int id;
	} curves[] = {
		{"P-192", ECC_SECP192R1},
		{"P-224", ECC_SECP224R1},
		{"P-256", ECC_SECP256R1},
		{"P-384", ECC_SECP384R1},
		{"P-521", ECC_SECP521R1},
		{"secp256k1", ECC_SECP256K1},
		{"brainpoolP256r1", ECC_BRAINPOOLP256R1},
		{"brainpoolP384r1", ECC_BRAINPOOLP384R1},
	};

	for (size_t i = 0; i < sizeof(curves) / sizeof(curves[0]); i++)
		if (strcmp(curves[i].name, w->group) == 0)
			return wc_ecc_get_curve_size_from_id(curves[i].id) > 0 ? curves[i].id
									       : ECC_CURVE_INVALID;
	return ECC_CURVE_INVALID;
}

static const char *curve_lacks(const struct core_work *w)
{
#ifdef ECC_MIN_KEY_SZ
	if (8 * w->own.private_size < ECC_MIN_KEY_SZ)
		return "the build has no curve below " NUMBER(ECC_MIN_KEY_SZ) " bits";
#endif
	(void)w;
	return "the build has not this curve";
}

static int ec_randomise(ecc_key *key)
{
#ifdef ECC_TIMING_RESISTANT
	return wc_ecc_set_rng(key, &rng);
#else
	(void)key;
	return 0;
#endif
}

static int ec_import(ecc_key *key, const struct core_pair *pair, int curve)
{
	size_t size = pair->public_size / 2;
	int error = wc_ecc_import_unsigned(key, pair->public, pair->public + size, pair->private, curve);

	return error != 0 ? error : ec_randomise(key);
}

static int ec_setup(const struct core_work *w)
{
	int error = wc_InitRng(&rng), own_error = wc_ecc_init(&own), peer_error = wc_ecc_init(&peer);
	int curve = curve_of(w);

	error = error != 0 ? error : own_error != 0 ? own_error : peer_error;
	if (error == 0 && curve == ECC_CURVE_INVALID)
		error = lacks(curve_lacks(w));
	if (error == 0)
		error = ec_import(&own, &w->own, curve);
	if (error == 0 && w->peer.public != NULL)
		error = ec_import(&peer, &w->peer, curve);
	return error;
}

static void ec_done(void)
{
	wc_ecc_free(&own);
	wc_ecc_free(&peer);
	wc_FreeRng(&rng);
}
#endif

#if defined(HAVE_ECC) && defined(HAVE_ECC_KEY_IMPORT) && defined(HAVE_ECC_DHE)
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

	wc_ecc_free(&own);
	error = wc_ecc_init(&own);
	return error != 0 ? error : wc_ecc_make_key_ex(&rng, (int)w->own.private_size, &own, curve_of(w));
}

static bool ec_answer(struct core_work *w, struct core_why *why)
{
	byte ours[MAX_ECC_BYTES], theirs[MAX_ECC_BYTES];
	word32 ours_size = sizeof(ours), theirs_size = sizeof(theirs);
	int error = ec_randomise(&own);

	(void)w;
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

#define ECDH(curve)                                                                                          \
	CORE_PROVIDES(EC_##curve##_KEYGEN, ROUND_TRIP, ec_setup, ec_keygen_run, ec_answer, ec_done),         \
		CORE_PROVIDES(ECDH_##curve##_AGREE, DIGEST, ec_setup, ecdh_run, NULL, ec_done)
#else
#define ECDH(curve)                                                                                          \
	CORE_LACKS(EC_##curve##_KEYGEN, "the build has no ECDH"),                                            \
		CORE_LACKS(ECDH_##curve##_AGREE, "the build has no ECDH")
#endif

#if defined(HAVE_ECC) && defined(HAVE_ECC_KEY_IMPORT) && defined(HAVE_ECC_SIGN) && defined(HAVE_ECC_VERIFY)
static int ecdsa_sign_run(struct core_work *w)
{
	word32 size = CORE_OUT_ROOM;
	int error = wc_ecc_sign_hash(w->in, (word32)w->in_size, w->out, &size, &rng, &own);

	w->out_size = size;
	return error;
}

static int ecdsa_verify(
	const struct core_work *w, const unsigned char *signature, size_t size, const unsigned char *hash)
{
	int verified = 0;
	int error = wc_ecc_verify_hash(signature, (word32)size, hash, (word32)w->in_size, &verified, &own);

	return error == 0 && verified != 1 ? SIG_VERIFY_E : error;
}

static bool ecdsa_sign_answer(struct core_work *w, struct core_why *why)
{
	size_t size = w->out_size;

	w->out_size = 0;
	return answer_verifies(ecdsa_verify, w, w->out, size, why);
}

static int ecdsa_verify_run(struct core_work *w)
{
	return ecdsa_verify(w, w->signature, w->signature_size, w->in);
}

static bool ecdsa_verify_answer(struct core_work *w, struct core_why *why)
{
	return answer_verifies(ecdsa_verify, w, w->signature, w->signature_size, why);
}

#define ECDSA(curve)                                                                                         \
	CORE_PROVIDES(ECDSA_##curve##_SIGN, VERIFY, ec_setup, ecdsa_sign_run, ecdsa_sign_answer, ec_done),   \
		CORE_PROVIDES(ECDSA_##curve##_VERIFY, VERIFY, ec_setup, ecdsa_verify_run,                    \
			ecdsa_verify_answer, ec_done)
#else
#define ECDSA(curve)                                                                                         \
	CORE_LACKS(ECDSA_##curve##_SIGN, "the build has no ECDSA with signing and verification"),            \
		CORE_LACKS(ECDSA_##curve##_VERIFY, "the build has no ECDSA with signing and verification")
#endif

/* Curve25519 and Curve448 have functions of the same names. */
#define MONTGOMERY(n, size, randomise)                                                                       \
	static curve##n##_key own##n, peer##n;                                                               \
                                                                                                             \
	static int import##n(curve##n##_key *key, const struct core_pair *pair)                              \
	{                                                                                                    \
		int error = wc_curve##n##_import_private_raw_ex(pair->private, (word32)pair->private_size,   \
			pair->public, (word32)pair->public_size, key, EC##n##_LITTLE_ENDIAN);                \
		return error != 0 ? error : randomise;                                                       \
	}                                                                                                    \
                                                                                                             \
	static int montgomery##n##_setup(const struct core_work *w)                                          \
	{                                                                                                    \
		int error = wc_InitRng(&rng), own_error = wc_curve##n##_init(&own##n);                       \
		int peer_error = wc_curve##n##_init(&peer##n);                                               \
                                                                                                             \
		error = error != 0 ? error : own_error != 0 ? own_error : peer_error;                        \
		if (error == 0)                                                                              \
			error = import##n(&own##n, &w->own);                                                 \
		return error != 0 ? error : import##n(&peer##n, &w->peer);                                   \
	}                                                                                                    \
                                                                                                             \
	static void montgomery##n##_done(void)                                                               \
	{                                                                                                    \
		wc_curve##n##_free(&own##n);                                                                 \
		wc_curve##n##_free(&peer##n);                                                                \
		wc_FreeRng(&rng);                                                                            \
	}                                                                                                    \
                                                                                                             \
	static int montgomery##n##_agree_run(struct core_work *w)                                            \
	{                                                                                                    \
		word32 length = CORE_OUT_ROOM;                                                               \
		int error = wc_curve##n##_shared_secret_ex(                                                  \
			&own##n, &peer##n, w->out, &length, EC##n##_LITTLE_ENDIAN);                          \
                                                                                                             \
		w->out_size = length;                                                                        \
		return error;                                                                                \
	}                                                                                                    \
                                                                                                             \
	static int montgomery##n##_keygen_run(struct core_work *w)                                           \
	{                                                                                                    \
		int error;                                                                                   \
                                                                                                             \
		(void)w;                                                                                     \
		wc_curve##n##_free(&own##n);                                                                 \
		error = wc_curve##n##_init(&own##n);                                                         \
		return error != 0 ? error : wc_curve##n##_make_key(&rng, size, &own##n);                     \
	}                                                                                                    \
                                                                                                             \
	static bool montgomery##n##_answer(struct core_work *w, struct core_why *why)                        \
	{                                                                                                    \
		byte ours[size], theirs[size];                                                               \
		word32 ours_size = sizeof(ours), theirs_size = sizeof(theirs);                               \
		curve##n##_key *key = &own##n;                                                               \
		int error = randomise;                                                                       \
                                                                                                             \
		(void)w;                                                                                     \
		(void)key;                                                                                   \
		if (error == 0)                                                                              \
			error = wc_curve##n##_shared_secret_ex(                                              \
				&own##n, &peer##n, ours, &ours_size, EC##n##_LITTLE_ENDIAN);                 \
		if (error == 0)                                                                              \
			error = wc_curve##n##_shared_secret_ex(                                              \
				&peer##n, &own##n, theirs, &theirs_size, EC##n##_LITTLE_ENDIAN);             \
		wc_curve##n##_free(&own##n);                                                                 \
		wc_curve##n##_init(&own##n);                                                                 \
		if (error != 0)                                                                              \
			return core_refuse(why, "agreeing with the fresh key failed with %d", error);        \
		return answer_same_secret(ours, ours_size, theirs, theirs_size, why);                        \
	}
#define MONTGOMERY_ROWS(id, n)                                                                               \
	CORE_PROVIDES(id##_KEYGEN, ROUND_TRIP, montgomery##n##_setup, montgomery##n##_keygen_run,            \
		montgomery##n##_answer, montgomery##n##_done),                                               \
		CORE_PROVIDES(id##_AGREE, DIGEST, montgomery##n##_setup, montgomery##n##_agree_run, NULL,    \
			montgomery##n##_done)

#if defined(HAVE_CURVE25519) && defined(WOLFSSL_CURVE25519_BLINDING)
MONTGOMERY(25519, CURVE25519_KEYSIZE, wc_curve25519_set_rng(key, &rng))
#elif defined(HAVE_CURVE25519)
MONTGOMERY(25519, CURVE25519_KEYSIZE, 0)
#endif
#ifdef HAVE_CURVE25519
#define CURVE25519_ROWS MONTGOMERY_ROWS(CURVE25519, 25519)
#else
#define CURVE25519_ROWS                                                                                      \
	CORE_LACKS(CURVE25519_KEYGEN, "the build has no Curve25519"),                                        \
		CORE_LACKS(CURVE25519_AGREE, "the build has no Curve25519")
#endif

#ifdef HAVE_CURVE448
MONTGOMERY(448, CURVE448_KEY_SIZE, 0)
#define CURVE448_ROWS MONTGOMERY_ROWS(X448, 448)
#else
#define CURVE448_ROWS                                                                                        \
	CORE_LACKS(X448_KEYGEN, "the build has no Curve448"),                                                \
		CORE_LACKS(X448_AGREE, "the build has no Curve448")
#endif

/* Signatures follow from key and message alone. `context` is what Ed448 takes besides. */
#define EDWARDS(n, size, context)                                                                            \
	static ed##n##_key signer##n;                                                                        \
                                                                                                             \
	static int edwards##n##_setup(const struct core_work *w)                                             \
	{                                                                                                    \
		int error = wc_InitRng(&rng), key_error = wc_ed##n##_init(&signer##n);                       \
                                                                                                             \
		error = error != 0 ? error : key_error;                                                      \
		return error != 0                                                                            \
			       ? error                                                                       \
			       : wc_ed##n##_import_private_key(w->own.private, (word32)w->own.private_size,  \
					 w->own.public, (word32)w->own.public_size, &signer##n);             \
	}                                                                                                    \
                                                                                                             \
	static void edwards##n##_done(void)                                                                  \
	{                                                                                                    \
		wc_ed##n##_free(&signer##n);                                                                 \
		wc_FreeRng(&rng);                                                                            \
	}                                                                                                    \
                                                                                                             \
	static int edwards##n##_sign_run(struct core_work *w)                                                \
	{                                                                                                    \
		word32 length = CORE_OUT_ROOM;                                                               \
		int error =                                                                                  \
			wc_ed##n##_sign_msg(w->in, (word32)w->in_size, w->out, &length, &signer##n context); \
                                                                                                             \
		w->out_size = length;                                                                        \
		return error;                                                                                \
	}                                                                                                    \
                                                                                                             \
	static int edwards##n##_verify(const struct core_work *w, const unsigned char *signature,            \
		size_t length, const unsigned char *message)                                                 \
	{                                                                                                    \
		int good = 0;                                                                                \
		int error = wc_ed##n##_verify_msg(                                                           \
			signature, (word32)length, message, (word32)w->in_size, &good, &signer##n context);  \
                                                                                                             \
		return error == 0 && good != 1 ? SIG_VERIFY_E : error;                                       \
	}                                                                                                    \
                                                                                                             \
	static int edwards##n##_verify_run(struct core_work *w)                                              \
	{                                                                                                    \
		return edwards##n##_verify(w, w->signature, w->signature_size, w->in);                       \
	}                                                                                                    \
                                                                                                             \
	static bool edwards##n##_verify_answer(struct core_work *w, struct core_why *why)                    \
	{                                                                                                    \
		return answer_verifies(edwards##n##_verify, w, w->signature, w->signature_size, why);        \
	}                                                                                                    \
                                                                                                             \
	static int edwards##n##_keygen_run(struct core_work *w)                                              \
	{                                                                                                    \
		int error;                                                                                   \
                                                                                                             \
		(void)w;                                                                                     \
		wc_ed##n##_free(&signer##n);                                                                 \
		error = wc_ed##n##_init(&signer##n);                                                         \
		return error != 0 ? error : wc_ed##n##_make_key(&rng, size, &signer##n);                     \
	}                                                                                                    \
                                                                                                             \
	static bool edwards##n##_keygen_answer(struct core_work *w, struct core_why *why)                    \
	{                                                                                                    \
		int error = edwards##n##_sign_run(w);                                                        \
		size_t length = w->out_size;                                                                 \
		bool good = error == 0                                                                       \
				    ? answer_verifies(edwards##n##_verify, w, w->out, length, why)           \
				    : core_refuse(why, "signing with the fresh key failed with %d", error);  \
                                                                                                             \
		w->out_size = 0;                                                                             \
		wc_ed##n##_free(&signer##n);                                                                 \
		wc_ed##n##_init(&signer##n);                                                                 \
		return good;                                                                                 \
	}
#define EDWARDS_ROWS(id, n)                                                                                  \
	CORE_PROVIDES(id##_KEYGEN, ROUND_TRIP, edwards##n##_setup, edwards##n##_keygen_run,                  \
		edwards##n##_keygen_answer, edwards##n##_done),                                              \
		CORE_PROVIDES(id##_SIGN, DIGEST, edwards##n##_setup, edwards##n##_sign_run, NULL,            \
			edwards##n##_done),                                                                  \
		CORE_PROVIDES(id##_VERIFY, VERIFY, edwards##n##_setup, edwards##n##_verify_run,              \
			edwards##n##_verify_answer, edwards##n##_done)
#define NO_EDWARDS(id, why)                                                                                  \
	CORE_LACKS(id##_KEYGEN, why), CORE_LACKS(id##_SIGN, why), CORE_LACKS(id##_VERIFY, why)

#ifdef HAVE_ED25519
EDWARDS(25519, ED25519_KEY_SIZE, )
#define ED25519_ROWS EDWARDS_ROWS(ED25519, 25519)
#else
#define ED25519_ROWS NO_EDWARDS(ED25519, "the build has no Ed25519")
#endif

#ifdef HAVE_ED448
#define NO_CONTEXT , NULL, 0
EDWARDS(448, ED448_KEY_SIZE, NO_CONTEXT)
#define ED448_ROWS EDWARDS_ROWS(ED448, 448)
#else
#define ED448_ROWS NO_EDWARDS(ED448, "the build has no Ed448")
#endif

#define CURVE(curve) ECDH(curve), ECDSA(curve)
#define CURVE_ROWS                                                                                           \
	CURVE(P256), CURVE(P192), CURVE(P224), CURVE(P384), CURVE(P521), CURVE(SECP256K1),                   \
		CURVE(BRAINPOOLP256R1), CURVE(BRAINPOOLP384R1), CURVE25519_ROWS, ED25519_ROWS,               \
		CURVE448_ROWS, ED448_ROWS
