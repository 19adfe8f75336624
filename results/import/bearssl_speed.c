/* BearSSL's testspeed: "AES-128 CBC encrypt (ct64)  23.40 MB/s", "RSA i31  185.68 priv/s". MB are 10^6 bytes;
 * the implementation is told as the engine. */
#include "context.h"
#include "names.h"

#include <string.h>

#define NAME "bearssl"

static const char figure_line[] =
	"^(?<name>(?:3D|[A-Z])[\\w -]*?)(?: \\((?<impl>[^)]+)\\))?\\s+(?:(?<rate>[\\d.,]+|inf|nan) "
	"(?:(?<bulk>MB/s)|(?<op>priv|pub|kgen\\[\\d+\\]|mul|sign|verify)/s)|(?<lacks>UNAVAILABLE))$";
/* Implementations between the algorithm and its curve. */
static const char key_name[] =
	"^(?<alg>RSA|EC|ECDSA) (?:(?<curve>c25519|p256)_)?(?<impl>\\S+)(?: (?<rest>[^\\d\\s]\\S*))?$";

static int recognise(const struct import_line *line)
{
	if (pattern_match(NULL,
		    "\\((?:ct\\d*|ct64|big|small|x86ni|pwr8|ctmul\\d*|sse2|i15|i31|pclmul)\\)\\s+(?:[\\d.]+ "
		    "MB/s|UNAVAILABLE)$|"
		    "[\\d.]+ (?:priv|pub|kgen\\[\\d+\\]|mul)/s$",
		    line->body))
		return 10;
	return pattern_match(NULL, figure_line, line->body);
}

/* "RSA i31" with "priv" as "RSA priv" of "i31", "ECDSA m31 P-256" with "sign" as "ECDSA P-256 sign". */
static char *split_key(char **ret_impl, const char *printed, const char *operation)
{
	g_autoptr(GMatchInfo) match = NULL;
	/* A fixed point, the generator: another operation. */
	const char *fixed = g_strcmp0(*ret_impl, "FP") == 0 ? " (FP)" : "";

	if (!pattern_match(&match, key_name, printed))
		return g_strdup_printf("%s %s%s", printed, operation, fixed);
	g_autofree char *alg = pattern_text(match, "alg"), *curve = pattern_text(match, "curve");
	g_autofree char *rest = pattern_text(match, "rest");
	g_free(*ret_impl);
	*ret_impl = pattern_text(match, "impl");
	const char *which = curve ? curve : rest;
	return g_strdup_printf("%s%s%s %s%s", alg, which ? " " : "", which ? which : "", operation, fixed);
}

static void tell(struct context *state, const struct import_line *line, const struct import_sink *sink,
	const GMatchInfo *match)
{
	g_autofree char *printed = pattern_text(match, "name"), *impl = pattern_text(match, "impl");
	g_autofree char *op = pattern_text(match, "op"), *lacks = pattern_text(match, "lacks");
	g_autofree char *plain = name_plain(printed);
	struct number rate;

	if (lacks || !pattern_number(&rate, match, "rate", NUMBER_COMMA_UNKNOWN)) {
		tell_fact(sink, line, "unavailable", line->body);
		return;
	}
	g_autofree char *name = op ? split_key(&impl, plain, op) : g_strdup(plain);
	g_autofree char *unit = op ? g_strconcat(op, "/s", NULL) : g_strdup("MB/s");
	struct import_record figure = figure_of_line(line, NAME, name, op ? WORK_OPERATION : WORK_BULK);
	figure.labels.v[LABEL_ENGINE] = impl;
	if (!op)
		figure.labels.v[LABEL_BLOCK] = "8192"; /* its buffer */
	struct reading reading = reading_of_rate(&rate, op ? 1 : 1e6, unit);
	run_figure(&state->run, sink, line, line->body);
	tell_readings(sink, &figure, &reading, 1, NULL);
}

static void take_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	g_autoptr(GMatchInfo) match = NULL;

	if (pattern_match(&match, figure_line, line->body))
		tell(user, line, sink, match);
	else if (pattern_match(NULL, "[\\d.]+ (?:priv|pub|mul|sign|verify)/|\\d MB/s", line->body))
		tell_unread(sink, line, "the line is damaged");
	else
		tell_other(sink, line);
}

const struct importer importer_bearssl = {NAME, "BearSSL's testspeed", "bearssl-testspeed", "bearssl",
	recognise, context_begin, take_line, context_finish};
