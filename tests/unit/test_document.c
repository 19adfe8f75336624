/* Documents: parts, figures of several statistics, what follows, what is refused; and our own formats. */
#include "document.h"

#include "diag.h"

#include <math.h>
#include <string.h>

#define MIB 1048576.0

static const struct document_source plain = {
	.name = "a.txt", .source = SOURCE_IMPORTED, .clock = (double)NAN};

static struct document *read_as(const struct document_source *source, const char *text)
{
	struct document *document = NULL;
	g_autoptr(GError) error = NULL;

	document_read(&document, source, text, strlen(text), &error);
	g_assert_no_error(error);
	return document;
}

static const struct document_part *part_at(const struct document *document, guint i)
{
	g_assert_cmpuint(i, <, document->parts->len);
	return document->parts->pdata[i];
}

static const struct document_reading *reading_at(const struct document_part *part, guint i)
{
	g_assert_cmpuint(i, <, part->readings->len);
	return &g_array_index(part->readings, struct document_reading, i);
}

static const struct measurement *measurement_at(const struct document_part *part, guint i)
{
	g_assert_cmpuint(i, <, part->measurements->len);
	return &g_array_index(part->measurements, struct measurement, i);
}

static const char *label_of(const struct document_part *part, guint i, enum label label)
{
	g_assert_cmpuint(i, <, part->labels_of->len);
	return ((const struct labels *)part->labels_of->pdata[i])->v[label];
}

static void close_to(double value, double expected)
{
	g_assert_cmpfloat_with_epsilon(value / expected, 1, 1e-12);
}

/* --- parts --- */

#define RUN(version, mib)                                                                                    \
	"wolfSSL version " version "\n"                                                                      \
	"Math: Multi-Precision: Wolf(SP) word-size=64 bits=4096 sp_int.c\n"                                  \
	"wolfCrypt Benchmark (block bytes 1024, min 1.0 sec each)\n"                                         \
	"SHA-256                     " mib " MiB took 1.000 seconds,   " mib ".000 MiB/s\n"                  \
	"RSA     2048  private      100 ops took 1.000 sec, avg 10.000 ms, 100.000 ops/sec\n"

static void each_run_of_a_tool_is_a_part(void)
{
	struct document *document = read_as(&plain, RUN("5.5.4", "30") "done\n" RUN("5.7.2", "31"));
	const struct document_part *first = part_at(document, 0), *second = part_at(document, 1);

	g_assert_cmpuint(document->parts->len, ==, 2);
	g_assert_cmpuint(document->lines, ==, 11);
	g_assert_cmpuint(document->other, ==, 1);
	g_assert_cmpstr(first->labels.v[LABEL_LIBRARY], ==, "wolfssl");
	g_assert_cmpstr(first->labels.v[LABEL_VERSION], ==, "5.5.4");
	g_assert_cmpstr(second->labels.v[LABEL_VERSION], ==, "5.7.2");
	g_assert_cmpstr(first->labels.v[LABEL_INSTRUMENT], ==, "wolfcrypt-benchmark");
	g_assert_cmpstr(first->math, ==, "Multi-Precision: Wolf(SP) word-size=64 bits=4096 sp_int.c");
	g_assert_cmpstr(first->library_version, ==, "5.5.4");
	g_assert_nonnull(strstr(first->facts, "\"version\":\"5.5.4\""));
	g_assert_null(strstr(second->facts, "5.5.4"));
	g_assert_cmpuint(first->measurements->len, ==, 2);
	close_to(measurement_at(first, 0)->figure.mean, 1 / (30 * MIB));
	close_to(measurement_at(second, 0)->figure.mean, 1 / (31 * MIB));
	g_assert_cmpstr(label_of(first, 0, LABEL_BLOCK), ==, "1024");
	g_assert_cmpstr(label_of(first, 0, LABEL_METRIC), ==, "time");
	g_assert_cmpstr(label_of(first, 1, LABEL_BLOCK), ==, NULL);
	document_free(document);
}

