/* wolfCrypt's benchmark: what its two importers of text and CSV share. Nobody else includes this. */
#ifndef BM_WOLFCRYPT_H
#define BM_WOLFCRYPT_H

#include "importer.h"
#include "numbers.h"
#include "runs.h"
#include "telling.h"

#define WOLFCRYPT "wolfcrypt"

/* Which bytes "MB" are: until 5.5.3 MiB always ("mB" was 10^6); since then 10^6, printed only with -base10.
 */
enum wolfcrypt_era { ERA_UNKNOWN, ERA_BINARY, ERA_DECIMAL };

/* The right half of a line, of which the left one may be another run's. */
struct wolfcrypt_side {
	size_t number;
	char *text, *body;
};

struct wolfcrypt {
	struct run run;
	enum wolfcrypt_era era; /* by the version, or by a unit that only one era prints */
	double clock;		/* Hz, as stated; NAN */
	char *block;		/* "1048576"; NULL where no header said it */
	char *engine;		/* that the next lines are of; NULL: none */
	char *hardware;		/* what HW in a line is */
	char threads[16];	/* "2"; empty: one */
	bool core_cycles;	/* cycles are the core's (ESP32), not a constant-rate counter's */
	bool complete;		/* the run's end was printed: sums may follow */
	bool closes;		/* it is of a version that prints its end */
	size_t last;		/* line of its latest figure; 0: none */
	bool tpm;		/* wolfTPM's benchmark, which prints alike */
	GQueue right;		/* struct wolfcrypt_side *: of lines with a tab */
	bool two_runs;		/* a line had a figure on either side */
	GString *name;		/* of the line in hand */
	char **columns;		/* of the CSV table in hand; NULL: none */
};

/* Seconds of a time unit ("seconds", "ms"); 0 where it is none. */
double wolfcrypt_seconds(const char *unit);

/* Labels that all figures of the run have. `device`: "HW", "SW" or NULL. */
void wolfcrypt_label(const struct wolfcrypt *state, struct import_record *figure, const char *device);

/* Takes a line of the CSV output; false where it is none. */
bool wolfcrypt_csv(struct wolfcrypt *state, const struct import_line *line, const struct import_sink *sink);

/* Tells cycles per unit of work beside a time of the same. */
void wolfcrypt_cycles(const struct wolfcrypt *state, const struct import_sink *sink,
	const struct import_record *time, const struct reading *seconds, const struct number *number,
	const char *unit, const char *doubt);

#endif
