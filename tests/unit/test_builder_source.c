#include "build_world.h"

#include "fsx.h"

#include <glib/gstdio.h>
#include <string.h>

static void assert_unsupported(struct build_result *result, const char *beginning, const char *end)
{
	g_assert_cmpstr(build_states[result->state].name, ==, "unsupported");
	if (!g_str_has_prefix(result->reason, beginning) || !g_str_has_suffix(result->reason, end))
		g_error("the reason is: %s", result->reason);
	g_assert_null(result->key_library);
	build_result_free(result);
}

static bool has_tools(void)
{
	static const char *const tools[] = {"apt-get", "dpkg-source", "dpkg-scansources"};
	for (size_t i = 0; i < G_N_ELEMENTS(tools); i++) {
		g_autofree char *found = fsx_find_program(tools[i], NULL);
		if (!found) {
			g_autofree char *message = g_strdup_printf("%s is not installed", tools[i]);
			g_test_skip(message);
			return false;
		}
	}
	return true;
}

/* A world whose library comes from a Debian archive in a folder of this machine. */
static struct world *debian_world(void)
{
	struct world *world = world_new();
	g_autofree char *archive = g_build_filename(world->folder, "archive", NULL);
	const char *const argv[] = {
		"sh", BM_SOURCE "/tests/fixtures/build_archive.sh", world->source, archive, NULL};
	int status = -1;
	g_assert_true(g_spawn_sync(NULL, (char **)argv, NULL,
		G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
		NULL, NULL, &status, NULL));
	g_assert_cmpint(status, ==, 0);
	g_autofree char *list = g_build_filename(world->folder, "sources.list", NULL);
	g_autofree char *line = g_strdup_printf(
		"deb [trusted=yes signed-by=/nonexistent/debian-archive-keyring.gpg] file:%s bullseye main\n",
		archive);
	g_assert_true(g_file_set_contents(list, line, -1, NULL));
	world->version = (struct version){
		"1.0", {.kind = ORIGIN_DEBIAN, .package = "tiny", .suite = "bookworm"}, false};
	return world;
}

static void fetches_a_debian_source_package_once(void)
{
	if (!has_tools())
		return;
	struct world *world = debian_world();
	struct build_result *first = world_build(world);
	g_assert_cmpstr(first->reason, ==, NULL);
	g_assert_cmpint(first->state, ==, BUILD_OK);
	g_assert_cmpstr(first->revision, ==, "1.0");
	g_assert_cmpstr(
		world->steps->str, ==, "update list download unpack prepare copy configure make link ");
	build_result_free(first);
	g_string_truncate(world->steps, 0);
	/* From here on the archive is not needed. */
	g_autofree char *archive = g_build_filename(world->folder, "archive", NULL);
	g_assert_true(fsx_remove_tree(archive, NULL));
	world_flag(world, "table", "--enable-table", NULL);
	struct build_result *second = world_build(world);
	g_assert_cmpint(second->state, ==, BUILD_OK);
	g_assert_cmpstr(world->steps->str, ==, "copy configure make link ");
	build_result_free(second);
	world_free(world);
}

/* As an archive is while it takes a new revision in. */
static void takes_the_upstream_tarball_alone(void)
{
	if (!has_tools())
		return;
	struct world *world = debian_world();
	static const char *const gone[] = {"tiny-quilt_1.0-1.dsc", "tiny-quilt_1.0-1.debian.tar.xz"};
	world->version.origin.package = "tiny-quilt";
	for (size_t i = 0; i < G_N_ELEMENTS(gone); i++) {
		g_autofree char *file =
			g_build_filename(world->folder, "archive", "pool", "tiny", gone[i], NULL);
		g_assert_cmpint(g_unlink(file), ==, 0);
	}
	assert_unsupported(world_build(world), "source of tiny 1.0: download: E: Failed to fetch",
		"name its folder in the matrix");
	g_string_truncate(world->steps, 0);
	world->version.origin.unpatched = true;
	struct build_result *result = world_build(world);
	g_assert_cmpstr(result->reason, ==, NULL);
	g_assert_cmpint(result->state, ==, BUILD_OK);
	g_assert_cmpstr(result->revision, ==, "1.0");
	g_assert_cmpstr(
		world->steps->str, ==, "update list download unpack prepare copy configure make link ");
	build_result_free(result);
	world_free(world);
}

static void built_version(struct world *world, const char *arch)
{
	world->toolchain.debian_arch = arch;
	world->version = (struct version){"1.0-debian",
		{.kind = ORIGIN_DEBIAN_BINARY, .package = "tiny-dev", .suite = "bookworm", .upstream = "1.*"},
		false};
}

