#include "attempt.h"
#include "dispatch.h"
#include "store_fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>

/* --- a builder that builds nothing: its programs are scripts of the fake agent --- */

struct fake_build {
	const struct planned_build *planned;
	enum build_state state;
	char *program; /* NULL: `state` is a failure */
	bool never;    /* it ends only when it is cancelled */
	guint idle;    /* 0: not under way */
	bool under_way, cached;
	void (*done)(struct build_result *result, void *user);
	void *user;
};

struct builder {
	GPtrArray *builds; /* struct fake_build */
	int started;
};

static void end_build(struct fake_build *it, enum build_state state)
{
	struct build_result *result = g_new0(struct build_result, 1);

	it->under_way = false;
	result->build = it->planned;
	result->state = state;
	result->seconds = it->cached ? NAN : 0.5;
	result->program_cached = it->cached;
	result->key_library = g_strdup_printf("11%s", it->planned->config);
	if (state == BUILD_OK) {
		result->program = g_strdup(it->program);
		result->key_program = g_strdup_printf("22%s", it->planned->config);
	} else {
		result->reason =
			g_strdup(state == BUILD_CANCELLED ? "cancelled" : "tfm.c:7: no such register");
	}
	it->done(result, it->user);
}

static gboolean build_ends(gpointer user)
{
	struct fake_build *it = user;

	it->idle = 0;
	end_build(it, it->state);
	return G_SOURCE_REMOVE;
}

static gboolean build_is_cancelled(gpointer user)
{
	struct fake_build *it = user;

	it->idle = 0;
	end_build(it, BUILD_CANCELLED);
	return G_SOURCE_REMOVE;
}

void builder_start(struct builder *builder, const struct planned_build *build,
	void (*done)(struct build_result *result, void *user), void *user)
{
	for (guint i = 0; i < builder->builds->len; i++) {
		struct fake_build *it = builder->builds->pdata[i];
		if (it->planned != build)
			continue;
		it->done = done;
		it->user = user;
		it->under_way = true;
		it->idle = it->never ? 0 : g_idle_add(build_ends, it);
	}
	builder->started++;
}

void builder_cancel(struct builder *builder)
{
	for (guint i = 0; i < builder->builds->len; i++) {
		struct fake_build *it = builder->builds->pdata[i];
		if (it->under_way && it->idle == 0)
			it->idle = g_idle_add(build_is_cancelled, it);
	}
}

void build_result_free(struct build_result *result)
{
	g_free(result->reason);
	g_free(result->program);
	g_free(result->key_library);
	g_free(result->key_program);
	g_free(result);
}

/* --- a plan made by hand, and its run --- */

struct world {
	struct fixture store;
	struct builder builder;
	struct matrix matrix;
	struct plan plan;
	struct toolchain toolchain;
	struct attempt_limits limits;
	struct dispatch_result result;
	GString *events; /* "ran NAME: STATE[ (carried)]\n", "step STATE\n" */
	GPtrArray *cells;
	int done, total; /* as the last event said */
	char *watched;	 /* file that shows that a script is under way; then SIGINT comes */
	char *broken_by; /* SQL that another program runs at the first event */
};

static const struct library library = {.name = "wolfssl"};
static const struct version version = {.name = "5.5.4"};
static const struct profile profile = {.name = "crypto"};
static char *all_benchmarks[] = {(char *)"*", NULL};
static int block_sizes[] = {16384, 0};

static void open_world(struct world *w)
{
	*w = (struct world){
		.matrix = {.benchmarks = all_benchmarks,
			.blocks = block_sizes,
			.invocations = 2,
			.budget_ms = 1},
		.toolchain = {.name = "toy", .arch = "toy", .target = {.arch = "toy", .cpu = "one"}},
		.limits = attempt_limits_default,
		.events = g_string_new(NULL),
	};
	fixture_open(&w->store);
	w->builder.builds = g_ptr_array_new();
	w->plan.matrix = &w->matrix;
	w->plan.builds = g_ptr_array_new();
	w->plan.cells = g_ptr_array_new();
}

