/* agents_verdicts FILE...: what our reader says of each file as an agents.json: "ok", or what is wrong. */
#include "agent.h"

#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		g_autoptr(GError) error = NULL;
		struct agents *agents;

		if (agents_load(&agents, argv[i], &error)) {
			agents_free(agents);
			puts("ok");
		} else {
			puts(error->message);
		}
	}
	return 0;
}
