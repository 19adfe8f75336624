/* A database of a large matrix over nights, for the report. usage: report_nights FILE NIGHTS */
#include "night.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	GError *err = NULL;
	struct store *store = argc == 3 ? store_open(argv[1], STORE_WRITE, &err) : NULL;

	for (int night = 0; store != NULL && err == NULL && night < atoi(argv[2]); night++)
		night_store(store, night, &err);
	if (store == NULL || err != NULL) {
		fprintf(stderr, "report_nights: %s\n",
			err ? err->message : "usage: report_nights FILE NIGHTS");
		return EXIT_FAILURE;
	}
	store_close(store);
	return EXIT_SUCCESS;
}
