/* From two selectors to the matrix of a duel, and to the two cells of its plan. */
#include "diag.h"
#include "duel.h"
#include "store_fixture.h"

#include <jansson.h>

#define TOY BM_SOURCE "/tests/fixtures/catalog_data"
#define MATRIX                                                                                               \
	"{\"library\": \"toy\", \"versions\": [%s], \"toolchains\": [\"plain\"], \"profiles\": "             \
	"[\"small\"], "                                                                                      \
	"\"flags\": [[], [\"turbo\"], [\"narrow\"]], \"agents\": [\"local\"], \"benchmarks\": [\"rsa-*\", "  \
	"\"aes-128-cbc *\"],"                                                                                \
	" \"blocks\": [64, 1024], \"budget_ms\": 7}"
#define OWN_GIT "{\"git\": {\"repository\": \"https://example.org/toy.git\", \"ref\": \"master\"}}"

struct world {
	struct fixture store;
	struct catalog *catalog;
	struct duel *duel;
	GError *error;
	int64_t clock;
};

static void open_world(struct world *w)
{
	*w = (struct world){.clock = 1};
	fixture_open(&w->store);
	catalog_load(&w->catalog, TOY, NULL, &w->error);
	g_assert_no_error(w->error);
}

static void close_world(struct world *w)
{
	duel_free(w->duel);
	g_clear_error(&w->error);
	catalog_free(w->catalog);
	fixture_close(&w->store);
}

static void begin(struct world *w, const char *versions, const char *commit)
{
	g_autofree char *text = g_strdup_printf(MATRIX, versions);
	g_autofree char *plan =
		g_strdup_printf("{\"builds\": [{\"version\": \"git:master\", \"commit\": \"%s\"}]}", commit);
	const struct run_row row = {
		.matrix = "mine", .matrix_text = text, .plan_text = plan, .program = "0.1.0"};

	g_assert_true(store_run_begin(w->store.store, &w->store.run, NULL, &row, NULL));
}

/* A build of the toy library with RSA timed once. */
static void put(struct world *w, const char *version, const char *config, const char *revision)
{
	g_autofree char *uuid = g_uuid_string_random(), *stream = rsa_stream(1000);
	struct build_row build = {.labels.v = {[LABEL_LIBRARY] = "toy",
					  [LABEL_VERSION] = version,
					  [LABEL_CONFIG] = config,
					  [LABEL_PROFILE] = "small",
					  [LABEL_OPTIMISATION] = "library",
					  [LABEL_TOOLCHAIN] = "plain"},
		.state = BUILD_OK,
		.key_program = revision,
		.arch = "x86_64",
		.revision = revision,
		.seconds = NAN};
	g_autofree char *name = g_strdup_printf("%s %s %s", version, config, revision);
	int64_t cell = put_cell(&w->store, name, put_build(&w->store, build),
		put_platform(&w->store, "board", ENVIRONMENT_HARDWARE));

	take_in(&w->store, attempt_row(cell, uuid, w->clock++), ENVIRONMENT_HARDWARE, stream);
}

static void prepare(struct world *w, const struct duel_spec *spec)
{
	duel_prepare(&w->duel, w->store.store, w->catalog, spec, &w->error);
}

static void check_refused(struct world *w, const struct duel_spec *spec, const char *words)
{
	prepare(w, spec);
	g_assert_error(w->error, DIAG_ERROR, DIAG_USAGE);
	if (strstr(w->error->message, words) == NULL)
		g_error("\"%s\" does not say \"%s\"", w->error->message, words);
	g_clear_error(&w->error);
}

/* The names of the cells that are left, one a line; and the selectors that tell them apart. */
static char *planned(struct world *w, char **ret_before, char **ret_after)
{
	GString *names = g_string_new(NULL);
	struct matrix *matrix;
	struct plan *plan;

	g_assert_no_error(w->error);
	matrix_load_text(&matrix, DUEL_FILE, w->duel->text, w->catalog, &w->error);
	g_assert_no_error(w->error);
	plan_make(&plan, matrix, &w->error);
	g_assert_no_error(w->error);
	g_assert_true(duel_narrow(plan, w->duel, NULL));
	for (guint i = 0; i < plan->cells->len; i++)
		g_string_append_printf(names, "%s\n", ((struct planned_cell *)plan->cells->pdata[i])->name);
	for (guint i = 0; i < plan->builds->len; i++) {
		const struct planned_build *build = plan->builds->pdata[i];
		if (build->version->origin.commit != NULL)
			g_string_append_printf(
				names, "%s at %s\n", build->version->name, build->version->origin.commit);
	}
	duel_selectors(ret_before, ret_after, matrix);
	plan_free(plan);
	matrix_free(matrix);
	return g_string_free(names, FALSE);
}