static void takes_what_debian_has_built_and_compiles_nothing(void)
{
	if (!has_tools())
		return;
	struct world *world = debian_world();
	built_version(world, "amd64");
	world->optimisation = "library";
	struct build_result *first = world_build(world);
	g_assert_cmpstr(first->reason, ==, NULL);
	g_assert_cmpint(first->state, ==, BUILD_OK);
	g_assert_cmpstr(first->revision, ==, "1.0-1+b1");
	g_assert_cmpstr(first->configure_line, ==, "prebuilt tiny-dev:amd64");
	g_assert_cmpstr(first->optimisation_effective, ==, NULL);
	g_assert_cmpstr(first->math, ==, "tiny.c");
	g_assert_cmpstr(world->steps->str, ==, "update list download unpack copy headers archive link ");
	/* The header of the architecture's own folder was found beside the other. */
	g_autofree char *said = NULL;
	const char *argv[] = {first->program, NULL};
	g_assert_true(g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &said, NULL, NULL, NULL));
	g_assert_nonnull(strstr(said, "built by Debian"));
	build_result_free(first);
	world_free(world);
}

static void says_what_debian_has_not_built(void)
{
	if (!has_tools())
		return;
	struct world *world = debian_world();
	built_version(world, "riscv64");
	assert_unsupported(world_build(world), "source of tiny 1.0-debian: ",
		"; check the network, and that this machine's Debian archive has tiny-dev:riscv64 in "
		"bookworm");
	built_version(world, "amd64");
	world->version.origin.upstream = "2.*";
	assert_unsupported(world_build(world),
		"source of tiny 1.0-debian: Debian bookworm has no version 2.* of the package tiny-dev:amd64 "
		"(it has 1.0-1+b1); name one of these with \"upstream\"",
		", or a folder or a tarball, in the matrix");
	built_version(world, NULL);
	assert_unsupported(world_build(world),
		"source of tiny 1.0-debian: it is built by Debian, and the toolchain names none of its "
		"architectures (debian_arch)",
		"");
	world_free(world);
}

static void says_which_versions_there_are(void)
{
	if (!has_tools())
		return;
	struct world *world = debian_world();
	world->version.name = "2.0";
	assert_unsupported(world_build(world),
		"source of tiny 2.0: Debian bookworm has no version 2.0 of the package tiny (it has 1.0); "
		"name one "
		"of these with \"upstream\"",
		", or a folder or a tarball, in the matrix");
	world_free(world);
}

static void says_what_to_do_where_the_archive_is_out_of_reach(void)
{
	if (!has_tools())
		return;
	struct world *world = debian_world();
	g_autofree char *archive = g_build_filename(world->folder, "archive", NULL);
	g_assert_true(fsx_remove_tree(archive, NULL));
	assert_unsupported(world_build(world), "source of tiny 1.0: update: E: ",
		"; check the network and this machine's Debian archive (suite bookworm), or unpack the "
		"source and "
		"name its folder in the matrix");
	world_free(world);
}

static void asks_once_for_a_source_that_cannot_be_had(void)
{
	struct world *world = world_new();
	world->version = (struct version){
		"1.0", {.kind = ORIGIN_DEBIAN, .package = "tiny", .suite = "bookworm"}, false};
	struct builder *builder = world_builder(world);
	struct planned_build *build = world_planned(world);
	for (int i = 0; i < 2; i++) {
		struct build_result *result = world_run(builder, build);
		result->build = NULL;
		assert_unsupported(result, world->folder, "name its folder in the matrix");
	}
	world_planned_free(build);
	builder_free(builder);
	world_free(world);
}

static void names_the_packages_where_preparing_fails(void)
{
	struct world *world = world_new();
	g_autofree char *file = g_build_filename(world->source, "forbidden", NULL);
	g_assert_true(g_file_set_contents(file, "", 0, NULL));
	assert_unsupported(world_build(world),
		"source of tiny mine: prepare: ./prepare: 3: autoreconf: not found; preparing needs: apt-get "
		"install "
		"autoconf make",
		"");
	g_autofree char *sources = g_build_filename(world->cache, "sources", NULL);
	g_assert_cmpint(g_rmdir(sources), ==, 0);
	world_free(world);
}

static void names_a_folder_that_is_not_there(void)
{
	struct world *world = world_new();
	world->version.origin.folder = "/nonexistent/tiny";
	assert_unsupported(world_build(world), "source of tiny mine: ", "No such file or directory");
	world_free(world);
}

static void does_not_build_in_the_users_folder(void)
{
	struct world *world = world_new();
	g_autofree char *before = fsx_hash_tree(world->source, NULL, NULL);
	build_result_free(world_build(world));
	g_autofree char *after = fsx_hash_tree(world->source, NULL, NULL);
	g_assert_cmpstr(before, ==, after);
	world_free(world);
}

static void does_not_count_what_building_in_place_left(void)
{
	struct world *world = world_new();
	struct build_result *first = world_build(world);
	g_autofree char *object = g_build_filename(world->source, "tiny.o", NULL);
	g_assert_true(g_file_set_contents(object, "x", 1, NULL));
	struct build_result *second = world_build(world);
	g_assert_cmpstr(second->revision, ==, first->revision);
	g_assert_true(second->program_cached);
	build_result_free(first);
	build_result_free(second);
	world_free(world);
}

