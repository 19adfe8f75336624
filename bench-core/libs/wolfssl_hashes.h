/* wolfCrypt's hashes and message authentication codes: part of wolfssl.c. */

/* One hash of one message: init, update, final. The expressions have `s`, its state, and `w`. */
#define HASH(name, type, init, update, final, unmake, size)                                                  \
	static type name##_of_message;                                                                       \
                                                                                                             \
	static int name##_setup(const struct core_work *w)                                                   \
	{                                                                                                    \
		type *s = &name##_of_message;                                                                \
		(void)w;                                                                                     \
		return init;                                                                                 \
	}                                                                                                    \
                                                                                                             \
	static int name##_run(struct core_work *w)                                                           \
	{                                                                                                    \
		type *s = &name##_of_message;                                                                \
		int error = init;                                                                            \
                                                                                                             \
		if (error == 0)                                                                              \
			error = update(s, w->in, (word32)w->in_size);                                        \
		if (error == 0)                                                                              \
			error = final;                                                                       \
		w->out_size = size;                                                                          \
		return error;                                                                                \
	}                                                                                                    \
                                                                                                             \
	static void name##_done(void)                                                                        \
	{                                                                                                    \
		type *s = &name##_of_message;                                                                \
		(void)s;                                                                                     \
		unmake;                                                                                      \
	}
#define HASH_ROW(id, name) CORE_PROVIDES(id##_HASH, DIGEST, name##_setup, name##_run, NULL, name##_done)
#define NO_HASH(id, name)  CORE_LACKS(id##_HASH, "the build has no " name)

#ifndef NO_MD5
HASH(md5, wc_Md5, wc_InitMd5_ex(s, NULL, INVALID_DEVID), wc_Md5Update, wc_Md5Final(s, w->out), wc_Md5Free(s),
	WC_MD5_DIGEST_SIZE)
#define MD5_ROW HASH_ROW(MD5, md5)
#else
#define MD5_ROW NO_HASH(MD5, "MD5")
#endif

#ifndef NO_SHA
HASH(sha1, wc_Sha, wc_InitSha_ex(s, NULL, INVALID_DEVID), wc_ShaUpdate, wc_ShaFinal(s, w->out), wc_ShaFree(s),
	WC_SHA_DIGEST_SIZE)
#define SHA_1_ROW HASH_ROW(SHA_1, sha1)
#else
#define SHA_1_ROW NO_HASH(SHA_1, "SHA-1")
#endif

#ifdef WOLFSSL_SHA224
HASH(sha224, wc_Sha224, wc_InitSha224_ex(s, NULL, INVALID_DEVID), wc_Sha224Update, wc_Sha224Final(s, w->out),
	wc_Sha224Free(s), WC_SHA224_DIGEST_SIZE)
#define SHA_224_ROW HASH_ROW(SHA_224, sha224)
#else
#define SHA_224_ROW NO_HASH(SHA_224, "SHA-224")
#endif

#ifndef NO_SHA256
HASH(sha256, wc_Sha256, wc_InitSha256_ex(s, NULL, INVALID_DEVID), wc_Sha256Update, wc_Sha256Final(s, w->out),
	wc_Sha256Free(s), WC_SHA256_DIGEST_SIZE)
#define SHA_256_ROW HASH_ROW(SHA_256, sha256)
#else
#define SHA_256_ROW NO_HASH(SHA_256, "SHA-256")
#endif

#ifdef WOLFSSL_SHA384
HASH(sha384, wc_Sha384, wc_InitSha384_ex(s, NULL, INVALID_DEVID), wc_Sha384Update, wc_Sha384Final(s, w->out),
	wc_Sha384Free(s), WC_SHA384_DIGEST_SIZE)
#define SHA_384_ROW HASH_ROW(SHA_384, sha384)
#else
#define SHA_384_ROW NO_HASH(SHA_384, "SHA-384")
#endif

#ifdef WOLFSSL_SHA512
HASH(sha512, wc_Sha512, wc_InitSha512_ex(s, NULL, INVALID_DEVID), wc_Sha512Update, wc_Sha512Final(s, w->out),
	wc_Sha512Free(s), WC_SHA512_DIGEST_SIZE)
#define SHA_512_ROW HASH_ROW(SHA_512, sha512)
#else
#define SHA_512_ROW NO_HASH(SHA_512, "SHA-512")
#endif

