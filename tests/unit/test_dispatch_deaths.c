/* A process that died: what it costs, and what comes after it. */
#include "dispatch_rows.h"

static void a_crash_costs_no_other_benchmark(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME,
		"turn 1\n" HEADER("time") RSA_START "err it burns\nsignal 7\n"
						    "turn 2\nwhen --skip " RSA_NAME "\n" HEADER("time")
							    AES_ALL END(4) "always\nturn 3\n" HEADER("time")
								    RSA_ALL AES_ALL END(7));
	run(&w, false);
	check_cell(&w, "sp time", "partial", "crashed", "signal 7 (SIGBUS) in rsa-2048 private: it burns");
	check_rows(&w, PROCESSES,
		"0|0|signal 7 (SIGBUS)|-\n"
		"1|0|exit status 0|\"--from\",\"" RSA_NAME "\",\"--skip\",\"" RSA_NAME "\"]\n"
		"2|1|exit status 0|-\n");
	check_rows(&w, OUTCOMES,
		"aes-128-cbc encrypt|ok|-\n"
		"rsa-2048 private|flaky|crashed in invocation 0 (signal 7 (SIGBUS): it burns), then ok in "
		"invocation 1\n");
	/* 1100 ns for 16384 bytes. */
	check_rows(&w, SAMPLES_OF, "aes-128-cbc encrypt|6|6.7138671875e-11\n");
	close_world(&w);
}

static void a_crash_of_a_count_is_tried_once_more(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_COUNT,
		"turn 1\n" HEADER("count") RSA_START "signal 11\n"
						     "turn 2\nwhen --from " RSA_NAME "\n" HEADER("count")
							     RSA_START
		"signal 11\n"
		"always\nturn 3\nwhen --skip " RSA_NAME "\n" HEADER("count") START COUNT REGION OK END(4));
	run(&w, false);
	check_cell(&w, "sp count", "partial", "crashed", "signal 11 (SIGSEGV) in rsa-2048 private");
	check_rows(&w, PROCESSES,
		"0|0|signal 11 (SIGSEGV)|-\n"
		"1|0|signal 11 (SIGSEGV)|\"--from\",\"" RSA_NAME "\"]\n"
		"2|0|exit status 0|\"--from\",\"" RSA_NAME "\",\"--skip\",\"" RSA_NAME "\"]\n");
	check_rows(&w, OUTCOMES, "aes-128-cbc encrypt|ok|-\nrsa-2048 private|crashed|signal 11 (SIGSEGV)\n");
	close_world(&w);
}

static void what_hung_is_left_out_later(void)
{
	struct world w;

	open_world(&w);
	w.matrix.deadlines.silence = 1;
	add(&w, "sp", AGENT_TIME,
		"turn 1\n" HEADER("time") RSA_START
		"hang\n"
		"turn 2\n" HEADER("time") AES_ALL END(4) "turn 3\nwhen --skip " RSA_NAME "\n" HEADER("time")
			AES_ALL END(4));
	run(&w, false);
	check_cell(&w, "sp time", "partial", "timeout", "no output for 1 s in rsa-2048 private");
	check_rows(&w,
		"SELECT invocation, ended, instr(argv, '\"--skip\",\"" RSA_NAME "\"') > 0 FROM process",
		"0|no output for 1 s|0\n0|exit status 0|1\n1|exit status 0|1\n");
	check_rows(&w, OUTCOMES, "aes-128-cbc encrypt|ok|-\nrsa-2048 private|timeout|no output for 1 s\n");
	close_world(&w);
}

static void rubbish_costs_no_other_benchmark(void)
{
	struct world w;

	open_world(&w);
	add(&w, "sp", AGENT_TIME,
		"turn 1\n" HEADER("time") RSA_START
		"out <<<\npart {\"r\":\n"
		"turn 2\n" HEADER("time") AES_ALL END(4) "turn 3\n" HEADER("time") AES_ALL RSA_ALL END(7));
	run(&w, false);
	check_cell(&w, "sp time", "partial", "truncated", "invocation 0: no end record in rsa-2048 private");
	check_rows(&w, SAMPLES_OF, "aes-128-cbc encrypt|6|6.7138671875e-11\n");
	close_world(&w);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	child_set_supervisor(SUPERVISOR);
#define TEST(f) g_test_add_func("/deaths/" #f, f)
	TEST(a_crash_costs_no_other_benchmark);
	TEST(a_crash_of_a_count_is_tried_once_more);
	TEST(what_hung_is_left_out_later);
	TEST(rubbish_costs_no_other_benchmark);
	return g_test_run();
}
