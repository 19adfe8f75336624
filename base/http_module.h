/* What libbm-http.so, which alone needs libcurl, gives to http_load.c. */
#ifndef BM_HTTP_MODULE_H
#define BM_HTTP_MODULE_H

#include "http.h"

/* The functions of http.h by their names there. */
struct http_module {
	bool (*fetch)(const struct http_fetch *fetch, GError **err);
	bool (*post)(struct http_answer *ret, const struct http_post *post, GError **err);
	char *(*shown)(const char *url);
};

/* The one name that the loader looks for. */
#define HTTP_MODULE "http_module"
extern const struct http_module http_module __attribute__((visibility("default")));

#endif
