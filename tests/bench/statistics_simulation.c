/* How often the verdicts of a comparison are wrong, and what they find: tables of noise alone, where each
 * verdict is a false alarm, and slowdowns planted in noise. Exit status 1 where a noise gives more false
 * alarms than it may. */
#include "evidence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 20, TABLES = 200, INVOCATIONS = 8, MOST_INVOCATIONS = 16, MAY = 4 };

/* One series of invocations: the two sides in turn, so that the k-th of a side is the 2k-th or 2k+1-th. */
struct place {
	double from_start; /* 0 to 1 */
	double shared;	   /* standard normal, the same for all rows of an invocation */
};

typedef double noise(GRand *random, const struct place *place);

static double normal(GRand *random)
{
	double u = 1 - g_rand_double(random), v = g_rand_double(random);

	return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static double gaussian(GRand *random, const struct place *place)
{
	(void)place;
	return 1 + 0.02 * normal(random);
}

static double skewed(GRand *random, const struct place *place)
{
	(void)place;
	return 1 - 0.02 * log(1 - g_rand_double(random));
}

/* Three in ten land where the memory layout is bad. */
static double bimodal(GRand *random, const struct place *place)
{
	(void)place;
	return (g_rand_double(random) < 0.3 ? 1.05 : 1) + 0.005 * normal(random);
}

/* The machine grows warm. */
static double drifting(GRand *random, const struct place *place)
{
	return 1 + 0.05 * place->from_start + 0.01 * normal(random);
}

/* A coarse clock: many values are equal. */
static double quantised(GRand *random, const struct place *place)
{
	(void)place;
	return round(100 * (1 + 0.02 * normal(random))) / 100;
}

/* Somebody else uses the machine: all rows of an invocation move together. */
static double shared(GRand *random, const struct place *place)
{
	return 1 + 0.02 * place->shared + 0.005 * normal(random);
}

static double quiet(GRand *random, const struct place *place)
{
	(void)place;
	return 1 + 0.01 * normal(random);
}

/* Whether the table of `of` names a difference. `turns`: the sides in turn, else one after the other. */
static bool alarms(GRand *random, noise *of, bool turns)
{
	struct evidence rows[ROWS], *all[ROWS];
	double before[ROWS][INVOCATIONS], after[ROWS][INVOCATIONS];

	for (int i = 0; i < 2 * INVOCATIONS; i++) {
		bool first = turns ? i % 2 == 0 : i < INVOCATIONS;
		int at = turns ? i / 2 : i % INVOCATIONS;
		struct place place = {(double)i / (2 * INVOCATIONS - 1), normal(random)};
		for (int r = 0; r < ROWS; r++)
			(first ? before : after)[r][at] = of(random, &place);
	}
	for (int r = 0; r < ROWS; r++) {
		rows[r] = evidence_weigh(before[r], INVOCATIONS, after[r], INVOCATIONS, BETTER_LOWER);
		all[r] = &rows[r];
	}
	evidence_correct(all, ROWS, CORRECTION_HOLM);
	for (int r = 0; r < ROWS; r++) {
		enum verdict verdict = evidence_verdict(&rows[r]);
		if (verdict == VERDICT_BETTER || verdict == VERDICT_WORSE)
			return true;
	}
	return false;
}

static int false_alarms(GRand *random, noise *of, bool turns)
{
	int count = 0;

	for (int i = 0; i < TABLES; i++)
		count += alarms(random, of, turns);
	return count;
}

/* Whether a slowdown is named in a table whose other rows say nothing: p is then corrected by all rows. */
static bool finds(GRand *random, double slowdown, int n)
{
	double before[MOST_INVOCATIONS], after[MOST_INVOCATIONS];
	struct evidence row, nothing[ROWS - 1], *all[ROWS] = {&row};
	const struct place place = {0};

	for (int i = 0; i < n; i++) {
		before[i] = quiet(random, &place);
		after[i] = quiet(random, &place) * (1 + slowdown);
	}
	row = evidence_weigh(before, (size_t)n, after, (size_t)n, BETTER_LOWER);
	for (int r = 1; r < ROWS; r++) {
		nothing[r - 1] = row;
		nothing[r - 1].p = 1;
		all[r] = &nothing[r - 1];
	}
	evidence_correct(all, ROWS, CORRECTION_HOLM);
	return evidence_verdict(&row) == VERDICT_WORSE;
}

static void print_power(GRand *random)
{
	static const double slowdowns[] = {0.005, 0.01, 0.02, 0.05, 0.1};

	printf("\nfound in %% of %d tables of %d rows, noise of 1 %%\nslowdown", TABLES, ROWS);
	for (int n = INVOCATIONS; n <= MOST_INVOCATIONS; n += 4)
		printf("  %2d invocations", n);
	printf("\n");
	for (size_t i = 0; i < G_N_ELEMENTS(slowdowns); i++) {
		printf("%6.1f %%", 100 * slowdowns[i]);
		for (int n = INVOCATIONS; n <= MOST_INVOCATIONS; n += 4) {
			int found = 0;
			for (int t = 0; t < TABLES; t++)
				found += finds(random, slowdowns[i], n);
			printf("  %14.1f", 100.0 * found / TABLES);
		}
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		noise *of;
	} noises[] = {{"gaussian", gaussian}, {"skewed", skewed}, {"bimodal", bimodal},
		{"drifting", drifting}, {"quantised", quantised}, {"shared", shared}};
	guint32 seed = argc > 1 ? (guint32)strtoul(argv[1], NULL, 10) : 1;
	GRand *random = g_rand_new_with_seed(seed);
	bool good = true;

	printf("seed %u; tables of %d rows, %d invocations a side, with a false alarm, of %d:\n", seed, ROWS,
		INVOCATIONS, TABLES);
	for (size_t i = 0; i < G_N_ELEMENTS(noises); i++) {
		int count = false_alarms(random, noises[i].of, true);
		good &= count <= MAY;
		printf("%-10s %4d%s\n", noises[i].name, count, count > MAY ? "  too many" : "");
	}
	printf("%-10s %4d  with one side after the other, which is why they take turns\n", "drifting",
		false_alarms(random, drifting, false));
	print_power(random);
	g_rand_free(random);
	return good ? 0 : 1;
}
