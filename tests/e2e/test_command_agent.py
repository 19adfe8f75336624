"""Agents of kind "command": boards behind scripts, which do well or badly in many ways. One run has them all, each with one cell; the tests look at
what became of each. The library is a small one, of the tests of faults."""

import json
import os
import signal
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["BM_SOURCE"], "tests", "faults"))
import world  # noqa: E402

PATIENCE = 300
BENCHMARKS = ["sha-256 hash", "rsa-2048 private"]
WORDS = ["it's \"x\" $(touch pwned) `touch pwned` ; touch pwned \\ %s", "", "-x", "two\nlines", "\u00e4 \x1b[31m", "*"]
# SCRIPT HOW [WORD...] PROGRAM ARGUMENT...
SCRIPT = r"""#!/bin/sh
how=$1 folder=@FOLDER@
shift
echo "$how" >> "$folder/turns"
turn=$(grep -cx "$how" "$folder/turns")
case $how in
works) exec env -i "$@" ;;
twice) [ "$turn" -gt 2 ] || exit 75; exec env -i "$@" ;;
half) [ "$turn" -gt 1 ] || { env -i "$@" | sed '/"r":"benchmark"/q'; exit 75; }; exec env -i "$@" ;;
never) echo 'no answer from the serial line' >&2; exit 75 ;;
rubbish) head -c 100000 /dev/urandom; printf '\033[31m{"r":"header"\n\000{"r":"end","records":1}\n' ;;
before) printf '\033[31mflashing ... \000done\n'; exec env -i "$@" ;;
forks) setsid sleep 100000 & (trap '' TERM HUP; sleep 100000) & exec env -i "$@" ;;
hangs) trap '' TERM HUP INT; while :; do sleep 1000; done ;;
silent) ;;
status) printf 'cable \033[31mloose\n' >&2; exit 3 ;;
dies) kill -SEGV $$ ;;
hostile) printf '%s\000' "$@" > "$folder/words"; shift 6; exec env -i "$@" ;;
waits) while [ -e "$folder/wait" ]; do sleep 1; done; exec env -i "$@" ;;
esac
"""
HOWS = ["works", "twice", "half", "never", "rubbish", "before", "forks", "hangs", "silent", "status", "dies", "hostile"]


def agent(name, script, *words, **more):
    return {"name": name, "kind": "command", "command": [script, name, *words], "arch": os.uname().machine, **more}