#if defined(WOLFSSL_SHA512) && !defined(WOLFSSL_NOSHA512_224) && LIBWOLFSSL_VERSION_HEX >= 0x05000000
HASH(sha512_224, wc_Sha512_224, wc_InitSha512_224_ex(s, NULL, INVALID_DEVID), wc_Sha512_224Update,
	wc_Sha512_224Final(s, w->out), wc_Sha512_224Free(s), WC_SHA512_224_DIGEST_SIZE)
#define SHA_512_224_ROW HASH_ROW(SHA_512_224, sha512_224)
#else
#define SHA_512_224_ROW NO_HASH(SHA_512_224, "SHA-512/224")
#endif

#if defined(WOLFSSL_SHA512) && !defined(WOLFSSL_NOSHA512_256) && LIBWOLFSSL_VERSION_HEX >= 0x05000000
HASH(sha512_256, wc_Sha512_256, wc_InitSha512_256_ex(s, NULL, INVALID_DEVID), wc_Sha512_256Update,
	wc_Sha512_256Final(s, w->out), wc_Sha512_256Free(s), WC_SHA512_256_DIGEST_SIZE)
#define SHA_512_256_ROW HASH_ROW(SHA_512_256, sha512_256)
#else
#define SHA_512_256_ROW NO_HASH(SHA_512_256, "SHA-512/256")
#endif

