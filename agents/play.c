/* bm-play SCRIPT ARGUMENT...: plays a script of the fake agent. agent_fake.c describes the format. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BAD_SCRIPT 125

struct play {
	char **arguments; /* NULL-terminated */
	int turn;	  /* how often the script has run, this time included */
	bool when, now;	  /* both must hold for a line to be played */
	int status;	  /* -1 while it goes on */
};

static const char *value_of(const struct play *play, const char *name, size_t length)
{
	for (char **a = play->arguments; *a; a++)
		if (strlen(*a) == length && memcmp(*a, name, length) == 0 && a[1])
			return a[1];
	return "";
}

/* Prints the text with its %{ARGUMENT} filled in. */
static void print_text(const struct play *play, FILE *to, const char *text, const char *end)
{
	while (*text) {
		const char *close = strncmp(text, "%{", 2) == 0 ? strchr(text, '}') : NULL;
		if (!close) {
			putc(*text++, to);
			continue;
		}
		fputs(value_of(play, text + 2, (size_t)(close - text) - 2), to);
		text = close + 1;
	}
	fputs(end, to);
	fflush(to);
}

static void flood(long bytes)
{
	for (long i = 1; i <= bytes; i++)
		putchar(i % 64 ? 'x' : '\n');
	fflush(stdout);
}

static void pause_for(double seconds)
{
	struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

	nanosleep(&t, NULL);
}

/* One byte is added to a file beside the script each time, so its size is the number of this turn. */
static int count_turn(const char *script)
{
	char file[4096];
	struct stat facts;

	snprintf(file, sizeof file, "%s.turns", script);
	int fd = open(file, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd < 0 || write(fd, ".", 1) != 1 || fstat(fd, &facts) != 0)
		return 0;
	close(fd);
	return (int)facts.st_size;
}

static bool conditions(struct play *play, const char *verb, const char *rest)
{
	if (strcmp(verb, "always") == 0) {
		play->when = play->now = true;
	} else if (strcmp(verb, "turn") == 0) {
		play->now = strtol(rest, NULL, 10) == play->turn;
	} else if (strcmp(verb, "when") == 0) {
		size_t length = strcspn(rest, " ");
		play->when = rest[length] && strcmp(value_of(play, rest, length), rest + length + 1) == 0;
	} else {
		return false;
	}
	return true;
}

static bool prints(const struct play *play, const char *verb, const char *rest)
{
	if (strcmp(verb, "out") == 0)
		print_text(play, stdout, rest, "\n");
	else if (strcmp(verb, "part") == 0)
		print_text(play, stdout, rest, "");
	else if (strcmp(verb, "err") == 0)
		print_text(play, stderr, rest, "\n");
	else if (strcmp(verb, "flood") == 0)
		flood(strtol(rest, NULL, 10));
	else
		return false;
	return true;
}

static bool acts(struct play *play, const char *verb, const char *rest)
{
	if (strcmp(verb, "wait") == 0) {
		pause_for(strtod(rest, NULL));
	} else if (strcmp(verb, "hang") == 0) {
		for (;;)
			pause();
	} else if (strcmp(verb, "exit") == 0) {
		play->status = (int)strtol(rest, NULL, 10);
	} else if (strcmp(verb, "signal") == 0) {
		raise((int)strtol(rest, NULL, 10));
	} else {
		return false;
	}
	return true;
}

/* Plays a line; false where it is none of the format's. */
static bool play_line(struct play *play, char *line)
{
	char *rest = line + strcspn(line, " ");

	if (!*line || *line == '#')
		return true;
	if (*rest)
		*rest++ = '\0';
	if (conditions(play, line, rest))
		return true;
	if (!play->when || !play->now)
		return true;
	return prints(play, line, rest) || acts(play, line, rest);
}

int main(int argc, char **argv)
{
	struct play play = {.arguments = argv + (argc > 1 ? 2 : 1), .when = true, .now = true, .status = -1};
	FILE *script = argc > 1 ? fopen(argv[1], "re") : NULL;
	char *line = NULL;
	size_t room = 0;

	if (!script) {
		fprintf(stderr, "%s: cannot be read as a script\n", argc > 1 ? argv[1] : "bm-play");
		return BAD_SCRIPT;
	}
	play.turn = count_turn(argv[1]);
	for (int number = 1; play.status < 0 && getline(&line, &room, script) > 0; number++) {
		line[strcspn(line, "\n")] = '\0';
		if (play_line(&play, line))
			continue;
		fprintf(stderr, "%s:%d: no such line: %s\n", argv[1], number, line);
		play.status = BAD_SCRIPT;
	}
	free(line);
	fclose(script);
	return play.status < 0 ? 0 : play.status;
}
