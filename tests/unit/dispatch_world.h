/* A plan made by hand, run on the fake agent over a builder that builds nothing. For one test program each:
 * it defines the builder. */
#ifndef BM_DISPATCH_WORLD_H
#define BM_DISPATCH_WORLD_H

#include "attempt.h"
#include "dispatch.h"
#include "host_settings.h"
#include "resume.h"
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
	bool stuck;    /* not even then */
	guint idle;    /* 0: not under way */
	bool under_way, cached;
	void (*done)(struct build_result *result, void *user);
	void *user;
};

struct builder {
	GPtrArray *builds; /* struct fake_build */
	int started;
};

static inline void end_build(struct fake_build *it, enum build_state state)
{
	struct build_result *result = g_new0(struct build_result, 1);

	it->under_way = false;
	result->build = it->planned;
	result->state = state;
	result->library_sizes.text = result->program_sizes.text = -1;
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

static inline gboolean build_ends(gpointer user)
{
	struct fake_build *it = user;

	it->idle = 0;
	end_build(it, it->state);
	return G_SOURCE_REMOVE;
}

static inline gboolean build_is_cancelled(gpointer user)
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
		if (it->under_way && it->idle == 0 && !it->stuck)
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
	int done, total;     /* as the last event said */
	char *watched;	     /* file that shows that a script is under way; then the signal comes */
	const char *awaited; /* of its stream: what must have come before; NULL: nothing */
	const char *after;   /* of the events; NULL: nothing */
	int signal;	     /* SIGINT */
	char *uuid;	     /* of the run */
	struct spool *spool;
	bool spool_goes; /* its folder is removed before anything starts */
	const struct host_settings_spec *host;
	bool pairs; /* and how long they may take */
	double pairs_s;
	char *broken_by; /* SQL that another program runs at the first event */
};

static const struct library library = {.name = "wolfssl"};
static const struct version version = {.name = "5.5.4"};
static const struct profile profile = {.name = "crypto"};
static char *all_benchmarks[] = {(char *)"*", NULL};
static int block_sizes[] = {16384, 0};

static inline void open_world(struct world *w)
{
	*w = (struct world){
		.matrix = {.name = (char *)"quick",
			.benchmarks = all_benchmarks,
			.blocks = block_sizes,
			.invocations = 2,
			.budget_ms = 1},
		.toolchain = {.name = "toy", .arch = "toy", .target = {.arch = "toy", .cpu = "one"}},
		.limits = attempt_limits_default,
		.signal = SIGINT,
		.events = g_string_new(NULL),
	};
	fixture_open(&w->store);
	w->builder.builds = g_ptr_array_new();
	w->plan.matrix = &w->matrix;
	w->plan.builds = g_ptr_array_new();
	w->plan.cells = g_ptr_array_new();
	w->plan.exclusions = g_ptr_array_new();
}

