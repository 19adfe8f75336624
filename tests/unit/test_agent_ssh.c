/* The ssh agent without a network: what stands for ssh runs the command line here, by a shell, as sshd does.
 */
#include "agent_harness.h"
#include "cksum.h"
#include "diag.h"
#include "job_private.h"
#include "marks.h"
#include "quote.h"
#include "script.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

static struct utsname host;
static struct agent_state *state;
static struct agent board = {
	.name = "board", .kind = &agent_kind_ssh, .host = "desk", .pin = -1, .state = &state};
static struct agent_target own;
/* What the last job was told beside its output. */
static struct agent_condition before, after;
static struct agent_watch meanwhile;
static char *why;

/* --- words --- */

static void quoted_words_come_out_of_a_shell_as_they_went_in(void)
{
	const char *const words[] = {"printf", "%s|", "", "a b", "it's", "$(echo x)`echo y`", "\"q\" \\n",
		"-n", "line\nline", "*", "~", "!!", "\xff\x01", "'", NULL};
	g_autofree char *line = ssh_quote(words), *out = NULL;
	const char *argv[] = {"sh", "-c", line, NULL};

	g_assert_true(g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
	g_autofree char *expected = g_strjoinv("|", (char **)words + 2);
	g_autofree char *ended = g_strconcat(expected, "|", NULL);
	g_assert_cmpstr(out, ==, ended);
}

struct heard {
	GString *text, *marks;
};

static void take_text(const char *bytes, size_t length, void *user)
{
	g_string_append_len(((struct heard *)user)->text, bytes, (gssize)length);
}

static void take_mark(const char *line, void *user)
{
	g_string_append_printf(((struct heard *)user)->marks, "[%s]", line);
}

static void marks_are_told_from_text_however_it_is_cut(void)
{
	static const char stream[] = "\001W begin\nab\001\001W x y\n\001V no\n\001W\001W end\nrest\001W";

	for (size_t cut = 0; cut < sizeof(stream); cut++) {
		struct heard heard = {g_string_new(NULL), g_string_new(NULL)};
		struct marks *marks = marks_new("W", take_text, take_mark, &heard);
		marks_push(marks, stream, cut);
		marks_push(marks, stream + cut, sizeof(stream) - 1 - cut);
		marks_end(marks);
		g_assert_cmpstr(heard.marks->str, ==, "[begin][x y][end]");
		g_assert_cmpstr(heard.text->str, ==, "ab\001\001V no\n\001Wrest\001W");
		marks_free(marks);
		g_string_free(heard.text, TRUE);
		g_string_free(heard.marks, TRUE);
	}
}

static void signals_go_by_their_names(void)
{
	struct child_exit end;

	script_end(&end, "signal 10 BUS"); /* as MIPS and SPARC number it */
	g_assert_cmpint(end.end, ==, CHILD_SIGNALLED);
	g_assert_cmpint(end.status, ==, SIGBUS);
	script_end(&end, "exit 7");
	g_assert_cmpint(end.end, ==, CHILD_EXITED);
	g_assert_cmpint(end.status, ==, 7);
	script_end(&end, "exit 126");
	g_assert_cmpint(end.end, ==, CHILD_NOT_RUN);
	script_end(&end, "exit");
	g_assert_cmpint(end.end, ==, CHILD_LOST);
	g_assert_cmpfloat(script_cpu_s("0m1.250000s 2m0.500000s"), ==, 121.75);
	g_assert_true(isnan(script_cpu_s("much")));
	g_autofree char *third = script_mask(3), *tenth = script_mask(10);
	g_assert_cmpstr(third, ==, "0x8");
	g_assert_cmpstr(tenth, ==, "0x400");
}

/* --- a board --- */

static void on_end(const struct agent_end *end, void *user)
{
	struct outcome *outcome = user;

	outcome->end = end->exit;
	outcome->ended = true;
	before = end->before;
	after = end->after;
	meanwhile = end->meanwhile;
	g_free(why);
	why = g_strdup(end->why);
}

static struct agent_process *begin(
	struct outcome *ret, const char *text, const char *const *arguments, double timeout_s)
{
	static const char *const none[] = {NULL};
	g_autofree char *program = g_build_filename(scratch, "program", NULL);
	g_autofree char *script = g_strconcat("#!/bin/sh\n", text, "\n", NULL);
	const struct agent_job job = {.target = &own,
		.program = program,
		.arguments = arguments ? arguments : none,
		.timeout_s = timeout_s,
		.silence_s = 120,
		.output_ceiling = 1 << 20,
		.on_output = on_output,
		.on_exit = on_end,
		.user = ret};
	g_autoptr(GError) error = NULL;

	put(scratch, "program", script);
	*ret = (struct outcome){.out = g_string_new(NULL), .errors = g_string_new(NULL)};
	struct agent_process *process = agent_start(&ret->argv, &board, &job, &error);
	g_assert_no_error(error);
	return process;
}

static void run_there(struct outcome *ret, const char *text, const char *const *arguments, double timeout_s)
{
	begin(ret, text, arguments, timeout_s);
	while (!ret->ended)
		g_main_context_iteration(NULL, TRUE);
}

static char *there(const char *name)
{
	return g_build_filename(scratch, "board", name, NULL);
}

static void assert_no_file(const char *name)
{
	g_autofree char *path = there(name);

	g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* The lock is free, and nothing runs that the board was told to run. */
static void assert_left_alone(void)
{
	g_autofree char *lock = g_strconcat("lock-", host.nodename, NULL);
	g_autofree char *settings = g_strconcat("settings-", host.nodename, NULL);
	g_autofree char *out = NULL;
	const char *argv[] = {"pgrep", "-f", "sleep 7654", NULL};

	assert_no_file(lock);
	assert_no_file(settings);
	g_assert_true(g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
	g_assert_cmpstr(out, ==, "");
}

static void a_program_runs_with_its_words_in_an_empty_environment(void)
{
	const char *const words[] = {"it's", "$(touch pwned)", "two\nlines", "", NULL};
	struct outcome o;

	run_there(&o,
		"printf '%s|' \"$@\"; env | sort | grep -v ^_= | sed 's/BM_JOB=.*/BM_JOB/'; echo oh >&2; "
		"exit 7",
		words, 60);
	assert_end(&o, CHILD_EXITED, 7);
	g_assert_null(why);
	g_assert_cmpstr(o.out->str, ==, "it's|$(touch pwned)|two\nlines||BM_JOB\nLC_ALL=C\nPWD=/tmp\n");
	g_assert_cmpstr(o.errors->str, ==, "oh\n");
	g_assert_cmpfloat(before.load, >=, 0);
	g_assert_cmpfloat(after.busy_s, >=, before.busy_s);
	g_assert_cmpfloat(o.end.seconds, >=, 0);
	g_assert_cmpfloat(o.end.cpu_seconds, >=, 0);
	assert_left_alone();
	clear(&o);
}

static void a_program_is_sent_once_and_again_where_it_was_damaged(void)
{
	g_autofree char *log = there("log"), *folder = there("programs");
	g_autofree char *hash = NULL, *text = NULL;
	struct outcome o;

	for (int turn = 0; turn < 3; turn++) {
		run_there(&o, "echo right", NULL, 60);
		assert_end(&o, CHILD_EXITED, 0);
		g_assert_cmpstr(o.out->str, ==, "right\n");
		if (turn == 1) {
			g_autofree char *file = g_build_filename(folder, o.argv[2], NULL);
			g_assert_true(g_file_set_contents(file, "#!/bin/sh\necho wrong\n", -1, NULL));
			agent_kind_ssh.forget(g_steal_pointer(&state));
		}
		clear(&o);
	}
	g_assert_true(g_file_get_contents(log, &text, NULL, NULL));
	g_assert_true(g_str_has_suffix(text, "run\nput\nrun\nrun\nrun\nput\nrun\n"));
}

/* Some commands and no more: what POSIX has, without gzip, sha256sum, setsid and taskset. */
static void make_a_poor_path(void)
{
	static const char *const tools[] = {"sh", "env", "dd", "grep", "cat", "mv", "mkdir", "rm", "rmdir",
		"chmod", "wc", "uname", "getconf", "sleep", "ls", "sed", "touch", "id", "cksum", NULL};
	g_autofree char *folder = g_build_filename(scratch, "poor", NULL);

	g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
	for (const char *const *tool = tools; *tool; tool++) {
		g_autofree char *from = g_find_program_in_path(*tool);
		g_autofree char *to = g_build_filename(folder, *tool, NULL);
		g_assert_cmpint(symlink(from, to), ==, 0);
	}
}

/* The word stands in a line before the program: two UUIDs, 72 bytes. */
static void assert_sent(const char *begin, gsize least, gsize most)
{
	g_autofree char *file = g_build_filename(scratch, "sent", NULL), *sent = NULL;
	gsize length;

	g_assert_true(g_file_get_contents(file, &sent, &length, NULL));
	g_assert_cmpuint(length, >=, least);
	g_assert_cmpuint(length, <=, most);
	g_assert_cmpint(sent[72], ==, '\n');
	g_assert_cmpint(strncmp(sent + 73, begin, strlen(begin)), ==, 0);
}

/* 100 KB of the same: they pack well. */
static void a_program_is_packed_where_the_board_can_unpack_it(void)
{
	g_autofree char *long_text = g_strnfill(100000, '#'), *poor = there("poor");
	g_autofree char *program = g_strconcat("echo ran; exit\n", long_text, NULL);
	g_autofree char *other = g_strconcat("echo ran there; exit\n", long_text, NULL);
	struct outcome o;

	run_there(&o, program, NULL, 60);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "ran\n");
	assert_sent("\x1f\x8b", 80, 2000);
	clear(&o);
	make_a_poor_path();
	put(scratch, "board/poor", "");
	run_there(&o, other, NULL, 60);
	g_unlink(poor);
	g_assert_cmpstr(why, ==, NULL);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "ran there\n");
	assert_sent("#!/bin/sh\n", 100000, 101000);
	clear(&o);
}

/* Sums that cksum(1) of coreutils gives. */
static void a_sum_is_the_one_of_cksum(void)
{
	g_assert_cmpuint(cksum_of("", 0), ==, 4294967295u);
	g_assert_cmpuint(cksum_of("123456789", 9), ==, 930766865u);
	g_assert_cmpuint(cksum_of("abc\n", 4), ==, 1112837078u);
}

/* As long as it was, so that its size tells nothing. */
static void damage_is_seen_by_a_board_without_sha256sum(void)
{
	g_autofree char *log = there("log"), *folder = there("programs"), *poor = there("poor"), *text = NULL;
	struct outcome o;

	g_assert_true(g_file_set_contents(poor, "", 0, NULL));
	for (int turn = 0; turn < 2; turn++) {
		run_there(&o, "echo sound", NULL, 60);
		assert_end(&o, CHILD_EXITED, 0);
		g_assert_cmpstr(o.out->str, ==, "sound\n");
		g_autofree char *file = g_build_filename(folder, o.argv[2], NULL), *whole = NULL;
		g_assert_true(g_file_get_contents(file, &whole, NULL, NULL));
		memcpy(strstr(whole, "sound"), "SOUND", 5);
		g_assert_true(g_file_set_contents(file, whole, -1, NULL));
		agent_kind_ssh.forget(g_steal_pointer(&state));
		clear(&o);
	}
	g_unlink(poor);
	g_assert_true(g_file_get_contents(log, &text, NULL, NULL));
	g_assert_true(g_str_has_suffix(text, "run\nput\nrun\nrun\nput\nrun\n"));
}

static void a_signal_is_told_and_what_was_printed_is_kept(void)
{
	struct outcome o;

	run_there(&o, "printf half; kill -SEGV $$", NULL, 60);
	assert_end(&o, CHILD_SIGNALLED, SIGSEGV);
	g_assert_cmpstr(o.out->str, ==, "half");
	assert_left_alone();
	clear(&o);
}

static void what_a_program_leaves_behind_is_ended(void)
{
	struct outcome o;

	run_there(&o, "setsid sleep 7654 & sleep 7654 & sleep 1; echo done", NULL, 60);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "done\n");
	assert_left_alone();
	clear(&o);
}

