#include "functions.h"

#include "output.h"
#include "wire.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The longest name that is taken, and what a line has around its members. */
#define NAME_MAX_BYTES 1024
#define AROUND	       64

struct function {
	uint64_t start, end;
	char *name;
	uint64_t count, begun_at;
};

static struct function *functions; /* the last one is of what belongs to none */
static size_t n_functions;	   /* without the last one */

bool functions_given(void)
{
	return functions != NULL;
}

static bool add(const char *line, size_t *room)
{
	char name[NAME_MAX_BYTES + 1];
	struct function function = {0};

	if (n_functions + 1 >= *room) {
		*room = *room * 2 + 64;
		functions = realloc(functions, *room * sizeof(*functions));
		if (!functions)
			return false;
	}
	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %1024s", &function.start, &function.end, name) != 3 ||
		function.start >= function.end ||
		(n_functions > 0 && functions[n_functions - 1].end > function.start))
		return false;
	function.name = strdup(name);
	functions[n_functions++] = function;
	return function.name != NULL;
}

bool functions_read(const char *file)
{
	FILE *table = fopen(file, "r");
	char *line = NULL;
	size_t size = 0, room = 0;
	bool ok = table != NULL;

	while (ok && getline(&line, &size, table) > 0)
		ok = add(line, &room);
	ok = ok && n_functions > 0 && !ferror(table);
	free(line);
	if (table)
		fclose(table);
	if (ok)
		functions[n_functions] = (struct function){.name = strdup("?")};
	return ok;
}

uint64_t *functions_counter(uint64_t address)
{
	size_t low = 0, high = n_functions;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (functions[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < n_functions && functions[low].start > address)
		low = n_functions;
	return &functions[low].count;
}

uint64_t functions_total(void)
{
	uint64_t total = 0;

	for (size_t i = 0; i <= n_functions; i++)
		total += functions[i].count;
	return total;
}

void functions_begin(void)
{
	for (size_t i = 0; functions && i <= n_functions; i++)
		functions[i].begun_at = functions[i].count;
}

static size_t begin_line(char *line, size_t size, unsigned region)
{
	return (size_t)snprintf(line, size, "{\"r\":\"functions\",\"region\":%u,\"counts\":[", region);
}

static void end_line(char *line, size_t length)
{
	memcpy(line + length, "]}\n", 3);
	output(STDOUT_FILENO, line, length + 3);
}

void functions_write(unsigned region)
{
	static char line[WIRE_LINE_MAX];
	size_t length = 0;

	for (size_t i = 0; functions && i <= n_functions; i++) {
		const struct function *function = &functions[i];
		uint64_t count = function->count - function->begun_at;
		if (count == 0)
			continue;
		if (length + strlen(function->name) + AROUND > sizeof(line)) {
			end_line(line, length);
			length = 0;
		}
		bool first = length == 0;
		if (first)
			length = begin_line(line, sizeof(line), region);
		length += (size_t)snprintf(line + length, sizeof(line) - length, "%s[\"%s\",%" PRIu64 "]",
			first ? "" : ",", function->name, count);
	}
	if (length > 0)
		end_line(line, length);
}