#define SHA3_HASH(bits)                                                                                      \
	HASH(sha3_##bits, wc_Sha3, wc_InitSha3_##bits(s, NULL, INVALID_DEVID), wc_Sha3_##bits##_Update,      \
		wc_Sha3_##bits##_Final(s, w->out), wc_Sha3_##bits##_Free(s), bits / 8)
#if defined(WOLFSSL_SHA3) && !defined(WOLFSSL_NOSHA3_224)
SHA3_HASH(224)
#define SHA3_224_ROW HASH_ROW(SHA3_224, sha3_224)
#else
#define SHA3_224_ROW NO_HASH(SHA3_224, "SHA3-224")
#endif
#if defined(WOLFSSL_SHA3) && !defined(WOLFSSL_NOSHA3_256)
SHA3_HASH(256)
#define SHA3_256_ROW HASH_ROW(SHA3_256, sha3_256)
#else
#define SHA3_256_ROW NO_HASH(SHA3_256, "SHA3-256")
#endif
#if defined(WOLFSSL_SHA3) && !defined(WOLFSSL_NOSHA3_384)
SHA3_HASH(384)
#define SHA3_384_ROW HASH_ROW(SHA3_384, sha3_384)
#else
#define SHA3_384_ROW NO_HASH(SHA3_384, "SHA3-384")
#endif
#if defined(WOLFSSL_SHA3) && !defined(WOLFSSL_NOSHA3_512)
SHA3_HASH(512)
#define SHA3_512_ROW HASH_ROW(SHA3_512, sha3_512)
#else
#define SHA3_512_ROW NO_HASH(SHA3_512, "SHA3-512")
#endif

/* The length of its answer is ours to choose: twice the strength. */
#ifdef WOLFSSL_SHAKE128
HASH(shake128, wc_Shake, wc_InitShake128(s, NULL, INVALID_DEVID), wc_Shake128_Update,
	wc_Shake128_Final(s, w->out, 32), wc_Shake128_Free(s), 32)
#define SHAKE128_ROW HASH_ROW(SHAKE128, shake128)
#else
#define SHAKE128_ROW NO_HASH(SHAKE128, "SHAKE128")
#endif

#ifdef WOLFSSL_SHAKE256
HASH(shake256, wc_Shake, wc_InitShake256(s, NULL, INVALID_DEVID), wc_Shake256_Update,
	wc_Shake256_Final(s, w->out, 64), wc_Shake256_Free(s), 64)
#define SHAKE256_ROW HASH_ROW(SHAKE256, shake256)
#else
#define SHAKE256_ROW NO_HASH(SHAKE256, "SHAKE256")
#endif

/* From 5.9 on the first is not defined. */
#if defined(HAVE_BLAKE2) || defined(HAVE_BLAKE2B)
HASH(blake2b, Blake2b, wc_InitBlake2b(s, 64), wc_Blake2bUpdate, wc_Blake2bFinal(s, w->out, 64), (void)0, 64)
#define BLAKE2B_ROW HASH_ROW(BLAKE2B, blake2b)
#else
#define BLAKE2B_ROW NO_HASH(BLAKE2B, "BLAKE2b")
#endif

#ifdef HAVE_BLAKE2S
HASH(blake2s, Blake2s, wc_InitBlake2s(s, 32), wc_Blake2sUpdate, wc_Blake2sFinal(s, w->out, 32), (void)0, 32)
#define BLAKE2S_ROW HASH_ROW(BLAKE2S, blake2s)
#else
#define BLAKE2S_ROW NO_HASH(BLAKE2S, "BLAKE2s")
#endif

#ifdef WOLFSSL_RIPEMD
HASH(ripemd, RipeMd, wc_InitRipeMd(s), wc_RipeMdUpdate, wc_RipeMdFinal(s, w->out), (void)0,
	RIPEMD_DIGEST_SIZE)
#define RIPEMD_160_ROW HASH_ROW(RIPEMD_160, ripemd)
#else
#define RIPEMD_160_ROW NO_HASH(RIPEMD_160, "RIPEMD-160")
#endif

#ifndef NO_HMAC
static Hmac hmac;

/* The type follows from the algorithm's name. */
static int hmac_type(const char *algorithm)
{
	static const struct {
		const char *name;
		int type;
	} types[] = {
		{"hmac-md5", WC_HASH_TYPE_MD5},
		{"hmac-sha-1", WC_HASH_TYPE_SHA},
		{"hmac-sha-224", WC_HASH_TYPE_SHA224},
		{"hmac-sha-256", WC_HASH_TYPE_SHA256},
		{"hmac-sha-384", WC_HASH_TYPE_SHA384},
		{"hmac-sha-512", WC_HASH_TYPE_SHA512},
		{"hmac-sha3-224", WC_HASH_TYPE_SHA3_224},
		{"hmac-sha3-256", WC_HASH_TYPE_SHA3_256},
		{"hmac-sha3-384", WC_HASH_TYPE_SHA3_384},
		{"hmac-sha3-512", WC_HASH_TYPE_SHA3_512},
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(types[i].name, algorithm) == 0)
			return types[i].type;
	return WC_HASH_TYPE_NONE;
}

static int hmac_setup(const struct core_work *w)
{
	int error = wc_HmacInit(&hmac, NULL, INVALID_DEVID);

	return error != 0 ? error
			  : wc_HmacSetKey(&hmac, hmac_type(w->algorithm), w->key, (word32)w->key_size);
}

/* The key stays. */
static int hmac_run(struct core_work *w)
{
	int error = wc_HmacUpdate(&hmac, w->in, (word32)w->in_size);
	int size = wc_HmacSizeByType(hmac.macType);

	w->out_size = size > 0 ? (size_t)size : 0;
	return error != 0 ? error : wc_HmacFinal(&hmac, w->out);
}

static void hmac_done(void)
{
	wc_HmacFree(&hmac);
}
#define HMAC_ROW(id) CORE_PROVIDES(HMAC_##id##_MAC, DIGEST, hmac_setup, hmac_run, NULL, hmac_done)
#endif
#define NO_HMAC_ROW(id, name) CORE_LACKS(HMAC_##id##_MAC, "the build has no HMAC with " name)

#if !defined(NO_HMAC) && !defined(NO_MD5)
#define HMAC_MD5_ROW HMAC_ROW(MD5)
#else
#define HMAC_MD5_ROW NO_HMAC_ROW(MD5, "MD5")
#endif
#if !defined(NO_HMAC) && !defined(NO_SHA)
#define HMAC_SHA_1_ROW HMAC_ROW(SHA_1)
#else
#define HMAC_SHA_1_ROW NO_HMAC_ROW(SHA_1, "SHA-1")
#endif
#if !defined(NO_HMAC) && defined(WOLFSSL_SHA224)
#define HMAC_SHA_224_ROW HMAC_ROW(SHA_224)
#else
#define HMAC_SHA_224_ROW NO_HMAC_ROW(SHA_224, "SHA-224")
#endif
#if !defined(NO_HMAC) && !defined(NO_SHA256)
#define HMAC_SHA_256_ROW HMAC_ROW(SHA_256)
#else
#define HMAC_SHA_256_ROW NO_HMAC_ROW(SHA_256, "SHA-256")
#endif
#if !defined(NO_HMAC) && defined(WOLFSSL_SHA384)
#define HMAC_SHA_384_ROW HMAC_ROW(SHA_384)
#else
#define HMAC_SHA_384_ROW NO_HMAC_ROW(SHA_384, "SHA-384")
#endif
#if !defined(NO_HMAC) && defined(WOLFSSL_SHA512)
#define HMAC_SHA_512_ROW HMAC_ROW(SHA_512)
#else
#define HMAC_SHA_512_ROW NO_HMAC_ROW(SHA_512, "SHA-512")
#endif
#if !defined(NO_HMAC) && defined(WOLFSSL_SHA3)
#define HMAC_SHA3_ROW(bits) HMAC_ROW(SHA3_##bits)
#else
#define HMAC_SHA3_ROW(bits) NO_HMAC_ROW(SHA3_##bits, "SHA-3")
#endif

#if !defined(NO_AES) && defined(WOLFSSL_CMAC)
static Cmac cmac;

static int cmac_setup(const struct core_work *w)
{
	(void)w;
	return 0;
}

/* It has no way to begin anew under its key: making the key's schedule is part of it. */
static int cmac_run(struct core_work *w)
{
	word32 size = 16;
	int error = wc_InitCmac(&cmac, w->key, (word32)w->key_size, WC_CMAC_AES, NULL);

	if (error == 0)
		error = wc_CmacUpdate(&cmac, w->in, (word32)w->in_size);
	if (error == 0)
		error = wc_CmacFinal(&cmac, w->out, &size);
	w->out_size = size;
	return error;
}

static void cmac_done(void)
{
}
#define CMAC(bits) CORE_PROVIDES(AES_##bits##_CMAC_MAC, DIGEST, cmac_setup, cmac_run, NULL, cmac_done)
#else
#define CMAC(bits) CORE_LACKS(AES_##bits##_CMAC_MAC, "the build has no AES-CMAC")
#endif

#if !defined(NO_AES) && defined(HAVE_AESGCM)
static Gmac gmac;

static int gmac_setup(const struct core_work *w)
{
	int error = wc_AesInit(&gmac.aes, NULL, INVALID_DEVID);

	return error != 0 ? error : wc_GmacSetKey(&gmac, w->key, (word32)w->key_size);
}

static int gmac_run(struct core_work *w)
{
	w->out_size = 16;
	return wc_GmacUpdate(
		&gmac, w->iv, (word32)w->iv_size, w->in, (word32)w->in_size, w->out, (word32)w->out_size);
}

static void gmac_done(void)
{
	wc_AesFree(&gmac.aes);
}
#define GMAC(bits) CORE_PROVIDES(AES_##bits##_GMAC_MAC, DIGEST, gmac_setup, gmac_run, NULL, gmac_done)
#else
#define GMAC(bits) CORE_LACKS(AES_##bits##_GMAC_MAC, "the build has no AES-GMAC")
#endif

#ifdef HAVE_POLY1305
static Poly1305 poly1305;

static int poly1305_setup(const struct core_work *w)
{
	(void)w;
	return 0;
}

/* Its key is for one message. */
static int poly1305_run(struct core_work *w)
{
	int error = wc_Poly1305SetKey(&poly1305, w->key, (word32)w->key_size);

	if (error == 0)
		error = wc_Poly1305Update(&poly1305, w->in, (word32)w->in_size);
	if (error == 0)
		error = wc_Poly1305Final(&poly1305, w->out);
	w->out_size = 16;
	return error;
}

static void poly1305_done(void)
{
}
#define POLY1305_ROW CORE_PROVIDES(POLY1305_MAC, DIGEST, poly1305_setup, poly1305_run, NULL, poly1305_done)
#else
#define POLY1305_ROW CORE_LACKS(POLY1305_MAC, "the build has no Poly1305")
#endif

/* clang-format off */
#define HASH_ROWS \
	SHA_256_ROW, MD5_ROW, SHA_1_ROW, SHA_224_ROW, SHA_384_ROW, SHA_512_ROW, SHA_512_224_ROW, SHA_512_256_ROW, \
	SHA3_224_ROW, SHA3_256_ROW, SHA3_384_ROW, SHA3_512_ROW, SHAKE128_ROW, SHAKE256_ROW, BLAKE2B_ROW, BLAKE2S_ROW, \
	RIPEMD_160_ROW, CORE_LACKS(SM3_HASH, "the sources of this version have no SM3: it is a package of its own")
#define MAC_ROWS \
	HMAC_MD5_ROW, HMAC_SHA_1_ROW, HMAC_SHA_224_ROW, HMAC_SHA_256_ROW, HMAC_SHA_384_ROW, HMAC_SHA_512_ROW, \
	HMAC_SHA3_ROW(224), HMAC_SHA3_ROW(256), HMAC_SHA3_ROW(384), HMAC_SHA3_ROW(512), \
	CMAC(128), CMAC(192), CMAC(256), GMAC(128), GMAC(192), GMAC(256), POLY1305_ROW
/* clang-format on */
