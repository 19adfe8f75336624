#include "diag.h"
#include "plan.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>

/* Agents of this test's own: the plan must not depend on the machine that plans. */
static char *refuses_all_but_x86(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	return strcmp(target->arch, "x86_64") == 0
		       ? NULL
		       : g_strdup_printf("runs x86_64 only, not %s", target->arch);
}

static char *refuses_nothing(const struct agent *agent, const struct agent_target *target)
{
	(void)agent;
	(void)target;
	return NULL;
}

static const struct agent_kind native_kind = {
	.name = "native", .modes = 1u << AGENT_TIME, .refuses = refuses_all_but_x86};
static const struct agent_kind emulator_kind = {
	.name = "emulator", .modes = 1u << AGENT_TIME | 1u << AGENT_COUNT, .refuses = refuses_nothing};
static const struct agent native = {.name = "native", .kind = &native_kind, .pin = -1};
static const struct agent emulator = {.name = "emulator", .kind = &emulator_kind, .pin = -1};

struct planned {
	struct catalog *catalog;
	struct matrix *matrix;
	struct plan *plan;
};

static void open_matrix(struct planned *it, const char *data, const char *text)
{
	GError *error = NULL;
	g_autofree char *folder = g_dir_make_tmp("plan-XXXXXX", &error);
	g_assert_no_error(error);
	g_autofree char *file = g_build_filename(folder, "it.json", NULL);
	g_file_set_contents(file, text, -1, &error);
	g_assert_no_error(error);
	catalog_load(&it->catalog, data, NULL, &error);
	g_assert_no_error(error);
	matrix_load(&it->matrix, file, it->catalog, &error);
	g_assert_no_error(error);
	g_remove(file);
	g_rmdir(folder);
	g_ptr_array_set_size(it->matrix->agents, 0);
	g_ptr_array_add(it->matrix->agents, (gpointer)&native);
	g_ptr_array_add(it->matrix->agents, (gpointer)&emulator);
	it->plan = NULL;
}

static void make_plan(struct planned *it, const char *data, const char *text)
{
	GError *error = NULL;
	open_matrix(it, data, text);
	plan_make(&it->plan, it->matrix, &error);
	g_assert_no_error(error);
}

static void close_plan(struct planned *it)
{
	plan_free(it->plan);
	matrix_free(it->matrix);
	catalog_free(it->catalog);
}

/* The toolchain's builds are these configurations, each once, and no others. */
static void check_configs(const struct plan *plan, const char *toolchain, const char *const *expected)
{
	guint planned = 0;
	for (guint i = 0; i < plan->builds->len; i++) {
		const struct planned_build *build = plan->builds->pdata[i];
		planned += strcmp(build->toolchain->name, toolchain) == 0;
	}
	g_assert_cmpuint(planned, ==, g_strv_length((char **)expected));
	for (; *expected; expected++) {
		guint found = 0;
		for (guint i = 0; i < plan->builds->len; i++) {
			const struct planned_build *build = plan->builds->pdata[i];
			found += strcmp(build->toolchain->name, toolchain) == 0 &&
				 strcmp(build->config, *expected) == 0;
		}
		g_test_message("%s %s", toolchain, *expected);
		g_assert_cmpuint(found, ==, 1);
	}
}

static guint exclusions_of(const struct plan *plan, const char *what_begins)
{
	guint count = 0;
	for (guint i = 0; i < plan->exclusions->len; i++) {
		const struct exclusion *exclusion = plan->exclusions->pdata[i];
		count += g_str_has_prefix(exclusion->what, what_begins);
	}
	return count;
}

static const char *reason_of(const struct plan *plan, const char *what)
{
	const char *reason = NULL;
	for (guint i = 0; i < plan->exclusions->len; i++) {
		const struct exclusion *exclusion = plan->exclusions->pdata[i];
		if (strcmp(exclusion->what, what) != 0)
			continue;
		g_assert_null(reason); /* each once */
		reason = exclusion->reason;
	}
	return reason;
}