static void a_program_that_never_ends_is_ended_at_its_deadline(void)
{
	struct outcome o;

	run_there(&o, "echo begun; setsid sleep 7654 & sleep 7654", NULL, 1);
	assert_end(&o, CHILD_TIMEOUT, 1);
	g_assert_cmpstr(o.out->str, ==, "begun\n");
	assert_left_alone();
	clear(&o);
}

static void a_program_that_prints_without_end_is_ended(void)
{
	struct outcome o;

	run_there(&o, "while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done",
		NULL, 120);
	assert_end(&o, CHILD_FLOODED, 1 << 20);
	assert_left_alone();
	clear(&o);
}

static void a_program_is_cancelled(void)
{
	struct outcome o;
	struct agent_process *process = begin(&o, "echo begun; sleep 7654", NULL, 120);

	while (o.out->len == 0)
		g_main_context_iteration(NULL, TRUE);
	agent_cancel(process);
	while (!o.ended)
		g_main_context_iteration(NULL, TRUE);
	assert_end(&o, CHILD_CANCELLED, 0);
	assert_left_alone();
	clear(&o);
}

static void a_board_that_is_not_there_is_lost(void)
{
	g_autofree char *down = there("down");
	struct outcome o;

	put(scratch, "board/down", "");
	run_there(&o, "echo no", NULL, 60);
	assert_end(&o, CHILD_LOST, 0);
	g_assert_cmpstr(
		why, ==, "board: desk cannot be used: ssh: connect to host desk port 22: No route to host");
	g_unlink(down);
	clear(&o);
}

