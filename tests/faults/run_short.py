"""All tests of faults but the long ones, in one world."""

import unittest

import test_kills
import test_places
import test_signals
import test_strangers


def load_tests(loader, _tests, _pattern):
    return unittest.TestSuite(loader.loadTestsFromModule(module) for module in (test_kills, test_signals, test_strangers, test_places))


if __name__ == "__main__":
    unittest.main(verbosity=2)
