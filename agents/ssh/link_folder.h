/* The folder of a board's control socket. */
#ifndef BM_SSH_LINK_FOLDER_H
#define BM_SSH_LINK_FOLDER_H

/* A new one, private to us, whose path is short enough for a socket's; NULL: none can be made. *held is a
 * descriptor that says so for as long as it is open, whatever becomes of us. Folders that nobody holds any
 * more, of programs that were killed, are removed. g_free() and close(). */
char *link_folder_new(int *held);

#endif
