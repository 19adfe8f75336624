#include "diag.h"
#include "selector.h"

#include <string.h>

static const struct selectable sample = {
	.labels.v =
		{
			[LABEL_LIBRARY] = "wolfssl",
			[LABEL_VERSION] = "5.5.4",
			[LABEL_CONFIG] = "armasm+sp",
			[LABEL_PROFILE] = "crypto",
			[LABEL_OPTIMISATION] = "O2",
			[LABEL_TOOLCHAIN] = "aarch64-gcc",
			[LABEL_PLATFORM] = "rock, the 5",
			[LABEL_INSTRUMENT] = "bench-core",
			[LABEL_BENCHMARK] = "aes-128-cbc encrypt",
			[LABEL_BLOCK] = "1024",
			[LABEL_METRIC] = "time",
		},
	.arch = "aarch64",
	.revision = NULL,
	.source = SOURCE_OWN,
	.environment = ENVIRONMENT_EMULATOR,
	.kind = KIND_EXACT,
};

static struct selector *parsed(const char *text)
{
	g_autoptr(GError) err = NULL;
	struct selector *selector = NULL;

	g_assert_true(selector_parse(&selector, text, &err));
	g_assert_no_error(err);
	return selector;
}

static bool takes_what(const char *text, const struct selectable *what)
{
	struct selector *selector = parsed(text);
	bool takes = selector_matches(selector, what);

	selector_free(selector);
	return takes;
}

static bool takes(const char *text)
{
	return takes_what(text, &sample);
}

static void assert_refused(const char *text, const char *message)
{
	g_autoptr(GError) err = NULL;
	struct selector *selector = NULL;

	g_assert_false(selector_parse(&selector, text, &err));
	g_assert_null(selector);
	g_assert_error(err, DIAG_ERROR, DIAG_USAGE);
	if (!strstr(err->message, message))
		g_error("\"%s\" does not say \"%s\"", err->message, message);
}

