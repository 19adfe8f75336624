/* An attempt that was lost with its run: what its spool file is good for. */
#include "dispatch_rows.h"

#include "diag.h"

#include <glib/gstdio.h>
#include <unistd.h>

/* One invocation, a frame for each line; by hand, so that every frame is known. */
static const char *const stream[] = {
	"{\"r\":\"header\",\"wire\":1,\"core\":\"0.1.0\",\"mode\":\"time\",\"invocation\":%d,\"build\":"
	"\"22sp\","
	"\"library\":\"wolfssl\",\"library_version\":\"5.5.4\",\"math\":\"sp_int.c\",\"cpu_features\":[],"
	"\"pointer_bits\":64,\"endian\":\"little\",\"clock\":\"CLOCK_MONOTONIC\",\"clock_resolution_ns\":1,"
	"\"counter\":\"none\",\"seed\":\"benchmatrix\"}\n",
	"{\"r\":\"start\"," AES "}\n",
	"{\"r\":\"samples\"," AES ",\"metric\":\"time\",\"iterations\":1,\"values\":[1000,1100,1200]}\n",
	"{\"r\":\"benchmark\"," AES ",\"state\":\"ok\"," DIGEST "}\n",
	"{\"r\":\"start\"," RSA "}\n",
	"{\"r\":\"samples\"," RSA ",\"metric\":\"time\",\"iterations\":1,\"values\":[5000]}\n",
	"{\"r\":\"benchmark\"," RSA ",\"state\":\"ok\"}\n",
	"{\"r\":\"end\",\"records\":7}\n",
};
enum { LINES = G_N_ELEMENTS(stream), FRAMES = LINES + 2 }; /* begin and end */

/* What the process that goes on is asked for, and plays, after so many frames of an invocation. */
static const struct {
	const char *from, *skip, *plays;
} rests[FRAMES] = {
	[0 ... 2] = {NULL, NULL, AES_ALL RSA_ALL END(7)}, /* nothing, its begin, its header */
	[3 ... 4] = {AES_NAME, NULL, AES_ALL RSA_ALL END(7)},
	[5] = {AES_NAME, AES_NAME, RSA_ALL END(4)},
	[6 ... 7] = {RSA_NAME, NULL, RSA_ALL END(4)},
	[8] = {RSA_NAME, RSA_NAME, END(1)},
	/* its end record came: the next invocation */
	[9] = {NULL, NULL, AES_ALL RSA_ALL END(7)},
};

#define UUID "99999999-9999-4999-8999-999999999999"

/* The frames of a whole attempt at "sp time", up to the `n`th one after its head. */
static void write_left_over(const struct world *w, const char *build, int n)
{
	const struct spool_head head = {.run = w->uuid,
		.uuid = UUID,
		.cell = "sp time",
		.build = build,
		.mode = AGENT_TIME,
		.environment = ENVIRONMENT_HARDWARE,
		.invocations = 2};
	struct spool_process process = {
		.argv = "[\"bench\"]", .started_at = 1000, .before = agent_condition_unknown};
	const struct spool_end end = {.started = true,
		.exit = {.end = CHILD_EXITED, .seconds = 0.5, .cpu_seconds = NAN, .max_rss_bytes = -1},
		.text = "exit status 0",
		.before = agent_condition_unknown,
		.after = agent_condition_unknown};
	struct spool_file *file;

	g_assert_true(spool_begin(&file, w->spool, &head, NULL));
	for (int i = 0; i < n && i < 2 * FRAMES; i++) {
		int at = i % FRAMES;
		process.invocation = i / FRAMES;
		if (at == 0) {
			g_assert_true(spool_put_begin(file, &process, NULL));
		} else if (at == FRAMES - 1) {
			g_assert_true(spool_put_end(file, &end, NULL));
		} else {
			g_auto(GStrv) parts = g_strsplit(stream[at - 1], "%d", -1);
			g_autofree char *line = g_strjoinv(process.invocation ? "1" : "0", parts);
			g_assert_true(spool_put_bytes(file, 1, line, strlen(line), NULL));
		}
	}
	if (n > 2 * FRAMES)
		g_assert_true(spool_put_finished(file, NULL));
	spool_file_free(file);
}

static void begin_left_over(struct world *w, const char *build, int n)
{
	g_autofree char *text = plan_text(&w->plan);
	const struct run_row row = {
		.matrix = "quick", .matrix_text = "{}", .plan_text = text, .program = "0.1.0"};

	g_clear_pointer(&w->uuid, g_free);
	g_assert_true(store_run_begin(w->store.store, &w->store.run, &w->uuid, &row, NULL));
	g_assert_true(spool_open(&w->spool, w->store.file, w->uuid, NULL));
	write_left_over(w, build, n);
}

/* The cell exists as soon as its first process starts. */
static void put_cell_of_sp(struct world *w)
{
	int64_t build = put_build(&w->store, build_row("5.5.4", "sp"));

	put_cell(&w->store, "sp time", build, put_platform(&w->store, "fake-toy", ENVIRONMENT_HARDWARE));
}