static void close_world(struct world *w)
{
	for (guint i = 0; i < w->builder.builds->len; i++) {
		struct fake_build *it = w->builder.builds->pdata[i];
		struct planned_build *planned = w->plan.builds->pdata[i];
		g_free(it->program);
		g_free(it);
		g_free(planned->name);
		g_free(planned->config);
		g_free(planned);
	}
	for (guint i = 0; i < w->plan.cells->len; i++) {
		struct planned_cell *cell = w->plan.cells->pdata[i];
		g_free(cell->name);
		g_free(cell);
	}
	g_ptr_array_unref(w->builder.builds);
	g_ptr_array_unref(w->plan.builds);
	g_ptr_array_unref(w->plan.cells);
	g_clear_pointer(&w->cells, g_ptr_array_unref);
	g_string_free(w->events, TRUE);
	g_free(w->watched);
	fixture_close(&w->store);
}

/* A build of this configuration whose program is the script; NULL: it does not compile. */
static struct fake_build *add_build(struct world *w, const char *config, const char *script)
{
	struct planned_build *planned = g_new0(struct planned_build, 1);
	struct fake_build *it = g_new0(struct fake_build, 1);

	*planned = (struct planned_build){.name = g_strdup(config),
		.library = &library,
		.version = &version,
		.toolchain = &w->toolchain,
		.profile = &profile,
		.optimisation = "-O2",
		.config = g_strdup(config)};
	it->planned = planned;
	it->state = script ? BUILD_OK : BUILD_COMPILE_FAILED;
	if (script) {
		it->program = g_build_filename(w->store.folder, config, NULL);
		g_assert_true(g_file_set_contents(it->program, script, -1, NULL));
	}
	g_ptr_array_add(w->plan.builds, planned);
	g_ptr_array_add(w->builder.builds, it);
	return it;
}

static void add_cell(
	struct world *w, const struct fake_build *build, const struct agent_kind *agent, enum agent_mode mode)
{
	struct planned_cell *cell = g_new0(struct planned_cell, 1);

	*cell = (struct planned_cell){
		.name = g_strdup_printf("%s %s", build->planned->config, agent_mode_names[mode]),
		.build = build->planned,
		.agent = agent,
		.mode = mode,
	};
	g_ptr_array_add(w->plan.cells, cell);
}

/* One build and one cell of it on the fake agent. */
static struct fake_build *add(struct world *w, const char *config, enum agent_mode mode, const char *script)
{
	struct fake_build *build = add_build(w, config, script);

	add_cell(w, build, &agent_fake, mode);
	return build;
}

