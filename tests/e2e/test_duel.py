"""duel times two builds of the database in alternation, and compares them by pairs."""

import json
import os
import re
import shutil
import unittest

import bm
from test_trees import ADAPTER, LIBRARY

# Long enough that no other program's work could hide it.
SLOW = """#ifdef TINY_TABLE
	for (volatile int i = 0; i < 5000000; i++)
		;
#endif
	return question * 7;"""
PROCESSES = """SELECT p.invocation, c.name FROM process AS p JOIN attempt AS a ON a.id = p.attempt_id JOIN cell AS c ON c.id = a.cell_id
               JOIN run AS r ON r.id = c.run_id WHERE r.matrix = 'duel' AND r.id = (SELECT max(id) FROM run) ORDER BY p.started_at"""


class Duel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("duel")
        world.cache = os.path.join(world.folder, "cache")
        source = shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "one"))
        path = os.path.join(source, "tiny.c")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        world.write("one/tiny.c", text.replace("\treturn question * 7;", SLOW))
        world.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        world.write("config/benchmatrix/libs/tiny.c", ADAPTER)
        matrix = {"library": "tiny", "versions": [{"name": "one", "folder": source}], "toolchains": ["x86_64-gcc"], "flags": [[], ["table"]],
                  "agents": ["local"], "benchmarks": ["sha-256 hash", "rsa-2048 private"], "invocations": 1, "budget_ms": 10}
        path = world.write("small.json", json.dumps(matrix))
        status, out, err = world.run("run", path)
        assert status == 0, out + err
        (cls.first,), = world.ask("SELECT uuid FROM run")

    def duel(self, *arguments):
        """Of the builds of the matrix: duels leave versions called before and after as well."""
        return self.world.run("duel", *arguments, "--where", "version=one")

    def test_the_slower_one_is_told_by_pairs(self):
        status, out, err = self.duel("config=default", "config=table")
        self.assertEqual(status, 0, out)
        # Two rows: 2 / 2^9 is the first that is at most 0.01 / 2.
        self.assertIn("9 pairs, which a verdict over 2 rows takes\n", err)
        self.assertRegex(out, r"(?m)^sha-256 hash .* slower( |$)")
        self.assertRegex(out, r"(?m)^paired: 2 of 2 rows ")
        self.assertIn("Wilcoxon", out)
        self.assertEqual(self.world.ask("SELECT matrix, label, status FROM run ORDER BY id DESC LIMIT 1"), [("duel", "config=default against config=table", 0)])

        # Each pair is two processes in a row, one of each side, and every two pairs are turned against each other.
        processes = self.world.ask(PROCESSES)
        self.assertEqual([number for number, _ in processes], [i // 2 for i in range(18)])
        first = [processes[2 * i][1] for i in range(9)]
        for i in range(9):
            self.assertNotEqual(processes[2 * i][1], processes[2 * i + 1][1])
        for i in range(0, 8, 2):
            self.assertNotEqual(first[i], first[i + 1])

        # The table is the same later.
        again = re.search(r"(?m)^again: benchmatrix (compare .*)$", out).group(1)
        status, table, _ = self.world.run(*again.split())
        self.assertEqual(status, 0)
        self.assertEqual(table, out[:out.index("\nagain: ")])
        # The run before it was no duel.
        _, other, _ = self.world.run("compare", "config=default", "config=table", "--where", "version=one,run=" + self.first)
        self.assertNotIn("paired", other)

    def test_time_ends_it(self):
        status, out, _ = self.duel("config=default", "config=table", "--time", "1", "--benchmark", "rsa-*", "--format", "csv")
        self.assertEqual(status, 0)
        self.assertEqual(len(out.strip().splitlines()), 2, out)
        processes = self.world.ask(PROCESSES)
        self.assertEqual(len(processes) % 2, 0)
        self.assertGreaterEqual(len(processes), 2)
        self.assertLess(len(processes), 2000)

    def test_a_build_against_itself_is_made_again_where_the_cache_lacks_it(self):
        shutil.rmtree(os.path.join(self.world.cache, "programs"))
        status, out, _ = self.duel("config=default", "config=default", "--pairs", "8", "--benchmark", "sha-256 *")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"(?m)^time: version=before against version=after$")
        self.assertRegex(out, r"(?m)^paired: 1 of 1 row ")

    def test_wrong_usage(self):
        for arguments, words in [
            (["config=default"], ["BEFORE and AFTER"]),
            (["version=one", "config=table"], ["BEFORE takes several builds", "config (default, table)", "config=default"]),
            (["config=default", "config=sp"], ["AFTER takes no result", "default, table"]),
            (["config=default", "config=table", "--pairs", "0"], ["--pairs 0"]),
            (["config=default", "config=table", "--time", "0"], ["--time 0"]),
            (["config=default", "config=table", "--on", "qemu-user"], ["--on qemu-user", "local"]),
            (["config=default", "config=table", "--metric", "instructions"], ["exact"]),
            (["config=default", "config=table", "--resume"], ["--resume"]),
            (["--resume"], ["--resume"]),
        ]:
            before = self.world.ask("SELECT count(*) FROM run")
            status, out, err = self.duel(*arguments)
            self.assertEqual((status, out), (2, ""), err)
            for word in words:
                self.assertIn(word, err)
            self.assertEqual(self.world.ask("SELECT count(*) FROM run"), before)


if __name__ == "__main__":
    bm.main()
