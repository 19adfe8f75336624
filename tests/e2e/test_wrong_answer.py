"""One bit flipped in a table of the library, in an entry that the published vectors do not reach: the bulk path gives wrong answers, and these
are told instead of figures."""

import json
import os
import re
import shutil
import struct
import subprocess
import unittest

import bm

AFFECTED = ["aes-128-cbc encrypt", "aes-128-gcm decrypt", "aes-128-gcm encrypt"]  # all that encrypt a block; decryption has tables of its own
TABLE, ENTRIES, BIT = "Te", 256, 31  # of Te[0]; its top byte is no part of the key schedule


def program():
    world = bm.World.__new__(bm.World)
    world.db = os.path.join(bm.WORK, "quick", "benchmatrix.db")
    (key,), *_ = world.ask("SELECT key_program FROM build_wide WHERE toolchain = 'x86_64-gcc' AND config = 'default' AND state = 'ok'")
    return os.path.join(bm.CACHE, "programs", key, "bench-core")


def offset_of(path, symbol):
    """Where a symbol of .rodata lies in the file."""
    symbols = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    address = int(re.search(r"^([0-9a-f]+) r %s$" % symbol, symbols, re.MULTILINE).group(1), 16)
    sections = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    base, offset = (int(x, 16) for x in re.search(r" \.rodata +PROGBITS +(\w+) (\w+)", sections).groups())
    return address - base + offset


def entry_that_vectors_do_not_reach(folder):
    """The first entry whose flipped bit shows only in the digest of the timed output."""
    with open(program(), "rb") as file:
        good = bytearray(file.read())
    at = offset_of(program(), TABLE)
    path = os.path.join(folder, "flipped")
    for entry in range(ENTRIES):
        bad = bytearray(good)
        struct.pack_into("<I", bad, at + 4 * entry, struct.unpack_from("<I", good, at + 4 * entry)[0] ^ 1 << BIT)
        with open(path, "wb") as file:
            file.write(bad)
        os.chmod(path, 0o755)
        out = subprocess.run([path, "--count", "--benchmarks", ",".join(AFFECTED)], capture_output=True, text=True, check=True).stdout
        reasons = [record["reason"] for record in map(json.loads, out.splitlines()) if record.get("state") == "wrong-answer"]
        if len(reasons) == len(AFFECTED) and all("timed output" in reason for reason in reasons):
            return entry, struct.unpack_from("<I", good, at + 4 * entry)[0]
    raise AssertionError("every entry is reached by a published vector")


def flip_in_source(source, entry, value):
    """Entry `entry` of the first row of Te in aes.c."""
    path = os.path.join(source, "wolfcrypt", "src", "aes.c")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    start = re.search(r"\bTe\[4\]\[256\] = \{", text).end()
    words = list(re.finditer(r"0x([0-9a-f]{8})U", text[start:]))
    assert int(words[entry].group(1), 16) == value
    a, b = (start + x for x in words[entry].span(1))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:a] + "%08x" % (value ^ 1 << BIT) + text[b:])


class WrongAnswer(unittest.TestCase):
    def test_a_flipped_bit_on_the_bulk_path_gives_no_figure(self):
        world = bm.World("wrong_answer")
        entry, value = entry_that_vectors_do_not_reach(world.folder)
        sources = os.path.join(bm.CACHE, "sources")
        kept, = (os.path.join(sources, name) for name in os.listdir(sources) if name.startswith("wolfssl-5.5.4"))
        source = os.path.join(world.folder, "wolfssl")
        shutil.copytree(os.path.join(kept, "tree"), source, symlinks=True)
        flip_in_source(source, entry, value)
        matrix = world.write("m.json", json.dumps({
            "summary": "for tests", "library": "wolfssl", "versions": [{"name": "flipped", "folder": "wolfssl"}], "toolchains": ["x86_64-gcc"],
            "profiles": ["crypto"], "optimisations": ["-O2"], "flags": [[]], "agents": ["local", "qemu-user"], "benchmarks": bm.QUICK, "invocations": 2}))

        status, out, _ = world.run("run", matrix)

        self.assertEqual(status, 1)
        self.assertIn("2 cells: 0 ok, 2 partial, 0 failed", out)
        for benchmark in AFFECTED:
            self.assertIn(benchmark, out)
        rows = world.ask("SELECT benchmark, state, reason, count(*) FROM outcome WHERE state <> 'ok' GROUP BY 1, 2 ORDER BY 1")
        for name, _, reason, _ in rows:
            self.assertIn("timed", reason, name)
        self.assertEqual([(name, state, n) for name, state, _, n in rows], [(name, "wrong-answer", 2) for name in AFFECTED])
        self.assertEqual(world.ask("SELECT DISTINCT benchmark FROM result WHERE benchmark IN (?, ?, ?)", *AFFECTED), [])
        self.assertEqual(world.ask("SELECT count(DISTINCT benchmark) FROM result WHERE instrument = 'bench-core'"), [(14 - len(AFFECTED),)])
        self.assertEqual(world.run("db", "check")[0], 0)


if __name__ == "__main__":
    bm.main()
