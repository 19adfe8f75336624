/* Runs a fuzz target without libFuzzer: over each file named, or each file of a folder named, and with `-m N`
 * over N mutants of each. The mutants are the same every time. */
#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void mutate(GRand *random, GByteArray *bytes)
{
	guint at = bytes->len ? (guint)g_rand_int_range(random, 0, (gint32)bytes->len) : 0;
	guint most = (guint)g_rand_int_range(random, 1, 200);
	guint length = MIN(bytes->len - at, most);
	guint8 byte = (guint8)g_rand_int_range(random, 0, 256);

	switch (g_rand_int_range(random, 0, 5)) {
	case 0: /* another byte */
		if (bytes->len)
			bytes->data[at] = byte;
		break;
	case 1: /* one more */
		g_byte_array_append(bytes, &byte, 1);
		break;
	case 2: /* a cut */
		g_byte_array_set_size(bytes, at);
		break;
	case 3: /* a hole */
		g_byte_array_remove_range(bytes, at, length);
		break;
	default: { /* a piece once more */
		g_autofree guint8 *piece = g_memdup2(bytes->data + at, length);
		g_byte_array_append(bytes, piece, length);
	}
	}
}

static void run_mutants(const char *text, gsize length, int mutants)
{
	GRand *random = g_rand_new_with_seed((guint32)length);

	for (int i = 0; i < mutants; i++) {
		g_autoptr(GByteArray) bytes = g_byte_array_new();
		g_byte_array_append(bytes, (const guint8 *)text, (guint)length);
		for (int changes = g_rand_int_range(random, 1, 5); changes > 0; changes--)
			mutate(random, bytes);
		LLVMFuzzerTestOneInput(bytes->data, bytes->len);
	}
	g_rand_free(random);
}

static int run_file(const char *file, int mutants)
{
	g_autofree char *text = NULL;
	gsize length;

	if (!g_file_get_contents(file, &text, &length, NULL))
		return 0;
	LLVMFuzzerTestOneInput((const uint8_t *)text, length);
	run_mutants(text, length, mutants);
	return 1;
}

static int run_path(const char *path, int mutants)
{
	g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
	const char *name;
	int ran = 0;

	if (!folder)
		return run_file(path, mutants);
	while ((name = g_dir_read_name(folder))) {
		g_autofree char *file = g_build_filename(path, name, NULL);
		ran += run_file(file, mutants);
	}
	return ran;
}

int main(int argc, char **argv)
{
	int mutants = 0, ran = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-m") == 0 && i + 1 < argc)
			mutants = (int)g_ascii_strtoll(argv[++i], NULL, 10);
		else
			ran += run_path(argv[i], mutants);
	}
	/* A corpus that is not found must not pass. */
	return ran > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
