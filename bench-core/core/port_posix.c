#if defined(__unix__) || defined(__APPLE__)

#define _XOPEN_SOURCE 700

#include "port.h"

#include "core_sizes.h"
#include "stack_paint.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <ucontext.h>
#endif

#define STACK_ALIGN 65536 /* the largest page of the systems that we know */

static uintptr_t stack[CORE_STACK_SIZE / sizeof(uintptr_t)] __attribute__((aligned(STACK_ALIGN)));

/* Neither makecontext() nor a signal handler hands a pointer on. */
static struct {
	int (*function)(void *);
	void *argument;
	int result;
} call;

void port_start(void)
{
	signal(SIGPIPE, SIG_IGN);
}

uint64_t port_clock(void)
{
	struct timespec t = {0, 0};

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

const char *port_clock_name(void)
{
	return "CLOCK_MONOTONIC";
}

size_t port_page_size(void)
{
	long size = sysconf(_SC_PAGESIZE);

	return size > 0 ? (size_t)size : 0;
}

uint64_t port_clock_resolution(void)
{
	uint64_t least = 0, before = port_clock();

	for (int i = 0; i < 1000; i++) {
		uint64_t now = port_clock();
		if (now > before && (least == 0 || now - before < least))
			least = now - before;
		before = now;
	}
	if (least == 0) {
		struct timespec t = {0, 0};
		clock_getres(CLOCK_MONOTONIC, &t);
		least = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	}
	return least;
}

static void inside(void)
{
	call.result = call.function(call.argument);
}

/* An overflow must crash, not overwrite what lies below; without the guard page it works all the same. */
static void place_stack(stack_t *ret)
{
	size_t guard = (size_t)sysconf(_SC_PAGESIZE);

	if (guard > STACK_ALIGN || mprotect(stack, guard, PROT_NONE) != 0)
		guard = 0;
	stack_is(stack, guard / sizeof(stack[0]), sizeof(stack) / sizeof(stack[0]));
	ret->ss_sp = (char *)stack + guard;
	ret->ss_size = sizeof(stack) - guard;
}

#ifdef __GLIBC__
static bool enter_stack(void)
{
	static ucontext_t outside, within;

	if (getcontext(&within) != 0)
		return false;
	place_stack(&within.uc_stack);
	within.uc_link = &outside;
	makecontext(&within, inside, 0);
	return swapcontext(&outside, &within) == 0;
}
#else
/* QEMU 7.2 enters a handler on another stack at an address that x86's calling convention does not allow. */
#if defined(__x86_64__) || defined(__i386__)
#define ANY_STACK __attribute__((force_align_arg_pointer))
#else
#define ANY_STACK
#endif

/* Other C libraries lack makecontext(), musl for one. A signal that is raised here and now, and handled on
 * that stack, is as good: nothing was interrupted, so that the handler may do whatever a function may. */
static ANY_STACK void handle(int number)
{
	(void)number;
	inside();
}

static bool enter_stack(void)
{
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	stack_t place = {.ss_flags = 0};

	place_stack(&place);
	sigemptyset(&action.sa_mask);
	return sigaltstack(&place, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0 &&
	       raise(SIGUSR1) == 0;
}
#endif

int port_on_stack(int (*function)(void *), void *argument)
{
	call.function = function;
	call.argument = argument;
	call.result = -1;
	return enter_stack() ? call.result : -1;
}

void port_marker(unsigned marker)
{
	ssize_t ignored = write(WIRE_MARKER_FD, (const void *)(uintptr_t)WIRE_MARKER_MAGIC, marker);

	(void)ignored;
}

/* Whoever waits for this process shall see the signal. The child has left the core that tells something. */
static void die_of(int number)
{
	const struct rlimit none = {0, 0};
	sigset_t set;

	setrlimit(RLIMIT_CORE, &none);
	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	_exit(128 + number);
}

/* Its last word, and nothing of the C library's own end: what is buffered belongs to the parent. */
static void tell_and_end(int end, uint64_t value)
{
	_exit(write(end, &value, sizeof(value)) == (ssize_t)sizeof(value) ? 0 : 1);
}

bool port_apart(uint64_t *ret, uint64_t (*function)(void *), void *argument)
{
	int ends[2], status = 0;
	bool told;
	pid_t child;

	if (pipe(ends) != 0)
		return false;
	child = fork();
	if (child == 0)
		tell_and_end(ends[1], function(argument));
	close(ends[1]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (child > 0 && WIFSIGNALED(status))
		die_of(WTERMSIG(status));
	/* A process that the library left behind may still hold the other end. */
	told = child > 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 &&
	       read(ends[0], ret, sizeof(*ret)) == (ssize_t)sizeof(*ret);
	close(ends[0]);
	return told;
}

static void end_quietly(int number)
{
	_exit(128 + number);
}

/* A signal is an answer here: no core is to be left, and no emulator needs to speak of it. */
static bool probe_quietly(bool (*probe)(void))
{
	signal(SIGILL, end_quietly);
	signal(SIGSEGV, end_quietly);
	signal(SIGBUS, end_quietly);
	return probe();
}

bool port_survives(bool (*probe)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(probe_quietly(probe) ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
	       WEXITSTATUS(status) == 0;
}

/* The system's own share is nobody's footprint. */
bool port_footprint(struct port_footprint *ret)
{
	(void)ret;
	return false;
}

#else

/* See port_bare.c. */
typedef int no_posix;

#endif
