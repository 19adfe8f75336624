#include "port.h"

#if defined(__linux__) && (defined(__aarch64__) || defined(__arm__))
#include <sys/auxv.h>
#elif defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* A feature is a bit of a word. */
struct feature {
	const char *name;
	unsigned word;
	unsigned bit;
};

#if defined(__linux__) && defined(__aarch64__)

/* AT_HWCAP, AT_HWCAP2 (asm/hwcap.h of the kernel). */
static const struct feature features[] = {
	{"asimd", 0, 1},
	{"aes", 0, 3},
	{"pmull", 0, 4},
	{"sha1", 0, 5},
	{"sha2", 0, 6},
	{"crc32", 0, 7},
	{"atomics", 0, 8},
	{"sha3", 0, 17},
	{"sm3", 0, 18},
	{"sm4", 0, 19},
	{"sha512", 0, 21},
	{"sve", 0, 22},
	{"sve2", 1, 1},
};

static void read_words(unsigned long words[2])
{
	words[0] = getauxval(AT_HWCAP);
	words[1] = getauxval(AT_HWCAP2);
}

#elif defined(__linux__) && defined(__arm__)

static const struct feature features[] = {
	{"neon", 0, 12},
	{"vfpv4", 0, 16},
	{"aes", 1, 0},
	{"pmull", 1, 1},
	{"sha1", 1, 2},
	{"sha2", 1, 3},
	{"crc32", 1, 4},
};

static void read_words(unsigned long words[2])
{
	words[0] = getauxval(AT_HWCAP);
	words[1] = getauxval(AT_HWCAP2);
}

#elif defined(__x86_64__) || defined(__i386__)

/* Leaf 1 ECX, leaf 7 EBX, leaf 7 ECX. */
static const struct feature features[] = {
	{"pclmulqdq", 0, 1},
	{"ssse3", 0, 9},
	{"movbe", 0, 22},
	{"aes", 0, 25},
	{"avx", 0, 28},
	{"rdrand", 0, 30},
	{"avx2", 1, 5},
	{"bmi2", 1, 8},
	{"avx512f", 1, 16},
	{"rdseed", 1, 18},
	{"adx", 1, 19},
	{"sha", 1, 29},
	{"vaes", 2, 9},
	{"vpclmulqdq", 2, 10},
};

static void read_words(unsigned long words[3])
{
	unsigned a = 0, b = 0, c = 0, d = 0;

	words[0] = words[1] = words[2] = 0;
	if (__get_cpuid(1, &a, &b, &c, &d))
		words[0] = c;
	if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
		words[1] = b;
		words[2] = c;
	}
}

#else

static const struct feature features[] = {{NULL, 0, 0}};

static void read_words(unsigned long words[1])
{
	words[0] = 0;
}

#endif

size_t port_cpu_features(const char **names, size_t room)
{
	unsigned long words[3] = {0, 0, 0};
	size_t count = 0;

	read_words(words);
	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]) && count < room; i++)
		if (words[features[i].word] >> features[i].bit & 1)
			names[count++] = features[i].name;
	return count;
}
