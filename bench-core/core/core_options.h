/* The command line. */
#ifndef CORE_OPTIONS_H
#define CORE_OPTIONS_H

#include "adapter.h"

#include <stdint.h>

enum core_mode { CORE_TIME, CORE_COUNT, CORE_PROBE, CORE_LIST, CORE_HELP, CORE_MODE_MISSING };

#define OPTIONS_BLOCKS_MAX 10

struct core_options {
	enum core_mode mode;
	const char *benchmarks; /* globs joined by commas; NULL: all */
	const char *from;	/* the first item to do; NULL: the first that there is */
	const char *skip;	/* items joined by commas; NULL: none */
	bool in_process;	/* count without child processes */
	bool slow;		/* also what takes long */
	bool one;		/* the first item alone */
	size_t blocks[OPTIONS_BLOCKS_MAX];
	size_t block_count;
	uint64_t invocation;
	uint64_t budget_ns;  /* for the samples of one benchmark at one block size */
	uint64_t iterations; /* 0: chosen by the program */
	const char *build;   /* NULL: not said */
	const char *seed;
};

/* Reads argv; texts are lent. False with what is wrong in words. */
bool options_read(struct core_options *ret, int argc, char **argv, struct core_why *why);

/* The text of --help. */
extern const char options_help[];

/* Whether --benchmarks asks for this name: * stands for any text, ? for any character. */
bool options_want(const struct core_options *options, const char *name);

/* Whether --benchmarks has this name itself, and not only a pattern that fits. */
bool options_name(const struct core_options *options, const char *name);

#endif
