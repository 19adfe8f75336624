"""Tables over figures of our own, imported and published ones: units, origins, what was printed, wide tables; and every SQL example of docs/sql.md."""

import csv
import io
import json
import os
import re
import sqlite3
import unittest

import bm

# The first counts: 2.37 cycles per byte. FROBNICATE is no benchmark; the last line's speed is not its amount by its time.
LOG = """wolfSSL version 4.0.0
wolfCrypt Benchmark (block bytes 1048576, min 1.0 sec each)
AES-128-CBC-enc   1250 MB took 1.002 seconds, 1247.878 MB/s Cycles per byte =   2.37
FROBNICATE-9       100 MB took 1.000 seconds,  100.000 MB/s Cycles per byte =   9.00
AES-128-CBC-dec   1000 MB took 1.000 seconds, 4591.703 MB/s Cycles per byte =   0.64
"""
GR740 = "source=published,platform=gr740-*,library=wolfssl,benchmark=aes-128-cbc *"


def copy_quick(world):
    """The results of the quick matrix, as a test of its own may change them."""
    with sqlite3.connect(os.path.join(bm.WORK, "quick", "benchmatrix.db")) as quick, sqlite3.connect(world.db) as own:
        quick.backup(own)


class Query(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("query")
        copy_quick(cls.world)
        cls.world.write("log.txt", LOG)
        for arguments in [["import", "log.txt", "--platform", "lab"], ["import", "--published"]]:
            status, _, _ = cls.world.run(*arguments)
            assert status == 0, arguments
        # One benchmark that fails in the last run.
        with sqlite3.connect(cls.world.db) as db:
            db.execute("UPDATE outcome_line SET state = 'crashed', reason = 'signal 7 (SIGBUS)' WHERE benchmark = 'rsa-2048 public' AND list_id = "
                       "(SELECT a.outcome_list_id FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id WHERE c.run_id = "
                       "(SELECT id FROM run WHERE matrix IS NOT NULL ORDER BY started_at DESC LIMIT 1) AND c.instrument = 'bench-core' LIMIT 1)")

    def rows(self, *arguments):
        """The rows of a query as CSV: a list of dicts."""
        status, out, err = self.world.run("query", *arguments, "--format", "csv")
        self.assertEqual(status, 0, err)
        return list(csv.DictReader(io.StringIO(out)))

    def test_every_sql_example_runs_and_finds_something(self):
        text = open(os.path.join(bm.SOURCE, "docs", "sql.md"), encoding="utf-8").read()
        examples = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
        self.assertGreaterEqual(len(examples), 15)
        for example in examples:
            with self.subTest(example):
                self.assertGreater(len(self.world.ask(example)), 0)

    def test_sql_by_hand_and_compare_say_the_same(self):
        example = next(e for e in re.findall(r"```sql\n(.*?)```", open(os.path.join(bm.SOURCE, "docs", "sql.md"), encoding="utf-8").read(), re.DOTALL)
                       if "AS ratio" in e)
        by_hand = {(benchmark, block or ""): (before, after) for benchmark, block, before, after, _ in self.world.ask(example)}
        status, out, _ = self.world.run("compare", "config=default", "config=armasm", "--where", "toolchain=aarch64-gcc,run=first", "--metric",
                                        "instructions", "--format", "csv")
        self.assertEqual(status, 0)
        told = {(row["benchmark"], row["block"]): (float(row["before_median"]), float(row["after_median"])) for row in csv.DictReader(io.StringIO(out))}
        self.assertEqual(by_hand, told)
        self.assertGreater(len(told), 10)

    def test_sides_that_never_meet_are_no_empty_table(self):
        status, out, err = self.world.run("compare", "toolchain=x86_64-gcc,config=sp", "toolchain=aarch64-gcc,config=sp", "--where", "environment=emulator",
                                          "--metric", "instructions")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"no result has a partner: the sides differ in platform \(qemu-x86-64\S* against qemu-aarch64\S*\)")

    def test_a_row_has_one_unit(self):
        status, out, err = self.world.run("query", GR740, "--columns", "platform")
        self.assertEqual(status, 0, err)
        # As printed: 3.432 MiB/s on bare metal.
        self.assertRegex(out, r"aes-128-cbc encrypt .* 3\.432 MiB/s")
        for line in out.splitlines():
            self.assertLessEqual(len(set(re.findall(r"\d ([KMG]iB/s|B/s)", line))), 1, line)
        self.assertIn("gr740-bare-metal", out)
        self.assertIn("no medians", out)

    def test_units_are_conversions_of_the_value(self):
        values = {(r["benchmark"], r["block"]): [float(v) for k, v in r.items() if k == "value"][0]
                  for r in self.rows("toolchain=x86_64-gcc,config=sp,environment=hardware,operation=encrypt")}
        self.assertGreater(len(values), 1)
        for unit, factor, inverse in [("MiB/s", 1048576, True), ("MB/s", 1e6, True), ("kB/s", 1e3, True), ("Mbit/s", 125000, True),
                                      ("ns/byte", 1e-9, False), ("s", 1, False)]:
            status, out, err = self.world.run("query", "toolchain=x86_64-gcc,config=sp,environment=hardware,operation=encrypt", "--unit", unit)
            self.assertEqual(status, 0, err)
            for (benchmark, block), value in values.items():
                shown = re.search(r"^%s +%s B +([0-9.,e-]+) %s" % (benchmark, block, unit.replace("byte", "B").replace("s", "s", 1)), out, re.MULTILINE)
                expected = 1 / value / factor if inverse else value / factor
                self.assertAlmostEqual(float(shown.group(1).replace(",", "")) / expected, 1, delta=0.002)

    def test_operations_of_bulk_work_are_calls_of_a_block(self):
        selector = "toolchain=x86_64-gcc,config=sp,environment=hardware,operation=encrypt"
        values = {(r["benchmark"], r["block"]): float(r["value"]) for r in self.rows(selector)}
        status, out, err = self.world.run("query", selector, "--unit", "ops/s")
        self.assertEqual(status, 0, err)
        for (benchmark, block), value in values.items():
            shown = re.search(r"^%s +%s B +([0-9.,]+) ops/s" % (benchmark, block), out, re.MULTILINE)
            self.assertAlmostEqual(float(shown.group(1).replace(",", "")) * value * int(block), 1, delta=0.002)

    def test_cycles_are_those_that_were_told(self):
        # What wolfCrypt calls cycles on x86 are ticks of the time-stamp counter.
        status, out, err = self.world.run("query", "platform=lab", "--unit", "ticks/byte")
        self.assertEqual(status, 0, err)
        self.assertIn("2.370 ticks/B", out)
        self.assertNotIn("9.000", out)
        # 17.5 cycles per byte are printed for edonr-256 on the ARM926EJ-S.
        status, out, err = self.world.run("query", "source=published", "--unit", "cycles/byte")
        self.assertEqual(status, 0, err)
        self.assertIn("17.50 cycles/B", out)
        # No clock of this machine is known to us as core cycles, so time gives none.
        status, _, err = self.world.run("query", "toolchain=x86_64-gcc", "--metric", "time", "--unit", "cycles/byte")
        self.assertEqual(status, 2)
        self.assertIn("--metric cycles", err)

    def test_printed_figures_come_out_as_they_went_in(self):
        status, out, err = self.world.run("query", "platform=lab", "--printed", "--format", "json")
        self.assertEqual(status, 0, err)
        rows = json.loads(out)["rows"]
        self.assertEqual([v for row in rows for k, v in row.items() if k.endswith(" printed") and v], ["1247.878 MB/s"])
        status, out, _ = self.world.run("query", "platform=lab", "--printed")
        self.assertIn("1247.878 MB/s", out)

    def test_origins_are_not_mixed_unless_asked_and_then_marked(self):
        selector = "benchmark=aes-128-cbc encrypt,environment=hardware"
        status, out, err = self.world.run("query", selector, "--columns", "platform")
        self.assertEqual(status, 0, err)
        self.assertNotIn("gr740", out)
        self.assertRegex(out, r"imported or published results are left out; source=\* takes them in")
        status, _, err = self.world.run("query", "benchmark=aes-128-cbc encrypt,toolchain=-", "--columns", "platform")
        self.assertEqual(status, 2, "neither of them is our own")
        self.assertIn("more than one source: imported, published", err)
        self.assertIn("source=*", err)
        status, out, err = self.world.run("query", selector + ",source=*,kind=*", "--columns", "platform")
        self.assertEqual(status, 0, err)
        self.assertRegex(out, r"gr740-bare-metal \(published[,)]")
        self.assertIn("(own", out)

    def test_a_wide_table_is_broken_into_parts_that_name_their_rows(self):
        status, out, err = self.world.run("query", "source=published,kind=sampled,operation=*crypt", "--columns", "platform", "--width", "100")
        self.assertEqual(status, 0, err)
        table = out.split("\ncommon:")[0] if "\ncommon:" in out else out
        rules = [line for line in table.splitlines() if re.fullmatch(r"[- ]+-", line)]
        self.assertGreater(len(rules), 1)
        for rule in rules:
            self.assertTrue(len(rule) <= 100 or rule.count("  ") <= 4, rule)
        self.assertGreater(len(re.findall(r"^benchmark ", table, re.MULTILINE)), 1)

    def test_wrong_keys_and_units_say_what_there_is(self):
        for arguments, word in [(["--rows", "platfrom"], 'did you mean "platform"'), (["--unit", "furlongs"], "use s, ms, us, ns"),
                                (["--rows", "config", "--columns", "config"], "config stands more than once")]:
            status, _, err = self.world.run("query", "toolchain=x86_64-gcc,environment=hardware", *arguments)
            self.assertEqual(status, 2)
            self.assertIn(word, err)


if __name__ == "__main__":
    bm.main()
