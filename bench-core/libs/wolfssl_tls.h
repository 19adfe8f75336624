/* wolfSSL's TLS: part of wolfssl.c. What is done with these steps is in core/tls.c. */
#if defined(WOLFCRYPT_ONLY)
#define NO_TLS_HERE "the build has no TLS"
#elif defined(NO_WOLFSSL_CLIENT) || defined(NO_WOLFSSL_SERVER)
#define NO_TLS_HERE "the build has not both sides of TLS"
#endif

#ifndef NO_TLS_HERE
/* Before 5.0 tickets are made only by functions of the application's own. */
#if defined(HAVE_SESSION_TICKET) && !defined(WOLFSSL_NO_DEF_TICKET_ENC_CB) &&                                \
	LIBWOLFSSL_VERSION_HEX >= 0x05000000
#define HAS_TICKETS 1
#else
#define HAS_TICKETS 0
#endif

static WOLFSSL_CTX *tls_contexts[2];
static WOLFSSL *tls_ends[2];
static WOLFSSL_SESSION *tls_session;
static enum tls_side tls_sides[2] = {TLS_CLIENT, TLS_SERVER};
static const struct tls_suite *tls_wanted;

static int tls_receive(WOLFSSL *end, char *bytes, int size, void *side)
{
	size_t got = tls_pipe_take(*(enum tls_side *)side, bytes, (size_t)size);

	(void)end;
	return got > 0 ? (int)got : WOLFSSL_CBIO_ERR_WANT_READ;
}

static int tls_send(WOLFSSL *end, char *bytes, int size, void *side)
{
	(void)end;
	return tls_pipe_put(*(enum tls_side *)side, bytes, (size_t)size) ? size : WOLFSSL_CBIO_ERR_GENERAL;
}

static WOLFSSL_METHOD *tls_method(enum tls_side side)
{
#ifdef WOLFSSL_TLS13
	if (tls_wanted->version >= 0x0304)
		return side == TLS_CLIENT ? wolfTLSv1_3_client_method() : wolfTLSv1_3_server_method();
#endif
#ifndef WOLFSSL_NO_TLS12
	if (tls_wanted->version == 0x0303)
		return side == TLS_CLIENT ? wolfTLSv1_2_client_method() : wolfTLSv1_2_server_method();
#endif
	return NULL;
}

static int tls_context(enum tls_side side)
{
	WOLFSSL_METHOD *method = tls_method(side);

	if (method == NULL)
		return tls_fail(NOT_COMPILED_IN, tls_wanted->version >= 0x0304 ? "the build has no TLS 1.3"
									       : "the build has no TLS 1.2");
	/* The method is the context's from here on. */
	tls_contexts[side] = wolfSSL_CTX_new(method);
	if (tls_contexts[side] == NULL)
		return MEMORY_E;
	wolfSSL_CTX_SetIORecv(tls_contexts[side], tls_receive);
	wolfSSL_CTX_SetIOSend(tls_contexts[side], tls_send);
	if (wolfSSL_CTX_set_cipher_list(tls_contexts[side], tls_wanted->wolfssl) != WOLFSSL_SUCCESS)
		return tls_fail(NOT_COMPILED_IN, "the build has not this suite");
	return 0;
}

static int tls_client(const struct tls_identity *identity)
{
	WOLFSSL_CTX *context = tls_contexts[TLS_CLIENT];

	wolfSSL_CTX_set_verify(context, WOLFSSL_VERIFY_PEER, NULL);
	if (wolfSSL_CTX_load_verify_buffer(context, identity->root, (long)identity->root_size,
		    WOLFSSL_FILETYPE_ASN1) != WOLFSSL_SUCCESS)
		return tls_fail(TLS_FAULT, "the client does not take the root");
#ifdef HAVE_SUPPORTED_CURVES
	if (wolfSSL_CTX_UseSupportedCurve(context, WOLFSSL_ECC_SECP256R1) != WOLFSSL_SUCCESS)
		return tls_fail(NOT_COMPILED_IN, "the build has no P-256");
#endif
#if HAS_TICKETS
	if (wolfSSL_CTX_UseSessionTicket(context) != WOLFSSL_SUCCESS)
		return tls_fail(TLS_FAULT, "the client does not ask for tickets");
#endif
	return 0;
}

