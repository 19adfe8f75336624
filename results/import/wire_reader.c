#include "wire_members.h"

#include "diag.h"
#include "wire.h"

#include <inttypes.h>
#include <string.h>

struct wire_reader *wire_reader_new(void)
{
	struct wire_reader *reader = g_new0(struct wire_reader, 1);

	reader->buffer = g_string_new(NULL);
	reader->remarks = g_ptr_array_new();
	reader->values = g_array_new(FALSE, FALSE, sizeof(double));
	reader->problem = g_string_new(NULL);
	reader->begin = g_string_new(NULL);
	return reader;
}

void wire_reader_free(struct wire_reader *reader)
{
	if (!reader)
		return;
	g_string_free(reader->buffer, TRUE);
	g_ptr_array_unref(reader->remarks);
	g_array_unref(reader->values);
	g_string_free(reader->problem, TRUE);
	g_string_free(reader->begin, TRUE);
	json_decref(reader->root);
	g_free(reader);
}

void wire_reader_push(struct wire_reader *reader, const char *bytes, size_t length)
{
	/* Only once half of it is read, so that every byte is moved a bounded number of times. */
	if (reader->start > reader->buffer->len / 2) {
		g_string_erase(reader->buffer, 0, (gssize)reader->start);
		reader->searched -= reader->start;
		reader->start = 0;
	}
	g_string_append_len(reader->buffer, bytes, (gssize)length);
}

void wire_reader_finish(struct wire_reader *reader)
{
	reader->finished = true;
}

/* `name`, and `block` as decimal text. */
static bool get_benchmark(struct wire_reader *reader, struct wire_record *ret)
{
	int64_t block = 0;

	if (!wire_get_text(reader, &ret->name, "name", REQUIRED) ||
		!wire_get_number(reader, &block, "block", 1, OPTIONAL))
		return false;
	if (block > 0) {
		g_snprintf(reader->block, sizeof reader->block, "%" PRId64, block);
		ret->block = reader->block;
	}
	return true;
}

/* --- records --- */

static bool check_texts(struct wire_reader *reader, const char *key)
{
	const json_t *list = json_object_get(reader->root, key), *text;
	size_t i;

	if (list && !json_is_array(list))
		return wire_fail(reader, "\"%s\" is not a list", key);
	json_array_foreach(list, i, text) if (!json_is_string(text)) return wire_fail(
		reader, "\"%s\" holds something that is not a text", key);
	return true;
}

/* What the intake does not look at must still be of its type: the header is kept and shown. */
static bool check_header_facts(struct wire_reader *reader)
{
	static const char *const texts[] = {
		"core", "library", "math", "clock", "counter", "counter_metric", "check", "seed"};
	int64_t number;
	int endian;
	size_t i;

	for (i = 0; i < G_N_ELEMENTS(texts); i++) {
		const json_t *text = json_object_get(reader->root, texts[i]);
		if (text && !json_is_string(text))
			return wire_fail(reader, "\"%s\" is not a text", texts[i]);
	}
	if (!check_texts(reader, "cpu_features") || !check_texts(reader, "remarks"))
		return false;
	if (json_object_get(reader->root, "endian") &&
		!wire_get_word(reader, &endian, "endian", (const char *const[]){"little", "big", NULL}))
		return false;
	return wire_get_number(reader, &number, "pointer_bits", 1, OPTIONAL) &&
	       wire_get_number(reader, &number, "page_size", 1, OPTIONAL) &&
	       wire_get_number(reader, &number, "clock_resolution_ns", 1, OPTIONAL) &&
	       wire_get_number(reader, &number, "counter_hz", 1, OPTIONAL) &&
	       wire_get_number(reader, &number, "counter_stated_hz", 1, OPTIONAL);
}

static void take_remarks(struct wire_reader *reader, struct wire_record *ret)
{
	const json_t *text;
	size_t i;

	g_ptr_array_set_size(reader->remarks, 0);
	json_array_foreach(json_object_get(reader->root, "remarks"), i, text)
		g_ptr_array_add(reader->remarks, (gpointer)json_string_value(text));
	g_ptr_array_add(reader->remarks, NULL);
	ret->remarks = (const char *const *)reader->remarks->pdata;
}

