"""The cache: shared by several runs at once, shown, pruned to a size, pinned, and on a disk that is full.

A tiny library with a configure script in a user's folder, one toolchain and two flag sets: two builds."""

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

import bm
from test_keys import LIBRARY

DAY = 24 * 3600


def text(file):
    with open(file, encoding="utf-8") as opened:
        return opened.read()


def disk(*paths):
    """What du says, in bytes."""
    lines = subprocess.run(["du", "-s", "--block-size=1", *paths], check=True, capture_output=True, text=True).stdout.splitlines()
    return sum(int(line.split()[0]) for line in lines)


class Cache(unittest.TestCase):
    def setUp(self):
        self.world = world = bm.World("cache-" + self._testMethodName)
        world.cache = os.path.join(world.folder, "cache")
        shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "tiny"))
        world.write("config/benchmatrix/libs/tiny.c", text(os.path.join(bm.SOURCE, "tests", "fixtures", "core_fake.c")))
        world.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        world.write("m.json", json.dumps({
            "summary": "for tests", "library": "tiny", "versions": [{"name": "mine", "folder": "tiny"}], "toolchains": ["x86_64-gcc"],
            "profiles": ["crypto"], "optimisations": ["-O2"], "flags": [[], ["table"]], "agents": ["qemu-user"],
            "benchmarks": ["sha-256 hash"]}))

    def start(self, *arguments, db="benchmatrix.db", wrap=(), **variables):
        """A process of the program, which goes on beside us."""
        environment = {"PATH": self.world.path, "HOME": self.world.folder, "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": self.world.config,
                       "BENCHMATRIX_CACHE": self.world.cache, "BENCHMATRIX_DB": os.path.join(self.world.folder, db),
                       "BENCHMATRIX_LOCK": os.environ["BENCHMATRIX_LOCK"],
                       "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""), **variables}
        return subprocess.Popen([*wrap, self.world.program, *arguments], env=environment, cwd=self.world.folder, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace")

    def run_with(self, *arguments, **variables):
        process = self.start(*arguments, **variables)
        out, err = process.communicate(timeout=300)
        print(out, err)
        return process.returncode, out, err

    def entries(self, kind):
        return sorted(glob.glob(os.path.join(self.world.cache, kind, "*")))

    def age(self, seconds, *kinds):
        """Everything of these kinds was last used so long ago."""
        then = time.time() - seconds
        for kind in kinds:
            for entry in self.entries(kind):
                for file in ("entry.json", "source.json"):
                    if os.path.exists(os.path.join(entry, file)):
                        os.utime(os.path.join(entry, file), (then, then))
                if os.path.isfile(entry):
                    os.utime(entry, (then, then))

    def rows(self, *options):
        status, out, _ = self.world.run("cache", "show", "--format", "json", *options)
        self.assertEqual(status, 0)
        return json.loads(out)["rows"]

    def compiled(self, out):
        return tuple(map(int, re.search(r"(\d+) programs? built \((\d+) librar\w+ compiled\)", out).groups()))

    def test_runs_at_once_share_one_cache(self):
        """Three runs begin together, and somebody prunes all the time: every run is whole, each library is compiled once."""
        runs = [self.start("run", "m.json", db="db%d" % i) for i in range(3)]
        while any(run.poll() is None for run in runs):
            self.run_with("cache", "prune", "--size", "0")
        made = []
        for run in runs:
            out, err = run.communicate(timeout=300)
            self.assertEqual(run.returncode, 0, out + err)
            self.assertIn("2 cells: 2 ok", out)
            made.append(self.compiled(out))
        self.assertEqual([sum(column) for column in zip(*made)], [2, 2], made)
        self.assertEqual(self.entries("work"), [])

    def test_a_killed_run_leaves_nothing_behind(self):
        run = self.start("run", "m.json")
        while not glob.glob(os.path.join(self.world.cache, "work", "*", "build-*")):
            self.assertIsNone(run.poll(), "it ended before it could be killed")
            time.sleep(0.01)
        run.send_signal(signal.SIGKILL)
        run.communicate(timeout=60)
        self.assertNotEqual(self.entries("work"), [])
        self.assertEqual(self.run_with("cache", "prune")[0], 0)
        self.assertEqual(self.entries("work"), [])
        status, out, _ = self.run_with("run", "m.json")
        self.assertEqual(status, 0)
        self.assertIn("2 cells: 2 ok", out)

    def test_shows_what_is_there(self):
        self.assertEqual([row["entries"] for row in self.rows()], [0] * 6)
        self.assertFalse(os.path.exists(self.world.cache))
        self.world.run("run", "m.json")
        by_kind = {row["kind"]: row for row in self.rows()}
        for kind, count in (("sources", 1), ("configure", 1), ("libraries", 2), ("programs", 2)):
            self.assertEqual(by_kind[kind]["entries"], count)
            self.assertEqual(by_kind[kind]["bytes"], disk(*self.entries(kind)))
        self.assertEqual(by_kind["all"]["bytes"], sum(row["bytes"] for row in by_kind.values()) - by_kind["all"]["bytes"])
        all_rows = self.rows("--all")
        self.assertEqual(sorted(row["build"] for row in all_rows if row["kind"] == "programs"),
                         ["x86_64-gcc tiny-mine default crypto -O2", "x86_64-gcc tiny-mine table crypto -O2"])
        self.assertEqual({row["entry"] for row in all_rows if row["kind"] == "libraries"},
                         {os.path.basename(entry) for entry in self.entries("libraries")})

    def test_a_use_counts_as_such(self):
        self.world.run("run", "m.json")
        self.age(3 * DAY, "sources", "libraries", "programs")
        self.world.run("run", "m.json")
        for file in glob.glob(os.path.join(self.world.cache, "*", "*", "*.json")):
            self.assertLess(time.time() - os.stat(file).st_mtime, DAY, file)

    def test_prunes_pins_and_builds_again(self):
        self.world.run("run", "m.json")
        self.age(3 * DAY, "sources", "configure", "libraries", "programs")
        status, out, _ = self.world.run("cache", "prune", "--size", "0", "--dry-run")
        self.assertEqual(status, 0)
        self.assertIn("6 entries", out)
        self.assertEqual(len(self.entries("programs")), 2)

        status, out, _ = self.world.run("cache", "pin", "* table *")
        self.assertEqual((status, out), (0, "* table *: 2 entries pinned\n"))
        status, out, _ = self.world.run("cache", "prune", "--size", "0")
        self.assertEqual(status, 1)
        self.assertIn("4 entries", out)
        self.assertIn("are pinned", out)
        self.assertEqual({row["build"] for row in self.rows("--all")}, {"x86_64-gcc tiny-mine table crypto -O2"})
        self.assertEqual(len(self.entries("locks")), 3)

        key = os.path.basename(self.entries("programs")[0])
        self.assertEqual(self.world.run("cache", "unpin", key[:8])[0], 0)
        self.world.run("cache", "prune", "--older", "2")
        self.assertEqual((len(self.entries("programs")), len(self.entries("libraries"))), (0, 1))

        status, out, _ = self.world.run("run", "m.json")
        self.assertEqual(status, 0)
        self.assertEqual(self.compiled(out), (2, 1))

    def test_a_run_prunes_to_the_limit_at_its_end(self):
        self.world.run("run", "m.json")
        self.world.write("tiny/more.c", "int more;\n")
        self.age(3 * DAY, "sources", "libraries", "programs")
        old = set(self.entries("programs") + self.entries("libraries") + self.entries("sources"))
        self.assertEqual(self.run_with("run", "m.json", BENCHMATRIX_CACHE_SIZE="0")[0], 0)
        self.assertTrue(all(map(os.path.exists, old)))
        self.assertEqual(self.run_with("run", "m.json", BENCHMATRIX_CACHE_SIZE="1K")[0], 0)
        self.assertFalse(any(map(os.path.exists, old)))
        self.assertEqual((len(self.entries("programs")), len(self.entries("libraries")), len(self.entries("sources"))), (2, 2, 1))

    def test_refuses_what_makes_no_sense(self):
        for arguments, variables, words in (
                (("run", "m.json"), {"BENCHMATRIX_CACHE_SIZE": "plenty"}, 'BENCHMATRIX_CACHE_SIZE is "plenty"'),
                (("cache", "prune"), {"BENCHMATRIX_CACHE_SIZE": "-1"}, 'BENCHMATRIX_CACHE_SIZE is "-1"'),
                (("cache", "prune"), {"BENCHMATRIX_CACHE_SIZE": "0"}, "--size"),
                (("cache", "prune", "--size", "some"), {}, "--size some"),
                (("cache", "prune", "--older", "-3"), {}, "--older -3"),
                (("cache", "prune", "--all"), {}, "--all belongs to"),
                (("cache", "--dry-run"), {}, "--dry-run belongs to"),
                (("cache", "pin"), {}, "cache pin PATTERN"),
                (("cache", "show", "all"), {}, "usage"),
                (("cache", "prun"), {}, 'did you mean "prune"')):
            status, out, err = self.run_with(*arguments, **variables)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(words, err)
        status, _, err = self.run_with("cache", "pin", "nothing-of-the-kind")
        self.assertEqual(status, 4)
        self.assertIn("nothing-of-the-kind", err)

    def test_a_full_disk_is_no_failure_of_the_library(self):
        """A real file system of little room, in a name space of its own, which grows for the second run."""
        if subprocess.run(["unshare", "-rm", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no user name spaces here")
        os.makedirs(self.world.cache)
        # Room for the source, but not for what is compiled.
        script = self.world.write("full.sh", 'set -e\nmount -t tmpfs -o size=400k none "$BENCHMATRIX_CACHE"\n"$1" run m.json || echo "status $?"\n'
                                             'echo ROOM\nmount -o remount,size=100m "$BENCHMATRIX_CACHE"\n"$1" run m.json\n')
        process = self.start(wrap=("unshare", "-rm", "sh", script))
        out, err = process.communicate(timeout=300)
        print(out, err)
        full, room = out.split("ROOM\n")
        self.assertIn("status 1", full)
        self.assertIn("the disk of the cache is full (%s): free some space, then run --resume" % self.world.cache, full + err)
        self.assertNotRegex(full, "(configure|compile|link)-failed")
        self.assertEqual(process.returncode, 0)
        self.assertIn("2 cells: 2 ok", room)


if __name__ == "__main__":
    bm.main()
