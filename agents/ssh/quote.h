/* Words through a remote shell. For this folder only. */
#ifndef BM_SSH_QUOTE_H
#define BM_SSH_QUOTE_H

/* The words as one line that a POSIX shell reads as exactly these words, whatever is in them: each in single
 * quotes. `words` is NULL-terminated. Free with g_free(). */
char *ssh_quote(const char *const *words);

#endif
