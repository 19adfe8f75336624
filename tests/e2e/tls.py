"""What the tests of the TLS benchmarks share."""

import hashlib
import json
import os
import subprocess

import bm
from test_counts import EMULATORS, PLUGIN

SUITES = ["tls12-ecdhe-rsa-aes128-gcm-sha256", "tls13-ecdsa-chacha20-poly1305-sha256"]
NAMES = {"%s %s-in-memory" % (suite, step) for suite in SUITES for step in ("handshake", "resume", "read", "write")}
BLOCK = 1024
MATRIX = {"summary": "for tests", "profiles": ["tls"], "agents": ["qemu-user"], "benchmarks": sorted(NAMES), "blocks": [BLOCK]}


def pattern(size):
    """What is written: the high octets of a linear congruential counter, as bench-core's manual has it."""
    counter, out = 0, bytearray()
    for _ in range(size):
        counter = (counter * 1664525 + 1013904223) & 0xFFFFFFFF
        out.append(counter >> 24)
    return bytes(out)


class Checks:
    """For a TestCase with `world`, which has run a matrix of `toolchains`."""

    def program(self, toolchain):
        (key,), *_ = self.world.ask("SELECT key_program FROM build_wide WHERE toolchain = ? AND profile = 'tls'", toolchain)
        return os.path.join(bm.CACHE, "programs", key, "bench-core")

    def records(self, toolchain, *arguments, environment=None):
        emulator = EMULATORS[toolchain]
        argv = [*emulator, "-plugin", "file=" + PLUGIN, "-0", "bench-core", self.program(toolchain), "--count", *arguments]
        done = subprocess.run(argv, env=environment or {}, executable="/usr/bin/" + emulator[0], capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_everything_is_right(self):
        for toolchain in self.toolchains:
            rows = self.world.ask(
                "SELECT o.benchmark, o.state, o.digest, o.proof FROM outcome AS o JOIN cell_state AS s ON s.attempt_id = o.attempt_id "
                "WHERE s.name LIKE ?", toolchain + " %")
            self.assertEqual({row[0] for row in rows}, NAMES, toolchain)
            digest = hashlib.sha256(pattern(BLOCK)).hexdigest()
            for benchmark, state, output, proof in rows:
                self.assertEqual((state, proof), ("ok", "round-trip"), benchmark)
                carries = benchmark.endswith((" read-in-memory", " write-in-memory"))
                self.assertEqual(output, digest if carries else None, benchmark)

    def test_resumption_costs_less_than_a_handshake(self):
        for toolchain in self.toolchains:
            counts = self.counts(self.records(toolchain, "--benchmarks", "tls*shake-in-memory,tls*resume-in-memory"))
            for suite in SUITES:
                self.assertLess(counts[suite + " resume-in-memory"], counts[suite + " handshake-in-memory"], toolchain)

    @staticmethod
    def counts(records):
        values = {record["region"]: record["value"] for record in records if record["r"] == "count"}
        return {record["name"]: values[record["region"]] for record in records if record["r"] == "region"}

    def test_counts_and_heap_repeat_whatever_the_environment(self):
        crowded = {"X%d" % i: "y" * i for i in range(60)}
        for toolchain in self.toolchains:
            arguments = ("--block", str(BLOCK), "--benchmarks", SUITES[1] + " *-in-memory")
            once, again = (self.records(toolchain, *arguments, environment=environment) for environment in ({}, crowded))
            self.assertEqual(len(self.counts(once)), 4)
            self.assertEqual(self.counts(again), self.counts(once), toolchain)
            heap = [[record for record in records if record["r"] == "value"] for records in (once, again)]
            self.assertEqual(heap[1], heap[0], toolchain)
            held = {record["metric"]: record["value"] for record in heap[0] if record["name"].endswith(" handshake-in-memory")}
            self.assertGreater(held["heap-peak"], held["heap-idle"])
            self.assertGreater(held["heap-idle"], 1000, "two connections")

    def test_says_why_there_is_no_longer_record(self):
        toolchain = self.toolchains[0]
        records = self.records(toolchain, "--block", "65536", "--benchmarks", SUITES[0] + " read-in-memory")
        outcome = next(record for record in records if record["r"] == "benchmark")
        self.assertEqual(outcome["state"], "unavailable")
        self.assertIn("a record of TLS holds 16384 bytes at most", outcome["reason"])
