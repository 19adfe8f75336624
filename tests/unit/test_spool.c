#include "diag.h"
#include "fsx.h"
#include "spool.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN	"11111111-1111-4111-8111-111111111111"
#define OTHER	"22222222-2222-4222-8222-222222222222"
#define ATTEMPT "33333333-3333-4333-8333-333333333333"
#define SECOND	"44444444-4444-4444-8444-444444444444"

struct place {
	char *folder, *db;
	struct spool *spool;
};

static void open_place(struct place *place)
{
	g_autoptr(GError) err = NULL;

	place->folder = g_dir_make_tmp("benchmatrix-spool-XXXXXX", &err);
	place->db = g_build_filename(place->folder, "results.db", NULL);
	spool_open(&place->spool, place->db, RUN, &err);
	g_assert_no_error(err);
}

static void close_place(struct place *place)
{
	spool_close(place->spool);
	g_assert_true(fsx_remove_tree(place->folder, NULL));
	g_free(place->folder);
	g_free(place->db);
}

static struct spool_file *begin(const struct place *place, const char *uuid)
{
	const struct spool_head head = {.run = RUN,
		.uuid = uuid,
		.cell = "sp on fake time",
		.build = "22aa",
		.mode = AGENT_TIME,
		.environment = ENVIRONMENT_HARDWARE,
		.invocations = 5};
	g_autoptr(GError) err = NULL;
	struct spool_file *file;

	spool_begin(&file, place->spool, &head, &err);
	g_assert_no_error(err);
	return file;
}

/* One process that ends with a signal. Each call is one frame. */
static void fill(struct spool_file *file)
{
	const struct spool_process process = {.invocation = 3,
		.argv = "[\"bench\",\"--time\"]",
		.started_at = 1700000000123456789,
		.before = {.load = 0.25, .frequency_hz = NAN, .busy_s = 100.5}};
	const struct spool_end end = {.started = true,
		.exit = {.end = CHILD_SIGNALLED,
			.status = 7,
			.seconds = 1.5,
			.cpu_seconds = NAN,
			.max_rss_bytes = -1},
		.text = "signal 7 (SIGBUS)",
		.after = {.load = NAN, .frequency_hz = 2.5e9, .busy_s = 103}};

	g_assert_true(spool_put_begin(file, &process, NULL));
	g_assert_true(spool_put_bytes(file, 1, "{\"r\":\0\n", 7, NULL));
	g_assert_true(spool_put_bytes(file, 2, "it burns\n", 9, NULL));
	g_assert_true(spool_put_end(file, &end, NULL));
	g_assert_true(spool_put_finished(file, NULL));
}

/* --- what a reader sees, as lines --- */

static bool see_head(const struct spool_head *head, void *user, GError **err)
{
	(void)err;
	g_string_append_printf(user, "head %s %s %s %s %s %d %d %d\n", head->run, head->uuid, head->cell,
		head->build, head->exact_key ? head->exact_key : "-", head->mode, head->environment,
		head->invocations);
	return true;
}

static bool see_begin(const struct spool_process *process, void *user, GError **err)
{
	(void)err;
	g_string_append_printf(user, "begin %d %s %" G_GINT64_FORMAT " %g %g %g\n", process->invocation,
		process->argv, (gint64)process->started_at, process->before.load,
		process->before.frequency_hz, process->before.busy_s);
	return true;
}

static bool see_bytes(int stream, const char *bytes, size_t length, void *user, GError **err)
{
	g_autofree char *text = g_strescape(bytes, NULL);

	(void)err;
	g_string_append_printf(user, "bytes %d %zu %s\n", stream, length, text);
	return true;
}

static bool see_end(const struct spool_end *end, void *user, GError **err)
{
	(void)err;
	g_string_append_printf(user, "end %d %d %d %g %g %d %s %g %g %g\n", end->started, end->exit.end,
		end->exit.status, end->exit.seconds, end->exit.cpu_seconds, (int)end->exit.max_rss_bytes,
		end->text, end->after.load, end->after.frequency_hz, end->after.busy_s);
	return true;
}

static bool see_finished(void *user, GError **err)
{
	(void)err;
	g_string_append(user, "finished\n");
	return true;
}

static bool refuse(void *user, GError **err)
{
	(void)user;
	return diag_set(err, DIAG_FAILED, "seen enough");
}

