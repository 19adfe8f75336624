#include "diag.h"
#include "report.h"
#include "store_fixture.h"

#include <glib/gstdio.h>
#include <jansson.h>

/* Everything that a page or a script could take for its own, a newline, and marks that turn text around. */
#define HOSTILE "</script><script>alert(1)</script>\"'&<b>\n\342\200\256cba\342\200\250"

struct site {
	struct fixture fixture;
	char *folder, *assets;
};

static void put_asset(struct site *site, const char *name)
{
	g_autofree char *file = g_build_filename(site->assets, name, NULL);

	g_assert_true(g_file_set_contents(file, "/* */\n", -1, NULL));
}

static void site_open(struct site *site)
{
	fixture_open(&site->fixture);
	site->folder = g_build_filename(site->fixture.folder, "site", NULL);
	site->assets = g_build_filename(site->fixture.folder, "assets", NULL);
	g_assert_cmpint(g_mkdir(site->assets, 0700), ==, 0);
	put_asset(site, "report.css");
	put_asset(site, "print.css");
	put_asset(site, "drawing.js");
	put_asset(site, "report.js");
	put_asset(site, "charts.js");
	put_asset(site, "chart.js");
}

static void site_close(struct site *site)
{
	fixture_close(&site->fixture);
	g_free(site->folder);
	g_free(site->assets);
}

/* Knows one failure of one library. */
static char *hint(const void *hints, const char *library, const char *reason)
{
	bool known = g_strcmp0(library, "wolfssl") == 0 && g_strcmp0(reason, "link: no such symbol") == 0;

	return known ? g_strdup(hints) : NULL;
}

static bool write_site(struct site *site, const char *selector, GError **err)
{
	const struct report_spec spec = {
		.store = site->fixture.store,
		.selector = selector,
		.folder = site->folder,
		.assets = site->assets,
		.program = "0.1.0",
		.command = "benchmatrix report -o site",
		.hint = hint,
		.hints = "a hint",
	};

	return report_write(&spec, err);
}

static void make(struct site *site)
{
	g_autoptr(GError) err = NULL;

	write_site(site, NULL, &err);
	g_assert_no_error(err);
}

static char *page(struct site *site, const char *name)
{
	g_autofree char *file = g_build_filename(site->folder, name, NULL);
	char *text;

	g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
	return text;
}

static bool has_file(struct site *site, const char *name)
{
	g_autofree char *file = g_build_filename(site->folder, name, NULL);

	return g_file_test(file, G_FILE_TEST_EXISTS);
}

/* Two runs of one matrix: the count of RSA grows from 100000 to `after`. */
static void two_nights(struct site *site, int64_t after)
{
	const int64_t counts[] = {100000, after};

	for (int night = 0; night < 2; night++) {
		g_autofree char *uuid = g_uuid_string_random(), *stream = count_stream(counts[night]);

		begin_run(&site->fixture, night ? "second" : "first");
		struct build_row row = build_row("5.7.2", "sp");
		row.revision = night ? "b" : "a"; /* else they are one point: measured twice on a day */
		int64_t build = put_build(&site->fixture, row);
		int64_t platform = put_platform(&site->fixture, "qemu", ENVIRONMENT_EMULATOR);
		int64_t cell = put_cell(&site->fixture, "cell", build, platform);
		take_in(&site->fixture, attempt_row(cell, uuid, night + 1), ENVIRONMENT_EMULATOR, stream);
	}
}

