"""Every command's help and listings, to the letter; the plan of the bundled matrices by rules worked out by hand.

The letters stand in tests/golden/commands. Where one differs, what came is written beside it as .got."""

import itertools
import json
import os
import re
import shlex
import unittest

import bm

GOLDEN = os.path.join(bm.SOURCE, "tests", "golden", "commands")
COMMANDS = ["doctor", "list", "plan", "run", "show", "compare", "compare-trees", "duel", "check", "nightly", "query", "report", "history", "import", "alias", "export", "publish", "baseline", "merge", "cache", "db", "help"]
FLAGS = ["fastmath", "fasthugemath", "sp", "armasm", "TFM_NO_ASM"]


def valid(flags, arch):
    """The rules of the five flags, from wolfSSL's own configure script."""
    if "fasthugemath" in flags and "fastmath" not in flags:
        return False
    if "TFM_NO_ASM" in flags and "fastmath" not in flags:
        return False
    return not ("armasm" in flags and arch == "x86_64")


def name(flags):
    return "+".join(sorted(flags, key=lambda flag: (flag.lower(), flag))) or "default"


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("commands")

    def golden(self, case, text):
        path = os.path.join(GOLDEN, case + ".txt")
        text = text.replace(os.path.dirname(os.path.dirname(bm.PROGRAM)), "PREFIX").replace(self.world.folder, "HOME")
        expected = open(path, encoding="utf-8").read() if os.path.exists(path) else None
        if text != expected:
            with open(path + ".got", "w", encoding="utf-8") as file:
                file.write(text)
        self.assertEqual(text, expected, "see diff -u %s %s.got" % (path, path))

    def test_help_of_every_command(self):
        status, out, _ = self.world.run("--help")
        self.assertEqual(status, 0)
        self.golden("help", out)
        for command in COMMANDS:
            self.assertIn("\n  " + command, out)
            status, told, err = self.world.run(command, "--help")
            self.assertEqual((status, err), (0, ""))
            self.golden("help-" + command, told)
            self.assertEqual(self.world.run("help", command)[1], told)

    def test_manual_page_is_good_roff_and_names_every_option(self):
        status, page, _ = self.world.run("help", "--man")
        self.assertEqual(status, 0)
        path = self.world.write("benchmatrix.1", page)
        lint = bm.subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True)
        self.assertEqual(lint.returncode, 0, lint.stdout)
        for command in COMMANDS:
            for option in re.findall(r"^  (--[a-z-]+)", self.world.run(command, "--help")[1], re.MULTILINE):
                self.assertIn(option.replace("-", "\\-"), page)

    def test_listings(self):
        for kind in ["toolchains", "libraries", "flags", "profiles", "agent-kinds", "formats", "importers", "metrics", "benchmarks", "labels", "matrices"]:
            status, out, _ = self.world.run("list", kind, "--format", "csv")
            self.assertEqual(status, 0)
            self.golden("list-" + kind, out)

    def test_plan_flags_has_every_valid_set_once_and_a_reason_for_each_other(self):
        status, out, _ = self.world.run("plan", "flags")
        self.assertEqual(status, 0)
        builds, left_out = out.split("\nBuilds\n")[1].split("\nCells\n")[0], out.split("\nLeft out\n")[1]
        for toolchain, arch, expected in [("x86_64-gcc", "x86_64", 10), ("aarch64-gcc", "aarch64", 20), ("armhf-gcc", "arm", 20)]:
            every = [set(c) for n in range(6) for c in itertools.combinations(FLAGS, n)]
            good = sorted(name(flags) for flags in every if valid(flags, arch))
            self.assertEqual(len(good), expected)
            self.assertEqual(sorted(re.findall(r"^  %s wolfssl-5\.5\.4 (\S+) crypto -O2$" % toolchain, builds, re.MULTILINE)), good)
            reasons = re.findall(r"^  %s wolfssl-5\.5\.4 \{([^}]*)\}: (.+)$" % toolchain, left_out, re.MULTILINE)
            self.assertEqual(len(reasons), 32 - expected)
            self.assertEqual(sorted(name(set(re.split("[ ,+]+", flags))) for flags, _ in reasons),
                             sorted(name(flags) for flags in every if not valid(flags, arch)))

    def test_plan_of_the_bundled_matrices(self):
        for matrix in ["quick", "flags"]:
            status, out, _ = self.world.run("plan", matrix)
            self.assertEqual(status, 0)
            self.golden("plan-" + matrix, out)

    def test_examples_of_the_readme_work(self):
        readme = open(os.path.join(bm.SOURCE, "README.md"), encoding="utf-8").read()
        examples = re.findall(r"^benchmatrix (.+)$", "\n".join(re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)), re.MULTILINE)
        self.assertGreater(len(examples), 5)
        for example in examples:
            status, _, _ = self.world.run("--db", os.path.join(bm.WORK, "quick", "benchmatrix.db"), *shlex.split(example))
            # Few machines have the compilers of all toolchains.
            self.assertIn(status, [0, 1] if example == "doctor" else [0], example)
        matrix = json.loads(re.search(r"```json\n(.*?)```", readme, re.DOTALL).group(1))
        os.makedirs(os.path.join(self.world.folder, "wolfssl"), exist_ok=True)
        path = self.world.write("matrices/mine.json", json.dumps(matrix))
        self.assertEqual(self.world.run("plan", path)[0], 0)

    def test_wrong_usage_says_what_is_right(self):
        for arguments, words in [
            ([], "usage:"),
            (["compre", "a", "b"], 'did you mean "compare"'),
            (["compare", "config=sp"], "usage: benchmatrix compare BEFORE AFTER"),
            (["list", "toolchain"], 'did you mean "toolchains"'),
            (["plan", "quick", "--frsh"], "--frsh"),
            (["query", "confg=sp"], 'did you mean "config"'),
            (["show", "biuld"], 'did you mean "build"'),
            (["run", "quick", "--only", "config=nothing"], "takes no cell"),
            (["run", "quick", "--jobs", "-1"], "at least 1"),
        ]:
            if arguments[:1] == ["query"]:
                self.world.run("run", "quick", "--only", "toolchain=x86_64-gcc,config=default")
            status, out, err = self.world.run(*arguments)
            self.assertEqual(status, 2, arguments)
            self.assertIn(words, out + err)

    def test_full_standard_output_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = bm.subprocess.run([bm.PROGRAM, "help"], stdout=full, stderr=bm.subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write to standard output", done.stderr)


if __name__ == "__main__":
    bm.main()
