#include "origin.h"

#include "fsx.h"
#include "words.h"

#include <string.h>

static bool read_package(struct origin *origin, struct jx at, GError **err)
{
	return word_string(&origin->package, at, "package", "package", err) &&
	       word_string(&origin->suite, at, "suite", "suite", err) &&
	       jx_string_or(&origin->upstream, at, "upstream", NULL, err);
}

static bool read_debian(struct origin *origin, struct jx at, GError **err)
{
	static const char *const keys[] = {"package", "suite", "upstream", "patches", NULL};
	bool patches;
	if (!jx_only(at, keys, err) || !read_package(origin, at, err) ||
		!jx_bool_or(&patches, at, "patches", true, err))
		return false;
	origin->unpatched = !patches;
	return true;
}

static bool read_debian_binary(struct origin *origin, struct jx at, GError **err)
{
	static const char *const keys[] = {"package", "suite", "upstream", NULL};
	return jx_only(at, keys, err) && read_package(origin, at, err);
}

static bool is_sha256(const char *text)
{
	return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static bool read_tarball(struct origin *origin, struct jx at, GError **err)
{
	static const char *const keys[] = {"url", "sha256", NULL};
	static const char *const schemes[] = {"https://", "http://", "file:///"};
	if (!jx_only(at, keys, err) || !jx_string(&origin->url, at, "url", err) ||
		!jx_string(&origin->sha256, at, "sha256", err))
		return false;
	bool known = false;
	for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
		known = known || g_str_has_prefix(origin->url, schemes[i]);
	if (!known)
		return jx_fail(at, err, "url must begin with https://, http:// or file:///");
	return is_sha256(origin->sha256) ||
	       jx_fail(at, err, "sha256 must be 64 lower-case hexadecimal digits; sha256sum prints them");
}

/* What git itself allows in a ref, and nothing that it could take for an option. */
static bool is_ref(const char *text)
{
	return *text && strlen(text) <= 200 && g_ascii_isalnum(*text) && !strstr(text, "..") &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-") ==
		       strlen(text);
}

static bool read_git(struct version *version, struct jx at, GError **err)
{
	static const char *const keys[] = {"repository", "ref", NULL};
	struct origin *origin = &version->origin;
	const char *repository;
	if (!jx_only(at, keys, err) || !jx_string(&repository, at, "repository", err) ||
		!jx_string(&origin->ref, at, "ref", err))
		return false;
	if (!is_ref(origin->ref))
		return jx_fail(
			at, err, "ref must be a branch, a tag or a commit: letters, digits and . _ / + -");
	if (!*repository || *repository == '-')
		return jx_fail(at, err, "repository must be a URL or a folder");
	/* "host:path" is git's short form of ssh. */
	bool place = strstr(repository, "://") || (strchr(repository, ':') && *repository != '.');
	origin->repository = place ? g_strdup(repository) : fsx_beside(jx_file(at), repository);
	return true;
}

static bool read_one(struct version *version, struct jx at, GError **err)
{
	struct jx place;
	const char *folder;
	switch (version->origin.kind) {
	case ORIGIN_DEBIAN:
		return jx_object(&place, at, "debian", err) && read_debian(&version->origin, place, err);
	case ORIGIN_DEBIAN_BINARY:
		return jx_object(&place, at, "debian_binary", err) &&
		       read_debian_binary(&version->origin, place, err);
	case ORIGIN_TARBALL:
		return jx_object(&place, at, "tarball", err) && read_tarball(&version->origin, place, err);
	case ORIGIN_GIT:
		return jx_object(&place, at, "git", err) && read_git(version, place, err);
	case ORIGIN_FOLDER:
		if (!jx_string(&folder, at, "folder", err))
			return false;
		version->origin.folder = fsx_beside(jx_file(at), folder);
		return true;
	}
	g_assert_not_reached();
}

static bool read_kind(struct origin *origin, struct jx at, GError **err)
{
	static const char *const kinds[] = {"debian", "folder", "tarball", "git", "debian_binary"};
	int found = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		if (!jx_has(at, kinds[i]))
			continue;
		origin->kind = (enum origin_kind)i;
		found++;
	}
	return found == 1 || jx_fail(at, err,
				     "say where the source is: one of \"debian\", \"debian_binary\", "
				     "\"folder\", \"tarball\" and \"git\"");
}

static bool read_name(struct version *version, struct jx at, GError **err)
{
	if (version->origin.kind == ORIGIN_GIT && !jx_has(at, "name")) {
		version->name = g_strconcat("git:", version->origin.ref, NULL);
		return true;
	}
	const char *name;
	if (!word_string(&name, at, "name", "version", err))
		return false;
	version->name = g_strdup(name);
	return true;
}

bool version_read(struct version **ret, struct jx at, GError **err)
{
	static const char *const keys[] = {
		"name", "debian", "debian_binary", "folder", "tarball", "git", "settings", NULL};
	struct version *version = g_new0(struct version, 1);
	if (!jx_only(at, keys, err) || !read_kind(&version->origin, at, err) || !read_one(version, at, err) ||
		!read_name(version, at, err) || !jx_bool_or(&version->settings, at, "settings", false, err)) {
		version_free(version);
		return false;
	}
	*ret = version;
	return true;
}

void version_free(struct version *version)
{
	g_free((char *)version->origin.folder);
	g_free((char *)version->origin.repository);
	g_free(version->origin.commit);
	g_free(version->origin.unresolved);
	g_free((char *)version->name);
	g_free(version);
}