static void break_store(struct world *w)
{
	sqlite3 *other;

	g_assert_cmpint(sqlite3_open(w->store.file, &other), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(other, w->broken_by, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(other);
	w->broken_by = NULL;
}

static void on_event(const struct dispatch_event *event, void *user)
{
	struct world *w = user;

	w->done = event->done;
	w->total = event->total;
	if (event->what == DISPATCH_STEP)
		g_string_append_printf(w->events, "step %s\n", event->state);
	if (event->what == DISPATCH_RAN)
		g_string_append_printf(w->events, "ran %s: %s%s%s%s\n", event->name, event->state,
			event->cached ? " (carried)" : "", event->reason ? ": " : "",
			event->reason ? event->reason : "");
	if (w->broken_by)
		break_store(w);
}

/* Ctrl-C as soon as the script is under way. */
static gboolean interrupt(gpointer user)
{
	struct world *w = user;

	if (!g_file_test(w->watched, G_FILE_TEST_EXISTS))
		return G_SOURCE_CONTINUE;
	kill(getpid(), SIGINT);
	return G_SOURCE_REMOVE;
}

static bool try_run(struct world *w, bool fresh, GError **err)
{
	struct dispatch_spec spec = {
		.plan = &w->plan,
		.store = w->store.store,
		.builder = &w->builder,
		.run = begin_run(&w->store, NULL),
		.jobs = 2,
		.fresh = fresh,
		.locks = w->store.folder,
		.limits = &w->limits,
		.on_event = on_event,
		.user = w,
	};

	g_string_truncate(w->events, 0);
	w->builder.started = 0;
	if (w->watched)
		g_timeout_add(20, interrupt, w);
	if (!dispatch_run(&w->result, &spec, err))
		return false;
	g_clear_pointer(&w->cells, g_ptr_array_unref);
	g_assert_true(store_cells(w->store.store, &w->cells, w->store.run, err));
	g_assert_cmpuint(w->cells->len, ==, w->plan.cells->len); /* none is lost */
	g_assert_cmpint(w->done, ==, w->total);
	return true;
}

static void run(struct world *w, bool fresh)
{
	GError *error = NULL;

	try_run(w, fresh, &error);
	g_assert_no_error(error);
	g_assert_cmpint(g_main_context_pending(NULL), ==, FALSE);
}

static const struct cell_info *cell(const struct world *w, const char *name)
{
	for (guint i = 0; i < w->cells->len; i++) {
		const struct cell_info *info = w->cells->pdata[i];
		if (strcmp(info->name, name) == 0)
			return info;
	}
	g_assert_not_reached();
}

/* State of the cell and of its last attempt, the reason, and what was told of it meanwhile. */
static void check_cell(const struct world *w, const char *name, const char *state, const char *attempt_state,
	const char *reason)
{
	const struct cell_info *info = cell(w, name);
	g_autofree char *told = g_strdup_printf("ran %s: %s", name, state);

	g_assert_cmpstr(info->state, ==, state);
	g_assert_cmpstr(info->attempt_state, ==, attempt_state);
	g_assert_cmpstr(info->reason, ==, reason);
	g_assert_nonnull(strstr(w->events->str, told));
}

static GArray *results(const struct world *w, const char *selector_text)
{
	GError *error = NULL;
	struct selector *selector;
	GArray *found;

	g_assert_true(selector_parse(&selector, selector_text, &error));
	store_results(w->store.store, &found, selector, &error);
	g_assert_no_error(error);
	selector_free(selector);
	return found;
}

/* --- streams --- */

#define HEADER(mode)                                                                                         \
	"out {\"r\":\"header\",\"wire\":1,\"core\":\"0.1.0\",\"mode\":\"" mode                               \
	"\",\"invocation\":%{--invocation},\"build\":\"%{--build}\",\"library\":\"wolfssl\","                \
	"\"library_version\":\"5.5.4\",\"math\":\"sp_int.c\",\"cpu_features\":[],\"pointer_bits\":64,"       \
	"\"endian\":\"little\",\"clock\":\"CLOCK_MONOTONIC\",\"clock_resolution_ns\":1,"                     \
	"\"counter\":\"none\",\"seed\":\"benchmatrix\"}\n"
#define AES "\"name\":\"aes-128-cbc encrypt\",\"block\":16384"
#define DIGEST                                                                                               \
	"\"digest\":\"5f1d7a84db00d2fce00b31a7fc73224f8a2a0b7cf1e4d1fbd2b1e5f9b2dc5f2b\",\"proof\":"         \
	"\"digest\""
#define START "out {\"r\":\"start\"," AES "}\n"
#define SAMPLES                                                                                              \
	"out {\"r\":\"samples\"," AES ",\"metric\":\"time\",\"iterations\":1,\"values\":[1000,1100,1200]}\n"
#define OK	  "out {\"r\":\"benchmark\"," AES ",\"state\":\"ok\"," DIGEST "}\n"
#define WRONG	  "out {\"r\":\"benchmark\"," AES ",\"state\":\"wrong-answer\",\"reason\":\"bad tag\"}\n"
#define RSA_START "out {\"r\":\"start\",\"name\":\"rsa-2048 private\"}\n"
#define END(n)	  "out {\"r\":\"end\",\"records\":" #n "}\n"
#define COUNT	  "out {\"r\":\"count\",\"region\":1,\"metric\":\"instructions\",\"value\":163840}\n"
#define REGION	  "out {\"r\":\"region\",\"region\":1," AES ",\"iterations\":1,\"ns\":1000}\n"

static const char good[] = HEADER("time") START SAMPLES OK END(4);
static const char good_count[] = HEADER("count") START COUNT REGION OK END(4);

/* --- tests --- */

static void times_every_invocation_and_keeps_the_figures(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	add(&w, "fastmath", AGENT_TIME, good)->cached = true;
	run(&w, false);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	check_cell(&w, "fastmath time", "ok", "ok", NULL);
	g_assert_cmpint(w.result.programs_built, ==, 1);
	g_assert_cmpint(w.result.programs_cached, ==, 1);
	g_assert_cmpint(w.result.measured, ==, 2);
	g_assert_false(w.result.cancelled || w.result.nothing_could_run);

	g_autoptr(GArray) found = results(&w, "config=sp");
	g_assert_cmpuint(found->len, ==, 1);
	g_assert_cmpint(g_array_index(found, struct result, 0).figure.n, ==, 6); /* of both invocations */
	close_world(&w);
}

static void a_crash_names_its_benchmark_and_keeps_the_others(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, HEADER("time") START SAMPLES OK RSA_START "err it burns\nsignal 7\n");
	run(&w, false);
	check_cell(&w, "sp time", "partial", "crashed", "signal 7 (SIGBUS) in rsa-2048 private: it burns");
	g_assert_cmpint(cell(&w, "sp time")->outcomes_ok, ==, 1);
	g_assert_cmpint(cell(&w, "sp time")->outcomes_failed, ==, 1);
	close_world(&w);
}

/* What an earlier invocation said does not explain the end of a later one, and standard error is kept to the
 * byte. */
static void an_invocation_is_explained_by_its_own_words(void)
{
	struct world w;
	struct store_description *description;

	open_world(&w);
	add(&w, "sp", AGENT_TIME,
		HEADER("time") START SAMPLES OK END(
			4) "when --invocation 0\nerr a warning\nwhen --invocation 1\nsignal 11\n");
	run(&w, false);
	check_cell(&w, "sp time", "partial", "crashed", "signal 11 (SIGSEGV)");
	g_assert_true(store_describe(
		w.store.store, &description, STORE_ATTEMPT, cell(&w, "sp time")->attempt, NULL));
	g_assert_cmpstr(description->errors, ==, "a warning\n");
	store_description_free(description);
	close_world(&w);
}

static void a_stream_without_its_end_is_truncated(void)
{
	struct world w;

	open_world(&w);
	add(&w, "cut", AGENT_TIME, HEADER("time") START SAMPLES OK);
	add(&w, "status", AGENT_TIME, HEADER("time") START SAMPLES OK "err no room\nexit 1\n");
	run(&w, false);
	check_cell(&w, "cut time", "partial", "truncated", "invocation 0: no end record");
	check_cell(&w, "status time", "partial", "truncated", "exit status 1: no room");
	close_world(&w);
}

static void a_wrong_answer_is_told_and_has_no_figure(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, HEADER("time") START SAMPLES WRONG END(4));
	run(&w, false);
	check_cell(&w, "sp time", "failed", "ok", NULL);
	g_assert_nonnull(strstr(w.events->str, "failed: aes-128-cbc encrypt 16384: wrong-answer: bad tag\n"));

	g_autoptr(GArray) found = results(&w, "config=sp");
	g_assert_cmpuint(found->len, ==, 0);
	close_world(&w);
}

