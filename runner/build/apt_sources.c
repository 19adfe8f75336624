#include "apt_sources.h"

#include "diag.h"
#include "fsx.h"

#include <string.h>

#define LIST_CEILING (1u << 20)

/* One entry of a sources file. */
struct entry {
	bool on, binary;
	char *uris, *suites, *components;
	char *signed_by;
	GString *kept; /* fields to be taken over, as lines */
};

static void entry_clear(struct entry *entry)
{
	g_free(entry->uris);
	g_free(entry->suites);
	g_free(entry->components);
	g_free(entry->signed_by);
	if (entry->kept)
		g_string_free(entry->kept, TRUE);
	*entry = (struct entry){0};
}

static bool has_word(const char *words, const char *word)
{
	g_auto(GStrv) list = g_strsplit_set(words ? words : "", " \t\n", -1);
	return g_strv_contains((const char *const *)list, word);
}

/* ".../debian" near the root of a host, or an archive's state of a day ".../debian/20250520T000000Z". */
static bool is_debian_path(const char *uri)
{
	const char *host = strstr(uri, "://");
	const char *path = host ? strchr(host + 3, '/') : NULL;
	if (!path)
		return false;
	g_auto(GStrv) parts = g_strsplit(path + 1, "/", -1);
	guint n = g_strv_length(parts);
	if (n && !*parts[n - 1])
		n--;
	if (n && g_ascii_isdigit(*parts[n - 1]) && strchr(parts[n - 1], 'T'))
		return n > 1 && strcmp(parts[n - 2], "debian") == 0;
	return n && n <= 2 && strcmp(parts[n - 1], "debian") == 0;
}

/* The distribution signs with a key of a known name; an entry that names another key is a third party's. */
static bool is_debian(const struct entry *entry, const char *uri)
{
	g_auto(GStrv) suites = g_strsplit_set(entry->suites ? entry->suites : "", " \t\n", -1);
	bool plain = false;
	for (char **suite = suites; *suite; suite++)
		plain = plain || (**suite && !strchr(*suite, '/') && !strstr(*suite, "-security"));
	if (!entry->on || !entry->binary || !plain || !has_word(entry->components, "main"))
		return false;
	if (entry->signed_by && *entry->signed_by)
		return strstr(entry->signed_by, "debian-archive") != NULL;
	return is_debian_path(uri);
}

static void write_entry(GString *out, const struct entry *entry, const char *type, const char *suite)
{
	g_auto(GStrv) uris = g_strsplit_set(entry->uris ? entry->uris : "", " \t\n", -1);
	for (char **uri = uris; *uri; uri++) {
		if (!**uri || !is_debian(entry, *uri))
			continue;
		g_autofree char *stanza =
			g_strdup_printf("Types: %s\nURIs: %s\nSuites: %s\nComponents: main\n%s\n", type, *uri,
				suite, entry->kept ? entry->kept->str : "");
		if (!strstr(out->str, stanza))
			g_string_append(out, stanza);
	}
}

/* Fields that say how far a source is trusted; which architectures and languages it has is no matter here. */
static bool is_kept(const char *field)
{
	static const char *const fields[] = {"signed-by", "trusted", "check-valid-until", "check-date",
		"allow-insecure", "allow-weak", "allow-downgrade-to-insecure", NULL};
	g_autofree char *folded = g_ascii_strdown(field, -1);
	return g_strv_contains(fields, folded);
}

static void keep(struct entry *entry, const char *field, const char *value)
{
	if (g_ascii_strcasecmp(field, "signed-by") == 0) {
		g_free(entry->signed_by);
		entry->signed_by = g_strdup(value);
	}
	if (!is_kept(field))
		return;
	if (!entry->kept)
		entry->kept = g_string_new(NULL);
	g_string_append_printf(entry->kept, "%s: %s\n", field, value);
}

