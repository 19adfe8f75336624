#include "core_options.h"

#include "expected.h"

#include <string.h>

#define DEFAULT_BLOCK	  16384
#define DEFAULT_BUDGET_MS 500
#define TEXT_MAX	  1000

const char options_help[] =
	"usage: bench-core --time|--count [OPTION...]\n"
	"       bench-core --probe|--list|--help\n"
	"\n"
	"  --time                 measure elapsed time and, where there is a counter, cycles\n"
	"  --count                run a fixed number of operations between markers, for an emulator that "
	"counts\n"
	"  --probe                only say what the program finds here: processor features, clock, counter, "
	"page size\n"
	"  --list                 print the benchmarks and whether this build has them\n"
	"  --benchmarks GLOB,...  only these; * and ? as in file names\n"
	"  --slow                 also what takes long (keys of RSA from 2048 bits on, scrypt, SLH-DSA\n"
	"                         but for keys and verification of 128f); a full name in --benchmarks\n"
	"                         asks for it too\n"
	"  --block N,...          bytes per operation of bulk benchmarks (16384)\n"
	"  --from ITEM            leave out what comes before this one; ITEM is a benchmark's name, and "
	"behind "
	"that of a\n"
	"                         bulk benchmark a space and its block: \"sha-256 hash 1024\"\n"
	"  --skip ITEM,...        leave these out\n"
	"  --one                  do the first item alone; the end record names the one that comes next\n"
	"  --budget-ms MS         time for the samples of one benchmark (500)\n"
	"  --iterations N         operations per counted region; the least per sample with --time\n"
	"  --invocation K         number of this invocation, from 0, as the output shall say it\n"
	"  --build TEXT           name of this build, as the output shall say it\n"
	"  --seed TEXT            what the random source follows from (benchmatrix)\n"
	"  --in-process           count without a child process for each item, for debuggers and profilers; "
	"counts then\n"
	"                         depend on what ran before\n"
	"\n"
	"Output: one JSON object per line (schema/wire.md). Exit status: 0 done, 1 stopped before its "
	"end, 2 wrong usage.\n";

/* A decimal number, at `*text`, which ends at its end or at a comma. */
static bool read_number(const char **text, uint64_t least, uint64_t most, uint64_t *ret)
{
	const char *p = *text;
	uint64_t value = 0;

	if (*p < '0' || *p > '9')
		return false;
	for (; *p >= '0' && *p <= '9'; p++) {
		value = value * 10 + (uint64_t)(*p - '0');
		if (value > most)
			return false;
	}
	if (value < least || (*p != 0 && *p != ','))
		return false;
	*text = p;
	*ret = value;
	return true;
}

static bool take_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *ret,
	struct core_why *why)
{
	const char *end = text;

	if (!read_number(&end, least, most, ret) || *end != 0)
		return core_refuse(why, "%s %.40s: expected a number from %lu to %lu", option, text,
			(unsigned long)least, (unsigned long)most);
	return true;
}

static bool refuse_block(const char *text, struct core_why *why)
{
	char list[128];
	size_t used = 0;

	for (size_t i = 0; i < expected_block_count && expected_has_block(expected_blocks[i]); i++) {
		struct core_why number;
		core_refuse(&number, "%s%lu", i > 0 ? ", " : "", (unsigned long)expected_blocks[i]);
		size_t length = strlen(number.text);
		if (length >= sizeof(list) - used)
			break;
		memcpy(list + used, number.text, length);
		used += length;
	}
	return core_refuse(why, "--block %.80s: expected sizes joined by commas, each once, of %.*s", text,
		(int)used, list);
}

static bool take_blocks(struct core_options *o, const char *text, struct core_why *why)
{
	const char *p = text;

	o->block_count = 0;
	for (;;) {
		uint64_t block = 0;
		if (!read_number(&p, 1, EXPECTED_BLOCK_MAX, &block) || !expected_has_block((size_t)block))
			return refuse_block(text, why);
		for (size_t i = 0; i < o->block_count; i++)
			if (o->blocks[i] == block)
				return refuse_block(text, why);
		o->blocks[o->block_count++] = (size_t)block;
		if (*p == 0)
			return true;
		p++;
	}
}

/* What cannot go into a line as it is would come back as something else. */
static bool take_text(const char *option, const char *text, const char **ret, struct core_why *why)
{
	if (strlen(text) > TEXT_MAX)
		return core_refuse(why, "%s: expected %d characters at most", option, TEXT_MAX);
	for (const char *p = text; *p != 0; p++)
		if (*p < 0x20 || *p > 0x7e)
			return core_refuse(why, "%s: expected printable ASCII characters", option);
	*ret = text;
	return true;
}

