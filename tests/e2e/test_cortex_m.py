"""wolfSSL on a Cortex-M3 and a Cortex-M4 without an operating system: every answer proved, counts that repeat to the instruction, and a footprint in one query."""

import csv
import io
import json
import unittest

import bm

MATRIX = {
    "summary": "wolfSSL on microcontrollers",
    "library": "wolfssl",
    "versions": ["5.5.4-user-settings", "5.5.4"],
    "toolchains": ["cortex-m3", "cortex-m4"],
    "profiles": ["crypto"],
    "optimisations": ["-O2"],
    "flags": [[], ["sp", "smallstack"]],
    "agents": ["qemu-system"],
    "benchmarks": ["null operation", "aes-128-cbc *", "aes-128-gcm *", "chacha20-poly1305 *", "sha-256 hash", "sha3-256 hash", "rsa-2048 public",
                   "ecdh-p256 agree", "ecdsa-p256 *"],
    "blocks": [1024],
}
# What an independent program computed (bench-core/expected.py), so that it is the answer on every target.
DIGESTS = {"sha-256 hash": "cf38acd5a98a80142ca380db3688baaf4252fbb6b0470b242fc30312f3da6671"}


class CortexM(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("cortex-m")
        cls.world.write("cortex-m.json", json.dumps(MATRIX))
        cls.first = cls.world.run("run", "cortex-m.json", "--label", "one")
        cls.again = cls.world.run("run", "cortex-m.json", "--fresh", "--label", "two")

    def query(self, *arguments):
        status, out, err = self.world.run("query", *arguments, "--format", "csv")
        self.assertEqual(status, 0, err)
        return list(csv.DictReader(io.StringIO(out)))

    def test_every_answer_is_proved(self):
        self.assertEqual((self.first[0], self.again[0]), (0, 0), self.first[2])
        outcomes = self.world.ask("SELECT benchmark, state, digest FROM outcome WHERE benchmark NOT LIKE '% size'")
        self.assertEqual({state for _, state, _ in outcomes}, {"ok"}, outcomes)
        # Two processors, two configurations, twice.
        self.assertEqual(len(outcomes), 8 * 13)
        for benchmark, digest in DIGESTS.items():
            self.assertEqual({told for name, _, told in outcomes if name == benchmark}, {digest})

    def test_counts_repeat_to_the_instruction(self):
        rows = self.world.ask("SELECT run_label, toolchain, config, benchmark, metric, value FROM result "
                              "WHERE instrument = 'bench-core' AND metric IN ('instructions', 'stack-peak', 'heap-peak', 'flash', 'ram')")
        runs = {label: {row[1:5]: row[5] for row in rows if row[0] == label} for label in ("one", "two")}
        self.assertEqual(runs["one"], runs["two"])
        self.assertGreater(len(runs["one"]), 120)
        # What sp is for.
        for toolchain in MATRIX["toolchains"]:
            sign = {config: runs["one"][toolchain, config, "ecdsa-p256 sign", "instructions"] for config in ("default", "smallstack+sp")}
            self.assertLess(sign["smallstack+sp"], sign["default"], toolchain)

    def test_a_version_that_needs_configure_is_left_out_with_its_reason(self):
        status, out, err = self.world.run("plan", "cortex-m.json")
        self.assertEqual(status, 0, err)
        self.assertIn("toolchain cortex-m3 has no operating system", out)

    def test_the_footprint_is_one_query(self):
        rows = self.query("run=latest,benchmark=* size,instrument=bench-core", "--metric", "flash,ram", "--rows", "toolchain,config,benchmark")
        self.assertEqual(len(rows), 8)


if __name__ == "__main__":
    bm.main()