static bool read_header(struct wire_reader *reader, struct wire_record *ret)
{
	static const char *const names[] = {"time", "count", "probe", NULL};
	int mode;

	ret->kind = WIRE_HEADER;
	if (!wire_get_number(reader, &ret->wire, "wire", 1, REQUIRED))
		return false;
	if (ret->wire != WIRE_VERSION)
		return wire_fail(
			reader, "wire format %" PRId64 "; this program reads %d", ret->wire, WIRE_VERSION);
	if (!wire_get_word(reader, &mode, "mode", names))
		return false;
	ret->mode = names[mode];
	if (!wire_get_number(reader, &ret->invocation, "invocation", 0, REQUIRED) ||
		!wire_get_text(reader, &ret->build, "build", OPTIONAL) ||
		!wire_get_text(reader, &ret->library_version, "library_version", OPTIONAL) ||
		!check_header_facts(reader))
		return false;
	reader->checked = json_object_get(reader->root, "check") != NULL;
	take_remarks(reader, ret);
	return true;
}

static bool read_start(struct wire_reader *reader, struct wire_record *ret)
{
	ret->kind = WIRE_START;
	return get_benchmark(reader, ret);
}

static bool is_digest(const char *text)
{
	return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static bool read_benchmark(struct wire_reader *reader, struct wire_record *ret)
{
	const char *states[OUTCOME_STATE_COUNT + 1] = {NULL};
	int state, proof;

	for (int i = 0; i < OUTCOME_STATE_COUNT; i++)
		states[i] = outcome_states[i].name;
	ret->kind = WIRE_BENCHMARK;
	if (!get_benchmark(reader, ret) || !wire_get_word(reader, &state, "state", states))
		return false;
	ret->state = (enum outcome_state)state;
	if (!wire_get_text(reader, &ret->reason, "reason", state == OUTCOME_OK ? OPTIONAL : REQUIRED) ||
		!wire_get_text(reader, &ret->digest, "digest", OPTIONAL))
		return false;
	if (ret->digest && !is_digest(ret->digest))
		return wire_fail(reader, "\"digest\" is not a SHA-256 in lower-case hexadecimal");
	if (json_object_get(reader->root, "proof") &&
		!wire_get_word(reader, &proof, "proof",
			(const char *const[]){"digest", "round-trip", "verify", NULL}))
		return false;
	return wire_get_text(reader, &ret->proof, "proof", OPTIONAL);
}

static bool may_be_sampled(enum metric metric)
{
	return metric_infos[metric].assume == ASSUME_SAMPLED;
}

static bool may_be_counted(enum metric metric)
{
	return metric == METRIC_INSTRUCTIONS;
}

/* The metric, which must be one that such a line may carry. */
static bool get_metric(struct wire_reader *reader, enum metric *ret, bool (*may)(enum metric metric))
{
	const char *name = NULL;

	if (!wire_get_text(reader, &name, "metric", REQUIRED))
		return false;
	int metric = metric_find(name);
	if (metric < 0 || !may((enum metric)metric)) {
		g_autofree char *shown = diag_printable(name, -1);
		return wire_fail(reader, "metric \"%s\" has no place in such a line", shown);
	}
	*ret = (enum metric)metric;
	return true;
}

static bool get_iterations(struct wire_reader *reader, struct wire_record *ret)
{
	int64_t iterations = 0;

	if (!wire_get_number(reader, &iterations, "iterations", 1, REQUIRED))
		return false;
	ret->iterations = (uint64_t)iterations;
	return true;
}

static bool read_samples(struct wire_reader *reader, struct wire_record *ret)
{
	const json_t *values = json_object_get(reader->root, "values"), *value;
	size_t i;

	ret->kind = WIRE_SAMPLES;
	if (!get_benchmark(reader, ret) || !get_metric(reader, &ret->metric, may_be_sampled) ||
		!get_iterations(reader, ret))
		return false;
	if (!json_is_array(values) || json_array_size(values) == 0)
		return wire_fail(reader, "\"values\" is not a list of at least one number");
	g_array_set_size(reader->values, 0);
	json_array_foreach(values, i, value)
	{
		if (!wire_is_within(value, 1))
			return wire_fail(reader, "\"values\"[%zu] is not a whole number from 1 to 2^53", i);
		double number = (double)json_integer_value(value);
		g_array_append_val(reader->values, number);
	}
	ret->values = (const double *)(void *)reader->values->data;
	ret->n_values = reader->values->len;
	return true;
}

static bool get_region(struct wire_reader *reader, struct wire_record *ret)
{
	if (!wire_get_number(reader, &ret->region, "region", 1, REQUIRED))
		return false;
	return ret->region <= WIRE_REGION_MAX || wire_fail(reader, "\"region\" is above %d", WIRE_REGION_MAX);
}

static bool read_region(struct wire_reader *reader, struct wire_record *ret)
{
	ret->kind = WIRE_REGION;
	ret->ns = -1;
	return get_region(reader, ret) && get_benchmark(reader, ret) && get_iterations(reader, ret) &&
	       wire_get_number(reader, &ret->ns, "ns", 0, OPTIONAL);
}

static bool read_count(struct wire_reader *reader, struct wire_record *ret)
{
	ret->kind = WIRE_COUNT;
	return get_region(reader, ret) && get_metric(reader, &ret->metric, may_be_counted) &&
	       wire_get_number(reader, &ret->value, "value", 1, REQUIRED);
}

static bool read_functions(struct wire_reader *reader, struct wire_record *ret)
{
	const json_t *pair, *counts = json_object_get(reader->root, "counts");
	size_t i;

	ret->kind = WIRE_FUNCTIONS;
	if (!get_region(reader, ret))
		return false;
	g_array_set_size(reader->values, 0);
	g_ptr_array_set_size(reader->remarks, 0);
	json_array_foreach(counts, i, pair)
	{
		const json_t *name = json_array_get(pair, 0), *count = json_array_get(pair, 1);
		if (!json_is_string(name) || !wire_is_within(count, 1))
			return wire_fail(
				reader, "\"counts\"[%zu] is no name with a whole number from 1 to 2^53", i);
		double number = (double)json_integer_value(count);
		g_ptr_array_add(reader->remarks, (gpointer)json_string_value(name));
		g_array_append_val(reader->values, number);
	}
	ret->n_values = reader->values->len;
	ret->values = (const double *)(void *)reader->values->data;
	ret->names = (const char *const *)reader->remarks->pdata;
	return ret->n_values > 0 || wire_fail(reader, "\"counts\" is not a list of at least one pair");
}

static bool read_value(struct wire_reader *reader, struct wire_record *ret)
{
	ret->kind = WIRE_VALUE;
	return get_benchmark(reader, ret) && get_metric(reader, &ret->metric, metric_is_of_memory) &&
	       wire_get_number(reader, &ret->value, "value", 0, REQUIRED);
}

static bool read_footprint(struct wire_reader *reader, struct wire_record *ret)
{
	int of;

	ret->kind = WIRE_FOOTPRINT;
	if (!wire_get_word(reader, &of, "of", (const char *const[]){"program", "library", NULL}))
		return false;
	ret->of_library = of == 1;
	return wire_get_number(reader, &ret->flash, "flash", 1, REQUIRED) &&
	       wire_get_number(reader, &ret->ram, "ram", 1, REQUIRED);
}

static bool read_end(struct wire_reader *reader, struct wire_record *ret)
{
	ret->kind = WIRE_END;
	return wire_get_number(reader, &ret->records, "records", 1, REQUIRED) &&
	       wire_get_text(reader, &ret->next, "next", OPTIONAL);
}

/* Counts are the emulator's: no line lies between it and us. */
static bool check_there(struct wire_reader *reader, const struct wire_record *ret)
{
	bool needed = reader->checked && !wire_is_counter(ret->kind);

	if (reader->check == WIRE_CHECK_FITS || (!needed && !json_object_get(reader->root, "crc")))
		return true;
	return wire_fail(reader, "no check at its end, though %s",
		needed ? "the header says that each line carries one" : "it has a \"crc\"");
}

static bool read_record(struct wire_reader *reader, struct wire_record *ret)
{
	static const struct {
		const char *r;
		bool (*read)(struct wire_reader *reader, struct wire_record *ret);
	} records[] = {
		{"header", read_header},
		{"start", read_start},
		{"benchmark", read_benchmark},
		{"samples", read_samples},
		{"region", read_region},
		{"count", read_count},
		{"functions", read_functions},
		{"value", read_value},
		{"footprint", read_footprint},
		{"end", read_end},
	};
	const char *r = NULL;

	if (!wire_get_text(reader, &r, "r", REQUIRED))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(records); i++)
		if (strcmp(records[i].r, r) == 0)
			return records[i].read(reader, ret) && check_there(reader, ret);
	g_autofree char *shown = diag_printable(r, -1);
	return wire_fail(reader, "unknown record \"%s\"", shown);
}