static bool take_value(struct core_options *o, const char *option, const char *value, struct core_why *why)
{
	if (strcmp(option, "--benchmarks") == 0)
		return take_text(option, value, &o->benchmarks, why);
	if (strcmp(option, "--from") == 0 || strcmp(option, "--skip") == 0) {
		*(option[2] == 'f' ? &o->from : &o->skip) = value;
		return true;
	}
	if (strcmp(option, "--block") == 0)
		return take_blocks(o, value, why);
	if (strcmp(option, "--budget-ms") == 0) {
		uint64_t ms = 0;
		bool ok = take_number(option, value, 1, 3600000, &ms, why);
		o->budget_ns = ms * 1000000u;
		return ok;
	}
	if (strcmp(option, "--iterations") == 0)
		return take_number(option, value, 1, 1000000000, &o->iterations, why);
	if (strcmp(option, "--invocation") == 0)
		return take_number(option, value, 0, 1000000000, &o->invocation, why);
	if (strcmp(option, "--build") == 0)
		return take_text(option, value, &o->build, why);
	return take_text(option, value, &o->seed, why);
}

static bool has_value(const char *option)
{
	static const char *const with[] = {"--benchmarks", "--block", "--from", "--skip", "--budget-ms",
		"--iterations", "--invocation", "--build", "--seed"};

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		if (strcmp(option, with[i]) == 0)
			return true;
	return false;
}

static enum core_mode mode_named(const char *option)
{
	static const char *const names[] = {"--time", "--count", "--probe", "--list", "--help"};
	enum core_mode mode = CORE_TIME;

	while (mode < CORE_MODE_MISSING && strcmp(option, names[mode]) != 0)
		mode++;
	return mode;
}

static bool take_flag(struct core_options *o, const char *option)
{
	if (strcmp(option, "--in-process") == 0)
		o->in_process = true;
	else if (strcmp(option, "--slow") == 0)
		o->slow = true;
	else if (strcmp(option, "--one") == 0)
		o->one = true;
	else
		return false;
	return true;
}

bool options_read(struct core_options *ret, int argc, char **argv, struct core_why *why)
{
	*ret = (struct core_options){.mode = CORE_MODE_MISSING,
		.blocks = {DEFAULT_BLOCK},
		.block_count = 1,
		.budget_ns = DEFAULT_BUDGET_MS * UINT64_C(1000000),
		.seed = "benchmatrix"};
	for (int i = 1; i < argc; i++) {
		enum core_mode mode = mode_named(argv[i]);
		if (mode != CORE_MODE_MISSING && ret->mode != CORE_MODE_MISSING && ret->mode != mode)
			return core_refuse(why,
				"%s: only one of --time, --count, --probe, --list and --help can be given",
				argv[i]);
		if (mode != CORE_MODE_MISSING) {
			ret->mode = mode;
			continue;
		}
		if (take_flag(ret, argv[i]))
			continue;
		if (!has_value(argv[i]))
			return core_refuse(why, "%.80s: no such option; --help prints them", argv[i]);
		if (i + 1 == argc)
			return core_refuse(why, "%s: its value is missing", argv[i]);
		if (!take_value(ret, argv[i], argv[i + 1], why))
			return false;
		i++;
	}
	if (ret->mode == CORE_MODE_MISSING)
		return core_refuse(why, "expected --time, --count, --probe, --list or --help");
	return true;
}

/* Whether the pattern, which ends at `end`, fits the whole text. */
static bool fits(const char *pattern, const char *end, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text != 0) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (pattern < end && (*pattern == '?' || *pattern == *text)) {
			pattern++;
			text++;
		} else if (star != NULL) {
			pattern = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

/* Whether one of the patterns of --benchmarks fits, or is the name. */
static bool asks(const char *p, const char *name, bool fully)
{
	for (;;) {
		const char *end = p + strcspn(p, ",");
		size_t length = (size_t)(end - p);
		bool is_it = length == strlen(name) && memcmp(p, name, length) == 0;
		if (is_it || (!fully && fits(p, end, name)))
			return true;
		if (*end == 0)
			return false;
		p = end + 1;
	}
}

bool options_want(const struct core_options *options, const char *name)
{
	return options->benchmarks == NULL || asks(options->benchmarks, name, false);
}

bool options_name(const struct core_options *options, const char *name)
{
	return options->benchmarks != NULL && asks(options->benchmarks, name, true);
}