/* NULL: it has no whole head. */
static char *seen(const char *path)
{
	GString *text = g_string_new(NULL);
	const struct spool_visitor visitor = {.head = see_head,
		.begin = see_begin,
		.bytes = see_bytes,
		.end = see_end,
		.finished = see_finished,
		.user = text};
	g_autoptr(GError) err = NULL;

	if (spool_read(path, &visitor, &err))
		return g_string_free(text, FALSE);
	g_assert_error(err, DIAG_ERROR, DIAG_INPUT);
	g_string_free(text, TRUE);
	return NULL;
}

/* CHILD_SIGNALLED is 1; the NUL ends what is shown of the bytes. */
static const char *const lines[] = {
	"head " RUN " " ATTEMPT " sp on fake time 22aa - 0 0 5\n",
	"begin 3 [\"bench\",\"--time\"] 1700000000123456789 0.25 nan 100.5\n",
	"bytes 1 7 {\\\"r\\\":\n",
	"bytes 2 9 it burns\\n\n",
	"end 1 1 7 1.5 nan -1 signal 7 (SIGBUS) nan 2.5e+09 103\n",
	"finished\n",
};

/* The first n lines. */
static char *expected(size_t n)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < n; i++)
		g_string_append(text, lines[i]);
	return g_string_free(text, FALSE);
}

/* Where each frame ends, by the layout that spool.h gives: type, length, checksum, payload. */
static size_t frame_ends(size_t ends[G_N_ELEMENTS(lines)], const char *bytes, size_t length)
{
	size_t n = 0, at = 0;

	while (at < length) {
		const guint8 *size = (const guint8 *)bytes + at + 1;
		at += 9 + (size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24);
		g_assert_cmpuint(n, <, G_N_ELEMENTS(lines));
		ends[n++] = at;
	}
	g_assert_cmpuint(at, ==, length);
	return n;
}

static char *whole_file(const struct place *place, char **ret_path, size_t *ret_length)
{
	struct spool_file *file = begin(place, ATTEMPT);
	char *bytes;

	fill(file);
	*ret_path = g_strdup(spool_file_path(file));
	spool_file_free(file);
	g_assert_true(g_file_get_contents(*ret_path, &bytes, ret_length, NULL));
	return bytes;
}

/* --- tests --- */

static void what_is_written_is_read_back(void)
{
	struct place place;

	open_place(&place);
	g_autofree char *path = NULL;
	size_t length;
	g_autofree char *bytes = whole_file(&place, &path, &length);
	g_autofree char *text = seen(path), *all = expected(G_N_ELEMENTS(lines));
	g_assert_cmpstr(text, ==, all);
	/* The checksum of the last frame, by Python: zlib.crc32(b"F\0\0\0\0"). */
	g_assert_cmpmem(bytes + length - 9, 9, "F\0\0\0\0\xf4Z\x91\x11", 9);
	close_place(&place);
}

static void a_cut_loses_no_frame_before_it(void)
{
	struct place place;
	size_t length, ends[G_N_ELEMENTS(lines)], whole = 0;

	open_place(&place);
	g_autofree char *path = NULL;
	g_autofree char *bytes = whole_file(&place, &path, &length);
	g_assert_cmpuint(frame_ends(ends, bytes, length), ==, G_N_ELEMENTS(lines));
	for (size_t cut = 0; cut <= length; cut++) {
		whole += cut == ends[whole];
		g_assert_true(g_file_set_contents(path, bytes, (gssize)cut, NULL));
		g_autofree char *text = seen(path), *want = whole > 0 ? expected(whole) : NULL;
		g_assert_cmpstr(text, ==, want);
		if (cut == length)
			break;
	}
	close_place(&place);
}

static void a_damaged_byte_ends_the_file_there(void)
{
	struct place place;
	size_t length, ends[G_N_ELEMENTS(lines)], whole = 0;

	open_place(&place);
	g_autofree char *path = NULL;
	g_autofree char *bytes = whole_file(&place, &path, &length);
	frame_ends(ends, bytes, length);
	for (size_t at = 0; at < length; at++) {
		whole += at == ends[whole];
		bytes[at] ^= 0x20;
		g_assert_true(g_file_set_contents(path, bytes, (gssize)length, NULL));
		bytes[at] ^= 0x20;
		g_autofree char *text = seen(path), *want = whole > 0 ? expected(whole) : NULL;
		g_assert_cmpstr(text, ==, want);
	}
	close_place(&place);
}

