#include "importer.h"

#include <math.h>
#include <string.h>

/* The score of a line that no other format has. */
#define SURE 10
/* Bytes of a document that are looked at. */
#define LOOKED_AT (1024 * 1024)

/* One line per format; each is defined in its own file. */
#define IMPORTERS(X)                                                                                         \
	X(importer_bench_core)                                                                               \
	X(importer_benchmatrix)                                                                              \
	X(importer_cyassl)                                                                                   \
	X(importer_wolfcrypt)                                                                                \
	X(importer_wolfssl_table)                                                                            \
	X(importer_tls_bench)                                                                                \
	X(importer_openssl_speed)                                                                            \
	X(importer_cryptopp)                                                                                 \
	X(importer_botan)                                                                                    \
	X(importer_bench_slope)                                                                              \
	X(importer_libgcrypt_benchmark)                                                                      \
	X(importer_bearssl)                                                                                  \
	X(importer_mbedtls)                                                                                  \
	X(importer_cryptsetup)                                                                               \
	X(importer_nettle)                                                                                   \
	X(importer_liboqs)                                                                                   \
	X(importer_mlkem_native)                                                                             \
	X(importer_pqm4)                                                                                     \
	X(importer_supercop)                                                                                 \
	X(importer_boringssl)                                                                                \
	X(importer_go_bench)                                                                                 \
	X(importer_libtest)                                                                                  \
	X(importer_google_benchmark)                                                                         \
	X(importer_google_benchmark_text)                                                                    \
	X(importer_hyperfine)

#define DECLARE(name) extern const struct importer name;
#define LIST(name)    &name,
IMPORTERS(DECLARE)
const struct importer *const importers[] = {IMPORTERS(LIST) NULL};

#define N_IMPORTERS (G_N_ELEMENTS(importers) - 1)

const struct importer *importer_find(const char *name)
{
	for (size_t i = 0; importers[i]; i++)
		if (strcmp(importers[i]->name, name) == 0)
			return importers[i];
	return NULL;
}

/* How sure each importer is, by all lines. */
struct scores {
	int64_t sum[N_IMPORTERS];
	bool sure[N_IMPORTERS];
};

static void *scores_begin(void)
{
	return NULL;
}

static void score_line(void *state, const struct import_line *line, const struct import_sink *sink)
{
	struct scores *scores = sink->user;

	(void)state;
	for (size_t i = 0; i < N_IMPORTERS; i++) {
		int score = importers[i]->recognise(line);
		scores->sum[i] += score;
		scores->sure[i] |= score >= SURE;
	}
}

static void scores_finish(void *state, const struct import_sink *sink)
{
	(void)state;
	(void)sink;
}

static void take_nothing(const struct import_record *record, void *user)
{
	(void)record;
	(void)user;
}

static char *describe(const struct scores *scores)
{
	g_autoptr(GString) seen = g_string_new(NULL);

	for (size_t i = 0; i < N_IMPORTERS; i++)
		if (scores->sum[i] > 0)
			g_string_append_printf(seen, "%s%s %" G_GINT64_FORMAT "%s", seen->len ? ", " : "",
				importers[i]->name, scores->sum[i], scores->sure[i] ? "" : " (unsure)");
	return g_strdup(seen->len ? seen->str : "no line of any known format");
}

const struct importer *import_recognise(char **ret_seen, const char *bytes, size_t length)
{
	static const struct importer scorer = {
		"", "", "", NULL, NULL, scores_begin, score_line, scores_finish};
	struct scores scores = {0};
	struct import_sink sink = {.take = take_nothing, .user = &scores, .clock = (double)NAN};
	struct import_reader *reader = import_reader_new(&scorer, &sink);
	int best = -1;
	bool tie = false;

	import_reader_push(reader, bytes, MIN(length, LOOKED_AT));
	import_reader_finish(reader);
	for (int i = 0; i < (int)N_IMPORTERS; i++) {
		if (!scores.sure[i] || (best >= 0 && scores.sum[i] < scores.sum[best]))
			continue;
		tie = best >= 0 && scores.sum[i] == scores.sum[best];
		best = i;
	}
	if (best >= 0 && !tie)
		return importers[best];
	*ret_seen = describe(&scores);
	return NULL;
}
