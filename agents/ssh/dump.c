#include "dump.h"

#include <math.h>
#include <string.h>

/* A board's words are never trusted: so much is kept, and no more. */
#define FILES_MAX 2048
#define TEXT_MAX  (256u << 10)
#define WORD_MAX  200u

struct dump *dump_new(void)
{
	struct dump *dump = g_new0(struct dump, 1);

	dump->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	dump->words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	dump->text = g_string_new(NULL);
	return dump;
}

void dump_free(struct dump *dump)
{
	if (!dump)
		return;
	g_hash_table_unref(dump->files);
	g_hash_table_unref(dump->words);
	g_free(dump->open);
	g_string_free(dump->text, TRUE);
	g_free(dump);
}

static void close_file(struct dump *dump)
{
	if (dump->open && g_hash_table_size(dump->files) < FILES_MAX) {
		g_hash_table_replace(dump->files, g_steal_pointer(&dump->open), g_strdup(dump->text->str));
	}
	g_clear_pointer(&dump->open, g_free);
	g_string_truncate(dump->text, 0);
}

static char *without(const char *path, const char *sys)
{
	if (g_str_has_prefix(path, sys))
		return g_strconcat("/sys", path + strlen(sys), NULL);
	return g_strdup(path);
}

/* A file of one line, in one mark. */
static void take_line(struct dump *dump, const char *line, const char *sys)
{
	const char *is = strstr(line, " = ");

	if (!is || g_hash_table_size(dump->files) >= FILES_MAX)
		return;
	g_autofree char *path = g_strndup(line, (gsize)(is - line));
	g_hash_table_replace(dump->files, without(path, sys), g_strdup(is + strlen(" = ")));
}

static void take_word(struct dump *dump, const char *line)
{
	const char *space = strchr(line, ' ');

	if (!space || !space[1] || g_hash_table_size(dump->words) >= FILES_MAX)
		return;
	g_autofree char *value = g_strndup(space + 1, WORD_MAX);
	g_hash_table_replace(
		dump->words, g_strndup(line, (gsize)(space - line)), g_utf8_make_valid(value, -1));
}

bool dump_mark(struct dump *dump, const char *line, const char *sys)
{
	bool file = g_str_has_prefix(line, "file ");

	if (file || g_str_equal(line, "file")) {
		close_file(dump);
		dump->open = file ? without(line + strlen("file "), sys) : NULL;
		return true;
	}
	if (g_str_has_prefix(line, "line "))
		take_line(dump, line + strlen("line "), sys);
	else if (g_str_has_prefix(line, "word "))
		take_word(dump, line + strlen("word "));
	else
		return false;
	return true;
}

void dump_text(struct dump *dump, const char *bytes, size_t length)
{
	if (dump->open && dump->text->len < TEXT_MAX)
		g_string_append_len(dump->text, bytes, (gssize)MIN(length, TEXT_MAX - dump->text->len));
}

static char *read_dumped(const struct host_view *view, const char *file)
{
	const struct dump *dump = view->source;
	const char *text = g_hash_table_lookup(dump->files, file);

	return text ? g_utf8_make_valid(text, -1) : NULL;
}

static const char *word(const struct dump *dump, const struct dump *facts, const char *key)
{
	const char *value = g_hash_table_lookup(dump->words, key);

	return value || !facts ? value : g_hash_table_lookup(facts->words, key);
}

static long number(const char *text)
{
	gint64 value = text ? g_ascii_strtoll(text, NULL, 10) : 0;

	return value > 0 && value <= 1000000 ? (long)value : 0;
}

/* Of Linux on all machines but Alpha and Itanium, where getconf is not there to ask. */
#define USUAL_TICK 100

void dump_view(struct host_view *ret, const struct dump *dump, const struct dump *facts)
{
	long tick = number(word(dump, facts, "tick"));

	*ret = (struct host_view){
		.read = read_dumped,
		.source = dump,
		.machine = word(dump, facts, "machine"),
		.release = word(dump, facts, "release"),
		.node = word(dump, facts, "node"),
		.cores = number(word(dump, facts, "cores")),
		.tick = tick > 0 ? tick : USUAL_TICK,
		.page = number(word(dump, facts, "page")),
	};
}

double dump_uptime_s(const struct dump *dump)
{
	const char *text = g_hash_table_lookup(dump->files, "/proc/uptime");
	char *end;
	double value = text ? g_ascii_strtod(text, &end) : NAN;

	return text && end > text ? value : NAN;
}
