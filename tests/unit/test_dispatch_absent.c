/* A machine that cannot be reached when the run begins. */
#include "agent_common.h"
#include "dispatch_rows.h"

#include "diag.h"

/* --- a machine that is there after so many looks --- */

static int misses, looks;
static const char *refusal; /* what it says when it is there; NULL: welcome */
static const char *memory;

struct look {
	struct agent_process process;
	void (*on_end)(const char *why, void *user);
	void *user;
	guint timer;
};

static bool describe(
	struct agent_place **ret, const struct agent *agent, const struct agent_target *target, GError **err)
{
	if (misses > 0)
		return diag_set(err, DIAG_FAILED, "far: no route to it");
	if (refusal)
		return diag_set(err, DIAG_INPUT, "%s", refusal);
	if (!agent_kind_fake.describe(ret, agent, target, err))
		return false;
	g_free((*ret)->platform);
	(*ret)->platform = g_strdup("far");
	agent_place_add(*ret, "memory", memory);
	return true;
}

static gboolean look_ends(gpointer user)
{
	struct look *look = user;

	looks++;
	misses = MAX(misses - 1, 0);
	look->on_end(misses > 0 ? "far: no route to it" : NULL, look->user);
	g_free(look);
	return G_SOURCE_REMOVE;
}

static gboolean look_is_cancelled(gpointer user)
{
	struct look *look = user;

	look->on_end("far: cancelled", look->user);
	g_free(look);
	return G_SOURCE_REMOVE;
}

static void cancel_look(struct agent_process *process)
{
	struct look *look = (struct look *)process;

	g_source_remove(look->timer);
	g_idle_add(look_is_cancelled, look);
}

static guint look_ms;

static struct agent_process *look(
	const struct agent *agent, void (*on_end)(const char *why, void *user), void *user, GError **err)
{
	struct look *one = g_new0(struct look, 1);
	(void)agent;
	(void)err;

	*one = (struct look){.process = {.cancel = cancel_look}, .on_end = on_end, .user = user};
	one->timer = g_timeout_add(look_ms, look_ends, one);
	return &one->process;
}

static struct agent_kind far_kind;
static struct agent far_agent = {.name = "far", .kind = &far_kind, .pin = -1};

static void away(int times)
{
	far_kind = agent_kind_fake;
	far_kind.elsewhere = true;
	far_kind.describe = describe;
	far_kind.look = look;
	far_agent.deadlines.gone = 0;
	misses = times;
	looks = 0;
	look_ms = 0;
	refusal = memory = NULL;
}

static void add_far(struct world *w, const char *config, const char *script)
{
	add_cell(w, add_build(w, config, script), &far_agent, AGENT_TIME);
}

/* --- what becomes of its cells --- */

static void it_is_looked_for_until_it_is_there_and_the_others_go_on(void)
{
	struct world w;

	away(2);
	open_world(&w);
	add_far(&w, "sp", good);
	add_far(&w, "armasm", NULL);
	add(&w, "near", AGENT_TIME, good);
	run(&w, false);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_cell(&w, "near time", "ok", "ok", NULL);
	g_assert_cmpstr(cell(&w, "armasm time")->build_state, ==, "compile-failed");
	g_assert_cmpint(looks, ==, 2);
	g_assert_cmpint(w.done, ==, w.total);
	check_rows(&w,
		"SELECT c.name, p.name FROM cell AS c LEFT JOIN platform AS p ON p.id = c.platform_id "
		"ORDER BY c.name",
		"armasm time|-\nnear time|fake-toy\nsp time|far\n");
	check_rows(&w, "SELECT DISTINCT platform FROM series_wide ORDER BY platform", "fake-toy\nfar\n");
	g_assert_nonnull(strstr(
		w.events->str, "step far: no route to it; it is looked for again while the others go on\n"));
	g_assert_cmpuint(strstr(w.events->str, "ran near time") - w.events->str, <,
		strstr(w.events->str, "ran sp time") - w.events->str);
	close_world(&w);
}

