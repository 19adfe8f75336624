/* The frames of a spool file as bytes, and what they hold as JSON. For the spool's own files only. */
#ifndef BM_SPOOL_FRAMES_H
#define BM_SPOOL_FRAMES_H

#include "spool.h"

#define SPOOL_PAYLOAD_MAX (1u << 20)

/* Appends a frame; `length` is at most SPOOL_PAYLOAD_MAX. */
void spool_frame_append(GByteArray *bytes, char type, const void *payload, size_t length);

/* Frames one after the other, from a file that is open for reading. Begin with {.fd = fd, .payload =
 * g_byte_array_new()}; the payload is then followed by a NUL that its length does not count. */
struct spool_cursor {
	int fd;
	char type;
	GByteArray *payload;
	int64_t good; /* bytes of the file up to the end of the last whole frame */
};
/* *ret false at the end: of the file, or before a frame that is cut or damaged. Fails where the file cannot
 * be read; `path` is for the message. */
bool spool_cursor_next(struct spool_cursor *cursor, bool *ret, const char *path, GError **err);

/* New texts; g_free(). */
char *spool_head_text(const struct spool_head *head);
char *spool_process_text(const struct spool_process *process);
char *spool_end_text(const struct spool_end *end);

/* Back from JSON. *ret_owner (json_decref) keeps the strings; NULL and false where the text is not what was
 * written. */
struct json_t;
bool spool_head_parse(struct spool_head *ret, struct json_t **ret_owner, const char *text);
bool spool_process_parse(struct spool_process *ret, struct json_t **ret_owner, const char *text);
bool spool_end_parse(struct spool_end *ret, struct json_t **ret_owner, const char *text);

#endif
