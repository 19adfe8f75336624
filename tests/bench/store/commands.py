#!/usr/bin/python3
"""How long whole commands take on the file that store_bench has written, from the start of the program to its last line.

  tests/bench/store/commands.py DATABASE TURNS BUILD...      as root: caches are dropped before each cold turn; builds are asked in turns

Tells the median and the least of the wall, and the median of the processor, which other work on the machine changes less."""

import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import time


def questions(db):
    with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as there:
        nights = there.execute("SELECT count(*) FROM run").fetchone()[0]
    nights_two = ["compare", f"run=night {nights // 2}", f"run=night {nights - 1}", "--metric", "instructions"]
    return {
        "start": ["--version"],
        "two nights, table": nights_two,
        "two nights, csv": nights_two + ["--format", "csv"],
        f"one series, {nights} nights": ["history", "config=config33,benchmark=aes-128-cbc encrypt,block=1024", "--metric", "instructions"],
        "latest of a configuration": ["query", "config=config17", "--metric", "instructions"],
    }


def make_cold():
    os.sync()
    with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as caches:
        caches.write("3")


def ask(build, db, question):
    """Seconds of the wall and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([os.path.join(build, "bin", "benchmatrix"), "--db", db] + question, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    db, turns, builds = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    for name, question in questions(db).items():
        for cold in (True, False):
            seen = {build: [] for build in builds}
            for _ in range(turns):
                for build in builds:
                    if cold:
                        make_cold()
                    seen[build].append(ask(build, db, question))
            for build in builds:
                walls, processors = zip(*seen[build])
                print(f"{name:26} {'cold' if cold else 'warm'}  {build}: {statistics.median(walls) * 1e3:.0f} ms, least {min(walls) * 1e3:.0f}, "
                      f"processor {statistics.median(processors) * 1e3:.0f}", flush=True)


if __name__ == "__main__":
    main()