class CommandAgent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world.World()
        cls.addClassCleanup(cls.world.remove)
        cls.folder = os.path.join(cls.world.folder, "do")
        script = "bin/the board's $(touch pwned).sh"
        cls.world.write(script, SCRIPT.replace("@FOLDER@", "'%s'" % cls.folder), 0o755)
        cls.world.write("bin/no-program.sh", SCRIPT, 0o644)
        script = os.path.join(cls.world.folder, script)
        more = {"never": {"deadlines": {"gone": 1}}, "hangs": {"deadlines": {"silence": 2}}, "works": {"facts": {"name": "Desk", "board": WORDS[0]}}}
        agents = [agent(how, script, *(WORDS if how == "hostile" else []), **more.get(how, {})) for how in [*HOWS, "waits"]]
        agents += [agent("nobody", os.path.join(cls.world.folder, "bin/none\u202e.sh")), agent("plain", os.path.join(cls.world.folder, "bin/no-program.sh"))]
        cls.world.write("config/benchmatrix/agents.json", json.dumps({"agents": agents}))
        cls.site = world.Site(cls.world, "all")
        cls.status = cls.site.run("run", cls.matrix([*HOWS, "nobody", "plain", "local"]), timeout=PATIENCE)
        cls.said = cls.site.text()
        world.note(cls.said)
        cls.left = world.processes_of(cls.world.folder)

    @classmethod
    def matrix(cls, agents):
        file = os.path.join(cls.world.folder, "m.json")
        world.write(file, json.dumps({**world.MATRIX, "agents": agents, "flags": [[]], "invocations": 1, "benchmarks": BENCHMARKS}))
        return file

    def states(self, name):
        """Of its cell, and of its last attempt; the reason."""
        rows = self.site.ask("SELECT state, attempt_state, reason FROM cell_state WHERE agent = ?", name)
        self.assertEqual(len(rows), 1, rows)
        return rows[0]

    def outcomes(self, site, name):
        return sorted(site.ask("SELECT o.benchmark, o.state FROM outcome AS o JOIN attempt AS a ON a.id = o.attempt_id JOIN cell AS c ON c.id = a.cell_id "
                               "WHERE c.agent = ?", name))

    def turns(self, name):
        return world.read(os.path.join(self.folder, "turns")).splitlines().count(name)

    def check_well(self, name):
        self.assertEqual(self.states(name), ("ok", "ok", None), self.said)
        self.assertEqual(self.outcomes(self.site, name), [(benchmark, "ok") for benchmark in sorted(BENCHMARKS)])

    def check_badly(self, name, state, *words):
        cell, attempt, reason = self.states(name)
        self.assertEqual((cell, attempt), ("failed", state), reason)
        for word in words:
            self.assertIn(word, reason)
        self.assertTrue(reason.isprintable(), reason)
        self.assertEqual(self.outcomes(self.site, name), [])

    def test_a_script_brings_the_figures_of_its_board(self):
        self.check_well("works")
        facts = dict(self.site.ask("SELECT f.key, f.value FROM platform_fact AS f JOIN platform AS p ON p.id = f.platform_id WHERE p.name = 'desk-works'"))
        self.assertEqual(facts["board"], WORDS[0])

    def test_one_that_does_not_answer_now_is_tried_again(self):
        self.check_well("twice")
        self.assertEqual(self.turns("twice"), 3)

    def test_what_was_told_before_a_cut_is_neither_lost_nor_doubled(self):
        self.check_well("half")
        self.assertEqual(self.turns("half"), 2)

    def test_one_that_never_answers_is_infrastructure(self):
        self.check_badly("never", "infrastructure")

    def test_rubbish_is_no_result_and_not_printed(self):
        self.check_badly("rubbish", "truncated")
        self.assertEqual([c for c in self.said if not c.isprintable() and c not in "\n\t"], [])

    def test_words_before_the_records_do_no_harm(self):
        """What lies around the records is told as a line that is none."""
        self.assertEqual(self.outcomes(self.site, "before"), [(benchmark, "ok") for benchmark in sorted(BENCHMARKS)])

    def test_what_a_script_leaves_behind_is_ended(self):
        self.check_well("forks")
        self.assertEqual(self.left, {})

    def test_one_that_hangs_is_ended_at_its_deadline(self):
        self.check_badly("hangs", "timeout", "no output for 2 s")

    def test_one_that_prints_nothing_is_cut(self):
        self.check_badly("silent", "truncated")

    def test_an_exit_status_is_told_with_the_last_words(self):
        self.check_badly("status", "truncated", "exit status 3", "cable \\x1b[31mloose")

    def test_a_script_that_crashes_is_told(self):
        self.check_badly("dies", "crashed", "SIGSEGV")

    def test_words_reach_the_script_byte_for_byte(self):
        self.check_well("hostile")
        words = world.read_bytes(os.path.join(self.folder, "words")).decode().split("\0")
        self.assertEqual(words[:len(WORDS)], WORDS)
        self.assertTrue(os.path.isabs(words[len(WORDS)]), words)
        self.assertEqual([path for path, _, names in os.walk(self.world.folder) for name in names if name == "pwned"], [])

    def test_a_script_that_is_not_there_or_no_program_is_told(self):
        self.assertIn("none\\u202e.sh is not there", self.said)
        for name, file in (("nobody", "none\u202e.sh"), ("plain", "no-program.sh")):
            cell, _, reason = self.states(name)
            self.assertNotIn(cell, ("ok", "partial"), name)
            self.assertIn(file, reason)
            self.assertIn("is not there, or cannot be executed", reason)

    def test_one_failure_never_stops_the_rest(self):
        self.assertEqual(self.status, 1, self.said)
        self.check_well("local")

    def test_a_killed_run_leaves_no_script_and_is_gone_on_with(self):
        self.world.write("do/wait", "")
        site = world.Site(self.world, "killed", cache=self.site.cache)
        matrix = self.matrix(["waits"])
        with site.start("run", matrix) as process:
            end = time.monotonic() + PATIENCE
            while not self.turns("waits") and process.poll() is None and time.monotonic() < end:
                time.sleep(0.05)
            self.assertIsNone(process.poll(), site.text())
            process.send_signal(signal.SIGKILL)
        while world.processes_of(self.world.folder) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(world.processes_of(self.world.folder), {})
        os.remove(os.path.join(self.folder, "wait"))
        self.assertEqual(site.run("run", matrix, "--resume", timeout=PATIENCE), 0, site.text())
        self.assertEqual(self.outcomes(site, "waits"), [(benchmark, "ok") for benchmark in sorted(BENCHMARKS)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
