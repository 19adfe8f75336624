"""What the fault tests share: a small world (a library in small, two configurations, timed here and counted under QEMU), what a run of it
leaves when nothing disturbs it, and what must hold when something does.

ctest hands over BM_PROGRAM (benchmatrix), BM_SOURCE (the source tree) and BM_WORK (a folder to work in). What happens by chance is drawn
from a seed that is printed: BM_SEED=N repeats it.

A unit of work is what is done once in an undisturbed run: fetching and preparing the source ("prepare -"), configuring and making one
library ("library CONFIG"), linking one program ("link -", as often as there are configurations), one benchmark of one invocation ("count
CONFIG 0:NAME", "time CONFIG 2:NAME"). Each tells its begin in the world's log, a benchmark with its process and when; work done twice is what was begun more often
than that."""

import atexit
import collections
import contextlib
import functools
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.environ["BM_PROGRAM"]
SOURCE = os.environ["BM_SOURCE"]
WORK = os.environ["BM_WORK"]
HERE = os.path.dirname(os.path.abspath(__file__))
# How often what depends on chance is tried: more in the long tests.
ROUNDS = int(os.environ.get("BM_ROUNDS") or 1)
SEED = int(os.environ.get("BM_SEED") or random.SystemRandom().randrange(1 << 32))
CONFIGS = ["default", "table"]
INVOCATIONS = 3
BENCHMARKS = ["null operation", "aes-128-gcm encrypt", "sha-256 hash", "rsa-2048 private", "ecdh-p256 agree"]
JOBS = 2  # that go on at once
IN_HAND = JOBS * min(8, os.cpu_count())  # units that one kill can cut: a program counts as many benchmarks at a time as there are processors
# What a process has told is in its pipe until the program comes to read it: so many seconds at most on an idle machine, where an undisturbed
# run takes IDLE_SECONDS, and as many times that as it takes longer.
LATE, IDLE_SECONDS = 0.25, 5
# A supervisor needs this long at most to kill what is below it, on a machine that is busy with other tests too.
GRACE = 5

LIBRARY = {
    "summary": "a library in small",
    "versions": [{"name": "1.0", "folder": "../tiny"}],
    "recipe": {"name": "autotools", "prepare": ["./prepare"], "targets": ["lib/libtiny.a"], "archive": "lib/libtiny.a", "config_header": "config.h"},
    "program": {"includes": ["."]},
    "profiles": [{"name": "crypto", "summary": "all of it"}],
    "flags": [{"name": "table", "summary": "a table", "configure": ["--enable-table"]}],
}
MATRIX = {
    "summary": "for tests", "library": "tiny", "toolchains": ["fault-gcc"], "flags": [[], ["table"]], "agents": ["local", "qemu-user"],
    "benchmarks": BENCHMARKS, "blocks": [1024], "invocations": INVOCATIONS, "budget_ms": 10,
}


