/* wolfCrypt's ML-KEM: part of wolfssl.c. Its randomness is given, as in wolfCrypt's own benchmark, so that
 * keys, ciphertext and secret follow from it. */
#if defined(WOLFSSL_HAVE_MLKEM) && !defined(WOLFSSL_NO_ML_KEM)
static MlKemKey kem;
static byte kem_cipher[WC_ML_KEM_MAX_CIPHER_TEXT_SIZE];

static int kem_type(const struct core_work *w)
{
	return strcmp(w->algorithm, "ml-kem-512") == 0	 ? WC_ML_KEM_512
	       : strcmp(w->algorithm, "ml-kem-768") == 0 ? WC_ML_KEM_768
							 : WC_ML_KEM_1024;
}

static int kem_make(const struct core_work *w)
{
	int error = wc_MlKemKey_Init(&kem, kem_type(w), NULL, INVALID_DEVID);

	return error != 0 ? error
			  : wc_MlKemKey_MakeKeyWithRandom(&kem, w->own.private, (int)w->own.private_size);
}

static int kem_setup(const struct core_work *w)
{
	byte secret[WC_ML_KEM_SS_SZ];
	int error = kem_make(w);

	return error != 0
		       ? error
		       : wc_MlKemKey_EncapsulateWithRandom(&kem, kem_cipher, secret, w->in, (int)w->in_size);
}

static void kem_done(void)
{
	wc_MlKemKey_Free(&kem);
}

static int kem_keygen_run(struct core_work *w)
{
	wc_MlKemKey_Free(&kem);
	return kem_make(w);
}

/* Its output is the key itself; what is compared is the public one. */
static bool kem_keygen_answer(struct core_work *w, struct core_why *why)
{
	word32 size = 0;
	int error = wc_MlKemKey_PublicKeySize(&kem, &size);

	if (error == 0)
		error = wc_MlKemKey_EncodePublicKey(&kem, w->out, size);
	w->out_size = error == 0 ? size : 0;
	/* This key must not stand for the next one. */
	wc_MlKemKey_Free(&kem);
	wc_MlKemKey_Init(&kem, kem_type(w), NULL, INVALID_DEVID);
	return error == 0 || core_refuse(why, "encoding the fresh key failed with %d", error);
}

/* The ciphertext, and the secret behind it. */
static int kem_encaps_run(struct core_work *w)
{
	word32 size = 0;
	int error = wc_MlKemKey_CipherTextSize(&kem, &size);

	w->out_size = size + WC_ML_KEM_SS_SZ;
	return error != 0 ? error
			  : wc_MlKemKey_EncapsulateWithRandom(
				    &kem, w->out, w->out + size, w->in, (int)w->in_size);
}

static int kem_decaps_run(struct core_work *w)
{
	word32 size = 0;
	int error = wc_MlKemKey_CipherTextSize(&kem, &size);

	w->out_size = WC_ML_KEM_SS_SZ;
	return error != 0 ? error : wc_MlKemKey_Decapsulate(&kem, w->out, kem_cipher, size);
}

#define KEM(bits)                                                                                            \
	CORE_PROVIDES(                                                                                       \
		ML_KEM_##bits##_KEYGEN, DIGEST, kem_setup, kem_keygen_run, kem_keygen_answer, kem_done),     \
		CORE_PROVIDES(ML_KEM_##bits##_ENCAPS, DIGEST, kem_setup, kem_encaps_run, NULL, kem_done),    \
		CORE_PROVIDES(ML_KEM_##bits##_DECAPS, DIGEST, kem_setup, kem_decaps_run, NULL, kem_done)
#else
#define KEM(bits)                                                                                            \
	CORE_LACKS(ML_KEM_##bits##_KEYGEN, "the build has no ML-KEM"),                                       \
		CORE_LACKS(ML_KEM_##bits##_ENCAPS, "the build has no ML-KEM"),                               \
		CORE_LACKS(ML_KEM_##bits##_DECAPS, "the build has no ML-KEM")
#endif

#define KEM_ROWS KEM(512), KEM(768), KEM(1024)
