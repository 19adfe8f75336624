/* OpenSSL's ML-KEM, which it has from 3.5 on: part of openssl.c. Its randomness is given, so that keys,
 * ciphertext and secret follow from it. */
static unsigned char kem_cipher[1568];
static size_t kem_cipher_size;

static EVP_PKEY *kem_make(const struct core_work *w)
{
	OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_octet_string("seed", (void *)w->own.private, w->own.private_size),
		OSSL_PARAM_construct_end()};
	EVP_PKEY *key = NULL;

	if (EVP_PKEY_CTX_set_params(operation, parameters) == 1)
		EVP_PKEY_generate(operation, &key);
	return key;
}

static bool kem_seal(EVP_PKEY_CTX *context, const struct core_work *w, unsigned char *out, size_t *size,
	unsigned char secret[32])
{
	OSSL_PARAM parameters[] = {OSSL_PARAM_construct_octet_string("ikme", (void *)w->in, w->in_size),
		OSSL_PARAM_construct_end()};
	size_t secret_size = 32;

	*size = sizeof(kem_cipher);
	return EVP_PKEY_encapsulate_init(context, parameters) == 1 &&
	       EVP_PKEY_encapsulate(context, out, size, secret, &secret_size) == 1;
}

static int kem_setup(const struct core_work *w)
{
	bool keygen = strcmp(w->operation, "keygen") == 0;
	unsigned char secret[32];

	operation = EVP_PKEY_CTX_new_from_name(NULL, w->algorithm, NULL);
	if (operation == NULL || EVP_PKEY_keygen_init(operation) != 1 || (own = kem_make(w)) == NULL)
		return take_error();
	if (keygen)
		return 0;
	EVP_PKEY_CTX_free(operation);
	operation = EVP_PKEY_CTX_new_from_pkey(NULL, own, NULL);
	if (operation == NULL || !kem_seal(operation, w, kem_cipher, &kem_cipher_size, secret))
		return take_error();
	return result(strcmp(w->operation, "decaps") != 0 || EVP_PKEY_decapsulate_init(operation, NULL) == 1);
}

static int kem_keygen_run(struct core_work *w)
{
	EVP_PKEY_free(fresh);
	fresh = kem_make(w);
	return result(fresh != NULL);
}

/* Its output is the key itself; what is compared is the public one. */
static bool kem_keygen_answer(struct core_work *w, struct core_why *why)
{
	int error = fresh == NULL ? NO_WORDS
				  : result(EVP_PKEY_get_octet_string_param(fresh, OSSL_PKEY_PARAM_PUB_KEY,
						   w->out, CORE_OUT_ROOM, &w->out_size) == 1);

	EVP_PKEY_free(fresh);
	fresh = NULL;
	return error == 0 || core_refuse(why, "encoding the fresh key failed with %d", error);
}

/* The ciphertext, and the secret behind it. */
static int kem_encaps_run(struct core_work *w)
{
	size_t size = 0;
	bool good = kem_seal(operation, w, w->out, &size, w->out + kem_cipher_size);

	w->out_size = size + 32;
	return result(good && size == kem_cipher_size);
}

static int kem_decaps_run(struct core_work *w)
{
	w->out_size = CORE_OUT_ROOM;
	return result(
		EVP_PKEY_decapsulate(operation, w->out, &w->out_size, kem_cipher, kem_cipher_size) == 1);
}

/* clang-format off */
#define KEM(id) \
	CORE_PROVIDES(id##_KEYGEN, DIGEST, kem_setup, kem_keygen_run, kem_keygen_answer, pkey_done), \
	CORE_PROVIDES(id##_ENCAPS, DIGEST, kem_setup, kem_encaps_run, NULL, pkey_done), \
	CORE_PROVIDES(id##_DECAPS, DIGEST, kem_setup, kem_decaps_run, NULL, pkey_done)
#define KEM_ROWS KEM(ML_KEM_512), KEM(ML_KEM_768), KEM(ML_KEM_1024)
/* clang-format on */
