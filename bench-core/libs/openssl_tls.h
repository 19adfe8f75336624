/* OpenSSL's TLS: part of openssl.c, where the profile has libssl. What is done with these steps is in
 * core/tls.c. */
/* libcrypto asks for the time as well. */
#include "tls_time.h"

#ifdef BENCH_LIBSSL

#include <openssl/ssl.h>

static SSL_CTX *tls_contexts[2];
static SSL *tls_ends[2];
static SSL_SESSION *tls_session;
static BIO_METHOD *tls_pipe;
static enum tls_side tls_sides[2] = {TLS_CLIENT, TLS_SERVER};

static int pipe_read(BIO *bio, char *bytes, int size)
{
	size_t got = tls_pipe_take(*(enum tls_side *)BIO_get_data(bio), bytes, (size_t)size);

	BIO_clear_retry_flags(bio);
	if (got == 0)
		BIO_set_retry_read(bio);
	return got > 0 ? (int)got : -1;
}

static int pipe_write(BIO *bio, const char *bytes, int size)
{
	return tls_pipe_put(*(enum tls_side *)BIO_get_data(bio), bytes, (size_t)size) ? size : -1;
}

static long pipe_control(BIO *bio, int command, long number, void *pointer)
{
	(void)bio;
	(void)number;
	(void)pointer;
	return command == BIO_CTRL_FLUSH;
}

static bool pipe_make(void)
{
	tls_pipe = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "pipe");
	return tls_pipe != NULL && BIO_meth_set_read(tls_pipe, pipe_read) == 1 &&
	       BIO_meth_set_write(tls_pipe, pipe_write) == 1 &&
	       BIO_meth_set_ctrl(tls_pipe, pipe_control) == 1;
}

static int tls_context(enum tls_side side, const struct tls_suite *suite)
{
	SSL_CTX *context = SSL_CTX_new(side == TLS_CLIENT ? TLS_client_method() : TLS_server_method());
	int version = (int)suite->version;

	tls_contexts[side] = context;
	if (context == NULL)
		return take_error();
	if (SSL_CTX_set_min_proto_version(context, version) != 1 ||
		SSL_CTX_set_max_proto_version(context, version) != 1)
		return tls_fail(NOT_COMPILED_IN, "the build has not this version of TLS");
	if (version >= TLS1_3_VERSION ? SSL_CTX_set_ciphersuites(context, suite->openssl) != 1
				      : SSL_CTX_set_cipher_list(context, suite->openssl) != 1)
		return tls_fail(NOT_COMPILED_IN, "the build has not this suite");
	X509_VERIFY_PARAM_set_time(SSL_CTX_get0_param(context), TLS_TIME);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	return result(SSL_CTX_set1_groups_list(context, "P-256") == 1);
}

static int tls_client(const struct tls_identity *identity)
{
	const unsigned char *der = identity->root;
	X509 *root = d2i_X509(NULL, &der, (long)identity->root_size);
	SSL_CTX *context = tls_contexts[TLS_CLIENT];
	bool good = root != NULL && X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root) == 1;

	X509_free(root);
	SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
	return result(good);
}

static EVP_PKEY *tls_group(void)
{
	OSSL_PARAM parameters[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"ffdhe2048", 0),
		OSSL_PARAM_construct_end()};
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
	EVP_PKEY *group = NULL;

	if (context != NULL && EVP_PKEY_fromdata_init(context) == 1)
		EVP_PKEY_fromdata(context, &group, EVP_PKEY_KEY_PARAMETERS, parameters);
	EVP_PKEY_CTX_free(context);
	return group;
}

static int tls_server(const struct tls_suite *suite, const struct tls_identity *identity)
{
	SSL_CTX *context = tls_contexts[TLS_SERVER];
	int kind = strcmp(suite->certificate, "rsa-2048") == 0 ? EVP_PKEY_RSA : EVP_PKEY_EC;
	EVP_PKEY *group = tls_group();

	/* As many as wolfSSL sends. */
	SSL_CTX_set_num_tickets(context, 1);
	/* What it takes is its own. */
	if (group == NULL || SSL_CTX_set0_tmp_dh_pkey(context, group) != 1) {
		EVP_PKEY_free(group);
		return take_error();
	}
	return result(
		SSL_CTX_use_certificate_ASN1(
			context, (int)identity->certificate_size, identity->certificate) == 1 &&
		SSL_CTX_use_PrivateKey_ASN1(kind, context, identity->key, (long)identity->key_size) == 1);
}

