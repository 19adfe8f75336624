/* wolfCrypt's random generator: part of wolfssl.c, before all that uses it. */
#define SEEDS_MAX 4

/* What the generator was seeded with since its start was asked for. */
static struct {
	unsigned char bytes[128];
	size_t size; /* 0: longer than there is room for */
} seeds[SEEDS_MAX];
static size_t seed_count;

static void give_seed(unsigned char *output, size_t size)
{
	seed_bytes(output, size);
	if (seed_count < SEEDS_MAX) {
		seeds[seed_count].size = size <= sizeof(seeds[0].bytes) ? size : 0;
		memcpy(seeds[seed_count].bytes, output, seeds[seed_count].size);
	}
	seed_count++;
}

/* The linker puts it in the place of wc_GenerateSeed(). */
int bench_generate_seed(OS_Seed *os, byte *output, word32 size);
int bench_generate_seed(OS_Seed *os, byte *output, word32 size)
{
	(void)os;
	give_seed(output, size);
	return 0;
}

#if defined(__unix__)
#include "wolfssl_urandom.h"
#endif

static WC_RNG rng;

#ifdef HAVE_HASHDRBG
/* The first bytes of a seed are for its health test alone. */
#define SEED_TESTED 4

static size_t random_runs;

static int random_setup(const struct core_work *w)
{
	int error;

	(void)w;
	seed_count = 0;
	random_runs = 0;
	error = wc_InitRng(&rng);
	/* From elsewhere, as from the processor's own generator, nothing can be told. */
	return error == 0 && seed_count == 0 ? NOT_COMPILED_IN : error;
}

/* One request gives so many bytes at most. */
#define REQUEST_MAX ((size_t)RNG_MAX_BLOCK_LEN)

static size_t request_size(size_t rest)
{
	return rest < REQUEST_MAX ? rest : REQUEST_MAX;
}

static int random_run(struct core_work *w)
{
	int error = 0;

	for (size_t done = 0; error == 0 && done < w->in_size; done += REQUEST_MAX)
		error = wc_RNG_GenerateBlock(&rng, w->out + done, (word32)request_size(w->in_size - done));
	random_runs++;
	w->out_size = w->in_size;
	return error;
}

static const struct hash_drbg_hash *random_hash(void)
{
#ifdef WOLFSSL_DRBG_SHA512
	if (rng.drbgType == WC_DRBG_SHA512)
		return &hash_drbg_sha512;
#endif
	return &hash_drbg_sha256;
}

/* Whether SP 800-90A gives the same behind as many requests from the same seeds. */
static bool random_matches(const struct core_work *w)
{
	static unsigned char expected[RNG_MAX_BLOCK_LEN];
	struct hash_drbg drbg;
	size_t seed = 1;
	bool good = true;

	hash_drbg_instantiate(
		&drbg, random_hash(), seeds[0].bytes + SEED_TESTED, seeds[0].size - SEED_TESTED);
	for (size_t run = 1; run <= random_runs; run++)
		for (size_t done = 0; done < w->out_size; done += REQUEST_MAX) {
			size_t size = request_size(w->out_size - done);
			if (drbg.requests == WC_RESEED_INTERVAL && seed < seed_count) {
				hash_drbg_reseed(&drbg, seeds[seed].bytes + SEED_TESTED,
					seeds[seed].size - SEED_TESTED);
				seed++;
			}
			hash_drbg_generate(&drbg, run == random_runs ? expected : NULL, size);
			good = good && (run < random_runs || memcmp(w->out + done, expected, size) == 0);
		}
	return good;
}

/* Whether all that it was seeded with is known. */
static bool seeds_are_kept(void)
{
	for (size_t i = 0; i < seed_count && i < SEEDS_MAX; i++)
		if (seeds[i].size <= SEED_TESTED)
			return false;
	return seed_count <= SEEDS_MAX;
}

static bool random_answer(struct core_work *w, struct core_why *why)
{
	bool kept = seeds_are_kept(), good = kept && random_matches(w);

	/* Another number of operations gives another output: there is nothing to compare between builds. */
	w->out_size = 0;
	if (!kept)
		return core_refuse(
			why, "seeded %lu times, by more than can be followed", (unsigned long)seed_count);
	return good || core_refuse(why, "the output is not what Hash_DRBG of SP 800-90A gives");
}

static void random_done(void)
{
	wc_FreeRng(&rng);
}
#define RANDOM_ROW CORE_PROVIDES(RNG_GENERATE, VERIFY, random_setup, random_run, random_answer, random_done)
#else
#define RANDOM_ROW CORE_LACKS(RNG_GENERATE, "the build has no Hash_DRBG")
#endif
