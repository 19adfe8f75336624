#include "diag.h"
#include "export.h"

#include <zlib.h>

/* zlib's: the largest window, and a gzip head around it. */
#define WINDOW_BITS (15 + 16)
#define PIECE	    65536

struct packing {
	z_stream stream;
	GByteArray *bytes;
	GChecksum *sha256;
};

static void deflate_all(struct packing *packing, int flush)
{
	guint8 piece[PIECE];

	do {
		packing->stream.next_out = piece;
		packing->stream.avail_out = sizeof piece;
		deflate(&packing->stream, flush);
		g_byte_array_append(packing->bytes, piece, PIECE - packing->stream.avail_out);
	} while (packing->stream.avail_out == 0);
}

static bool take(void *user, const char *bytes, size_t length, GError **err)
{
	struct packing *packing = user;

	if (packing->bytes->len > G_MAXINT32)
		return diag_set(err, DIAG_USAGE, "more than 2 GiB in one piece; narrow the selector");
	g_checksum_update(packing->sha256, (const guchar *)bytes, (gssize)length);
	packing->stream.next_in = (Bytef *)bytes;
	packing->stream.avail_in = (uInt)length;
	deflate_all(packing, Z_NO_FLUSH);
	return true;
}

bool export_packed(GByteArray **ret, char **ret_sha256, struct export_count *ret_count,
	const struct exporter *exporter, const struct export_set *set, const struct export_options *options,
	GError **err)
{
	struct packing packing = {.bytes = g_byte_array_new(), .sha256 = g_checksum_new(G_CHECKSUM_SHA256)};
	struct export_target target = {take, &packing};

	/* Fails only for want of memory or a wrong argument. */
	int code = deflateInit2(
		&packing.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW_BITS, 8, Z_DEFAULT_STRATEGY);
	g_assert(code == Z_OK);
	bool ok = export_write(ret_count, exporter, set, options, &target, err);
	if (ok)
		deflate_all(&packing, Z_FINISH);
	deflateEnd(&packing.stream);
	if (ok) {
		*ret_sha256 = g_strdup(g_checksum_get_string(packing.sha256));
		*ret = packing.bytes;
	} else {
		g_byte_array_unref(packing.bytes);
	}
	g_checksum_free(packing.sha256);
	return ok;
}
