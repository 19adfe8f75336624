#include "dispatch_world.h"

#include "diag.h"

#include <unistd.h>

static const char hanging[] = "turn 1\n" HEADER("time") RSA_START "hang\nturn 2\n" HEADER("time") END(1);

/* A run of one hanging cell, which the signal comes to. */
static void check_stops(int number)
{
	struct world w;

	open_world(&w);
	w.signal = number;
	w.watched = g_strconcat(add(&w, "sp", AGENT_TIME, hanging)->program, ".turns", NULL);
	run(&w, false);
	g_assert_true(w.result.cancelled);
	g_assert_cmpstr(cell(&w, "sp time")->state, ==, "pending");
	close_world(&w);
}

static void each_signal_that_asks_to_stop_stops(void)
{
	check_stops(SIGINT);
	check_stops(SIGTERM);
	check_stops(SIGHUP);
}

static void a_hangup_that_was_ignored_stays_so(void)
{
	struct world w;

	signal(SIGHUP, SIG_IGN);
	open_world(&w);
	w.signal = SIGHUP;
	w.limits.silence_s[AGENT_TIME] = 1;
	w.watched = g_strconcat(add(&w, "sp", AGENT_TIME, hanging)->program, ".turns", NULL);
	run(&w, false);
	signal(SIGHUP, SIG_DFL);
	g_assert_false(w.result.cancelled);
	g_assert_cmpstr(cell(&w, "sp time")->attempt_state, ==, "timeout");
	close_world(&w);
}

static gboolean interrupt_again(gpointer user)
{
	(void)user;
	kill(getpid(), SIGINT);
	return G_SOURCE_CONTINUE;
}

/* In a process of its own: the first signal waits for a build that does not end, even when it is cancelled.
 */
static int be_victim(void)
{
	struct world w;

	open_world(&w);
	add(&w, "building", AGENT_TIME, good)->never = true;
	((struct fake_build *)w.builder.builds->pdata[0])->stuck = true;
	w.watched = g_strconcat(add(&w, "sp", AGENT_COUNT, HEADER("count") START RSA_START "hang\n")->program,
		".turns", NULL);
	g_timeout_add(1000, interrupt_again, NULL);
	try_run(&w, false, NULL);
	return 7;
}

/* The database that the victim made in the folder. */
static char *victims_database(const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	char *file = g_build_filename(folder, g_dir_read_name(dir), "results.db", NULL);

	g_dir_close(dir);
	return file;
}

static gboolean interrupt_once_it_is_timed(gpointer user)
{
	struct world *w = user;

	if (!g_file_test(w->watched, G_FILE_TEST_EXISTS))
		return G_SOURCE_CONTINUE;
	/* Comes before the end of any process can be seen. */
	g_idle_add_full(G_PRIORITY_DEFAULT, interrupt_again, NULL, NULL);
	return G_SOURCE_REMOVE;
}

/* The machine's settings are changed when it is killed. */
static int be_victim_that_times(void)
{
	const struct host_settings_spec host = {
		.wanted = "turbo=off", .sysfs = g_getenv("SYSFS"), .journal = g_getenv("TMPDIR")};
	struct world w;

	open_world(&w);
	w.host = &host;
	g_autofree char *watched = g_strconcat(add(&w, "sp", AGENT_TIME, hanging)->program, ".turns", NULL);
	g_timeout_add(20, interrupt_once_it_is_timed, &(struct world){.watched = watched});
	try_run(&w, false, NULL);
	return 7;
}

static void a_second_signal_puts_the_machine_back(void)
{
	g_autofree char *folder = g_dir_make_tmp("benchmatrix-stop-XXXXXX", NULL);
	g_autofree char *cpufreq = g_build_filename(folder, "sys/devices/system/cpu/cpufreq", NULL);
	g_autofree char *boost = g_build_filename(cpufreq, "boost", NULL);
	g_autofree char *journal = g_build_filename(folder, "host-settings.json", NULL);
	g_autofree char *tmpdir = g_strconcat("TMPDIR=", folder, NULL);
	g_autofree char *sysfs = g_strconcat("SYSFS=", folder, "/sys", NULL);
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL), *now = NULL;
	const char *const argv[] = {program, "--victim-that-times", NULL};
	const char *const environment[] = {tmpdir, sysfs, NULL};
	const struct child_spec spec = {.argv = argv, .environment = environment, .timeout_s = 60, .cpu = -1};
	struct child_exit end;

	g_assert_true(fsx_make_folder(cpufreq, NULL));
	g_assert_true(g_file_set_contents(boost, "1\n", -1, NULL));
	g_assert_true(child_run(&end, NULL, NULL, &spec, NULL));
	g_assert_cmpint(end.end, ==, CHILD_EXITED);
	g_assert_cmpint(end.status, ==, 1);
	g_assert_true(g_file_test(journal, G_FILE_TEST_EXISTS)); /* it was not an orderly end */
	g_assert_true(g_file_get_contents(boost, &now, NULL, NULL));
	g_assert_cmpstr(now, ==, "1\n");
	g_assert_true(fsx_remove_tree(folder, NULL));
}

