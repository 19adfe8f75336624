/* The TLS benchmarks with a library that only looks like one, and goes wrong where it is told to. */
#include "tls.h"
#include "tls_certs.h"
#include "tls_wire.h"
#include "vectors.h"

#include <glib.h>
#include <string.h>

#define LACKS (-174)

/* --- the toy: a hello each, a Finished of the client, and records with a check octet at their end --- */

static const char *flaw = "";
static const struct tls_suite *chosen;
static bool resuming, started[2];
static int opened;

static bool has(const char *which)
{
	return strcmp(flaw, which) == 0;
}

static void send_record(enum tls_side side, unsigned type, const unsigned char *body, size_t size)
{
	const unsigned char header[] = {
		(unsigned char)type, 3, 3, (unsigned char)(size >> 8), (unsigned char)size};
	g_assert_true(tls_pipe_put(side, header, sizeof(header)));
	g_assert_true(tls_pipe_put(side, body, size));
}

static size_t take_record(enum tls_side side, unsigned *type, unsigned char *body)
{
	unsigned char header[5];
	if (tls_pipe_take(side, header, sizeof(header)) != sizeof(header))
		return 0;
	*type = header[0];
	size_t size = (size_t)(header[3] << 8 | header[4]);
	g_assert_cmpuint(tls_pipe_take(side, body, size), ==, size);
	return size;
}

/* RFC 8446, section 4.1.3, by hand: version, random, an empty session, suite, no compression, extensions. */
static void send_hello(void)
{
	unsigned code = has("suite") ? 0x1301 : chosen->code,
		 version = has("version") ? 0x0302 : chosen->version;
	bool tls13 = chosen->version == 0x0304;
	bool says_resumed = has("resumes") ? !resuming : resuming;
	unsigned char body[128] = {2, 0, 0, 0, 3, 3};
	size_t n = 4 + 2 + 32 + 1;
	body[n++] = (unsigned char)(code >> 8);
	body[n++] = (unsigned char)code;
	body[n++] = 0;
	if (tls13) {
		const unsigned char versions[] = {0, 43, 0, 2, 3, 4}, shared[] = {0, 41, 0, 2, 0, 0};
		body[n++] = 0;
		body[n++] = (unsigned char)(says_resumed ? 12 : 6);
		memcpy(body + n, versions, sizeof(versions));
		n += sizeof(versions);
		if (says_resumed) {
			memcpy(body + n, shared, sizeof(shared));
			n += sizeof(shared);
		}
	} else {
		body[4] = (unsigned char)(version >> 8);
		body[5] = (unsigned char)version;
	}
	body[3] = (unsigned char)(n - 4);
	send_record(TLS_SERVER, 22, body, n);
	if (!tls13 && !says_resumed) {
		const unsigned char certificate[] = {11, 0, 0, 3, 0, 0, 0};
		send_record(TLS_SERVER, 22, certificate, sizeof(certificate));
	}
	send_record(TLS_SERVER, 20, (const unsigned char *)"\1", 1);
}

static int toy_begin(const struct tls_suite *suite, const struct tls_identity *identity)
{
	g_assert_cmpuint(identity->dh_prime_size, ==, 256);
	chosen = suite;
	resuming = false;
	return has("lacks") ? tls_fail(LACKS, "the toy has not this suite") : 0;
}

static void toy_end(void)
{
}

static int toy_open(enum tls_side side, bool resume)
{
	if (side == TLS_CLIENT)
		resuming = resume;
	started[side] = false;
	opened++;
	return 0;
}

static void toy_close(enum tls_side side)
{
	(void)side;
}

static int toy_shake(enum tls_side side, bool *done)
{
	unsigned char body[256];
	unsigned type;
	*done = false;
	if (has("endless"))
		return 0;
	if (side == TLS_CLIENT && !started[side]) {
		started[side] = true;
		send_record(side, 22, (const unsigned char *)"\1hello", 6);
		return 0;
	}
	if (side == TLS_CLIENT) {
		while (take_record(side, &type, body) > 0)
			;
		send_record(side, 22, (const unsigned char *)"finished", 8);
		*done = true;
		return 0;
	}
	if (take_record(side, &type, body) == 0)
		return 0;
	if (!started[side]) {
		started[side] = true;
		send_hello();
		return 0;
	}
	*done = true;
	return body[7] == 'd' || has("forged-finished") ? 0 : -313;
}

