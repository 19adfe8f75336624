#include "course.h"

#include <math.h>
#include <string.h>

#define AES "\"name\":\"aes-128-cbc encrypt\",\"block\":1024"
#define SHA "\"name\":\"sha-256 hash\",\"block\":1024"
#define RSA "\"name\":\"rsa-2048 private\""

static void out(struct course *course, const char *text)
{
	course_bytes(course, 1, text, strlen(text));
}

static void header(struct course *course)
{
	out(course, "{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0}\n");
}

#define START(course, item) out(course, "{\"r\":\"start\"," item "}\n")
#define DONE(course, item)                                                                                   \
	out(course, "{\"r\":\"start\"," item "}\n{\"r\":\"benchmark\"," item ",\"state\":\"ok\"}\n")
#define END_RECORD(course) out(course, "{\"r\":\"end\",\"records\":1}\n")

static void began(struct course *course, int invocation)
{
	course_began(course, invocation);
	header(course);
}

static const struct course_end *ends(struct course *course, enum child_end end, int status)
{
	const struct child_exit exit = {.end = end, .status = status, .seconds = 1, .cpu_seconds = NAN};
	g_autofree char *text = child_end_text(&exit);

	return course_ended(course, &exit, text);
}

static void ends_well(struct course *course)
{
	END_RECORD(course);
	g_assert_cmpint(ends(course, CHILD_EXITED, 0)->state, ==, ATTEMPT_OK);
}

static void check_next(const struct course *course, int invocation, const char *from, const char *skip)
{
	g_autofree char *list = course_skip(course);

	g_assert_false(course_over(course));
	g_assert_cmpint(course_invocation(course), ==, invocation);
	g_assert_cmpstr(course_from(course), ==, from);
	g_assert_cmpstr(list, ==, skip);
}

static void check_over(const struct course *course, enum attempt_state state, const char *reason)
{
	g_assert_true(course_over(course));
	g_assert_cmpint(course_state(course), ==, state);
	g_assert_cmpstr(course_reason(course), ==, reason);
}

static void all_invocations_follow_one_another(void)
{
	struct course *course = course_new(2);

	check_next(course, 0, NULL, NULL);
	began(course, 0);
	DONE(course, AES);
	ends_well(course);
	check_next(course, 1, NULL, NULL);
	began(course, 1);
	DONE(course, AES);
	ends_well(course);
	check_over(course, ATTEMPT_OK, NULL);
	course_free(course);
}

#define END_WITH(course, next) out(course, "{\"r\":\"end\",\"records\":1,\"next\":\"" next "\"}\n")

/* One item in a process: schema/wire.md, --one. */
static void an_invocation_may_be_a_process_for_each_item(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	DONE(course, AES);
	END_WITH(course, "sha-256 hash 1024");
	g_assert_cmpint(ends(course, CHILD_EXITED, 0)->state, ==, ATTEMPT_OK);
	check_next(course, 0, "sha-256 hash 1024", NULL);
	/* A crash costs the item alone. */
	began(course, 0);
	START(course, SHA);
	ends(course, CHILD_SIGNALLED, 11);
	check_next(course, 0, "sha-256 hash 1024", "sha-256 hash 1024");
	began(course, 0);
	DONE(course, RSA);
	END_WITH(course, "null operation");
	course_lost(course);
	check_next(course, 0, "null operation", "sha-256 hash 1024");
	began(course, 0);
	ends_well(course);
	check_next(course, 1, NULL, NULL);
	began(course, 1);
	ends_well(course);
	g_assert_true(course_over(course));
	g_assert_cmpint(course_state(course), ==, ATTEMPT_CRASHED);
	course_free(course);
}

static void a_chain_without_end_comes_to_an_end(void)
{
	struct course *course = course_new(1);
	int n;

	for (n = 0; n < 20000 && !course_over(course); n++) {
		began(course, 0);
		END_WITH(course, "null operation");
		ends(course, CHILD_EXITED, 0);
	}
	g_assert_cmpint(n, ==, 10001);
	course_free(course);
}

