/* libcurl brings thirty libraries, which take longer to load than most commands run: only who fetches or
 * sends loads them. */
#include "diag.h"
#include "http_module.h"

#include <dlfcn.h>

static const char *module_file;

void http_set_module(const char *file)
{
	module_file = file;
}

static const struct http_module *find(GError **err)
{
	void *handle = module_file ? dlopen(module_file, RTLD_NOW | RTLD_LOCAL) : NULL;
	const struct http_module *module = handle ? dlsym(handle, HTTP_MODULE) : NULL;

	if (!module)
		diag_set(err, DIAG_LACKS,
			"nothing can be fetched or sent: %s; install libcurl (Debian: libcurl4), or build or "
			"install benchmatrix as a whole",
			module_file ? dlerror() : "no module for it was named");
	return module;
}

/* NULL where it cannot be loaded; asked again, it is tried again. */
static const struct http_module *load(GError **err)
{
	static GMutex lock;
	static const struct http_module *loaded;

	g_mutex_lock(&lock);
	if (!loaded)
		loaded = find(err);
	const struct http_module *module = loaded;
	g_mutex_unlock(&lock);
	return module;
}

bool http_fetch(const struct http_fetch *fetch, GError **err)
{
	const struct http_module *module = load(err);

	return module && module->fetch(fetch, err);
}

bool http_post(struct http_answer *ret, const struct http_post *post, GError **err)
{
	const struct http_module *module = load(err);

	*ret = (struct http_answer){0};
	return module && module->post(ret, post, err);
}

void http_answer_done(struct http_answer *answer)
{
	g_clear_pointer(&answer->line, g_free);
}

char *http_shown(const char *url)
{
	const struct http_module *module = load(NULL);

	return module ? module->shown(url) : g_strdup("the address");
}