static inline void close_world(struct world *w)
{
	for (guint i = 0; i < w->builder.builds->len; i++) {
		struct fake_build *it = w->builder.builds->pdata[i];
		struct planned_build *planned = w->plan.builds->pdata[i];
		g_free(it->program);
		g_free(it);
		g_free(planned->name);
		g_free(planned->config);
		g_ptr_array_unref(planned->flags);
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
	g_ptr_array_unref(w->plan.exclusions);
	g_clear_pointer(&w->cells, g_ptr_array_unref);
	g_string_free(w->events, TRUE);
	g_free(w->watched);
	g_free(w->uuid);
	fixture_close(&w->store);
}

/* A build of this configuration whose program is the script; NULL: it does not compile. */
static inline struct fake_build *add_build(struct world *w, const char *config, const char *script)
{
	struct planned_build *planned = g_new0(struct planned_build, 1);
	struct fake_build *it = g_new0(struct fake_build, 1);

	*planned = (struct planned_build){.name = g_strdup(config),
		.library = &library,
		.version = &version,
		.toolchain = &w->toolchain,
		.profile = &profile,
		.optimisation = "-O2",
		.config = g_strdup(config),
		.flags = g_ptr_array_new()};
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

static inline void add_cell(
	struct world *w, const struct fake_build *build, const struct agent *agent, enum agent_mode mode)
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
static inline struct fake_build *add(
	struct world *w, const char *config, enum agent_mode mode, const char *script)
{
	struct fake_build *build = add_build(w, config, script);

	add_cell(w, build, &agent_fake, mode);
	return build;
}

static inline void break_store(struct world *w)
{
	sqlite3 *other;

	g_assert_cmpint(sqlite3_open(w->store.file, &other), ==, SQLITE_OK);
	g_assert_cmpint(sqlite3_exec(other, w->broken_by, NULL, NULL, NULL), ==, SQLITE_OK);
	sqlite3_close(other);
	w->broken_by = NULL;
}

static inline void on_event(const struct dispatch_event *event, void *user)
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

/* Whether an attempt has come so far. */
static inline bool is_spooled(const struct world *w, const char *text)
{
	g_autoptr(GPtrArray) files = spool_files(w->spool);
	bool found = false;

	for (guint i = 0; !found && i < files->len; i++) {
		g_autofree char *bytes = NULL;
		size_t length;
		found = g_file_get_contents(files->pdata[i], &bytes, &length, NULL) &&
			memmem(bytes, length, text, strlen(text)) != NULL;
	}
	return found;
}

/* The signal comes as soon as the script is under way. */
static inline gboolean interrupt(gpointer user)
{
	struct world *w = user;

	if (!g_file_test(w->watched, G_FILE_TEST_EXISTS) || (w->awaited && !is_spooled(w, w->awaited)) ||
		(w->after && !strstr(w->events->str, w->after)))
		return G_SOURCE_CONTINUE;
	kill(getpid(), w->signal);
	return G_SOURCE_REMOVE;
}

/* A copy of the plan that can be narrowed. */
static inline struct plan copy_of(const struct plan *plan)
{
	struct plan copy = *plan;

	copy.builds = g_ptr_array_copy(plan->builds, NULL, NULL);
	copy.cells = g_ptr_array_copy(plan->cells, NULL, NULL);
	g_ptr_array_set_free_func(copy.builds, NULL);
	g_ptr_array_set_free_func(copy.cells, NULL);
	return copy;
}

static inline bool dispatch(struct world *w, const struct plan *plan, bool fresh, GError **err)
{
	g_autofree char *lock = g_build_filename(w->store.folder, "timing.lock", NULL);
	const char *const locks[] = {lock, NULL};
	const struct dispatch_spec spec = {
		.plan = plan,
		.store = w->store.store,
		.builder = &w->builder,
		.run = w->store.run,
		.spool = w->spool,
		.jobs = 2,
		.fresh = fresh,
		.locks = locks,
		.limits = &w->limits,
		.host = w->host,
		.pairs = w->pairs,
		.pairs_s = w->pairs_s,
		.on_event = on_event,
		.user = w,
	};

	g_string_truncate(w->events, 0);
	w->builder.started = w->done = w->total = 0;
	if (w->watched)
		g_timeout_add(20, interrupt, w);
	g_autofree char *folder = g_strconcat(w->store.file, ".spool", NULL);
	if (w->spool_goes)
		g_assert_true(fsx_remove_tree(folder, NULL));
	bool ok = dispatch_run(&w->result, &spec, err);
	spool_close(g_steal_pointer(&w->spool));
	if (!ok)
		return false;
	g_clear_pointer(&w->cells, g_ptr_array_unref);
	g_assert_true(store_cells(w->store.store, &w->cells, w->store.run, err));
	g_assert_cmpuint(w->cells->len, ==, w->plan.cells->len); /* none is lost */
	if (!w->result.cancelled)
		g_assert_cmpint(w->done, ==, w->total);
	return true;
}

/* A new run. */
static inline bool try_run(struct world *w, bool fresh, GError **err)
{
	g_autofree char *text = plan_text(&w->plan);
	const struct run_row row = {
		.matrix = w->matrix.name, .matrix_text = "{}", .plan_text = text, .program = "0.1.0"};

	g_clear_pointer(&w->uuid, g_free);
	return store_run_begin(w->store.store, &w->store.run, &w->uuid, &row, err) &&
	       spool_open(&w->spool, w->store.file, w->uuid, err) && dispatch(w, &w->plan, fresh, err);
}

/* Goes on with the run that ended last. */
static inline bool try_resume(struct world *w, GError **err)
{
	struct plan rest = copy_of(&w->plan);

	g_clear_pointer(&w->watched, g_free);
	w->awaited = w->after = NULL;
	bool ok = spool_open(&w->spool, w->store.file, w->uuid, err) &&
		  resume_narrow(&rest, w->store.store, w->spool, w->store.run, err) &&
		  dispatch(w, &rest, false, err);
	g_ptr_array_unref(rest.builds);
	g_ptr_array_unref(rest.cells);
	return ok;
}

static inline void run(struct world *w, bool fresh)
{
	GError *error = NULL;

	try_run(w, fresh, &error);
	g_assert_no_error(error);
	g_assert_cmpint(g_main_context_pending(NULL), ==, FALSE);
}

static inline void go_on(struct world *w)
{
	GError *error = NULL;

	try_resume(w, &error);
	g_assert_no_error(error);
	g_assert_cmpint(g_main_context_pending(NULL), ==, FALSE);
}

static inline const struct cell_info *cell(const struct world *w, const char *name)
{
	for (guint i = 0; i < w->cells->len; i++) {
		const struct cell_info *info = w->cells->pdata[i];
		if (strcmp(info->name, name) == 0)
			return info;
	}
	g_assert_not_reached();
}

/* State of the cell and of its last attempt, the reason, and what was told of it meanwhile. */
static inline void check_cell(const struct world *w, const char *name, const char *state,
	const char *attempt_state, const char *reason)
{
	const struct cell_info *info = cell(w, name);
	g_autofree char *told = g_strdup_printf("ran %s: %s", name, state);

	g_assert_cmpstr(info->state, ==, state);
	g_assert_cmpstr(info->attempt_state, ==, attempt_state);
	g_assert_cmpstr(info->reason, ==, reason);
	g_assert_nonnull(strstr(w->events->str, told));
}

static inline GArray *results(const struct world *w, const char *selector_text)
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

#endif
