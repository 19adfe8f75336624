#!/usr/bin/python3
"""Holds results/compare/statistics against SciPy and against counting every case, to 1e-9.

    statistics_against_scipy.py PROGRAM     (PROGRAM: statistics_lines)

Without SciPy (Debian: python3-scipy) nothing is tested, and the exit status is 77.
"""

import itertools
import math
import random
import subprocess
import sys

try:
    import numpy
    from scipy import stats
except ImportError as error:
    print(f"skipped: {error}; install python3-scipy")
    sys.exit(77)

SEED = 20240501
random.seed(SEED)


def text(values):
    return " ".join(repr(float(value)) for value in values)


def sample(n, steps=0):
    """`steps`: values among so many, so that some are equal."""
    if steps:
        return [float(random.randint(1, steps)) for _ in range(n)]
    return [random.gauss(10, 1) for _ in range(n)]


# --- what must come out ---


def u_by_scipy(x, y):
    if len(x) > 25 or len(y) > 25:
        return stats.mannwhitneyu(x, y, method="asymptotic", use_continuity=True).pvalue
    if len(set(x + y)) == len(x) + len(y):
        return stats.mannwhitneyu(x, y, method="exact").pvalue
    # All ways of choosing who is x; SciPy has no exact test with ties but this one.
    return stats.permutation_test((x, y), lambda a, b: stats.rankdata(list(a) + list(b))[: len(a)].sum(),
                                  vectorized=False, n_resamples=10**9).pvalue


def w_by_counting(differences):
    """All signs, each as likely."""
    left = [value for value in differences if value != 0]
    if not left:
        return 1.0
    ranks = stats.rankdata(numpy.abs(left))
    at = sum(rank for rank, value in zip(ranks, left) if value > 0)
    sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((0, 1), repeat=len(left))]
    below = sum(value <= at + 1e-9 for value in sums) / len(sums)
    above = sum(value >= at - 1e-9 for value in sums) / len(sums)
    return min(1.0, 2 * min(below, above))


def w_by_scipy(differences):
    left = [value for value in differences if value != 0]
    if len(left) > 50:
        return stats.wilcoxon(left, mode="approx", correction=True).pvalue
    if len({abs(value) for value in left}) == len(left):
        return stats.wilcoxon(left, mode="exact").pvalue
    return w_by_counting(differences)


def cut_of(sums, confidence):
    """The largest k with 2 P(X <= k-1) <= 1 - confidence, and 1 - 2 P(X <= k-1)."""
    cut, coverage = 0, 1.0
    while 2 * sum(value <= cut for value in sums) / len(sums) <= 1 - confidence + 1e-12:
        coverage = 1 - 2 * sum(value <= cut for value in sums) / len(sums)
        cut += 1
    return cut, coverage


def estimate(values, cut, coverage):
    values = sorted(values)
    if cut == 0:
        return [float(numpy.median(values)), -math.inf, math.inf, 1.0]
    return [float(numpy.median(values)), values[cut - 1], values[-cut], coverage]


def shift_by_counting(x, y, confidence):
    n, m = len(x), len(y)
    sums = [sum(chosen) - n * (n - 1) // 2 for chosen in itertools.combinations(range(n + m), n)]
    return estimate([a - b for a in x for b in y], *cut_of(sums, confidence))


def paired_by_counting(x, confidence):
    n = len(x)
    sums = [sum(itertools.compress(range(1, n + 1), signs)) for signs in itertools.product((0, 1), repeat=n)]
    means = [(x[i] + x[k]) / 2 for i in range(n) for k in range(i, n)]
    return estimate(means, *cut_of(sums, confidence))


def median_by_scipy(x, confidence):
    n, cut, coverage = len(x), 0, 1.0
    while cut < n // 2 and 2 * stats.binom.cdf(cut, n, 0.5) <= 1 - confidence + 1e-12:
        coverage = 1 - 2 * stats.binom.cdf(cut, n, 0.5)
        cut += 1
    return estimate(x, cut, coverage)


def holm_by_definition(p):
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted = [0.0] * len(p)
    for place, i in enumerate(order):
        adjusted[i] = max(min(1.0, (len(p) - k) * p[order[k]]) for k in range(place + 1))
    return adjusted


def bh_by_definition(p):
    order = sorted(range(len(p)), key=lambda i: p[i])
    adjusted = [0.0] * len(p)
    for place, i in enumerate(order):
        adjusted[i] = min(min(1.0, len(p) / (k + 1) * p[order[k]]) for k in range(place, len(p)))
    return adjusted


# --- the cases ---


def cases():
    for n, m in [(1, 1), (1, 6), (2, 3), (5, 5), (8, 8), (7, 12), (25, 25), (3, 25)]:
        for _ in range(4):
            x, y = sample(n), [value + random.choice((0, 0.7)) for value in sample(m)]
            yield f"u {text(x)} | {text(y)}", [u_by_scipy(x, y)]
    for n, m in [(2, 3), (4, 4), (5, 6), (3, 8)]:
        for steps in (1, 2, 5):
            x, y = sample(n, steps), sample(m, steps)
            yield f"u {text(x)} | {text(y)}", [u_by_scipy(x, y)]
    for n, m in [(26, 26), (30, 80), (200, 150), (10, 40)]:
        for steps in (0, 4, 20):
            x, y = sample(n, steps), sample(m, steps)
            yield f"u {text(x)} | {text(y)}", [u_by_scipy(x, y)]
    for n in (1, 2, 5, 8, 12):
        for steps in (0, 3):
            x = [value - (2 if steps else 9.5) for value in sample(n, steps)]
            yield f"w {text(x)}", [w_by_counting(x)]
    for n in (20, 50, 80, 120):
        for steps in (0, 9) if n > 50 else (0,):
            x = [value - (4 if steps else 9.8) for value in sample(n, steps)]
            yield f"w {text(x)}", [w_by_scipy(x)]
    for n, m in [(1, 1), (2, 3), (4, 4), (5, 5), (6, 8), (8, 8)]:
        for confidence in (0.9, 0.95, 0.99):
            x, y = sample(n), sample(m)
            yield f"shift {text(x)} | {confidence} {text(y)}", shift_by_counting(x, y, confidence)
    for n in (1, 4, 6, 9, 13):
        for confidence in (0.9, 0.95, 0.99):
            x = sample(n)
            yield f"paired {text(x)} | {confidence}", paired_by_counting(x, confidence)
    for n in (1, 2, 5, 6, 8, 15, 20, 101, 800):
        for confidence in (0.9, 0.95, 0.99):
            x = sample(n)
            yield f"median {text(x)} | {confidence}", median_by_scipy(x, confidence)
    for n in (1, 2, 7, 40):
        p = [random.choice((random.random(), random.random() / 100, 0.03)) for _ in range(n)]
        yield f"holm {text(p)}", holm_by_definition(p)
        yield f"bh {text(p)}", bh_by_definition(p)


def close(a, b):
    return a == b or abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


def main():
    lines, expected = zip(*cases())
    done = subprocess.run([sys.argv[1]], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    failed = 0
    for line, wanted, answer in zip(lines, expected, answers):
        got = [float(word) for word in answer.split()]
        if len(got) != len(wanted) or not all(map(close, got, wanted)):
            failed += 1
            print(f"{line[:200]}\n  expected {wanted}\n  got      {got}")
    print(f"{len(lines)} cases, {failed} failed, seed {SEED}")
    return failed > 0 or len(answers) != len(lines)


if __name__ == "__main__":
    sys.exit(main())