static void a_file_that_was_cut_is_gone_on_with(void)
{
	struct place place;
	size_t length, ends[G_N_ELEMENTS(lines)];
	struct spool_file *file;

	open_place(&place);
	g_autofree char *path = NULL;
	g_autofree char *bytes = whole_file(&place, &path, &length);
	frame_ends(ends, bytes, length);
	/* In the midst of the third frame: what it began is cut off, and the new frames follow the second. */
	g_assert_true(g_file_set_contents(path, bytes, (gssize)ends[1] + 12, NULL));
	g_assert_true(spool_reopen(&file, path, NULL));
	fill(file);
	spool_file_free(file);
	g_autofree char *text = seen(path), *two = expected(2), *all = expected(G_N_ELEMENTS(lines));
	g_autofree char *want = g_strconcat(two, all + strlen(lines[0]), NULL);
	g_assert_cmpstr(text, ==, want);
	close_place(&place);
}

static void long_bytes_become_several_frames(void)
{
	struct place place;
	const size_t length = (2u << 20) + 5;
	g_autofree char *bytes = g_malloc0(length);

	open_place(&place);
	struct spool_file *file = begin(&place, ATTEMPT);
	const struct spool_process process = {.argv = "[]", .before = agent_condition_unknown};
	g_assert_true(spool_put_begin(file, &process, NULL));
	g_assert_true(spool_put_bytes(file, 1, bytes, length, NULL));
	g_autofree char *text = seen(spool_file_path(file));
	g_assert_true(g_str_has_suffix(text, "bytes 1 1048576 \nbytes 1 1048576 \nbytes 1 5 \n"));
	spool_file_free(file);
	close_place(&place);
}

static void a_visitor_can_stop_the_reading(void)
{
	struct place place;
	const struct spool_visitor visitor = {.finished = refuse};
	g_autoptr(GError) err = NULL;
	size_t length;

	open_place(&place);
	g_autofree char *path = NULL;
	g_free(whole_file(&place, &path, &length));
	g_assert_false(spool_read(path, &visitor, &err));
	g_assert_cmpstr(err->message, ==, "seen enough");
	close_place(&place);
}

