#!/usr/bin/python3
"""Holds the change points and thresholds of results/history against an implementation from their definitions, on simulated series, and
prints how many changes are found and how many are false.

    history_against_definition.py PROGRAM     (PROGRAM: history_lines)

Exit status 1 where the two differ, or where series without a change show one more often than in 1 of 100 (and what chance adds to that).
Without SciPy (Debian: python3-scipy) nothing is tested, and the exit status is 77.
"""

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
ALPHA, FLOOR = 0.01, 0.01
NIGHTS = 100
SERIES = 2000  # of each kind, by the program
CHECKED = 12  # of them by the definitions, which take longer
NEAR = 3  # nights that a change may be off by


class Program:
    """Asks history_lines, many lines at once."""

    def __init__(self, path):
        self.path = path

    def ask(self, lines):
        done = subprocess.run([self.path], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        return [[float(word) for word in line.split()] for line in done.stdout.split("\n")[: len(lines)]]


def text(values):
    return " ".join(repr(float(value)) for value in values)


# --- the definitions ---


def windows(n):
    """Seeded intervals with decay 1/sqrt(2), 14 points or more; the whole where that leaves none."""
    found, share = [], 1.0
    while n * share >= 14:
        length, count = n * share, 2 * math.ceil(1 / share - 1e-9) - 1
        step = (n - length) / (count - 1) if count > 1 else 0
        for i in range(count):
            found.append((math.floor(i * step + 1e-9), min(n, math.ceil(i * step + length - 1e-9))))
        share *= math.sqrt(0.5)
    return found or [(0, n)]


def split_by_energy(values):
    """The first of the splits with the largest nm/(n+m) (2 E|X-Y| - E|X-X'| - E|Y-Y'|), of midranks."""
    ranks = stats.rankdata(values)
    distances = numpy.abs(ranks[:, None] - ranks[None, :])
    best, most = None, -math.inf
    for at in range(2, len(values) - 1):
        n, m = at, len(values) - at
        energy = 2 * distances[:at, at:].mean() - distances[:at, :at].mean() - distances[at:, at:].mean()
        if n * m / (n + m) * energy > most + 1e-9:
            best, most = at, n * m / (n + m) * energy
    return best


CHOICES = {}


def choices(few, every):
    """How many of the C(every, few) sets of ranks have which sum above the smallest, as shares."""
    if (few, every) not in CHOICES:
        most = few * (every - few)
        ways = numpy.zeros((few + 1, most + 1))
        ways[0, 0] = 1.0
        # A set's k-th rank (from 0) counts for what it lies above k.
        for rank in range(every):
            for k in range(min(few, rank + 1), 0, -1):
                above = rank - (k - 1)
                if above <= most:
                    ways[k, above:] += ways[k - 1, : most + 1 - above]
        CHOICES[few, every] = numpy.cumsum(ways[few]) / ways[few].sum()
    return CHOICES[few, every]


def p_of_u(u, n, m):
    tail = min(u, n * m - u)
    z = max(n * m / 2 - tail - 0.5, 0) / math.sqrt(n * m * (n + m + 1) / 12)
    if z < 1.5 or min(n, m) * (tail + 1) > 200000:
        return min(1.0, 2 * stats.norm.sf(z))
    return min(1.0, 2 * choices(min(n, m), n + m)[math.ceil(tail)])


def p_of(values, at):
    ranks = stats.rankdata(values)
    return p_of_u(ranks[:at].sum() - at * (at + 1) / 2, at, len(values) - at)


class Definition:
    """Narrowest window first, then each change between its neighbours, then away with the weakest."""

    def __init__(self, values, factor, least):
        self.values, self.factor, self.least = numpy.array(values), factor, least

    def part(self, i):
        return self.values[self.cuts[i - 1] : self.cuts[i + 1]], self.cuts[i] - self.cuts[i - 1]

    def series_p(self, p):
        return min(1.0, p * self.factor)

    def p_at(self, i):
        """The clearest of the windows between the neighbours that hold the change with two points a side, and of the whole."""
        low, at, high = self.cuts[i - 1], self.cuts[i], self.cuts[i + 1]
        within = [(low, high)] + [(a, b) for a, b in windows(len(self.values)) if low <= a <= at - 2 and at + 2 <= b <= high]
        return self.series_p(min(p_of(self.values[a:b], at - a) for a, b in within))

    def choose(self):
        flagged = []
        for first, end in windows(len(self.values)):
            part = self.values[first:end]
            at = split_by_energy(part) if len(part) >= 4 else None
            p = p_of(part, at) if at else 1.0
            if self.series_p(p) <= ALPHA:
                flagged.append((end - first, p, first, end, first + at))
        for _, _, first, end, at in sorted(flagged, key=lambda window: window[:2]):
            if not any(first < cut < end for cut in self.cuts[1:-1]):
                self.cuts = sorted(self.cuts + [at])

    def place(self):
        for i in range(1, len(self.cuts) - 1):
            part, at = self.part(i)
            before, after = numpy.median(part[:at]), numpy.median(part[at:])
            costs = {k: numpy.abs(part[:k] - before).sum() + numpy.abs(part[k:] - after).sum() for k in range(2, len(part) - 1)}
            least = min(costs.values())
            self.cuts[i] = self.cuts[i - 1] + min(k for k, cost in costs.items() if cost <= least + 1e-12 * abs(least))

    def weakest(self):
        found = (-1.0, None)
        for i in range(1, len(self.cuts) - 1):
            part, at = self.part(i)
            before, after = numpy.median(part[:at]), numpy.median(part[at:])
            p = self.p_at(i)
            small = abs(after - before) < self.least * min(abs(before), abs(after))
            if p > found[0] and (p > ALPHA or small):
                found = (p, i)
        return found[1]

    def splits(self):
        self.cuts = [0, len(self.values)]
        self.choose()
        self.place()
        self.place()
        while (i := self.weakest()) is not None:
            del self.cuts[i]
            self.place()
        answer = []
        for i in range(1, len(self.cuts) - 1):
            answer += [self.cuts[i], self.p_at(i)]
        return answer


def noise_by_definition(values, changes):
    steps = [abs(values[i] - values[i - 1]) / values[i - 1] for i in range(1, len(values)) if i not in changes][-30:]
    if len(steps) < 8:
        return [3 * max(steps), len(steps)] if steps else [math.nan, 0]
    low, high = numpy.quantile(steps, [0.25, 0.75])
    return [high + 3 * (high - low), len(steps)]


# --- the series ---


def gauss(sd=0.01):
    return lambda i: 1 + random.gauss(0, sd)


def heavy(i):
    """Student's t with 3 degrees of freedom: variance 3."""
    t = random.gauss(0, 1) / math.sqrt(sum(random.gauss(0, 1) ** 2 for _ in range(3)) / 3)
    return 1 + 0.01 * t / math.sqrt(3)


def outliers(i):
    return (1 + random.gauss(0, 0.01)) * (random.uniform(1.1, 2) if random.random() < 0.05 else 1)


def quantised(i):
    return round(100 * (1 + random.gauss(0, 0.01))) / 100


def skewed(i):
    return 1 + random.expovariate(100)


def resembling():
    """Half of a night's luck is that of the night before."""
    last = [0.0]

    def noise(i):
        last[0] = 0.5 * last[0] + random.gauss(0, 0.01 * math.sqrt(0.75))
        return 1 + last[0]

    return noise


class Kind:
    def __init__(self, name, noise, level=lambda i, at: 1.0, changes=lambda at: [], bound=False):
        self.name, self.noise, self.level, self.changes, self.bound = name, noise, level, changes, bound

    def series(self):
        at, noise = random.randint(30, 70), self.noise() if self.noise is resembling else self.noise
        return self.changes(at), [self.level(i, at) * noise(i) for i in range(NIGHTS)]


def step(size):
    return lambda i, at: 1 + size if i >= at else 1.0


def once(at):
    return [at]


def kinds():
    for name, noise in [("gaussian", gauss()), ("heavy tails (t, 3 df)", heavy), ("5 % outliers", outliers), ("coarse clock", quantised),
                        ("skewed (exponential)", skewed)]:
        yield Kind(f"none, {name}", noise, bound=True)
    yield Kind("none, nights resemble each other", resembling)
    for size in (0.005, 0.01, 0.02, 0.03, 0.05, 0.1):
        yield Kind(f"step of {100 * size:g} %", gauss(), step(size), once)
    yield Kind("step of 3 %, heavy tails", heavy, step(0.03), once)
    yield Kind("step of 3 %, 5 % outliers", outliers, step(0.03), once)
    yield Kind("step of 3 %, coarse clock", quantised, step(0.03), once)
    yield Kind("step of 3 %, noise of 3 %", gauss(0.03), step(0.03), once)
    yield Kind("up 3 %, 20 nights on back", gauss(), lambda i, at: 1.03 if at <= i < at + 20 else 1.0, lambda at: [at, at + 20])
    yield Kind("step of 5 %, 5 nights ago", gauss(), lambda i, at: 1.05 if i >= NIGHTS - 5 else 1.0, lambda at: [NIGHTS - 5])
    yield Kind("step of 5 %, 8 nights ago", gauss(), lambda i, at: 1.05 if i >= NIGHTS - 8 else 1.0, lambda at: [NIGHTS - 8])
    yield Kind("drift of 5 % over all nights", gauss(), lambda i, at: 1 + 0.05 * i / NIGHTS)


# --- holding them against each other ---


def close(a, b):
    return len(a) == len(b) and all(x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= 1e-9 + 1e-6 * abs(y) for x, y in zip(a, b))


def check(program, factor, series):
    """How many of the series differ, with and without a floor."""
    wrong = 0
    for values in series:
        for least in (FLOOR, 0.0):
            got = program.ask([f"splits {ALPHA} {least} {text(values)}"])[0]
            wanted = Definition(values, factor, least).splits()
            if not close(got, wanted):
                wrong += 1
                print(f"{text(values)}\n  least {least}: expected {wanted}\n  got {got}")
        changes = [int(at) for at in program.ask([f"splits {ALPHA} {FLOOR} {text(values)}"])[0][::2]]
        got, wanted = program.ask([f"noise {text(values)}"])[0], noise_by_definition(values, changes)
        if not close(got, wanted):
            wrong += 1
            print(f"noise of {text(values)}\n  expected {wanted}\n  got {got}")
    return wrong


def tally(answers, truths):
    """The share of changes that were found, of series with a false one, and changes in all for each series."""
    found = false = total = wanted = 0
    for answer, truth in zip(answers, truths):
        places = [int(at) for at in answer[::2]]
        found += sum(any(abs(place - at) <= NEAR for place in places) for at in truth)
        false += any(all(abs(place - at) > NEAR for at in truth) for place in places)
        total, wanted = total + len(places), wanted + len(truth)
    return found / wanted if wanted else math.nan, false / len(answers), total / len(answers)


def percent(share):
    return "-" if math.isnan(share) else f"{100 * share:.1f} %"


def check_p(program):
    """Of two sides without ties against SciPy's exact test, and against counting."""
    wrong = 0
    for n, m in [(2, 5), (4, 4), (3, 30), (6, 20), (10, 10), (8, 60)]:
        for u in range(0, n * m // 2 + 1, max(1, n * m // 12)):
            got, wanted = program.ask([f"u {u} {n} {m}"])[0][0], p_of_u(u, n, m)
            z = (n * m / 2 - u - 0.5) / math.sqrt(n * m * (n + m + 1) / 12)
            # As many of x are below y as make that U.
            ranks = list(range(n))
            left = u
            for i in reversed(range(n)):
                ranks[i] += min(left, m)
                left -= min(left, m)
            x = [rank + 0.0 for rank in ranks]
            y = [rank for rank in range(n + m) if rank not in ranks]
            exact = stats.mannwhitneyu(x, y, method="exact").pvalue
            if not close([got], [wanted]) or (z >= 1.5 and not close([got], [exact])):
                wrong += 1
                print(f"u {u} {n} {m}: expected {wanted} (SciPy {exact}), got {got}")
    return wrong


def main():
    random.seed(SEED)
    program = Program(sys.argv[1])
    factor = program.ask([f"series 1e-9 {NIGHTS}"])[0][0] / 1e-9
    wrong = check_p(program)
    print(f"{SERIES} series of {NIGHTS} nights each, noise of 1 % where not said; a change is found within {NEAR} nights of its place\n")
    print(f"{'change':34} {'found':>8} {'any false':>10} {'changes':>8}   without the floor of 1 %: found, false")
    for kind in kinds():
        truths, series = zip(*(kind.series() for _ in range(SERIES)))
        rows = [tally(program.ask([f"splits {ALPHA} {least} {text(values)}" for values in series]), truths) for least in (FLOOR, 0.0)]
        (found, false, total), (all_found, all_false, _) = rows
        print(f"{kind.name:34} {percent(found):>8} {percent(false):>10} {total:8.2f}   {percent(all_found):>8} {percent(all_false):>8}", flush=True)
        if kind.bound and all_false > ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / SERIES):
            wrong += 1
            print(f"  more than {percent(ALPHA)} are false")
        wrong += check(program, factor, series[:CHECKED])
    print(f"\n{CHECKED} series of each kind by the definitions too; {wrong} faults, seed {SEED}")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
