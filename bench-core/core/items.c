#include "items.h"

#include "bench.h"
#include "fixed.h"

#include <stdio.h>
#include <string.h>

void items_begin(struct items *ret, const struct core_options *options)
{
	*ret = (struct items){.options = options};
}

/* Each takes seconds on this machine, and minutes below an emulator. */
static bool is_slow(const char *name)
{
	static const struct core_options slow = {
		.benchmarks = "rsa-2048 keygen,rsa-2056 keygen,rsa-3072 keygen,rsa-4096 keygen,"
			      "rsa-2048 keygen-fixed,rsa-3072 keygen-fixed,rsa-4096 keygen-fixed,"
			      "scrypt-16384-8-1 derive,slh-dsa-* sign,"
			      "slh-dsa-*-128s *,slh-dsa-*-192? *,slh-dsa-*-256? *"};

	return options_want(&slow, name);
}

bool items_leave_out(const struct core_options *options, const char *name)
{
	return is_slow(name) && !options->slow && !options_name(options, name);
}

const struct core_operation *items_operation(const struct core_options *options, size_t place)
{
	const struct core_operation *op;

	if (place == 0)
		return &bench_null;
	op = &core_adapter.operations[(place - 1) / 2];
	return (place - 1) % 2 == 0 ? op : fixed_of(op, options->seed);
}

size_t items_places(void)
{
	return 1 + 2 * core_adapter.count;
}

/* The next one that --benchmarks and --block ask for. */
static bool next_wanted(struct items *items, struct item *ret)
{
	const struct core_options *o = items->options;

	for (; items->place < items_places(); items->place++, items->block = 0) {
		const struct core_operation *op = items_operation(o, items->place);
		bool bulk = op != NULL && bench_is_bulk(op->id);
		if (op == NULL || !options_want(o, bench_name(op->id)) ||
			items_leave_out(o, bench_name(op->id)) || items->block == (bulk ? o->block_count : 1))
			continue;
		ret->op = op;
		ret->block = bulk ? o->blocks[items->block] : 0;
		items->block++;
		return true;
	}
	return false;
}

/* Whether the text, `length` bytes, is the item's: "rsa-2048 private", "sha-256 hash 1024". */
static bool is_named(const struct item *item, const char *text, size_t length)
{
	char name[128];

	snprintf(name, sizeof(name), "%s", bench_name(item->op->id));
	if (item->block > 0)
		snprintf(
			name + strlen(name), sizeof(name) - strlen(name), " %lu", (unsigned long)item->block);
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

static bool is_listed(const struct item *item, const char *list)
{
	while (list != NULL) {
		size_t length = strcspn(list, ",");
		if (is_named(item, list, length))
			return true;
		list = list[length] != 0 ? list + length + 1 : NULL;
	}
	return false;
}

bool items_next(struct items *items, struct item *ret)
{
	const struct core_options *o = items->options;

	while (next_wanted(items, ret)) {
		if (o->from != NULL && !items->from_seen && !is_named(ret, o->from, strlen(o->from)))
			continue;
		items->from_seen = true;
		if (!is_listed(ret, o->skip))
			return true;
	}
	return false;
}

static bool is_wanted(const struct core_options *options, const char *text, size_t length)
{
	struct items items;
	struct item item;

	items_begin(&items, options);
	while (next_wanted(&items, &item))
		if (is_named(&item, text, length))
			return true;
	return false;
}

static bool refuse(const char *option, const char *text, size_t length, struct core_why *why)
{
	return core_refuse(why,
		"%s %.*s: not among what would run; expected a benchmark's name, and behind that of a bulk "
		"benchmark a space and its block",
		option, length < 80 ? (int)length : 80, text);
}

bool items_check(const struct core_options *options, struct core_why *why)
{
	struct items items;
	struct item item;
	const char *list = options->skip;

	items_begin(&items, options);
	if (!next_wanted(&items, &item))
		return core_refuse(why, "--benchmarks %.200s: fits no benchmark; --list prints them",
			options->benchmarks);
	if (options->from != NULL && !is_wanted(options, options->from, strlen(options->from)))
		return refuse("--from", options->from, strlen(options->from), why);
	while (list != NULL) {
		size_t length = strcspn(list, ",");
		if (!is_wanted(options, list, length))
			return refuse("--skip", list, length, why);
		list = list[length] != 0 ? list + length + 1 : NULL;
	}
	return true;
}