static void shows_hostile_names_as_text(void)
{
	struct site site;
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(700);

	site_open(&site);
	begin_run(&site.fixture, HOSTILE);
	struct build_row row = build_row(HOSTILE, HOSTILE);
	row.labels.v[LABEL_TOOLCHAIN] = HOSTILE;
	row.compiler = HOSTILE;
	row.configure_line = HOSTILE;
	row.log = HOSTILE;
	int64_t platform = put_platform(&site.fixture, HOSTILE, ENVIRONMENT_HARDWARE);
	int64_t cell = put_cell(&site.fixture, HOSTILE, put_build(&site.fixture, row), platform);
	take_in(&site.fixture, attempt_row(cell, uuid, 1), ENVIRONMENT_HARDWARE, stream);
	make(&site);

	g_autoptr(GDir) dir = g_dir_open(site.folder, 0, NULL);
	for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
		if (!g_str_has_suffix(name, ".html") && !g_str_has_suffix(name, ".js"))
			continue;
		g_autofree char *text = page(&site, name);
		g_assert_null(strstr(text, "<script>"));
		g_assert_null(strstr(text, "<b>"));
		g_assert_null(strstr(text, "\342\200\256"));
		if (g_str_has_suffix(name, ".js"))
			g_assert_null(strstr(text, "\342\200\250"));
	}
	site_close(&site);
}

static void names_files_by_numbers(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 100000);
	make(&site);
	g_assert_true(has_file(&site, "build-2.html"));
	g_assert_true(has_file(&site, "platform-1.html"));
	site_close(&site);
}

/* 100000 to 102000 instructions: a ratio of 100/102 = 0.980. */
static void shows_what_changed_since_the_run_before(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 102000);
	make(&site);
	g_autofree char *overview = page(&site, "index.html");
	g_assert_nonnull(strstr(overview, ">0.980x<"));
	g_assert_nonnull(strstr(overview, "rsa-2048 private"));
	site_close(&site);
}

static guint times_in(const char *text, const char *part)
{
	guint n = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		n++;
	return n;
}

/* A build that could not be linked, with a log of 40000 bytes, in the run in hand. */
static void put_broken(struct site *site)
{
	g_autoptr(GString) log = g_string_new("its first line\n");
	struct build_row row = build_row("5.7.2", "broken");

	while (log->len < 40000)
		g_string_append(log, "cc -c file.c\n");
	g_string_append(log, "undefined reference to `f<int>'\n");
	row.state = BUILD_LINK_FAILED;
	row.reason = "link: no such symbol";
	row.configure_line = "./configure --enable-broken";
	row.log = log->str;
	row.key_program = NULL;
	put_cell(&site->fixture, "the broken cell", put_build(&site->fixture, row), 0);
}

static void check_broken_page(struct site *site, const char *name)
{
	g_autofree char *text = page(site, name);

	g_assert_nonnull(strstr(text, "./configure --enable-broken"));
	g_assert_nonnull(strstr(text, "undefined reference to `f&lt;int&gt;&apos;"));
	g_assert_null(strstr(text, "its first line"));
	g_assert_nonnull(strstr(text, "<details open>"));
	g_assert_nonnull(strstr(text, "link: no such symbol"));
	g_assert_nonnull(strstr(text, "a hint"));
	g_assert_cmpuint(strlen(text), <, 40000);
}

static void has_a_page_of_each_build_that_failed(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 100000);
	put_broken(&site);
	make(&site);
	g_autofree char *overview = page(&site, "index.html");
	g_autofree char *builds = page(&site, "builds.html");
	g_assert_nonnull(strstr(overview, "<a href=\"build-3.html\">the broken cell</a>"));
	g_assert_nonnull(strstr(builds, "<a href=\"build-3.html\">broken</a>"));
	check_broken_page(&site, "build-3.html");
	site_close(&site);
}

static void tells_of_a_night_of_which_all_failed(void)
{
	struct site site;

	site_open(&site);
	begin_run(&site.fixture, "night");
	put_broken(&site);
	make(&site);
	g_autofree char *overview = page(&site, "index.html");
	g_assert_nonnull(strstr(overview, "the broken cell"));
	check_broken_page(&site, "build-1.html");
	site_close(&site);
}

