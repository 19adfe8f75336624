/* OpenSSL's ciphers, hashes and message authentication codes: part of openssl.c. The algorithm's name of
 * schema/benchmarks.def is OpenSSL's too, except for those in `names`; what the build has not, fetching it
 * tells. */
static const char *evp_name(const char *algorithm)
{
	static const char *const names[][2] = {
		{"3des-cbc", "DES-EDE3-CBC"},
		{"arc4", "RC4"},
		{"sha-512-224", "SHA-512/224"},
		{"sha-512-256", "SHA-512/256"},
		{"sha-224", "SHA-224"},
		{"blake2b", "BLAKE2B-512"},
		{"blake2s", "BLAKE2S-256"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i][0], algorithm) == 0)
			return names[i][1];
	return algorithm;
}

static EVP_CIPHER_CTX *cipher;

static int cipher_setup(const struct core_work *w)
{
	EVP_CIPHER *fetched = EVP_CIPHER_fetch(NULL, evp_name(w->algorithm), NULL);
	bool good = fetched != NULL && (cipher = EVP_CIPHER_CTX_new()) != NULL &&
		    EVP_CipherInit_ex2(cipher, fetched, NULL, NULL, !w->decrypts, NULL) == 1;

	/* Sizes that are not the cipher's own come before the key; CCM's tag too. */
	if (good && w->iv_size > 0 && EVP_CIPHER_CTX_get_iv_length(cipher) != (int)w->iv_size)
		good = EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_IVLEN, (int)w->iv_size, NULL) == 1;
	if (good && w->tag_size > 0 && EVP_CIPHER_CTX_get_mode(cipher) == EVP_CIPH_CCM_MODE)
		good = EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, (int)w->tag_size, (void *)w->tag) ==
		       1;
	good = good && EVP_CipherInit_ex2(cipher, NULL, w->key, NULL, -1, NULL) == 1 &&
	       EVP_CIPHER_CTX_set_padding(cipher, 0) == 1;
	EVP_CIPHER_free(fetched);
	return result(good);
}

static void cipher_done(void)
{
	EVP_CIPHER_CTX_free(cipher);
	cipher = NULL;
}

/* The chain starts anew with each operation: otherwise the output would depend on how many came before.
 * Without padding the last block comes out at once, and nothing is left for EVP_CipherFinal_ex(). */
static int cipher_run(struct core_work *w)
{
	int size = 0;
	bool good = EVP_CipherInit_ex2(cipher, NULL, NULL, w->iv, -1, NULL) == 1 &&
		    EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1;

	w->out_size = (size_t)size;
	return result(good);
}

/* It has no IV: only its key brings it back to its beginning. */
static int arc4_run(struct core_work *w)
{
	int size = 0;
	bool good = EVP_CipherInit_ex2(cipher, NULL, w->key, NULL, -1, NULL) == 1 &&
		    EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1;

	w->out_size = (size_t)size;
	return result(good);
}

static bool aead_begin(const struct core_work *w)
{
	bool ccm = EVP_CIPHER_CTX_get_mode(cipher) == EVP_CIPH_CCM_MODE;
	int size;

	/* CCM has to know the length before all else. */
	return EVP_CipherInit_ex2(cipher, NULL, NULL, w->iv, -1, NULL) == 1 &&
	       (!w->decrypts || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, (int)w->tag_size,
					(void *)w->tag) == 1) &&
	       (!ccm || EVP_CipherUpdate(cipher, NULL, &size, NULL, (int)w->in_size) == 1) &&
	       EVP_CipherUpdate(cipher, NULL, &size, w->aad, (int)w->aad_size) == 1;
}

static int aead_encrypt_run(struct core_work *w)
{
	int size = 0, rest = 0;
	bool good = aead_begin(w) && EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1 &&
		    EVP_CipherFinal_ex(cipher, w->out + size, &rest) == 1 &&
		    EVP_CIPHER_CTX_ctrl(
			    cipher, EVP_CTRL_AEAD_GET_TAG, (int)w->tag_size, w->out + w->in_size) == 1;

	w->out_size = (size_t)(size + rest) + w->tag_size;
	return result(good);
}

static int aead_decrypt_run(struct core_work *w)
{
	int size = 0, rest = 0;
	bool good = aead_begin(w) && EVP_CipherUpdate(cipher, w->out, &size, w->in, (int)w->in_size) == 1 &&
		    (EVP_CIPHER_CTX_get_mode(cipher) == EVP_CIPH_CCM_MODE ||
			    EVP_CipherFinal_ex(cipher, w->out + size, &rest) == 1);

	w->out_size = (size_t)(size + rest);
	return result(good);
}

