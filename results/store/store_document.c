#include "store_pick.h"

#include "diag.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* What taking in a document needs at every step. */
struct taking {
	struct store *store;
	const struct document *document;
	int64_t run, raw, now;
	/* Of the part before: most documents have one build and one platform. */
	const struct document_part *before; /* NULL: there is none */
	int64_t build, platform;
};

static const char *const statistic_names[IMPORT_STATISTIC_COUNT] = {
	[IMPORT_MEAN] = "mean", [IMPORT_BEST] = "best", [IMPORT_MEDIAN] = "median", [IMPORT_WORST] = "worst"};

/* --- names that follow from the content, so that two databases give the same ones --- */

char *store_derived_uuid(const char *word, const void *bytes, size_t length, int64_t number)
{
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	uint64_t big = GUINT64_TO_BE((uint64_t)number);
	guint8 h[32];
	gsize size = sizeof h;

	g_checksum_update(checksum, (const guchar *)word, (gssize)strlen(word) + 1);
	g_checksum_update(checksum, bytes, (gssize)length);
	g_checksum_update(checksum, (const guchar *)&big, sizeof big);
	g_checksum_get_digest(checksum, h, &size);
	h[6] = (guint8)((h[6] & 0x0f) | 0x80);
	h[8] = (guint8)((h[8] & 0x3f) | 0x80);
	return g_strdup_printf("%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", h[0],
		h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8], h[9], h[10], h[11], h[12], h[13], h[14],
		h[15]);
}

static char *uuid_of(const struct taking *taking, const char *word, int64_t number)
{
	return store_derived_uuid(word, taking->document->sha256, sizeof taking->document->sha256, number);
}

/* Labels of a part that tell its build. */
static bool is_of_build(int label)
{
	return label < LABEL_PLATFORM;
}

static void add_line(GString *text, const char *key, const char *value)
{
	if (value)
		g_string_append_printf(text, "%s=%s\n", key, value);
}

/* Equal builds of any documents are one. */
static char *uuid_of_build(const struct document_part *part)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (int i = 0; i < LABEL_COUNT; i++)
		if (is_of_build(i))
			add_line(text, label_keys[i], part->labels.v[i]);
	add_line(text, "arch", part->arch);
	add_line(text, "revision", part->revision);
	add_line(text, "compiler", part->compiler);
	add_line(text, "configure_line", part->configure_line);
	add_line(text, "math", part->math);
	return store_derived_uuid("build", text->str, text->len, 0);
}

/* "speed.txt, part 2: aarch64-gcc wolfssl-5.5.4 sp crypto O2 on rock5", as far as it is known. */
static char *cell_name(const struct document *document, guint number, const struct labels *labels)
{
	static const int rest[] = {LABEL_CONFIG, LABEL_PROFILE, LABEL_OPTIMISATION};
	const char *library = labels->v[LABEL_LIBRARY], *version = labels->v[LABEL_VERSION];
	g_autoptr(GString) what = g_string_new(NULL);
	GString *name = g_string_new(document->source.name);

	if (document->parts->len > 1)
		g_string_append_printf(name, ", part %u", number);
	if (labels->v[LABEL_TOOLCHAIN])
		g_string_append_printf(what, " %s", labels->v[LABEL_TOOLCHAIN]);
	if (library || version)
		g_string_append_printf(what, " %s%s%s", library ? library : "", library && version ? "-" : "",
			version ? version : "");
	for (size_t i = 0; i < G_N_ELEMENTS(rest); i++)
		if (labels->v[rest[i]])
			g_string_append_printf(what, " %s", labels->v[rest[i]]);
	if (labels->v[LABEL_PLATFORM])
		g_string_append_printf(what, " on %s", labels->v[LABEL_PLATFORM]);
	if (what->len > 0)
		g_string_append_printf(name, ":%s", what->str);
	return g_string_free(name, FALSE);
}

/* --- rows --- */

static bool insert_run(struct taking *taking, GError **err)
{
	const struct document *document = taking->document;
	struct store *store = taking->store;
	g_autofree char *uuid = uuid_of(taking, "import", 0);

	if (!store_raw_put(store, &taking->raw, document->text, document->length, err) ||
		!sql_run(store->sql,
			"INSERT INTO run (uuid, label, program, started_at, ended_at, status)"
			" VALUES (:uuid, :label, :program, :now, :now, 0)",
			SQL_ARGS(SQL_TEXT(":uuid", uuid), SQL_TEXT(":label", document->source.name),
				SQL_TEXT(":program", BM_VERSION), SQL_INT(":now", taking->now)),
			err))
		return false;
	taking->run = sql_last_id(store->sql);
	return sql_run(store->sql,
		"INSERT INTO document (run_id, sha256, name, importer, raw_id, reference, lines, other)"
		" VALUES (:run, :sha256, :name, :importer, :raw, :reference, :lines, :other)",
		SQL_ARGS(SQL_INT(":run", taking->run),
			SQL_BLOB(":sha256", document->sha256, sizeof document->sha256),
			SQL_TEXT(":name", document->source.name),
			SQL_TEXT(":importer", document->importer->name), SQL_ID(":raw", taking->raw),
			SQL_TEXT(":reference", document->source.reference),
			SQL_INT(":lines", (int64_t)document->lines),
			SQL_INT(":other", (int64_t)document->other)),
		err);
}

