/* Any bytes, in pieces of any size, through the wire reader and the intake: no crash, no leak, and what comes
 * out keeps its promises. The first byte seeds the sizes of the pieces. */
#include "intake.h"
#include "wire_reader.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t next_piece(uint32_t *seed, size_t left)
{
	*seed = *seed * 1664525 + 1013904223;
	size_t piece = (*seed >> 16) % 64 + 1;
	return piece < left ? piece : left;
}

static void check_record(const struct wire_record *record, size_t *line)
{
	if (record->line <= *line || !record->text)
		abort();
	*line = record->line;
	if ((record->kind == WIRE_PROBLEM) != (record->problem != NULL))
		abort();
	if (record->kind == WIRE_SAMPLES && (record->n_values == 0 || record->iterations == 0))
		abort();
}

static void read_all(const char *bytes, size_t size, uint32_t seed)
{
	struct wire_reader *reader = wire_reader_new();
	struct wire_record record;
	size_t line = 0;

	for (size_t at = 0, piece; at < size; at += piece) {
		piece = next_piece(&seed, size - at);
		wire_reader_push(reader, bytes + at, piece);
		while (wire_reader_next(reader, &record))
			check_record(&record, &line);
	}
	wire_reader_finish(reader);
	while (wire_reader_next(reader, &record))
		check_record(&record, &line);
	wire_reader_free(reader);
}

static void check_intake(const struct intake *intake)
{
	if (intake->complete == (intake->incomplete_reason != NULL))
		abort();
	if ((intake->problems > 0) != (intake->first_problem != NULL))
		abort();
	for (guint i = 0; i < intake->outcomes->len; i++) {
		const struct outcome *outcome = intake->outcomes->pdata[i];
		if (outcome->state != OUTCOME_OK && !outcome->reason)
			abort();
	}
	for (guint i = 0; i < intake->measurements->len; i++) {
		const struct measurement *measurement = intake->measurements->pdata[i];
		if (measurement->figure.n < 1 || !(measurement->figure.min > 0) ||
			isinf(measurement->figure.max))
			abort();
	}
}

/* Ends the process, by itself, by a signal or lost, and begins another one of some invocation. */
static void next_process(struct intake_builder *builder, uint32_t seed)
{
	static const enum outcome_state blames[] = {OUTCOME_OK, OUTCOME_CRASHED, OUTCOME_TIMEOUT};
	enum outcome_state blame = blames[(seed >> 8) % G_N_ELEMENTS(blames)];

	intake_builder_process_ended(
		builder, blame, blame == OUTCOME_OK && (seed >> 16) % 2 == 0 ? NULL : "signal 11 (SIGSEGV)");
	intake_builder_process_began(builder, (seed >> 20) % 3);
}

static void take_in_all(const char *bytes, size_t size, uint32_t seed)
{
	struct intake_builder *builder = intake_builder_new(ENVIRONMENT_HARDWARE, seed % 2 ? "0f3a" : NULL);

	intake_builder_process_began(builder, 0);
	for (size_t at = 0, piece; at < size; at += piece) {
		piece = next_piece(&seed, size - at);
		intake_builder_push(builder, bytes + at, piece);
		if (seed >> 28 == 0)
			next_process(builder, seed);
	}
	struct intake *intake = intake_builder_finish(builder);
	check_intake(intake);
	intake_free(intake);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	read_all((const char *)data + 1, size - 1, data[0]);
	take_in_all((const char *)data + 1, size - 1, data[0]);
	return 0;
}
