/* A database all of whose names want to be something else than text, for the report. usage: report_hostile
 * FILE */
#include "store_fixture.h"

#include <stdio.h>
#include <stdlib.h>

/* What a name may come with; each sets window.pwned where it runs, or turns the line around. */
static const char *const names[] = {
	"<script>window.pwned=1</script>",
	"\"><img src=x onerror=window.pwned=2>",
	"'onmouseover='window.pwned=3",
	"</script></title></pre></textarea><svg onload=window.pwned=4>",
	"javascript:window.pwned=5",
	"=HYPERLINK(\"https://example.org\")",
	"+1+cmd|' /C calc'!A0",
	"-2+3+cmd|' /C calc'!A0",
	"@SUM(1+1)",
	"two\nlines\r\nand\ta tab",
	"\342\200\256turned around\342\200\254 \331\205\330\261\330\255\330\250\330\247",
	"../../../etc/passwd",
	"%3Cscript%3E#benchmark=x&toolchain=y?z",
	"__proto__",
	"&lt;b&gt;&amp;",
	"\\u003cscript\\u003e ${window.pwned=6} `",
	"\\xff\\xfe \377\376",
};

/* Longer than any line. */
static char *long_name(void)
{
	g_autofree char *word = g_strnfill(3000, 'w');

	return g_strconcat(word, "<b>", NULL);
}

static struct build_row hostile_build(const char *name)
{
	struct build_row row = build_row(name, name);

	row.labels.v[LABEL_TOOLCHAIN] = name;
	row.labels.v[LABEL_LIBRARY] = name;
	row.key_program = row.key_library = name;
	row.compiler = row.configure_line = row.revision = row.log = name;
	return row;
}

static void put_figures(struct fixture *fixture, const char *name, int night, int64_t count)
{
	g_autofree char *counted = g_uuid_string_random(), *timed = g_uuid_string_random();
	g_autofree char *counts = count_stream(count), *times = rsa_stream(count);
	g_autofree char *second = g_strconcat(name, " time", NULL), *board = g_strconcat(name, "!", NULL);
	int64_t build = put_build(fixture, hostile_build(name));
	int64_t cell = put_cell(fixture, name, build, put_platform(fixture, name, ENVIRONMENT_EMULATOR));

	take_in(fixture, attempt_row(cell, counted, night + 1), ENVIRONMENT_EMULATOR, counts);
	cell = put_cell(fixture, second, build, put_platform(fixture, board, ENVIRONMENT_HARDWARE));
	take_in(fixture, attempt_row(cell, timed, night + 1), ENVIRONMENT_HARDWARE, times);
}

/* A build that could not be linked, and a program that died. */
static void put_failures(struct fixture *fixture, const char *name)
{
	g_autofree char *uuid = g_uuid_string_random(), *broken = g_strconcat(name, " broken", NULL);
	g_autofree char *dead = g_strconcat(name, " dead", NULL);
	struct build_row row = hostile_build(broken);

	row.state = BUILD_LINK_FAILED;
	row.reason = name;
	row.key_program = NULL;
	put_cell(fixture, broken, put_build(fixture, row), 0);
	int64_t cell = put_cell(fixture, dead, put_build(fixture, hostile_build(dead)), 0);
	struct attempt_row attempt = attempt_row(cell, uuid, 1);
	attempt.state = ATTEMPT_CRASHED;
	attempt.reason = attempt.errors = name;
	attempt.errors_length = strlen(name);
	take_in(fixture, attempt, ENVIRONMENT_HARDWARE, "{\"r\":\"header\",\"wire\":1}\n");
}

int main(int argc, char **argv)
{
	GError *err = NULL;
	g_autofree char *extra = long_name();
	struct fixture fixture = {.store = argc == 2 ? store_open(argv[1], STORE_WRITE, &err) : NULL};

	if (fixture.store == NULL) {
		fprintf(stderr, "report_hostile: %s\n", err ? err->message : "usage: report_hostile FILE");
		return EXIT_FAILURE;
	}
	for (int night = 0; night < 2; night++) {
		begin_run(&fixture, names[night]);
		for (size_t i = 0; i <= G_N_ELEMENTS(names); i++) {
			const char *name = i < G_N_ELEMENTS(names) ? names[i] : extra;

			put_figures(&fixture, name, night, 100000 + 5000 * night * (int64_t)(i + 1));
			if (night > 0)
				put_failures(&fixture, name);
		}
	}
	store_close(fixture.store);
	return EXIT_SUCCESS;
}
