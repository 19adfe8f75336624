#include "importer.h"
#include "line_body.h"
#include "telling.h"

#include <string.h>

/* Longer lines are no tool's. */
#define LONGEST_LINE 65536
/* What is shown of one that is too long. */
#define SHOWN 200

enum encoding { BYTES, UTF16_LITTLE, UTF16_BIG };

struct import_reader {
	const struct importer *importer;
	const struct import_sink *sink;
	void *state;
	GString *line;
	GString *latin1, *body; /* room for what end_line() makes of it */
	size_t number;		/* of the line in hand, from 1 */
	bool too_long, after_cr;
	enum encoding encoding;
	guint8 mark[3]; /* the document's first bytes, until they are no mark of an encoding */
	size_t marked;
	bool begun; /* past the mark */
	int half;   /* first byte of a UTF-16 unit, or -1 */
	gunichar2 surrogate;
};

struct import_reader *import_reader_new(const struct importer *importer, const struct import_sink *sink)
{
	struct import_reader *reader = g_new0(struct import_reader, 1);

	reader->importer = importer;
	reader->sink = sink;
	reader->state = importer->begin();
	reader->line = g_string_new(NULL);
	reader->latin1 = g_string_new(NULL);
	reader->body = g_string_new(NULL);
	reader->number = 1;
	reader->half = -1;
	return reader;
}

/* Valid UTF-8 of the line's bytes: as they are, or as Latin-1. Lent until the next line. */
static const char *text_of(struct import_reader *reader)
{
	const GString *line = reader->line;

	if (g_utf8_validate(line->str, (gssize)line->len, NULL))
		return line->str;
	g_string_truncate(reader->latin1, 0);
	for (gsize i = 0; i < line->len; i++)
		g_string_append_unichar(reader->latin1, (guint8)line->str[i]);
	return reader->latin1->str;
}

static void tell_too_long(struct import_reader *reader)
{
	g_string_truncate(reader->line, SHOWN);
	const char *text = text_of(reader);
	struct import_line line = {text, strlen(text), reader->number, text};

	tell_unread(reader->sink, &line, "longer than 64 KiB");
}

static void end_line(struct import_reader *reader)
{
	if (reader->too_long) {
		tell_too_long(reader);
	} else {
		const char *raw = text_of(reader);
		g_autofree char *plain = strchr(raw, '\033') ? line_without_colours(raw) : NULL;
		const char *text = plain ? plain : raw, *body = line_body(text, reader->body);
		struct import_line line = {text, strlen(text), reader->number, body};
		reader->importer->line(reader->state, &line, reader->sink);
	}
	g_string_truncate(reader->line, 0);
	reader->too_long = false;
	reader->number++;
}

static void take_bytes(struct import_reader *reader, const guint8 *bytes, size_t n)
{
	size_t room = LONGEST_LINE - reader->line->len;

	if (reader->too_long)
		return;
	reader->too_long = n > room;
	g_string_append_len(reader->line, (const char *)bytes, (gssize)MIN(n, room));
}

/* One character: a byte of the document, or a unit of UTF-16 as UTF-8. */
static void take(struct import_reader *reader, const guint8 *bytes, size_t n)
{
	guint8 c = bytes[0];
	bool second = c == '\n' && reader->after_cr;

	reader->after_cr = c == '\r';
	if (second || c == '\0')
		return;
	if (c == '\n' || c == '\r')
		end_line(reader);
	else
		take_bytes(reader, bytes, n);
}

/* Bytes none of which ends a line. */
static void take_plain(struct import_reader *reader, const guint8 *bytes, size_t n)
{
	reader->after_cr = false;
	take_bytes(reader, bytes, n);
}

static void take_character(struct import_reader *reader, gunichar c)
{
	char bytes[6];

	int n = g_unichar_to_utf8(c, bytes);
	take(reader, (const guint8 *)bytes, (size_t)n);
}

static void take_unit(struct import_reader *reader, gunichar2 unit)
{
	bool high = unit >= 0xd800 && unit < 0xdc00, low = unit >= 0xdc00 && unit < 0xe000;
	gunichar2 before = reader->surrogate;

	reader->surrogate = high ? unit : 0;
	if (before && low) {
		take_character(reader, 0x10000 + (((gunichar)before - 0xd800) << 10) + (unit - 0xdc00));
		return;
	}
	if (before)
		take_character(reader, 0xfffd);
	if (low)
		take_character(reader, 0xfffd);
	else if (!high)
		take_character(reader, unit);
}

static void take_byte(struct import_reader *reader, guint8 byte)
{
	if (reader->encoding == BYTES) {
		take(reader, &byte, 1);
	} else if (reader->half < 0) {
		reader->half = byte;
	} else {
		guint first = (guint)reader->half, second = byte;
		reader->half = -1;
		take_unit(reader, (gunichar2)(reader->encoding == UTF16_LITTLE ? second << 8 | first
									       : first << 8 | second));
	}
}

/* Decides the encoding by the first bytes, and hands on those that are no mark. */
static void begin(struct import_reader *reader)
{
	const guint8 *mark = reader->mark;
	size_t skipped = 0;

	reader->begun = true;
	if (reader->marked >= 2 && mark[0] == 0xff && mark[1] == 0xfe) {
		reader->encoding = UTF16_LITTLE;
		skipped = 2;
	} else if (reader->marked >= 2 && mark[0] == 0xfe && mark[1] == 0xff) {
		reader->encoding = UTF16_BIG;
		skipped = 2;
	} else if (reader->marked == 3 && mark[0] == 0xef && mark[1] == 0xbb && mark[2] == 0xbf) {
		skipped = 3;
	}
	for (size_t i = skipped; i < reader->marked; i++)
		take_byte(reader, mark[i]);
}

/* How many bytes there are before the next that is a character of its own; 0 where the encoding has no plain
 * bytes. */
static size_t plain_bytes(const struct import_reader *reader, const char *bytes, size_t length)
{
	size_t n = 0;

	while (reader->encoding == BYTES && n < length && bytes[n] != '\n' && bytes[n] != '\r' &&
		bytes[n] != '\0')
		n++;
	return n;
}

void import_reader_push(struct import_reader *reader, const char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (reader->begun) {
			size_t n = plain_bytes(reader, bytes + i, length - i);
			if (n > 0)
				take_plain(reader, (const guint8 *)bytes + i, n);
			i += n;
			if (i < length)
				take_byte(reader, (guint8)bytes[i]);
			continue;
		}
		reader->mark[reader->marked++] = (guint8)bytes[i];
		if (reader->marked == sizeof reader->mark)
			begin(reader);
	}
}

size_t import_reader_finish(struct import_reader *reader)
{
	if (!reader->begun)
		begin(reader);
	if (reader->half >= 0 || reader->surrogate)
		take_character(reader, 0xfffd);
	if (reader->line->len > 0 || reader->too_long)
		end_line(reader);
	size_t lines = reader->number - 1;
	reader->importer->finish(reader->state, reader->sink);
	g_string_free(reader->line, TRUE);
	g_string_free(reader->latin1, TRUE);
	g_string_free(reader->body, TRUE);
	g_free(reader);
	return lines;
}
