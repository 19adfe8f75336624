/* How importers tell records: one figure out of the several numbers that a line prints of it. */
#ifndef BM_TELLING_H
#define BM_TELLING_H

#include "importer.h"
#include "numbers.h"

void tell_other(const struct import_sink *sink, const struct import_line *line);
void tell_unread(const struct import_sink *sink, const struct import_line *line, const char *problem);
void tell_fact(
	const struct import_sink *sink, const struct import_line *line, const char *key, const char *value);
void tell_break(const struct import_sink *sink, const struct import_line *line);

/* A printed number as a value per unit of work, and the interval that its digits leave. */
struct reading {
	double value, low, high; /* `value` NAN where `problem` */
	char printed[64];
	const char *unit;    /* lent */
	const char *problem; /* of the number; NULL: usable. The interval holds for "zero" too. */
	bool doubtful;	     /* see struct number */
};

/* value * scale: a duration with `scale` seconds to its unit, cycles. */
struct reading reading_of(const struct number *number, double scale, const char *unit);
/* 1 / (value * scale): a rate with `scale` bytes or operations to its unit. */
struct reading reading_of_rate(const struct number *number, double scale, const char *unit);
/* A time for an amount of work, both printed: time * scale / (amount * amount_scale). The amount is exact
 * where its error is 0. */
struct reading reading_of_share(const struct number *time, double scale, const struct number *amount,
	double amount_scale, const char *unit);

/* Whether the intervals overlap. */
bool readings_agree(const struct reading *a, const struct reading *b);

/* A figure of that name as the importer's tool prints it: the benchmark is looked up; a sampled mean of time.
 * `work` is what its value is per. */
struct import_record figure_of_line(
	const struct import_line *line, const char *importer, const char *name, enum work work);

/* Tells the figure with the most precise of the readings that are usable. It is quarantined where two
 * disagree by 1 % or more (by less: a note), none is usable, its work is not the benchmark's, or `doubt` is
 * not NULL. It is too where the separators of one are doubtful: those of the others may be what they do
 * not seem. */
void tell_readings(const struct import_sink *sink, struct import_record *figure,
	const struct reading *readings, size_t n, const char *doubt);

/* Why cycles do not go with the time of the same work: the clock that both imply lies further than a factor
 * from the stated one (Hz; NAN: unknown, then from what processors have). New; NULL where it does not. */
char *clock_doubt(const struct reading *cycles, const struct reading *time, double stated, double factor);
/* The core's clock in Hz as the user says, else as the text does; NAN: unknown. */
double clock_told(const struct import_sink *sink, double text);
/* Cycles that were counted: a counter may run at another rate than the core, and a core at another than
 * stated. */
#define CLOCK_COUNTED 2.0
/* Cycles that were computed from the time by the stated clock. */
#define CLOCK_COMPUTED 1.03

#endif
