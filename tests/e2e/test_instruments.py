"""The library's own benchmark beside bench-core, in the same builds; and counts by function, which tell where a difference comes from."""

import csv
import io
import json
import os
import shutil
import unittest
import zlib

import bm
from test_trees import ADAPTER, LIBRARY, LOOP

# What another tool than ours prints: figures that are known. With the table it dies behind its first line.
OWN = r"""
#include "tiny.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char tiny_table[] __attribute__((weak));

int main(int argc, char **argv)
{
	int block = argc > 2 ? atoi(argv[argc - 1]) : 0, rsa = argc > 3 && strcmp(argv[2], "-rsa") == 0;

	if (tiny_answer(6) != 42 || block == 0 || strcmp(argv[1], "-sha256") != 0)
		return 3;
	printf("wolfCrypt Benchmark (block bytes %d, min 1.0 sec each)\n", block);
	printf("SHA-256                     %d MiB took 1.000 seconds,   %d.000 MiB/s\n", block / 32, block / 32);
	fflush(stdout);
	if (tiny_table)
		abort();
	if (rsa)
		printf("RSA     2048  private       200 ops took 1.000 sec, avg 5.000 ms, 200.000 ops/sec\n");
	printf("Benchmark complete\n");
	return 0;
}
"""
TOOL = {"importer": "wolfcrypt", "instrument": "tiny-benchmark", "sources": ["own/own.c"], "arguments": ["{block}"],
        "choices": [{"benchmarks": ["rsa-2048 private"], "argument": "-not-in-this-build"}, {"benchmarks": ["sha-256 hash"], "argument": "-sha256"}, {"benchmarks": ["rsa-2048 private"], "argument": "-rsa"}]}
MATRIX = {"library": "tiny", "toolchains": ["x86_64-gcc"], "flags": [[], ["table"]], "agents": ["local", "qemu-user"],
          "benchmarks": ["sha-256 hash", "rsa-2048 private"], "blocks": [1024, 4096], "invocations": 2, "budget_ms": 5, "instruments": ["bench-core", "own"]}
FIGURES = """SELECT benchmark, block, value, n, source, kind, environment FROM result WHERE instrument = ? AND config = ? AND metric = 'time'
             AND run_label = 'side' ORDER BY benchmark, CAST(block AS INTEGER)"""
OUTPUTS = """SELECT r.bytes, r.codec FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id JOIN raw AS r ON r.id = a.out_raw_id JOIN run AS u ON u.id = c.run_id
             WHERE c.mode = 'count' AND u.label = 'side'"""


