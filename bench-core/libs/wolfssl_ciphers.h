/* wolfCrypt's ciphers: part of wolfssl.c. A chain starts anew with each operation: otherwise the output would
 * depend on how many came before. */
#ifndef NO_AES
static Aes aes;

static void aes_done(void)
{
	wc_AesFree(&aes);
}

/* Nothing else tells a size that is left out. */
static int aes_begin(const struct core_work *w)
{
#ifdef NO_AES_128
	if (w->key_size == 16)
		return NOT_COMPILED_IN;
#endif
#ifdef NO_AES_192
	if (w->key_size == 24)
		return NOT_COMPILED_IN;
#endif
#ifdef NO_AES_256
	if (w->key_size == 32)
		return NOT_COMPILED_IN;
#endif
	(void)w;
	return wc_AesInit(&aes, NULL, INVALID_DEVID);
}

/* Both directions of a mode that has a key schedule for each. */
static inline int aes_setup(const struct core_work *w)
{
	int error = aes_begin(w);
	int direction = w->decrypts ? AES_DECRYPTION : AES_ENCRYPTION;

	return error != 0 ? error : wc_AesSetKey(&aes, w->key, (word32)w->key_size, w->iv, direction);
}

/* Modes that encrypt their counter or their register, whichever way. */
static inline int aes_forward_setup(const struct core_work *w)
{
	int error = aes_begin(w);

	return error != 0 ? error : wc_AesSetKey(&aes, w->key, (word32)w->key_size, w->iv, AES_ENCRYPTION);
}
#endif

/* One call with the IV set before. */
#define AES_RUN(name, call)                                                                                  \
	static int name(struct core_work *w)                                                                 \
	{                                                                                                    \
		int error = wc_AesSetIV(&aes, w->iv);                                                        \
                                                                                                             \
		w->out_size = w->in_size;                                                                    \
		return error != 0 ? error : call(&aes, w->out, w->in, (word32)w->in_size);                   \
	}

#if !defined(NO_AES) && defined(HAVE_AES_CBC)
AES_RUN(cbc_encrypt_run, wc_AesCbcEncrypt)
#define CBC_ENCRYPT(bits)                                                                                    \
	CORE_PROVIDES(AES_##bits##_CBC_ENCRYPT, DIGEST, aes_setup, cbc_encrypt_run, NULL, aes_done)
#else
#define CBC_ENCRYPT(bits) CORE_LACKS(AES_##bits##_CBC_ENCRYPT, "the build has no AES-CBC")
#endif

#if !defined(NO_AES) && defined(HAVE_AES_CBC) && defined(HAVE_AES_DECRYPT)
AES_RUN(cbc_decrypt_run, wc_AesCbcDecrypt)
#define CBC_DECRYPT(bits)                                                                                    \
	CORE_PROVIDES(AES_##bits##_CBC_DECRYPT, DIGEST, aes_setup, cbc_decrypt_run, NULL, aes_done)
#else
#define CBC_DECRYPT(bits) CORE_LACKS(AES_##bits##_CBC_DECRYPT, "the build has no AES-CBC decryption")
#endif

#if !defined(NO_AES) && defined(WOLFSSL_AES_COUNTER)
AES_RUN(ctr_run, wc_AesCtrEncrypt)
#define CTR(bits) CORE_CIPHER(AES_##bits##_CTR, aes_forward_setup, ctr_run, ctr_run, aes_done)
#else
#define CTR(bits) CORE_LACKS_CIPHER(AES_##bits##_CTR, "the build has no AES-CTR")
#endif

#if !defined(NO_AES) && defined(WOLFSSL_AES_CFB)
AES_RUN(cfb_encrypt_run, wc_AesCfbEncrypt)
AES_RUN(cfb_decrypt_run, wc_AesCfbDecrypt)
#define CFB(bits) CORE_CIPHER(AES_##bits##_CFB, aes_forward_setup, cfb_encrypt_run, cfb_decrypt_run, aes_done)
#else
#define CFB(bits) CORE_LACKS_CIPHER(AES_##bits##_CFB, "the build has no AES-CFB")
#endif

#if !defined(NO_AES) && defined(WOLFSSL_AES_OFB)
AES_RUN(ofb_encrypt_run, wc_AesOfbEncrypt)
AES_RUN(ofb_decrypt_run, wc_AesOfbDecrypt)
#define OFB(bits) CORE_CIPHER(AES_##bits##_OFB, aes_forward_setup, ofb_encrypt_run, ofb_decrypt_run, aes_done)
#else
#define OFB(bits) CORE_LACKS_CIPHER(AES_##bits##_OFB, "the build has no AES-OFB")
#endif

#if !defined(NO_AES) && defined(HAVE_AES_ECB) && defined(HAVE_AES_DECRYPT)
static int ecb_encrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesEcbEncrypt(&aes, w->out, w->in, (word32)w->in_size);
}

static int ecb_decrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesEcbDecrypt(&aes, w->out, w->in, (word32)w->in_size);
}
#define ECB(bits) CORE_CIPHER(AES_##bits##_ECB, aes_setup, ecb_encrypt_run, ecb_decrypt_run, aes_done)
#else
#define ECB(bits) CORE_LACKS_CIPHER(AES_##bits##_ECB, "the build has no AES-ECB")
#endif

