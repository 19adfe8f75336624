#include "adapter.h"

#include <stdarg.h>
#include <stdio.h>

bool core_refuse(struct core_why *why, const char *format, ...)
{
	va_list arguments;

	why->error = 0;
	va_start(arguments, format);
	vsnprintf(why->text, sizeof(why->text), format, arguments);
	va_end(arguments);
	return false;
}
