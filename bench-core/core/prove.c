#include "prove.h"

#include "bench.h"
#include "expected.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#define PAGE 4096

static unsigned char input[EXPECTED_BLOCK_MAX] __attribute__((aligned(PAGE)));
static unsigned char output[EXPECTED_BLOCK_MAX + PAGE] __attribute__((aligned(PAGE)));
static unsigned char input_tag[EXPECTED_TAG_SIZE];

/* Keys, nonces and additional data of the timed operations on blocks: of each algorithm as many of the first
 * bytes as its first published answer has; expected.py has them too. */
static const unsigned char bulk_key[64] = {0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
	0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb,
	0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc,
	0xdd, 0xde, 0xdf, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed,
	0xee, 0xef};
static const unsigned char bulk_iv[16] = {
	0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};
static const unsigned char bulk_aad[13] = {
	0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac};

bool prove_error(int error, const char *what, struct core_why *why)
{
	const char *text = core_adapter.error_text != NULL ? core_adapter.error_text(error) : NULL;

	core_refuse(why, "%s: the library failed with %d (%s)", what, error,
		text != NULL ? text : "no words for it");
	why->error = error;
	return false;
}

/* As adapters know it. */
static const char *operation_of(enum core_id id)
{
	const char *name = bench_operation(id);

	return strcmp(name, "keygen-fixed") == 0 ? "keygen" : name;
}

static void begin(struct core_work *ret, enum core_id id)
{
	vectors_reset();
	*ret = (struct core_work){.id = id,
		.algorithm = bench_algorithm(id),
		.operation = operation_of(id),
		.decrypts = strcmp(bench_operation(id), "decrypt") == 0,
		.out = output};
}

static void bulk_inputs(struct core_work *w, size_t block)
{
	const struct core_published *like = vectors_published(w->algorithm, 0);

	expected_pattern(input, block);
	w->in = input;
	w->in_size = block;
	if (like == NULL)
		return;
	w->key = bulk_key;
	w->key_size = vectors_size(like->key);
	w->iv = bulk_iv;
	w->iv_size = vectors_size(like->iv);
	if (like->tag[0] == 0)
		return;
	w->aad = bulk_aad;
	w->aad_size = sizeof(bulk_aad);
	w->tag_size = EXPECTED_TAG_SIZE;
	if (w->decrypts && expected_tag(input_tag, w->algorithm, block))
		w->tag = input_tag;
}

/* What the operation of the name works on. */
static const char *text_of(const struct core_keys *keys, const char *operation)
{
	if (strcmp(operation, "public") == 0)
		return keys->plain;
	return strcmp(operation, "private") == 0 ? keys->cipher : keys->message;
}

static void take_pair(struct core_pair *ret, const char *private, const char *public)
{
	ret->private = vectors_bytes(private, &ret->private_size);
	ret->public = vectors_bytes(public, &ret->public_size);
}

static void key_inputs(struct core_work *w, const struct core_keys *keys)
{
	const char *bits = strchr(w->algorithm, '-');

	w->bits = bits != NULL ? (unsigned)strtoul(bits + 1, NULL, 10) : 0;
	w->group = keys->group;
	w->prime = vectors_bytes(keys->prime, &w->prime_size);
	take_pair(&w->own, keys->own_private, keys->own_public);
	take_pair(&w->peer, keys->peer_private, keys->peer_public);
	w->in = vectors_bytes(text_of(keys, w->operation), &w->in_size);
	w->signature = vectors_bytes(keys->signature, &w->signature_size);
}

static void take_published(struct core_work *w, const struct core_published *row)
{
	w->key = vectors_bytes(row->key, &w->key_size);
	w->iv = vectors_bytes(row->iv, &w->iv_size);
	w->aad = vectors_bytes(row->aad, &w->aad_size);
}

void prove_inputs(struct core_work *ret, enum core_id id, size_t block)
{
	const struct core_keys *keys;
	const struct core_published *derivation;

	begin(ret, id);
	if (block > 0) {
		bulk_inputs(ret, block);
		return;
	}
	keys = vectors_keys(ret->algorithm);
	derivation = vectors_published(ret->algorithm, 0);
	if (keys != NULL)
		key_inputs(ret, keys);
	else if (derivation != NULL) {
		take_published(ret, derivation);
		ret->want = vectors_size(derivation->out);
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

/* 0, or the library's error. */
static int run_once(const struct core_operation *op, struct core_work *work)
{
	int error;

	prove_forget(work);
	error = op->setup(work);
	if (error == 0)
		error = op->run(work);
	op->done();
	return error;
}

/* Only a refusal in the operation itself is one of the tag. */
static bool refuses_forgery(
	const struct core_operation *op, struct core_work *work, const char *source, struct core_why *why)
{
	unsigned char forged[EXPECTED_TAG_SIZE];
	int error;

	memcpy(forged, work->tag, work->tag_size);
	forged[work->tag_size - 1] ^= 1;
	work->tag = forged;
	error = op->setup(work);
	if (error != 0) {
		op->done();
		return prove_error(error, source, why);
	}
	error = op->run(work);
	op->done();
	return error != 0 || core_refuse(why, "%s: a forged tag was taken", source);
}

/* One published answer through the same functions as the timed operation. */
static bool published(const struct core_operation *op, const struct core_published *row, struct core_why *why)
{
	struct core_work work;
	const unsigned char *expected, *tag;
	size_t size, tag_size;
	int error;

	begin(&work, op->id);
	take_published(&work, row);
	work.in = vectors_bytes(work.decrypts ? row->out : row->in, &work.in_size);
	/* Tag and output stand one behind the other, as an encryption gives them. */
	expected = vectors_bytes(work.decrypts ? row->in : row->out, &size);
	tag = vectors_bytes(row->tag, &tag_size);
	work.tag_size = tag_size;
	work.tag = work.decrypts ? tag : NULL;
	error = run_once(op, &work);
	if (error != 0)
		return prove_error(error, row->source, why);
	if (!same(&work, expected, work.decrypts ? size : size + tag_size, row->source, why))
		return false;
	return tag == NULL || !work.decrypts || refuses_forgery(op, &work, row->source, why);
}

/* Public-key operations and derivations run on the published rows themselves: prove_output() holds them
 * against these. */
bool prove_published(const struct core_operation *op, struct core_why *why)
{
	const struct core_published *row;
	const char *algorithm = bench_algorithm(op->id);

	if (!bench_is_bulk(op->id))
		return true;
	for (size_t i = 0; (row = vectors_published(algorithm, i)) != NULL; i++)
		if (!published(op, row, why))
			return false;
	return true;
}

bool prove_output(const struct core_operation *op, struct core_work *work, size_t block,
	char digest[SHA256_HEX_SIZE], struct core_why *why)
{
	char first[17] = "";
	uint64_t expected = 0;
	bool known = expected_digest(&expected, op->id, block);

	digest[0] = 0;
	if (op->answer != NULL && !op->answer(work, why))
		return false;
	if (work->out_size > 0)
		sha256_hex(digest, work->out, work->out_size);
	memcpy(first, digest, digest[0] != 0 ? sizeof(first) - 1 : 0);
	if (!known && op->proof == CORE_PROOF_DIGEST)
		return core_refuse(why, "there is no expected digest to hold its output against");
	if (known && (digest[0] == 0 || strtoull(first, NULL, 16) != expected))
		return core_refuse(why, "the digest of the timed output is %s, expected %08lx%08lx...",
			digest[0] != 0 ? digest : "missing", (unsigned long)(expected >> 32),
			(unsigned long)(expected & 0xffffffff));
	return true;
}
