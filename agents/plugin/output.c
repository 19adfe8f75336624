#include "output.h"

#include <errno.h>
#include <unistd.h>

void output(int descriptor, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = write(descriptor, text, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return;
		text += written;
		length -= (size_t)written;
	}
}
