#include "spool_frames.h"

#include "diag.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Type, length, checksum. */
enum { AT_LENGTH = 1, AT_CRC = 5, HEADER = 9 };

static void put_u32(guint8 *at, uint32_t value)
{
	value = GUINT32_TO_LE(value);
	memcpy(at, &value, sizeof value);
}

static uint32_t get_u32(const guint8 *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return GUINT32_FROM_LE(value);
}

static uint32_t checksum(const guint8 header[HEADER], const void *payload, size_t length)
{
	uLong crc = crc32(crc32(0, NULL, 0), header, AT_CRC);

	/* zlib takes a missing buffer as the wish to begin anew. */
	return (uint32_t)(length > 0 ? crc32(crc, payload, (uInt)length) : crc);
}

void spool_frame_append(GByteArray *bytes, char type, const void *payload, size_t length)
{
	guint8 header[HEADER] = {(guint8)type};

	g_assert(length <= SPOOL_PAYLOAD_MAX);
	put_u32(header + AT_LENGTH, (uint32_t)length);
	put_u32(header + AT_CRC, checksum(header, payload, length));
	g_byte_array_append(bytes, header, HEADER);
	g_byte_array_append(bytes, payload, (guint)length);
}

/* Reads `length` bytes; *ret is false where the file ends before. */
static bool read_exactly(
	struct spool_cursor *cursor, bool *ret, guint8 *bytes, size_t length, const char *path, GError **err)
{
	while (length > 0) {
		ssize_t got = read(cursor->fd, bytes, length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return diag_set(err, DIAG_FAILED, "%s: cannot be read: %s", path, g_strerror(errno));
		if (got == 0)
			break;
		bytes += got;
		length -= (size_t)got;
	}
	*ret = length == 0;
	return true;
}

bool spool_cursor_next(struct spool_cursor *cursor, bool *ret, const char *path, GError **err)
{
	guint8 header[HEADER];

	if (!read_exactly(cursor, ret, header, HEADER, path, err))
		return false;
	uint32_t length = *ret ? get_u32(header + AT_LENGTH) : 0;
	*ret = *ret && length <= SPOOL_PAYLOAD_MAX;
	if (!*ret)
		return true;
	g_byte_array_set_size(cursor->payload, length + 1);
	if (!read_exactly(cursor, ret, cursor->payload->data, length, path, err))
		return false;
	*ret = *ret && get_u32(header + AT_CRC) == checksum(header, cursor->payload->data, length);
	cursor->payload->data[length] = '\0';
	g_byte_array_set_size(cursor->payload, length);
	cursor->type = (char)header[0];
	cursor->good += *ret ? HEADER + (int64_t)length : 0;
	return true;
}
