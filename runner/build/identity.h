/* Which compiler, binutils and C library a toolchain's words mean on this machine. */
#ifndef BM_IDENTITY_H
#define BM_IDENTITY_H

#include "catalog.h"

#include <glib.h>
#include <stdbool.h>

/* Texts are the first line that the program prints about its version; unknown is NULL. */
struct identity {
	char *compiler;	       /* "gcc (Debian 12.2.0-14+deb12u1) 12.2.0" */
	char *compiler_sha256; /* over the driver and the compiler proper that it names */
	char *assembler, *linker;
	char *libc_sha256; /* of the static C library */
	bool maps_folders; /* takes -ffile-prefix-map */
	char **files;	   /* absolute paths of the files of which all this was found */
};

/* Asks the tools; runs several short programs. A compiler must know --version; what else it
 * is asked may stay unknown. DIAG_LACKS names what is missing and the packages to install.
 * Free with identity_free(). */
bool identity_probe(struct identity **ret, const struct toolchain *toolchain, const char *const *environment,
	GError **err);
void identity_free(struct identity *identity);

#endif
