"""The newest wolfSSL with all that it has: every benchmark is right or says why it is not there, and its counts are the same in another run, although
its generator asks the system for random bytes in another way than older ones."""

import json
import unittest

import bm

MATRIX = {
    "summary": "the newest wolfSSL with all that it has",
    "library": "wolfssl",
    "versions": ["5.9.2"],
    "toolchains": ["x86_64-gcc"],
    "profiles": ["all"],
    "optimisations": ["-O2"],
    "agents": ["qemu-user"],
    "blocks": [1024],
    "timing": "once",
}
OUTCOMES = """SELECT o.benchmark, o.state, o.reason FROM outcome AS o JOIN attempt AS a ON a.id = o.attempt_id JOIN cell AS c ON c.id = a.cell_id
              JOIN run AS r ON r.id = c.run_id WHERE r.label = 'first'"""
COUNTS = "SELECT benchmark, metric, value FROM result WHERE run_label = ? AND kind = 'exact' AND NOT carried"
# What no older version has, or what asks the generator.
NEW = {"rng generate", "blake2b hash", "ml-dsa-44 sign", "ml-dsa-87 verify", "slh-dsa-sha2-128f keygen", "slh-dsa-shake-128f verify", "ecdsa-p256 sign"}


class Newest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("newest")
        matrix = cls.world.write("m.json", json.dumps(MATRIX))
        for label in "first", "second":
            status, output, _ = cls.world.run("run", matrix, "--fresh", "--label", label)
            assert status == 0, output

    def test_every_benchmark_is_right_or_says_why_it_is_not_there(self):
        outcomes = {name: (state, reason) for name, state, reason in self.world.ask(OUTCOMES)}
        self.assertEqual({state for state, _ in outcomes.values()}, {"ok", "unavailable"})
        self.assertEqual([name for name, (state, reason) in outcomes.items() if state == "unavailable" and not reason], [])
        self.assertGreater(sum(state == "ok" for state, _ in outcomes.values()), 200)
        self.assertEqual({name for name in NEW if outcomes[name][0] != "ok"}, set())
        self.assertRegex(outcomes["rsa-1024 keygen"][1], "no RSA key below 2048 bits")

    def test_counts_repeat(self):
        first, second = (sorted(self.world.ask(COUNTS, label)) for label in ("first", "second"))
        self.assertGreater(len(first), 800)
        self.assertEqual(first, second)


if __name__ == "__main__":
    bm.main()
