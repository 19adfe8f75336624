/* Preloaded: each child that is made takes two seconds longer to come to its exec, as far as others see it by
 * the files that it holds until then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <spawn.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECONDS = 2, MOST_FILES = 256 };

/* Pipes would hold up their readers, of which a real one does so for as long. */
static void keep_files(void)
{
	for (int fd = 0; fd < MOST_FILES; fd++) {
		struct stat facts;
		if (fstat(fd, &facts) == 0 && !S_ISREG(facts.st_mode))
			close(fd);
	}
}

int posix_spawn(pid_t *restrict ret, const char *restrict path, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *restrict attributes, char *const argv[restrict],
	char *const environment[restrict])
{
	int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
		char *const[], char *const[]) = dlsym(RTLD_NEXT, "posix_spawn");

	if (fork() == 0) {
		keep_files();
		sleep(SECONDS);
		_exit(0);
	}
	return next(ret, path, actions, attributes, argv, environment);
}
