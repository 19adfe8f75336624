"""Faults in the bytes of the quick matrix's program for x86-64."""

import os
import unittest

import bm
import planted


class Planted(unittest.TestCase):
    def test_each_fault_is_told_by_what_rests_on_it(self):
        world = bm.World("planted")
        world.db = os.path.join(bm.WORK, "quick", "benchmatrix.db")
        planted.check(self, planted.Program(planted.program_of(world, "x86_64-gcc"), [], "<", world.folder))


if __name__ == "__main__":
    bm.main()