static void it_is_given_up_and_a_resumed_run_does_its_cells(void)
{
	struct world w;

	away(1000);
	far_agent.deadlines.gone = 2;
	open_world(&w);
	add_far(&w, "sp", good);
	add_far(&w, "table", good);
	add(&w, "near", AGENT_TIME, good);
	run(&w, false);
	check_cell(&w, "sp time", "failed", "infrastructure", "far: no route to it");
	check_cell(&w, "table time", "failed", "infrastructure", "far: no route to it");
	check_cell(&w, "near time", "ok", "ok", NULL);
	g_assert_cmpint(looks, ==, 2); /* 1 s, and 2 s more are too many */
	g_assert_cmpint(w.done, ==, w.total);
	g_assert_false(w.result.nothing_could_run);

	away(0);
	go_on(&w);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_cell(&w, "table time", "ok", "ok", NULL);
	g_assert_cmpint(w.result.measured, ==, 2);
	check_rows(&w,
		"SELECT a.number, a.state, p.name FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id "
		"LEFT JOIN platform AS p ON p.id = c.platform_id WHERE c.name = 'sp time' ORDER BY a.number",
		"1|infrastructure|far\n2|ok|far\n");
	close_world(&w);
}

static void what_it_does_not_run_is_unsupported_when_it_is_there(void)
{
	struct world w;

	away(1);
	refusal = "far: the machine runs vax, not toy";
	open_world(&w);
	add_far(&w, "sp", good);
	run(&w, false);
	g_assert_cmpstr(cell(&w, "sp time")->build_state, ==, "unsupported");
	g_assert_cmpstr(cell(&w, "sp time")->reason, ==, refusal);
	close_world(&w);
}

/* The words are asked for of machines with so much memory. */
static void one_with_little_memory_gets_a_process_for_each_benchmark(void)
{
	static const char *const cases[][2] = {
		{"64 MiB", "1\n"}, {"65 MiB", "0\n"}, {NULL, "0\n"}, {"1 GiB", "0\n"}};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct world w;
		away(0);
		memory = cases[i][0];
		open_world(&w);
		add_far(&w, "sp", good);
		run(&w, false);
		check_rows(&w, "SELECT DISTINCT argv LIKE '%\"--one\"%' FROM process", cases[i][1]);
		close_world(&w);
	}
}

/* Two benchmarks, a process each. */
static void its_processes_are_one_invocation(void)
{
	struct world w;

	away(0);
	memory = "32 MiB";
	open_world(&w);
	w.matrix.invocations = 1;
	add_far(&w, "sp",
		HEADER("time") "turn 1\n" AES_ALL "out {\"r\":\"end\",\"records\":4,\"next\":\"" RSA_NAME
			       "\"}\nturn 2\nwhen --from " RSA_NAME "\n" RSA_ALL END(4));
	run(&w, false);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_rows(&w, OUTCOMES, "aes-128-cbc encrypt|ok|-\n" RSA_NAME "|ok|-\n");
	check_rows(&w, "SELECT invocation, ended FROM process ORDER BY number",
		"0|exit status 0\n0|exit status 0\n");
	close_world(&w);
}

/* The look takes an hour. */
static void an_interrupt_does_not_wait_for_it(void)
{
	struct world w;

	away(1000);
	look_ms = 3600 * 1000;
	open_world(&w);
	add_far(&w, "sp", good);
	const struct fake_build *near = add(&w, "near", AGENT_TIME, good);
	w.watched = g_strconcat(near->program, ".turns", NULL);
	w.after = "ran near time: ok";
	run(&w, false);
	g_assert_true(w.result.cancelled);
	g_assert_cmpstr(cell(&w, "sp time")->state, ==, "pending");
	away(0);
	go_on(&w);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
#define TEST(name) g_test_add_func("/dispatch_absent/" #name, name)
	TEST(it_is_looked_for_until_it_is_there_and_the_others_go_on);
	TEST(it_is_given_up_and_a_resumed_run_does_its_cells);
	TEST(what_it_does_not_run_is_unsupported_when_it_is_there);
	TEST(one_with_little_memory_gets_a_process_for_each_benchmark);
	TEST(its_processes_are_one_invocation);
	TEST(an_interrupt_does_not_wait_for_it);
	return g_test_run();
}