/* "[arch=amd64 signed-by=/a.gpg]": the options of a one-line entry; returns what follows them. */
static const char *take_options(struct entry *entry, const char *rest)
{
	const char *end = *rest == '[' ? strchr(rest, ']') : NULL;
	if (!end)
		return rest;
	g_autofree char *inside = g_strndup(rest + 1, (gsize)(end - rest - 1));
	g_auto(GStrv) options = g_strsplit_set(inside, " \t", -1);
	for (char **option = options; *option; option++) {
		char *equals = strchr(*option, '=');
		if (!equals)
			continue;
		*equals = '\0';
		keep(entry, *option, equals + 1);
	}
	return end + 1;
}

static void add_line(GString *out, char *line, const char *type, const char *suite)
{
	char *comment = strchr(line, '#');
	if (comment)
		*comment = '\0';
	g_strstrip(line);
	if (!g_str_has_prefix(line, "deb ") && !g_str_has_prefix(line, "deb\t"))
		return;
	struct entry entry = {.on = true, .binary = true};
	const char *rest = line + 3 + strspn(line + 3, " \t");
	g_autofree char *after = g_strdup(take_options(&entry, rest));
	g_strstrip(after);
	g_auto(GStrv) words = g_regex_split_simple("[ \\t]+", after, 0, 0);
	if (g_strv_length(words) >= 3) {
		entry.uris = g_strdup(words[0]);
		entry.suites = g_strdup(words[1]);
		entry.components = g_strjoinv(" ", words + 2);
		write_entry(out, &entry, type, suite);
	}
	entry_clear(&entry);
}

static void take_field(struct entry *entry, const char *name, const char *value)
{
	if (g_ascii_strcasecmp(name, "enabled") == 0)
		entry->on = g_ascii_strcasecmp(value, "no") != 0 && g_ascii_strcasecmp(value, "false") != 0 &&
			    strcmp(value, "0") != 0;
	else if (g_ascii_strcasecmp(name, "types") == 0)
		entry->binary = has_word(value, "deb");
	else if (g_ascii_strcasecmp(name, "uris") == 0)
		entry->uris = g_strdup(value);
	else if (g_ascii_strcasecmp(name, "suites") == 0)
		entry->suites = g_strdup(value);
	else if (g_ascii_strcasecmp(name, "components") == 0)
		entry->components = g_strdup(value);
	else
		keep(entry, name, value);
}

static void add_stanza(GString *out, const char *stanza, const char *type, const char *suite)
{
	struct entry entry = {.on = true};
	g_auto(GStrv) lines = g_strsplit(stanza, "\n", -1);
	for (char **line = lines; *line;) {
		char *colon = strchr(*line, ':');
		g_autoptr(GString) value = g_string_new(colon ? colon + 1 : "");
		g_strstrip(value->str);
		value->len = strlen(value->str);
		g_autofree char *name = colon ? g_strndup(*line, (gsize)(colon - *line)) : NULL;
		/* A field goes on in lines that begin with a blank: a key may stand in the file itself. */
		for (line++; *line && (**line == ' ' || **line == '\t'); line++)
			g_string_append_printf(value, "\n%s", *line);
		if (name)
			take_field(&entry, name, value->str);
	}
	write_entry(out, &entry, type, suite);
	entry_clear(&entry);
}

void apt_sources_add(
	GString *out, const char *file_name, const char *text, const char *type, const char *suite)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	if (!g_str_has_suffix(file_name, ".sources")) {
		for (char **line = lines; *line; line++)
			add_line(out, *line, type, suite);
		return;
	}
	g_autoptr(GString) stanza = g_string_new(NULL);
	for (char **line = lines; *line; line++) {
		if (**line == '#')
			continue;
		if ((*line)[strspn(*line, " \t\r")] != '\0') {
			g_string_append_printf(stanza, "%s\n", *line);
			continue;
		}
		add_stanza(out, stanza->str, type, suite);
		g_string_truncate(stanza, 0);
	}
	add_stanza(out, stanza->str, type, suite);
}

static void add_file(GString *out, const char *file, const char *type, const char *suite)
{
	g_autofree char *text = NULL;
	size_t length;
	if (fsx_read(&text, &length, file, LIST_CEILING, NULL))
		apt_sources_add(out, file, text, type, suite);
}