#define BUNDLED BM_BINARY "/share/benchmatrix"
#define TOY	BM_SOURCE "/tests/fixtures/catalog_data"

static const char five_wolfssl_flags[] = "{\"library\": \"wolfssl\", \"versions\": [\"5.5.4\"], "
					 "\"toolchains\": [\"x86_64-gcc\", \"aarch64-gcc\", \"armhf-gcc\"],"
					 " \"flags\": {\"all\": [\"fastmath\", \"fasthugemath\", \"sp\", "
					 "\"armasm\", \"TFM_NO_ASM\"]}, \"agents\": [\"qemu-user\"]}";

static const char *const ten[] = {"default", "sp", "fastmath", "fastmath+sp", "fastmath+TFM_NO_ASM",
	"fastmath+sp+TFM_NO_ASM", "fasthugemath+fastmath", "fasthugemath+fastmath+sp",
	"fasthugemath+fastmath+TFM_NO_ASM", "fasthugemath+fastmath+sp+TFM_NO_ASM", NULL};
static const char *const twenty[] = {"default", "sp", "fastmath", "fastmath+sp", "fastmath+TFM_NO_ASM",
	"fastmath+sp+TFM_NO_ASM", "fasthugemath+fastmath", "fasthugemath+fastmath+sp",
	"fasthugemath+fastmath+TFM_NO_ASM", "fasthugemath+fastmath+sp+TFM_NO_ASM", "armasm", "armasm+sp",
	"armasm+fastmath", "armasm+fastmath+sp", "armasm+fastmath+TFM_NO_ASM",
	"armasm+fastmath+sp+TFM_NO_ASM", "armasm+fasthugemath+fastmath", "armasm+fasthugemath+fastmath+sp",
	"armasm+fasthugemath+fastmath+TFM_NO_ASM", "armasm+fasthugemath+fastmath+sp+TFM_NO_ASM", NULL};

static void plans_every_valid_set_of_wolfssl(void)
{
	struct planned it;
	make_plan(&it, BUNDLED, five_wolfssl_flags);
	check_configs(it.plan, "x86_64-gcc", ten);
	check_configs(it.plan, "aarch64-gcc", twenty);
	check_configs(it.plan, "armhf-gcc", twenty);
	close_plan(&it);
}

static void plans_no_build_that_no_agent_runs(void)
{
	static const char *const none[] = {NULL};
	struct planned it;
	GError *error = NULL;
	open_matrix(&it, BUNDLED, five_wolfssl_flags);
	g_ptr_array_set_size(it.matrix->agents, 1); /* the native one */
	plan_make(&it.plan, it.matrix, &error);
	g_assert_no_error(error);
	check_configs(it.plan, "x86_64-gcc", ten);
	check_configs(it.plan, "aarch64-gcc", none);
	check_configs(it.plan, "armhf-gcc", none);
	g_assert_cmpstr(
		reason_of(it.plan, "aarch64-gcc on native"), ==, "native: runs x86_64 only, not aarch64");
	close_plan(&it);
}