static void a_figure_that_comes_again_begins_a_part(void)
{
	struct document *document = read_as(&plain, "MD5 5 megs took 0.163 seconds, 30.73 MB/s\n"
						    "SHA 5 megs took 0.137 seconds, 36.61 MB/s\n"
						    "SHA 5 megs took 0.138 seconds, 36.23 MB/s\n"
						    "SHA-256 5 megs took 0.309 seconds, 16.20 MB/s\n");

	g_assert_cmpuint(document->parts->len, ==, 2);
	g_assert_cmpuint(part_at(document, 0)->measurements->len, ==, 2);
	g_assert_cmpuint(part_at(document, 1)->measurements->len, ==, 2);
	g_assert_cmpuint(part_at(document, 1)->line, ==, 3);
	document_free(document);
}

static void quarantined_numbers_begin_none_and_count_for_nothing(void)
{
	struct document *document = read_as(&plain, "SHA 5 megs took 0.137 seconds, 36.61 MB/s\n"
						    "SHA 5 megs took 0.500 seconds, 36.61 MB/s\n");
	const struct document_part *part = part_at(document, 0);

	g_assert_cmpuint(document->parts->len, ==, 1);
	g_assert_cmpuint(part->readings->len, ==, 2);
	g_assert_cmpuint(part->measurements->len, ==, 1);
	g_assert_cmpint(reading_at(part, 1)->measurement, ==, -1);
	g_assert_nonnull(strstr(reading_at(part, 1)->problem, "disagree"));
	document_free(document);
}

static void unknown_names_are_kept_without_a_measurement(void)
{
	struct document *document = read_as(&plain, "SHA 5 megs took 0.137 seconds, 36.61 MB/s\n"
						    "FROB 5 megs took 0.500 seconds, 10.00 MB/s\n");
	const struct document_reading *reading = reading_at(part_at(document, 0), 1);
	struct document_reading known = *reading;
	struct measurement measurement;

	g_assert_cmpstr(reading->labels.v[LABEL_BENCHMARK], ==, NULL);
	g_assert_cmpint(reading->measurement, ==, -1);
	g_assert_false(document_measurement_of(&measurement, reading, SOURCE_IMPORTED, ENVIRONMENT_UNKNOWN));
	known.labels.v[LABEL_BENCHMARK] = "sha3-256 hash";
	g_assert_true(document_measurement_of(&measurement, &known, SOURCE_IMPORTED, ENVIRONMENT_HARDWARE));
	close_to(measurement.figure.mean, 0.5 / (5 * MIB));
	g_assert_true(isnan(measurement.figure.median));
	g_assert_cmpint(measurement.environment, ==, ENVIRONMENT_HARDWARE);
	document_free(document);
}

/* --- figures --- */

static void best_mean_and_worst_are_one_figure(void)
{
	struct document *document = read_as(&plain, "Algorithm       millisec/new key\n"
						    "---------       ---------------\n"
						    "ECDSA secp192r1              2.75 (mean)\n"
						    "RSA 2056                31,670    (best)\n"
						    "RSA 2056                57,860    (mean)\n"
						    "RSA 2056                98,180    (worst)\n");
	const struct document_part *part = part_at(document, 0);
	const struct figure *figure = &measurement_at(part, 1)->figure;

	g_assert_cmpuint(part->readings->len, ==, 4);
	g_assert_cmpuint(part->measurements->len, ==, 2);
	close_to(figure->min, 31.67);
	close_to(figure->mean, 57.86);
	close_to(figure->max, 98.18);
	g_assert_true(isnan(figure->median) && isnan(figure->q1) && isnan(figure->sd));
	g_assert_cmpint(figure->n, ==, 0);
	for (guint i = 1; i < 4; i++)
		g_assert_cmpint(reading_at(part, i)->measurement, ==, 1);
	document_free(document);
}