def note(text):
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def processes_of(folder):
    """Processes that run, work or are spoken to in this folder: pid -> command line. Ours cannot be known by their environment, which is
    scrubbed for them."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                line = file.read().replace(b"\0", b" ").decode(errors="replace")
            places = [os.readlink("/proc/%s/%s" % (pid, link)) for link in ("cwd", "exe")]
            if int(pid) != os.getpid() and any((place + "/").startswith(folder + "/") or folder + "/" in line for place in places):
                found[int(pid)] = line
    return found


class World:
    def __init__(self):
        os.makedirs(WORK, exist_ok=True)
        self.folder = tempfile.mkdtemp(prefix="world-", dir=os.path.realpath(WORK))
        self.log = os.path.join(self.folder, "log")
        self.matrix = os.path.join(self.folder, "m.json")
        write(self.log, "")
        write(self.matrix, json.dumps(MATRIX))
        os.mkdir(os.path.join(self.folder, "do"))
        for name in ("prepare", "configure", "tiny.c", "tiny_library.h"):
            self.install("tiny/" + name, "config/benchmatrix/tiny/" + name)
        self.install("tiny_adapter.c", "config/benchmatrix/libs/tiny.c")
        self.install("fault-cc", "bin/fault-cc")
        self.write("config/benchmatrix/libs/fault_log.h", '#define FAULT_LOG "%s"\n' % self.log)
        self.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        self.toolchain("fault-gcc", {})
        self.compile_core()

    def compile_core(self):
        """The objects that every program of this world is linked from: see fault-cc."""
        core = os.path.join(SOURCE, "bench-core", "core")
        os.mkdir(os.path.join(self.folder, "core"))
        subprocess.run(["gcc", "-c", "-O2", "-std=gnu99", "-I", core, "-I", os.path.join(SOURCE, "schema"),
                        *(os.path.join(core, name) for name in sorted(os.listdir(core)) if name.endswith(".c"))],
                       cwd=os.path.join(self.folder, "core"), check=True)

    def write(self, name, text, mode=0o644):
        write(os.path.join(self.folder, name), text, mode)

    def install(self, name, to, **words):
        text = read(os.path.join(HERE, name)).replace("@LOG@", self.log).replace("@WORLD@", self.folder)
        for word, value in words.items():
            text = text.replace("@%s@" % word, value)
        self.write(to, text, os.stat(os.path.join(HERE, name)).st_mode & 0o777)

    def toolchain(self, name, run):
        """The compiler of this world, and what differs in how its programs are run."""
        toolchain = json.loads(read(os.path.join(SOURCE, "toolchains", "x86_64-gcc.json")))
        toolchain["cc"] = os.path.join(self.folder, "bin", "fault-cc")
        toolchain["run"].update(run)
        self.write("config/benchmatrix/toolchains/%s.json" % name, json.dumps(toolchain))

    def preload(self, name):
        """What has a program start with the library that is made of a source of ours."""
        library = os.path.join(self.folder, name + ".so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library, os.path.join(HERE, name + ".c")], check=True)
        return {"LD_PRELOAD": library}

    def remove(self):
        for pid, line in processes_of(self.folder).items():
            note("left behind: %d %s" % (pid, line))
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Site:
    """A database and a cache in a world."""

    def __init__(self, world, name, db=None, cache=None):
        self.world = world
        self.folder = os.path.join(world.folder, name)
        os.makedirs(self.folder)
        self.db = db or os.path.join(self.folder, "results.db")
        self.output = os.path.join(world.folder, name + ".output")
        self.cache = cache or os.path.join(self.folder, "cache")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": os.path.join(world.folder, "config"),
            "BENCHMATRIX_CACHE": self.cache, "BENCHMATRIX_DB": self.db, "G_DEBUG": "fatal-criticals",
            "BENCHMATRIX_LOCK": os.path.join(world.folder, "machine.lock"),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
        }
        self.begun, self.ended = os.path.getsize(world.log), None  # what others did before or did afterwards is not ours
        self.kills = []  # when the program was killed at work

    def start(self, *arguments, prefix=(), environment=()):
        with open(self.output, "wb") as output:
            return subprocess.Popen([*prefix, PROGRAM, *arguments], env={**self.environment, **dict(environment)}, cwd=self.world.folder,
                                    stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)

    def text(self):
        """What the program that was started last printed, on both streams."""
        return read(self.output)

    def run(self, *arguments, timeout=120, **more):
        with self.start(*arguments, **more) as process:
            try:
                status = process.wait(timeout)
            finally:
                process.kill()
        return status

    def ask(self, sql, *values):
        with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % self.db, uri=True)) as db:
            return db.execute(sql, values).fetchall()

    def has_run(self):
        try:
            return bool(self.ask("SELECT 1 FROM run"))
        except sqlite3.Error:
            return False

    def lines(self):
        return read_bytes(self.world.log)[self.begun:self.ended].decode().splitlines()

    def close(self):
        """What is done from now on is not this place's."""
        self.ended = os.path.getsize(self.world.log)

    def units(self):
        """How often each unit was begun; a benchmark is set up several times by one process, which counts once."""
        begun = collections.Counter()
        for line in self.lines():
            words = line.split()
            if words[0] in ("prepare", "library", "link"):
                begun[" ".join(words[:-1])] += 1
        for line in self.measured():
            mode, config, _, rest = line.split(" ", 3)
            begun["%s %s %s" % (mode, config, rest.rsplit(" ", 1)[0])] += 1
        return begun

    def measured(self):
        """Which benchmarks were begun, each by which process ("time default begin 2:NAME PID") -> when it first was."""
        begun = {}
        for line in self.lines():
            if line.split()[0] in ("count", "time") and " begin " in line:
                unit, when = line.rsplit(" ", 1)
                begun.setdefault(unit, float(when))
        return begun

    def cut_by(self, kill, late):
        """How many units a kill can have cut: what is in hand, or was told so shortly before that nobody had read it."""
        return max(IN_HAND, sum(kill - late <= when <= kill for when in self.measured().values()))

    def left_over(self):
        """Unfinished work and spool files."""
        found = []
        for folder in (os.path.join(self.cache, "work"), self.db + ".spool"):
            for place, folders, files in os.walk(folder):
                found += [os.path.join(place, name) for name in files]
                found += [os.path.join(place, name) for name in folders]
        return found


def invocations_of(packed):
    """Invocations that a blob of samples tells of (schema/0001_facts.sql)."""
    at, found = 0, []
    while at < len(packed):
        invocation, n, _ = struct.unpack_from("<IIQ", packed, at)
        found.append(invocation)
        at += 16 + 8 * n
    return tuple(found)