/* Time was measured of the first night's build, and instructions of the second's. */
static void shows_a_kind_of_build_once(void)
{
	struct site site;
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(700);

	site_open(&site);
	two_nights(&site, 100000);
	int64_t platform = put_platform(&site.fixture, "rock5", ENVIRONMENT_HARDWARE);
	struct build_row row = build_row("5.7.2", "sp");
	row.revision = "a";
	int64_t cell = put_cell(&site.fixture, "timed", put_build(&site.fixture, row), platform);
	take_in(&site.fixture, attempt_row(cell, uuid, 3), ENVIRONMENT_HARDWARE, stream);
	make(&site);
	g_assert_true(has_file(&site, "build-1.html"));
	g_assert_true(has_file(&site, "build-2.html"));
	g_autofree char *flags = page(&site, "flags.html");
	g_assert_cmpuint(times_in(flags, "<a href=\"build-"), ==, 1);
	g_assert_nonnull(strstr(flags, "ops/s"));
	site_close(&site);
}

static void quotes_formulas_in_its_csv(void)
{
	struct site site;
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(700);

	site_open(&site);
	begin_run(&site.fixture, "run");
	int64_t platform = put_platform(&site.fixture, "@SUM(1)", ENVIRONMENT_HARDWARE);
	int64_t build = put_build(&site.fixture, build_row("5.7.2", "=1+2,\"x\""));
	int64_t cell = put_cell(&site.fixture, "-1|cmd", build, platform);
	take_in(&site.fixture, attempt_row(cell, uuid, 1), ENVIRONMENT_HARDWARE, stream);
	make(&site);
	g_autofree char *builds = page(&site, "builds-1.csv");
	g_autofree char *platforms = page(&site, "platforms-1.csv");
	g_autofree char *matrix = page(&site, "matrix-2.csv");
	g_assert_nonnull(strstr(builds, ",\"'=1+2,\"\"x\"\"\","));
	g_assert_nonnull(strstr(platforms, "\n\"'@SUM(1)\","));
	g_assert_nonnull(strstr(matrix, "\n\"'-1|cmd\","));
	site_close(&site);
}

/* The second look of a duel is no night: what changed last night stays in sight. */
static void keeps_to_the_newest_run_of_a_matrix(void)
{
	struct site site;
	const struct run_row aside = {.matrix = "duel", .matrix_text = "{}", .program = "0.1.0"};
	int64_t id;

	site_open(&site);
	two_nights(&site, 102000);
	g_assert_true(store_run_begin(site.fixture.store, &id, NULL, &aside, NULL));
	make(&site);
	g_autofree char *overview = page(&site, "index.html");
	g_assert_nonnull(strstr(overview, ">0.980x<"));
	site_close(&site);
}

static void says_that_nothing_changed(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 100000);
	make(&site);
	g_autofree char *overview = page(&site, "index.html");
	g_assert_nonnull(strstr(overview, "Nothing that is proved"));
	site_close(&site);
}

/* The JSON between what begins and what ends the script. */
static json_t *script_data(struct site *site, const char *name, const char *begin, const char *end)
{
	g_autofree char *script = page(site, name);

	g_assert_true(g_str_has_prefix(script, begin));
	g_assert_true(g_str_has_suffix(script, end));
	return json_loadb(strchr(script, '{'), strlen(strchr(script, '{')) - strlen(end) + 1, 0, NULL);
}

static void has_its_data_as_json(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 102000);
	make(&site);
	json_t *results = script_data(&site, "data.js", "window.benchmatrix={", "};\n");
	g_assert_cmpint(json_array_size(json_object_get(results, "value")), ==, 2);
	json_decref(results);
	json_t *data = script_data(&site, "history.js", "Object.assign(window.benchmatrix,{", "});\n");
	g_assert_nonnull(data);
	json_t *history = json_object_get(data, "history");
	json_t *series = json_object_iter_value(json_object_iter(history));
	g_assert_cmpint(json_object_size(history), ==, 1);
	g_assert_cmpfloat(json_number_value(json_array_get(json_object_get(series, "y"), 0)), ==, 100000);
	g_assert_cmpfloat(json_number_value(json_array_get(json_object_get(series, "y"), 1)), ==, 102000);
	g_assert_cmpint(json_array_size(json_object_get(series, "c")), ==, 1);
	json_decref(data);
	site_close(&site);
}

