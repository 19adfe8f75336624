#include "ranks.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>

/* Multiplications that an exact p may take. */
#define MOST_STEPS 200000
/* Energies that differ by less are equal: the first split of them is taken, however sums are rounded. */
#define SAME 1e-9

struct ranks {
	size_t n;
	size_t *order; /* points by value */
	double *value; /* of each point */
	/* of the stretch in hand, by its points and by their places in its order: */
	size_t *place;
	double *rank;	     /* midrank of each place */
	double *below;	     /* sum of the ranks of the places before */
	double *count, *sum; /* of the first side: trees over places, as Fenwick has them, from 1 on */
};

struct pair {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

struct ranks *ranks_new(const double *values, size_t n)
{
	struct ranks *ranks = g_new0(struct ranks, 1);
	g_autofree struct pair *pairs = g_new(struct pair, n);

	ranks->n = n;
	ranks->order = g_new(size_t, n);
	ranks->value = g_memdup2(values, n * sizeof *values);
	ranks->place = g_new(size_t, n);
	ranks->rank = g_new(double, n + 1);
	ranks->below = g_new(double, n + 1);
	ranks->count = g_new(double, n + 1);
	ranks->sum = g_new(double, n + 1);
	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct pair){values[i], i};
	if (n > 0)
		qsort(pairs, n, sizeof *pairs, by_value);
	for (size_t i = 0; i < n; i++)
		ranks->order[i] = pairs[i].at;
	return ranks;
}

void ranks_free(struct ranks *ranks)
{
	g_free(ranks->order);
	g_free(ranks->value);
	g_free(ranks->place);
	g_free(ranks->rank);
	g_free(ranks->below);
	g_free(ranks->count);
	g_free(ranks->sum);
	g_free(ranks);
}

/* Places from `from` on, up to `to`, are of one value: their midrank. */
static void share_rank(struct ranks *ranks, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		ranks->rank[i] = (double)(from + 1 + to) / 2;
}

/* Fills place, rank and below. */
static void take_stretch(struct ranks *ranks, size_t first, size_t end)
{
	size_t places = 0, same = 0;
	double last = 0;

	for (size_t i = 0; i < ranks->n; i++) {
		size_t at = ranks->order[i];

		if (at < first || at >= end)
			continue;
		if (places > 0 && ranks->value[at] != last) {
			share_rank(ranks, same, places);
			same = places;
		}
		last = ranks->value[at];
		ranks->place[at] = places++;
	}
	share_rank(ranks, same, places);
	ranks->below[0] = 0;
	for (size_t i = 0; i < places; i++)
		ranks->below[i + 1] = ranks->below[i] + ranks->rank[i];
}

static void add_place(struct ranks *ranks, size_t place, size_t places)
{
	for (size_t i = place + 1; i <= places; i += i & -i) {
		ranks->count[i] += 1;
		ranks->sum[i] += ranks->rank[place];
	}
}

/* The sum of the distances of a place's rank to those of the first side, which are `n` with the sum `all`. */
static double distance_to_first(const struct ranks *ranks, size_t place, double n, double all)
{
	double count = 0, sum = 0, rank = ranks->rank[place];

	for (size_t i = place; i > 0; i -= i & -i) {
		count += ranks->count[i];
		sum += ranks->sum[i];
	}
	return rank * count - sum + (all - sum) - rank * (n - count);
}

static double distance_to_all(const struct ranks *ranks, size_t place, size_t places)
{
	double rank = ranks->rank[place], below = ranks->below[place];

	return rank * (double)place - below + (ranks->below[places] - below) -
	       rank * (double)(places - place);
}

/* The sums of distances between the points of a division, each pair once across and twice within. */
struct sums {
	double across, within_first, within_second;
};

static double energy(const struct sums *sums, double n, double m)
{
	double e = 2 * sums->across / (n * m) - sums->within_first / (n * n) - sums->within_second / (m * m);

	return n * m / (n + m) * e;
}

static double p_of(double rank_sum, size_t n, size_t m)
{
	return ranks_u_p(rank_sum - (double)n * (double)(n + 1) / 2, n, m);
}

size_t ranks_split(struct ranks *ranks, size_t first, size_t end, double *ret_p)
{
	size_t places = end - first, best = 0;
	double most = -INFINITY, first_sum = 0, best_sum = 0;
	struct sums sums = {0, 0, 0};

	*ret_p = 1;
	if (places < 2 * RANKS_LEAST)
		return 0;
	take_stretch(ranks, first, end);
	for (size_t i = 0; i < places; i++) {
		ranks->count[i + 1] = ranks->sum[i + 1] = 0;
		sums.within_second += distance_to_all(ranks, i, places);
	}
	for (size_t at = first; at + RANKS_LEAST < end; at++) {
		size_t place = ranks->place[at], n = at - first;
		double to_first = distance_to_first(ranks, place, (double)n, first_sum);
		double to_second = distance_to_all(ranks, place, places) - to_first;

		sums.within_first += 2 * to_first;
		sums.within_second -= 2 * to_second;
		sums.across += to_second - to_first;
		add_place(ranks, place, places);
		first_sum += ranks->rank[place];
		double now = energy(&sums, (double)(n + 1), (double)(places - n - 1));
		if (n + 1 >= RANKS_LEAST && now > most + SAME) {
			most = now;
			best = at + 1;
			best_sum = first_sum;
		}
	}
	*ret_p = p_of(best_sum, best - first, end - best);
	return best;
}

double ranks_p(struct ranks *ranks, size_t first, size_t at, size_t end)
{
	double sum = 0;

	take_stretch(ranks, first, end);
	for (size_t i = first; i < at; i++)
		sum += ranks->rank[ranks->place[i]];
	return p_of(sum, at - first, end - at);
}

/* --- p --- */

/* P(U <= most) of `few` against `many` values: how many of the coefficients of the Gaussian binomial up to
 * that power there are, of all. Factor by factor, so that each step leaves whole numbers above zero. */
static double below_exactly(size_t most, size_t few, size_t many)
{
	g_autofree double *of = g_new0(double, most + 1);
	double all = 1, sum = 0;

	of[0] = 1;
	for (size_t i = 1; i <= few; i++) {
		for (size_t k = most + 1; k-- > many + i;)
			of[k] -= of[k - many - i];
		for (size_t k = i; k <= most; k++)
			of[k] += of[k - i];
		all *= (double)(many + i) / (double)i;
	}
	for (size_t k = 0; k <= most; k++)
		sum += of[k];
	return sum / all;
}

double ranks_u_p(double u, size_t n, size_t m)
{
	double pairs = (double)n * (double)m, all = (double)(n + m);
	double tail = fmin(u, pairs - u), few = (double)MIN(n, m);
	double z = fmax(pairs / 2 - tail - 0.5, 0) / sqrt(pairs * (all + 1) / 12);

	/* What is not clear by far need not be known to a digit. */
	if (z < 1.5 || few * (tail + 1) > MOST_STEPS)
		return fmin(erfc(z / M_SQRT2), 1);
	return fmin(2 * below_exactly((size_t)ceil(tail), MIN(n, m), MAX(n, m)), 1);
}