/* What is in the spool stays. */
static void a_second_signal_ends_us_at_once(void)
{
	g_autofree char *folder = g_dir_make_tmp("benchmatrix-stop-XXXXXX", NULL);
	g_autofree char *tmpdir = g_strconcat("TMPDIR=", folder, NULL);
	g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
	const char *const argv[] = {program, "--victim", NULL}, *const environment[] = {tmpdir, NULL};
	const struct child_spec spec = {.argv = argv, .environment = environment, .timeout_s = 60, .cpu = -1};
	struct child_exit end;
	struct spool *spool;

	g_assert_true(child_run(&end, NULL, NULL, &spec, NULL));
	g_assert_cmpint(end.end, ==, CHILD_EXITED);
	g_assert_cmpint(end.status, ==, 1);
	g_autofree char *db = victims_database(folder);
	g_autoptr(GPtrArray) left = spool_left_over(db);
	g_assert_cmpuint(left->len, ==, 1);
	g_assert_true(spool_open(&spool, db, left->pdata[0], NULL));
	g_autoptr(GPtrArray) files = spool_files(spool);
	g_assert_cmpuint(files->len, ==, 1);
	spool_close(spool);
	g_assert_true(fsx_remove_tree(folder, NULL));
}

/* Its folder is gone: the first process that starts cannot be kept. */
static void a_spool_that_cannot_be_written_ends_the_run(void)
{
	struct world w;
	g_autoptr(GError) error = NULL;

	open_world(&w);
	add(&w, "hanging", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	add(&w, "building", AGENT_TIME, good)->never = true;
	w.spool_goes = true;
	g_assert_false(try_run(&w, false, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_FAILED);
	g_assert_nonnull(strstr(error->message, ".db.spool/"));
	g_assert_nonnull(strstr(error->message, "cannot be written: No such file or directory"));
	close_world(&w);
}

/* --- the machine's lock --- */

struct holder {
	int lock;
	char *file;
	bool shared;
};

static gboolean let_go(gpointer user)
{
	fsx_unlock(((struct holder *)user)->lock);
	return G_SOURCE_REMOVE;
}

static void hold(struct holder *holder, const struct world *w, bool shared)
{
	g_autofree char *file = g_build_filename(w->store.folder, "timing.lock", NULL);

	g_assert_true(fsx_lock_machine(&holder->lock, file, shared, NULL));
	g_assert_cmpint(holder->lock, >=, 0);
	g_timeout_add(2500, let_go, holder);
}

static void builds_wait_while_another_run_times(void)
{
	struct world w;
	struct holder holder;

	open_world(&w);
	hold(&holder, &w, false);
	add(&w, "sp", AGENT_COUNT, good_count);
	run(&w, false);
	g_assert_cmpstr(
		w.events->str, ==, "step waiting for another run's timing to end\nran sp count: ok\n");
	close_world(&w);
}

static void timing_waits_while_another_run_builds(void)
{
	struct world w;
	struct holder holder;

	open_world(&w);
	hold(&holder, &w, true);
	add(&w, "counted", AGENT_COUNT, good_count);
	add(&w, "sp", AGENT_TIME, good);
	run(&w, false);
	g_assert_cmpstr(w.events->str, ==,
		"ran counted count: ok\nstep waiting until no other run builds, counts or times\n"
		"ran sp time: ok\n");
	close_world(&w);
}

/* While our own timing goes on, nobody can build. */
static gboolean try_shared(gpointer user)
{
	struct holder *holder = user;

	g_assert_true(fsx_lock_machine(&holder->lock, holder->file, true, NULL));
	fsx_unlock(holder->lock);
	return G_SOURCE_REMOVE;
}

static void timing_holds_the_lock_alone(void)
{
	struct world w;
	struct holder holder = {.lock = 0};

	open_world(&w);
	w.limits.silence_s[AGENT_TIME] = 2;
	holder.file = g_build_filename(w.store.folder, "timing.lock", NULL);
	add(&w, "sp", AGENT_TIME, hanging);
	g_timeout_add(1000, try_shared, &holder);
	run(&w, false);
	g_assert_cmpint(holder.lock, ==, -1);
	g_assert_true(fsx_lock_machine(&holder.lock, holder.file, false, NULL));
	g_assert_cmpint(holder.lock, >=, 0); /* it is free again */
	fsx_unlock(holder.lock);
	g_free(holder.file);
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
	if (argc == 2 && g_str_equal(argv[1], "--victim"))
		return be_victim();
	if (argc == 2 && g_str_equal(argv[1], "--victim-that-times"))
		return be_victim_that_times();
#define TEST(f) g_test_add_func("/stop/" #f, f)
	TEST(each_signal_that_asks_to_stop_stops);
	TEST(a_hangup_that_was_ignored_stays_so);
	TEST(a_second_signal_ends_us_at_once);
	TEST(a_second_signal_puts_the_machine_back);
	TEST(a_spool_that_cannot_be_written_ends_the_run);
	TEST(builds_wait_while_another_run_times);
	TEST(timing_waits_while_another_run_builds);
	TEST(timing_holds_the_lock_alone);
	return g_test_run();
}