def results_of(site, run):
    """What a run must end with, however often it was interrupted: per cell the states, and what is exact."""
    cells = {}
    for cell, name, attempt, *states in site.ask("SELECT cell_id, name, attempt_id, state, build_state, attempt_state FROM cell_state WHERE run_id = ?", run):
        outcomes = site.ask("SELECT benchmark, block, state, digest FROM outcome WHERE attempt_id = ? ORDER BY 1, 2", attempt)
        figures = site.ask("SELECT w.benchmark, w.block, w.metric, m.kind, CASE m.kind WHEN 1 THEN m.median END, s.packed FROM measurement AS m "
                           "JOIN series_wide AS w ON w.series_id = m.series_id LEFT JOIN sample AS s ON s.measurement_id = m.id "
                           "WHERE m.attempt_id = ? ORDER BY 1, 2, 3", attempt)
        # Elapsed time of a counted region is as exact as its n.
        cells[name] = (tuple(states), outcomes, [(*figure[:-1], figure[-1] and invocations_of(figure[-1])) for figure in figures])
        ok = [number for number, in site.ask("SELECT count(*) FROM attempt WHERE cell_id = ? AND state = 'ok'", cell)]
        cells[name] += (ok,)
    return cells


@functools.cache
def shared():
    """The world of this process, with what an undisturbed run of it leaves and how long that took."""
    note("BM_SEED=%d" % SEED)
    world = World()
    atexit.register(world.remove)
    site = Site(world, "reference")
    began = time.monotonic()
    status = site.run("run", world.matrix)
    seconds = time.monotonic() - began
    note("undisturbed: %.1f s" % seconds)
    if status != 0:
        raise AssertionError("the undisturbed run ended with %d:\n%s" % (status, site.text()))
    site.close()
    return world, site, seconds


class Faults(unittest.TestCase):
    """Tests in the shared world."""

    @classmethod
    def setUpClass(cls):
        cls.world, cls.reference, cls.seconds = shared()
        cls.expected = results_of(cls.reference, 1)
        cls.expected_units = cls.reference.units()

    def setUp(self):
        self.chance = random.Random("%d %s" % (SEED, self.id()))
        self.name = self.id().rsplit(".", 1)[1]
        self.site = Site(self.world, self.name)

    def repeat(self, test):
        """Each time with a database and a cache of its own."""
        for turn in range(ROUNDS):
            self.site = Site(self.world, "%s-%d" % (self.name, turn))
            with self.subTest(turn=turn):
                test()

    def wait_a_while(self, site, process, least=0):
        """Until a moment of the run that chance picks: told by what it has begun, since time passes as quickly as the machine is idle.
        `least`: so much has been begun by then."""
        before, whole = len(site.lines()), len(self.reference.lines())
        lines = before + self.chance.randint(least, max(least, whole - before - 2))
        self.wait_until(lambda: process.poll() is not None or len(site.lines()) >= lines, 60, "%d lines of %d" % (lines, whole))
        time.sleep(self.chance.uniform(0, 0.05))

    def wait_until(self, holds, seconds, what):
        end = time.monotonic() + seconds
        while not holds():
            self.assertLess(time.monotonic(), end, "%s within %.0f s" % (what, seconds))
            time.sleep(0.005)

    def check_nothing_runs(self):
        """No process is left below a program that has ended."""
        end = time.monotonic() + GRACE
        while (left := processes_of(self.world.folder)) and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(left, {}, "processes were left behind")

    def check_database(self, site):
        """The file is whole, for SQLite and for us, whatever has happened."""
        if not os.path.exists(site.db):
            return
        self.assertEqual(site.ask("PRAGMA integrity_check"), [("ok",)])
        if site.has_run():
            self.assertEqual(site.run("db", "check"), 0, site.text())

    def go_on(self, site, **more):
        """Starts the run again where one was begun, else for the first time."""
        arguments = ["run", self.world.matrix, *(["--resume"] if site.has_run() else [])]
        return site.start(*arguments, **more)

    def finish(self, site, timeout=120):
        """Goes on until the run has ended."""
        with self.go_on(site) as process:
            try:
                status = process.wait(timeout)
            finally:
                process.kill()
        text = site.text()
        # Killed behind its end there is nothing to go on with.
        if status == 2 and "nothing to resume" in text:
            self.assertEqual(site.ask("SELECT status FROM run"), [(0,)], text)
            return
        self.assertEqual(status, 0, text)

    def check_as_undisturbed(self, site, run=1):
        self.check_nothing_runs()
        self.check_database(site)
        self.assertEqual(site.left_over(), [], "left over in cache and spool")
        self.maxDiff = None
        self.assertEqual(results_of(site, run), self.expected)
        self.assertEqual(site.ask("SELECT count(*) FROM run WHERE ended_at IS NULL OR status IS NULL"), [(0,)])

    def kill(self, site, process):
        """Whether it was still at work."""
        alive = process.poll() is None
        if alive:
            site.kills.append(time.monotonic())
        process.kill()
        return alive

    def check_units(self, site, more=0):
        """No more units were begun once more than needed than the site's kills can have cut, and `more`; and none fewer."""
        units = site.units()
        late = LATE * max(1, self.seconds / IDLE_SECONDS)
        allowed = more + sum(site.cut_by(kill, late) for kill in site.kills)
        self.assertEqual(set(units), set(self.expected_units))
        again = units - self.expected_units
        note("done twice: %d of %d allowed: %s" % (again.total(), allowed, dict(again)))
        self.assertLessEqual(again.total(), allowed, dict(again))


def main():
    unittest.main(verbosity=2)
