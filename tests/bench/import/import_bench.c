/* How fast an importer reads a file that is in memory: `import_bench FORMAT FILE` prints bytes, lines and
 * records, and the processor seconds that a plain search for line ends took (the yardstick), that the
 * importer took, and that the document with its measurements took. */
#include "document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void count(const struct import_record *record, void *user)
{
	size_t *counts = user;

	counts[record->kind]++;
}

static double scan(const char *text, size_t length, size_t *ret_lines)
{
	double began = now();

	*ret_lines = 0;
	for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + length - at))); at++)
		++*ret_lines;
	return now() - began;
}

static double import(const struct importer *importer, const char *text, size_t length, size_t *counts)
{
	struct import_sink sink = {.take = count, .user = counts, .clock = (double)NAN};
	double began = now();
	struct import_reader *reader = import_reader_new(importer, &sink);

	import_reader_push(reader, text, length);
	import_reader_finish(reader);
	return now() - began;
}

static double read_document(const char *format, const char *text, size_t length, guint *ret_parts)
{
	const struct document_source source = {
		.name = "bench", .format = format, .source = SOURCE_IMPORTED, .clock = (double)NAN};
	double began = now();
	struct document *document;

	if (!document_read(&document, &source, text, length, NULL))
		return (double)NAN;
	*ret_parts = document->parts->len;
	double took = now() - began;
	document_free(document);
	return took;
}

int main(int argc, char **argv)
{
	const struct importer *importer = argc == 3 ? importer_find(argv[1]) : NULL;
	g_autofree char *text = NULL;
	size_t counts[IMPORT_OTHER + 1] = {0}, lines;
	guint parts = 0;
	gsize length;

	if (!importer || !g_file_get_contents(argv[2], &text, &length, NULL)) {
		fprintf(stderr, "usage: import_bench FORMAT FILE\n");
		return EXIT_FAILURE;
	}
	double scanned = scan(text, length, &lines);
	double imported = import(importer, text, length, counts);
	double document = read_document(argv[1], text, length, &parts);
	printf("%zu bytes, %zu lines, %zu figures, %zu not understood, %u parts\n", length, lines,
		counts[IMPORT_FIGURE], counts[IMPORT_UNREAD], parts);
	printf("scan %.4f\nimporter %.4f\ndocument %.4f\n", scanned, imported, document);
	return EXIT_SUCCESS;
}