/* 1 in 100000 is no change that anybody is told of. */
static void marks_no_change_of_no_weight(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 100001);
	make(&site);
	g_autofree char *script = page(&site, "history.js");
	g_assert_nonnull(strstr(script, "\"y\":[100000,100001]"));
	g_assert_null(strstr(script, "\"c\":"));
	site_close(&site);
}

static void leaves_no_page_of_an_earlier_report(void)
{
	struct site site;

	site_open(&site);
	two_nights(&site, 100000);
	make(&site);
	g_autofree char *old = g_build_filename(site.folder, "build-77.html", NULL);
	g_assert_true(g_file_set_contents(old, "old", -1, NULL));
	make(&site);
	g_assert_false(has_file(&site, "build-77.html"));
	site_close(&site);
}

static void leaves_no_rest_of_a_longer_file(void)
{
	struct site site;
	g_autofree char *rest = g_strnfill(100000, 'x');

	site_open(&site);
	two_nights(&site, 100000);
	make(&site);
	g_autofree char *before = page(&site, "data.js");
	g_autofree char *file = g_build_filename(site.folder, "data.js", NULL);
	g_assert_true(g_file_set_contents(file, rest, -1, NULL));
	make(&site);
	g_autofree char *after = page(&site, "data.js");
	g_assert_cmpstr(after, ==, before);
	site_close(&site);
}

static void refuses_a_folder_with_other_files(void)
{
	struct site site;
	g_autoptr(GError) err = NULL;

	site_open(&site);
	two_nights(&site, 100000);
	g_assert_cmpint(g_mkdir(site.folder, 0700), ==, 0);
	g_autofree char *other = g_build_filename(site.folder, "thesis.html", NULL);
	g_assert_true(g_file_set_contents(other, "mine", -1, NULL));
	g_assert_false(write_site(&site, NULL, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_assert_true(has_file(&site, "thesis.html"));
	site_close(&site);
}

static void refuses_an_empty_selection(void)
{
	struct site site;
	g_autoptr(GError) err = NULL;

	site_open(&site);
	two_nights(&site, 100000);
	g_assert_false(write_site(&site, "config=nothing", &err));
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	g_assert_false(has_file(&site, "index.html"));
	site_close(&site);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/report/shows_hostile_names_as_text", shows_hostile_names_as_text);
	g_test_add_func("/report/names_files_by_numbers", names_files_by_numbers);
	g_test_add_func(
		"/report/shows_what_changed_since_the_run_before", shows_what_changed_since_the_run_before);
	g_test_add_func("/report/has_a_page_of_each_build_that_failed", has_a_page_of_each_build_that_failed);
	g_test_add_func("/report/tells_of_a_night_of_which_all_failed", tells_of_a_night_of_which_all_failed);
	g_test_add_func("/report/shows_a_kind_of_build_once", shows_a_kind_of_build_once);
	g_test_add_func("/report/quotes_formulas_in_its_csv", quotes_formulas_in_its_csv);
	g_test_add_func("/report/keeps_to_the_newest_run_of_a_matrix", keeps_to_the_newest_run_of_a_matrix);
	g_test_add_func("/report/says_that_nothing_changed", says_that_nothing_changed);
	g_test_add_func("/report/has_its_data_as_json", has_its_data_as_json);
	g_test_add_func("/report/marks_no_change_of_no_weight", marks_no_change_of_no_weight);
	g_test_add_func("/report/leaves_no_page_of_an_earlier_report", leaves_no_page_of_an_earlier_report);
	g_test_add_func("/report/leaves_no_rest_of_a_longer_file", leaves_no_rest_of_a_longer_file);
	g_test_add_func("/report/refuses_a_folder_with_other_files", refuses_a_folder_with_other_files);
	g_test_add_func("/report/refuses_an_empty_selection", refuses_an_empty_selection);
	return g_test_run();
}
