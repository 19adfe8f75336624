"""What is wrong is told with its place, and nothing is lost."""

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

import bm

MATRIX = {
    "summary": "for tests",
    "library": "wolfssl",
    "versions": ["5.5.4"],
    "toolchains": ["x86_64-gcc"],
    "profiles": ["crypto"],
    "optimisations": ["-O2"],
    "flags": [[]],
    "agents": ["qemu-user"],
    "benchmarks": ["sha-256 hash"],
}


class BadMatrix(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("bad_matrix")

    def refused(self, text, *words):
        path = self.world.write("m.json", text if isinstance(text, str) else json.dumps(text))
        for command in ("plan", "run"):
            status, out, err = self.world.run(command, path)
            self.assertEqual((status, out), (4, ""))
            for word in ("m.json",) + words:
                self.assertIn(word, err)
        self.assertFalse(os.path.exists(self.world.db), "a matrix that is refused leaves no database")

    def test_syntax_error(self):
        self.refused('{\n  "library": "wolfssl",\n  "flags": [[}\n', "m.json:3")

    def test_names_that_are_not_known(self):
        for change, words in [
            ({"toolchain": []}, ['"toolchain"', '"toolchains"']),
            ({"toolchains": ["x86_64-gc"]}, ["$.toolchains[0]", '"x86_64-gcc"']),
            ({"flags": [["fastmth"]]}, ["$.flags[0][0]", '"fastmath"']),
            ({"library": "wolfsll"}, ["$.library", '"wolfssl"']),
            ({"versions": ["5.5.5"]}, ["$.versions[0]", '"5.5.4"']),
            ({"agents": ["qemu-usr"]}, ["$.agents[0]", '"qemu-user"']),
            ({"profiles": ["cripto"]}, ["$.profiles[0]", '"crypto"']),
            ({"optimisations": ["-O7"]}, ["$.optimisations[0]"]),
            ({"benchmarks": ["sha-257 hash"]}, ["$.benchmarks[0]", '"sha-256 hash"']),
            ({"blocks": [0]}, ["$.blocks[0]"]),
        ]:
            self.refused({**MATRIX, **change}, *words)

    def test_a_set_that_cannot_be_leaves_nothing(self):
        self.refused({**MATRIX, "flags": [["armasm"]]}, "aarch64")

    def test_no_such_matrix(self):
        status, _, err = self.world.run("run", "quik")
        self.assertEqual(status, 4)
        self.assertIn('"quick"', err)


class MissingTools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("missing_tools")
        with open(os.path.join(bm.SOURCE, "toolchains", "x86_64-gcc.json"), encoding="utf-8") as file:
            toolchain = json.load(file)
        text = json.dumps(toolchain)
        cls.write("no-compiler", json.dumps({**toolchain, "cc": "no-such-gcc"}))
        cls.write("no-emulator", text.replace('"qemu-x86_64"', '"no-such-qemu"'))

    @classmethod
    def write(cls, name, text):
        changed = json.loads(text)
        if "name" in changed:
            changed["name"] = name
        cls.world.write("config/benchmatrix/toolchains/%s.json" % name, json.dumps(changed))

    def run_with(self, *toolchains):
        path = self.world.write("m.json", json.dumps({**MATRIX, "toolchains": list(toolchains)}))
        return self.world.run("run", path)

    def test_the_rest_runs(self):
        status, out, _ = self.run_with("no-compiler", "no-emulator", "x86_64-gcc")
        self.assertEqual(status, 1)
        self.assertIn("3 cells: 1 ok, 0 partial, 2 failed", out)
        failures = self.world.ask("SELECT cell, what, reason FROM failure WHERE run = (SELECT uuid FROM run ORDER BY id DESC) ORDER BY cell")
        self.assertEqual([what for _, what, _ in failures], ["unsupported", "unsupported"])
        self.assertIn("no-such-gcc", failures[0][2])
        self.assertIn("apt-get install", failures[0][2])
        self.assertIn("no-such-qemu", failures[1][2])
        self.assertIn("qemu-user", failures[1][2])

    def test_nothing_left(self):
        status, _, _ = self.run_with("no-compiler", "no-emulator")
        self.assertEqual(status, 3)


class Streams(unittest.TestCase):
    """Whatever becomes of our reader, a run is measured and marked as ended."""

    def setUp(self):
        self.world = bm.World("streams")
        self.matrix = self.world.write("m.json", json.dumps({**MATRIX, "agents": ["local"]}))

    def start(self, matrix, **streams):
        environment = {**os.environ, "BENCHMATRIX_CACHE": self.world.cache, "BENCHMATRIX_DB": self.world.db, "HOME": self.world.folder}
        return subprocess.Popen([bm.PROGRAM, "run", matrix], env=environment, stdin=subprocess.DEVNULL, **streams)

    def ended(self):
        self.assertEqual(self.world.run("db", "check")[0], 0)
        return self.world.ask("SELECT status FROM run WHERE ended_at IS NOT NULL")

    def test_a_reader_that_goes_away(self):
        run = self.start(self.matrix, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        run.stderr.readline()
        run.stderr.close()
        self.assertEqual(run.wait(600), 0)
        self.assertEqual(self.ended(), [(0,)])

    def test_streams_that_are_closed(self):
        for redirection, status in (("<&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 1)):
            done = subprocess.run(["sh", "-c", '"$0" --db "$1" run "$2" ' + redirection, bm.PROGRAM, self.world.db, self.matrix], timeout=600,
                                  capture_output=True, env={**os.environ, "BENCHMATRIX_CACHE": self.world.cache, "HOME": self.world.folder})
            self.assertEqual(done.returncode, status, redirection)
        self.assertEqual(self.ended(), [(0,), (0,), (0,)])

    def long_run(self):
        matrix = self.world.write("long.json", json.dumps({**MATRIX, "agents": ["local"], "budget_ms": 600000}))
        run = self.start(matrix, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        run.stderr.readline()
        return run

    def test_interrupted_once(self):
        run = self.long_run()
        run.send_signal(signal.SIGINT)
        self.assertIn(b"(cancelled)", run.communicate(timeout=60)[0])
        self.assertEqual(run.returncode, 1)
        self.assertEqual(self.ended(), [(1,)])

    def test_interrupted_again_and_again(self):
        """The second time ends it at once, and loses nothing: the next run closes what was left open."""
        run = self.long_run()
        while run.poll() is None:
            run.send_signal(signal.SIGINT)
            time.sleep(0.001)
        run.communicate()
        self.assertEqual(run.returncode, 1)
        self.assertEqual(self.world.run("run", self.matrix)[0], 0)
        self.assertEqual(self.ended(), [(1,), (0,)])
        self.assertEqual(self.world.run("db", "check")[0], 0)


class BadPlaces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("bad_places")
        cls.matrix = cls.world.write("m.json", json.dumps(MATRIX))

    def test_database_of_a_newer_version_is_left_alone(self):
        path = os.path.join(self.world.folder, "newer.db")
        self.assertEqual(self.world.run("--db", path, "run", self.matrix)[0], 0)
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA user_version = 999")
        db.close()
        before = hashlib.sha256(open(path, "rb").read()).digest()
        for arguments in (["run", self.matrix], ["query"], ["db", "check"]):
            status, _, err = self.world.run("--db", path, *arguments)
            self.assertEqual(status, 4)
            self.assertIn("newer", err)
        self.assertEqual(hashlib.sha256(open(path, "rb").read()).digest(), before)

    def test_a_file_that_is_no_database(self):
        path = self.world.write("text.db", "not a database, and long enough to hold a header of one " * 20)
        for arguments in (["run", self.matrix], ["list", "runs"]):
            status, _, err = self.world.run("--db", path, *arguments)
            self.assertEqual(status, 4)
            self.assertIn("text.db", err)

    def test_no_database_yet(self):
        status, _, err = self.world.run("--db", os.path.join(self.world.folder, "none.db"), "query")
        self.assertNotEqual(status, 0)
        self.assertIn("none.db", err)

    def test_a_place_that_cannot_be_written(self):
        for db in ("/proc/benchmatrix.db", "/proc/none/benchmatrix.db"):
            status, _, err = self.world.run("--db", db, "run", self.matrix)
            self.assertEqual(status, 1)
            self.assertIn(db.rsplit("/", 1)[0], err)

    def full(self, name, size):
        folder = os.path.join(self.world.folder, name)
        os.makedirs(folder)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder], capture_output=True, text=True)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a small file system here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        return folder

    def test_no_space_for_the_database(self):
        folder = self.full("full_db", "200k")
        db = os.path.join(folder, "benchmatrix.db")
        status, _, err = self.world.run("--db", db, "run", self.matrix)
        self.assertEqual(status, 1)
        self.assertIn("full", err)
        self.assertIn("benchmatrix.db", err)

    def test_a_database_on_a_read_only_file_system(self):
        folder = self.full("read_only", "8m")
        db = os.path.join(folder, "benchmatrix.db")
        self.assertEqual(self.world.run("--db", db, "run", self.matrix)[0], 0)
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        status, _, err = self.world.run("--db", db, "run", self.matrix)
        self.assertEqual(status, 1)
        self.assertIn("Read-only file system", err)
        self.assertEqual(self.world.run("--db", db, "db", "check")[0], 0)
        self.assertEqual(self.world.run("--db", db, "query", "--metric", "instructions")[0], 0)

    def test_no_space_for_the_cache(self):
        world = bm.World("full_cache", cache=self.full("full_cache", "4m"))
        status, out, _ = world.run("run", self.matrix)
        self.assertIn(status, (1, 3))
        self.assertRegex(out, "(?i)no space left|full")

    def test_two_runs_at_once_on_one_database(self):
        shutil.rmtree(os.path.join(self.world.folder, "at_once"), ignore_errors=True)
        matrix = self.world.write("at_once/m.json", json.dumps({**MATRIX, "agents": ["local", "qemu-user"], "invocations": 2}))
        db = os.path.join(self.world.folder, "at_once", "both.db")
        environment = {**os.environ, "BENCHMATRIX_CACHE": self.world.cache, "BENCHMATRIX_DB": db, "HOME": self.world.folder}
        runs = [subprocess.Popen([bm.PROGRAM, "run", matrix, "--fresh"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                for _ in range(2)]
        for run in runs:
            out, _ = run.communicate(timeout=600)
            self.assertEqual(run.returncode, 0, out)
        with sqlite3.connect(db) as connection:
            self.assertEqual(connection.execute("SELECT count(*), sum(status) FROM run").fetchall(), [(2, 0)])
            self.assertEqual(connection.execute("SELECT count(*) FROM cell_state WHERE state = 'ok'").fetchall(), [(4,)])
        self.assertEqual(self.world.run("--db", db, "db", "check")[0], 0)


if __name__ == "__main__":
    bm.main()
