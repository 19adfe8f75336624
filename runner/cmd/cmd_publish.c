#include "cmd.h"
#include "diag.h"
#include "publishing.h"

static char *token_file, *format;
static gboolean samples;
static int tries = PUBLISHING_TRIES, timeout = PUBLISHING_TIMEOUT;

static const GOptionEntry options[] = {
	{"token-file", 0, 0, G_OPTION_ARG_FILENAME, &token_file,
		"a file that only you can read, with the token that the server wants", "FILE"},
	{"format", 0, 0, G_OPTION_ARG_FILENAME, &format, "as of export; jsonl where not given", "FORMAT"},
	{"samples", 0, 0, G_OPTION_ARG_NONE, &samples, "each sample too (jsonl, go)", NULL},
	{"tries", 0, 0, G_OPTION_ARG_INT, &tries, "how often to try in all; 5 where not given", "N"},
	{"timeout", 0, 0, G_OPTION_ARG_INT, &timeout,
		"seconds after which a server that says nothing is asked again; 60 where not given",
		"SECONDS"},
	{0},
};

static int run(const struct paths *paths, char **arguments, GError **err)
{
	if (tries < 1 || timeout < 1) {
		diag_set(err, DIAG_USAGE, "--tries and --timeout take whole numbers above 0");
		return DIAG_USAGE;
	}
	const struct exporter *exporter = exporter_find(format ? format : PUBLISHING_FORMAT, err);
	struct store *store = exporter ? store_open(paths->db, STORE_READ, err) : NULL;
	const struct publishing to = {arguments[0], token_file, exporter, samples, tries, timeout};
	struct export_set *set = NULL;
	bool ok = store && export_set_make(&set, store, arguments[1], err) && publishing_send(&to, set, err);

	export_set_free(set);
	store_close(store);
	return ok ? 0 : 1;
}

const struct cmd cmd_publish = {
	.name = "publish",
	.arguments = "URL [SELECTOR]",
	.summary = "send results to a server",
	.description = "Sends what `export` would write to the address, compressed, as one POST: "
		       "`benchmatrix publish https://results.example/upload run=latest --token-file "
		       "~/.results-token`.\n\n"
		       "A server that is busy or away (408, 429, 500, 502, 503, 504, faults of the network) "
		       "is asked again, as "
		       "late as its Retry-After says. The header Idempotency-Key is the SHA-256 of the "
		       "content, so that the "
		       "server can tell the same again from something new. The token goes into an "
		       "Authorization header, over "
		       "https only (or to this machine), and never to another host; its file must be "
		       "readable by you alone. A "
		       "redirect to another host is not followed.",
	.options = options,
	.min = 1,
	.max = 2,
	.run = run,
};