static void a_hang_ends_at_its_deadline(void)
{
	struct world w;

	open_world(&w);
	w.limits.silence_s[AGENT_TIME] = 2;
	w.limits.timeout_s[AGENT_COUNT] = 2;
	add(&w, "silent", AGENT_TIME, HEADER("time") RSA_START "hang\n");
	add(&w, "slow", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	run(&w, false);
	check_cell(&w, "silent time", "failed", "timeout", "no output for 2 s in rsa-2048 private");
	check_cell(&w, "slow count", "failed", "timeout", "not done after 2 s in rsa-2048 private");
	close_world(&w);
}

static void exact_results_are_carried_until_something_changes(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT, good_count);
	run(&w, false);
	check_cell(&w, "sp count", "ok", "ok", NULL);
	g_assert_false(cell(&w, "sp count")->carried);

	run(&w, false);
	g_assert_cmpstr(w.events->str, ==, "ran sp count: ok (carried)\n");
	g_assert_true(cell(&w, "sp count")->carried);
	g_assert_cmpint(w.result.carried, ==, 1);
	g_assert_cmpint(w.result.measured, ==, 0);

	run(&w, true);
	g_assert_cmpstr(w.events->str, ==, "ran sp count: ok\n");
	g_assert_false(cell(&w, "sp count")->carried);

	w.toolchain.target.cpu = "two";
	run(&w, false);
	g_assert_false(cell(&w, "sp count")->carried);
	close_world(&w);
}

