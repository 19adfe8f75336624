"""What a user adds, each by one file or one row in the configuration folder, and with no change to the program: a toolchain, a flag, a
compiler of a vendor. Each is planned, built and run."""

import json
import os
import shutil
import unittest

import bm

LIBRARY = {
    "summary": "a library in small",
    "versions": [{"name": "1.0", "folder": "../tiny"}],
    "recipe": {"name": "autotools", "prepare": ["./prepare"], "configure": [], "targets": ["lib/libtiny.a"], "archive": "lib/libtiny.a",
               "config_header": "config.h"},
    "program": {"includes": ["."], "cflags": ["-include", "{build}/config.h"], "libs": []},
    "profiles": [{"name": "crypto", "summary": "all of it"}],
    "math": [{"symbol": "tiny_table", "name": "table"}],
    "flags": [],
}
MATRIX = {"library": "tiny", "toolchains": ["x86_64-gcc"], "agents": ["qemu-user"], "benchmarks": ["sha-256 hash"]}
TABLE = {"name": "table", "summary": "a table", "configure": ["--enable-table"]}

# Knows what a compiler must, and nothing that only GCC and Clang of today have. Tells what it is called for.
VENDOR = """#!/bin/sh
echo "$*" >> {log}
for word; do
	case $word in
	--version) echo 'Vendor C 7.1 (build 4711)'; exit ;;
	-print-* | -ffile-prefix-map=*) echo "vendor-cc: unknown option $word" >&2; exit 1 ;;
	esac
done
exec gcc "$@"
"""


