#if defined(__unix__) || defined(__APPLE__)

#define _XOPEN_SOURCE 700

#include "port.h"

#include "core_sizes.h"
#include "rate_file.h"
#include "stack_paint.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

/* proc(5): an estimate by the kernel, of Linux since 3.14. */
uint64_t port_memory_free(void)
{
	return rate_line("/proc/meminfo", "MemAvailable") * 1024;
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

/* The child has left the core that tells something. */
void port_die_of(int number)
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

unsigned port_apart_room(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	return processors < 1 ? 1 : processors > PORT_APART_MAX ? PORT_APART_MAX : (unsigned)processors;
}

/* Its last word, and nothing of the C library's own end: what is buffered belongs to the parent. */
static void tell_and_end(int word, uint64_t value)
{
	_exit(write(word, &value, sizeof(value)) == (ssize_t)sizeof(value) ? 0 : 1);
}

/* Its standard output goes into the pipe, and a counter's lines with it. */
static void be_child(const int *output, const int *word, uint64_t (*function)(void *), void *argument)
{
	if (dup2(output[1], STDOUT_FILENO) < 0)
		_exit(1);
	close(output[0]);
	close(output[1]);
	close(word[0]);
	tell_and_end(word[1], function(argument));
}

static void close_both(const int *ends)
{
	close(ends[0]);
	close(ends[1]);
}

bool port_apart_begin(struct port_child *ret, uint64_t (*function)(void *), void *argument)
{
	int output[2], word[2];

	if (pipe(output) != 0)
		return false;
	if (pipe(word) != 0) {
		close_both(output);
		return false;
	}
	ret->process = fork();
	if (ret->process == 0)
		be_child(output, word, function, argument);
	close(output[1]);
	close(word[1]);
	ret->output = output[0];
	ret->word = word[0];
	if (ret->process > 0)
		return true;
	close(output[0]);
	close(word[0]);
	return false;
}

static bool write_all(const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t n = write(STDOUT_FILENO, bytes, size);
		if (n < 0 && errno != EINTR)
			return false;
		bytes += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* What can be read now. False: there is an end of it, or it cannot be handed on. */
static bool hand_on(int output, bool *written)
{
	static char bytes[65536];
	ssize_t n;

	while ((n = read(output, bytes, sizeof(bytes))) > 0)
		if (!write_all(bytes, (size_t)n)) {
			*written = false;
			return false;
		}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* A process that the library left behind may hold the pipes: the child's own end counts. */
static bool has_ended(long process, int *status)
{
	pid_t found = waitpid((pid_t)process, status, WNOHANG);

	return found == (pid_t)process || (found < 0 && errno != EINTR);
}

bool port_apart_end(struct port_child *child, uint64_t *ret)
{
	struct pollfd ends[] = {
		{.fd = child->output, .events = POLLIN}, {.fd = child->word, .events = POLLIN}};
	bool written = true, told;
	int status = 0;

	fcntl(child->output, F_SETFL, O_NONBLOCK);
	fcntl(child->word, F_SETFL, O_NONBLOCK);
	while (written && !has_ended(child->process, &status)) {
		poll(ends, 2, ends[1].fd < 0 ? 1 : 1000);
		if (!hand_on(child->output, &written))
			ends[0].fd = -1;
		/* It has spoken, or it cannot any more: it is about to end. */
		if (ends[1].revents != 0)
			ends[1].fd = -1;
	}
	if (!written)
		port_apart_drop(child);
	else
		hand_on(child->output, &written);
	told = written && read(child->word, ret, sizeof(*ret)) == (ssize_t)sizeof(*ret);
	close(child->output);
	close(child->word);
	child->signal = written && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	return told;
}

void port_apart_drop(struct port_child *child)
{
	kill((pid_t)child->process, SIGKILL);
	while (waitpid((pid_t)child->process, NULL, 0) < 0 && errno == EINTR)
		;
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