static void check_whole(const struct world *w)
{
	check_rows(w, "SELECT state, reason, problems FROM attempt", "ok|-|0\n");
	check_rows(w, OUTCOMES, "aes-128-cbc encrypt|ok|-\nrsa-2048 private|ok|-\n");
	check_rows(w,
		"SELECT hex(packed) FROM sample JOIN measurement AS m ON m.id = measurement_id "
		"JOIN series_wide USING (series_id) WHERE benchmark = 'rsa-2048 private'",
		/* invocation 0, n 1, iterations 1, 5000 ns as a binary64; then invocation 1 */
		"00000000010000000100000000000000F168E388B5F8D43E"
		"01000000010000000100000000000000F168E388B5F8D43E\n");
	/* 1100 ns for 16384 bytes, 5000 ns. */
	check_rows(w, SAMPLES_OF, "aes-128-cbc encrypt|6|6.7138671875e-11\nrsa-2048 private|2|5.0e-06\n");
}

static void check_last_process(const struct world *w, const char *from, const char *skip, int invocation)
{
	g_autofree char *option = from ? g_strdup_printf("\"--from\",\"%s\"", from) : g_strdup("-");
	g_autofree char *list = skip ? g_strdup_printf(",\"--skip\",\"%s\"", skip) : g_strdup("");
	g_autofree char *expected = g_strdup_printf("%d|%s%s%s\n", invocation, option, list, from ? "]" : "");

	check_rows(w,
		"SELECT invocation, substr(argv, nullif(instr(argv, '\"--from'), 0)) FROM process"
		" WHERE argv <> '[\"bench\"]' ORDER BY number LIMIT 1",
		expected);
}

static void lost_at_any_frame_it_ends_the_same(void)
{
	for (int n = 0; n <= 2 * FRAMES + 1; n++) {
		struct world w;
		int at = n % FRAMES, invocation = n / FRAMES + (at == FRAMES - 1);
		const char *from = rests[at].from;
		g_autofree char *condition = from ? g_strdup_printf("when --from %s\n", from) : g_strdup("");
		g_autofree char *script = g_strconcat("turn 1\n", condition, HEADER("time"), rests[at].plays,
			"always\nturn 2\n" HEADER("time") AES_ALL RSA_ALL END(7), NULL);

		open_world(&w);
		add(&w, "sp", AGENT_TIME, script);
		begin_left_over(&w, "22sp", n);
		put_cell_of_sp(&w);
		GError *error = NULL;
		spool_close(g_steal_pointer(&w.spool));
		try_resume(&w, &error);
		g_assert_no_error(error);
		g_assert_cmpstr(cell(&w, "sp time")->state, ==, "ok");
		check_whole(&w);
		if (invocation < 2)
			check_last_process(&w, from, rests[at].skip, invocation);
		close_world(&w);
	}
}

static void taking_in_twice_changes_nothing(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	begin_left_over(&w, "22sp", 2 * FRAMES + 1);
	put_cell_of_sp(&w);
	spool_close(g_steal_pointer(&w.spool));
	go_on(&w);
	check_whole(&w);
	/* Killed between the commit and the removal of the file. */
	g_assert_true(spool_open(&w.spool, w.store.file, w.uuid, NULL));
	write_left_over(&w, "22sp", 2 * FRAMES + 1);
	spool_close(g_steal_pointer(&w.spool));
	g_assert_true(resume_sweep(w.store.store, NULL, NULL));
	check_whole(&w);
	g_autofree char *spool = g_strconcat(w.store.file, ".spool", NULL);
	g_assert_false(g_file_test(spool, G_FILE_TEST_EXISTS));
	close_world(&w);
}

static void what_nobody_goes_on_with_is_taken_in_as_cancelled(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	begin_left_over(&w, "22sp", 6);
	put_cell_of_sp(&w);
	/* It is held: another run leaves it alone. */
	g_assert_true(resume_sweep(w.store.store, NULL, NULL));
	check_rows(&w, "SELECT count(*) FROM attempt", "0\n");
	spool_close(g_steal_pointer(&w.spool));
	g_assert_true(resume_sweep(w.store.store, w.uuid, NULL));
	check_rows(&w, "SELECT count(*) FROM attempt", "0\n");

	g_assert_true(resume_sweep(w.store.store, NULL, NULL));
	check_rows(&w, "SELECT state, reason FROM attempt", "cancelled|the run was killed before it ended\n");
	check_rows(&w, OUTCOMES, "aes-128-cbc encrypt|ok|-\n");
	check_rows(&w, SAMPLES_OF, "aes-128-cbc encrypt|3|6.7138671875e-11\n");
	check_rows(&w, "SELECT ended, seconds FROM process", "lost with the run|-\n");
	check_rows(&w, "SELECT status, ended_at IS NOT NULL FROM run", "1|1\n");
	g_autofree char *spool = g_strconcat(w.store.file, ".spool", NULL);
	g_assert_false(g_file_test(spool, G_FILE_TEST_EXISTS));

	/* Its cell can still be measured. */
	go_on(&w);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_rows(&w, "SELECT number, state FROM attempt ORDER BY number", "1|cancelled\n2|ok\n");
	close_world(&w);
}

