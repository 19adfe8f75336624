#include "apt_sources.h"
#include "diag.h"

#include <glib/gstdio.h>
#include <string.h>

static char *derived(const char *fixture, const char *suite)
{
	g_autofree char *file = g_build_filename(BM_SOURCE, "tests", "fixtures", fixture, NULL);
	g_autofree char *text = NULL;
	g_assert_true(g_file_get_contents(file, &text, NULL, NULL));
	GString *out = g_string_new(NULL);
	apt_sources_add(out, file, text, "deb-src", suite);
	return g_string_free(out, FALSE);
}

static void turns_stanzas_into_sources_of_the_wanted_suite(void)
{
	g_autofree char *out = derived("build_apt.sources", "bullseye");
	g_assert_cmpstr(out, ==,
		"Types: deb-src\n"
		"URIs: http://mirror.example/debian\n"
		"Suites: bullseye\n"
		"Components: main\n"
		"Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg\n"
		"\n"
		"Types: deb-src\n"
		"URIs: http://second.example/debian/\n"
		"Suites: bullseye\n"
		"Components: main\n"
		"check-valid-until: no\n"
		"\n");
}

static void turns_lines_into_sources_of_the_wanted_suite(void)
{
	g_autofree char *out = derived("build_apt.list", "bookworm");
	g_assert_cmpstr(out, ==,
		"Types: deb-src\n"
		"URIs: http://mirror.example/debian\n"
		"Suites: bookworm\n"
		"Components: main\n"
		"\n"
		"Types: deb-src\n"
		"URIs: http://archive.example/archive/debian/20250520T000000Z\n"
		"Suites: bookworm\n"
		"Components: main\n"
		"signed-by: /usr/share/keyrings/debian-archive-keyring.gpg\n"
		"check-valid-until: no\n"
		"\n");
}

static void keeps_a_key_that_stands_in_the_file(void)
{
	GString *out = g_string_new(NULL);
	apt_sources_add(out, "x.sources",
		"Types: deb\nURIs: http://a.example/debian\nSuites: sid\nComponents: main\n"
		"Signed-By: debian-archive-inline\n -----BEGIN-----\n .\n abc\n",
		"deb-src", "trixie");
	g_assert_nonnull(
		strstr(out->str, "Signed-By: debian-archive-inline\n -----BEGIN-----\n .\n abc\n\n"));
	g_string_free(out, TRUE);
}

static void says_what_to_do_where_there_is_no_debian_archive(void)
{
	g_autofree char *folder = g_dir_make_tmp("apt-XXXXXX", NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) err = NULL;
	g_assert_false(apt_sources_derive(out, folder, "deb-src", "bookworm", &err));
	g_assert_error(err, DIAG_ERROR, DIAG_LACKS);
	g_assert_nonnull(strstr(err->message, folder));
	g_assert_nonnull(strstr(err->message, "name its folder in the matrix"));
	g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static void orders_versions_as_dpkg_does(void)
{
	/* Each is older than the next; the order was checked with dpkg --compare-versions. */
	static const char *const versions[] = {"1.0~rc1-1", "1.0-1~bpo12+1", "1.0-1", "1.0-1+deb12u1",
		"1.0-1+deb12u2", "1.0-1+deb12u10", "1.0-2", "1.0a-1", "1.0+dfsg-1", "1.0.1-1", "1.9-1",
		"1.10-1", "1:0.5-1"};
	for (size_t i = 0; i + 1 < G_N_ELEMENTS(versions); i++) {
		const char *argv[] = {"dpkg", "--compare-versions", versions[i], "lt", versions[i + 1], NULL};
		int status = 0;
		if (g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
			    &status, NULL))
			g_assert_cmpint(status, ==, 0);
		g_assert_cmpint(apt_compare_versions(versions[i], versions[i + 1]), <, 0);
		g_assert_cmpint(apt_compare_versions(versions[i + 1], versions[i]), >, 0);
		g_assert_cmpint(apt_compare_versions(versions[i], versions[i]), ==, 0);
	}
	g_assert_cmpint(apt_compare_versions("1.01-1", "1.1-1"), ==, 0);
}

static void picks_the_newest_revision_of_a_version(void)
{
	const char *showsrc = "Package: wolfssl\nBinary: libwolfssl35\nVersion: 5.5.4-2+deb12u1\n\n"
			      "Package: wolfssl\nVersion: 5.5.4-2+deb12u2\n\n"
			      "Package: wolfssl\nVersion: 5.5.40-1\n\n"
			      "Package: other\nVersion: 5.5.4-9\n\n"
			      "Package: wolfssl\nVersion: 4.6.0+p1-0+deb11u2\n";
	g_autofree char *others = NULL;
	g_autofree char *picked = apt_pick_version(&others, showsrc, "wolfssl", "5.5.4");
	g_assert_cmpstr(picked, ==, "5.5.4-2+deb12u2");
	g_assert_cmpstr(others, ==, "5.5.4-2+deb12u1, 5.5.4-2+deb12u2, 5.5.40-1, 4.6.0+p1-0+deb11u2");
	g_autofree char *again = NULL;
	g_autofree char *repacked = apt_pick_version(&again, showsrc, "wolfssl", "4.6.0");
	g_assert_cmpstr(repacked, ==, "4.6.0+p1-0+deb11u2");
	g_autofree char *still = NULL;
	g_assert_null(apt_pick_version(&still, showsrc, "wolfssl", "5.5"));
	g_autofree char *rest = NULL;
	g_autofree char *newest = apt_pick_version(&rest, showsrc, "wolfssl", "5.5.*");
	g_assert_cmpstr(newest, ==, "5.5.40-1");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/apt_sources/turns_stanzas_into_sources_of_the_wanted_suite",
		turns_stanzas_into_sources_of_the_wanted_suite);
	g_test_add_func("/apt_sources/turns_lines_into_sources_of_the_wanted_suite",
		turns_lines_into_sources_of_the_wanted_suite);
	g_test_add_func(
		"/apt_sources/keeps_a_key_that_stands_in_the_file", keeps_a_key_that_stands_in_the_file);
	g_test_add_func("/apt_sources/says_what_to_do_where_there_is_no_debian_archive",
		says_what_to_do_where_there_is_no_debian_archive);
	g_test_add_func("/apt_sources/orders_versions_as_dpkg_does", orders_versions_as_dpkg_does);
	g_test_add_func("/apt_sources/picks_the_newest_revision_of_a_version",
		picks_the_newest_revision_of_a_version);
	return g_test_run();
}
