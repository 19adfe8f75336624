"""The bundled quick matrix on real wolfSSL, natively and under QEMU: what it leaves in the database, what a second run costs, what compare says."""

import json
import math
import unittest

import bm

BENCHMARKS = 14  # of schema/benchmarks.def, the null operation included
COUNTS = """SELECT c.name, w.benchmark, w.block, m.median FROM measurement AS m JOIN attempt AS a ON a.id = m.attempt_id
            JOIN cell AS c ON c.id = a.cell_id JOIN series_wide AS w ON w.series_id = m.series_id
            WHERE w.metric = 'instructions' AND c.run_id = ? ORDER BY 1, 2, 3"""


class Quick(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("quick")
        cls.status, cls.out, cls.err = cls.world.run("run", "quick", "--label", "first")

    def test_a_every_cell_is_ok(self):
        self.assertEqual(self.status, 0)
        cells = self.world.ask("SELECT name, state, outcomes_ok FROM cell_state")
        self.assertEqual(len(cells), 10)  # 3 of x86_64 timed, the same counted, 4 of aarch64 counted
        for name, state, ok in cells:
            self.assertEqual((state, ok), ("ok", BENCHMARKS), name)

    def test_b_cells_agree_on_every_digest(self):
        rows = self.world.ask("SELECT benchmark, block, count(DISTINCT digest), count(DISTINCT attempt_id) FROM outcome "
                              "WHERE digest IS NOT NULL GROUP BY 1, 2")
        self.assertGreaterEqual(len(rows), 8)
        for benchmark, block, digests, attempts in rows:
            self.assertEqual((digests, attempts), (1, 10), (benchmark, block))

    def test_c_what_was_built_is_told(self):
        builds = self.world.ask("SELECT DISTINCT config, toolchain, configure_line, optimisation_effective, math, machine, revision FROM build_wide")
        self.assertEqual(len(builds), 7)
        for config, toolchain, line, optimisation, math_, machine, revision in builds:
            self.assertIn("./configure", line)
            self.assertEqual(optimisation, "-O2")
            self.assertIn("tfm" if config == "fastmath" else "sp_int", math_)
            self.assertEqual("sp_c64" in math_ , config == "sp", (config, toolchain, math_))
            self.assertIn("EM_AARCH64" if toolchain == "aarch64-gcc" else "EM_X86_64", machine)
            self.assertTrue(revision.startswith("5.5.4"))
        hashes = self.world.ask("SELECT count(DISTINCT code_sha256) FROM build")
        self.assertEqual(hashes, [(7,)])

    def test_d_samples_keep_their_invocations(self):
        for median, n, packed in self.world.ask("SELECT m.median, m.n, s.packed FROM measurement AS m JOIN sample AS s ON s.measurement_id = m.id "
                                                "WHERE m.environment = 0"):
            invocations, values, at = [], [], 0
            while at < len(packed):
                invocation, count = (int.from_bytes(packed[at + k:at + k + 4], "little") for k in (0, 4))
                invocations.append(invocation)
                values += memoryview(packed[at + 16:at + 16 + 8 * count]).cast("d").tolist()
                at += 16 + 8 * count
            self.assertEqual(invocations, [0, 1, 2, 3, 4, 5, 6, 7])
            self.assertEqual(len(values), n)
            values.sort()
            self.assertAlmostEqual((values[(n - 1) // 2] + values[n // 2]) / 2 / median, 1, places=12)

    def test_e_second_run_compiles_nothing_and_carries_counts(self):
        before = self.world.ask(COUNTS, 1)
        status, out, _ = self.world.run("run", "quick", "--label", "second")
        self.assertEqual(status, 0)
        self.assertIn("0 programs built (0 libraries compiled), 7 taken from the cache", out)
        self.assertIn("3 cells measured, 7 carried forward", out)
        self.assertEqual(self.world.ask(COUNTS, 2), before)
        self.assertEqual(len(before), 7 * BENCHMARKS)

    def test_f_fresh_counts_are_equal_to_the_instruction(self):
        before = self.world.ask(COUNTS, 1)
        status, out, _ = self.world.run("run", "quick", "--fresh", "--label", "third")
        self.assertEqual(status, 0)
        self.assertIn("10 cells measured, 0 carried forward", out)
        self.assertEqual(self.world.ask(COUNTS, 3), before)

    def compare(self, *arguments):
        status, out, _ = self.world.run("compare", "config=default", "config=sp", "--format", "json", *arguments)
        self.assertEqual(status, 0)
        return json.loads(out)

    def test_g_compare_computes_what_the_database_holds(self):
        medians = dict(((config, benchmark, block), value) for config, benchmark, block, value in self.world.ask(
            "SELECT config, benchmark, block, value FROM result WHERE toolchain = 'aarch64-gcc' AND metric = 'instructions' AND run_label = 'first'"))
        rows = self.compare("--where", "toolchain=aarch64-gcc", "--metric", "instructions")["rows"]
        self.assertEqual(len(rows), BENCHMARKS)
        for row in rows:
            if row["benchmark"] == "null operation":
                self.assertIsNone(row["ratio"])
                continue
            key = (row["benchmark"], None if row["block"] is None else str(row["block"]))
            before, after = medians[("default", *key)], medians[("sp", *key)]
            self.assertTrue(math.isclose(row["ratio"], before / after, rel_tol=1e-12), row)

    def test_h_tables_have_mean_and_provenance(self):
        for arguments in (["--where", "toolchain=x86_64-gcc"], ["--where", "toolchain=aarch64-gcc", "--metric", "instructions"]):
            status, out, _ = self.world.run("compare", "config=default", "config=sp", *arguments)
            self.assertEqual(status, 0)
            self.assertRegex(out, r"geometric mean of \d+: \d+\.\d\dx")
            self.assertIn("5.5.4", out)
            self.assertRegex(out, r"\d+\.\d\dx")
        self.assertIn("instruction ratio", out)
        self.assertNotIn("speedup", out)

    def test_i_emulated_time_is_no_speed(self):
        status, out, err = self.world.run("compare", "config=default", "config=sp", "--where", "toolchain=aarch64-gcc")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--metric instructions", err)

    def test_j_the_database_passes_its_check(self):
        status, out, _ = self.world.run("db", "check")
        self.assertEqual(status, 0, out)

    def test_k_show_tells_the_configure_line(self):
        status, out, _ = self.world.run("show", "build", "aarch64-gcc wolfssl-5.5.4 sp *")
        self.assertEqual(status, 0)
        self.assertIn("--enable-sp", out)
        self.assertIn("-O2", out)
        status, out, _ = self.world.run("show", "run", "first")
        self.assertEqual(status, 0)
        self.assertIn("aarch64-gcc wolfssl-5.5.4 armasm crypto -O2 on qemu-user count", out)


if __name__ == "__main__":
    bm.main()
