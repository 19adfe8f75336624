#include "prove.h"

#include "expected.h"
#include "vectors.h"

#include <string.h>

#define PAGE	 4096
#define TAG_SIZE 16

static unsigned char input[EXPECTED_BLOCK_MAX] __attribute__((aligned(PAGE)));
static unsigned char output[EXPECTED_BLOCK_MAX + PAGE] __attribute__((aligned(PAGE)));
static unsigned char input_tag[TAG_SIZE];

bool prove_error(int error, const char *what, struct core_why *why)
{
	const char *text = core_adapter.error_text != NULL ? core_adapter.error_text(error) : NULL;

	core_refuse(why, "%s: the library failed with %d (%s)", what, error,
		text != NULL ? text : "no words for it");
	why->error = error;
	return false;
}

void prove_inputs(struct core_work *ret, enum core_id id, size_t block)
{
	bool gcm = id == CORE_AES_128_GCM_ENCRYPT || id == CORE_AES_128_GCM_DECRYPT;

	expected_pattern(input, block);
	*ret = (struct core_work){.id = id, .in = input, .in_size = block, .out = output};
	if (block == 0)
		return;
	ret->key = vectors->bulk_key;
	ret->key_size = sizeof(vectors->bulk_key);
	ret->iv = vectors->bulk_iv;
	ret->iv_size = gcm ? sizeof(vectors->gcm_iv) : sizeof(vectors->bulk_iv);
	if (!gcm)
		return;
	ret->aad = vectors->bulk_aad;
	ret->aad_size = sizeof(vectors->bulk_aad);
	ret->tag_size = TAG_SIZE;
	if (id == CORE_AES_128_GCM_DECRYPT) {
		expected_tag(input_tag, block);
		ret->tag = input_tag;
	}
}

void prove_forget(struct core_work *work)
{
	size_t size = work->in_size + work->tag_size;

	memset(work->out, 0xa5, size > CORE_OUT_ROOM ? size : CORE_OUT_ROOM);
	work->out_size = 0;
}

static bool same(const struct core_work *work, const unsigned char *expected, size_t size, const char *source,
	struct core_why *why)
{
	if (work->out_size != size)
		return core_refuse(why, "%s: %lu bytes of output, expected %lu", source,
			(unsigned long)work->out_size, (unsigned long)size);
	for (size_t i = 0; i < size; i++)
		if (work->out[i] != expected[i])
			return core_refuse(why, "%s: byte %lu of the output is 0x%02x, expected 0x%02x",
				source, (unsigned long)i, work->out[i], expected[i]);
	return true;
}

/* One published vector through the same functions as the timed operation. */
static bool published(const struct core_operation *op, struct core_work *work, const unsigned char *expected,
	size_t size, const char *source, struct core_why *why)
{
	int error;

	work->id = op->id;
	work->out = output;
	prove_forget(work);
	error = op->setup(work);
	if (error == 0)
		error = op->run(work);
	op->done();
	return error == 0 ? same(work, expected, size, source, why) : prove_error(error, source, why);
}

static bool published_aes_cbc(const struct core_operation *op, struct core_why *why)
{
	bool encrypt = op->id == CORE_AES_128_CBC_ENCRYPT;
	struct core_work work = {.key = vectors->cbc_key,
		.key_size = sizeof(vectors->cbc_key),
		.iv = vectors->cbc_iv,
		.iv_size = sizeof(vectors->cbc_iv),
		.in = encrypt ? vectors->cbc_plain : vectors->cbc_cipher,
		.in_size = sizeof(vectors->cbc_plain)};

	return published(op, &work, encrypt ? vectors->cbc_cipher : vectors->cbc_plain, work.in_size,
		encrypt ? "SP 800-38A F.2.1" : "SP 800-38A F.2.2", why);
}

static bool published_sm4_cbc(const struct core_operation *op, struct core_why *why)
{
	bool encrypt = op->id == CORE_SM4_CBC_ENCRYPT;
	struct core_work work = {.key = vectors->sm4_key,
		.key_size = sizeof(vectors->sm4_key),
		.iv = vectors->sm4_iv,
		.iv_size = sizeof(vectors->sm4_iv),
		.in = encrypt ? vectors->sm4_plain : vectors->sm4_cipher,
		.in_size = sizeof(vectors->sm4_plain)};

	return published(op, &work, encrypt ? vectors->sm4_cipher : vectors->sm4_plain, work.in_size,
		"draft-ribose-cfrg-sm4-10 A.2.2.1", why);
}

static const char gcm_source[] = "GCM test case 4";

