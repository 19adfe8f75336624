#include "signals.h"

#include <glib-unix.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static const int numbers[SIGNALS_MAX] = {SIGINT, SIGTERM, SIGHUP};

/* nohup(1) has SIGHUP ignored for good. */
static bool is_watched(int number)
{
	struct sigaction now;

	return number != SIGHUP || (sigaction(number, NULL, &now) == 0 && now.sa_handler != SIG_IGN);
}

void signals_watch(guint ret[SIGNALS_MAX], GSourceFunc heard, gpointer user)
{
	for (int i = 0; i < SIGNALS_MAX; i++)
		ret[i] = is_watched(numbers[i]) ? g_unix_signal_add(numbers[i], heard, user) : 0;
}

void signals_ignore(guint sources[SIGNALS_MAX])
{
	for (int i = 0; i < SIGNALS_MAX; i++)
		if (sources[i] != 0)
			g_source_remove(sources[i]);
}

static void (*last_act)(void);

static void end_us(int number)
{
	(void)number;
	last_act();
	_exit(EXIT_FAILURE);
}

/* Not by way of the main loop: it may be what does not go on. */
void signals_end_us(void (*last)(void))
{
	struct sigaction action = {.sa_handler = end_us};

	last_act = last;
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < SIGNALS_MAX; i++)
		if (is_watched(numbers[i]))
			sigaction(numbers[i], &action, NULL);
}