#if !defined(NO_AES) && defined(WOLFSSL_AES_XTS)
static XtsAes xts;

static int xts_setup(const struct core_work *w)
{
	return wc_AesXtsSetKey(&xts, w->key, (word32)w->key_size,
		w->decrypts ? AES_DECRYPTION : AES_ENCRYPTION, NULL, INVALID_DEVID);
}

static int xts_encrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesXtsEncrypt(&xts, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size);
}

static int xts_decrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesXtsDecrypt(&xts, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size);
}

static void xts_done(void)
{
	wc_AesXtsFree(&xts);
}
#define XTS(bits) CORE_CIPHER(AES_##bits##_XTS, xts_setup, xts_encrypt_run, xts_decrypt_run, xts_done)
#else
#define XTS(bits) CORE_LACKS_CIPHER(AES_##bits##_XTS, "the build has no AES-XTS")
#endif

#if !defined(NO_AES) && defined(HAVE_AESGCM)
static int gcm_setup(const struct core_work *w)
{
	int error = aes_begin(w);

	return error != 0 ? error : wc_AesGcmSetKey(&aes, w->key, (word32)w->key_size);
}

static int gcm_encrypt_run(struct core_work *w)
{
	w->out_size = w->in_size + w->tag_size;
	return wc_AesGcmEncrypt(&aes, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size,
		w->out + w->in_size, (word32)w->tag_size, w->aad, (word32)w->aad_size);
}
#define GCM_ENCRYPT(bits)                                                                                    \
	CORE_PROVIDES(AES_##bits##_GCM_ENCRYPT, DIGEST, gcm_setup, gcm_encrypt_run, NULL, aes_done)
#else
#define GCM_ENCRYPT(bits) CORE_LACKS(AES_##bits##_GCM_ENCRYPT, "the build has no AES-GCM")
#endif

#if !defined(NO_AES) && defined(HAVE_AESGCM) && (defined(HAVE_AES_DECRYPT) || defined(HAVE_AESGCM_DECRYPT))
static int gcm_decrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesGcmDecrypt(&aes, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size, w->tag,
		(word32)w->tag_size, w->aad, (word32)w->aad_size);
}
#define GCM_DECRYPT(bits)                                                                                    \
	CORE_PROVIDES(AES_##bits##_GCM_DECRYPT, DIGEST, gcm_setup, gcm_decrypt_run, NULL, aes_done)
#else
#define GCM_DECRYPT(bits) CORE_LACKS(AES_##bits##_GCM_DECRYPT, "the build has no AES-GCM decryption")
#endif

#if !defined(NO_AES) && defined(HAVE_AESCCM) && defined(HAVE_AES_DECRYPT)
static int ccm_setup(const struct core_work *w)
{
	int error = aes_begin(w);

	return error != 0 ? error : wc_AesCcmSetKey(&aes, w->key, (word32)w->key_size);
}

static int ccm_encrypt_run(struct core_work *w)
{
	w->out_size = w->in_size + w->tag_size;
	return wc_AesCcmEncrypt(&aes, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size,
		w->out + w->in_size, (word32)w->tag_size, w->aad, (word32)w->aad_size);
}

static int ccm_decrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_AesCcmDecrypt(&aes, w->out, w->in, (word32)w->in_size, w->iv, (word32)w->iv_size, w->tag,
		(word32)w->tag_size, w->aad, (word32)w->aad_size);
}
#define CCM(bits) CORE_CIPHER(AES_##bits##_CCM, ccm_setup, ccm_encrypt_run, ccm_decrypt_run, aes_done)
#else
#define CCM(bits) CORE_LACKS_CIPHER(AES_##bits##_CCM, "the build has no AES-CCM")
#endif

