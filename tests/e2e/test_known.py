"""Failures that are known, what show tells of a run, and settings of the machine that are put back whatever happens."""

import datetime
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
    "toolchains": ["no-compiler", "x86_64-gcc"],
    "profiles": ["crypto"],
    "optimisations": ["-O2"],
    "flags": [[]],
    "agents": ["qemu-user"],
    "benchmarks": ["sha-256 hash"],
}
FAILS = "no-compiler wolfssl-5.5.4 default crypto -O2 on qemu-user count"
GOOD = "x86_64-gcc wolfssl-5.5.4 default crypto -O2 on qemu-user count"


def day(days):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)).strftime("%Y-%m-%d")


class Known(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("known")
        with open(os.path.join(bm.SOURCE, "toolchains", "x86_64-gcc.json"), encoding="utf-8") as file:
            toolchain = json.load(file)
        cls.world.write("config/benchmatrix/toolchains/no-compiler.json", json.dumps({**toolchain, "cc": "no-such-gcc"}))
        cls.matrix = cls.world.write("m.json", json.dumps(MATRIX))

    def known(self, *entries):
        return self.world.write("config/benchmatrix/known-failures.json", json.dumps({"known_failures": list(entries)}))

    def setUp(self):
        self.known()

    def run_matrix(self, *more):
        status, out, _ = self.world.run("run", self.matrix, *more)
        self.assertEqual(self.world.ask("SELECT status FROM run ORDER BY id DESC LIMIT 1"), [(status,)])
        self.assertEqual(self.world.ask("SELECT state FROM cell_state WHERE run_id = (SELECT max(id) FROM run) ORDER BY name"),
                         [("failed",), ("ok",)])
        return status, out

    def both(self, out):
        """What `show run` says must be what the run said."""
        shown = self.world.run("show", "run")[1]
        for line in out.split("\nFailed")[1].splitlines()[1:-2]:
            self.assertIn(line, shown)
        return shown

    def test_new_failure_fails_the_run(self):
        status, out = self.run_matrix()
        self.assertEqual(status, 1)
        self.assertIn("\nFailed:\n  %s: unsupported: " % FAILS, out)
        self.both(out)

    def test_known_failure_does_not(self):
        until = day(0)
        self.known({"cell": "no-compiler wolfssl-* default *", "state": "unsupported", "reason": "comes in spring", "until": until})
        status, out = self.run_matrix()
        self.assertEqual(status, 0)
        self.assertIn("\nFailed (0 new, 1 known):\n  %s: unsupported: " % FAILS, out)
        self.assertIn("\n    known until %s: comes in spring\n" % until, out)
        self.both(out)

    def test_expired_entry_counts_no_more(self):
        until = day(-1)
        self.known({"cell": FAILS, "reason": "long ago", "until": until})
        status, out = self.run_matrix()
        self.assertEqual(status, 1)
        self.assertIn("\n    known until %s, expired: long ago\n" % until, out)
        self.both(out)

    def test_entry_about_something_else_does_not_cover(self):
        self.known({"cell": FAILS, "state": "crashed", "reason": "another"}, {"cell": FAILS, "benchmark": "rsa-*", "reason": "another"})
        status, out = self.run_matrix()
        self.assertEqual(status, 1)
        self.assertNotIn("known", out.split("\nFailed")[1].split("database:")[0])

    def test_entry_that_did_not_happen_is_told(self):
        path = self.known({"cell": FAILS, "reason": "needed"}, {"cell": "x86_64-gcc *", "reason": "mended"},
                          {"cell": "x86_64-gcc *", "benchmark": "sha-256 *", "reason": "mended too"},
                          {"cell": "x86_64-gcc *", "benchmark": "rsa-*", "reason": "not measured"}, {"cell": "mips-*", "reason": "not in this matrix"})
        status, out = self.run_matrix()
        self.assertEqual(status, 0)
        self.assertIn("Known failures that did not happen (take them out of %s):\n  x86_64-gcc *: mended\n  x86_64-gcc *, sha-256 *: mended too\n\n" % path,
                      out)
        self.both(out)

    def test_a_list_named_on_the_command_line(self):
        self.known({"cell": FAILS, "reason": "not asked"})
        path = self.world.write("other.json", json.dumps({"known_failures": [{"cell": "no-compiler *", "reason": "asked"}]}))
        status, out = self.run_matrix("--known", path)
        self.assertEqual(status, 0)
        self.assertIn("    known: asked\n", out)
        self.assertIn("    known: asked\n", self.world.run("show", "run", "--known", path)[1])
        self.assertIn("    known: not asked\n", self.world.run("show", "run")[1])

    def test_new_failures_come_first(self):
        matrix = self.world.write("two.json", json.dumps({**MATRIX, "toolchains": ["no-compiler"], "flags": [[], ["fastmath"]]}))
        self.known({"cell": "* default *", "reason": "known"})
        status, out, _ = self.world.run("run", matrix)
        self.assertEqual(status, 3, "where nothing could run, that is what is told")
        told = out.split("\nFailed (1 new, 1 known):\n")[1]
        self.assertLess(told.index(" fastmath "), told.index(" default "))

    def test_a_list_that_is_wrong_stops_before_anything_is_done(self):
        for text, words in [('{"known_failures": [{"cell": "*"}]}', "$.known_failures[0]"),
                            ('{"known_failures": [{"cell": "*", "reason": "r", "until": "2027-02-30"}]}', "$.known_failures[0].until"),
                            ('{"known_failures": [}', "known-failures.json:1")]:
            self.world.write("config/benchmatrix/known-failures.json", text)
            before = self.world.ask("SELECT count(*) FROM run") if os.path.exists(self.world.db) else None
            status, out, err = self.world.run("run", self.matrix)
            self.assertEqual((status, out), (4, ""))
            self.assertIn(words, err)
            if before:
                self.assertEqual(self.world.ask("SELECT count(*) FROM run"), before)
        self.assertEqual(self.world.run("run", self.matrix, "--known", "none.json")[0], 4)

    def test_the_schema_takes_what_is_taken(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("jsonschema is not installed (Debian: python3-jsonschema)")
        with open(os.path.join(bm.SOURCE, "schema", "known-failures.schema.json"), encoding="utf-8") as file:
            schema = jsonschema.Draft202012Validator(json.load(file))
        good = {"cell": "*", "benchmark": "rsa-*", "state": "crashed", "reason": "r", "until": "2027-03-31"}
        self.assertTrue(schema.is_valid({"known_failures": [good, {"cell": "*", "reason": "r"}]}))
        for bad in [{"reason": "r"}, {"cell": "*"}, {**good, "cell": ""}, {**good, "until": "soon"}, {**good, "why": "r"}]:
            self.assertFalse(schema.is_valid({"known_failures": [bad]}), bad)


class Twins(unittest.TestCase):
    def test_flags_without_effect_are_told(self):
        world = bm.World("twins")
        shutil.copy(os.path.join(bm.WORK, "quick", "benchmatrix.db"), world.db)
        # Others have added runs to it.
        run = world.ask("SELECT uuid FROM run ORDER BY id LIMIT 1")[0][0]
        self.assertNotIn("no effect", world.run("show", "run", run)[1])
        with sqlite3.connect(world.db) as db:  # as if fastmath did nothing to AArch64's code
            builds = "SELECT build_id FROM build_wide WHERE toolchain = 'aarch64-gcc' AND config IN ('default', 'fastmath')"
            db.execute("UPDATE build SET code_sha256 = 'cc' WHERE id IN (%s)" % builds)
        db.close()
        self.assertIn("\nno effect: fastmath is the same code as default (aarch64-gcc wolfssl-5.5.4 crypto -O2)\n",
                      world.run("show", "run", run)[1])
        self.assertIn("\nsame code as           default\n", world.run("show", "build", "aarch64-gcc * fastmath *")[1])
        self.assertNotIn("same code", world.run("show", "build", "x86_64-gcc * fastmath *")[1])


class Host(unittest.TestCase):
    """On a machine made of files."""

    OLD = {"cpufreq/policy0/scaling_governor": "powersave", "cpufreq/policy1/scaling_governor": "schedutil", "intel_pstate/no_turbo": "0"}
    NEW = {"cpufreq/policy0/scaling_governor": "performance", "cpufreq/policy1/scaling_governor": "performance", "intel_pstate/no_turbo": "1"}
    WANTED = ["--host", "governor=performance,turbo=off"]

    def setUp(self):
        self.world = bm.World("host")
        self.matrix = self.world.write("m.json", json.dumps({**MATRIX, "toolchains": ["x86_64-gcc"], "agents": ["local"], "invocations": 1}))
        self.long = self.world.write("long.json", json.dumps({**MATRIX, "toolchains": ["x86_64-gcc"], "agents": ["local"], "budget_ms": 600000}))
        self.own_cache = os.path.join(self.world.folder, "cache")
        os.makedirs(self.own_cache)
        for name in os.listdir(bm.CACHE):
            if os.path.isdir(os.path.join(bm.CACHE, name)):
                os.symlink(os.path.join(bm.CACHE, name), os.path.join(self.own_cache, name))
        self.journal = os.path.join(self.own_cache, "host-settings.json")
        self.put(self.OLD)

    def put(self, settings):
        for name, value in settings.items():
            self.world.write("sys/devices/system/cpu/" + name, value + "\n")

    def settings(self):
        read = {}
        for name in self.OLD:
            with open(os.path.join(self.world.folder, "sys/devices/system/cpu", name), encoding="ascii") as file:
                read[name] = file.read().strip()
        return read

    def start(self, *arguments):
        environment = {**os.environ, "BENCHMATRIX_CACHE": self.own_cache, "BENCHMATRIX_DB": self.world.db, "HOME": self.world.folder,
                       "BENCHMATRIX_SYSFS": os.path.join(self.world.folder, "sys")}
        return subprocess.Popen([bm.PROGRAM, *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run_it(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=600)
        return process.returncode, out, err

    def start_timing(self):
        """A run that is under way in its timing."""
        process = self.start("run", self.long, *self.WANTED)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 300
        while self.settings() != self.NEW:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline, "the settings were never changed")
            time.sleep(0.05)
        with open(self.journal, encoding="ascii") as file:
            kept = {entry["path"].split("/sys/devices/system/cpu/")[1]: entry["value"] for entry in json.load(file)["settings"]}
        self.assertEqual(kept, self.OLD)
        return process

    def test_nothing_is_touched_without_the_option(self):
        self.assertEqual(self.run_it("run", self.matrix)[0], 0)
        self.assertEqual(self.settings(), self.OLD)
        self.assertFalse(os.path.exists(self.journal))

    def test_put_back_at_the_end(self):
        status, _, err = self.run_it("run", self.matrix, *self.WANTED)
        self.assertEqual(status, 0, err)
        self.assertEqual(self.settings(), self.OLD)
        self.assertFalse(os.path.exists(self.journal))

    def test_put_back_when_cancelled(self):
        process = self.start_timing()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("(cancelled)", out)
        self.assertIn("\n1 cell left to do: `benchmatrix run long --resume` goes on\n", self.run_it("show", "run")[1])
        self.assertEqual(self.settings(), self.OLD)
        self.assertFalse(os.path.exists(self.journal))

    def test_put_back_by_the_next_run_after_a_kill(self):
        process = self.start_timing()
        process.kill()
        process.communicate()
        self.assertEqual(self.settings(), self.NEW)
        status, _, err = self.run_it("run", self.matrix)
        self.assertEqual(status, 0, err)
        for name, value in self.OLD.items():
            self.assertIn("%s: %s\n" % (name, value), err)
        self.assertEqual(self.settings(), self.OLD)
        self.assertFalse(os.path.exists(self.journal))

    def test_a_live_run_is_left_alone(self):
        process = self.start_timing()
        status, out, _ = self.run_it("run", self.matrix, "--only", "toolchain=no-such")
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(self.settings(), self.NEW)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(self.settings(), self.OLD)

    def test_what_the_machine_does_not_have_is_told_before_anything_is_done(self):
        os.unlink(os.path.join(self.world.folder, "sys/devices/system/cpu/intel_pstate/no_turbo"))
        status, out, err = self.run_it("run", self.matrix, "--host", "turbo=off")
        self.assertEqual((status, out), (3, ""))
        self.assertIn("intel_pstate/no_turbo", err)
        self.assertEqual(self.run_it("run", self.matrix, "--host", "gouvernor=performance")[0], 2)
        self.assertFalse(os.path.exists(self.world.db))

    def test_doctor_says_how_the_machine_stands(self):
        _, out, _ = self.run_it("doctor")
        self.assertIn("governor", out)
        self.assertIn("powersave", out)
        self.put(self.NEW)
        out = self.run_it("doctor")[1]
        self.assertRegex(out, r"governor +performance\n")
        self.assertRegex(out, r"turbo +off\n")


if __name__ == "__main__":
    bm.main()