/* --- lines --- */

static bool read_line(struct wire_reader *reader, struct wire_record *ret, const char *line, size_t length)
{
	json_error_t error;

	reader->check = wire_check(line, length);
	if (length + 1 > WIRE_LINE_MAX)
		return wire_fail(reader, "longer than %d bytes", WIRE_LINE_MAX);
	if (length == 0)
		return wire_fail(reader, "an empty line");
	if (memchr(line, '\0', length))
		return wire_fail(reader, "a NUL byte");
	if (reader->check == WIRE_CHECK_BROKEN)
		return wire_fail(reader, "its check does not fit: it was changed on the way");
	if (line[length - 1] == '\r')
		return wire_fail(reader, "ends in CR LF");
	if (!g_utf8_validate_len(line, length, NULL))
		return wire_fail(reader, "not UTF-8");
	reader->root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
	if (!reader->root) {
		g_autofree char *shown = diag_printable(error.text, -1);
		return wire_fail(reader, "not JSON: %s", shown);
	}
	if (!json_is_object(reader->root))
		return wire_fail(reader, "not a JSON object");
	return read_record(reader, ret);
}

static bool take_problem(struct wire_reader *reader, struct wire_record *ret, const char *text)
{
	memset(ret, 0, sizeof *ret);
	ret->kind = WIRE_PROBLEM;
	ret->line = reader->line;
	ret->text = text;
	ret->problem = reader->problem->str;
	return true;
}