static void a_wrong_answer_is_measured_again(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT, HEADER("count") START WRONG END(3));
	run(&w, false);
	run(&w, false);
	g_assert_false(cell(&w, "sp count")->carried);
	check_cell(&w, "sp count", "failed", "ok", NULL);
	close_world(&w);
}

static void a_count_that_did_not_come_is_no_good_attempt(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT, HEADER("count") START REGION OK END(4));
	run(&w, false);
	check_cell(&w, "sp count", "partial", "truncated", "no count came for aes-128-cbc encrypt 16384");
	run(&w, false);
	g_assert_false(cell(&w, "sp count")->carried);
	close_world(&w);
}

static void what_an_agent_lacks_stops_only_its_own_cells(void)
{
	struct world w;

	open_world(&w);
	w.toolchain.target.emulator = "qemu-nonesuch";
	w.toolchain.target.package = "qemu-user";
	add_cell(&w, add(&w, "sp", AGENT_TIME, good), &agent_qemu_user, AGENT_COUNT);
	add_cell(&w, add_build(&w, "unwanted", good), &agent_qemu_user, AGENT_COUNT);
	run(&w, false);
	check_cell(&w, "sp time", "ok", "ok", NULL);
	g_assert_cmpstr(cell(&w, "sp count")->build_state, ==, "unsupported");
	g_assert_nonnull(strstr(cell(&w, "sp count")->reason, "qemu-user"));
	g_assert_cmpint(w.builder.started, ==, 1); /* nothing is built for no place */
	g_assert_false(w.result.nothing_could_run);
	close_world(&w);
}

static void where_nothing_can_run_it_is_said(void)
{
	struct world w;

	open_world(&w);
	w.toolchain.target.emulator = "qemu-nonesuch";
	add_cell(&w, add_build(&w, "sp", good), &agent_qemu_user, AGENT_COUNT);
	run(&w, false);
	g_assert_true(w.result.nothing_could_run);
	g_assert_cmpint(w.builder.started, ==, 0);
	close_world(&w);
}

static void a_failed_build_stops_only_its_own_cells(void)
{
	struct world w;

	open_world(&w);
	add(&w, "armasm", AGENT_TIME, NULL);
	add(&w, "sp", AGENT_TIME, good);
	run(&w, false);
	g_assert_cmpstr(cell(&w, "armasm time")->build_state, ==, "compile-failed");
	g_assert_cmpstr(cell(&w, "armasm time")->state, ==, "failed");
	g_assert_cmpstr(cell(&w, "armasm time")->reason, ==, "tfm.c:7: no such register");
	check_cell(&w, "sp time", "ok", "ok", NULL);
	close_world(&w);
}

static void a_program_that_cannot_be_started_is_infrastructure(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME, good);
	add(&w, "gone", AGENT_TIME, good);
	child_set_supervisor("/nonexistent/bm-supervise");
	run(&w, false);
	child_set_supervisor(SUPERVISOR);
	check_cell(&w, "sp time", "failed", "infrastructure", cell(&w, "sp time")->reason);
	g_assert_nonnull(strstr(cell(&w, "sp time")->reason, "/nonexistent/bm-play"));
	close_world(&w);
}

