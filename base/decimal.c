#include "decimal.h"

#include <glib.h>

void decimal_shortest(char ret[DECIMAL_SIZE], double number)
{
	static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};

	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(ret, DECIMAL_SIZE, formats[i], number);
		if (g_ascii_strtod(ret, NULL) == number)
			return;
	}
}