static bool refuses_forgery(const struct core_operation *op, struct core_work *work, struct core_why *why)
{
	unsigned char forged[TAG_SIZE];
	int error;

	memcpy(forged, work->tag, sizeof(forged));
	forged[TAG_SIZE - 1] ^= 1;
	work->tag = forged;
	error = op->setup(work);
	if (error != 0) {
		op->done();
		return prove_error(error, gcm_source, why);
	}
	error = op->run(work);
	op->done();
	return error != 0 || core_refuse(why, "%s: a forged tag was taken", gcm_source);
}

static bool published_gcm(const struct core_operation *op, struct core_why *why)
{
	bool encrypt = op->id == CORE_AES_128_GCM_ENCRYPT;
	unsigned char sealed[sizeof(vectors->gcm_cipher) + TAG_SIZE];
	struct core_work work = {.key = vectors->gcm_key,
		.key_size = sizeof(vectors->gcm_key),
		.iv = vectors->gcm_iv,
		.iv_size = sizeof(vectors->gcm_iv),
		.aad = vectors->gcm_aad,
		.aad_size = sizeof(vectors->gcm_aad),
		.in = encrypt ? vectors->gcm_plain : vectors->gcm_cipher,
		.in_size = sizeof(vectors->gcm_plain),
		.tag = encrypt ? NULL : vectors->gcm_tag,
		.tag_size = TAG_SIZE};

	memcpy(sealed, vectors->gcm_cipher, sizeof(vectors->gcm_cipher));
	memcpy(sealed + sizeof(vectors->gcm_cipher), vectors->gcm_tag, TAG_SIZE);
	if (encrypt)
		return published(op, &work, sealed, sizeof(sealed), gcm_source, why);
	return published(op, &work, vectors->gcm_plain, work.in_size, gcm_source, why) &&
	       refuses_forgery(op, &work, why);
}

static bool published_sha(const struct core_operation *op, struct core_why *why)
{
	struct core_work abc = {.in = vectors->sha_abc, .in_size = sizeof(vectors->sha_abc)};
	struct core_work bits448 = {.in = vectors->sha_448, .in_size = sizeof(vectors->sha_448)};

	return published(op, &abc, vectors->sha_abc_digest, SHA256_SIZE, "FIPS 180-2 B.1", why) &&
	       published(op, &bits448, vectors->sha_448_digest, SHA256_SIZE, "FIPS 180-2 B.2", why);
}

static bool published_sm3(const struct core_operation *op, struct core_why *why)
{
	struct core_work abc = {.in = vectors->sha_abc, .in_size = sizeof(vectors->sha_abc)};
	struct core_work abcd16 = {.in = vectors->sm3_abcd16, .in_size = sizeof(vectors->sm3_abcd16)};

	return published(op, &abc, vectors->sm3_abc_digest, sizeof(vectors->sm3_abc_digest), "GB/T 32905 A.1",
		       why) &&
	       published(op, &abcd16, vectors->sm3_abcd16_digest, sizeof(vectors->sm3_abcd16_digest),
		       "GB/T 32905 A.2", why);
}

bool prove_published(const struct core_operation *op, struct core_why *why)
{
	switch (op->id) {
	case CORE_AES_128_CBC_ENCRYPT:
	case CORE_AES_128_CBC_DECRYPT:
		return published_aes_cbc(op, why);
	case CORE_SM4_CBC_ENCRYPT:
	case CORE_SM4_CBC_DECRYPT:
		return published_sm4_cbc(op, why);
	case CORE_AES_128_GCM_ENCRYPT:
	case CORE_AES_128_GCM_DECRYPT:
		return published_gcm(op, why);
	case CORE_SHA_256_HASH:
		return published_sha(op, why);
	case CORE_SM3_HASH:
		return published_sm3(op, why);
	default:
		/* Public-key operations run on the published vectors themselves: prove_output() holds them
		 * against these. */
		return true;
	}
}

bool prove_output(const struct core_operation *op, struct core_work *work, size_t block,
	char digest[SHA256_HEX_SIZE], struct core_why *why)
{
	const char *expected = expected_digest(op->id, block);

	digest[0] = 0;
	if (op->answer != NULL && !op->answer(work, why))
		return false;
	if (work->out_size > 0)
		sha256_hex(digest, work->out, work->out_size);
	if (expected == NULL && op->proof == CORE_PROOF_DIGEST)
		return core_refuse(why, "there is no expected digest to hold its output against");
	if (expected != NULL && strcmp(digest, expected) != 0)
		return core_refuse(why, "the digest of the timed output is %s, expected %s",
			digest[0] != 0 ? digest : "missing", expected);
	return true;
}
