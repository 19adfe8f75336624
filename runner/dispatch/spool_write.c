#include "spool_frames.h"
#include "spool_private.h"

#include "diag.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

struct spool_file {
	char *path;
	int fd;	      /* -1 between processes */
	int64_t good; /* its length up to the last whole frame */
};

static bool fail(const struct spool_file *file, GError **err)
{
	bool full = errno == ENOSPC || errno == EDQUOT;

	return diag_set(err, DIAG_FAILED, "%s: cannot be written: %s%s", file->path, g_strerror(errno),
		full ? "; free some space" : "");
}

static bool write_all(int fd, const guint8 *bytes, size_t length)
{
	while (length > 0) {
		ssize_t put = write(fd, bytes, length);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return false;
		bytes += put;
		length -= (size_t)put;
	}
	return true;
}

/* All or nothing: what was written in part is cut off again. */
static bool put(struct spool_file *file, GByteArray *frames, GError **err)
{
	bool ok = write_all(file->fd, frames->data, frames->len);

	if (ok) {
		file->good += frames->len;
	} else {
		fail(file, err);
		/* What stays would end the file for every reader, and nothing is lost by it. */
		(void)!ftruncate(file->fd, file->good);
		(void)lseek(file->fd, file->good, SEEK_SET);
	}
	g_byte_array_unref(frames);
	return ok;
}

static bool put_text(struct spool_file *file, char type, char *text, GError **err)
{
	GByteArray *frames = g_byte_array_new();

	spool_frame_append(frames, type, text, strlen(text));
	g_free(text);
	return put(file, frames, err);
}

static bool open_again(struct spool_file *file, GError **err)
{
	if (file->fd >= 0)
		return true;
	file->fd = open(file->path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	return (file->fd >= 0 && lseek(file->fd, file->good, SEEK_SET) >= 0) || fail(file, err);
}

static bool close_synced(struct spool_file *file, GError **err)
{
	bool ok = fsync(file->fd) == 0 || fail(file, err);

	close(file->fd);
	file->fd = -1;
	return ok;
}

bool spool_begin(
	struct spool_file **ret, const struct spool *spool, const struct spool_head *head, GError **err)
{
	struct spool_file *file = g_new0(struct spool_file, 1);

	file->path = g_build_filename(spool_folder(spool), head->uuid, NULL);
	file->fd = open(file->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file->fd < 0) {
		fail(file, err);
		spool_file_free(file);
		return false;
	}
	if (!put_text(file, SPOOL_HEAD, spool_head_text(head), err)) {
		unlink(file->path);
		spool_file_free(file);
		return false;
	}
	*ret = file;
	return true;
}

/* The length of what holds. */
static bool measure(struct spool_file *file, GError **err)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool more = true, ok = true;

	if (fd < 0)
		return diag_set(err, DIAG_FAILED, "%s: cannot be read: %s", file->path, g_strerror(errno));
	struct spool_cursor cursor = {.fd = fd, .payload = g_byte_array_new()};
	while (ok && more)
		ok = spool_cursor_next(&cursor, &more, file->path, err);
	close(fd);
	g_byte_array_unref(cursor.payload);
	file->good = cursor.good;
	return ok;
}

bool spool_reopen(struct spool_file **ret, const char *path, GError **err)
{
	struct spool_file *file = g_new0(struct spool_file, 1);

	file->path = g_strdup(path);
	file->fd = -1;
	bool ok = measure(file, err) && open_again(file, err) &&
		  (ftruncate(file->fd, file->good) == 0 || fail(file, err)) && close_synced(file, err);
	if (!ok) {
		spool_file_free(file);
		return false;
	}
	*ret = file;
	return true;
}

bool spool_put_begin(struct spool_file *file, const struct spool_process *process, GError **err)
{
	return open_again(file, err) && put_text(file, SPOOL_BEGIN, spool_process_text(process), err);
}

bool spool_put_bytes(struct spool_file *file, int stream, const char *bytes, size_t length, GError **err)
{
	GByteArray *frames = g_byte_array_new();

	while (length > 0) {
		size_t part = MIN(length, SPOOL_PAYLOAD_MAX);
		spool_frame_append(frames, stream == 1 ? SPOOL_OUTPUT : SPOOL_ERRORS, bytes, part);
		bytes += part;
		length -= part;
	}
	return put(file, frames, err);
}

bool spool_put_end(struct spool_file *file, const struct spool_end *end, GError **err)
{
	return put_text(file, SPOOL_END, spool_end_text(end), err) && close_synced(file, err);
}

bool spool_put_finished(struct spool_file *file, GError **err)
{
	return open_again(file, err) && put_text(file, SPOOL_FINISHED, g_strdup(""), err) &&
	       close_synced(file, err);
}

const char *spool_file_path(const struct spool_file *file)
{
	return file->path;
}

void spool_file_free(struct spool_file *file)
{
	if (file == NULL)
		return;
	if (file->fd >= 0)
		close(file->fd);
	g_free(file->path);
	g_free(file);
}