/* What is left holds no newline. */
static bool take_rest(struct wire_reader *reader, struct wire_record *ret)
{
	size_t length = reader->buffer->len - reader->start;
	const char *text = reader->buffer->str + reader->start;
	bool too_long = length >= WIRE_LINE_MAX;

	if (!reader->skipping && !too_long && !(reader->finished && length > 0)) {
		reader->searched = reader->buffer->len;
		return false;
	}
	reader->start = reader->searched = reader->buffer->len;
	if (reader->skipping)
		return false;
	reader->line++;
	reader->skipping = too_long;
	if (too_long)
		wire_fail(reader, "longer than %d bytes", WIRE_LINE_MAX);
	else
		wire_fail(reader, "cut off: no newline at the end");
	return take_problem(reader, ret, text);
}

/* What is before a record within a line, as a line of its own; the record is what comes next. */
static char *begin_of_line(
	struct wire_reader *reader, size_t *ret_length, const char *line, const char *within)
{
	*ret_length = (size_t)(within - line);
	reader->start = reader->searched = (size_t)(within - reader->buffer->str);
	g_string_truncate(reader->begin, 0);
	g_string_append_len(reader->begin, line, (gssize)*ret_length);
	return reader->begin->str;
}

bool wire_reader_next(struct wire_reader *reader, struct wire_record *ret)
{
	json_decref(reader->root);
	reader->root = NULL;
	for (;;) {
		char *line = reader->buffer->str + reader->start;
		char *newline = memchr(
			reader->buffer->str + reader->searched, '\n', reader->buffer->len - reader->searched);
		if (!newline)
			return take_rest(reader, ret);
		reader->start = reader->searched = (size_t)(newline - reader->buffer->str) + 1;
		if (reader->skipping) {
			reader->skipping = false;
			continue;
		}
		size_t length = (size_t)(newline - line);
		const char *within = wire_check_within(line, length);
		reader->line += !reader->within;
		reader->within = within != NULL;
		if (!within)
			*newline = '\0';
		else
			line = begin_of_line(reader, &length, line, within);
		memset(ret, 0, sizeof *ret);
		if (!read_line(reader, ret, line, length))
			return take_problem(reader, ret, line);
		ret->line = reader->line;
		ret->text = line;
		return true;
	}
}
