/* What fetching and sending share. */
#ifndef BM_HTTP_PRIVATE_H
#define BM_HTTP_PRIVATE_H

#include <curl/curl.h>
#include <stdbool.h>

void http_start(void);
/* Whether the same may go well a little later. */
bool http_fault_may_pass(CURLcode code);
bool http_status_may_pass(long status);

#define HTTP_TRIES     5
#define HTTP_SILENCE_S 60
#define HTTP_CONNECT_S 30

#endif
