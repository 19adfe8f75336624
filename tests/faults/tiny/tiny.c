#include "tiny_library.h"

#include "config.h"

const char *tiny_config(void)
{
	return TINY_CONFIG;
}

/* So that the configurations are different code, and so different counts. */
int tiny_answer(int question)
{
	volatile int turns = (int)sizeof(TINY_CONFIG) * 100;

	while (turns > 0)
		turns--;
	return question * 7;
}