static void a_crash_costs_its_benchmark_in_this_invocation_only(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	DONE(course, AES);
	START(course, RSA);
	course_bytes(course, 2, "a warning\nit burns\n", 19);
	const struct course_end *end = ends(course, CHILD_SIGNALLED, 7);
	g_assert_cmpint(end->state, ==, ATTEMPT_CRASHED);
	g_assert_cmpint(end->blame, ==, OUTCOME_CRASHED);
	g_assert_cmpstr(end->reason, ==, "signal 7 (SIGBUS): it burns");
	check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
	began(course, 0);
	DONE(course, SHA);
	ends_well(course);
	check_next(course, 1, NULL, NULL); /* it is tried again */
	began(course, 1);
	ends_well(course);
	check_over(course, ATTEMPT_CRASHED, "signal 7 (SIGBUS) in rsa-2048 private: it burns");
	course_free(course);
}

static void a_second_crash_adds_to_what_is_left_out(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	START(course, AES);
	ends(course, CHILD_SIGNALLED, 7);
	began(course, 0);
	START(course, RSA);
	ends(course, CHILD_SIGNALLED, 11);
	check_next(course, 0, "rsa-2048 private", "aes-128-cbc encrypt 1024,rsa-2048 private");
	began(course, 0);
	ends_well(course);
	check_next(course, 1, NULL, NULL);
	g_assert_cmpstr(course_reason(course), ==, "signal 7 (SIGBUS) in aes-128-cbc encrypt 1024");
	course_free(course);
}

static void where_there_is_one_invocation_a_crash_is_tried_once_more(void)
{
	struct course *course = course_new(1);

	began(course, 0);
	DONE(course, AES);
	START(course, RSA);
	ends(course, CHILD_SIGNALLED, 11);
	check_next(course, 0, "rsa-2048 private", NULL);
	began(course, 0);
	START(course, RSA);
	ends(course, CHILD_SIGNALLED, 11);
	check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
	began(course, 0);
	ends_well(course);
	check_over(course, ATTEMPT_CRASHED, "signal 11 (SIGSEGV) in rsa-2048 private");
	course_free(course);
}

static void what_hung_is_left_out_of_all_that_follows(void)
{
	for (int silent = 0; silent <= 1; silent++) {
		struct course *course = course_new(3);
		began(course, 0);
		START(course, RSA);
		const struct course_end *end = ends(course, silent ? CHILD_SILENT : CHILD_TIMEOUT, 60);
		g_assert_cmpint(end->blame, ==, OUTCOME_TIMEOUT);
		check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
		began(course, 0);
		ends_well(course);
		check_next(course, 1, NULL, "rsa-2048 private");
		began(course, 1);
		ends_well(course);
		check_next(course, 2, NULL, "rsa-2048 private");
		g_assert_cmpint(course_state(course), ==, ATTEMPT_TIMEOUT);
		g_assert_cmpstr(course_reason(course), ==,
			silent ? "no output for 60 s in rsa-2048 private"
			       : "not done after 60 s in rsa-2048 private");
		course_free(course);
	}
}

static void a_hang_in_a_single_invocation_is_not_tried_again(void)
{
	struct course *course = course_new(1);

	began(course, 0);
	START(course, RSA);
	ends(course, CHILD_TIMEOUT, 60);
	check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
	course_free(course);
}

static void rubbish_and_floods_are_gone_on_behind(void)
{
	static const enum child_end how[] = {CHILD_EXITED, CHILD_FLOODED};
	static const char *const reasons[] = {"invocation 0: no end record in aes-128-cbc encrypt 1024",
		"more than 4096 bytes of output in aes-128-cbc encrypt 1024"};

	for (size_t i = 0; i < G_N_ELEMENTS(how); i++) {
		struct course *course = course_new(2);
		began(course, 0);
		START(course, AES);
		out(course, "\001\002 this is no record\n{\"r\":\"end\"");
		const struct course_end *end = ends(course, how[i], how[i] == CHILD_EXITED ? 0 : 4096);
		g_assert_cmpint(end->state, ==, ATTEMPT_TRUNCATED);
		g_assert_cmpint(end->blame, ==, OUTCOME_CRASHED);
		check_next(course, 0, "aes-128-cbc encrypt 1024", "aes-128-cbc encrypt 1024");
		g_assert_cmpstr(course_reason(course), ==, reasons[i]);
		course_free(course);
	}
}

static void a_death_with_nothing_in_hand_ends_the_attempt(void)
{
	struct course *course = course_new(3);

	began(course, 0);
	DONE(course, AES);
	ends(course, CHILD_SIGNALLED, 9);
	check_over(course, ATTEMPT_CRASHED, "signal 9 (SIGKILL)");
	course_free(course);
}