static void matches_every_key(void)
{
	static const char *const good[] = {"library=wolfssl", "version=5.5.4", "config=armasm+sp",
		"profile=crypto", "optimisation=O2", "toolchain=aarch64-gcc", "platform=rock\\, the 5",
		"instrument=bench-core", "benchmark=aes-128-cbc encrypt", "block=1024", "metric=time",
		"arch=aarch64", "algorithm=aes-128-cbc", "operation=encrypt", "source=own",
		"environment=emulator", "kind=exact", "flag:sp=on", "flag:armasm=on", "flag:fastmath=off"};
	static const char *const bad[] = {"library=Wolfssl", "version=5.5", "config=sp", "profile=tls",
		"optimisation=O", "toolchain=gcc", "platform=rock", "instrument=build",
		"benchmark=aes-128-cbc", "block=102", "metric=cycles", "arch=arm", "algorithm=aes",
		"operation=decrypt", "source=published", "environment=hardware", "kind=sampled",
		"flag:sp=off", "flag:fastmath=on", "flag:s=on"};

	for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
		if (!takes(good[i]))
			g_error("%s does not match", good[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		if (takes(bad[i]))
			g_error("%s matches", bad[i]);
}

static void needs_all_terms(void)
{
	g_assert_true(takes("library=wolfssl,arch=aarch64,flag:sp=on"));
	g_assert_false(takes("library=wolfssl,arch=x86_64,flag:sp=on"));
	g_assert_true(takes(""));
	g_assert_true(takes(NULL));
	g_assert_true(takes("run=latest"));
}

static void globs_as_documented(void)
{
	static const struct {
		const char *pattern, *text;
		bool takes;
	} cases[] = {
		{"*", "", true},
		{"*", "anything", true},
		{"a*c", "abc", true},
		{"a*c", "ac", true},
		{"a*c", "abcd", false},
		{"*a*b*", "xxaxxbxx", true},
		{"*a*b*", "xxbxxaxx", false},
		{"?", "", false},
		{"?", "ab", false},
		{"a?c", "abc", true},
		{"?", "\xc3\xa9", true},
		{"??", "\xc3\xa9", false},
		{"\\*", "*", true},
		{"\\*", "a", false},
		{"\\?", "?", true},
		{"\\\\", "\\", true},
		{"a\\,b", "a,b", true},
		{"[a]", "a", false},
		{"[a]", "[a]", true},
		{"**", "x", true},
		{"*ab", "aab", true},
		{"-", NULL, true},
		{"*", NULL, false},
		{"", NULL, false},
		{"-", "-", true},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
		if (selector_glob(cases[i].pattern, cases[i].text) != cases[i].takes)
			g_error("\"%s\" against \"%s\"", cases[i].pattern,
				cases[i].text ? cases[i].text : "(none)");
}

static void many_stars_stay_fast(void)
{
	g_autofree char *text = g_strnfill(20000, 'a');
	GString *pattern = g_string_new(NULL);

	for (int i = 0; i < 50; i++)
		g_string_append(pattern, "*a");
	g_string_append(pattern, "*b");
	g_test_timer_start();
	g_assert_false(selector_glob(pattern->str, text));
	g_assert_cmpfloat(g_test_timer_elapsed(), <, 2);
	g_string_free(pattern, TRUE);
}

static void an_absent_label_matches_only_a_dash(void)
{
	g_assert_true(takes("engine=-"));
	g_assert_true(takes("revision=-"));
	g_assert_false(takes("engine=*"));
	g_assert_false(takes("library=-"));
}

static void flags_of_the_default_set_are_off(void)
{
	struct selectable what = sample;

	what.labels.v[LABEL_CONFIG] = "default";
	g_assert_true(takes_what("flag:sp=off", &what));
	g_assert_false(takes_what("flag:default=on", &what));
	what.labels.v[LABEL_CONFIG] = NULL;
	g_assert_false(takes_what("flag:sp=off", &what));
	g_assert_false(takes_what("flag:sp=on", &what));
}

static void an_unknown_origin_holds(void)
{
	struct selectable what = sample;

	what.source = what.environment = what.kind = -1;
	g_assert_true(takes_what("source=published,environment=hardware,kind=stated", &what));
}

static void an_operation_needs_a_blank(void)
{
	struct selectable what = sample;

	what.labels.v[LABEL_BENCHMARK] = "RNG";
	g_assert_true(takes_what("algorithm=RNG,operation=-", &what));
	what.labels.v[LABEL_BENCHMARK] = "AES-XTS 256 enc";
	g_assert_true(takes_what("algorithm=AES-XTS 256,operation=enc", &what));
	what.labels.v[LABEL_BENCHMARK] = NULL;
	g_assert_true(takes_what("algorithm=-,operation=-", &what));
}

static void says_what_it_names(void)
{
	struct selector *selector = parsed("flag:sp=on,operation=sign,version=5.*,arch=arm");

	g_assert_true(selector_names(selector, LABEL_CONFIG));
	g_assert_true(selector_names(selector, LABEL_BENCHMARK));
	g_assert_true(selector_names(selector, LABEL_VERSION));
	g_assert_false(selector_names(selector, LABEL_TOOLCHAIN));
	g_assert_cmpstr(selector_term(selector, SELECT_FLAG)->flag, ==, "sp");
	g_assert_cmpstr(selector_term(selector, (enum selector_key)LABEL_VERSION)->pattern, ==, "5.*");
	g_assert_null(selector_term(selector, SELECT_RUN));
	selector_free(selector);
}

static void shows_what_was_asked(void)
{
	struct selector *selector = parsed("run=latest~1,flag:sp=on,flag:armasm=off,config=a\\,b,library=w*");
	g_autofree char *text = selector_text(selector);

	g_assert_cmpstr(text, ==, "library=w*,config=a\\,b,run=latest~1,flag:armasm=off,flag:sp=on");
	selector_free(selector);
}

static void refuses_an_unknown_key(void)
{
	assert_refused("libary=wolfssl", "unknown key \"libary\"; did you mean \"library\"?");
	assert_refused("optimization=O2", "did you mean \"optimisation\"?");
	assert_refused("flag=sp", "did you mean \"flag:\"?");
	assert_refused("flag:=on", "unknown key");
	assert_refused("zzzzzzzz=1", "the keys are library, version, config");
}

static void refuses_what_is_no_selector(void)
{
	assert_refused("wolfssl", "is not key=value");
	assert_refused("=5", "is not key=value");
	assert_refused("library=a,", "nothing follows the last comma");
	assert_refused(",library=a", "is not key=value");
	assert_refused("library=a,,version=b", "is not key=value");
	assert_refused("library=", "has no value");
	assert_refused("library=a\\", "escapes nothing");
	assert_refused("library=\xff", "not UTF-8");
	assert_refused("library=a,library=b", "\"library\" stands twice");
	assert_refused("flag:sp=on,flag:sp=off", "stands twice");
	assert_refused("flag:sp=yes", "a flag is on or off");
	assert_refused("kind=exat", "there are sampled, exact, derived, stated");
	assert_refused("environment=qemu", "there are hardware, emulator, unknown");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/selector/matches_every_key", matches_every_key);
	g_test_add_func("/selector/needs_all_terms", needs_all_terms);
	g_test_add_func("/selector/globs_as_documented", globs_as_documented);
	g_test_add_func("/selector/many_stars_stay_fast", many_stars_stay_fast);
	g_test_add_func("/selector/an_absent_label_matches_only_a_dash", an_absent_label_matches_only_a_dash);
	g_test_add_func("/selector/flags_of_the_default_set_are_off", flags_of_the_default_set_are_off);
	g_test_add_func("/selector/an_unknown_origin_holds", an_unknown_origin_holds);
	g_test_add_func("/selector/an_operation_needs_a_blank", an_operation_needs_a_blank);
	g_test_add_func("/selector/says_what_it_names", says_what_it_names);
	g_test_add_func("/selector/shows_what_was_asked", shows_what_was_asked);
	g_test_add_func("/selector/refuses_an_unknown_key", refuses_an_unknown_key);
	g_test_add_func("/selector/refuses_what_is_no_selector", refuses_what_is_no_selector);
	return g_test_run();
}