static int tls_begin(const struct tls_suite *suite, const struct tls_identity *identity)
{
	int error = result(pipe_make());

	if (error == 0)
		error = tls_context(TLS_CLIENT, suite);
	if (error == 0)
		error = tls_context(TLS_SERVER, suite);
	if (error == 0)
		error = tls_client(identity);
	return error == 0 ? tls_server(suite, identity) : error;
}

static void tls_close(enum tls_side side)
{
	/* A session whose connection was not closed in order is never taken up again. */
	if (tls_ends[side] != NULL)
		SSL_set_shutdown(tls_ends[side], SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
	SSL_free(tls_ends[side]);
	tls_ends[side] = NULL;
}

static void tls_end(void)
{
	SSL_SESSION_free(tls_session);
	tls_session = NULL;
	for (int side = TLS_CLIENT; side <= TLS_SERVER; side++) {
		SSL_CTX_free(tls_contexts[side]);
		tls_contexts[side] = NULL;
	}
	BIO_meth_free(tls_pipe);
	tls_pipe = NULL;
}

static int tls_open(enum tls_side side, bool resume)
{
	SSL *end = tls_ends[side] = SSL_new(tls_contexts[side]);
	BIO *bio = end != NULL ? BIO_new(tls_pipe) : NULL;

	if (bio == NULL)
		return take_error();
	BIO_set_data(bio, &tls_sides[side]);
	BIO_set_init(bio, 1);
	SSL_set_bio(end, bio, bio);
	if (side == TLS_CLIENT)
		SSL_set_connect_state(end);
	else
		SSL_set_accept_state(end);
	return result(!resume || SSL_set_session(end, tls_session) == 1);
}

/* That it waits for the other side is no error. */
static int tls_error(SSL *end, int status)
{
	int error = SSL_get_error(end, status);

	return error == SSL_ERROR_WANT_READ ? 0 : take_error();
}

static int tls_shake(enum tls_side side, bool *done)
{
	int status = SSL_do_handshake(tls_ends[side]);

	*done = status == 1;
	return *done ? 0 : tls_error(tls_ends[side], status);
}

static int tls_write(enum tls_side side, const unsigned char *bytes, size_t size)
{
	return result(SSL_write(tls_ends[side], bytes, (int)size) == (int)size);
}

static int tls_read(enum tls_side side, unsigned char *bytes, size_t room, size_t *got)
{
	int status = SSL_read(tls_ends[side], bytes, (int)room);

	*got = status > 0 ? (size_t)status : 0;
	return status > 0 ? 0 : tls_error(tls_ends[side], status);
}

static int tls_keep(void)
{
	tls_session = SSL_get1_session(tls_ends[TLS_CLIENT]);
	return tls_session != NULL && SSL_SESSION_is_resumable(tls_session) == 1
		       ? 0
		       : tls_fail(TLS_FAULT, "the client has no session to go on with");
}

static bool tls_resumed(enum tls_side side)
{
	return SSL_session_reused(tls_ends[side]) == 1;
}

static int tls_export(enum tls_side side, unsigned char bytes[32])
{
	static const char label[] = "EXPERIMENTAL-benchmatrix";

	return result(SSL_export_keying_material(
			      tls_ends[side], bytes, 32, label, sizeof(label) - 1, NULL, 0, 0) == 1);
}

static const struct tls_library tls_steps = {tls_begin, tls_end, tls_open, tls_close, tls_shake, tls_write,
	tls_read, tls_keep, tls_resumed, tls_export};

#define TLS_ROW(ID) TLS_PROVIDES(ID)
#else
#define TLS_ROW(ID) TLS_LACKS(ID, "the build has no TLS")
#endif
