/* The adapter of the library in small: right answers at once, and a line in the world's log for each
 * benchmark that a process begins, so that work that was done twice is seen. */
#include "adapter.h"
#include "fault_log.h" /* FAULT_LOG: the log's path; the harness writes this file */
#include "sha256.h"
#include "tiny_library.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const names[] = {
#define BENCHMARK(ID, name, algorithm, operation, work) name,
#include "benchmarks.def"
#undef BENCHMARK
};

static char mode[8] = "time", invocation[16] = "0";
static pid_t starter;

/* One write, so that lines of several processes do not mix. */
static void tell(const char *what, const char *name)
{
	char line[256];
	int fd = open(FAULT_LOG, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	int n = snprintf(line, sizeof(line), "%s %s %s %s:%s %d %ld.%03ld\n", mode, tiny_config(), what,
		invocation, name, (int)starter, (long)now.tv_sec, now.tv_nsec / 1000000);

	if (fd < 0 || write(fd, line, (size_t)n) != n)
		_exit(99);
	close(fd);
}

static void tell_end(void)
{
	if (getpid() == starter)
		tell("end", "process");
}

/* The adapter is not handed the command line. */
static void read_arguments(void)
{
	char text[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd >= 0 ? read(fd, text, sizeof(text) - 1) : 0;

	close(fd);
	text[length > 0 ? length : 0] = '\0';
	for (char *word = text; word < text + length; word += strlen(word) + 1) {
		if (strcmp(word, "--count") == 0)
			snprintf(mode, sizeof(mode), "count");
		if (strcmp(word, "--invocation") == 0)
			snprintf(invocation, sizeof(invocation), "%.15s", word + strlen(word) + 1);
	}
}

static bool start(struct core_why *why)
{
	starter = getpid();
	read_arguments();
	atexit(tell_end);
	return tiny_answer(6) == 42 || core_refuse(why, "another answer");
}

static int setup(const struct core_work *work)
{
	const struct timespec a_while = {0, 20000000};

	tell("begin", names[work->id]);
	nanosleep(&a_while, NULL); /* so that a kill between two benchmarks is told from one within */
	return 0;
}

static void done(void)
{
}

static int give(struct core_work *work, const unsigned char *bytes, size_t size)
{
	tiny_answer(1);
	memcpy(work->out, bytes, size);
	work->out_size = size;
	return 0;
}

static int hash(struct core_work *work)
{
	struct sha256 s;

	sha256_init(&s);
	sha256_update(&s, work->in, work->in_size);
	sha256_final(&s, work->out);
	work->out_size = SHA256_SIZE;
	return 0;
}

static int private_operation(struct core_work *work)
{
	return give(work, (const unsigned char *)"Everyone gets Friday off.", 25);
}

static int agree(struct core_work *work)
{
	/* RFC 5903, section 8.1. */
	static const unsigned char secret[32] = {0xd6, 0x84, 0x0f, 0x6b, 0x42, 0xf6, 0xed, 0xaf, 0xd1, 0x31,
		0x16, 0xe0, 0xe1, 0x25, 0x65, 0x20, 0x2f, 0xef, 0x8e, 0x9e, 0xce, 0x7d, 0xce, 0x03, 0x81,
		0x24, 0x64, 0xd0, 0x4b, 0x94, 0x42, 0xde};

	return give(work, secret, sizeof(secret));
}

static const char *version(void)
{
	return "1.0";
}

static const char *math(void)
{
	return "none";
}

static const char *error_text(int error)
{
	(void)error;
	return NULL;
}

static const struct core_operation operations[] = {
	CORE_LACKS(AES_128_GCM_ENCRYPT, "the build has no AES-GCM"),
	CORE_PROVIDES(SHA_256_HASH, DIGEST, setup, hash, NULL, done),
	CORE_PROVIDES(RSA_2048_PRIVATE, DIGEST, setup, private_operation, NULL, done),
	CORE_PROVIDES(ECDH_P256_AGREE, DIGEST, setup, agree, NULL, done),
};

const struct core_adapter core_adapter = {"tiny", start, version, math, error_text, 0, operations,
	sizeof(operations) / sizeof(operations[0]), 0};
