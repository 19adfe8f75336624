/* bm-supervise: runs one program and lets nothing that it started survive. See supervise.h. */
#include "supervise.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A process that we may not kill (it changed its user) must not hold us for ever. */
#define GIVE_UP_MS 10000

enum { ARG_TIMEOUT = 1, ARG_CPU, ARG_FOLDER, ARG_PROGRAM };

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* As execvp, but a file without a magic number is an error and not a script for the shell. */
static void exec_in_path(char **argv)
{
	const char *path = getenv("PATH");
	char file[PATH_MAX];
	int error = ENOENT;

	if (strchr(argv[0], '/')) {
		execv(argv[0], argv);
		return;
	}
	for (path = path ? path : "/bin:/usr/bin"; path;) {
		size_t length = strcspn(path, ":");
		int n = snprintf(
			file, sizeof file, "%.*s/%s", length ? (int)length : 1, length ? path : ".", argv[0]);
		if (n > 0 && (size_t)n < sizeof file)
			execv(file, argv);
		if (errno != ENOENT && errno != ENOTDIR)
			error = errno;
		path = path[length] ? path + length + 1 : NULL;
	}
	errno = error;
}

/* In the new process; comes back only where something failed. */
static void become(char **argv)
{
	const struct rlimit no_core = {0, 0};
	int cpu = (int)strtol(argv[ARG_CPU], NULL, 10);
	cpu_set_t set;
	sigset_t none;

	setpgid(0, 0);
	/* Where the supervisor is killed outright, the program at least goes with it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* A matrix of crashing programs would fill the disk. */
	setrlimit(RLIMIT_CORE, &no_core);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET((unsigned)cpu, &set);
		if (sched_setaffinity(0, sizeof set, &set) != 0)
			return;
	}
	if (argv[ARG_FOLDER][0] && chdir(argv[ARG_FOLDER]) != 0)
		return;
	exec_in_path(argv + ARG_PROGRAM);
}

/* Starts the program. -1 with errno where it could not be executed. */
static pid_t start(char **argv)
{
	int failure[2], error = 0;

	if (pipe2(failure, O_CLOEXEC) != 0)
		return -1;
	pid_t program = fork();
	if (program == 0) {
		become(argv);
		error = errno;
		if (write(failure[1], &error, sizeof error) != sizeof error)
			_exit(126);
		_exit(127);
	}
	if (program < 0)
		error = errno;
	close(failure[1]);
	/* Ends without a byte when exec closes it. */
	if (program > 0 && read(failure[0], &error, sizeof error) == sizeof error)
		waitpid(program, NULL, 0);
	close(failure[0]);
	errno = error;
	return error ? -1 : program;
}

/* The parent of a process, or -1 where it is gone. */
static pid_t parent_of(const char *pid)
{
	char file[64], text[512];
	int parent = -1;

	snprintf(file, sizeof file, "/proc/%.20s/stat", pid);
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t got = read(fd, text, sizeof text - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	/* The name in parentheses may itself contain spaces and parentheses. */
	const char *rest = strrchr(text, ')');
	if (!rest || sscanf(rest, ") %*c %d", &parent) != 1)
		return -1;
	return parent;
}

struct process {
	pid_t pid, parent;
	bool below; /* one of ours */
};

/* Every process of the machine; the caller frees *ret. */
static size_t list_processes(struct process **ret)
{
	DIR *proc = opendir("/proc");
	struct process *list = NULL;
	size_t n = 0, room = 0;

	for (struct dirent *entry; proc && (entry = readdir(proc));) {
		int pid = (int)strtol(entry->d_name, NULL, 10);
		if (pid <= 0)
			continue;
		if (n == room) {
			struct process *more = realloc(list, (room + 1024) * sizeof *list);
			if (!more)
				break;
			list = more;
			room += 1024;
		}
		list[n++] = (struct process){.pid = pid, .parent = parent_of(entry->d_name)};
	}
	if (proc)
		closedir(proc);
	*ret = list;
	return n;
}

static bool is_below(const struct process *list, size_t n, pid_t parent)
{
	if (parent == getpid())
		return true;
	for (size_t i = 0; i < n; i++)
		if (list[i].pid == parent)
			return list[i].below;
	return false;
}

static void kill_descendants(void)
{
	struct process *list;
	size_t n = list_processes(&list);
	bool found = true;

	/* Again until nothing is new: process numbers wrap around, so children can come before their parents.
	 */
	while (found) {
		found = false;
		for (size_t i = 0; i < n; i++) {
			if (list[i].below || !is_below(list, n, list[i].parent))
				continue;
			list[i].below = found = true;
			kill(list[i].pid, SIGKILL);
		}
	}
	free(list);
}

static void wait_for_signal(int signals, int milliseconds)
{
	struct pollfd waited = {.fd = signals, .events = POLLIN};
	struct signalfd_siginfo info;

	if (poll(&waited, 1, milliseconds) == 1)
		while (read(signals, &info, sizeof info) == sizeof info)
			;
}

/* Orphans come to us, as we are a subreaper: without a child of our own, nothing is left below us. */
static void kill_everything(int signals)
{
	long long give_up = now_ms() + GIVE_UP_MS;

	while (now_ms() < give_up) {
		pid_t pid;
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid < 0 && errno == ECHILD)
			return;
		kill_descendants();
		wait_for_signal(signals, 20);
	}
}