static bool insert_build_labels(struct store *store, int64_t build, const struct labels *labels, GError **err)
{
	for (int i = 0; i < LABEL_COUNT; i++) {
		int64_t label;
		if (!is_of_build(i) || !labels->v[i])
			continue;
		if (!store_label_id(store, &label, (enum label)i, labels->v[i], err) ||
			!sql_run(store->sql,
				"INSERT INTO build_label (build_id, label_id) VALUES (:build, :label)",
				SQL_ARGS(SQL_INT(":build", build), SQL_INT(":label", label)), err))
			return false;
	}
	return true;
}

static bool put_build(struct taking *taking, int64_t *ret_id, const struct document_part *part, GError **err)
{
	struct store *store = taking->store;
	g_autofree char *uuid = uuid_of_build(part);

	if (!sql_number(store->sql, ret_id, "SELECT id FROM build WHERE uuid = :uuid",
		    SQL_ARGS(SQL_TEXT(":uuid", uuid)), err))
		return false;
	if (*ret_id)
		return true;
	if (!sql_run(store->sql,
		    "INSERT INTO build (uuid, state, arch, revision, compiler, configure_line, math, "
		    "created_at)"
		    " VALUES (:uuid, 'ok', :arch, :revision, :compiler, :configure_line, :math, :now)",
		    SQL_ARGS(SQL_TEXT(":uuid", uuid), SQL_TEXT(":arch", part->arch),
			    SQL_TEXT(":revision", part->revision), SQL_TEXT(":compiler", part->compiler),
			    SQL_TEXT(":configure_line", part->configure_line), SQL_TEXT(":math", part->math),
			    SQL_INT(":now", taking->now)),
		    err))
		return false;
	*ret_id = sql_last_id(store->sql);
	return insert_build_labels(store, *ret_id, &part->labels, err);
}

/* Equal strings of one document are one string. */
static bool is_as_before(const struct taking *taking, const struct document_part *part)
{
	const struct document_part *before = taking->before;

	return before && memcmp(&before->labels, &part->labels, sizeof part->labels) == 0 &&
	       before->arch == part->arch && before->revision == part->revision &&
	       before->compiler == part->compiler && before->configure_line == part->configure_line &&
	       before->math == part->math;
}

static bool put_place(struct taking *taking, const struct document_part *part, GError **err)
{
	if (is_as_before(taking, part))
		return true;
	taking->before = part;
	return put_build(taking, &taking->build, part, err) &&
	       store_document_platform(taking->store, &taking->platform, part->labels.v[LABEL_PLATFORM],
		       taking->document, err);
}

static bool insert_cell(
	struct taking *taking, int64_t *ret_id, const struct document_part *part, guint number, GError **err)
{
	const char *instrument = part->labels.v[LABEL_INSTRUMENT];
	g_autofree char *name = cell_name(taking->document, number, &part->labels);

	if (!put_place(taking, part, err) ||
		!sql_run(taking->store->sql,
			"INSERT INTO cell (run_id, name, build_id, build_cached, agent, platform_id, "
			"instrument, mode, created_at)"
			" VALUES (:run, :name, :build, 0, 'import', :platform, :instrument, 'time', :now)",
			SQL_ARGS(SQL_INT(":run", taking->run), SQL_TEXT(":name", name),
				SQL_INT(":build", taking->build), SQL_ID(":platform", taking->platform),
				SQL_TEXT(":instrument",
					instrument ? instrument : taking->document->importer->instrument),
				SQL_INT(":now", taking->now)),
			err))
		return false;
	*ret_id = sql_last_id(taking->store->sql);
	return true;
}

static bool insert_attempt(
	struct taking *taking, int64_t *ret_id, const struct document_part *part, guint number, GError **err)
{
	int64_t cell, published = taking->document->source.published_at;
	g_autofree char *uuid = uuid_of(taking, "part", number);

	if (!insert_cell(taking, &cell, part, number, err))
		return false;
	struct attempt_row row = {.uuid = uuid,
		.cell = cell,
		.number = 1,
		.state = ATTEMPT_OK,
		.argv = "[]",
		.notes = part->notes,
		.started_at = published ? published : taking->now,
		.seconds = (double)NAN};
	const struct attempt_told told = {
		.out = taking->raw, .library_version = part->library_version, .facts = part->facts};
	return store_insert_attempt(taking->store, ret_id, &row, &told, err);
}

static bool insert_measurements(
	struct taking *taking, int64_t attempt, const struct document_part *part, GError **err)
{
	for (guint i = 0; i < part->measurements->len; i++) {
		const struct measurement *measurement =
			&g_array_index(part->measurements, struct measurement, i);
		int64_t series, id = store_measurement_id(attempt, i);
		if (!store_series_id(taking->store, &series, part->labels_of->pdata[i], err) ||
			!store_insert_figure(taking->store, id, series, measurement, err) ||
			!store_insert_samples(taking->store, id, measurement, err))
			return false;
	}
	return true;
}

