"""A second library through the same door: OpenSSL as Debian builds it, beside the wolfSSL of the quick matrix."""

import csv
import io
import json
import os
import shutil
import subprocess
import unittest

import bm
from test_counts import EMULATORS, PLUGIN

BENCHMARKS = {"null operation", "aes-128-cbc encrypt", "aes-128-cbc decrypt", "aes-128-gcm encrypt", "aes-128-gcm decrypt",
              "sm4-cbc encrypt", "sm4-cbc decrypt", "sha-256 hash", "sm3 hash", "rsa-2048 public", "rsa-2048 private", "dh-2048 keygen",
              "dh-2048 agree", "ec-p256 keygen", "ecdh-p256 agree", "ecdsa-p256 sign", "ecdsa-p256 verify"}
# What wolfSSL's adapter answers for as well, and whose output is the same in any library.
COMPARABLE = {"aes-128-cbc encrypt", "aes-128-cbc decrypt", "aes-128-gcm encrypt", "aes-128-gcm decrypt", "sha-256 hash", "rsa-2048 public",
              "rsa-2048 private", "dh-2048 agree", "ecdh-p256 agree"}
# They draw random numbers: where a seed of ours did not reach, these would differ first.
RANDOM = ["rsa-2048 public", "rsa-2048 private", "dh-2048 keygen", "ec-p256 keygen", "ecdsa-p256 sign"]
MATRIX = {"library": "openssl", "versions": ["3.0-debian"], "toolchains": list(EMULATORS), "agents": ["qemu-user"],
          "benchmarks": sorted(BENCHMARKS), "blocks": [16384]}


class OpenSSL(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("openssl")
        shutil.copy(os.path.join(bm.WORK, "quick", "benchmatrix.db"), cls.world.db)
        cls.matrix = cls.world.write("openssl.json", json.dumps(MATRIX))
        cls.status, cls.output, _ = cls.world.run("run", cls.matrix)

    def digests(self, library, toolchain):
        """{benchmark: digest}, over all configurations: several digests of one benchmark would be several rows."""
        rows = self.world.ask(
            "SELECT DISTINCT o.benchmark, o.digest FROM outcome AS o JOIN attempt AS a ON a.id = o.attempt_id JOIN cell AS c ON c.id = a.cell_id "
            "JOIN build_wide AS b ON b.build_id = c.build_id WHERE o.state = 'ok' AND o.digest IS NOT NULL AND o.block IN ('', '16384') "
            "AND b.library = ? AND b.toolchain = ?", library, toolchain)
        self.assertEqual(len(rows), len({benchmark for benchmark, _ in rows}))
        return dict(rows)

    def test_runs_every_benchmark_on_each_architecture(self):
        self.assertEqual(self.status, 0, self.output)
        for toolchain in EMULATORS:
            rows = self.world.ask(
                "SELECT o.benchmark, o.state FROM outcome AS o JOIN cell_state AS s ON s.attempt_id = o.attempt_id WHERE s.name LIKE ?",
                toolchain + " openssl-3.0-debian %")
            self.assertEqual(dict(rows), dict.fromkeys(BENCHMARKS, "ok"), toolchain)

    def test_records_what_was_taken_and_what_the_library_says(self):
        rows = self.world.ask("SELECT b.toolchain, b.configure_line, b.optimisation_effective, b.revision, a.library_version, a.facts "
                              "FROM build_wide AS b JOIN cell AS c ON c.build_id = b.build_id JOIN attempt AS a ON a.cell_id = c.id "
                              "WHERE b.library = 'openssl' AND c.instrument = 'bench-core'")
        architectures = {"x86_64-gcc": "amd64", "aarch64-gcc": "arm64"}
        self.assertEqual({row[0] for row in rows}, set(architectures))
        for toolchain, line, level, revision, version, facts in rows:
            self.assertEqual(line, "prebuilt libssl-dev:" + architectures[toolchain])
            self.assertIsNone(level, "nobody said it")
            self.assertTrue(revision.startswith(version + "-"), (revision, version))
            self.assertRegex(json.loads(facts)["math"], "^bn in assembly; OPENSSL_(ia32cap|armcap)=0x")

    def test_gives_the_same_output_as_wolfssl(self):
        for toolchain in EMULATORS:
            theirs, ours = self.digests("wolfssl", toolchain), self.digests("openssl", toolchain)
            self.assertEqual({name: ours[name] for name in COMPARABLE}, {name: theirs[name] for name in COMPARABLE}, toolchain)

    def test_stands_beside_wolfssl(self):
        status, out, _ = self.world.run(
            "compare", "library=wolfssl,version=5.5.4,config=default,optimisation=-O2", "library=openssl,version=3.0-debian,optimisation=library",
            "--where", "toolchain=aarch64-gcc", "--metric", "instructions", "--format", "csv")
        self.assertEqual(status, 0)
        named = {row["benchmark"] for row in csv.DictReader(io.StringIO(out)) if row.get("ratio")}
        self.assertEqual(named, BENCHMARKS - {"null operation", "sm3 hash", "sm4-cbc encrypt", "sm4-cbc decrypt"})

    def count(self, toolchain, *arguments, environment=None):
        (key,), *_ = self.world.ask("SELECT key_program FROM build_wide WHERE library = 'openssl' AND toolchain = ?", toolchain)
        emulator = EMULATORS[toolchain]
        argv = [*emulator, "-plugin", "file=" + PLUGIN, "-0", "bench-core", os.path.join(bm.CACHE, "programs", key, "bench-core"), "--count",
                "--block", "1024", "--benchmarks", ",".join(sorted(BENCHMARKS)), *arguments]
        done = subprocess.run(argv, env=environment or {}, executable="/usr/bin/" + emulator[0], capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        counts = {record["region"]: record["value"] for record in records if record["r"] == "count"}
        return {record["name"]: counts[record["region"]] for record in records if record["r"] == "region"}

    def test_counts_repeat_to_the_instruction(self):
        for toolchain in EMULATORS:
            full = self.count(toolchain)
            self.assertEqual(set(full), BENCHMARKS)
            crowded = {"X%d" % i: "y" * i for i in range(60)}
            self.assertEqual(self.count(toolchain, environment=crowded), full, toolchain)
            for benchmark in RANDOM:
                self.assertEqual(self.count(toolchain, "--benchmarks", benchmark), {benchmark: full[benchmark]}, toolchain)
            other = self.count(toolchain, "--seed", "another")
            # Nearly all of it takes as long whatever the numbers are; the windows of a private exponent do not.
            self.assertNotEqual(other["dh-2048 keygen"], full["dh-2048 keygen"], "the key comes from the seed")
            self.assertEqual(other["aes-128-gcm encrypt"], full["aes-128-gcm encrypt"])


if __name__ == "__main__":
    bm.main()