/* A whole attempt of one process that took 1.5 s and 1 s of a processor. */
static void write_with_conditions(const struct world *w, enum environment environment, double busy_after)
{
	const struct spool_head head = {.run = w->uuid,
		.uuid = UUID,
		.cell = "sp time",
		.build = "22sp",
		.mode = AGENT_TIME,
		.environment = environment,
		.invocations = 1};
	const struct spool_process process = {.argv = "[]", .before = {0.5, NAN, NAN, 100, NAN, NAN, NAN}};
	const struct spool_end end = {.started = true,
		.exit = {.end = CHILD_SIGNALLED,
			.status = 7,
			.seconds = 1.5,
			.cpu_seconds = 1,
			.max_rss_bytes = 4096},
		.text = "signal 7 (SIGBUS)",
		.before = agent_condition_unknown,
		.after = {0.75, 2e9, NAN, busy_after, NAN, NAN, NAN},
		.meanwhile = agent_watch_none};
	struct spool_file *file;

	g_assert_true(spool_begin(&file, w->spool, &head, NULL));
	g_assert_true(spool_put_begin(file, &process, NULL));
	g_assert_true(spool_put_end(file, &end, NULL));
	g_assert_true(spool_put_finished(file, NULL));
	spool_file_free(file);
}

static void check_busy(enum environment environment, double busy_after, const char *others, const char *note)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	begin_left_over(&w, "22sp", 0);
	g_autoptr(GPtrArray) files = spool_files(w.spool);
	g_assert_cmpint(g_unlink(files->pdata[0]), ==, 0);
	write_with_conditions(&w, environment, busy_after);
	put_cell_of_sp(&w);
	spool_close(g_steal_pointer(&w.spool));
	go_on(&w);
	check_rows(&w, "SELECT round(others, 6) FROM process", others);
	check_rows(&w, "SELECT note FROM attempt_note", note);
	close_world(&w);
}

/* The processor time of all but the process, over its 1.5 s. */
static void other_programs_leave_a_note(void)
{
	g_autofree char *note = g_strdup_printf(
		"busy: other programs kept 2.0 of %ld processors working while it was timed\n",
		sysconf(_SC_NPROCESSORS_ONLN));

	check_busy(ENVIRONMENT_HARDWARE, 104, "2.0\n", note);
	check_busy(ENVIRONMENT_EMULATOR, 104, "2.0\n", "");
	check_busy(ENVIRONMENT_HARDWARE, 101.15, "0.1\n", "");
	check_busy(ENVIRONMENT_HARDWARE, 100.5, "0.0\n", ""); /* never below nothing */
	check_busy(ENVIRONMENT_HARDWARE, NAN, "-\n", "");
}

static void a_file_without_a_head_is_nothing(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	begin_left_over(&w, "22sp", 0);
	g_autoptr(GPtrArray) files = spool_files(w.spool);
	g_assert_true(g_file_set_contents(files->pdata[0], "H\005", 2, NULL));
	spool_close(g_steal_pointer(&w.spool));
	go_on(&w);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_rows(&w, "SELECT count(*) FROM attempt", "1\n");
	close_world(&w);
}

/* What another program printed does not go with what this one prints. */
static void another_program_begins_anew(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	begin_left_over(&w, "22other", 6);
	spool_close(g_steal_pointer(&w.spool));
	go_on(&w);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_rows(&w, OUTCOMES, "aes-128-cbc encrypt|ok|-\n");
	check_rows(&w, "SELECT count(*), min(uuid) = '" UUID "' FROM attempt", "1|0\n");
	close_world(&w);
}

static void a_cell_that_cannot_be_planned_is_named(void)
{
	struct world w;
	g_autoptr(GError) err = NULL;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	add(&w, "gone", AGENT_TIME, good);
	w.matrix.file = (char *)"matrices/quick.json";
	begin_left_over(&w, "22sp", 0);
	spool_close(g_steal_pointer(&w.spool));
	struct planned_cell *renamed = w.plan.cells->pdata[1];
	g_free(renamed->name);
	renamed->name = g_strdup("another");
	g_assert_false(try_resume(&w, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	g_assert_true(
		g_str_has_prefix(err->message, "matrices/quick.json: the cell \"gone time\" of the run"));
	spool_close(g_steal_pointer(&w.spool));
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
#define TEST(f) g_test_add_func("/lost/" #f, f)
	TEST(lost_at_any_frame_it_ends_the_same);
	TEST(taking_in_twice_changes_nothing);
	TEST(what_nobody_goes_on_with_is_taken_in_as_cancelled);
	TEST(other_programs_leave_a_note);
	TEST(a_file_without_a_head_is_nothing);
	TEST(another_program_begins_anew);
	TEST(a_cell_that_cannot_be_planned_is_named);
	return g_test_run();
}
