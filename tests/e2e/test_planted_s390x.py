"""Faults in the bytes of a program for s390x, whose words begin with their highest byte."""

import json
import unittest

import bm
import planted

MATRIX = {"summary": "for tests", "library": "wolfssl", "versions": ["5.5.4"], "toolchains": ["s390x-gcc"], "profiles": ["crypto"],
          "optimisations": ["-O2"], "flags": [[]], "agents": ["qemu-user"], "benchmarks": ["null operation"]}


class Planted(unittest.TestCase):
    def test_each_fault_is_told_by_what_rests_on_it(self):
        world = bm.World("planted_s390x")
        status, _, _ = world.run("run", world.write("m.json", json.dumps(MATRIX)))
        self.assertEqual(status, 0)
        planted.check(self, planted.Program(planted.program_of(world, "s390x-gcc"), ["qemu-s390x", "-cpu", "max"], ">", world.folder))


if __name__ == "__main__":
    bm.main()
