"""Counts of real programs: twice the work costs twice the instructions, what ran before changes nothing, and an independent counter agrees."""

import json
import os
import re
import subprocess
import sys
import unittest

import bm

PLUGIN = os.path.join(bm.LIBEXEC, "libbm-count.so")
EMULATORS = {"x86_64-gcc": ["qemu-x86_64", "-cpu", "max"], "aarch64-gcc": ["qemu-aarch64", "-cpu", "cortex-a72"]}
# Operations that draw no random numbers, so that each costs what the one before cost. (RSA and ECDH blind with random numbers, and keys and
# signatures are made of them.)
REPEATING = ["aes-128-cbc encrypt", "aes-128-cbc decrypt", "aes-128-gcm encrypt", "aes-128-gcm decrypt", "sha-256 hash", "dh-2048 agree",
             "ecdsa-p256 verify"]


def program(toolchain):
    world = bm.World.__new__(bm.World)
    world.db = os.path.join(bm.WORK, "quick", "benchmatrix.db")
    (key,), *_ = world.ask("SELECT key_program FROM build_wide WHERE toolchain = ? AND config = 'default' AND state = 'ok'", toolchain)
    return os.path.join(bm.CACHE, "programs", key, "bench-core")


def count(toolchain, *arguments, environment=None, zero="bench-core"):
    """{benchmark: instructions in its region}"""
    argv = [*EMULATORS[toolchain], "-plugin", "file=" + PLUGIN, "-0", zero, program(toolchain), "--count", "--block", "1024",
            "--benchmarks", ",".join(bm.QUICK), *arguments]
    done = subprocess.run(argv, env=environment or {}, executable="/usr/bin/" + argv[0], capture_output=True, text=True, check=True)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    counts = {record["region"]: record["value"] for record in records if record["r"] == "count"}
    for record in records:
        if record["r"] == "benchmark":
            assert record["state"] == "ok", record
    return {record["name"]: counts[record["region"]] for record in records if record["r"] == "region"}


class Counts(unittest.TestCase):
    def test_twice_the_operations_cost_twice_within_the_null_region(self):
        for toolchain in EMULATORS:
            once, twice = count(toolchain, "--iterations", "4"), count(toolchain, "--iterations", "8")
            null = twice["null operation"]
            for benchmark in REPEATING:
                self.assertLessEqual(abs(twice[benchmark] - 2 * once[benchmark]), null, (toolchain, benchmark))
                self.assertGreater(once[benchmark], 100 * null, "or the bound says nothing")

    def test_environment_and_name_change_nothing(self):
        for toolchain in EMULATORS:
            crowded = {"X%d" % i: "y" * i for i in range(60)}
            self.assertEqual(count(toolchain), count(toolchain, environment=crowded, zero="a-much-longer-name" * 20))

    def test_what_ran_before_changes_nothing(self):
        for toolchain in EMULATORS:
            full = count(toolchain)
            self.assertEqual(count(toolchain), full, "repeated")
            for benchmark in full:
                self.assertEqual(count(toolchain, "--benchmarks", benchmark), {benchmark: full[benchmark]}, toolchain)
            # As a run goes on behind a crash.
            names = list(full)
            behind = names.index("dh-2048 keygen") + 1
            self.assertEqual(count(toolchain, "--from", "dh-2048 keygen", "--skip", "dh-2048 keygen"),
                             {name: full[name] for name in names[behind:]}, toolchain)

    def test_callgrind_agrees_on_the_same_program(self):
        symbols = subprocess.run(["nm", program("x86_64-gcc")], capture_output=True, text=True, check=True).stdout
        address = int(re.search(r"^([0-9a-f]+) T core_loop$", symbols, re.MULTILINE).group(1), 16)
        for benchmark in ["sha-256 hash", "aes-128-cbc encrypt", "aes-128-gcm decrypt", "ecdsa-p256 verify", "rsa-2048 private"]:
            ours = count("x86_64-gcc", "--benchmarks", benchmark)[benchmark]
            out = os.path.join(bm.WORK, "callgrind.out")
            subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + out, program("x86_64-gcc"), "--count", "--in-process",
                            "--block", "1024", "--benchmarks", benchmark], env={"PATH": os.environ["PATH"]}, capture_output=True, check=True)
            told = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", out], capture_output=True, text=True, check=True).stdout
            # Valgrind cannot always read the symbols of a static program: functions are then named by their addresses.
            theirs = int(re.search(r"^\s*([\d,]+) .*:(core_loop\b|0x%016x)" % address, told, re.MULTILINE).group(1).replace(",", ""))
            sys.stderr.write("%s: %d here, %d by callgrind\n" % (benchmark, ours, theirs))
            self.assertLess(abs(ours - theirs) / theirs, 0.01, benchmark)


if __name__ == "__main__":
    bm.main()
