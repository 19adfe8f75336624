"""A library that crashes: wolfSSL 5.5.4 as it comes dies of SIGBUS on big-endian MIPS wherever it reads a big number, since it writes whole
words at odd addresses there. Each benchmark that dies is told with its signal, the others keep their figures, and a build with
WOLFSSL_SP_INT_DIGIT_ALIGN has them all."""

import json
import unittest

import bm

MATRIX = {
    "summary": "wolfSSL on big-endian MIPS, as it comes and mended",
    "library": "wolfssl",
    "versions": ["5.5.4"],
    "toolchains": ["mips-gcc"],
    "profiles": ["crypto"],
    "optimisations": ["-O2"],
    "flags": [[], ["aligned"]],
    "extra_flags": [{"name": "aligned", "summary": "digits at aligned addresses only", "cflags": ["-DWOLFSSL_SP_INT_DIGIT_ALIGN"]}],
    "agents": ["qemu-user"],
    "benchmarks": bm.QUICK,
    "blocks": [16384],
}
# What needs no big numbers, and what does.
WITHOUT = {"null operation", "aes-128-cbc encrypt", "aes-128-cbc decrypt", "aes-128-gcm encrypt", "aes-128-gcm decrypt", "sha-256 hash"}
WITH = {"rsa-2048 public", "rsa-2048 private", "dh-2048 keygen", "dh-2048 agree", "ec-p256 keygen", "ecdh-p256 agree", "ecdsa-p256 sign",
        "ecdsa-p256 verify"}
DEFAULT = "mips-gcc wolfssl-5.5.4 default crypto -O2 on qemu-user count"
ALIGNED = "mips-gcc wolfssl-5.5.4 aligned crypto -O2 on qemu-user count"


class Mips(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("mips")
        cls.world.write("mips.json", json.dumps(MATRIX))
        cls.status, cls.out, cls.err = cls.world.run("run", "mips.json")

    def outcomes(self, cell):
        rows = self.world.ask("SELECT o.benchmark, o.state, o.reason FROM outcome AS o JOIN cell_state AS s ON s.attempt_id = o.attempt_id WHERE s.name = ?", cell)
        return {benchmark: (state, reason) for benchmark, state, reason in rows}

    def test_both_are_built(self):
        builds = self.world.ask("SELECT DISTINCT state, machine FROM build")
        self.assertEqual(builds, [("ok", "EM_MIPS 32-bit big-endian")])

    def test_each_crash_is_told_and_costs_only_itself(self):
        self.assertEqual(self.status, 1)
        state, = self.world.ask("SELECT state, attempt_state, reason FROM cell_state WHERE name = ?", DEFAULT)
        self.assertEqual(state[:2], ("partial", "crashed"))
        self.assertIn("signal 7 (SIGBUS) in rsa-2048 public", state[2])
        outcomes = self.outcomes(DEFAULT)
        self.assertEqual({name for name, (state, _) in outcomes.items() if state == "ok"}, WITHOUT)
        crashed = {name: reason for name, (state, reason) in outcomes.items() if state == "crashed"}
        self.assertEqual(set(crashed), WITH)
        for name, reason in crashed.items():
            self.assertIn("signal 7 (SIGBUS)", reason, name)
        figures = self.world.ask("SELECT benchmark FROM result WHERE config = 'default' AND metric = 'instructions'")
        self.assertEqual({name for name, in figures}, WITHOUT)

    def test_the_cell_shows_its_log(self):
        status, out, _ = self.world.run("show", "cell", DEFAULT)
        self.assertEqual(status, 0)
        for words in ("signal 7 (SIGBUS)", "uncaught target signal 10 (Bus error)", "rsa-2048 private"):
            self.assertIn(words, out)

    def test_the_mended_build_has_them_all(self):
        self.assertEqual(self.world.ask("SELECT state, attempt_state FROM cell_state WHERE name = ?", ALIGNED), [("ok", "ok")])
        self.assertEqual({name: state for name, (state, _) in self.outcomes(ALIGNED).items()}, dict.fromkeys(WITHOUT | WITH, "ok"))

    def test_what_did_not_crash_gives_the_same_answers(self):
        rows = self.world.ask("SELECT benchmark, count(*), count(DISTINCT digest) FROM outcome WHERE state = 'ok' AND digest IS NOT NULL GROUP BY 1")
        for name, times, digests in rows:
            self.assertEqual((times, digests), (2 if name in WITHOUT else 1, 1), name)


if __name__ == "__main__":
    bm.main()
