#include "document.h"

#include "diag.h"
#include "document_build.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *document_keep(struct document *document, const char *text)
{
	return text ? g_string_chunk_insert_const(document->strings, text) : NULL;
}

void *document_keep_bytes(struct document *document, const void *bytes, size_t n)
{
	void *copy = g_memdup2(bytes, n);

	if (copy)
		g_ptr_array_add(document->blobs, copy);
	return copy;
}

static void keep_labels(struct document *document, struct labels *labels)
{
	for (int i = 0; i < LABEL_COUNT; i++)
		labels->v[i] = document_keep(document, labels->v[i]);
}

static void keep_source(struct document *document, const struct document_source *source)
{
	struct document_source *kept = &document->source;
	const char **texts[] = {&kept->name, &kept->format, &kept->reference, &kept->platform, &kept->arch,
		&kept->compiler, &kept->revision};

	*kept = *source;
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = document_keep(document, *texts[i]);
	keep_labels(document, &kept->labels);
	keep_labels(document, &kept->before);
	if (!kept->labels.v[LABEL_PLATFORM])
		kept->labels.v[LABEL_PLATFORM] = kept->platform;
	kept->platform = kept->labels.v[LABEL_PLATFORM];
	if (!source->platform_facts)
		return;
	guint n = g_strv_length((char **)source->platform_facts);
	const char **facts = document_keep_bytes(
		document, source->platform_facts, (n + 1) * sizeof *source->platform_facts);
	for (guint i = 0; i < n; i++)
		facts[i] = document_keep(document, facts[i]);
	kept->platform_facts = facts;
}

/* --- the hash --- */

/* With its length, so that two texts never read as one. */
static void hash_text(GChecksum *sum, const char *text)
{
	g_autofree char *head = g_strdup_printf("%" G_GSSIZE_FORMAT ":", text ? (gssize)strlen(text) : -1);

	g_checksum_update(sum, (const guchar *)head, -1);
	if (text)
		g_checksum_update(sum, (const guchar *)text, -1);
}

static void hash_labels(GChecksum *sum, const struct labels *labels)
{
	for (int i = 0; i < LABEL_COUNT; i++) {
		if (!labels->v[i])
			continue;
		hash_text(sum, label_keys[i]);
		hash_text(sum, labels->v[i]);
	}
	hash_text(sum, NULL);
}

static void hash_document(struct document *document)
{
	const struct document_source *source = &document->source;
	const char *const texts[] = {document->importer->name, source->reference, source->platform,
		source->arch, source->compiler, source->revision, source_names[source->source],
		environment_names[source->environment]};
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	char clock[G_ASCII_DTOSTR_BUF_SIZE] = "";
	g_autofree char *published = g_strdup_printf("%" PRId64, source->published_at);
	gsize length = sizeof document->sha256;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		hash_text(sum, texts[i]);
	hash_labels(sum, &source->labels);
	hash_labels(sum, &source->before);
	for (const char *const *fact = source->platform_facts; fact && *fact; fact++)
		hash_text(sum, *fact);
	if (!isnan(source->clock))
		g_ascii_dtostr(clock, sizeof clock, source->clock);
	hash_text(sum, clock);
	hash_text(sum, published);
	g_checksum_update(sum, (const guchar *)document->text, (gssize)document->length);
	g_checksum_get_digest(sum, document->sha256, &length);
}

/* --- reading --- */

static bool find_importer(const struct importer **ret, const struct document_source *source,
	const char *bytes, size_t length, GError **err)
{
	g_autofree char *seen = NULL;
	const char *names[64] = {NULL};

	*ret = source->format ? importer_find(source->format) : import_recognise(&seen, bytes, length);
	if (*ret)
		return true;
	if (!source->format)
		return diag_set(err, DIAG_INPUT,
			"%s: the format is not sure (%s); --format names it, `benchmatrix list importers` "
			"tells which there are",
			source->name, seen);
	for (size_t i = 0; importers[i] && i + 1 < G_N_ELEMENTS(names); i++)
		names[i] = importers[i]->name;
	const char *nearest = diag_nearest(source->format, names);
	return diag_set(err, DIAG_USAGE,
		"no importer is named \"%s\"%s%s%s; `benchmatrix list importers` tells which there are",
		source->format, nearest ? "; did you mean \"" : "", nearest ? nearest : "",
		nearest ? "\"?" : "");
}

static struct document *document_new(
	const struct importer *importer, const struct document_source *source, GBytes *bytes)
{
	struct document *document = g_new0(struct document, 1);

	document->bytes = g_bytes_ref(bytes);
	document->text = g_bytes_get_data(bytes, &document->length);
	document->importer = importer;
	document->strings = g_string_chunk_new(4096);
	document->blobs = g_ptr_array_new_with_free_func(g_free);
	document->parts = g_ptr_array_new_with_free_func(document_part_free);
	document->remarks = g_array_new(FALSE, FALSE, sizeof(struct document_remark));
	keep_source(document, source);
	return document;
}

static bool no_figure(const struct document *document, GError **err)
{
	const struct document_remark *first =
		document->remarks->len ? &g_array_index(document->remarks, struct document_remark, 0) : NULL;

	if (!first)
		return diag_set(err, DIAG_INPUT, "%s: no figure in its %zu lines, read as %s",
			document->source.name, document->lines, document->importer->name);
	return diag_set(err, DIAG_INPUT,
		"%s:%zu: no figure in the document, read as %s; first that was not understood: %s: %.200s",
		document->source.name, first->line, document->importer->name, first->problem, first->text);
}

static bool check_length(const struct document_source *source, size_t length, GError **err)
{
	return length <= DOCUMENT_LARGEST ||
	       diag_set(err, DIAG_INPUT, "%s: larger than %d MiB; import what has the figures", source->name,
		       DOCUMENT_LARGEST / 1024 / 1024);
}

bool document_read_bytes(
	struct document **ret, const struct document_source *source, GBytes *given, GError **err)
{
	const struct importer *importer;
	size_t length;
	const char *bytes = g_bytes_get_data(given, &length);

	if (!check_length(source, length, err))
		return false;
	if (length == 0)
		return diag_set(err, DIAG_INPUT, "%s: empty", source->name);
	if (!find_importer(&importer, source, bytes, length, err))
		return false;

	struct document *document = document_new(importer, source, given);
	struct document_builder *builder = document_builder_new(document);
	struct import_sink sink = {document_builder_take, builder, document->source.labels.v[LABEL_VERSION],
		document->source.clock, document->source.source == SOURCE_PUBLISHED};
	struct import_reader *reader = import_reader_new(importer, &sink);
	import_reader_push(reader, bytes, length);
	document->lines = import_reader_finish(reader);
	document_builder_finish(builder);
	if (document->parts->len == 0) {
		no_figure(document, err);
		document_free(document);
		return false;
	}
	hash_document(document);
	*ret = document;
	return true;
}

bool document_read(struct document **ret, const struct document_source *source, const char *bytes,
	size_t length, GError **err)
{
	if (!check_length(source, length, err))
		return false;
	g_autoptr(GBytes) copy =
		g_string_free_to_bytes(g_string_new_len(length > 0 ? bytes : "", (gssize)length));
	return document_read_bytes(ret, source, copy, err);
}

void document_free(struct document *document)
{
	if (!document)
		return;
	g_ptr_array_unref(document->parts);
	g_array_unref(document->remarks);
	g_string_chunk_free(document->strings);
	g_ptr_array_unref(document->blobs);
	g_bytes_unref(document->bytes);
	g_free(document);
}