static void what_the_user_says_goes_first(void)
{
	struct document_source source = plain;

	source.platform = "board";
	source.arch = "arm";
	source.labels.v[LABEL_VERSION] = "5.5.4-patched";
	source.labels.v[LABEL_BLOCK] = "4096";
	source.labels.v[LABEL_ENGINE] = "none";
	struct document *document = read_as(&source, RUN("5.5.4", "30"));
	const struct document_part *part = part_at(document, 0);
	g_assert_cmpstr(part->labels.v[LABEL_VERSION], ==, "5.5.4-patched");
	g_assert_cmpstr(part->library_version, ==, "5.5.4");
	g_assert_cmpstr(part->labels.v[LABEL_PLATFORM], ==, "board");
	g_assert_cmpstr(part->arch, ==, "arm");
	g_assert_cmpstr(part->labels.v[LABEL_ENGINE], ==, NULL);
	g_assert_cmpstr(label_of(part, 0, LABEL_BLOCK), ==, "4096");
	g_assert_cmpstr(label_of(part, 1, LABEL_BLOCK), ==, NULL);
	g_assert_cmpstr(label_of(part, 1, LABEL_ENGINE), ==, "none");
	g_assert_cmpstr(label_of(part, 1, LABEL_VERSION), ==, "5.5.4-patched");
	document_free(document);
}

/* Nothing in the line tells whether its MB are 10^6 or 2^20 bytes. */
static double seconds_per_byte(const char *version)
{
	struct document_source source = plain;

	source.labels.v[LABEL_VERSION] = version;
	struct document *document =
		read_as(&source, "SHA-256 100 MB took 1.000 seconds, 100.000 MB/s\n"
				 "RSA     2048   private      100 ops took 1.000 sec, avg 10.000 ms, 100.000 "
				 "ops/sec\n");
	const struct document_reading *rate = reading_at(part_at(document, 0), 0);
	double value = rate->problem ? (double)NAN : rate->value;
	document_free(document);
	return value;
}

static void the_version_that_the_user_says_settles_units(void)
{
	g_assert_true(isnan(seconds_per_byte(NULL)));
	g_assert_true(isnan(seconds_per_byte("git:master")));
	close_to(seconds_per_byte("5.5.3"), 1.0 / 104857600);
	close_to(seconds_per_byte("5.5.4"), 1e-8);
	close_to(seconds_per_byte("5.7.2-patched"), 1e-8);
}

static void cycles_follow_from_a_clock_where_none_were_printed(void)
{
	struct document_source source = plain;
	static const char text[] =
		"AES-128-CBC-enc  30 MiB took 1.000 seconds, 30.000 MiB/s Cycles per byte = 50.00\n"
		"SHA-256          30 MiB took 1.000 seconds, 30.000 MiB/s\n";

	struct document *document = read_as(&source, text);
	g_assert_cmpuint(part_at(document, 0)->measurements->len, ==, 3);
	document_free(document);
	source.clock = 1.5e9;
	document = read_as(&source, text);
	const struct document_part *part = part_at(document, 0);
	g_assert_cmpuint(part->measurements->len, ==, 4);
	const struct measurement *cycles = measurement_at(part, 3);
	g_assert_cmpstr(cycles->benchmark, ==, "sha-256 hash");
	g_assert_cmpint(cycles->metric, ==, METRIC_CYCLES);
	g_assert_cmpint(cycles->kind, ==, KIND_DERIVED);
	g_assert_cmpstr(label_of(part, 3, LABEL_METRIC), ==, "cycles");
	close_to(cycles->figure.mean, 1.5e9 / (30 * MIB));
	document_free(document);
}

static void cycles_that_contradict_the_clock_of_the_user_do_not_count(void)
{
	struct document_source source = plain;
	/* 24 MiB/s at 10.7 cycles a byte are 269 MHz, 9 MiB/s at 57 are 538 MHz. */
	static const char text[] = "Algorithm    MiB/Sec Cycle/Byte\n"
				   "---------    ------- ----------\n"
				   "MD5               24       10.7\n"
				   "SHA-1              9       57.0\n";

	struct document *document = read_as(&source, text);
	g_assert_cmpuint(part_at(document, 0)->measurements->len, ==, 4);
	document_free(document);
	source.clock = 266e6;
	document = read_as(&source, text);
	const struct document_part *part = part_at(document, 0);
	g_assert_cmpuint(part->measurements->len, ==, 3);
	g_assert_cmpstr(measurement_at(part, 2)->benchmark, ==, "sha-1 hash");
	g_assert_cmpint(measurement_at(part, 2)->metric, ==, METRIC_TIME);
	const struct document_reading *reading = &g_array_index(part->readings, struct document_reading, 3);
	g_assert_nonnull(strstr(reading->problem, "537.9 MHz"));
	g_assert_nonnull(strstr(reading->problem, "266 MHz is stated"));
	document_free(document);
}

