#include "tls_certs.h"

#include "vectors.h"

#include <string.h>

static const struct {
	const char *kind, *root, *certificate, *key;
} rows[] = {
#define TLS_CERTS(kind, root, certificate, key) {kind, root, certificate, key},
#include "tls_certs.def"
#undef TLS_CERTS
};

bool tls_identity(struct tls_identity *ret, const char *kind)
{
	const struct core_keys *group = vectors_keys("dh-2048");
	size_t i = 0;

	while (i < sizeof(rows) / sizeof(rows[0]) && strcmp(rows[i].kind, kind) != 0)
		i++;
	if (i == sizeof(rows) / sizeof(rows[0]) || group == NULL)
		return false;
	ret->root = vectors_bytes(rows[i].root, &ret->root_size);
	ret->certificate = vectors_bytes(rows[i].certificate, &ret->certificate_size);
	ret->key = vectors_bytes(rows[i].key, &ret->key_size);
	ret->dh_prime = vectors_bytes(group->prime, &ret->dh_prime_size);
	return ret->root != NULL && ret->certificate != NULL && ret->key != NULL && ret->dh_prime != NULL;
}