static int toy_write(enum tls_side side, const unsigned char *bytes, size_t size)
{
	unsigned char body[TLS_RECORD_MAX + 1], sum = 0;
	for (size_t i = 0; i < size; i++) {
		body[i] = bytes[i] ^ 0x5a;
		sum ^= body[i];
	}
	body[size] = sum;
	if (has("splits")) {
		send_record(side, 23, body, 0);
	}
	if (has("alters") && size > 100)
		body[0] ^= 1, body[size] ^= 1;
	send_record(side, 23, body, size + 1);
	return 0;
}

static int toy_read(enum tls_side side, unsigned char *bytes, size_t room, size_t *got)
{
	unsigned char body[TLS_RECORD_MAX + 1], sum = 0;
	unsigned type = 0;
	static int calls;
	size_t size = has("idles") && ++calls % 3 == 0 ? 0 : take_record(side, &type, body);
	while (size > 0 && type != 23)
		size = take_record(side, &type, body);
	*got = 0;
	if (size <= 1)
		return 0;
	for (size_t i = 0; i < size; i++)
		sum ^= body[i];
	if (sum != 0 && !has("forged-record"))
		return -305;
	*got = MIN(size - 1, room);
	for (size_t i = 0; i < *got; i++)
		bytes[i] = body[i] ^ 0x5a;
	return 0;
}

static int toy_keep(void)
{
	return 0;
}

static bool toy_resumed(enum tls_side side)
{
	return has("disagrees") && side == TLS_CLIENT ? !resuming : resuming;
}

static int toy_export(enum tls_side side, unsigned char bytes[32])
{
	memset(bytes, has("exports") ? (int)side : 7, 32);
	return 0;
}

static const struct tls_library toy = {toy_begin, toy_end, toy_open, toy_close, toy_shake, toy_write,
	toy_read, toy_keep, toy_resumed, toy_export};

/* --- one benchmark from setup to answer, as core/bench.c runs it --- */

static unsigned char input[20000], output[20000];

static struct core_work work_of(const char *algorithm, const char *operation, size_t block)
{
	for (size_t i = 0; i < sizeof(input); i++)
		input[i] = (unsigned char)(i * 7);
	vectors_reset();
	return (struct core_work){
		.algorithm = algorithm, .operation = operation, .in = input, .in_size = block, .out = output};
}

/* NULL: all went well. */
static const char *shaken(const char *algorithm, bool resume, const char *with)
{
	static struct core_why why;
	struct core_work work = work_of(algorithm, resume ? "resume-in-memory" : "handshake-in-memory", 0);
	flaw = with;
	tls_use(&toy, LACKS);
	int error = tls_setup(&work);
	if (error == 0)
		error = resume ? tls_resume_run(&work) : tls_handshake_run(&work);
	bool good = error == 0 && tls_handshake_answer(&work, &why);
	tls_done();
	if (error != 0)
		return tls_words(error);
	return good ? NULL : why.text;
}

static const char *carried(const char *operation, size_t block, uint64_t n, const char *with)
{
	static struct core_why why;
	struct core_work work = work_of("tls13-rsa-aes128-gcm-sha256", operation, block);
	flaw = with;
	tls_use(&toy, LACKS);
	int error = tls_setup(&work);
	if (error == 0)
		error = tls_prepare(&work, &n);
	for (uint64_t i = 0; error == 0 && i < n; i++)
		error = operation[0] == 'r' ? tls_read_run(&work) : tls_write_run(&work);
	bool good = error == 0 && tls_data_answer(&work, &why);
	tls_done();
	if (error != 0)
		return tls_words(error);
	if (good) {
		g_assert_cmpuint(work.out_size, ==, block);
		g_assert_cmpmem(work.out, block, input, block);
	}
	return good ? NULL : why.text;
}

/* --- tests --- */

static const char tls12[] = "tls12-ecdhe-ecdsa-aes128-gcm-sha256", tls13[] = "tls13-ecdsa-aes128-gcm-sha256";

static void takes_a_handshake_that_is_right(void)
{
	for (int resume = 0; resume <= 1; resume++) {
		g_assert_cmpstr(shaken(tls12, resume, ""), ==, NULL);
		g_assert_cmpstr(shaken(tls13, resume, ""), ==, NULL);
	}
}

static void refuses_another_suite_or_version(void)
{
	g_assert_cmpstr(shaken(tls12, false, "suite"), ==,
		"the server chose version 0x0303 and suite 0x1301, expected 0x0303 and 0xc02b");
	g_assert_cmpstr(shaken(tls12, false, "version"), ==,
		"the server chose version 0x0302 and suite 0xc02b, expected 0x0303 and 0xc02b");
}

