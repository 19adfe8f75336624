"""What end-to-end tests share: the program in a world of its own, and small assertions.

ctest hands over the world: BM_PROGRAM (benchmatrix), BM_SOURCE (the source tree), BM_WORK (a folder that all end-to-end tests of one build
tree share, so that what one has built the next one finds in the cache)."""

import json
import os
import sqlite3
import subprocess
import sys
import unittest

PROGRAM = os.environ["BM_PROGRAM"]
SOURCE = os.environ["BM_SOURCE"]
WORK = os.environ["BM_WORK"]
CACHE = os.path.join(WORK, "cache")
# The benchmarks of the quick matrix, which most tests look at alone: bench-core has ten times as many.
with open(os.path.join(SOURCE, "runner", "matrices", "quick.json"), encoding="utf-8") as file:
    QUICK = json.load(file)["benchmarks"]
# Native timing of one test need not wait for what another test builds: each world is a machine of its own.
os.environ["BENCHMATRIX_LOCK"] = os.path.join(WORK, os.path.basename(sys.argv[0]) + ".lock")
LIBEXEC = os.path.join(os.path.dirname(os.path.dirname(PROGRAM)), "libexec", "benchmatrix")


class World:
    """A database and a configuration folder of one test; the cache is shared unless said otherwise."""

    def __init__(self, name, cache=CACHE):
        self.folder = os.path.join(WORK, name)
        subprocess.run(["rm", "-rf", self.folder], check=True)
        os.makedirs(self.folder)
        self.db = os.path.join(self.folder, "benchmatrix.db")
        self.config = os.path.join(self.folder, "config")
        self.cache = cache
        self.program = PROGRAM
        self.path = os.environ["PATH"]

    def run(self, *arguments, timeout=1500):
        """Exit status, standard output, standard error."""
        environment = {
            "PATH": self.path,
            "HOME": self.folder,
            "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": self.config,
            "BENCHMATRIX_CACHE": self.cache,
            "BENCHMATRIX_DB": self.db,
            "BENCHMATRIX_LOCK": os.environ["BENCHMATRIX_LOCK"],
            "G_DEBUG": "fatal-criticals",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
        }
        done = subprocess.run([self.program, *arguments], env=environment, cwd=self.folder, timeout=timeout, capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, errors="replace")
        sys.stderr.write("$ benchmatrix %s\n%s%s= %d\n" % (" ".join(arguments), done.stdout, done.stderr, done.returncode))
        return done.returncode, done.stdout, done.stderr

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def ask(self, sql, *values):
        """Rows of the database, read by SQLite itself and not by us."""
        with sqlite3.connect("file:%s?mode=ro" % self.db, uri=True) as db:
            return db.execute(sql, values).fetchall()


def main():
    unittest.main(verbosity=2)