static void gives_each_set_left_out_its_reason(void)
{
	static const char *const reasons[][2] = {
		{"{fasthugemath}", "fasthugemath implies fastmath: the same as fasthugemath+fastmath"},
		{"{fasthugemath+sp}", "fasthugemath implies fastmath: the same as fasthugemath+fastmath+sp"},
		{"{fasthugemath+TFM_NO_ASM}",
			"fasthugemath implies fastmath: the same as fasthugemath+fastmath+TFM_NO_ASM"},
		{"{fasthugemath+sp+TFM_NO_ASM}",
			"fasthugemath implies fastmath: the same as fasthugemath+fastmath+sp+TFM_NO_ASM"},
		{"{TFM_NO_ASM}", "TFM_NO_ASM needs fastmath"},
		{"{sp+TFM_NO_ASM}", "TFM_NO_ASM needs fastmath"},
	};
	struct planned it;
	make_plan(&it, BUNDLED, five_wolfssl_flags);
	g_assert_cmpuint(exclusions_of(it.plan, "x86_64-gcc wolfssl-5.5.4 {"), ==, 22);
	g_assert_cmpuint(exclusions_of(it.plan, "x86_64-gcc wolfssl-5.5.4 {armasm"), ==, 16);
	g_assert_cmpuint(exclusions_of(it.plan, "aarch64-gcc wolfssl-5.5.4 {"), ==, 12);
	g_assert_cmpuint(exclusions_of(it.plan, "armhf-gcc wolfssl-5.5.4 {"), ==, 12);
	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++) {
		g_autofree char *x86 = g_strconcat("x86_64-gcc wolfssl-5.5.4 ", reasons[i][0], NULL);
		g_autofree char *arm = g_strconcat("aarch64-gcc wolfssl-5.5.4 ", reasons[i][0], NULL);
		g_assert_cmpstr(reason_of(it.plan, x86), ==, reasons[i][1]);
		g_assert_cmpstr(reason_of(it.plan, arm), ==, reasons[i][1]);
	}
	g_assert_cmpstr(reason_of(it.plan, "x86_64-gcc wolfssl-5.5.4 {armasm+sp}"), ==,
		"flag armasm: aarch64, arm only, not x86_64");
	g_assert_cmpstr(reason_of(it.plan, "aarch64-gcc wolfssl-5.5.4 {armasm+fasthugemath}"), ==,
		"fasthugemath implies fastmath: the same as armasm+fasthugemath+fastmath");
	close_plan(&it);
}

static void makes_a_cell_of_each_mode_of_each_agent_that_fits(void)
{
	struct planned it;
	make_plan(&it, BUNDLED, five_wolfssl_flags);
	/* x86_64: 10 builds, timed natively, timed and counted in the emulator; aarch64 and arm: 20 each,
	 * emulator only. */
	g_assert_cmpuint(it.plan->cells->len, ==, 10 * 3 + 20 * 2 + 20 * 2);
	const struct planned_cell *first = it.plan->cells->pdata[0], *third = it.plan->cells->pdata[2];
	g_assert_cmpstr(first->name, ==, "x86_64-gcc wolfssl-5.5.4 default crypto library on native time");
	g_assert_cmpstr(third->name, ==, "x86_64-gcc wolfssl-5.5.4 default crypto library on emulator count");
	g_assert_true(third->build == it.plan->builds->pdata[0]);
	g_assert_true(third->agent == &emulator);
	g_assert_cmpint(third->mode, ==, AGENT_COUNT);
	close_plan(&it);
}

static void tells_once_which_agent_does_not_fit_a_toolchain(void)
{
	struct planned it;
	make_plan(&it, BUNDLED, five_wolfssl_flags);
	g_assert_cmpstr(
		reason_of(it.plan, "aarch64-gcc on native"), ==, "native: runs x86_64 only, not aarch64");
	g_assert_cmpuint(exclusions_of(it.plan, "x86_64-gcc on "), ==, 0);
	g_assert_cmpstr(reason_of(it.plan, "armhf-gcc on native"), ==, "native: runs x86_64 only, not arm");
	g_assert_cmpuint(it.plan->exclusions->len, ==, 22 + 12 + 12 + 2);
	close_plan(&it);
}

static void combines_only_the_flags_that_are_named(void)
{
	/* turbo implies base, which is not named: with turbo alone its closure stands in for it. */
	static const char *const four[] = {"default", "base+turbo", "narrow", "base+narrow+turbo", NULL};
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"plain\"], \"agents\": "
		"[\"qemu-user\"],"
		" \"flags\": {\"all\": [\"narrow\", \"turbo\"]}}");
	check_configs(it.plan, "plain", four);
	g_assert_cmpuint(it.plan->exclusions->len, ==, 0);
	close_plan(&it);
}