static void takes_a_folder_as_it_was_when_first_asked(void)
{
	struct world *world = world_new();
	struct builder *builder = world_builder(world);
	struct planned_build *build = world_planned(world);
	struct build_result *first = world_run(builder, build);
	world_edit(world->source, "tiny.c", "question * 7", "question * 9");
	struct build_result *second = world_run(builder, build);
	g_assert_cmpstr(second->revision, ==, first->revision);
	build_result_free(first);
	build_result_free(second);
	world_planned_free(build);
	builder_free(builder);
	world_free(world);
}

/* --- folders that git knows --- */

/* `git ARGUMENTS` in a folder; *ret (may be NULL) is what it printed. */
static void git(const char *folder, char **ret, const char *arguments)
{
	g_autofree char *line = g_strdup_printf("git -C %s -c user.name=t -c user.email=t@example.org -c "
						"commit.gpgsign=false %s",
		folder, arguments);
	g_autofree char *out = NULL;
	g_auto(GStrv) argv = NULL;
	int status = -1;

	g_assert_true(g_shell_parse_argv(line, NULL, &argv, NULL));
	g_assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
		NULL, &out, NULL, &status, NULL));
	g_assert_cmpint(status, ==, 0);
	if (ret)
		*ret = g_strstrip(g_steal_pointer(&out));
}

static void assert_revision(struct world *world, const char *commit, const char *parent)
{
	struct build_result *result = world_build(world);
	g_autofree char *beginning = commit ? g_strdup_printf("commit:%s tree:", commit) : g_strdup("tree:");

	g_assert_cmpstr(result->reason, ==, NULL);
	if (!g_str_has_prefix(result->revision, beginning))
		g_error("%s does not begin with %s", result->revision, beginning);
	/* The tree's hash follows, 12 digits. */
	g_assert_cmpuint(strlen(result->revision), ==, strlen(beginning) + 12);
	g_assert_cmpstr(result->parent, ==, parent);
	build_result_free(result);
}

static void tells_the_commit_of_a_work_tree(void)
{
	struct world *world = world_new();
	g_autofree char *one = NULL, *two = NULL;

	assert_revision(world, NULL, NULL);
	git(world->source, NULL, "init -q");
	/* A work tree without a commit stands at none. */
	assert_revision(world, NULL, NULL);
	git(world->source, NULL, "add -A");
	git(world->source, NULL, "commit -qm one");
	git(world->source, &one, "rev-parse HEAD");
	g_autofree char *short_one = g_strndup(one, 12), *dirty_one = g_strdup_printf("%s-dirty", short_one);
	/* The same tree as before, whose program is there: what it stands at is told all the same. */
	assert_revision(world, short_one, NULL);
	world_edit(world->source, "tiny.c", "question * 7", "question * 8");
	assert_revision(world, dirty_one, one);
	git(world->source, NULL, "commit -qam two");
	git(world->source, &two, "rev-parse HEAD");
	g_autofree char *short_two = g_strndup(two, 12);
	assert_revision(world, short_two, one);
	world_free(world);
}

static void another_projects_commit_is_not_the_sources(void)
{
	struct world *world = world_new();

	git(world->folder, NULL, "init -q");
	git(world->folder, NULL, "add -A");
	git(world->folder, NULL, "commit -qm around");
	assert_revision(world, NULL, NULL);
	world_free(world);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/source/fetches_a_debian_source_package_once", fetches_a_debian_source_package_once);
	g_test_add_func("/source/takes_the_upstream_tarball_alone", takes_the_upstream_tarball_alone);
	g_test_add_func("/source/takes_what_debian_has_built_and_compiles_nothing",
		takes_what_debian_has_built_and_compiles_nothing);
	g_test_add_func("/source/says_what_debian_has_not_built", says_what_debian_has_not_built);
	g_test_add_func("/source/says_which_versions_there_are", says_which_versions_there_are);
	g_test_add_func("/source/says_what_to_do_where_the_archive_is_out_of_reach",
		says_what_to_do_where_the_archive_is_out_of_reach);
	g_test_add_func("/source/asks_once_for_a_source_that_cannot_be_had",
		asks_once_for_a_source_that_cannot_be_had);
	g_test_add_func(
		"/source/names_the_packages_where_preparing_fails", names_the_packages_where_preparing_fails);
	g_test_add_func("/source/names_a_folder_that_is_not_there", names_a_folder_that_is_not_there);
	g_test_add_func("/source/does_not_build_in_the_users_folder", does_not_build_in_the_users_folder);
	g_test_add_func("/source/does_not_count_what_building_in_place_left",
		does_not_count_what_building_in_place_left);
	g_test_add_func("/source/takes_a_folder_as_it_was_when_first_asked",
		takes_a_folder_as_it_was_when_first_asked);
	g_test_add_func("/source/tells_the_commit_of_a_work_tree", tells_the_commit_of_a_work_tree);
	g_test_add_func("/source/another_projects_commit_is_not_the_sources",
		another_projects_commit_is_not_the_sources);
	return g_test_run();
}
