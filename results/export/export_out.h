/* What the exporters share: the stream that they write into, and figures as texts. */
#ifndef BM_EXPORT_OUT_H
#define BM_EXPORT_OUT_H

#include "export.h"
#include "store_context.h"

struct export_out {
	GString *text; /* written, and not yet handed on */
	struct store *store;
	const struct export_options *options;
	const struct export_target *target;
	struct export_count count;
	struct attempt_context *context; /* of the attempt asked for last */
	int64_t context_of;
	GError *error; /* the first one: nothing is handed on after it */
};

/* Hands on what was written once it is much. False once something has failed: the exporter then returns. */
bool out_room(struct export_out *out);
/* The attempt of a result, until the next call; NULL where it failed. */
const struct attempt_context *out_context(struct export_out *out, const struct result *result);
/* How the value of a result was printed, or how all of its numbers were: store_printings(). NULL where it
 * failed. */
GPtrArray *out_printings(struct export_out *out, const struct result *result);
/* store_sample_sets(); NULL where it failed. */
struct sample_list *out_samples(struct export_out *out, const struct result *result);

/* The shortest decimal that reads back as the same double, with a point in every locale. Finite numbers only.
 */
void put_number(GString *text, double number);
/* Twelve digits: of values that were computed for the format, so that no rounding is shown. */
void put_computed(GString *text, double number);
/* A JSON string; ASCII alone, so that no text can act on a terminal. Bytes that are not UTF-8 are replaced.
 */
void put_json(GString *text, const char *string);
/* "2026-11-30T20:20:58.000000000Z" of nanoseconds since 1970. */
void put_time(GString *text, int64_t time);

/* "byte", "operation", or NULL for a whole value: sizes and stated ratios. Static. */
const char *figure_per(const struct result *result);
/* "s/B", "instructions/op", "B". Free with g_free(). */
char *figure_unit(const struct result *result);
/* The block in bytes; 0 where there is none. */
double figure_block(const struct result *result);
/* What one call costs: nanoseconds where the metric is time, else its base unit. Of a value per byte only
 * where the block is known and the metric is sampled: a product of an exact value would be exact no longer.
 * The unit is "ns/op", "cycles/op", "instructions/B", "B"; free with g_free(). */
void put_per_call(GString *text, const struct result *result, double value);
char *figure_per_call_unit(const struct result *result);
/* All labels but the metric and the origin, for formats that have one name:
 * "rsa-2048 private library=wolfssl ... source=own environment=hardware kind=sampled". */
void put_name(GString *text, const struct result *result);
/* Whether it shows a range: several samples with quartiles. */
bool figure_has_quartiles(const struct result *result);

#endif
