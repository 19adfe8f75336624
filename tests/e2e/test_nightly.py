"""nightly alarms once where a commit slowed a library down, names the commit, and blames neither the library nor anything else for what a
compiler did. A library in small, counted under the emulator, in a git repository of five commits."""

import csv
import io
import json
import os
import shutil
import signal
import subprocess
import time
import unittest

import bm
from nightly import FIGURES, Nights
from test_publish import OK, Server
from test_trees import ADAPTER, LIBRARY, LOOP

PLAIN = "\treturn question * 7;"
COMPILER = """#!/bin/sh
# A compiler with a version of its own, that does what the day wants of it.
for word; do
	case $word in
	--version) echo 'Nightly C {version}'; exit ;;
	esac
done
exec x86_64-linux-gnu-gcc "$@" {flags}
"""


class Nightly(Nights):
    MATRIX = {"library": "tiny", "toolchains": ["mine"], "agents": ["qemu-user"], "benchmarks": ["sha-256 hash", "rsa-2048 private"]}

    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("nightly")
        world.cache = os.path.join(world.folder, "cache")
        cls.matrix = "mine"
        cls.repository = os.path.join(world.folder, "repository")
        world.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        world.write("config/benchmatrix/libs/tiny.c", ADAPTER)
        with open(os.path.join(bm.SOURCE, "toolchains", "x86_64-gcc.json"), encoding="utf-8") as file:
            toolchain = json.load(file)
        world.write("config/benchmatrix/toolchains/mine.json", json.dumps({**toolchain, "cc": os.path.join(world.folder, "cc"), "packages": []}))

    def setUp(self):
        self.world.db = os.path.join(self.world.folder, self.id().split(".")[-1] + ".db")
        shutil.rmtree(self.repository, ignore_errors=True)
        shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), self.repository)
        self.compiler("1.0", "")
        self.write_matrix()

    def compiler(self, version, flags):
        os.chmod(self.world.write("cc", COMPILER.format(version=version, flags=flags)), 0o755)

    def put(self, before, after):
        path = os.path.join(self.repository, "tiny.c")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(before, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))

    def test_alarms_once_and_names_the_commit(self):
        first = self.init()
        out, report = self.night("--mail", "mail")
        self.assertEqual((report["compared"], report["changes"]), (0, []))
        self.assertGreater(report["new_series"], 2)
        second = self.commit("only words")
        self.assert_quiet(*self.night())

        self.put(PLAIN, LOOP)
        third = self.commit("hash: a slowdown that nobody wanted")
        out, report = self.night("--mail", "mail", "--report", "site", status=1)
        change = self.assert_change(out, report, "regression", second, third, "Regression")
        self.assertEqual([line.split(" ", 1)[1] for line in change["log"]], ["hash: a slowdown that nobody wanted"])
        self.assertTrue(third.startswith(change["log"][0].split()[0]))
        hashes = [series for series in change["series"] if series["metric"] == "instructions"]
        self.assertEqual([series["benchmark"] for series in hashes], ["sha-256 hash"])
        # By the figures that the nights themselves have.
        nights = [value for value, in self.world.ask(FIGURES, "sha-256 hash", "main")]
        self.assertEqual(len(nights), 3)
        self.assertAlmostEqual(hashes[0]["percent"], (nights[2] / nights[1] - 1) * 100, places=6)
        self.assertAlmostEqual(hashes[0]["percent_library"], hashes[0]["percent"], places=6)
        # It was measured anew, not carried forward.
        self.assertEqual(self.world.ask("SELECT count(*), sum(a.carried_from IS NOT NULL) FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id"
                                        " JOIN run AS r ON r.id = c.run_id WHERE r.matrix = 'confirm' AND c.instrument = 'bench-core'"), [(2, 0)])
        with open(os.path.join(self.world.folder, "mail"), encoding="utf-8") as file:
            mail = file.read()
        self.assertTrue(mail.startswith("Subject: [benchmatrix] mine: 1 regression\n"), mail)
        self.assertIn("\n## Regression: tiny main %s..%s\n" % (second[:12], third[:12]), mail)
        self.assertIn("    %s\n" % change["log"][0], mail)
        with open(os.path.join(self.world.folder, "site", "index.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn('<span class="word worse">worse</span>', page)
        self.assertIn("sha-256 hash", page)

        fourth = self.commit("more words")
        self.assert_quiet(*self.night())
        self.put(LOOP, PLAIN)
        fifth = self.commit("hash: as fast as it was")
        out, report = self.night()
        self.assert_change(out, report, "improvement", fourth, fifth, "Improvement")
        self.assert_quiet(*self.night())
        self.assertEqual(self.alarms(), [("regression", second, third), ("improvement", fourth, fifth)])
        self.assertEqual(self.world.run("db", "check")[0], 0)
        self.assertNotEqual(first, second)
        listed = [row for row in csv.DictReader(io.StringIO(self.world.run("list", "alarms", "--format", "csv")[1])) if row["metric"] == "instructions"]
        self.assertEqual([(row["finding"], row["revisions"], row["benchmark"]) for row in listed],
                         [(kind, "%s..%s" % (before[:12], after[:12]), "sha-256 hash") for kind, before, after in reversed(self.alarms())])

    def test_pinned_and_median_baselines_are_told_once_too(self):
        self.init()
        self.night()
        self.assertEqual(self.world.run("baseline", "pin", "good", "latest")[0], 0)
        self.put(PLAIN, LOOP)
        slow = self.commit("slower")
        _, report = self.night("--baseline", "good", status=1)
        self.assertEqual([change["to"] for change in self.counted(report)], [slow])
        self.assert_quiet(*self.night("--baseline", "good"))
        self.assert_quiet(*self.night("--baseline", "median:5"))
        self.assert_quiet(*self.night())
        self.put(LOOP, PLAIN)
        self.commit("back")
        _, report = self.night("--baseline", "good")
        self.assertEqual(self.kinds(report), ["improvement"])
        self.assert_quiet(*self.night("--baseline", "good"))

    def test_compiler_is_told_and_the_library_is_not_blamed(self):
        self.init()
        self.put("return question * 7;", "volatile int answer = question;\n\tfor (int i = 0; i < 6; i++)\n\t\tanswer += question;\n\treturn answer;")
        before = self.commit("a loop that compilers differ about")
        self.night()
        self.compiler("2.0", "-DNIGHTLY -O0")
        after = self.commit("words alone")
        out, report = self.night()
        change = self.assert_change(out, report, "instrument", before, after, "The instrument changed, not the library")
        self.assertIn("the compiler changed from Nightly C 1.0 to Nightly C 2.0", change["instrument"])
        self.assertIn(change["instrument"], out)
        self.assertNotIn("Regression", out)
        self.assert_quiet(*self.night())

        # Both in one night: each part is told, and only the library's is a regression.
        self.put("i < 6;", "i < 3000;")
        self.put("return answer;", "return question * 7;")
        slow = self.commit("slower")
        self.compiler("3.0", "")
        out, report = self.night(status=1)
        self.assertEqual(self.kinds(report), ["regression", "instrument"])
        change, other = self.counted(report)
        self.assertEqual((change["from"], change["to"]), (after, slow))
        self.assertIn("Nightly C 2.0 to Nightly C 3.0", change["instrument"])
        counts = [[series for series in part["series"] if series["metric"] == "instructions"] for part in (change, other)]
        self.assertEqual([[series["benchmark"] for series in part] for part in counts], [["sha-256 hash"], ["rsa-2048 private"]])
        hashes = counts[0][0]
        self.assertGreater(hashes["percent_library"], 0.5)
        self.assertLess(hashes["percent_instrument"], 0)
        self.assertAlmostEqual((1 + hashes["percent_library"] / 100) * (1 + hashes["percent_instrument"] / 100), 1 + hashes["percent"] / 100, places=9)

    def test_folder_of_the_same_source_is_not_blamed_either(self):
        self.init()
        self.write_matrix(versions=[{"name": "mine", "folder": self.repository}])
        self.put("return question * 7;", "volatile int answer = question;\n\tfor (int i = 0; i < 6; i++)\n\t\tanswer += question;\n\treturn answer;")
        self.commit("a loop")
        self.night()
        self.compiler("2.0", "-O0")
        _, report = self.night()
        self.assertEqual(self.kinds(report), ["instrument"])
        self.put("i < 6;", "i < 3000;")
        self.put("return answer;", "return question * 7;")
        _, report = self.night(status=1)
        self.assertEqual(self.kinds(report), ["regression"])
        self.put("i < 3000;", "i < 6000;")
        self.compiler("3.0", "-O1")
        out, report = self.night()
        self.assertEqual(self.kinds(report), ["unclear"])
        self.assertIn("the old source is not to be had again", out)

    def test_time_on_this_machine_decides_too(self):
        """Where nothing is counted: the samples must prove it, and a duel of both revisions."""
        self.init()
        self.write_matrix(agents=["local"], benchmarks=["sha-256 hash"], blocks=[1024])
        self.night()
        before = self.commit("words")
        self.night()
        # Twice the work and more: no noise of a busy machine looks like it.
        self.put(PLAIN, LOOP.replace("3000", "30000"))
        slow = self.commit("hash: far slower")
        out, report = self.night(status=1)
        change, = [change for change in report["changes"] if change["kind"] == "regression"]
        self.assertEqual((change["from"], change["to"]), (before, slow))
        timed, = [series for series in change["series"] if series["metric"] == "time"]
        self.assertGreater(timed["percent"], 1)
        self.assertIn("Regression", out)
        self.assertNotIn("regression", [change["kind"] for change in (self.night()[1])["changes"]])

    def test_failures_are_new_once(self):
        self.init()
        self.night()
        self.put(PLAIN, "\treturn nothing;")
        self.commit("broken")
        out, report = self.night(status=1)
        self.assertEqual([(failure["state"], failure["what"]) for failure in report["failures"]], [("new", "compile-failed")])
        self.assertIn("\nFailed, new:\n", out)
        out, report = self.night()
        self.assertEqual([failure["state"] for failure in report["failures"]], ["old"])
        # What was before the failure is still what it is held against.
        self.put("\treturn nothing;", LOOP)
        self.commit("mended, and slower")
        _, report = self.night(status=1)
        self.assertEqual(self.kinds(report), ["regression"])

    def test_killed_while_it_tells_it_tells_again_under_the_same_key(self):
        self.init()
        self.night()
        self.put(PLAIN, LOOP)
        self.commit("slower")
        with Server(600.0) as slow:
            child = self.start("--webhook", slow.url + "/hook")
            self.wait_for(lambda: slow.requests, child)
            child.send_signal(signal.SIGKILL)
            child.wait()
        self.assertEqual(len(self.world.ask("SELECT 1 FROM alarm WHERE kind = 'regression' LIMIT 1")), 1)
        before = self.alarms()
        token = self.world.write("token", "s3cret\n")
        os.chmod(token, 0o600)
        with Server(OK) as server:
            out, _ = self.night("--webhook", server.url + "/hook", "--webhook-token-file", token, "--publish", server.url + "/figures", status=1)
            self.assertIn("\nRegression: ", out)
            hook, figures = server.requests
        self.assertEqual((hook[1], figures[1]), ("/hook", "/figures"))
        self.assertEqual(hook[2]["Idempotency-Key"], slow.requests[0][2]["Idempotency-Key"])
        self.assertEqual(hook[3], slow.requests[0][3])
        self.assertEqual(hook[2]["Authorization"], "Bearer s3cret")
        self.assertNotIn("Authorization", figures[2])
        sent = json.loads(hook[3])
        self.assertEqual((sent["schema"], sent["status"], sent["text"]), ("benchmatrix-night-1", 1, "mine: 1 regression"))
        self.assertEqual(self.alarms(), before)
        self.assertEqual(self.world.ask("SELECT count(*) FROM night WHERE told_at IS NULL"), [(0,)])
        self.assert_quiet(*self.night())

    def test_stopped_while_it_builds_it_goes_on_with_the_same_night(self):
        self.init()
        self.night()
        self.put(PLAIN, LOOP)
        self.commit("slower")
        gate = os.path.join(self.world.folder, "gate")
        with open(gate, "w", encoding="utf-8"):
            pass
        self.compiler("1.0", "")
        with open(os.path.join(self.world.folder, "cc"), encoding="utf-8") as file:
            text = file.read()
        for _ in range(2):
            self.world.write("cc", text.replace("exec ", "case $* in *tiny.c*) while test -e %s; do touch %s.there; sleep 0.1; done ;; esac\nexec " % (gate, gate)))
            child = self.start()
            self.wait_for(lambda: os.path.exists(gate + ".there"), child)
            child.send_signal(signal.SIGKILL)
            child.wait()
            os.remove(gate + ".there")
        os.remove(gate)
        _, report = self.night(status=1)
        self.assertEqual(self.kinds(report), ["regression"])
        self.assertEqual(self.world.ask("SELECT count(*) FROM night"), [(2,)])

    def start(self, *arguments):
        environment = {"PATH": self.world.path, "HOME": self.world.folder, "LC_ALL": "C.UTF-8", "XDG_CONFIG_HOME": self.world.config,
                       "BENCHMATRIX_CACHE": self.world.cache, "BENCHMATRIX_DB": self.world.db}
        return subprocess.Popen([self.world.program, "nightly", self.matrix, *arguments], env=environment, cwd=self.world.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_for(self, condition, child):
        end = time.monotonic() + 300
        while not condition():
            self.assertIsNone(child.poll())
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    def test_usage_is_refused_before_anything_runs(self):
        open_token = self.world.write("open-token", "x\n")
        os.chmod(open_token, 0o644)
        self.init()
        for arguments, code, words in [
            (["--baseline", "median:0"], 2, "median:N"),
            (["--jobs", "0"], 2, "--jobs 0"),
            (["--webhook", "ftp://x"], 2, "https://"),
            (["--report", "."], 2, "holds other files"),
            (["--webhook", "@" + open_token], 4, "others can read"),
            (["--publish", "https://x", "--token-file", open_token], 4, "others can read"),
        ]:
            status, out, err = self.world.run("nightly", self.matrix, *arguments)
            self.assertEqual((status, out), (code, ""))
            self.assertIn(words, err)
            self.assertFalse(os.path.exists(self.world.db))


if __name__ == "__main__":
    bm.main()