static void refuses_a_session_where_none_was_asked_for_and_the_other_way_round(void)
{
	g_assert_cmpstr(shaken(tls12, false, "resumes"), ==, "the server went on with a session");
	g_assert_cmpstr(shaken(tls13, false, "resumes"), ==, "the server went on with a session");
	g_assert_cmpstr(shaken(tls12, true, "disagrees"), ==,
		"the two sides do not agree that it goes on with a session");
}

static void refuses_sides_that_do_not_agree(void)
{
	g_assert_cmpstr(shaken(tls13, false, "disagrees"), ==,
		"the two sides do not agree that it is a full handshake");
	g_assert_cmpstr(
		shaken(tls13, false, "exports"), ==, "the two sides export different keying material");
	g_assert_cmpstr(shaken(tls13, false, "forged-finished"), ==, "a forged Finished was taken");
	g_assert_cmpstr(shaken(tls13, false, "endless"), ==, "the handshake came to no end");
}

static void says_why_the_build_lacks_it(void)
{
	g_assert_cmpstr(shaken(tls13, false, "lacks"), ==, "the toy has not this suite");
	g_assert_cmpstr(
		carried("read-in-memory", 16385, 1, ""), ==, "a record of TLS holds 16384 bytes at most");
	/* Only once, and only for the error that it was said of. */
	g_assert_null(tls_words(LACKS));
	tls_fail(LACKS, "words");
	g_assert_null(tls_words(LACKS + 1));
}

static void takes_data_that_is_right(void)
{
	for (size_t i = 0; i < 2; i++) {
		const char *operation = i == 0 ? "read-in-memory" : "write-in-memory";
		g_assert_cmpstr(carried(operation, 64, 1, ""), ==, NULL);
		g_assert_cmpstr(carried(operation, 1024, 50, ""), ==, NULL);
		g_assert_cmpstr(carried(operation, 16384, 1000000, ""), ==, NULL);
	}
}

static void refuses_data_that_is_wrong(void)
{
	for (size_t i = 0; i < 2; i++) {
		const char *operation = i == 0 ? "read-in-memory" : "write-in-memory";
		g_assert_cmpstr(carried(operation, 1024, 3, "alters"), ==,
			"the bytes read are not the bytes written");
		g_assert_cmpstr(
			carried(operation, 1024, 3, "forged-record"), ==, "a forged record was taken");
		g_assert_cmpstr(
			carried(operation, 1024, 3, "resumes"), ==, "the server went on with a session");
	}
	g_assert_cmpstr(carried("read-in-memory", 1024, 4, "idles"), ==, "more was written than was read");
	g_assert_cmpstr(carried("write-in-memory", 1024, 3, "splits"), ==,
		"what was written did not go out as one record for each write");
}

/* 1 MiB holds 63 records of 16384 bytes and 128 besides. */
static void makes_no_more_records_than_there_is_room_for(void)
{
	struct core_work work = work_of(tls13, "read-in-memory", 16384);
	uint64_t many = 1000, few = 3;
	flaw = "";
	tls_use(&toy, LACKS);
	g_assert_cmpint(tls_setup(&work), ==, 0);
	g_assert_cmpint(tls_prepare(&work, &many), ==, 0);
	g_assert_cmpuint(many, ==, 63);
	g_assert_cmpint(tls_prepare(&work, &few), ==, 0);
	g_assert_cmpuint(few, ==, 3);
	tls_done();
}

/* Each operation of a handshake is a whole one. */
static void makes_new_connections_each_time(void)
{
	struct core_work work = work_of(tls13, "handshake-in-memory", 0);
	flaw = "";
	tls_use(&toy, LACKS);
	g_assert_cmpint(tls_setup(&work), ==, 0);
	opened = 0;
	for (int i = 0; i < 3; i++)
		g_assert_cmpint(tls_handshake_run(&work), ==, 0);
	g_assert_cmpint(opened, ==, 6);
	tls_done();
}

static void reads_no_further_than_the_bytes_go(void)
{
	struct core_work work = work_of(tls13, "handshake-in-memory", 0);
	struct core_why why;
	size_t size;
	flaw = "";
	tls_use(&toy, LACKS);
	g_assert_cmpint(tls_setup(&work), ==, 0);
	g_assert_cmpint(tls_handshake_run(&work), ==, 0);
	const unsigned char *sent = tls_pipe_sent(TLS_SERVER, &size);
	/* The record of the ServerHello: 5 and 4 before, then 42 and the extensions of 8 octets. */
	const size_t hello = 5 + 4 + 2 + 32 + 1 + 2 + 1 + 2 + 6;
	for (size_t cut = 0; cut <= size; cut++) {
		g_autofree unsigned char *copy = g_memdup2(sent, cut);
		bool good = tls_wire_negotiated(copy, cut, tls_suite(tls13), false, &why);
		g_assert_cmpint(good, ==, cut >= hello);
	}
	tls_done();
}