static void a_cut_with_nothing_in_hand_is_for_the_whole_stream_to_explain(void)
{
	struct course *course = course_new(3);

	began(course, 0);
	DONE(course, AES);
	g_assert_null(ends(course, CHILD_EXITED, 0)->reason);
	check_over(course, ATTEMPT_TRUNCATED, NULL);
	course_free(course);
}

static void a_failure_told_by_the_exit_status_ends_the_attempt(void)
{
	struct course *course = course_new(3);

	began(course, 0);
	END_RECORD(course);
	course_bytes(course, 2, "no room\n", 8);
	ends(course, CHILD_EXITED, 1);
	check_over(course, ATTEMPT_TRUNCATED, "exit status 1: no room");
	course_free(course);
}

/* It was told to leave out what it died in again. */
static void a_process_that_comes_no_further_ends_the_attempt(void)
{
	struct course *course = course_new(3);

	for (int i = 0; i < 2; i++) {
		began(course, 0);
		START(course, RSA);
		ends(course, CHILD_SIGNALLED, 7);
	}
	g_assert_true(course_over(course));
	course_free(course);

	course = course_new(3);
	for (int i = 0; i < 2; i++) {
		began(course, 0);
		START(course, RSA);
		ends(course, CHILD_SILENT, 60);
	}
	g_assert_true(course_over(course));
	course_free(course);
}

static void a_program_of_endless_names_comes_to_an_end(void)
{
	struct course *course = course_new(2);
	int n = 0;

	while (!course_over(course) && n < 5000) {
		g_autofree char *start = g_strdup_printf("{\"r\":\"start\",\"name\":\"x%d\"}\n", n++);
		began(course, 0);
		out(course, start);
		ends(course, CHILD_SIGNALLED, 7);
	}
	g_assert_cmpint(n, ==, 1000);
	course_free(course);
}

static void what_cannot_be_started_ends_the_attempt(void)
{
	struct course *course = course_new(2);

	course_began(course, 0);
	const struct course_end *end = course_ended(course, NULL, "bm-play is not there");
	g_assert_cmpint(end->state, ==, ATTEMPT_INFRASTRUCTURE);
	check_over(course, ATTEMPT_INFRASTRUCTURE, "bm-play is not there");
	course_free(course);

	course = course_new(2);
	course_began(course, 0);
	ends(course, CHILD_NOT_RUN, 2);
	check_over(course, ATTEMPT_INFRASTRUCTURE, "cannot be executed: No such file or directory");
	course_free(course);
}

static void what_was_lost_in_a_benchmark_begins_there_again(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	DONE(course, AES);
	START(course, RSA);
	const struct course_end *end = course_lost(course);
	g_assert_cmpint(end->state, ==, ATTEMPT_CANCELLED);
	g_assert_cmpint(end->blame, ==, OUTCOME_OK);
	check_next(course, 0, "rsa-2048 private", NULL);
	g_assert_null(course_lost(course)); /* none is under way */
	began(course, 0);
	DONE(course, RSA);
	ends_well(course);
	check_next(course, 1, NULL, NULL);
	g_assert_cmpint(course_state(course), ==, ATTEMPT_OK);
	course_free(course);
}

static void what_was_lost_between_benchmarks_goes_on_behind_the_last(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	DONE(course, AES);
	DONE(course, RSA);
	course_lost(course);
	check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
	course_free(course);
}

static void what_was_lost_before_anything_begins_anew(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	course_lost(course);
	check_next(course, 0, NULL, NULL);
	/* As it was asked for: behind a crash that came before. */
	began(course, 0);
	START(course, RSA);
	ends(course, CHILD_SIGNALLED, 7);
	began(course, 0);
	course_lost(course);
	check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
	course_free(course);
}

static void what_was_lost_behind_its_end_record_is_complete(void)
{
	struct course *course = course_new(2);

	began(course, 0);
	DONE(course, AES);
	END_RECORD(course);
	course_lost(course);
	check_next(course, 1, NULL, NULL);
	course_free(course);
}

static void what_we_stopped_is_lost(void)
{
	struct course *course = course_new(1);

	began(course, 0);
	START(course, RSA);
	g_assert_cmpint(ends(course, CHILD_CANCELLED, 0)->blame, ==, OUTCOME_OK);
	check_next(course, 0, "rsa-2048 private", NULL);
	course_free(course);
}