static int tls_server(const struct tls_identity *identity)
{
	WOLFSSL_CTX *context = tls_contexts[TLS_SERVER];

	if (wolfSSL_CTX_use_certificate_buffer(context, identity->certificate,
		    (long)identity->certificate_size, WOLFSSL_FILETYPE_ASN1) != WOLFSSL_SUCCESS ||
		wolfSSL_CTX_use_PrivateKey_buffer(context, identity->key, (long)identity->key_size,
			WOLFSSL_FILETYPE_ASN1) != WOLFSSL_SUCCESS)
		return tls_fail(TLS_FAULT, "the server does not take its certificate");
#ifndef NO_DH
	static const unsigned char generator[] = {2};
	if (wolfSSL_CTX_SetTmpDH(context, identity->dh_prime, (int)identity->dh_prime_size, generator,
		    sizeof(generator)) != WOLFSSL_SUCCESS)
		return tls_fail(TLS_FAULT, "the server does not take the group ffdhe2048");
#endif
	return 0;
}

static int tls_begin(const struct tls_suite *suite, const struct tls_identity *identity)
{
	int error;

	tls_wanted = suite;
	error = tls_context(TLS_CLIENT);
	if (error == 0)
		error = tls_context(TLS_SERVER);
	if (error == 0)
		error = tls_client(identity);
	return error == 0 ? tls_server(identity) : error;
}

static void tls_close(enum tls_side side)
{
	wolfSSL_free(tls_ends[side]);
	tls_ends[side] = NULL;
}

static void tls_end(void)
{
#if LIBWOLFSSL_VERSION_HEX >= 0x05000000
	wolfSSL_SESSION_free(tls_session);
#endif
	tls_session = NULL;
	for (int side = TLS_CLIENT; side <= TLS_SERVER; side++) {
		wolfSSL_CTX_free(tls_contexts[side]);
		tls_contexts[side] = NULL;
	}
}

static int tls_open(enum tls_side side, bool resume)
{
	WOLFSSL *end = tls_ends[side] = wolfSSL_new(tls_contexts[side]);

	if (end == NULL)
		return MEMORY_E;
	wolfSSL_SetIOReadCtx(end, &tls_sides[side]);
	wolfSSL_SetIOWriteCtx(end, &tls_sides[side]);
	if (resume && wolfSSL_set_session(end, tls_session) != WOLFSSL_SUCCESS)
		return tls_fail(TLS_FAULT, "the client does not take its session back");
#ifdef WOLFSSL_TLS13
	if (side == TLS_CLIENT && tls_wanted->version >= 0x0304 &&
		wolfSSL_UseKeyShare(end, WOLFSSL_ECC_SECP256R1) != WOLFSSL_SUCCESS)
		return tls_fail(TLS_FAULT, "the client makes no key in P-256");
#endif
	return 0;
}

/* That it waits for the other side is no error. */
static int tls_error(WOLFSSL *end, int status)
{
	int error = wolfSSL_get_error(end, status);

	return error == WOLFSSL_ERROR_WANT_READ ? 0 : error;
}

static int tls_shake(enum tls_side side, bool *done)
{
	int status = side == TLS_CLIENT ? wolfSSL_connect(tls_ends[side]) : wolfSSL_accept(tls_ends[side]);

	*done = status == WOLFSSL_SUCCESS;
	return *done ? 0 : tls_error(tls_ends[side], status);
}

static int tls_write(enum tls_side side, const unsigned char *bytes, size_t size)
{
	int status = wolfSSL_write(tls_ends[side], bytes, (int)size);

	if (status == (int)size)
		return 0;
	return status > 0 ? tls_fail(TLS_FAULT, "it wrote less than it was given")
			  : wolfSSL_get_error(tls_ends[side], status);
}

static int tls_read(enum tls_side side, unsigned char *bytes, size_t room, size_t *got)
{
	int status = wolfSSL_read(tls_ends[side], bytes, (int)room);

	*got = status > 0 ? (size_t)status : 0;
	return status > 0 ? 0 : tls_error(tls_ends[side], status);
}

static int tls_keep(void)
{
	if (tls_wanted->version >= 0x0304 && !HAS_TICKETS)
		return tls_fail(NOT_COMPILED_IN, "the build makes no session tickets by itself");
#if LIBWOLFSSL_VERSION_HEX >= 0x05000000
	tls_session = wolfSSL_get1_session(tls_ends[TLS_CLIENT]);
#else
	tls_session = wolfSSL_get_session(tls_ends[TLS_CLIENT]);
#endif
	return tls_session != NULL ? 0 : tls_fail(TLS_FAULT, "the client has no session to go on with");
}

static bool tls_resumed(enum tls_side side)
{
	return wolfSSL_session_reused(tls_ends[side]) == 1;
}

/* Its exporter needs what a connection otherwise frees behind the handshake: that would show in the heap. */
static const struct tls_library tls_steps = {
	tls_begin, tls_end, tls_open, tls_close, tls_shake, tls_write, tls_read, tls_keep, tls_resumed, NULL};

#define TLS_ROW(ID) TLS_PROVIDES(ID)
#else
#define TLS_ROW(ID) TLS_LACKS(ID, NO_TLS_HERE)
#endif