/* A count under way, one build under way, one not begun, and a timing cell that waits. */
static void an_interrupt_keeps_what_is_done_and_names_the_rest(void)
{
	struct world w;

	open_world(&w);
	add(&w, "done", AGENT_COUNT, good_count);
	add(&w, "waiting", AGENT_TIME, good);
	const struct fake_build *hanging =
		add(&w, "hanging", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	add(&w, "building", AGENT_TIME, good)->never = true;
	add(&w, "unbegun", AGENT_TIME, good);
	w.watched = g_strconcat(hanging->program, ".turns", NULL);
	run(&w, false);
	g_assert_true(w.result.cancelled);
	check_cell(&w, "done count", "ok", "ok", NULL);
	check_cell(&w, "hanging count", "failed", "cancelled", "cancelled");
	g_assert_cmpint(cell(&w, "hanging count")->outcomes_failed, ==, 0); /* it did not crash */
	check_cell(&w, "waiting time", "failed", "cancelled", "cancelled");
	g_assert_cmpstr(cell(&w, "building time")->build_state, ==, "cancelled");
	g_assert_cmpstr(cell(&w, "unbegun time")->build_state, ==, "cancelled");
	g_assert_cmpstr(cell(&w, "unbegun time")->reason, ==, "cancelled before it began");
	g_assert_cmpint(w.builder.started, ==, 4);
	g_assert_cmpint(w.result.measured, ==, 2);
	close_world(&w);
}

/* The store fails while one program hangs and one build goes on: both are stopped, and the error comes out.
 */
static void an_error_of_the_store_ends_the_run(void)
{
	struct world w;
	g_autoptr(GError) error = NULL;

	open_world(&w);
	add(&w, "hanging", AGENT_COUNT, HEADER("count") RSA_START "hang\n");
	add(&w, "sp", AGENT_COUNT, good_count);
	add(&w, "building", AGENT_TIME, good)->never = true;
	w.broken_by = (char *)"CREATE TRIGGER full BEFORE INSERT ON attempt BEGIN SELECT RAISE(ABORT, 'it is "
			      "full'); END";
	g_assert_false(try_run(&w, false, &error));
	g_assert_nonnull(strstr(error->message, "it is full"));
	close_world(&w);
}

static gboolean let_go(gpointer user)
{
	fsx_unlock(*(int *)user);
	return G_SOURCE_REMOVE;
}

static void timing_waits_for_another_run_and_says_so_once(void)
{
	struct world w;
	int lock;

	open_world(&w);
	g_autofree char *file = g_build_filename(w.store.folder, "timing.lock", NULL);
	g_assert_true(fsx_lock(&lock, file, false, NULL));
	g_timeout_add(2500, let_go, &lock);
	add(&w, "sp", AGENT_TIME, good);
	run(&w, false);
	g_assert_cmpstr(w.events->str, ==, "step waiting for another run's timing to end\nran sp time: ok\n");
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
#define TEST(f) g_test_add_func("/dispatch/" #f, f)
	TEST(times_every_invocation_and_keeps_the_figures);
	TEST(a_crash_names_its_benchmark_and_keeps_the_others);
	TEST(an_invocation_is_explained_by_its_own_words);
	TEST(a_stream_without_its_end_is_truncated);
	TEST(a_wrong_answer_is_told_and_has_no_figure);
	TEST(a_hang_ends_at_its_deadline);
	TEST(exact_results_are_carried_until_something_changes);
	TEST(a_wrong_answer_is_measured_again);
	TEST(a_count_that_did_not_come_is_no_good_attempt);
	TEST(what_an_agent_lacks_stops_only_its_own_cells);
	TEST(where_nothing_can_run_it_is_said);
	TEST(a_failed_build_stops_only_its_own_cells);
	TEST(a_program_that_cannot_be_started_is_infrastructure);
	TEST(an_interrupt_keeps_what_is_done_and_names_the_rest);
	TEST(an_error_of_the_store_ends_the_run);
	TEST(timing_waits_for_another_run_and_says_so_once);
	return g_test_run();
}