#ifdef HAVE_CHACHA
static ChaCha chacha;

static int chacha_setup(const struct core_work *w)
{
	return wc_Chacha_SetKey(&chacha, w->key, (word32)w->key_size);
}

/* The first four bytes of the IV are the counter, the lowest first. */
static int chacha_run(struct core_work *w)
{
	word32 counter =
		(word32)w->iv[0] | (word32)w->iv[1] << 8 | (word32)w->iv[2] << 16 | (word32)w->iv[3] << 24;
	int error = wc_Chacha_SetIV(&chacha, w->iv + 4, counter);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_Chacha_Process(&chacha, w->out, w->in, (word32)w->in_size);
}

static void chacha_done(void)
{
}
#define CHACHA CORE_CIPHER(CHACHA20, chacha_setup, chacha_run, chacha_run, chacha_done)
#else
#define CHACHA CORE_LACKS_CIPHER(CHACHA20, "the build has no ChaCha20")
#endif

#if defined(HAVE_CHACHA) && defined(HAVE_POLY1305)
static int chapoly_setup(const struct core_work *w)
{
	(void)w;
	return 0;
}

static int chapoly_encrypt_run(struct core_work *w)
{
	w->out_size = w->in_size + w->tag_size;
	return wc_ChaCha20Poly1305_Encrypt(w->key, w->iv, w->aad, (word32)w->aad_size, w->in,
		(word32)w->in_size, w->out, w->out + w->in_size);
}

static int chapoly_decrypt_run(struct core_work *w)
{
	w->out_size = w->in_size;
	return wc_ChaCha20Poly1305_Decrypt(
		w->key, w->iv, w->aad, (word32)w->aad_size, w->in, (word32)w->in_size, w->tag, w->out);
}
#define CHAPOLY                                                                                              \
	CORE_CIPHER(CHACHA20_POLY1305, chapoly_setup, chapoly_encrypt_run, chapoly_decrypt_run, chacha_done)
#else
#define CHAPOLY CORE_LACKS_CIPHER(CHACHA20_POLY1305, "the build has no ChaCha20-Poly1305")
#endif

#ifndef NO_DES3
static Des3 des3;

static int des3_setup(const struct core_work *w)
{
	int error = wc_Des3Init(&des3, NULL, INVALID_DEVID);

	return error != 0
		       ? error
		       : wc_Des3_SetKey(&des3, w->key, w->iv, w->decrypts ? DES_DECRYPTION : DES_ENCRYPTION);
}

static int des3_encrypt_run(struct core_work *w)
{
	int error = wc_Des3_SetIV(&des3, w->iv);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_Des3_CbcEncrypt(&des3, w->out, w->in, (word32)w->in_size);
}

static int des3_decrypt_run(struct core_work *w)
{
	int error = wc_Des3_SetIV(&des3, w->iv);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_Des3_CbcDecrypt(&des3, w->out, w->in, (word32)w->in_size);
}

static void des3_done(void)
{
	wc_Des3Free(&des3);
}
#define DES3 CORE_CIPHER(3DES_CBC, des3_setup, des3_encrypt_run, des3_decrypt_run, des3_done)
#else
#define DES3 CORE_LACKS_CIPHER(3DES_CBC, "the build has no 3DES")
#endif

#ifdef HAVE_CAMELLIA
static Camellia camellia;

static int camellia_setup(const struct core_work *w)
{
	return wc_CamelliaSetKey(&camellia, w->key, (word32)w->key_size, w->iv);
}

static int camellia_encrypt_run(struct core_work *w)
{
	int error = wc_CamelliaSetIV(&camellia, w->iv);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_CamelliaCbcEncrypt(&camellia, w->out, w->in, (word32)w->in_size);
}

