"""Faults planted into the bytes of a built program: one bit of a table, of a constant, of a curve. Each must be told by exactly the benchmarks that
rest on it, and change no answer of the others."""

import json
import os
import struct
import subprocess

import bm

WHAT = "aes-*,sha-*,hmac-sha-*,ec-p*,ecdh-p*,ecdsa-p*"
TE0 = 0xC66363A5  # first entry of AES's table of encryption
K512 = 0x428A2F98D728AE22  # first constant of SHA-512
P384_X = b"AA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7"
BULK_ONLY = ["aes-128-cbc encrypt", "aes-128-gcm decrypt", "aes-128-gcm encrypt"]


class Program:
    def __init__(self, path, emulator, order, folder):
        with open(path, "rb") as file:
            self.good = file.read()
        self.emulator, self.order, self.path = emulator, order, os.path.join(folder, "patched")
        self.answers = self.run(self.good)

    def run(self, image, benchmarks=WHAT):
        """{benchmark: (state, digest, reason)}; a wrong answer has no figures."""
        with open(self.path, "wb") as file:
            file.write(image)
        os.chmod(self.path, 0o755)
        done = subprocess.run([*self.emulator, self.path, "--count", "--block", "1024", "--benchmarks", benchmarks], capture_output=True, text=True, check=True)
        records = [json.loads(line) for line in done.stdout.splitlines()]
        answers = {r["name"]: (r["state"], r.get("digest"), r.get("reason")) for r in records if r["r"] == "benchmark"}
        measured = {r["name"] for r in records if r["r"] == "region"}
        assert measured == {name for name, (state, *_) in answers.items() if state == "ok"}
        return answers

    def flipped(self, start, at, bit, times=1):
        """With one bit changed, `at` bytes behind these, wherever they are."""
        image, where = bytearray(self.good), self.good.find(start)
        assert self.good.count(start) == times
        while where >= 0:
            image[where + at] ^= 1 << bit
            where = self.good.find(start, where + 1)
        return bytes(image)

    def table_entry(self, entry):
        """The top bit of an entry of the table: no part of the key schedule."""
        return self.flipped(struct.pack(self.order + "I", TE0), 4 * entry + (0 if self.order == ">" else 3), 7)

    def entry_that_vectors_do_not_reach(self):
        for entry in range(256):
            answers = self.run(self.table_entry(entry), ",".join(BULK_ONLY))
            if all(state == "wrong-answer" and "timed output" in reason for state, _, reason in answers.values()):
                return entry
        raise AssertionError("every entry is reached by a published vector")


def check(test, program):
    """All four, in turn."""
    available = {name for name, (state, *_) in program.answers.items() if state == "ok"}
    test.assertRegex(program.answers["ec-p192 keygen"][2], "no curve below 224 bits")
    test.assertFalse([answer for answer in program.answers.values() if answer[0] == "wrong-answer"])
    encrypting = {name for name in available if name.startswith("aes-") and not name.endswith(("cbc decrypt", "ecb decrypt"))}
    long_hashes = {name for name in available if any(part in name for part in ("sha-384", "sha-512"))}
    curve = {"ec-p384 keygen", "ecdsa-p384 sign", "ecdsa-p384 verify"}  # agreement of given keys has no use for the base point
    # The benchmarks that must tell it, and those that may: GMAC encrypts two blocks alone, and other sizes and modes may rest on an entry as well.
    faults = {
        "the table of AES": (program.table_entry(0), {name for name in encrypting if "gmac" not in name}, encrypting),
        "the table of AES on the bulk path alone": (program.table_entry(program.entry_that_vectors_do_not_reach()), set(BULK_ONLY), encrypting),
        # The other one is of our own hash, which checks nothing but a generator of wolfSSL 5.9.
        "a constant of SHA-512": (program.flipped(struct.pack(program.order + "Q", K512), 8, 0, times=2), long_hashes, long_hashes),
        "the base point of P-384": (program.flipped(P384_X, 5, 0), curve, curve),
    }
    for fault, (image, least, most) in faults.items():
        with test.subTest(fault):
            answers = program.run(image)
            wrong = {name for name, (state, *_) in answers.items() if state == "wrong-answer"}
            test.assertEqual(least - wrong, set())
            test.assertEqual(wrong - most, set())
            test.assertEqual({name: answers[name] for name in answers if name not in wrong},
                             {name: program.answers[name] for name in answers if name not in wrong})


def program_of(world, toolchain):
    (key,), *_ = world.ask("SELECT key_program FROM build_wide WHERE toolchain = ? AND config = 'default' AND state = 'ok'", toolchain)
    return os.path.join(bm.CACHE, "programs", key, "bench-core")