/* Within a limit on the size of files, as on a full disk: what does not fit leaves no trace. */
static void a_frame_that_does_not_fit_leaves_the_file_whole(void)
{
	struct place place;
	int status;

	open_place(&place);
	struct spool_file *file = begin(&place, ATTEMPT);
	const struct spool_process process = {.argv = "[]", .before = agent_condition_unknown};
	g_assert_true(spool_put_begin(file, &process, NULL));
	g_autofree char *before = seen(spool_file_path(file));
	pid_t child = fork();
	if (child == 0) {
		g_autoptr(GError) err = NULL;
		const struct rlimit limit = {8192, 8192};
		g_autofree char *bytes = g_malloc0(100000);
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		bool kept = spool_put_bytes(file, 1, bytes, 100000, &err);
		_exit(!kept && strstr(err->message, "cannot be written") ? 0 : 1);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_cmpint(status, ==, 0);
	g_autofree char *after = seen(spool_file_path(file));
	g_assert_cmpstr(after, ==, before);
	GStatBuf facts;
	g_assert_cmpint(g_stat(spool_file_path(file), &facts), ==, 0);
	g_assert_cmpint(facts.st_size, <, 1000);
	spool_file_free(file);
	close_place(&place);
}

static void a_run_is_held_by_one_process(void)
{
	struct place place;
	struct spool *second;
	g_autoptr(GError) err = NULL;

	open_place(&place);
	g_assert_cmpstr(spool_run(place.spool), ==, RUN);
	g_assert_false(spool_open(&second, place.db, RUN, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_autofree char *expected =
		g_strdup_printf("run 11111111 is going on in another process (%d)", (int)getpid());
	g_assert_cmpstr(err->message, ==, expected);
	g_autoptr(GPtrArray) left = spool_left_over(place.db);
	g_assert_cmpuint(left->len, ==, 0);
	close_place(&place);
}

/* A process that opened the spool and was killed; a child that had not come to its exec holds what it held
 * for so long. It is dead, but its parent has not asked for it. */
static pid_t be_killed(struct place *place, unsigned remains_ms)
{
	pid_t dead = fork();
	siginfo_t facts;

	if (dead == 0) {
		struct spool *spool;
		if (!spool_open(&spool, place->db, RUN, NULL))
			_exit(1);
		if (fork() == 0) {
			g_usleep(remains_ms * 1000);
			_exit(0);
		}
		raise(SIGKILL);
	}
	g_assert_cmpint(waitid(P_PID, (id_t)dead, &facts, WEXITED | WNOWAIT), ==, 0);
	g_assert_cmpint(facts.si_code, ==, CLD_KILLED);
	return dead;
}

static void what_a_killed_process_left_is_waited_for(void)
{
	struct place place;

	open_place(&place);
	g_clear_pointer(&place.spool, spool_close);
	pid_t dead = be_killed(&place, 600);
	g_autoptr(GPtrArray) left = spool_left_over(place.db);
	g_assert_cmpuint(left->len, ==, 1);
	g_assert_true(spool_open(&place.spool, place.db, RUN, NULL));
	g_assert_cmpint(waitpid(dead, NULL, 0), ==, dead);
	close_place(&place);
}

static void but_not_for_ever(void)
{
	struct place place;
	g_autoptr(GError) err = NULL;

	open_place(&place);
	g_clear_pointer(&place.spool, spool_close);
	pid_t dead = be_killed(&place, 6500);
	g_assert_false(spool_open(&place.spool, place.db, RUN, &err));
	g_assert_error(err, DIAG_ERROR, DIAG_FAILED);
	g_assert_nonnull(strstr(err->message, "/" RUN ": is still held by what"));
	g_assert_cmpint(waitpid(dead, NULL, 0), ==, dead);
	g_clear_pointer(&place.spool, spool_close);
	close_place(&place);
}

static void what_is_left_over_is_found(void)
{
	struct place place;
	struct spool *other;

	open_place(&place);
	g_assert_true(spool_open(&other, place.db, OTHER, NULL));
	spool_file_free(begin(&place, SECOND));
	spool_file_free(begin(&place, ATTEMPT));
	g_autoptr(GPtrArray) files = spool_files(place.spool);
	g_assert_cmpuint(files->len, ==, 2);
	g_assert_true(g_str_has_suffix(files->pdata[0], RUN "/" ATTEMPT));
	g_assert_true(g_str_has_suffix(files->pdata[1], RUN "/" SECOND));
	g_clear_pointer(&place.spool, spool_close);
	g_autoptr(GPtrArray) left = spool_left_over(place.db);
	g_assert_cmpuint(left->len, ==, 1);
	g_assert_cmpstr(left->pdata[0], ==, RUN);
	spool_close(other);
	close_place(&place);
}

static void an_empty_spool_leaves_nothing_behind(void)
{
	struct place place;
	g_autofree char *root = NULL;

	open_place(&place);
	root = g_strconcat(place.db, ".spool", NULL);
	g_assert_true(g_file_test(root, G_FILE_TEST_IS_DIR));
	g_clear_pointer(&place.spool, spool_close);
	g_assert_false(g_file_test(root, G_FILE_TEST_EXISTS));
	g_autoptr(GPtrArray) left = spool_left_over(place.db);
	g_assert_cmpuint(left->len, ==, 0);
	close_place(&place);
}

static void no_descriptor_is_held_between_processes(void)
{
	struct place place;

	open_place(&place);
	struct spool_file *file = begin(&place, ATTEMPT);
	fill(file);
	int free_one = dup(0);
	spool_file_free(file);
	int again = dup(0);
	g_assert_cmpint(again, ==, free_one + 1);
	close(free_one);
	close(again);
	close_place(&place);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/spool/" #f, f)
	TEST(what_is_written_is_read_back);
	TEST(a_cut_loses_no_frame_before_it);
	TEST(a_damaged_byte_ends_the_file_there);
	TEST(a_file_that_was_cut_is_gone_on_with);
	TEST(long_bytes_become_several_frames);
	TEST(a_visitor_can_stop_the_reading);
	TEST(a_frame_that_does_not_fit_leaves_the_file_whole);
	TEST(a_run_is_held_by_one_process);
	TEST(what_a_killed_process_left_is_waited_for);
	TEST(but_not_for_ever);
	TEST(what_is_left_over_is_found);
	TEST(an_empty_spool_leaves_nothing_behind);
	TEST(no_descriptor_is_held_between_processes);
	return g_test_run();
}
