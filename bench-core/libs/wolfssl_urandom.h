/* The system's random bytes, as wolfCrypt sees them: part of wolfssl_random.h. Clang copies wc_GenerateSeed()
 * into its caller, and GCC a part of it, where nothing can take its place; so the linker puts these in the
 * place of what it calls (--wrap). */
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

/* The file that it reads them from; -1: it has none open. */
static int random_file = -1;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	va_list more;
	int mode = 0, file;

	va_start(more, flags);
	if (flags & O_CREAT)
		mode = va_arg(more, int);
	va_end(more);
	file = __real_open(path, flags, mode);
	if (strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0)
		random_file = file;
	return file;
}

ssize_t __real_read(int file, void *out, size_t size);
ssize_t __wrap_read(int file, void *out, size_t size);
ssize_t __wrap_read(int file, void *out, size_t size)
{
	if (file < 0 || file != random_file)
		return __real_read(file, out, size);
	give_seed(out, size);
	return (ssize_t)size;
}

int __real_close(int file);
int __wrap_close(int file);
int __wrap_close(int file)
{
	if (file == random_file)
		random_file = -1;
	return __real_close(file);
}

/* From 5.9 on it asks the system for them first. */
ssize_t __wrap_getrandom(void *out, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void *out, size_t size, unsigned flags)
{
	(void)flags;
	give_seed(out, size);
	return (ssize_t)size;
}