static void closes_named_sets_and_plans_each_once(void)
{
	static const char *const three[] = {"default", "base+turbo", "base+super+turbo", NULL};
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"plain\"], \"agents\": "
		"[\"qemu-user\"],"
		" \"flags\": [[], [\"turbo\"], [\"base\", \"turbo\"], [\"super\"], [\"wide\"], [\"vec\", "
		"\"turbo\"]]}");
	check_configs(it.plan, "plain", three);
	g_assert_cmpuint(it.plan->exclusions->len, ==, 2);
	g_assert_cmpstr(reason_of(it.plan, "plain toy-1.2 {wide}"), ==, "wide needs base");
	g_assert_cmpstr(reason_of(it.plan, "plain toy-1.2 {base+turbo+vec}"), ==,
		"flag vec: aarch64 only, not x86_64");
	close_plan(&it);
}

static void plans_flags_that_the_matrix_adds(void)
{
	static const char *const two[] = {"default", "aligned+base", NULL};
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"plain\"], \"agents\": "
		"[\"qemu-user\"],"
		" \"flags\": {\"all\": [\"aligned\"]}, \"extra_flags\": [{\"name\": \"aligned\", "
		"\"summary\": \"own\","
		" \"cflags\": [\"-DALIGNED\"], \"implies\": [\"base\"]}]}");
	check_configs(it.plan, "plain", two);
	const struct planned_build *second = it.plan->builds->pdata[1];
	g_assert_cmpstr(((const struct flag *)second->flags->pdata[1])->cflags[0], ==, "-DALIGNED");
	close_plan(&it);
}

static void plans_the_product_of_all_axes(void)
{
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"toolchains\": [\"plain\", \"armed\"], \"agents\": [\"qemu-user\"],"
		" \"profiles\": [\"small\", \"full\"], \"optimisations\": [\"-O2\", \"-Os\"], \"flags\": "
		"[[], [\"late\"]]}");
	/* 2 versions x 2 toolchains x {default} + 1 version (late came with 2.0) x 2 x {late}, all x 2
	 * profiles x 2 levels. */
	g_assert_cmpuint(it.plan->builds->len, ==, 4 * 4 + 2 * 4);
	g_assert_cmpstr(
		reason_of(it.plan, "armed toy-1.2 {late}"), ==, "flag late: versions >=2.0 only, not 1.2");
	const struct planned_build *last = it.plan->builds->pdata[23];
	g_assert_cmpstr(last->name, ==, "armed toy-2.0+p1 late full -Os");
	g_assert_cmpuint(last->flags->len, ==, 1);
	close_plan(&it);
}

