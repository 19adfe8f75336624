#include "diag.h"
#include "fsx.h"
#include "host_settings.h"
#include "signals.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPU	 "devices/system/cpu/"
#define POLICY_0 CPU "cpufreq/policy0/scaling_governor"
#define POLICY_1 CPU "cpufreq/policy1/scaling_governor"
#define NO_TURBO CPU "intel_pstate/no_turbo"
#define BOOST	 CPU "cpufreq/boost"

/* A machine made of files, and where its journal lies. */
struct machine {
	char *folder, *sysfs, *cache, *journal;
	struct host_settings_spec spec;
};

static void put(const struct machine *m, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(m->sysfs, name, NULL);
	g_autofree char *folder = g_path_get_dirname(path);

	g_assert_true(fsx_make_folder(folder, NULL));
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void assert_setting(const struct machine *m, const char *name, const char *expected)
{
	g_autofree char *path = g_build_filename(m->sysfs, name, NULL);
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	g_assert_cmpstr(g_strchomp(text), ==, expected);
}

static void open_machine(struct machine *m, const char *wanted)
{
	m->folder = g_dir_make_tmp("benchmatrix-host-XXXXXX", NULL);
	m->sysfs = g_build_filename(m->folder, "sys", NULL);
	m->cache = g_build_filename(m->folder, "cache", NULL);
	m->journal = g_build_filename(m->cache, "host-settings.json", NULL);
	m->spec = (struct host_settings_spec){.wanted = wanted, .sysfs = m->sysfs, .journal = m->cache};
	put(m, POLICY_0, "powersave\n");
	put(m, POLICY_1, "schedutil\n");
	put(m, NO_TURBO, "0\n");
}

static void close_machine(struct machine *m)
{
	g_assert_true(fsx_remove_tree(m->folder, NULL));
	g_free(m->folder);
	g_free(m->sysfs);
	g_free(m->cache);
	g_free(m->journal);
}

static struct host_settings *apply(const struct machine *m)
{
	g_autoptr(GError) error = NULL;
	struct host_settings *settings = NULL;

	host_settings_apply(&settings, &m->spec, &error);
	g_assert_no_error(error);
	g_assert_nonnull(settings);
	return settings;
}

static void restore(struct host_settings *settings)
{
	g_autoptr(GError) error = NULL;

	host_settings_restore(settings, &error);
	g_assert_no_error(error);
}

/* What recovery tells, joined by newlines. */
static char *recover(const struct machine *m)
{
	g_autoptr(GPtrArray) told = NULL;
	g_autoptr(GError) error = NULL;

	host_settings_recover(&told, &m->spec, &error);
	g_assert_no_error(error);
	g_ptr_array_add(told, NULL);
	return g_strjoinv("\n", (char **)told->pdata);
}

/* Neither checked nor applied, and nothing is touched. */
static void assert_refused(const struct machine *m, enum diag_code code, const char *words)
{
	g_autoptr(GError) checked = NULL, applied = NULL;
	struct host_settings *settings;

	g_assert_false(host_settings_check(&m->spec, &checked));
	g_assert_false(host_settings_apply(&settings, &m->spec, &applied));
	g_assert_null(settings);
	g_assert_error(checked, DIAG_ERROR, (int)code);
	g_assert_error(applied, DIAG_ERROR, (int)code);
	if (strstr(checked->message, words) == NULL)
		g_error("\"%s\" is not in: %s", words, checked->message);
	assert_setting(m, POLICY_0, "powersave");
	g_assert_false(g_file_test(m->journal, G_FILE_TEST_EXISTS));
}

static void changes_what_is_asked_and_puts_it_back(void)
{
	struct machine m;

	open_machine(&m, "governor=performance,turbo=off");
	g_assert_true(host_settings_check(&m.spec, NULL));
	assert_setting(&m, POLICY_0, "powersave");
	struct host_settings *settings = apply(&m);
	assert_setting(&m, POLICY_0, "performance");
	assert_setting(&m, POLICY_1, "performance");
	assert_setting(&m, NO_TURBO, "1");
	restore(settings);
	assert_setting(&m, POLICY_0, "powersave");
	assert_setting(&m, POLICY_1, "schedutil");
	assert_setting(&m, NO_TURBO, "0");
	g_assert_false(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	close_machine(&m);
}

static void leaves_alone_what_is_not_asked_for(void)
{
	struct machine m;
	struct host_settings *settings;

	open_machine(&m, "turbo=off");
	settings = apply(&m);
	assert_setting(&m, POLICY_0, "powersave");
	restore(settings);
	m.spec.wanted = NULL;
	g_assert_true(host_settings_apply(&settings, &m.spec, NULL));
	g_assert_null(settings);
	close_machine(&m);
}

static void switches_the_boost_of_other_makers(void)
{
	struct machine m;

	open_machine(&m, "turbo=off");
	g_autofree char *no_turbo = g_build_filename(m.sysfs, NO_TURBO, NULL);
	g_assert_cmpint(g_unlink(no_turbo), ==, 0);
	put(&m, BOOST, "1\n");
	struct host_settings *settings = apply(&m);
	assert_setting(&m, BOOST, "0");
	restore(settings);
	assert_setting(&m, BOOST, "1");
	close_machine(&m);
}

static void puts_back_what_a_killed_process_left(void)
{
	struct machine m;
	int status;

	open_machine(&m, "governor=performance");
	pid_t child = fork();
	if (child == 0) {
		apply(&m);
		kill(getpid(), SIGKILL);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	assert_setting(&m, POLICY_0, "performance");

	g_autofree char *told = recover(&m);
	g_autofree char *expected =
		g_strdup_printf("%s/" POLICY_1 ": schedutil\n%s/" POLICY_0 ": powersave", m.sysfs, m.sysfs);
	g_assert_cmpstr(told, ==, expected);
	assert_setting(&m, POLICY_0, "powersave");
	assert_setting(&m, POLICY_1, "schedutil");
	g_assert_false(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	g_autofree char *again = recover(&m);
	g_assert_cmpstr(again, ==, "");
	close_machine(&m);
}

static void a_live_process_keeps_its_settings(void)
{
	struct machine m;
	g_autoptr(GError) error = NULL;
	struct host_settings *second;

	open_machine(&m, "governor=performance");
	struct host_settings *settings = apply(&m);
	g_autofree char *told = recover(&m);
	g_assert_cmpstr(told, ==, "");
	assert_setting(&m, POLICY_0, "performance");
	g_assert_false(host_settings_apply(&second, &m.spec, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_FAILED);
	restore(settings);
	assert_setting(&m, POLICY_0, "powersave");
	close_machine(&m);
}

/* From within a signal; the journal is for the next one to remove. */
static void puts_back_at_once(void)
{
	struct machine m;
	int status;

	open_machine(&m, "governor=performance,turbo=off");
	pid_t child = fork();
	if (child == 0) {
		apply(&m);
		signals_end_us(host_settings_put_back_at_once);
		raise(SIGINT);
		_exit(7);
	}
	g_assert_cmpint(waitpid(child, &status, 0), ==, child);
	g_assert_true(WIFEXITED(status));
	g_assert_cmpint(WEXITSTATUS(status), ==, 1);
	assert_setting(&m, POLICY_0, "powersave");
	assert_setting(&m, POLICY_1, "schedutil");
	assert_setting(&m, NO_TURBO, "0");
	g_assert_true(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	g_autofree char *told = recover(&m);
	g_assert_cmpstr(told, ==, "");
	g_assert_false(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	/* Behind the end there is nothing to put back. */
	restore(apply(&m));
	put(&m, NO_TURBO, "1\n");
	host_settings_put_back_at_once();
	assert_setting(&m, NO_TURBO, "1");
	close_machine(&m);
}

/* The journal of a process that was killed is not overwritten by the next one's: the oldest values count. */
static void applies_over_a_journal_that_was_left(void)
{
	struct machine m;

	open_machine(&m, "governor=performance");
	pid_t child = fork();
	if (child == 0) {
		apply(&m);
		_exit(0);
	}
	g_assert_cmpint(waitpid(child, NULL, 0), ==, child);
	assert_setting(&m, POLICY_1, "performance");
	struct host_settings *settings = apply(&m);
	assert_setting(&m, POLICY_1, "performance");
	restore(settings);
	assert_setting(&m, POLICY_0, "powersave");
	assert_setting(&m, POLICY_1, "schedutil");
	close_machine(&m);
}

static void put_journal(const struct machine *m, const char *boot, const char *path, const char *value)
{
	g_autofree char *text = g_strdup_printf(
		"{\"boot\":\"%s\",\"settings\":[{\"path\":\"%s\",\"value\":\"%s\"}]}", boot, path, value);

	g_assert_true(fsx_make_folder(m->cache, NULL));
	g_assert_true(g_file_set_contents(m->journal, text, -1, NULL));
}

static char *this_boot(void)
{
	char *text = NULL;

	g_assert_true(g_file_get_contents("/proc/sys/kernel/random/boot_id", &text, NULL, NULL));
	return g_strchomp(text);
}

static void drops_the_journal_of_an_earlier_start_of_the_machine(void)
{
	struct machine m;

	open_machine(&m, NULL);
	g_autofree char *path = g_build_filename(m.sysfs, POLICY_0, NULL);
	put_journal(&m, "6b1f0a4e-0000-4000-8000-000000000000", path, "userspace");
	g_autofree char *told = recover(&m);
	g_assert_cmpstr(told, ==, "");
	assert_setting(&m, POLICY_0, "powersave");
	g_assert_false(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	close_machine(&m);
}

/* A folder in a setting's place cannot be written, not even by root. */
static void says_what_to_write_where_it_cannot_put_back(void)
{
	struct machine m;
	g_autoptr(GPtrArray) told = NULL;
	g_autoptr(GError) error = NULL;

	open_machine(&m, NULL);
	g_autofree char *boot = this_boot();
	g_autofree char *path = g_build_filename(m.sysfs, CPU "cpufreq/policy7/scaling_governor", NULL);
	g_assert_true(fsx_make_folder(path, NULL));
	put_journal(&m, boot, path, "powersave");
	g_assert_false(host_settings_recover(&told, &m.spec, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_FAILED);
	g_autofree char *words = g_strdup_printf("write \"powersave\" to %s", path);
	g_assert_nonnull(strstr(error->message, words));
	g_assert_true(g_file_test(m.journal, G_FILE_TEST_EXISTS));

	/* Applying must not lose what is still to do. */
	struct host_settings *settings;
	m.spec.wanted = "turbo=off";
	g_assert_false(host_settings_apply(&settings, &m.spec, NULL));
	g_assert_true(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	assert_setting(&m, NO_TURBO, "0");

	/* The user writes it: all is well again. */
	g_assert_cmpint(g_rmdir(path), ==, 0);
	put(&m, CPU "cpufreq/policy7/scaling_governor", "powersave\n");
	g_autofree char *nothing = recover(&m);
	g_assert_cmpstr(nothing, ==, "");
	g_assert_false(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	close_machine(&m);
}

static void a_journal_cannot_make_it_write_elsewhere(void)
{
	static const char *const names[] = {"etc/passwd", CPU "cpufreq/../../../../etc/scaling_governor",
		CPU "cpufreq/policy0/scaling_max_freq"};
	struct machine m;

	open_machine(&m, NULL);
	g_autofree char *boot = this_boot();
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *path = g_build_filename(m.sysfs, names[i], NULL);
		g_autoptr(GPtrArray) told = NULL;
		g_autoptr(GError) error = NULL;
		put(&m, names[i], "old\n");
		put_journal(&m, boot, path, "new");
		g_assert_false(host_settings_recover(&told, &m.spec, &error));
		g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
		assert_setting(&m, names[i], "old");
	}
	close_machine(&m);
}

/* A file that takes what is written and says something else: 0 stands for the 50 microseconds that are usual.
 */
#define TAKES_AND_FORGETS "/proc/self/timerslack_ns"

/* What was changed before the one that fails is put back. */
static void changes_all_or_nothing(void)
{
	struct machine m;
	g_autoptr(GError) error = NULL;
	struct host_settings *settings;

	if (access(TAKES_AND_FORGETS, W_OK) != 0) {
		g_test_skip("this kernel has no " TAKES_AND_FORGETS);
		return;
	}
	open_machine(&m, "governor=performance,turbo=off");
	g_autofree char *no_turbo = g_build_filename(m.sysfs, NO_TURBO, NULL);
	g_autofree char *boost = g_build_filename(m.sysfs, BOOST, NULL);
	g_assert_cmpint(g_unlink(no_turbo), ==, 0);
	g_assert_cmpint(symlink(TAKES_AND_FORGETS, boost), ==, 0);
	g_assert_true(host_settings_check(&m.spec, NULL));
	g_assert_false(host_settings_apply(&settings, &m.spec, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_FAILED);
	g_assert_nonnull(strstr(error->message, "\"0\" was written, but it still says \"50000\""));
	g_assert_null(settings);
	assert_setting(&m, POLICY_0, "powersave");
	assert_setting(&m, POLICY_1, "schedutil");
	g_assert_false(g_file_test(m.journal, G_FILE_TEST_EXISTS));
	close_machine(&m);
}

static void refuses_what_it_does_not_understand(void)
{
	static const struct {
		const char *wanted, *words;
	} cases[] = {
		{"gouvernor=performance", "did you mean \"governor\"?"},
		{"governor", "governor=performance"},
		{"governor=", "governor=performance"},
		{"turbo=maybe", "turbo=on or turbo=off"},
		{"", "say what"},
		{"turbo=off,", "unknown setting \"\""},
	};
	struct machine m;

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		open_machine(&m, cases[i].wanted);
		assert_refused(&m, DIAG_USAGE, cases[i].words);
		close_machine(&m);
	}
}

static void names_what_the_machine_does_not_have(void)
{
	struct machine m;

	open_machine(&m, "governor=performance");
	put(&m, CPU "cpufreq/policy0/scaling_available_governors", "schedutil powersave \n");
	assert_refused(&m, DIAG_LACKS, "no governor \"performance\"");
	assert_refused(&m, DIAG_LACKS, "has: schedutil powersave");
	close_machine(&m);

	open_machine(&m, "turbo=off");
	g_autofree char *no_turbo = g_build_filename(m.sysfs, NO_TURBO, NULL);
	g_assert_cmpint(g_unlink(no_turbo), ==, 0);
	assert_refused(&m, DIAG_LACKS, no_turbo);
	assert_refused(&m, DIAG_LACKS, BOOST);
	close_machine(&m);

	open_machine(&m, "governor=performance");
	m.spec.sysfs = m.folder;
	assert_refused(&m, DIAG_LACKS, "policy*/scaling_governor");
	close_machine(&m);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/host_settings/changes_what_is_asked_and_puts_it_back",
		changes_what_is_asked_and_puts_it_back);
	g_test_add_func(
		"/host_settings/leaves_alone_what_is_not_asked_for", leaves_alone_what_is_not_asked_for);
	g_test_add_func(
		"/host_settings/switches_the_boost_of_other_makers", switches_the_boost_of_other_makers);
	g_test_add_func("/host_settings/puts_back_at_once", puts_back_at_once);
	g_test_add_func(
		"/host_settings/puts_back_what_a_killed_process_left", puts_back_what_a_killed_process_left);
	g_test_add_func(
		"/host_settings/a_live_process_keeps_its_settings", a_live_process_keeps_its_settings);
	g_test_add_func(
		"/host_settings/applies_over_a_journal_that_was_left", applies_over_a_journal_that_was_left);
	g_test_add_func("/host_settings/drops_the_journal_of_an_earlier_start_of_the_machine",
		drops_the_journal_of_an_earlier_start_of_the_machine);
	g_test_add_func("/host_settings/says_what_to_write_where_it_cannot_put_back",
		says_what_to_write_where_it_cannot_put_back);
	g_test_add_func("/host_settings/a_journal_cannot_make_it_write_elsewhere",
		a_journal_cannot_make_it_write_elsewhere);
	g_test_add_func("/host_settings/changes_all_or_nothing", changes_all_or_nothing);
	g_test_add_func(
		"/host_settings/refuses_what_it_does_not_understand", refuses_what_it_does_not_understand);
	g_test_add_func(
		"/host_settings/names_what_the_machine_does_not_have", names_what_the_machine_does_not_have);
	return g_test_run();
}