static bool insert_reading(
	struct taking *taking, int64_t attempt, const struct document_reading *reading, GError **err)
{
	const char *const *labels = reading->labels.v;
	bool filed = reading->measurement >= 0;

	return sql_run(taking->store->sql,
		"INSERT INTO reading (attempt_id, line, name, benchmark, block, threads, engine, async, "
		"metric, work, environment, kind, statistic, value, error, printed, unit, problem, "
		"measurement_id) VALUES (:attempt, :line, :name, :benchmark, :block, :threads, :engine, "
		":async, :metric, :work, :environment, :kind, :statistic, :value, :error, :printed, :unit, "
		":problem, CASE WHEN :filed THEN (:attempt << 20) + :place END)",
		SQL_ARGS(SQL_INT(":attempt", attempt), SQL_INT(":line", (int64_t)reading->line),
			SQL_TEXT(":name", reading->name), SQL_TEXT(":benchmark", labels[LABEL_BENCHMARK]),
			SQL_TEXT(":block", labels[LABEL_BLOCK]), SQL_TEXT(":threads", labels[LABEL_THREADS]),
			SQL_TEXT(":engine", labels[LABEL_ENGINE]), SQL_TEXT(":async", labels[LABEL_ASYNC]),
			SQL_TEXT(":metric", metric_infos[reading->metric].name),
			SQL_TEXT(":work", reading->work == WORK_BULK ? "byte" : "operation"),
			SQL_INT(":environment", reading->environment), SQL_INT(":kind", reading->kind),
			SQL_TEXT(":statistic", statistic_names[reading->statistic]),
			SQL_REAL(":value", reading->value), SQL_REAL(":error", reading->error),
			SQL_TEXT(":printed", reading->printed ? reading->printed : ""),
			SQL_TEXT(":unit", reading->unit ? reading->unit : ""),
			SQL_TEXT(":problem", reading->problem), SQL_INT(":filed", filed),
			SQL_INT(":place", reading->measurement)),
		err);
}

static bool insert_part(struct taking *taking, const struct document_part *part, guint number, GError **err)
{
	int64_t attempt;

	if (part->measurements->len > STORE_MOST_FIGURES)
		return diag_set(err, DIAG_INPUT,
			"%s: line %zu: %u figures in one execution of a tool are more than the %d that can "
			"be kept; cut the document into pieces",
			taking->document->source.name, part->line, part->measurements->len,
			STORE_MOST_FIGURES);
	if (!insert_attempt(taking, &attempt, part, number, err) ||
		!insert_measurements(taking, attempt, part, err))
		return false;
	for (guint i = 0; i < part->readings->len; i++)
		if (!insert_reading(
			    taking, attempt, &g_array_index(part->readings, struct document_reading, i), err))
			return false;
	return store_note_latest(taking->store, attempt, err);
}

static bool insert_remarks(struct taking *taking, GError **err)
{
	const GArray *remarks = taking->document->remarks;

	for (guint i = 0; i < remarks->len; i++) {
		const struct document_remark *remark = &g_array_index(remarks, struct document_remark, i);
		if (!sql_run(taking->store->sql,
			    "INSERT INTO remark (run_id, line, text, problem) VALUES (:run, :line, :text, "
			    ":problem) ON CONFLICT DO NOTHING",
			    SQL_ARGS(SQL_INT(":run", taking->run), SQL_INT(":line", (int64_t)remark->line),
				    SQL_TEXT(":text", remark->text ? remark->text : ""),
				    SQL_TEXT(":problem", remark->problem)),
			    err))
			return false;
	}
	return true;
}

static bool insert_document(struct taking *taking, GError **err)
{
	const struct document *document = taking->document;

	if (!insert_run(taking, err))
		return false;
	for (guint i = 0; i < document->parts->len; i++)
		if (!insert_part(taking, document->parts->pdata[i], i + 1, err))
			return false;
	return insert_remarks(taking, err) &&
	       store_alias_run(taking->store, taking->run, document->importer->name, err);
}

static bool take_in(struct taking *taking, bool *ret_new, GError **err)
{
	if (!sql_number(taking->store->sql, &taking->run,
		    "SELECT run_id FROM document WHERE sha256 = :sha256",
		    SQL_ARGS(SQL_BLOB(":sha256", taking->document->sha256, sizeof taking->document->sha256)),
		    err))
		return false;
	*ret_new = taking->run == 0;
	return !*ret_new || insert_document(taking, err);
}

bool store_document_take_in(
	struct store *store, int64_t *ret_run, bool *ret_new, const struct document *document, GError **err)
{
	struct taking taking = {.store = store, .document = document, .now = store_now()};

	if (!store_begin(store, err) || !store_end(store, take_in(&taking, ret_new, err), err))
		return false;
	*ret_run = taking.run;
	return true;
}