static void a_list_without_its_end_is_doubted_but_in_a_publication(void)
{
	struct document_source source = plain;
	struct document *document = read_as(&source, RUN("5.6.3", "400"));

	g_assert_nonnull(part_at(document, 0)->notes[0]);
	g_assert_nonnull(strstr(part_at(document, 0)->notes[0], "may be cut short"));
	document_free(document);
	source.source = SOURCE_PUBLISHED;
	document = read_as(&source, RUN("5.6.3", "400"));
	g_assert_null(part_at(document, 0)->notes[0]);
	document_free(document);
}

static void ratios_tell_what_was_before(void)
{
	struct document_source source = plain;
	static const char text[] = "AES-128 CBC Encrypt: 912.347 MB/s (36.58X)\n";

	struct document *document = read_as(&source, text);
	g_assert_cmpuint(part_at(document, 0)->measurements->len, ==, 2);
	document_free(document);
	source.labels.v[LABEL_CONFIG] = "armasm";
	source.before.v[LABEL_CONFIG] = "default";
	document = read_as(&source, text);
	const struct document_part *part = part_at(document, 0);
	g_assert_cmpuint(part->measurements->len, ==, 3);
	g_assert_cmpint(measurement_at(part, 1)->metric, ==, METRIC_SPEEDUP);
	g_assert_cmpint(measurement_at(part, 1)->kind, ==, KIND_STATED);
	g_assert_cmpstr(label_of(part, 1, LABEL_CONFIG), ==, "armasm");
	const struct measurement *before = measurement_at(part, 2);
	g_assert_cmpint(before->metric, ==, METRIC_TIME);
	g_assert_cmpint(before->kind, ==, KIND_DERIVED);
	g_assert_cmpstr(label_of(part, 2, LABEL_CONFIG), ==, "default");
	close_to(before->figure.mean, 36.58 / (912.347 * MIB));
	document_free(document);
}

static void doubts_that_do_not_matter_are_notes(void)
{
	struct document *document = read_as(&plain, "sign verify sign/s verify/s\n"
						    "rsa 2048 bits 0.001384s 0.000035s 724.1 28365.8\n");
	const char *const *notes = part_at(document, 0)->notes;

	g_assert_nonnull(strstr(notes[0], "line 2: rsa 2048 sign: 724.1 op/s and 0.001384 s disagree"));
	g_assert_null(notes[1]);
	document_free(document);
}

/* --- one import --- */

static char *hash(const struct document_source *source, const char *text)
{
	struct document *document = read_as(source, text);
	char *hex = g_base64_encode(document->sha256, sizeof document->sha256);

	document_free(document);
	return hex;
}

static void all_that_is_said_but_the_name_tells_imports_apart(void)
{
	static const char text[] = "SHA 5 megs took 0.137 seconds, 36.61 MB/s\n";
	struct document_source sources[9];
	g_autofree char *same = hash(&plain, text);
	g_autofree char *other = hash(&plain, "SHA 5 megs took 0.137 seconds, 36.61 MB/s \n");

	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
		sources[i] = plain;
	sources[0].platform = "board";
	sources[1].reference = "board";
	sources[2].labels.v[LABEL_CONFIG] = "board";
	sources[3].before.v[LABEL_CONFIG] = "board";
	sources[4].clock = 1e9;
	sources[5].source = SOURCE_PUBLISHED;
	sources[6].environment = ENVIRONMENT_UNKNOWN;
	sources[7].published_at = 1;
	sources[8].compiler = "board";
	g_assert_cmpstr(same, !=, other);
	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++) {
		g_autofree char *differs = hash(&sources[i], text);
		g_assert_cmpstr(differs, !=, same);
	}
	sources[0] = plain;
	sources[0].name = "b.txt";
	sources[0].format = "cyassl";
	g_autofree char *again = hash(&sources[0], text);
	g_assert_cmpstr(again, ==, same);
}

static void refused(
	const struct document_source *source, const char *bytes, size_t length, int code, const char *message)
{
	struct document *document;
	g_autoptr(GError) error = NULL;

	g_assert_false(document_read(&document, source, bytes, length, &error));
	g_assert_error(error, DIAG_ERROR, code);
	if (!strstr(error->message, message))
		g_error("\"%s\" lacks \"%s\"", error->message, message);
}