/* Reaps what has ended; true where the program itself is among it. */
static bool reap(pid_t program, int *ret_status)
{
	pid_t pid;
	int status;
	bool ended = false;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid != program)
			continue;
		*ret_status = status;
		ended = true;
	}
	return ended;
}

/* Reads the pending signals; true where one of them tells us to go. */
static bool told_to_go(int signals)
{
	struct signalfd_siginfo info;
	bool told = false;

	while (read(signals, &info, sizeof info) == sizeof info)
		told = told || info.ssi_signo != SIGCHLD;
	return told;
}

/* Waits for the end of the program, of the lifeline or of the time. */
static enum supervise_cause watch(pid_t program, int signals, long long timeout_ms, int *ret_status)
{
	struct pollfd waited[] = {
		{.fd = SUPERVISE_LIFELINE, .events = POLLIN},
		{.fd = signals, .events = POLLIN},
	};
	long long deadline = now_ms() + timeout_ms;

	for (;;) {
		long long left = timeout_ms ? deadline - now_ms() : INT_MAX;
		left = left < 0 ? 0 : left > INT_MAX ? INT_MAX : left;
		poll(waited, 2, (int)left);
		bool told = told_to_go(signals);
		if (reap(program, ret_status))
			return SUPERVISE_ENDED;
		if (told || waited[0].revents)
			return SUPERVISE_ORDERED;
		if (timeout_ms && now_ms() >= deadline)
			return SUPERVISE_TIMEOUT;
	}
}

/* Signals come as reads from here on, so that one poll() waits for everything. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_SETMASK, &set, NULL);
	/* Where it was ignored by our parent, children would be reaped without us. */
	signal(SIGCHLD, SIG_DFL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The program's output must end with the program and not with us. */
static void let_go_of_output(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(null, 0);
	dup2(null, 1);
	dup2(null, 2);
}

static void add_usage(struct supervise_report *report)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	report->cpu_seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
			      (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
	report->max_rss_bytes = (int64_t)usage.ru_maxrss * 1024;
}

int main(int argc, char **argv)
{
	struct supervise_report report = {.max_rss_bytes = -1};
	struct timespec begin, end;
	int status = 0;

	if (argc <= ARG_PROGRAM) {
		fprintf(stderr, "bm-supervise is started by benchmatrix, not by hand\n");
		return 2;
	}
	fcntl(SUPERVISE_LIFELINE, F_SETFD, FD_CLOEXEC);
	fcntl(SUPERVISE_REPORT, F_SETFD, FD_CLOEXEC);
	closefrom(SUPERVISE_REPORT + 1);
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	int signals = open_signals();

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid_t program = start(argv);
	if (program < 0) {
		report.cause = SUPERVISE_NOT_RUN;
		report.status = errno;
	} else {
		let_go_of_output();
		report.cause =
			(int32_t)watch(program, signals, strtoll(argv[ARG_TIMEOUT], NULL, 10), &status);
		report.status = status;
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	report.seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
	kill_everything(signals);
	if (program > 0)
		add_usage(&report);
	return write(SUPERVISE_REPORT, &report, sizeof report) == sizeof report ? 0 : 1;
}
