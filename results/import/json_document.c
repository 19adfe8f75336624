#include "json_document.h"

#include "patterns.h"
#include "telling.h"

#include <math.h>
#include <string.h>

/* More than any tool writes. */
#define LARGEST (64 * 1024 * 1024)

struct document {
	GString *text;
	GPtrArray *lines; /* char * */
	bool too_large;
	guint at;	  /* index of the line that the last element began in */
	const char *rest; /* of that line, behind its key; NULL: none began yet */
};

void *json_document_begin(void)
{
	struct document *document = g_new0(struct document, 1);

	document->text = g_string_new(NULL);
	document->lines = g_ptr_array_new_with_free_func(g_free);
	return document;
}

void json_document_free(void *user)
{
	struct document *document = user;

	g_string_free(document->text, TRUE);
	g_ptr_array_unref(document->lines);
	g_free(document);
}

void json_document_line(void *user, const struct import_line *line, const struct import_sink *sink)
{
	struct document *document = user;

	tell_other(sink, line);
	document->too_large |= document->text->len + line->length > LARGEST;
	if (document->too_large)
		return;
	/* Lines are numbered from 1 and come in order; one that was skipped is empty here. */
	while (document->lines->len + 1 < line->number)
		g_ptr_array_add(document->lines, g_strdup(""));
	g_ptr_array_add(document->lines, g_strdup(line->text));
	g_string_append(document->text, line->text);
	g_string_append_c(document->text, '\n');
}

json_t *json_document_root(void *user, const struct import_sink *sink)
{
	struct document *document = user;
	json_error_t error;
	json_t *root = document->too_large ? NULL
					   : json_loadb(document->text->str, document->text->len,
						     JSON_REJECT_DUPLICATES, &error);

	if (root)
		return root;
	g_autofree char *problem = document->too_large ? g_strdup("larger than 64 MiB")
						       : g_strdup_printf("no JSON: line %d, column %d: %s",
								 error.line, error.column, error.text);
	size_t at = document->too_large || error.line < 1 ? 1 : (size_t)error.line;
	const char *text = at <= document->lines->len ? document->lines->pdata[at - 1] : "";
	struct import_line line = {text, strlen(text), at, text};
	tell_unread(sink, &line, problem);
	return NULL;
}

struct import_line json_document_next(void *user, const char *key, const json_t *element)
{
	struct document *document = user;
	g_autofree char *quoted = g_strdup_printf("\"%s\":", key);
	const char *found = document->rest;
	guint i = document->at;

	/* One without the key counts as where the last one began: it has no place of its own. */
	if (json_object_get(element, key)) {
		found = found ? strstr(found, quoted) : NULL;
		for (i += document->rest && !found; !found && i < document->lines->len; i += !found)
			found = strstr(document->lines->pdata[i], quoted);
		if (found) {
			document->at = i;
			document->rest = found + strlen(quoted);
		}
	}
	const char *text = document->lines->len > 0 ? document->lines->pdata[document->at] : "";
	return (struct import_line){text, strlen(text), document->at + 1, text};
}

/* The shortest text that reads back as the number: what a writer of JSON wrote. */
static void print_shortest(char *buffer, size_t size, double value)
{
	for (int digits = 1; digits <= 17; digits++) {
		char format[8];
		g_snprintf(format, sizeof format, "%%.%dg", digits);
		g_ascii_formatd(buffer, (gint)size, format, value);
		if (g_ascii_strtod(buffer, NULL) == value)
			return;
	}
}

bool json_document_number(struct number *ret, const json_t *object, const char *key)
{
	const json_t *member = json_object_get(object, key);

	if (!json_is_number(member))
		return false;
	*ret = (struct number){.value = json_number_value(member)};
	print_shortest(ret->printed, sizeof ret->printed, ret->value);
	ret->problem = ret->value < 0	      ? "negative"
		       : ret->value == 0      ? "zero"
		       : isfinite(ret->value) ? NULL
					      : "infinite";
	return true;
}
