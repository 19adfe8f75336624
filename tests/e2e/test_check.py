"""check answers `git bisect run`: which commit made a benchmark slower?"""

import json
import os
import shutil
import subprocess
import unittest

import bm
from test_trees import ADAPTER, LIBRARY, LOOP

RETURN = "\treturn question * 7;"


class Check(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("check")
        world.cache = os.path.join(world.folder, "cache")
        cls.tree = shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "tree"))
        world.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        world.write("config/benchmatrix/libs/tiny.c", ADAPTER)
        cls.git("init", "-q", "-b", "main")
        cls.commit("one", "", "")
        cls.git("tag", "v1")
        cls.commit("broken", RETURN, "\treturn nothing;")
        cls.git("tag", "broken")
        cls.commit("mended", "\treturn nothing;", "\t/* mended */\n" + RETURN)
        cls.commit("slower", RETURN, LOOP)
        cls.slower = cls.git("rev-parse", "HEAD").strip()
        cls.commit("a comment", "/* mended */", "/* mended for good */")
        cls.git("tag", "last")

    @classmethod
    def git(cls, *arguments, check=True):
        done = subprocess.run(["git", "-C", cls.tree, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], check=check,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **cls.environment()})
        return done.stdout

    @classmethod
    def environment(cls):
        return {"HOME": cls.world.folder, "XDG_CONFIG_HOME": cls.world.config, "BENCHMATRIX_CACHE": cls.world.cache, "BENCHMATRIX_DB": cls.world.db}

    @classmethod
    def commit(cls, subject, before, after):
        path = os.path.join(cls.tree, "tiny.c")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert before in text
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))
        cls.git("add", "-A")
        cls.git("commit", "-qm", subject)

    def check(self, *arguments):
        return self.world.run("check", "--library", "tiny", "--repository", "tree", *arguments)

    def test_bisect_finds_the_commit(self):
        self.git("bisect", "start", "last", "v1")
        try:
            out = self.git("bisect", "run", bm.PROGRAM, "check", "v1", ".", "--library", "tiny", "--benchmark", "sha-*", check=False)
        finally:
            self.git("bisect", "reset")
        self.assertIn(self.slower + " is the first bad commit", out)
        self.assertRegex(out, r"(?m)^bad: sha-256 hash 16384: [0-9.]+ % more instructions \(1 of 1 watched\)$")

    def test_each_answer(self):
        for arguments, expected, words in [
            (["v1", "v1"], 0, "good: none of 2 watched is worse"),
            (["v1", "last"], 1, "bad: sha-256 hash 16384: "),
            (["v1", "last", "--benchmark", "rsa-*"], 0, "good: none of 1 watched is worse"),
            (["v1", "last", "--above", "1000%"], 0, "good: "),
            (["last", "v1"], 0, "good: "),
            (["v1", "broken"], 125, "cannot be tested: AFTER has no result: compile-failed: "),
        ]:
            status, out, _ = self.check(*arguments)
            self.assertEqual(status, expected, (arguments, out))
            self.assertTrue(out.startswith(words), out)

    def test_what_would_mislead_bisect_stops_it(self):
        for arguments, expected, words in [
            (["broken", "v1"], 129, "BEFORE has no result to hold AFTER against: compile-failed"),
            (["nowhere", "v1"], 130, '"nowhere"'),
            (["v1", "last", "--above", "much"], 130, "--above much"),
            (["v1", "last", "--benchmark", "ml-kem-*"], 129, "BEFORE has no result"),
            (["v1", "last", "--metric", "speed"], 130, "unknown metric"),
            (["run=none", "last"], 130, "none"),
            (["run=latest", "v1", "--metric", "time"], 130, "no selector"),
        ]:
            status, out, err = self.check(*arguments)
            self.assertEqual((status, out), (expected, ""), (arguments, err))
            self.assertIn(words, err)

    def test_a_stored_result_is_held_against_the_tree(self):
        self.assertEqual(self.check("v1", "v1")[0], 0)
        (uuid,), = self.world.ask("SELECT uuid FROM run ORDER BY id DESC LIMIT 1")
        stored = "version=before,run=" + uuid[:8]
        status, out, _ = self.check(stored, "last")
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith("bad: sha-256 hash"), out)
        self.assertEqual(self.check(stored, "v1")[0], 0)
        # AFTER alone was measured.
        self.assertEqual(self.world.ask("SELECT count(*) FROM cell WHERE instrument = 'bench-core' AND run_id = (SELECT max(id) FROM run)"), [(1,)])

    def test_time_is_told_by_a_duel(self):
        status, out, _ = self.check("v1", "v1", "--metric", "time", "--pairs", "3", "--benchmark", "rsa-2048 private")
        # Three pairs give no verdict.
        self.assertEqual(status, 125, out)
        self.assertTrue(out.startswith("cannot be tested: of AFTER rsa-2048 private: "), out)
        self.assertIn("(too few samples for a verdict: 3 of 8 pairs)\n", out)
        self.assertEqual(self.world.ask("SELECT matrix FROM run ORDER BY id DESC LIMIT 1"), [("duel",)])


if __name__ == "__main__":
    bm.main()
