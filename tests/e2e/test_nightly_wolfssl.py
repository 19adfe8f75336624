"""The same on real wolfSSL: a slowdown in the third of five commits of a repository alarms once and names the commit; a compiler that
changes behind the last one is told, and the library is not blamed. Made small by what is configured away."""

import glob
import json
import os
import re
import shutil
import unittest

import bm
from nightly import FIGURES, Nights
from test_nightly import COMPILER

SMALL = {"name": "small", "summary": "what this test does not look at is left out",
         "configure": ["--disable-ecc", "--disable-dh", "--disable-sha3", "--disable-poly1305", "--disable-chacha"]}
# At each compression of a block in C; a declaration, so that it may stand among others.
PLACE = re.compile(r"(    static int )(Transform_Sha256\(wc_Sha256\* sha256, const byte\* data\)\n\s*\{\n\s*word32 S\[8\], t0, t1;\n)")
SLOW = "    static int nightly_slow(void) { volatile int i; for (i = 0; i < 20; i++) {} return i; }\n"
CALL = "        int slow __attribute__((unused)) = nightly_slow();\n"


class NightlyWolfssl(Nights):
    MATRIX = {"library": "wolfssl", "toolchains": ["mine"], "agents": ["qemu-user"], "benchmarks": ["sha-256 hash", "sha-512 hash"],
              "extra_flags": [SMALL], "flags": [["small"]], "blocks": [1024]}

    def setUp(self):
        self.world = world = bm.World("nightly-wolfssl")
        world.cache = os.path.join(world.folder, "cache")
        self.matrix = "mine"
        # As it came, without what autogen.sh has made of it.
        trees = sorted(glob.glob(os.path.join(os.environ.get("BM_SOURCES", os.path.join(bm.CACHE, "sources")), "wolfssl-5.5.4-*", "tree")))
        self.assertTrue(trees, "the quick matrix has fetched it")
        self.repository = shutil.copytree(trees[0], os.path.join(world.folder, "repository"), symlinks=True,
                                          ignore=shutil.ignore_patterns("autom4te.cache", "configure", "aclocal.m4", "Makefile.in"))
        self.compiler("1.0", "")
        with open(os.path.join(bm.SOURCE, "toolchains", "x86_64-gcc.json"), encoding="utf-8") as file:
            toolchain = json.load(file)
        world.write("config/benchmatrix/toolchains/mine.json", json.dumps({**toolchain, "cc": os.path.join(world.folder, "cc"), "packages": []}))
        self.write_matrix()

    def compiler(self, version, flags):
        os.chmod(self.world.write("cc", COMPILER.format(version=version, flags=flags)), 0o755)

    def slow_down(self):
        path = os.path.join(self.repository, "wolfcrypt", "src", "sha256.c")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text, n = PLACE.subn(lambda match: SLOW + match.group(1) + match.group(2) + CALL, text)
        # Two that one macro chooses from.
        self.assertEqual(n, 2)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_five_commits_and_a_compiler(self):
        self.init()
        _, report = self.night()
        self.assertEqual((report["compared"], report["failures"]), (0, []))
        second = self.commit("words")
        self.assert_quiet(*self.night())
        self.slow_down()
        third = self.commit("sha256: slower")
        out, report = self.night(status=1)
        change = self.assert_change(out, report, "regression", second, third, "Regression")
        self.assertEqual([line.split(" ", 1)[1] for line in change["log"]], ["sha256: slower"])
        self.assertEqual([series["benchmark"] for series in change["series"] if series["metric"] == "instructions"], ["sha-256 hash"])
        nights = [value for value, in self.world.ask(FIGURES, "sha-256 hash", "main")]
        hashes = [series for series in change["series"] if series["metric"] == "instructions"][0]
        self.assertAlmostEqual(hashes["percent_library"], (nights[2] / nights[1] - 1) * 100, places=6)
        self.commit("more words")
        self.assert_quiet(*self.night())
        fifth = self.commit("and more")
        self.assert_quiet(*self.night())

        self.compiler("2.0", "-O1")
        out, report = self.night()
        self.assertEqual(set(self.kinds(report)), {"instrument"})
        self.assertIn("the compiler changed from Nightly C 1.0 to Nightly C 2.0", out)
        self.assertNotIn("Regression", out)
        self.assert_quiet(*self.night())
        # The same in a night with a commit.
        self.compiler("3.0", "-O2")
        sixth = self.commit("words again")
        out, report = self.night()
        self.assertEqual({(change["kind"], change["from"], change["to"]) for change in self.counted(report)}, {("instrument", fifth, sixth)})
        self.assertEqual(len([alarm for alarm in self.alarms() if alarm[0] == "regression"]), 1)


if __name__ == "__main__":
    bm.main()