static void a_lock_of_who_lives_is_respected_and_of_who_is_gone_is_taken_over(void)
{
	g_autofree char *name = g_strconcat("board/lock-", host.nodename, "/owner", NULL);
	g_autofree char *boot = NULL;
	struct outcome o;

	g_assert_true(g_file_get_contents("/proc/sys/kernel/random/boot_id", &boot, NULL, NULL));
	/* A process that looks like one of ours. */
	const char *argv[] = {"sh", "-c", "sleep 60; :", "bm-remote", NULL};
	GPid pid;
	g_assert_true(g_spawn_async(NULL, (char **)argv, NULL,
		G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
	g_autofree char *owner = g_strdup_printf("%s %d ann@desk, process 5\n", g_strchomp(boot), (int)pid);
	put(scratch, name, owner);
	board.deadlines.lock = 1;
	run_there(&o, "echo ran", NULL, 60);
	assert_end(&o, CHILD_NOT_RUN, 16);
	g_assert_cmpstr(why, ==, "board: it is in use by ann@desk, process 5, who did not end within 1 s");
	clear(&o);
	kill(pid, SIGKILL);
	g_spawn_close_pid(pid);
	g_autofree char *gone = g_strdup_printf("%s 999999999 ann@desk, process 5\n", boot);
	put(scratch, name, gone);
	run_there(&o, "echo ran", NULL, 60);
	assert_end(&o, CHILD_EXITED, 0);
	board.deadlines.lock = 0;
	assert_left_alone();
	clear(&o);
}

static void settings_are_made_and_put_back(void)
{
	g_autofree char *governor =
		g_build_filename(scratch, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", NULL);
	g_autofree char *text = g_strdup_printf("cat %s; kill -KILL $PPID", governor), *now = NULL;
	struct outcome o;

	put(scratch, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	board.settings = "governor=performance";
	run_there(&o, text, NULL, 60);
	/* Who waited for the program was killed: the connection is lost, and its guard puts things right. */
	g_assert_cmpstr(o.out->str, ==, "performance\n");
	clear(&o);
	run_there(&o, "echo ran", NULL, 60);
	assert_end(&o, CHILD_EXITED, 0);
	clear(&o);
	g_assert_true(g_file_get_contents(governor, &now, NULL, NULL));
	g_assert_cmpstr(now, ==, "powersave\n");
	board.settings = "turbo=off";
	run_there(&o, "echo ran", NULL, 60);
	assert_end(&o, CHILD_NOT_RUN, 16);
	g_assert_true(g_str_has_prefix(why, "board: turbo: "));
	board.settings = NULL;
	assert_left_alone();
	clear(&o);
}

/* What the board has written of the job under way so far, "" where nothing. New text. */
static char *written_meanwhile(const struct agent_process *process)
{
	g_autofree char *name = g_strconcat("meanwhile-", ((const struct job *)process)->name, NULL);
	g_autofree char *path = there(name);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

/* Between two beats, without waiting for the clock. */
static void look_once(struct agent_process *process, const char *for_text)
{
	bool seen = false;

	job_on_beat(process);
	while (!seen) {
		g_autofree char *text = written_meanwhile(process);
		seen = strstr(text, for_text) != NULL;
		g_usleep(20000);
	}
}

static void a_board_is_looked_at_before_while_and_after_a_program_runs(void)
{
	static const char zone[] = "sys/class/thermal/thermal_zone0/temp",
			  clock[] = "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq";
	g_autofree char *program =
		g_strdup_printf("echo begun; while [ ! -e %s/go ]; do sleep 0.1; done", scratch);
	struct outcome o;

	put(scratch, zone, "40000\n");
	put(scratch, clock, "1500000\n");
	struct agent_process *process = begin(&o, program, NULL, 120);
	while (o.out->len == 0)
		g_main_context_iteration(NULL, TRUE);
	put(scratch, zone, "83000\n");
	put(scratch, clock, "600000\n");
	look_once(process, "temp = 83000\n");
	put(scratch, zone, "61500\n");
	put(scratch, clock, "1200000\n");
	look_once(process, "temp = 61500\n");
	put(scratch, zone, "50000\n");
	put(scratch, "go", "");
	while (!o.ended)
		g_main_context_iteration(NULL, TRUE);
	assert_end(&o, CHILD_EXITED, 0);
	g_assert_cmpstr(o.out->str, ==, "begun\n");
	g_assert_cmpfloat(before.temperature, ==, 40);
	g_assert_cmpfloat(meanwhile.temperature, ==, 83);
	g_assert_cmpfloat(after.temperature, ==, 50);
	g_assert_cmpfloat(before.fastest_hz, ==, 1.5e9);
	g_assert_cmpfloat(meanwhile.fastest_hz, ==, 0.6e9);
	g_assert_cmpfloat(meanwhile.load, >=, 0);
	assert_left_alone();
	clear(&o);
	g_autofree char *find = g_strdup_printf("ls %s/board | grep -c -e beat- -e meanwhile-", scratch),
			*out = NULL;
	const char *argv[] = {"sh", "-c", find, NULL};
	g_assert_true(g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL, NULL));
	g_assert_cmpstr(out, ==, "0\n");
}

static void a_program_cannot_tell_another_end_by_the_file_of_readings(void)
{
	struct outcome o;

	run_there(&o,
		"printf '\\001 end exit 99\\n\\001 fail no\\n\\001 times 9m9.0s 9m9.0s\\n' "
		">\"${0%/programs/*}/meanwhile-$BM_JOB\"; exit 3",
		NULL, 60);
	assert_end(&o, CHILD_EXITED, 3);
	g_assert_null(why);
	clear(&o);
}

static void a_folder_that_cannot_be_made_is_told(void)
{
	const char *usual = board.folder;
	struct outcome o;

	board.folder = "/proc/none";
	run_there(&o, "echo no", NULL, 60);
	assert_end(&o, CHILD_NOT_RUN, 16);
	g_assert_cmpstr(why, ==, "board: /proc/none: cannot be made, or not written to");
	board.folder = usual;
	clear(&o);
}

static void it_says_what_it_is(void)
{
	struct agent_target other = {.arch = "vax"};
	struct agent_place *place = NULL;
	g_autoptr(GError) error = NULL;

	board.facts = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_insert(board.facts, (char *)"name", (char *)"Desk 1");
	g_hash_table_insert(board.facts, (char *)"os", (char *)"own");
	g_assert_true(agent_describe(&place, &board, &own, NULL));
	g_autofree char *slug_begin = g_strdup("desk-1-");
	g_assert_true(g_str_has_prefix(place->platform, slug_begin));
	g_assert_cmpstr(fact(place, "kernel"), ==, host.release);
	g_assert_cmpstr(fact(place, "os"), ==, "own");
	g_assert_cmpint(g_ascii_strtoll(fact(place, "cores"), NULL, 10), ==, sysconf(_SC_NPROCESSORS_ONLN));
	agent_place_free(place);
	g_hash_table_unref(g_steal_pointer(&board.facts));
	g_assert_false(agent_describe(&place, &board, &other, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	g_assert_nonnull(strstr(error->message, ", not vax; where it does, by an emulator, say so"));
}

/* Logs the verb, which follows bm-remote, and runs the command line. */
static void put_ssh(void)
{
	g_autofree char *text = g_strdup_printf(
		"#!/bin/sh\n"
		"case \" $* \" in *' -N '*) exit 255 ;; esac\n"
		"while [ \"$1\" != -- ]; do shift; done\n"
		"if [ -e %s/board/down ]; then echo \"ssh: connect to host $2 port 22: No "
		"route to host\" >&2; exit 255; fi\n"
		"verb=${3##*\\'bm-remote\\' \\'}; verb=${verb%%%%\\'*}; echo \"$verb\" >>%s/board/log\n"
		"if [ $verb = put ]; then cat >%s/sent; exec <%s/sent; fi\n"
		"[ ! -e %s/board/poor ] || PATH=%s/poor\n"
		"cd /tmp && exec sh -c \"$3\"\n",
		scratch, scratch, scratch, scratch, scratch, scratch);
	g_autofree char *file = g_build_filename(scratch, "bin", "ssh", NULL);

	put(scratch, "bin/ssh", text);
	g_assert_cmpint(g_chmod(file, 0700), ==, 0);
	put(scratch, "board/log", "");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	uname(&host);
	own.arch = g_str_has_prefix(host.machine, "armv") ? "arm" : host.machine;
	scratch = fsx_unique_folder(g_get_tmp_dir(), "test-agent-ssh", NULL);
	put_ssh();
	g_autofree char *path = g_strconcat(scratch, "/bin:", g_getenv("PATH"), NULL);
	g_autofree char *sys = g_build_filename(scratch, "sys", NULL);
	g_autofree char *folder = g_build_filename(scratch, "board", NULL);
	g_setenv("PATH", path, TRUE);
	g_setenv("BENCHMATRIX_SYSFS", sys, TRUE);
	board.folder = folder;
#define TEST(name) g_test_add_func("/agent_ssh/" #name, name)
	TEST(quoted_words_come_out_of_a_shell_as_they_went_in);
	TEST(marks_are_told_from_text_however_it_is_cut);
	TEST(signals_go_by_their_names);
	TEST(a_program_runs_with_its_words_in_an_empty_environment);
	TEST(a_program_is_sent_once_and_again_where_it_was_damaged);
	TEST(a_program_is_packed_where_the_board_can_unpack_it);
	TEST(a_sum_is_the_one_of_cksum);
	TEST(damage_is_seen_by_a_board_without_sha256sum);
	TEST(a_signal_is_told_and_what_was_printed_is_kept);
	TEST(what_a_program_leaves_behind_is_ended);
	TEST(a_program_that_never_ends_is_ended_at_its_deadline);
	TEST(a_program_that_prints_without_end_is_ended);
	TEST(a_program_is_cancelled);
	TEST(a_board_that_is_not_there_is_lost);
	TEST(a_lock_of_who_lives_is_respected_and_of_who_is_gone_is_taken_over);
	TEST(settings_are_made_and_put_back);
	TEST(a_board_is_looked_at_before_while_and_after_a_program_runs);
	TEST(a_program_cannot_tell_another_end_by_the_file_of_readings);
	TEST(a_folder_that_cannot_be_made_is_told);
	TEST(it_says_what_it_is);
	int status = g_test_run();
	if (state)
		agent_kind_ssh.forget(state);
	fsx_remove_tree(scratch, NULL);
	g_free(scratch);
	g_free(why);
	return status;
}