static void plans_what_comes_built_as_it_is(void)
{
	static const char *const one[] = {"default", NULL};
	static const char *const none[] = {NULL};
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [{\"name\": \"1.2-debian\", \"debian_binary\": "
		"{\"package\": "
		"\"toy-dev\", \"suite\": \"stable\"}}], \"toolchains\": [\"plain\", \"armed\"], \"agents\": "
		"[\"qemu-user\"], \"optimisations\": [\"library\", \"-O2\"], \"flags\": [[], [\"base\"]]}");
	check_configs(it.plan, "armed", one);
	check_configs(it.plan, "plain", none);
	const struct planned_build *build = it.plan->builds->pdata[0];
	g_assert_cmpstr(build->optimisation, ==, "library");
	g_assert_cmpstr(reason_of(it.plan, "plain toy-1.2-debian"), ==,
		"version 1.2-debian is built by Debian, and toolchain plain names none of its architectures "
		"(debian_arch)");
	g_assert_cmpstr(reason_of(it.plan, "armed toy-1.2-debian {default} -O2"), ==,
		"version 1.2-debian comes built: its optimisation is \"library\" alone");
	g_assert_cmpstr(reason_of(it.plan, "armed toy-1.2-debian {base} library"), ==,
		"version 1.2-debian comes built: it has no flags");
	close_plan(&it);
}

static void plans_what_is_built_from_defines(void)
{
	static const char *const three[] = {"default", "base", "base+wide", NULL};
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [{\"name\": \"1.2-settings\", \"settings\": true, "
		"\"debian\": {\"package\": \"toy\", \"suite\": \"stable\"}}], \"toolchains\": [\"plain\"], "
		"\"profiles\": [\"small\", \"full\"], \"agents\": [\"qemu-user\"], "
		"\"flags\": [[], [\"base\"], [\"base\", \"wide\"], [\"turbo\"]]}");
	check_configs(it.plan, "plain", three);
	g_assert_cmpstr(reason_of(it.plan, "plain toy-1.2-settings {base+turbo}"), ==,
		"flag turbo: version 1.2-settings is built from defines, and it gives none");
	g_assert_cmpstr(reason_of(it.plan, "plain toy-1.2-settings full"), ==,
		"profile full: version 1.2-settings is built from defines, and it gives none");
	close_plan(&it);
}

static void plans_code_made_at_the_link_where_the_toolchain_can(void)
{
	static const char *const one[] = {"default", NULL};
	static const char *const none[] = {NULL};
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"plain\", \"armed\"], "
		"\"agents\": [\"qemu-user\"], \"optimisations\": [\"-O2 -flto\"]}");
	check_configs(it.plan, "armed", one);
	check_configs(it.plan, "plain", none);
	g_assert_cmpstr(((const struct planned_build *)it.plan->builds->pdata[0])->name, ==,
		"armed toy-1.2 default small -O2 -flto");
	g_assert_cmpstr(reason_of(it.plan, "plain toy-1.2 -O2 -flto"), ==,
		"optimisation -O2 -flto: toolchain plain does not say that it links such objects (lto)");
	close_plan(&it);
}

static void plans_the_architectures_that_the_recipe_lists(void)
{
	static const char *const one[] = {"default", NULL};
	static const char *const none[] = {NULL};
	GError *error = NULL;
	struct planned it;
	open_matrix(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"plain\", \"armed\"], "
		"\"agents\": [\"qemu-user\"]}");
	struct recipe_on *on = g_new0(struct recipe_on, 1);
	on->arch = "aarch64";
	g_ptr_array_add(it.matrix->library->recipe_on, on);
	plan_make(&it.plan, it.matrix, &error);
	g_assert_no_error(error);
	check_configs(it.plan, "armed", one);
	check_configs(it.plan, "plain", none);
	g_assert_cmpstr(
		reason_of(it.plan, "plain toy-1.2"), ==, "recipe autotools: its \"on\" does not list x86_64");
	close_plan(&it);
}

static void keeps_flags_in_the_order_of_the_library(void)
{
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"2.0+p1\"], \"toolchains\": [\"plain\"], \"agents\": "
		"[\"qemu-user\"],"
		" \"flags\": [[\"late\", \"wide\", \"base\"]]}");
	const struct planned_build *build = it.plan->builds->pdata[0];
	static const char *const order[] = {"base", "wide", "late"};
	g_assert_cmpstr(build->config, ==, "base+late+wide");
	g_assert_cmpuint(build->flags->len, ==, 3);
	for (guint i = 0; i < 3; i++)
		g_assert_cmpstr(((const struct flag *)build->flags->pdata[i])->name, ==, order[i]);
	close_plan(&it);
}

static void refuses_a_matrix_of_which_nothing_is_left(void)
{
	struct planned it;
	g_autoptr(GError) error = NULL;
	open_matrix(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"plain\"], \"agents\": "
		"[\"qemu-user\"],"
		" \"flags\": [[\"vec\"]]}");
	g_assert_false(plan_make(&it.plan, it.matrix, &error));
	g_assert_error(error, DIAG_ERROR, DIAG_INPUT);
	g_assert_true(
		g_str_has_suffix(error->message, "/it.json: nothing is left of this matrix: all is excluded, "
						 "first plain toy-1.2 {vec} (flag vec: aarch64 "
						 "only, not x86_64)"));
	close_plan(&it);
}