class Own(unittest.TestCase):
    def setUp(self):
        self.world = world = bm.World("own-" + self.id().rsplit("_", 1)[1])
        world.cache = os.path.join(world.folder, "cache")
        shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.config, "benchmatrix", "tiny"))
        self.put("libs/tiny.json", LIBRARY)
        shutil.copy(os.path.join(bm.SOURCE, "tests", "fixtures", "core_fake.c"), os.path.join(world.config, "benchmatrix", "libs", "tiny.c"))

    def put(self, name, content):
        return self.world.write("config/benchmatrix/" + name, json.dumps(content))

    def toolchain(self, name, **changes):
        """A file of the user's, out of the bundled one for this machine's GCC."""
        with open(os.path.join(bm.SOURCE, "toolchains", "x86_64-gcc.json"), encoding="utf-8") as file:
            self.put("toolchains/%s.json" % name, {**json.load(file), **changes})

    def plan(self, **changes):
        self.put("matrices/mine.json", {**MATRIX, **changes})
        status, out, err = self.world.run("plan", "mine")
        self.assertEqual(status, 0, err)
        return out

    def measure(self):
        """The builds of the run, as the database has them; each has a figure."""
        status, out, _ = self.world.run("run", "mine")
        self.assertEqual(status, 0, out)
        figures = dict(self.world.ask("SELECT toolchain || ' ' || config, count(*) FROM result WHERE metric = 'instructions' AND benchmark = 'sha-256 hash' GROUP BY 1"))
        builds = {(row[0], row[1]): row[2:] for row in self.world.ask(
            "SELECT toolchain, config, compiler, configure_line, math FROM build_wide WHERE state = 'ok'")}
        self.assertEqual(set(figures), {"%s %s" % build for build in builds})
        return builds

    def test_a_toolchain(self):
        self.toolchain("mine", summary="GCC as we tune it", cflags=["-march=x86-64-v2"])
        self.assertIn("\n  mine tiny-1.0 default crypto library on qemu-user count\n", self.plan(toolchains=["mine", "x86_64-gcc"]))
        builds = self.measure()
        self.assertIn("CFLAGS=-march=x86-64-v2 ", builds["mine", "default"][1] + " ")
        self.assertNotIn("march", builds["x86_64-gcc", "default"][1])
        self.assertRegex(self.world.run("list", "toolchains")[1], r"(?m)^mine +.*GCC as we tune it")

    def test_a_row_of_the_library(self):
        self.put("libs/tiny.json", {**LIBRARY, "flags": [TABLE]})
        self.assertIn("\n  x86_64-gcc tiny-1.0 table crypto library on qemu-user count\n", self.plan(flags=[[], ["table"]]))
        builds = self.measure()
        self.assertIn(" --enable-table ", builds["x86_64-gcc", "table"][1])
        self.assertEqual((builds["x86_64-gcc", "default"][2], builds["x86_64-gcc", "table"][2]), (None, "table"))

    def test_a_row_of_the_matrix(self):
        added = {"name": "DTABLE", "summary": "the same by hand", "cflags": ["-DTINY_TABLE"]}
        self.plan(extra_flags=[added], flags=[[], ["DTABLE"]])
        builds = self.measure()
        self.assertIn("CFLAGS=-DTINY_TABLE ", builds["x86_64-gcc", "DTABLE"][1])
        self.assertEqual(builds["x86_64-gcc", "DTABLE"][2], "table")

    def test_a_bundled_library_with_one_row_more(self):
        """The user's copy of the file comes first; its adapter is the bundled one."""
        with open(os.path.join(bm.SOURCE, "bench-core", "libs", "wolfssl.json"), encoding="utf-8") as file:
            library = json.load(file)
        library["flags"].append({"name": "ecc-min", "summary": "a row of ours", "cflags": ["-DECC_MIN_KEY_SZ=224"], "needs": ["sp"]})
        self.put("libs/wolfssl.json", library)
        out = self.plan(library="wolfssl", versions=["5.5.4"], flags=[["sp", "ecc-min"], ["ecc-min"]])
        self.assertIn("\n  x86_64-gcc wolfssl-5.5.4 ecc-min+sp crypto library on qemu-user count\n", out)
        self.assertIn("{ecc-min}: ecc-min needs sp\n", out)
        self.assertIn("ecc-min", self.world.run("list", "flags")[1])

    def test_a_compiler_of_a_vendor(self):
        """It stands outside the PATH, is named by its path, and is no GCC."""
        log = os.path.join(self.world.folder, "log")
        compiler = self.world.write("opt/vendor/bin/vcc", VENDOR.format(log=log))
        archiver = self.world.write("opt/vendor/bin/var", '#!/bin/sh\necho "ar $*" >> %s\nexec ar "$@"\n' % log)
        for tool in (compiler, archiver):
            os.chmod(tool, 0o755)
        self.toolchain("vendor", cc=compiler, ar=archiver, cflags=["-DVENDOR"], packages=[])
        self.assertIn("\n  vendor tiny-1.0 default crypto library on qemu-user count\n", self.plan(toolchains=["vendor"]))
        builds = self.measure()
        self.assertEqual(builds["vendor", "default"][0], "Vendor C 7.1 (build 4711)")
        self.assertIn("CC=%s AR=%s " % (compiler, archiver), builds["vendor", "default"][1])
        with open(log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual([line for line in lines if line.endswith("-c -o lib/tiny.o tiny.c")], ["-I. -DHAVE_CONFIG_H -DVENDOR -c -o lib/tiny.o tiny.c"])
        self.assertEqual([line for line in lines if line.startswith("ar ")], ["ar cr lib/libtiny.a lib/tiny.o"])
        # Another build of the vendor's compiler is another compiler.
        self.world.write("opt/vendor/bin/vcc", VENDOR.replace("4711", "4712").format(log=log))
        self.assertIn("1 program built (1 library compiled)", self.world.run("run", "mine")[1])

    def test_a_compiler_that_is_not_there(self):
        self.toolchain("vendor", cc="/opt/vendor/bin/none", packages=[])
        self.plan(toolchains=["vendor"])
        status, out, _ = self.world.run("run", "mine")
        self.assertEqual(status, 3)
        self.assertIn("/opt/vendor/bin/none is not installed (toolchain vendor)", out)


if __name__ == "__main__":
    bm.main()
