/* wolfCrypt's key derivation: part of wolfssl.c. */
static inline int derive_setup(const struct core_work *w)
{
	(void)w;
	return 0;
}

static inline void derive_done(void)
{
}

#if !defined(NO_HMAC) && defined(HAVE_HKDF)
static int hkdf_run(struct core_work *w)
{
	w->out_size = w->want;
	return wc_HKDF(WC_HASH_TYPE_SHA256, w->key, (word32)w->key_size, w->iv, (word32)w->iv_size, w->aad,
		(word32)w->aad_size, w->out, (word32)w->want);
}
#define HKDF CORE_PROVIDES(HKDF_SHA_256_DERIVE, DIGEST, derive_setup, hkdf_run, NULL, derive_done)
#else
#define HKDF CORE_LACKS(HKDF_SHA_256_DERIVE, "the build has no HKDF")
#endif

#if !defined(NO_PWDBASED) && !defined(NO_HMAC) && !defined(NO_SHA256)
static int pbkdf2_run(struct core_work *w)
{
	w->out_size = w->want;
	return wc_PBKDF2(w->out, w->key, (int)w->key_size, w->iv, (int)w->iv_size, 1000, (int)w->want,
		WC_HASH_TYPE_SHA256);
}
#define PBKDF2                                                                                               \
	CORE_PROVIDES(PBKDF2_HMAC_SHA_256_1000_32_DERIVE, DIGEST, derive_setup, pbkdf2_run, NULL, derive_done)
#else
#define PBKDF2 CORE_LACKS(PBKDF2_HMAC_SHA_256_1000_32_DERIVE, "the build has no PBKDF2")
#endif

#if !defined(NO_PWDBASED) && defined(HAVE_SCRYPT)
/* The cost is the logarithm: 2^14. */
static int scrypt_run(struct core_work *w)
{
	w->out_size = w->want;
	return wc_scrypt(w->out, w->key, (int)w->key_size, w->iv, (int)w->iv_size, 14, 8, 1, (int)w->want);
}
#define SCRYPT CORE_PROVIDES(SCRYPT_16384_8_1_DERIVE, DIGEST, derive_setup, scrypt_run, NULL, derive_done)
#else
#define SCRYPT CORE_LACKS(SCRYPT_16384_8_1_DERIVE, "the build has no scrypt")
#endif

#define KDF_ROWS HKDF, PBKDF2, SCRYPT