static void what_has_no_figure_is_refused(void)
{
	struct document_source source = plain;

	refused(&source, "", 0, DIAG_INPUT, "a.txt: empty");
	refused(&source, "Dear all,\n", 10, DIAG_INPUT, "no line of any known format");
	refused(&source, "\0\xff\1\2", 4, DIAG_INPUT, "the format is not sure");
	source.format = "wolfcrypt";
	refused(&source, "Dear all,\n", 10, DIAG_INPUT, "no figure in its 1 lines, read as wolfcrypt");
	source.format = "wolfcrpt";
	refused(&source, "x", 1, DIAG_USAGE, "did you mean \"wolfcrypt\"?");
	/* Never touched: its length is enough. */
	refused(&plain, "", (size_t)DOCUMENT_LARGEST + 1, DIAG_INPUT, "larger than 256 MiB");
}

/* --- our own formats --- */

static char *file_text(const char *name)
{
	g_autofree char *path = g_build_filename(BM_SOURCE, name, NULL);
	char *text = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

static void streams_come_in_with_their_samples(void)
{
	g_autofree char *text = file_text("schema/wire-example.jsonl");
	struct document *document = read_as(&plain, text);
	const struct document_part *timed = part_at(document, 0), *counted = part_at(document, 1);
	const struct measurement *time = measurement_at(timed, 0);

	g_assert_cmpstr(document->importer->name, ==, "bench-core");
	g_assert_cmpuint(document->parts->len, ==, 2);
	g_assert_cmpuint(document->remarks->len, ==, 0);
	g_assert_cmpstr(timed->labels.v[LABEL_LIBRARY], ==, "wolfssl");
	g_assert_cmpstr(timed->labels.v[LABEL_VERSION], ==, "5.5.4");
	g_assert_cmpstr(timed->labels.v[LABEL_INSTRUMENT], ==, "bench-core");
	g_assert_cmpstr(timed->math, ==, "sp_int.c");
	g_assert_nonnull(strstr(timed->facts, "the build has no RSA"));
	/* 100 calls of 1024 bytes in 1,024,000 ns are 10 ns a byte; in 1,126,400 ns 11. */
	g_assert_cmpint(time->figure.n, ==, 3);
	close_to(time->figure.median, 10e-9);
	close_to(time->figure.max, 11e-9);
	g_assert_cmpuint(time->n_samples, ==, 1);
	g_assert_cmpuint(time->samples[0].n, ==, 3);
	g_assert_cmpuint(time->samples[0].iterations, ==, 100);
	close_to(time->samples[0].values[1], 11e-9);
	g_assert_cmpint(time->source, ==, SOURCE_IMPORTED);
	g_assert_cmpuint(reading_at(timed, 0)->line, ==, 4);
	g_assert_cmpstr(reading_at(timed, 0)->unit, ==, "s/B");
	/* 204,800 instructions in 10 calls of 1024 bytes are 20 a byte. */
	g_assert_cmpint(measurement_at(counted, 1)->metric, ==, METRIC_INSTRUCTIONS);
	g_assert_cmpint(measurement_at(counted, 1)->kind, ==, KIND_EXACT);
	g_assert_cmpint(measurement_at(counted, 1)->environment, ==, ENVIRONMENT_EMULATOR);
	close_to(measurement_at(counted, 1)->figure.median, 20);
	document_free(document);
}

static void a_stream_that_is_cut_is_told(void)
{
	g_autofree char *text = file_text("schema/wire-example.jsonl");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autofree char *cut = g_strdup_printf(
		"login: root\n%s\n%s\n%s\n%s\n{\"r\":\"start\",\"na", lines[0], lines[1], lines[2], lines[3]);
	struct document *document = read_as(&plain, cut);

	g_assert_cmpuint(part_at(document, 0)->measurements->len, ==, 1);
	g_assert_cmpuint(document->other, ==, 5); /* all but the one that is cut */
	g_assert_cmpuint(document->remarks->len, ==, 2);
	g_assert_cmpuint(g_array_index(document->remarks, struct document_remark, 0).line, ==, 6);
	g_assert_nonnull(
		strstr(g_array_index(document->remarks, struct document_remark, 1).problem, "no end record"));
	document_free(document);
}

static const char exported[] =
	"{\"r\":\"export\",\"version\":1,\"program\":\"benchmatrix 0.1.0\"}\n"
	"{\"r\":\"attempt\",\"attempt\":\"5f6c\",\"run\":\"0b1e\",\"matrix\":\"quick\","
	"\"labels\":{\"library\":\"wolfssl\",\"version\":\"git:v5.6.1-stable\",\"config\":\"sp\","
	"\"toolchain\":\"x86_64-gcc\",\"platform\":\"local\",\"instrument\":\"bench-core\"},"
	"\"arch\":\"x86_64\",\"compiler\":\"gcc 12\",\"math\":\"sp_c64.c\",\"notes\":[\"busy: load 3.1\"]}\n"
	"{\"r\":\"figure\",\"attempt\":\"5f6c\",\"labels\":{\"library\":\"wolfssl\",\"version\":\"git:v5.6.1-"
	"stable\","
	"\"config\":\"sp\",\"toolchain\":\"x86_64-gcc\",\"platform\":\"local\",\"instrument\":\"bench-core\","
	"\"benchmark\":\"rsa-2048 "
	"private\",\"metric\":\"time\"},\"source\":\"own\",\"environment\":\"hardware\","
	"\"kind\":\"sampled\",\"unit\":\"s\",\"per\":\"operation\",\"n\":4,\"min\":0.00069,\"q1\":0.0006975,"
	"\"median\":0.0007,\"q3\":0.00071,\"max\":0.00074,\"mean\":0.0007075,\"sd\":2.2173557826083457e-05,"
	"\"samples\":2}\n"
	"{\"r\":\"samples\",\"invocation\":0,\"iterations\":8,\"values\":[0.00069,0.0007],\"more\":true}\n"
	"{\"r\":\"samples\",\"invocation\":0,\"iterations\":8,\"values\":[0.0007]}\n"
	"{\"r\":\"samples\",\"invocation\":1,\"iterations\":8,\"values\":[0.00074]}\n"
	"{\"r\":\"figure\",\"attempt\":\"5f6c\",\"labels\":{\"library\":\"wolfssl\",\"config\":\"default\","
	"\"benchmark\":\"library size\",\"metric\":\"text\"},\"source\":\"own\",\"environment\":\"unknown\","
	"\"kind\":\"exact\",\"unit\":\"B\",\"n\":1,\"median\":0}\n"
	"{\"r\":\"figure\",\"attempt\":\"5f6c\",\"labels\":{\"benchmark\":\"rsa-2056 "
	"keygen\",\"metric\":\"time\"},"
	"\"source\":\"published\",\"environment\":\"hardware\",\"kind\":\"sampled\",\"unit\":\"s\",\"per\":"
	"\"operation\","
	"\"min\":31.67,\"mean\":57.86,\"printed\":[{\"statistic\":\"best\",\"text\":\"31,670\",\"unit\":\"ms/"
	"new key\","
	"\"name\":\"RSA 2056 new "
	"key\",\"line\":3},{\"statistic\":\"mean\",\"text\":\"57,860\",\"unit\":\"ms/new key\","
	"\"name\":\"RSA 2056 new key\",\"line\":4}]}\n";

static void exported_figures_come_in_as_they_were(void)
{
	g_autofree char *text = g_strconcat(exported, "{\"r\":\"end\",\"figures\":3,\"records\":8}\n", NULL);
	struct document *document = read_as(&plain, text);
	const struct document_part *part = part_at(document, 0);
	const struct measurement *time = measurement_at(part, 0), *keygen = measurement_at(part, 2);

	g_assert_cmpuint(document->remarks->len, ==, 0);
	g_assert_cmpstr(part->labels.v[LABEL_VERSION], ==, "git:v5.6.1-stable");
	g_assert_cmpstr(part->labels.v[LABEL_CONFIG], ==, "sp");
	g_assert_cmpstr(part->compiler, ==, "gcc 12");
	g_assert_cmpstr(part->math, ==, "sp_c64.c");
	g_assert_cmpstr(part->arch, ==, "x86_64");
	g_assert_cmpstr(part->notes[0], ==, "busy: load 3.1");
	g_assert_cmpint(time->figure.n, ==, 4);
	g_assert_cmpfloat(time->figure.q1, ==, 0.0006975);
	g_assert_cmpfloat(time->figure.sd, ==, 2.2173557826083457e-05);
	g_assert_cmpint(time->environment, ==, ENVIRONMENT_HARDWARE);
	g_assert_cmpuint(time->n_samples, ==, 2);
	g_assert_cmpuint(time->samples[0].n, ==, 3);
	g_assert_cmpuint(time->samples[1].invocation, ==, 1);
	g_assert_cmpfloat(time->samples[1].values[0], ==, 0.00074);
	g_assert_cmpstr(reading_at(part, 0)->printed, ==, "0.0007");
	g_assert_cmpstr(reading_at(part, 0)->unit, ==, "s/op");
	g_assert_cmpfloat(measurement_at(part, 1)->figure.median, ==, 0);
	g_assert_cmpstr(label_of(part, 1, LABEL_BENCHMARK), ==, "library size");
	g_assert_cmpstr(label_of(part, 1, LABEL_CONFIG), ==, "default");
	g_assert_cmpfloat(keygen->figure.min, ==, 31.67);
	g_assert_cmpfloat(keygen->figure.mean, ==, 57.86);
	g_assert_cmpint(keygen->figure.n, ==, 0);
	g_assert_cmpstr(reading_at(part, 3)->printed, ==, "57,860");
	g_assert_cmpstr(reading_at(part, 3)->name, ==, "RSA 2056 new key");
	g_assert_cmpint(reading_at(part, 3)->measurement, ==, 2);
	g_assert_cmpuint(part->measurements->len, ==, 3);
	document_free(document);
}

/* One median changed: neither it nor the samples can be trusted. */
static void a_figure_that_its_samples_contradict_is_no_figure(void)
{
	GString *text = g_string_new(exported);

	g_assert_cmpuint(g_string_replace(text, "\"median\":0.0007,", "\"median\":0.0014,", 1), ==, 1);
	g_string_append(text, "{\"r\":\"end\",\"figures\":3,\"records\":8}\n");
	struct document *document = read_as(&plain, text->str);
	g_assert_cmpuint(part_at(document, 0)->measurements->len, ==, 2);
	g_assert_cmpstr(g_array_index(document->remarks, struct document_remark, 0).problem, ==,
		"the figure does not follow from its samples");
	document_free(document);
	g_string_free(text, TRUE);
}

static void exports_that_are_cut_or_of_another_version_are_told(void)
{
	g_autofree char *newer = g_strdup(exported);
	struct document *document = read_as(&plain, exported);

	g_assert_cmpuint(document->remarks->len, ==, 1);
	g_assert_nonnull(
		strstr(g_array_index(document->remarks, struct document_remark, 0).problem, "no end line"));
	document_free(document);
	strstr(newer, "\"version\":1")[10] = '2';
	refused(&plain, newer, strlen(newer), DIAG_INPUT, "another version of the format");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/document/" #name, name)
	TEST(each_run_of_a_tool_is_a_part);
	TEST(a_figure_that_comes_again_begins_a_part);
	TEST(quarantined_numbers_begin_none_and_count_for_nothing);
	TEST(unknown_names_are_kept_without_a_measurement);
	TEST(best_mean_and_worst_are_one_figure);
	TEST(what_the_user_says_goes_first);
	TEST(the_version_that_the_user_says_settles_units);
	TEST(cycles_follow_from_a_clock_where_none_were_printed);
	TEST(cycles_that_contradict_the_clock_of_the_user_do_not_count);
	TEST(a_list_without_its_end_is_doubted_but_in_a_publication);
	TEST(ratios_tell_what_was_before);
	TEST(doubts_that_do_not_matter_are_notes);
	TEST(all_that_is_said_but_the_name_tells_imports_apart);
	TEST(what_has_no_figure_is_refused);
	TEST(streams_come_in_with_their_samples);
	TEST(a_stream_that_is_cut_is_told);
	TEST(exported_figures_come_in_as_they_were);
	TEST(a_figure_that_its_samples_contradict_is_no_figure);
	TEST(exports_that_are_cut_or_of_another_version_are_told);
	return g_test_run();
}