static void writes_itself_as_json(void)
{
	struct planned it;
	make_plan(&it, TOY,
		"{\"library\": \"toy\", \"versions\": [\"1.2\"], \"toolchains\": [\"armed\"], \"agents\": "
		"[\"qemu-user\"],"
		" \"flags\": [[\"turbo\"], [\"wide\"]]}");
	g_autofree char *text = plan_text(it.plan);
	json_t *read = json_loads(text, 0, NULL);
	json_t *expected = json_pack("{s:s, s:[{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:[s, s]}], s:[{s:s, s:s, "
				     "s:s, s:s}, {s:s, s:s, s:s, s:s}],"
				     " s:[{s:s, s:s}, {s:s, s:s}]}",
		"matrix", "it", "builds", "name", "armed toy-1.2 base+turbo small library", "library", "toy",
		"version", "1.2", "toolchain", "armed", "profile", "small", "optimisation", "library",
		"config", "base+turbo", "flags", "base", "turbo", "cells", "name",
		"armed toy-1.2 base+turbo small library on emulator time", "build",
		"armed toy-1.2 base+turbo small library", "agent", "emulator", "mode", "time", "name",
		"armed toy-1.2 base+turbo small library on emulator count", "build",
		"armed toy-1.2 base+turbo small library", "agent", "emulator", "mode", "count", "exclusions",
		"what", "armed toy-1.2 {wide}", "reason", "wide needs base", "what", "armed on native",
		"reason", "native: runs x86_64 only, not aarch64");
	g_assert_nonnull(expected);
	g_assert_true(json_equal(read, expected));
	json_decref(read);
	json_decref(expected);
	close_plan(&it);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/plan/plans_every_valid_set_of_wolfssl", plans_every_valid_set_of_wolfssl);
	g_test_add_func("/plan/plans_no_build_that_no_agent_runs", plans_no_build_that_no_agent_runs);
	g_test_add_func("/plan/gives_each_set_left_out_its_reason", gives_each_set_left_out_its_reason);
	g_test_add_func("/plan/makes_a_cell_of_each_mode_of_each_agent_that_fits",
		makes_a_cell_of_each_mode_of_each_agent_that_fits);
	g_test_add_func("/plan/tells_once_which_agent_does_not_fit_a_toolchain",
		tells_once_which_agent_does_not_fit_a_toolchain);
	g_test_add_func(
		"/plan/combines_only_the_flags_that_are_named", combines_only_the_flags_that_are_named);
	g_test_add_func("/plan/closes_named_sets_and_plans_each_once", closes_named_sets_and_plans_each_once);
	g_test_add_func("/plan/plans_flags_that_the_matrix_adds", plans_flags_that_the_matrix_adds);
	g_test_add_func("/plan/plans_the_product_of_all_axes", plans_the_product_of_all_axes);
	g_test_add_func(
		"/plan/keeps_flags_in_the_order_of_the_library", keeps_flags_in_the_order_of_the_library);
	g_test_add_func(
		"/plan/refuses_a_matrix_of_which_nothing_is_left", refuses_a_matrix_of_which_nothing_is_left);
	g_test_add_func("/plan/plans_what_comes_built_as_it_is", plans_what_comes_built_as_it_is);
	g_test_add_func("/plan/plans_what_is_built_from_defines", plans_what_is_built_from_defines);
	g_test_add_func("/plan/plans_code_made_at_the_link_where_the_toolchain_can",
		plans_code_made_at_the_link_where_the_toolchain_can);
	g_test_add_func("/plan/plans_the_architectures_that_the_recipe_lists",
		plans_the_architectures_that_the_recipe_lists);
	g_test_add_func("/plan/writes_itself_as_json", writes_itself_as_json);
	return g_test_run();
}