static EVP_MD *digest;
static EVP_MD_CTX *hash;

static int hash_setup(const struct core_work *w)
{
	digest = EVP_MD_fetch(NULL, evp_name(w->algorithm), NULL);
	return result(digest != NULL && (hash = EVP_MD_CTX_new()) != NULL);
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

static int shake_run(struct core_work *w)
{
	size_t size = strcmp(w->algorithm, "shake128") == 0 ? 32 : 64;
	bool good = EVP_DigestInit_ex2(hash, digest, NULL) == 1 &&
		    EVP_DigestUpdate(hash, w->in, w->in_size) == 1 &&
		    EVP_DigestFinalXOF(hash, w->out, size) == 1;

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

static EVP_MAC_CTX *mac;

/* "hmac-sha-256" is HMAC with the digest SHA-256, "aes-128-cmac" CMAC with the cipher AES-128-CBC,
 * "aes-128-gmac" GMAC with AES-128-GCM. */
static int mac_setup(const struct core_work *w)
{
	char part[32] = "";
	bool hmac = strncmp(w->algorithm, "hmac-", 5) == 0, poly = strcmp(w->algorithm, "poly1305") == 0;
	const char *kind = hmac ? "HMAC" : poly ? "POLY1305" : strstr(w->algorithm, "cmac") ? "CMAC" : "GMAC";
	EVP_MAC *fetched = EVP_MAC_fetch(NULL, kind, NULL);
	OSSL_PARAM parameters[2] = {OSSL_PARAM_construct_end(), OSSL_PARAM_construct_end()};
	bool good;

	if (hmac)
		snprintf(part, sizeof(part), "%s", evp_name(w->algorithm + 5));
	else
		snprintf(part, sizeof(part), "%.7s-%s", w->algorithm, kind[0] == 'C' ? "CBC" : "GCM");
	if (!poly)
		parameters[0] = OSSL_PARAM_construct_utf8_string(
			hmac ? OSSL_MAC_PARAM_DIGEST : OSSL_MAC_PARAM_CIPHER, part, 0);
	good = fetched != NULL && (mac = EVP_MAC_CTX_new(fetched)) != NULL &&
	       EVP_MAC_CTX_set_params(mac, parameters) == 1 &&
	       (poly || EVP_MAC_init(mac, w->key, w->key_size, NULL) == 1);
	EVP_MAC_free(fetched);
	return result(good);
}

static int mac_finish(struct core_work *w, bool begun)
{
	bool good = begun && EVP_MAC_update(mac, w->in, w->in_size) == 1 &&
		    EVP_MAC_final(mac, w->out, &w->out_size, CORE_OUT_ROOM) == 1;

	return result(good);
}

/* The key stays. */
static int mac_run(struct core_work *w)
{
	return mac_finish(w, EVP_MAC_init(mac, NULL, 0, NULL) == 1);
}

static int gmac_run(struct core_work *w)
{
	OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_IV, (void *)w->iv, w->iv_size),
		OSSL_PARAM_construct_end()};

	return mac_finish(w, EVP_MAC_init(mac, NULL, 0, parameters) == 1);
}

/* Its key is for one message. */
static int poly1305_run(struct core_work *w)
{
	return mac_finish(w, EVP_MAC_init(mac, w->key, w->key_size, NULL) == 1);
}

static void mac_done(void)
{
	EVP_MAC_CTX_free(mac);
	mac = NULL;
}

static EVP_KDF_CTX *kdf;

static int kdf_setup(const struct core_work *w)
{
	const char *kind = w->algorithm[0] == 'h' ? "HKDF" : w->algorithm[0] == 'p' ? "PBKDF2" : "SCRYPT";
	EVP_KDF *fetched = EVP_KDF_fetch(NULL, kind, NULL);
	bool good = fetched != NULL && (kdf = EVP_KDF_CTX_new(fetched)) != NULL;

	EVP_KDF_free(fetched);
	return result(good);
}

static int derive(struct core_work *w, const OSSL_PARAM *parameters)
{
	w->out_size = w->want;
	return result(EVP_KDF_derive(kdf, w->out, w->want, parameters) == 1);
}

static int hkdf_run(struct core_work *w)
{
	const OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA-256", 0),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)w->key, w->key_size),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)w->iv, w->iv_size),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)w->aad, w->aad_size),
		OSSL_PARAM_construct_end()};

	return derive(w, parameters);
}