static void check_planned(struct world *w, const char *expected, const char *before, const char *after)
{
	g_autofree char *first = NULL, *second = NULL, *names = planned(w, &first, &second);

	g_assert_cmpstr(names, ==, expected);
	g_assert_cmpstr(first, ==, before);
	g_assert_cmpstr(second, ==, after);
}

/* --- tests --- */

static void two_configurations_are_two_cells_of_one_matrix(void)
{
	struct world w;

	open_world(&w);
	begin(&w, "\"1.2\"", "");
	put(&w, "1.2", "default", "1.2-1");
	put(&w, "1.2", "base+turbo", "1.2-1");
	put(&w, "1.2", "narrow", "1.2-1");
	prepare(&w, &(struct duel_spec){.before = "config=default", .after = "flag:turbo=on"});
	check_planned(&w,
		"plain toy-1.2 default small library on local time\nplain toy-1.2 base+turbo small library "
		"on local "
		"time\n",
		"config=default", "config=base+turbo");

	/* What is measured is as BEFORE's matrix has it. Of its benchmarks RSA alone is known to be there. */
	json_t *root = json_loads(w.duel->text, 0, NULL);
	g_assert_cmpint(json_integer_value(json_object_get(root, "budget_ms")), ==, 7);
	g_assert_cmpuint(json_array_size(json_object_get(root, "blocks")), ==, 2);
	g_assert_cmpuint(json_array_size(json_object_get(root, "benchmarks")), ==, 2);
	g_assert_cmpuint(w.duel->rows, ==, 1);
	/* 2 / 2^8 is the first that is at most 0.01. */
	g_assert_cmpint(w.duel->pairs, ==, 8);
	g_assert_cmpint(json_integer_value(json_object_get(root, "invocations")), ==, 8);
	json_decref(root);
	close_world(&w);
}

static void benchmarks_that_were_never_asked_for_may_be(void)
{
	struct world w;

	open_world(&w);
	begin(&w, "\"1.2\"", "");
	put(&w, "1.2", "default", "1.2-1");
	put(&w, "1.2", "narrow", "1.2-1");
	prepare(&w, &(struct duel_spec){.before = "config=default",
			    .after = "config=narrow",
			    .benchmarks = "sha-256 hash,rsa-2048 private,aes-128-cbc encrypt",
			    .pairs = 21});
	g_assert_no_error(w.error);
	/* SHA-256 at two sizes; AES was asked for, and has no figure. */
	g_assert_cmpuint(w.duel->rows, ==, 3);
	g_assert_cmpint(w.duel->pairs, ==, 21);
	close_world(&w);
}

static void two_states_of_a_ref_are_named_before_and_after(void)
{
	struct world w;

	open_world(&w);
	begin(&w, OWN_GIT, "1111111111111111111111111111111111111111");
	put(&w, "git:master", "default", "commit:1111");
	begin(&w, OWN_GIT, "2222222222222222222222222222222222222222");
	put(&w, "git:master", "default", "commit:2222");
	prepare(&w, &(struct duel_spec){.before = "run=latest~1", .after = "run=latest"});
	check_planned(&w,
		"plain toy-before default small library on local time\nplain toy-after default small library "
		"on local "
		"time\n"
		"before at 1111111111111111111111111111111111111111\n"
		"after at 2222222222222222222222222222222222222222\n",
		"version=before", "version=after");
	close_world(&w);
}

static void a_build_against_itself_is_two_cells(void)
{
	struct world w;

	open_world(&w);
	begin(&w, "\"1.2\"", "");
	put(&w, "1.2", "default", "1.2-1");
	prepare(&w, &(struct duel_spec){.before = "config=default", .after = "config=default"});
	check_planned(&w,
		"plain toy-before default small library on local time\nplain toy-after default small library "
		"on local "
		"time\n",
		"version=before", "version=after");
	/* The version's own name was the upstream version that was asked for. */
	json_t *root = json_loads(w.duel->text, 0, NULL);
	json_t *debian = json_object_get(json_array_get(json_object_get(root, "versions"), 0), "debian");
	g_assert_cmpstr(json_string_value(json_object_get(debian, "upstream")), ==, "1.2");
	json_decref(root);
	close_world(&w);
}

