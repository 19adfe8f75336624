#include "spool_frames.h"

#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <unistd.h>

struct reading {
	const struct spool_visitor *visitor;
	bool head; /* it was there */
	bool over; /* a frame that nobody writes there: damaged, as the rest is */
};

static bool read_head(struct reading *reading, const char *text, GError **err)
{
	const struct spool_visitor *visitor = reading->visitor;
	struct spool_head head;
	json_t *owner;
	bool ok = true;

	reading->over = reading->head || !spool_head_parse(&head, &owner, text);
	if (reading->head)
		return true;
	reading->head = !reading->over;
	if (reading->head && visitor->head != NULL)
		ok = visitor->head(&head, visitor->user, err);
	json_decref(owner);
	return ok;
}

static bool read_begin(struct reading *reading, const char *text, GError **err)
{
	const struct spool_visitor *visitor = reading->visitor;
	struct spool_process process;
	json_t *owner;
	bool ok = true;

	reading->over = !spool_process_parse(&process, &owner, text);
	if (!reading->over && visitor->begin != NULL)
		ok = visitor->begin(&process, visitor->user, err);
	json_decref(owner);
	return ok;
}

static bool read_end(struct reading *reading, const char *text, GError **err)
{
	const struct spool_visitor *visitor = reading->visitor;
	struct spool_end end;
	json_t *owner;
	bool ok = true;

	reading->over = !spool_end_parse(&end, &owner, text);
	if (!reading->over && visitor->end != NULL)
		ok = visitor->end(&end, visitor->user, err);
	json_decref(owner);
	return ok;
}

static bool read_frame(struct reading *reading, const struct spool_cursor *cursor, GError **err)
{
	const struct spool_visitor *visitor = reading->visitor;
	const char *text = (const char *)cursor->payload->data;

	if (!reading->head && cursor->type != SPOOL_HEAD) {
		reading->over = true;
		return true;
	}
	switch (cursor->type) {
	case SPOOL_HEAD:
		return read_head(reading, text, err);
	case SPOOL_BEGIN:
		return read_begin(reading, text, err);
	case SPOOL_OUTPUT:
	case SPOOL_ERRORS:
		return visitor->bytes == NULL || visitor->bytes(cursor->type == SPOOL_OUTPUT ? 1 : 2, text,
							 cursor->payload->len, visitor->user, err);
	case SPOOL_END:
		return read_end(reading, text, err);
	case SPOOL_FINISHED:
		return visitor->finished == NULL || visitor->finished(visitor->user, err);
	default:
		reading->over = true;
		return true;
	}
}

static bool read_frames(struct reading *reading, struct spool_cursor *cursor, const char *path, GError **err)
{
	bool more = true;

	while (more && !reading->over)
		if (!spool_cursor_next(cursor, &more, path, err) ||
			(more && !read_frame(reading, cursor, err)))
			return false;
	return true;
}

bool spool_read(const char *path, const struct spool_visitor *visitor, GError **err)
{
	struct reading reading = {.visitor = visitor};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return diag_set(err, DIAG_FAILED, "%s: cannot be read: %s", path, g_strerror(errno));
	struct spool_cursor cursor = {.fd = fd, .payload = g_byte_array_new()};
	bool ok = read_frames(&reading, &cursor, path, err);
	close(fd);
	g_byte_array_unref(cursor.payload);
	if (ok && !reading.head)
		return diag_set(
			err, DIAG_INPUT, "%s: is no attempt's spool file: its head is not whole", path);
	return ok;
}
