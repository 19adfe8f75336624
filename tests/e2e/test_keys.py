"""Each input of a key, touched on its own, makes anew exactly what depends on it.

An installed copy of the program, a tiny library with a configure script in a user's folder, two toolchains and two flag sets: four builds."""

import glob
import json
import os
import re
import shutil
import subprocess
import unittest

import bm

LIBRARY = {
    "summary": "a library in small",
    "versions": [{"name": "1.0", "debian": {"package": "tiny", "suite": "bookworm"}}],
    "recipe": {"name": "autotools", "prepare": ["./prepare"], "configure": [], "targets": ["lib/libtiny.a"], "archive": "lib/libtiny.a",
               "config_header": "config.h"},
    "program": {"includes": ["."], "cflags": ["-include", "{build}/config.h"], "libs": []},
    "profiles": [{"name": "crypto", "summary": "all of it"}],
    "flags": [{"name": "table", "summary": "a table", "configure": ["--enable-table"]}],
}


class Keys(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("keys")
        world.cache = os.path.join(world.folder, "cache")
        prefix = os.path.join(world.folder, "prefix")
        subprocess.run(["cmake", "--install", os.path.dirname(os.path.dirname(bm.PROGRAM)), "--prefix", prefix], check=True, capture_output=True)
        world.program = os.path.join(prefix, "bin", "benchmatrix")
        cls.core = os.path.join(prefix, "share", "benchmatrix", "core")
        shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "tiny"))
        shutil.copy(os.path.join(bm.SOURCE, "tests", "fixtures", "core_fake.c"), cls.config("libs/tiny.c"))
        cls.save("libs/tiny.json", LIBRARY)
        with open(os.path.join(bm.SOURCE, "toolchains", "x86_64-gcc.json"), encoding="utf-8") as file:
            cls.toolchain = json.load(file)
        cls.save("toolchains/one.json", cls.toolchain)
        # Names are in no key: without a difference the second would find what the first has built.
        cls.save("toolchains/two.json", {**cls.toolchain, "cflags": ["-DTWO"]})
        world.write("m.json", json.dumps({
            "summary": "for tests", "library": "tiny", "versions": [{"name": "mine", "folder": "tiny"}], "toolchains": ["one", "two"],
            "profiles": ["crypto"], "flags": [[], ["table"]], "agents": ["qemu-user"], "benchmarks": ["sha-256 hash"]}))

    @classmethod
    def config(cls, name):
        path = os.path.join(cls.world.config, "benchmatrix", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    @classmethod
    def save(cls, name, value):
        with open(cls.config(name), "w", encoding="utf-8") as file:
            json.dump(value, file)

    def made(self, programs, libraries):
        status, out, _ = self.world.run("run", "m.json")
        self.assertEqual(status, 0)
        self.assertIn("4 cells: 4 ok", out)
        found = re.search(r"(\d+) programs? built \((\d+) librar\w+ compiled\), (\d+) taken", out)
        self.assertEqual(tuple(map(int, found.groups())), (programs, libraries, 4 - programs))

    def append(self, path, text):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)

    def test_each_input_on_its_own(self):
        self.made(4, 4)
        self.made(0, 0)

        # Part of what a flag puts on the command line: the sets with that flag, on both toolchains.
        changed = json.loads(json.dumps(LIBRARY))
        changed["flags"][0]["cflags"] = ["-DTINY_MORE"]
        self.save("libs/tiny.json", changed)
        self.made(2, 2)
        # What it says about itself makes no code.
        changed["flags"][0]["summary"] = "the same table, better described"
        self.save("libs/tiny.json", changed)
        self.made(0, 0)

        # What the compiler sees of a toolchain: its two builds. How its programs run: none.
        self.save("toolchains/two.json", {**self.toolchain, "cflags": ["-DTWO=2"]})
        self.made(2, 2)
        self.save("toolchains/two.json", {**self.toolchain, "cflags": ["-DTWO=2"], "run": {**self.toolchain["run"], "cpu": "Nehalem"}})
        self.made(0, 0)
        # Another compiler by name.
        self.save("toolchains/two.json", {**self.toolchain, "cflags": ["-DTWO=2"], "cc": "gcc"})
        self.made(2, 2)

        # A source file of the library: all.
        self.append(os.path.join(self.world.folder, "tiny", "tiny.c"), "const int tiny_more = 1;\n")
        self.made(4, 4)

        # A source in the cache that is no longer what was put there is not built: it is fetched again.
        for tree in glob.glob(os.path.join(self.world.cache, "sources", "tiny-*", "tree")):
            self.append(os.path.join(tree, "tiny.c"), "#error damaged\n")
        changed["flags"][0]["cflags"] = ["-DTINY_MORE=2"]
        self.save("libs/tiny.json", changed)
        self.made(2, 2)

        # bench-core, its adapter, the wire's words: all programs, no library.
        self.append(os.path.join(self.core, "measure.c"), "/* another measure.c */\n")
        self.made(4, 0)
        self.append(self.config("libs/tiny.c"), "/* another adapter */\n")
        self.made(4, 0)
        self.append(os.path.join(os.path.dirname(self.core), "schema", "wire.h"), "/* another wire.h */\n")
        self.made(4, 0)
        self.made(0, 0)

    def test_exact_results_follow_the_emulated_processor(self):
        """Runs last by name: the emulated CPU model is in the exact key, so another one is counted anew."""
        self.world.run("run", "m.json")
        _, out, _ = self.world.run("run", "m.json")
        self.assertIn("0 cells measured, 4 carried forward", out)
        with open(self.config("toolchains/one.json"), encoding="utf-8") as file:
            one = json.load(file)
        one["run"]["cpu"] = "Haswell"
        self.save("toolchains/one.json", one)
        _, out, _ = self.world.run("run", "m.json")
        self.assertIn("2 cells measured, 2 carried forward", out)


if __name__ == "__main__":
    bm.main()