static void counts_whole_records_alone(void)
{
	static const unsigned char two[] = {23, 3, 3, 0, 1, 'a', 23, 3, 3, 0, 2, 'b', 'c'};
	static const unsigned char alert[] = {23, 3, 3, 0, 1, 'a', 21, 3, 3, 0, 2, 1, 0};
	g_assert_cmpuint(tls_wire_records(two, sizeof(two)), ==, 2);
	g_assert_cmpuint(tls_wire_records(two, sizeof(two) - 1), ==, 0);
	g_assert_cmpuint(tls_wire_records(two, 0), ==, 0);
	g_assert_cmpuint(tls_wire_records(alert, sizeof(alert)), ==, 0);
}

static void refuses_to_send_what_there_is_no_room_for(void)
{
	static unsigned char much[TLS_PIPE_ROOM];
	unsigned char one;
	tls_pipe_reset();
	g_assert_true(tls_pipe_put(TLS_CLIENT, much, sizeof(much)));
	g_assert_false(tls_pipe_put(TLS_CLIENT, much, 1));
	g_assert_cmpuint(tls_pipe_left(TLS_CLIENT), ==, TLS_PIPE_ROOM);
	g_assert_cmpuint(tls_pipe_take(TLS_SERVER, &one, 1), ==, 1);
	g_assert_cmpuint(tls_pipe_left(TLS_CLIENT), ==, TLS_PIPE_ROOM - 1);
	g_assert_cmpuint(tls_pipe_take(TLS_CLIENT, &one, 1), ==, 0);
	tls_pipe_reset();
	g_assert_cmpuint(tls_pipe_left(TLS_CLIENT), ==, 0);
}

static void knows_every_suite_and_its_certificate(void)
{
	static const char *const algorithms[] = {
#define TLS_SUITE(ID, algorithm, ...) algorithm,
#include "tls_suites.def"
#undef TLS_SUITE
	};
	for (size_t i = 0; i < G_N_ELEMENTS(algorithms); i++) {
		struct tls_identity identity;
		vectors_reset();
		g_assert_true(tls_identity(&identity, tls_suite(algorithms[i])->certificate));
		g_assert_cmpuint(identity.certificate[0], ==, 0x30);
	}
	g_assert_null(tls_suite("tls13-null"));
}

/* Written by a script from fixed keys, and verified there by another program. */
static void has_the_certificates_that_the_script_writes(void)
{
	const char *argv[] = {"/usr/bin/python3", BM_SOURCE "/bench-core/certs.py", "--check", NULL};
	g_autofree char *output_text = NULL;
	g_autoptr(GError) error = NULL;
	int status;
	g_spawn_sync(
		NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output_text, NULL, &status, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(output_text, ==, "");
	g_assert_cmpint(status, ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/core_tls/takes_a_handshake_that_is_right", takes_a_handshake_that_is_right);
	g_test_add_func("/core_tls/refuses_another_suite_or_version", refuses_another_suite_or_version);
	g_test_add_func("/core_tls/refuses_a_session_where_none_was_asked_for_and_the_other_way_round",
		refuses_a_session_where_none_was_asked_for_and_the_other_way_round);
	g_test_add_func("/core_tls/refuses_sides_that_do_not_agree", refuses_sides_that_do_not_agree);
	g_test_add_func("/core_tls/says_why_the_build_lacks_it", says_why_the_build_lacks_it);
	g_test_add_func("/core_tls/takes_data_that_is_right", takes_data_that_is_right);
	g_test_add_func("/core_tls/refuses_data_that_is_wrong", refuses_data_that_is_wrong);
	g_test_add_func("/core_tls/makes_no_more_records_than_there_is_room_for",
		makes_no_more_records_than_there_is_room_for);
	g_test_add_func("/core_tls/makes_new_connections_each_time", makes_new_connections_each_time);
	g_test_add_func("/core_tls/reads_no_further_than_the_bytes_go", reads_no_further_than_the_bytes_go);
	g_test_add_func("/core_tls/counts_whole_records_alone", counts_whole_records_alone);
	g_test_add_func("/core_tls/refuses_to_send_what_there_is_no_room_for",
		refuses_to_send_what_there_is_no_room_for);
	g_test_add_func(
		"/core_tls/knows_every_suite_and_its_certificate", knows_every_suite_and_its_certificate);
	g_test_add_func("/core_tls/has_the_certificates_that_the_script_writes",
		has_the_certificates_that_the_script_writes);
	return g_test_run();
}
