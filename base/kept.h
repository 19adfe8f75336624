/* Answers that cost a probe of programs, kept for as long as the files that they were asked of stay the same.
 */
#ifndef BM_KEPT_H
#define BM_KEPT_H

#include <glib.h>

/* The answer to these words, or NULL where `folder` holds none, or a file that was looked at then is missing
 * or another one now (by size, times, inode). Free with g_key_file_unref(). */
GKeyFile *kept_find(const char *folder, const char *const *words);

/* Keeps the answer in `folder`, made where missing. `files`: absolute paths of what it was found of. That it
 * cannot be kept is no failure; of files that are younger than the step of their time stamps it is not. The
 * group "kept" of the answer is written here. */
void kept_put(const char *folder, const char *const *words, GKeyFile *answer, const char *const *files);

#endif