class Instruments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("instruments")
        world.cache = os.path.join(world.folder, "cache")
        source = shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "one"))
        with open(os.path.join(source, "tiny.c"), encoding="utf-8") as file:
            text = file.read()
        world.write("one/tiny.c", text.replace("\treturn question * 7;", "#ifdef TINY_TABLE\n%s\n#else\n\treturn question * 7;\n#endif" % LOOP))
        world.write("one/own/own.c", OWN)
        world.write("config/benchmatrix/libs/tiny.json", json.dumps({**LIBRARY, "own": TOOL}))
        world.write("config/benchmatrix/libs/tiny.c", ADAPTER)
        cls.versions = [{"name": "one", "folder": source}]
        cls.matrix = cls.write_matrix("side", {})
        cls.status, cls.out, cls.err = world.run("run", cls.matrix, "--functions", "--label", "side")

    @classmethod
    def write_matrix(cls, name, more):
        return cls.world.write(name + ".json", json.dumps({**MATRIX, "versions": cls.versions, **more}))

    def compare(self, *arguments):
        status, out, err = self.world.run("compare", *arguments, "--format", "csv")
        self.assertEqual(status, 0, err)
        return [{title.split(" ")[0]: value for title, value in row.items()} for row in csv.DictReader(io.StringIO(out))]

    def test_plan_tells_both_and_what_the_tool_has_not(self):
        status, out, _ = self.world.run("plan", self.matrix)
        self.assertEqual(status, 0)
        self.assertIn("4 builds, 6 cells, 0 exclusions", out)
        self.assertIn("  x86_64-gcc tiny-one default crypto library tiny-benchmark on local time\n", out)
        status, out, _ = self.world.run("plan", self.write_matrix("none", {"benchmarks": ["sha-512 hash"]}))
        self.assertIn("x86_64-gcc tiny-one tiny-benchmark: tiny-benchmark has none of the benchmarks that the matrix names\n", out)
        status, _, err = self.world.run("plan", self.world.write("unknown.json", json.dumps({**MATRIX, "library": "openssl", "versions": ["3.0"], "flags": [[]]})))
        self.assertEqual(status, 4)
        self.assertIn("names no benchmark of its own", err)

    def test_the_tool_is_timed_at_each_block_and_kept_apart(self):
        byte = 1 / (1 << 20)
        self.assertEqual(self.world.ask(FIGURES, "tiny-benchmark", "default"), [
            ("rsa-2048 private", None, 0.005, 4, "own", "sampled", "hardware"), ("sha-256 hash", "1024", byte / 32, 2, "own", "sampled", "hardware"),
            ("sha-256 hash", "4096", byte / 128, 2, "own", "sampled", "hardware")])
        ours = [row[:2] for row in self.world.ask(FIGURES, "bench-core", "default") if row[-1] == "hardware"]
        self.assertEqual(ours, [("rsa-2048 private", None), ("sha-256 hash", "1024"), ("sha-256 hash", "4096")])

    def test_both_stand_side_by_side(self):
        rows = self.compare("instrument=bench-core", "instrument=tiny-benchmark", "--where", "config=default,run=side")
        self.assertEqual([(row["benchmark"], row["block"]) for row in rows], [("sha-256 hash", "1024"), ("sha-256 hash", "4096"), ("rsa-2048 private", "")])
        self.assertEqual(float(rows[2]["after_median"]), 0.005)
        # Without a word about the instrument, each is held against itself.
        rows = self.compare("config=default", "config=table", "--where", "run=side")
        self.assertEqual({row.get("instrument") for row in rows}, {"bench-core", "tiny-benchmark"})

    def test_a_tool_that_dies_keeps_what_it_printed_and_its_state(self):
        self.assertEqual(self.status, 1, self.err)
        cell, = self.world.ask("SELECT state, attempt_state, reason FROM cell_state WHERE name LIKE '%table%tiny-benchmark%'")
        self.assertEqual(cell[1], "crashed", cell)
        self.assertIn("SIGABRT", cell[2])
        figures = self.world.ask(FIGURES, "tiny-benchmark", "table")
        self.assertEqual([(name, block) for name, block, *_ in figures], [("sha-256 hash", "1024")])

    def test_it_can_be_chosen_and_measures_what_the_matrix_names(self):
        matrix = self.write_matrix("chosen", {"benchmarks": ["sha-256 *"], "flags": [[]], "blocks": [1024]})
        status, _, err = self.world.run("run", matrix, "--only", "instrument=tiny-benchmark", "--label", "chosen")
        self.assertEqual(status, 0, err)
        argv, = self.world.ask("SELECT a.argv FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id JOIN run AS r ON r.id = c.run_id WHERE r.label = 'chosen'")
        self.assertEqual(json.loads(argv[0])[1:], ["-sha256", "1024"])

    def test_functions_add_up_to_the_count_of_each_region(self):
        regions = 0
        for packed, codec in self.world.ask(OUTPUTS):
            text = zlib.decompress(packed) if codec == "zlib" else packed
            records = [json.loads(line) for line in text.decode().splitlines()]
            for count in (record for record in records if record["r"] == "count"):
                parts = [n for record in records if record["r"] == "functions" and record["region"] == count["region"] for _, n in record["counts"]]
                self.assertEqual(sum(parts), count["value"])
                regions += 1
        self.assertEqual(regions, 6, "two sizes and one key, of two builds")

    def test_functions_tell_where_a_difference_comes_from(self):
        rows = self.compare("config=default", "config=table", "--functions", "--where", "run=side")
        first, second = rows[0], rows[1]
        self.assertEqual([row["function"] for row in rows[:2]], ["(all)", "tiny_answer"])
        self.assertEqual({row["benchmark"] for row in rows}, {"sha-256 hash"}, "the other one does not call it")
        self.assertEqual(first["change"], second["change"], "all of it")
        # The loop of 3000 turns takes several instructions a turn.
        self.assertGreater(float(second["change"]), 3000)
        whole, = [row for row in self.compare("config=default", "config=table", "--metric", "instructions", "--where", "run=side") if row.get("block") == first["block"]]
        change = (float(whole["after_median"]) - float(whole["before_median"])) * int(first["block"])
        self.assertAlmostEqual(float(first["change"]), change, delta=1e-6 * change)

    def test_functions_outlive_a_prune(self):
        copy, asked = self.world.db + ".copy", ("compare", "config=default", "config=table", "--functions", "--where", "run=side")
        self.assertEqual(self.world.run("db", "backup", copy)[0], 0)
        before = self.world.run(*asked)
        self.assertEqual(self.world.run("--db", copy, "db", "prune", "--older-than", "0h")[0], 0)
        self.assertEqual(self.world.run("--db", copy, *asked), before)
        self.assertEqual(self.world.run("--db", copy, "db", "prune", "--older-than", "0h", "--functions")[0], 0)
        status, _, err = self.world.run("--db", copy, *asked)
        self.assertEqual((status, "its text was pruned" in err), (2, True), err)

    def test_functions_are_told_only_where_they_were_counted(self):
        status, _, err = self.world.run("compare", "config=default", "config=table", "--functions", "--metric", "time")
        self.assertEqual((status, "only instructions are counted by function" in err), (2, True), err)
        matrix = self.write_matrix("plain", {"agents": ["qemu-user"], "instruments": ["bench-core"]})
        status, _, err = self.world.run("run", matrix, "--label", "plain")
        self.assertEqual(status, 0, err)
        status, _, err = self.world.run("compare", "config=default", "config=table", "--where", "run=plain", "--functions")
        self.assertEqual(status, 2)
        self.assertIn("run MATRIX --functions", err)
        # The same counts, told apart or not.
        counts = "SELECT benchmark, block, config, count(DISTINCT value) FROM result WHERE metric = 'instructions' GROUP BY 1, 2, 3"
        self.assertEqual({n for *_, n in self.world.ask(counts)}, {1})


if __name__ == "__main__":
    bm.main()