/* However the bytes are cut: the same is known of them. */
static void bytes_come_in_any_pieces(void)
{
	static const char stream[] = "{\"r\":\"header\",\"wire\":1,\"mode\":\"time\",\"invocation\":0}\n"
				     "{\"r\":\"start\"," AES "}\n{\"r\":\"start\"," RSA "}\n";

	for (size_t piece = 1; piece < sizeof stream; piece++) {
		struct course *course = course_new(2);
		course_began(course, 0);
		for (size_t at = 0; at < sizeof stream - 1; at += piece)
			course_bytes(course, 1, stream + at, MIN(piece, sizeof stream - 1 - at));
		ends(course, CHILD_SIGNALLED, 7);
		check_next(course, 0, "rsa-2048 private", "rsa-2048 private");
		course_free(course);
	}
}

static void a_foreign_program_is_whole_where_it_ends_well(void)
{
	struct course *course = course_new_foreign(2);

	course_began(course, 0);
	out(course, "SHA-256 5 MiB took 1.000 seconds, 5.000 MiB/s\n{\"r\":\"start\"," RSA "}\n");
	g_assert_cmpint(ends(course, CHILD_EXITED, 0)->state, ==, ATTEMPT_OK);
	check_next(course, 1, NULL, NULL);
	course_began(course, 1);
	g_assert_cmpint(ends(course, CHILD_EXITED, 0)->state, ==, ATTEMPT_OK);
	check_over(course, ATTEMPT_OK, NULL);
	course_free(course);
}

static void a_foreign_program_that_dies_is_followed_by_none(void)
{
	struct course *course = course_new_foreign(3);

	course_began(course, 0);
	/* What would name the benchmark in hand in a stream of ours. */
	out(course, "{\"r\":\"start\"," RSA "}\n");
	g_assert_cmpint(ends(course, CHILD_SIGNALLED, 11)->state, ==, ATTEMPT_CRASHED);
	check_over(course, ATTEMPT_CRASHED, "signal 11 (SIGSEGV)");
	course_free(course);

	course = course_new_foreign(3);
	course_began(course, 0);
	g_assert_cmpint(ends(course, CHILD_EXITED, 3)->state, ==, ATTEMPT_TRUNCATED);
	g_assert_true(course_over(course));
	course_free(course);
}

static void a_foreign_process_that_was_lost_is_started_again(void)
{
	struct course *course = course_new_foreign(2);

	course_began(course, 0);
	out(course, "SHA-256 5 MiB took 1.000 seconds, 5.000 MiB/s\n");
	g_assert_cmpint(course_lost(course)->state, ==, ATTEMPT_CANCELLED);
	check_next(course, 0, NULL, NULL);
	course_free(course);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(f) g_test_add_func("/course/" #f, f)
	TEST(all_invocations_follow_one_another);
	TEST(an_invocation_may_be_a_process_for_each_item);
	TEST(a_chain_without_end_comes_to_an_end);
	TEST(a_crash_costs_its_benchmark_in_this_invocation_only);
	TEST(a_second_crash_adds_to_what_is_left_out);
	TEST(where_there_is_one_invocation_a_crash_is_tried_once_more);
	TEST(what_hung_is_left_out_of_all_that_follows);
	TEST(a_hang_in_a_single_invocation_is_not_tried_again);
	TEST(rubbish_and_floods_are_gone_on_behind);
	TEST(a_death_with_nothing_in_hand_ends_the_attempt);
	TEST(a_cut_with_nothing_in_hand_is_for_the_whole_stream_to_explain);
	TEST(a_failure_told_by_the_exit_status_ends_the_attempt);
	TEST(a_process_that_comes_no_further_ends_the_attempt);
	TEST(a_program_of_endless_names_comes_to_an_end);
	TEST(what_cannot_be_started_ends_the_attempt);
	TEST(what_was_lost_in_a_benchmark_begins_there_again);
	TEST(what_was_lost_between_benchmarks_goes_on_behind_the_last);
	TEST(what_was_lost_before_anything_begins_anew);
	TEST(what_was_lost_behind_its_end_record_is_complete);
	TEST(what_we_stopped_is_lost);
	TEST(bytes_come_in_any_pieces);
	g_test_add_func("/course/a_foreign_program_is_whole_where_it_ends_well",
		a_foreign_program_is_whole_where_it_ends_well);
	g_test_add_func("/course/a_foreign_program_that_dies_is_followed_by_none",
		a_foreign_program_that_dies_is_followed_by_none);
	g_test_add_func("/course/a_foreign_process_that_was_lost_is_started_again",
		a_foreign_process_that_was_lost_is_started_again);
	return g_test_run();
}