static int pbkdf2_run(struct core_work *w)
{
	static unsigned int rounds = 1000;
	const OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA-256", 0),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)w->key, w->key_size),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)w->iv, w->iv_size),
		OSSL_PARAM_construct_uint(OSSL_KDF_PARAM_ITER, &rounds), OSSL_PARAM_construct_end()};

	return derive(w, parameters);
}

static int scrypt_run(struct core_work *w)
{
	static uint64_t n = 16384;
	static uint32_t r = 8, p = 1;
	const OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)w->key, w->key_size),
		OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)w->iv, w->iv_size),
		OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n),
		OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &r),
		OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &p), OSSL_PARAM_construct_end()};

	return derive(w, parameters);
}

static void kdf_done(void)
{
	EVP_KDF_CTX_free(kdf);
	kdf = NULL;
}

/* clang-format off */
#define CIPHER(id) CORE_CIPHER(id, cipher_setup, cipher_run, cipher_run, cipher_done)
#define AEAD(id)   CORE_CIPHER(id, cipher_setup, aead_encrypt_run, aead_decrypt_run, cipher_done)
#define HASH(id)   CORE_PROVIDES(id##_HASH, DIGEST, hash_setup, hash_run, NULL, hash_done)
#define SHAKE(id)  CORE_PROVIDES(id##_HASH, DIGEST, hash_setup, shake_run, NULL, hash_done)
#define MAC(id)    CORE_PROVIDES(id##_MAC, DIGEST, mac_setup, mac_run, NULL, mac_done)
#define GMAC(id)   CORE_PROVIDES(id##_MAC, DIGEST, mac_setup, gmac_run, NULL, mac_done)
#define KDF(id, run) CORE_PROVIDES(id##_DERIVE, DIGEST, kdf_setup, run, NULL, kdf_done)

#define AES_ROWS(bits) \
	CIPHER(AES_##bits##_CBC), AEAD(AES_##bits##_GCM), CIPHER(AES_##bits##_CTR), AEAD(AES_##bits##_CCM), CIPHER(AES_##bits##_CFB), \
	CIPHER(AES_##bits##_OFB), CIPHER(AES_##bits##_ECB)
#define BULK_ROWS \
	AES_ROWS(128), AES_ROWS(192), AES_ROWS(256), CIPHER(AES_128_XTS), \
	CORE_LACKS_CIPHER(AES_192_XTS, "IEEE 1619 has AES-128 and AES-256 only"), CIPHER(AES_256_XTS), \
	CIPHER(CHACHA20), AEAD(CHACHA20_POLY1305), CIPHER(3DES_CBC), \
	CORE_CIPHER(ARC4, cipher_setup, arc4_run, arc4_run, cipher_done), \
	CORE_LACKS(RABBIT_ENCRYPT, "OpenSSL has no RABBIT"), CORE_LACKS(HC_128_ENCRYPT, "OpenSSL has no HC-128"), \
	CIPHER(CAMELLIA_128_CBC), CIPHER(CAMELLIA_192_CBC), CIPHER(CAMELLIA_256_CBC), \
	CIPHER(SM4_CBC), CIPHER(SM4_ECB), CIPHER(SM4_CTR), CIPHER(SM4_CFB), CIPHER(SM4_OFB), \
	HASH(SHA_256), HASH(MD5), HASH(SHA_1), HASH(SHA_224), HASH(SHA_384), HASH(SHA_512), HASH(SHA_512_224), HASH(SHA_512_256), \
	HASH(SHA3_224), HASH(SHA3_256), HASH(SHA3_384), HASH(SHA3_512), SHAKE(SHAKE128), SHAKE(SHAKE256), \
	HASH(BLAKE2B), HASH(BLAKE2S), HASH(RIPEMD_160), HASH(SM3), \
	MAC(HMAC_MD5), MAC(HMAC_SHA_1), MAC(HMAC_SHA_224), MAC(HMAC_SHA_256), MAC(HMAC_SHA_384), MAC(HMAC_SHA_512), \
	MAC(HMAC_SHA3_224), MAC(HMAC_SHA3_256), MAC(HMAC_SHA3_384), MAC(HMAC_SHA3_512), \
	MAC(AES_128_CMAC), MAC(AES_192_CMAC), MAC(AES_256_CMAC), GMAC(AES_128_GMAC), GMAC(AES_192_GMAC), GMAC(AES_256_GMAC), \
	CORE_PROVIDES(POLY1305_MAC, DIGEST, mac_setup, poly1305_run, NULL, mac_done)
#define KDF_ROWS KDF(HKDF_SHA_256, hkdf_run), KDF(PBKDF2_HMAC_SHA_256_1000_32, pbkdf2_run), KDF(SCRYPT_16384_8_1, scrypt_run)
/* clang-format on */