static int camellia_decrypt_run(struct core_work *w)
{
	int error = wc_CamelliaSetIV(&camellia, w->iv);

	w->out_size = w->in_size;
	return error != 0 ? error : wc_CamelliaCbcDecrypt(&camellia, w->out, w->in, (word32)w->in_size);
}

static void camellia_done(void)
{
}
#define CAMELLIA(bits)                                                                                       \
	CORE_CIPHER(CAMELLIA_##bits##_CBC, camellia_setup, camellia_encrypt_run, camellia_decrypt_run,       \
		camellia_done)
#else
#define CAMELLIA(bits) CORE_LACKS_CIPHER(CAMELLIA_##bits##_CBC, "the build has no Camellia")
#endif

/* A cipher without a way to set its IV alone is copied as it stood behind its key. */
#define STREAM_CIPHER(name, type, set_key, process)                                                          \
	static type name##_keyed, name##_state;                                                              \
                                                                                                             \
	static int name##_setup(const struct core_work *w)                                                   \
	{                                                                                                    \
		return set_key;                                                                              \
	}                                                                                                    \
                                                                                                             \
	static int name##_run(struct core_work *w)                                                           \
	{                                                                                                    \
		name##_state = name##_keyed;                                                                 \
		w->out_size = w->in_size;                                                                    \
		return process(&name##_state, w->out, w->in, (word32)w->in_size);                            \
	}                                                                                                    \
                                                                                                             \
	static void name##_done(void)                                                                        \
	{                                                                                                    \
	}

#ifndef NO_RC4
STREAM_CIPHER(arc4, Arc4, wc_Arc4SetKey(&arc4_keyed, w->key, (word32)w->key_size), wc_Arc4Process)
#define ARC4 CORE_CIPHER(ARC4, arc4_setup, arc4_run, arc4_run, arc4_done)
#else
#define ARC4 CORE_LACKS_CIPHER(ARC4, "the build has no ARC4")
#endif

#ifdef HAVE_RABBIT
STREAM_CIPHER(rabbit, Rabbit, wc_RabbitSetKey(&rabbit_keyed, w->key, w->iv), wc_RabbitProcess)
#define RABBIT CORE_PROVIDES(RABBIT_ENCRYPT, DIGEST, rabbit_setup, rabbit_run, NULL, rabbit_done)
#elif LIBWOLFSSL_VERSION_HEX >= 0x05000000
#define RABBIT CORE_LACKS(RABBIT_ENCRYPT, "wolfSSL has no RABBIT since version 5.0")
#else
#define RABBIT CORE_LACKS(RABBIT_ENCRYPT, "the build has no RABBIT")
#endif

#ifdef HAVE_HC128
STREAM_CIPHER(hc128, HC128, wc_Hc128_SetKey(&hc128_keyed, w->key, w->iv), wc_Hc128_Process)
#define HC_128 CORE_PROVIDES(HC_128_ENCRYPT, DIGEST, hc128_setup, hc128_run, NULL, hc128_done)
#elif LIBWOLFSSL_VERSION_HEX >= 0x05000000
#define HC_128 CORE_LACKS(HC_128_ENCRYPT, "wolfSSL has no HC-128 since version 5.0")
#else
#define HC_128 CORE_LACKS(HC_128_ENCRYPT, "the build has no HC-128")
#endif

/* clang-format off */
#define AES_ROWS(bits) \
	CBC_ENCRYPT(bits), CBC_DECRYPT(bits), GCM_ENCRYPT(bits), GCM_DECRYPT(bits), CTR(bits), CCM(bits), CFB(bits), OFB(bits), ECB(bits)
#define CIPHER_ROWS \
	AES_ROWS(128), AES_ROWS(192), AES_ROWS(256), XTS(128), \
	CORE_LACKS_CIPHER(AES_192_XTS, "IEEE 1619 has AES-128 and AES-256 only"), XTS(256), \
	CHACHA, CHAPOLY, DES3, ARC4, RABBIT, HC_128, CAMELLIA(128), CAMELLIA(192), CAMELLIA(256), \
	CORE_LACKS_CIPHER(SM4_CBC, "the sources of this version have no SM4: it is a package of its own")
/* clang-format on */