bool apt_sources_derive(GString *out, const char *folder, const char *type, const char *suite, GError **err)
{
	g_autofree char *list = g_build_filename(folder, "sources.list", NULL);
	g_autofree char *parts = g_build_filename(folder, "sources.list.d", NULL);
	add_file(out, list, type, suite);
	g_autoptr(GDir) dir = g_dir_open(parts, 0, NULL);
	const char *name;
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(parts, name, NULL);
		if (g_str_has_suffix(name, ".list") || g_str_has_suffix(name, ".sources"))
			add_file(out, file, type, suite);
	}
	return out->len || diag_set(err, DIAG_LACKS,
				   "%s names no Debian archive to take packages from: unpack the "
				   "source yourself and name its folder "
				   "in the matrix",
				   folder);
}

/* The order of one character in the part of a version that is no number: the tilde before all, even the end,
 * letters before the rest. */
static int order_of(char c)
{
	if (c == '~')
		return -1;
	if (c == '\0' || g_ascii_isdigit(c))
		return 0;
	return g_ascii_isalpha(c) ? c : c + 256;
}

static int compare_part(const char *a, const char *b)
{
	while (*a || *b) {
		while ((*a && !g_ascii_isdigit(*a)) || (*b && !g_ascii_isdigit(*b))) {
			int difference = order_of(*a) - order_of(*b);
			if (difference)
				return difference;
			a += *a != '\0';
			b += *b != '\0';
		}
		a += strspn(a, "0");
		b += strspn(b, "0");
		size_t digits_a = strspn(a, "0123456789"), digits_b = strspn(b, "0123456789");
		int difference =
			digits_a != digits_b ? (digits_a > digits_b ? 1 : -1) : strncmp(a, b, digits_a);
		if (difference)
			return difference;
		a += digits_a;
		b += digits_b;
	}
	return 0;
}

/* "1:5.5.4-2": epoch, upstream version, revision. */
struct debian_version {
	guint64 epoch;
	char *upstream, *revision;
};

static struct debian_version split_version(const char *text)
{
	struct debian_version version = {0};
	const char *colon = strchr(text, ':');
	if (colon) {
		version.epoch = g_ascii_strtoull(text, NULL, 10);
		text = colon + 1;
	}
	const char *dash = strrchr(text, '-');
	version.upstream = dash ? g_strndup(text, (gsize)(dash - text)) : g_strdup(text);
	version.revision = g_strdup(dash ? dash + 1 : "");
	return version;
}

int apt_compare_versions(const char *a, const char *b)
{
	struct debian_version va = split_version(a), vb = split_version(b);
	int difference = va.epoch != vb.epoch ? (va.epoch > vb.epoch ? 1 : -1) : 0;
	if (!difference)
		difference = compare_part(va.upstream, vb.upstream);
	if (!difference)
		difference = compare_part(va.revision, vb.revision);
	g_free(va.upstream);
	g_free(va.revision);
	g_free(vb.upstream);
	g_free(vb.revision);
	return difference;
}

static bool is_upstream(const char *version, const char *upstream)
{
	struct debian_version split = split_version(version);
	size_t length = strlen(upstream);
	bool same = g_pattern_match_simple(upstream, split.upstream) ||
		    (strncmp(split.upstream, upstream, length) == 0 && split.upstream[length] == '+');
	g_free(split.upstream);
	g_free(split.revision);
	return same;
}

char *apt_pick_version(char **ret_others, const char *showsrc, const char *package, const char *upstream)
{
	g_auto(GStrv) lines = g_strsplit(showsrc, "\n", -1);
	g_autoptr(GString) others = g_string_new(NULL);
	const char *best = NULL;
	bool ours = false;
	for (char **line = lines; *line; line++) {
		g_strchomp(*line);
		if (g_str_has_prefix(*line, "Package: "))
			ours = strcmp(*line + strlen("Package: "), package) == 0;
		if (!ours || !g_str_has_prefix(*line, "Version: "))
			continue;
		const char *version = *line + strlen("Version: ");
		g_string_append_printf(others, "%s%s", others->len ? ", " : "", version);
		if (is_upstream(version, upstream) && (!best || apt_compare_versions(version, best) > 0))
			best = version;
	}
	*ret_others = g_strdup(others->str);
	return g_strdup(best);
}
