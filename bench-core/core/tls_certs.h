/* The certificates of the TLS benchmarks: rows of tls_certs.def. */
#ifndef CORE_TLS_CERTS_H
#define CORE_TLS_CERTS_H

#include "tls.h"

/* The certificates and the key of this kind, and the prime of ffdhe2048. They stay until vectors_reset().
 * False: there is no such kind, or no room. */
bool tls_identity(struct tls_identity *ret, const char *kind);

#endif