static void a_source_without_patches_stays_without(void)
{
	struct world w;

	open_world(&w);
	begin(&w,
		"{\"name\": \"1.3\", \"debian\": {\"package\": \"toy\", \"suite\": \"stable\", \"patches\": "
		"false}}",
		"");
	put(&w, "1.3", "default", "1.3");
	prepare(&w, &(struct duel_spec){.before = "config=default", .after = "config=default"});
	json_t *root = json_loads(w.duel->text, 0, NULL);
	json_t *debian = json_object_get(json_array_get(json_object_get(root, "versions"), 0), "debian");
	g_assert_true(json_is_false(json_object_get(debian, "patches")));
	json_decref(root);
	close_world(&w);
}

static void what_is_ambiguous_lists_the_labels_to_add(void)
{
	struct world w;

	open_world(&w);
	begin(&w, "\"1.2\"", "");
	put(&w, "1.2", "default", "1.2-1");
	put(&w, "1.2", "narrow", "1.2-1");
	check_refused(&w, &(struct duel_spec){.before = "version=1.2", .after = "config=narrow"},
		"BEFORE takes several builds; they differ in config (default, narrow); add a term that picks "
		"one, such as "
		"config=default");
	check_refused(&w, &(struct duel_spec){.before = "config=default", .after = "config=sp"},
		"AFTER takes no result: config=sp holds for none; there is config: default, narrow");
	check_refused(&w,
		&(struct duel_spec){.before = "config=default,run=latest",
			.after = "config=narrow",
			.where = "run=latest"},
		"run stands both in BEFORE and in --where");
	close_world(&w);
}

static void what_cannot_be_timed_is_refused(void)
{
	struct world w;

	open_world(&w);
	begin(&w, "\"1.2\"", "");
	put(&w, "1.2", "default", "1.2-1");
	put(&w, "1.2", "narrow", "1.2-1");
	check_refused(&w,
		&(struct duel_spec){
			.before = "config=default", .after = "config=narrow", .agent = "qemu-user"},
		"--on qemu-user: nothing is timed there");
	check_refused(&w,
		&(struct duel_spec){.before = "config=default", .after = "config=narrow", .agent = "moon"},
		"--on moon: there is no such agent");
	check_refused(&w,
		&(struct duel_spec){
			.before = "config=default", .after = "config=narrow", .benchmarks = "aes-128-cbc *"},
		"no benchmark that both sides have is among aes-128-cbc *");
	close_world(&w);
}

/* Its earlier state is gone. */
static void a_folder_is_no_two_states(void)
{
	struct world w;

	open_world(&w);
	begin(&w, "{\"name\": \"mine\", \"folder\": \"/tmp\"}", "");
	put(&w, "mine", "default", "tree:1");
	begin(&w, "{\"name\": \"mine\", \"folder\": \"/tmp\"}", "");
	put(&w, "mine", "default", "tree:2");
	check_refused(&w, &(struct duel_spec){.before = "run=latest~1", .after = "run=latest"},
		"are states of the folder /tmp at different times");
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/duel/is_two_cells_of_one_matrix", two_configurations_are_two_cells_of_one_matrix);
	g_test_add_func("/duel/takes_benchmarks_that_were_never_asked_for",
		benchmarks_that_were_never_asked_for_may_be);
	g_test_add_func("/duel/names_two_states_of_a_ref", two_states_of_a_ref_are_named_before_and_after);
	g_test_add_func("/duel/takes_a_build_against_itself", a_build_against_itself_is_two_cells);
	g_test_add_func("/duel/keeps_a_source_without_patches", a_source_without_patches_stays_without);
	g_test_add_func("/duel/lists_the_labels_to_add", what_is_ambiguous_lists_the_labels_to_add);
	g_test_add_func("/duel/refuses_what_cannot_be_timed", what_cannot_be_timed_is_refused);
	g_test_add_func("/duel/refuses_two_states_of_a_folder", a_folder_is_no_two_states);
	return g_test_run();
}
