"""compare-trees tells what a patch did, and nothing that it did not do.

A tiny library that a hash goes through and a private operation does not; patches of it that slow it down, that only move lines, that break it."""

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
ADAPTER = """
#include "adapter.h"
#include "sha256.h"
#include "tiny.h"
#include <string.h>

static bool start(struct core_why *why) { (void)why; return true; }
static int setup(const struct core_work *work) { (void)work; return 0; }
static void done(void) { }
static const char *version(void) { return "1.0"; }
static const char *math(void) { return "none"; }
static const char *error_text(int error) { (void)error; return NULL; }

static int hash(struct core_work *work)
{
	struct sha256 s;

	sha256_init(&s);
	sha256_update(&s, work->in, work->in_size);
	sha256_final(&s, work->out);
	work->out_size = SHA256_SIZE;
	return tiny_answer(6) == 42 ? 0 : 1;
}

static int private_operation(struct core_work *work)
{
	memcpy(work->out, "Everyone gets Friday off.", 25);
	work->out_size = 25;
	return 0;
}

static const struct core_operation operations[] = {
	CORE_PROVIDES(SHA_256_HASH, DIGEST, setup, hash, NULL, done),
	CORE_PROVIDES(RSA_2048_PRIVATE, DIGEST, setup, private_operation, NULL, done),
};
const struct core_adapter core_adapter = {
	"tiny", start, version, math, error_text, 0, operations, sizeof(operations) / sizeof(operations[0])};
"""
LOOP = "\tfor (volatile int i = 0; i < 3000; i++)\n\t\t;\n\treturn question * 7;"
MEDIANS = """SELECT w.version, m.median FROM measurement AS m JOIN series_wide AS w ON w.series_id = m.series_id
             WHERE w.metric = 'instructions' AND w.benchmark = ? ORDER BY m.id"""


class Trees(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("trees")
        world.cache = os.path.join(world.folder, "cache")
        cls.before = shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "one"))
        world.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        world.write("config/benchmatrix/libs/tiny.c", ADAPTER)

    def setUp(self):
        self.world.db = os.path.join(self.world.folder, self.id().split(".")[-1] + ".db")

    def patched(self, name, before, after):
        folder = os.path.join(self.world.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.before, folder)
        self.patch(folder, before, after)
        return folder

    def patch(self, folder, before, after):
        path = os.path.join(folder, "tiny.c")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(before, text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(before, after))

    def compare(self, *arguments):
        return self.world.run("compare-trees", "--library", "tiny", *arguments)

    def test_a_patch_is_named_and_nothing_else(self):
        self.patched("two", "\treturn question * 7;", LOOP)
        status, out, _ = self.compare("one", "two")
        self.assertEqual(status, 0, out)
        medians = dict(self.world.ask(MEDIANS, "sha-256 hash"))
        percent = (medians["after"] / medians["before"] - 1) * 100
        self.assertGreater(percent, 1)
        line = out.split("\n")[0]
        self.assertEqual(line, "sha-256 hash: %.1f %% more instructions; nothing else changed (2 benchmarks)" % percent)
        self.assertNotIn("rsa-2048 private", out)
        # Once by count and once by time, and how to see the rest.
        self.assertEqual(len(re.findall(r"(?m)^sha-256 hash  ", out)), 2)
        self.assertRegex(out, r"(?m)^time: version=before against version=after$")
        shown = re.search(r"(?m)^all rows: benchmatrix (compare .*)$", out).group(1)
        status, rest, _ = self.world.run(*shown.split())
        self.assertEqual(status, 0)
        self.assertIn("rsa-2048 private", rest)
        self.assertEqual(self.world.ask("SELECT matrix, label, status FROM run"), [("compare-trees", "one against two", 0)])
        self.assertEqual(self.world.ask("SELECT mode, count(*) FROM cell WHERE instrument = 'bench-core' GROUP BY mode ORDER BY mode"), [("count", 2), ("time", 2)])

        # The other way round it is a gain.
        _, out, _ = self.compare("two", "one", "--no-time")
        self.assertRegex(out, r"^sha-256 hash: [0-9.]+ % fewer instructions; nothing else changed \(2 benchmarks\)\n")
        self.assertIn("0 programs built", out)
        self.assertNotIn("\ntime:", out)

    def test_sizes_are_kept_with_each_build(self):
        self.patched("larger", "\treturn question * 7;", LOOP)
        for _ in range(2):
            status, out, _ = self.compare("one", "larger", "--no-time")
            self.assertEqual(status, 0, out)
            # They are no cells of the plan.
            self.assertIn(" of compare-trees: 2 cells: 2 ok,", out)
        rows = self.world.ask("SELECT run, version, benchmark, metric, value, per, source, environment, kind FROM result WHERE instrument = 'build'")
        self.assertEqual(len(rows), 2 * 2 * 2 * 4)
        self.assertEqual({row[5:] for row in rows}, {("build", "own", "hardware", "exact")})
        sizes = {row[1:4]: row[4] for row in rows}
        for version, library, program in self.world.ask("SELECT DISTINCT version, key_library, key_program FROM build_wide"):
            for what, path in [("program size", os.path.join("programs", program, "bench-core")),
                               ("library size", os.path.join("libraries", library, "tree", "lib", "libtiny.a"))]:
                # size(1) counts constants and notes as text; the last line is the sum of an archive.
                listing = subprocess.run(["size", "-A", os.path.join(self.world.cache, path)], check=True, capture_output=True, text=True).stdout
                summed = subprocess.run(["size", "-B", "-t", os.path.join(self.world.cache, path)], check=True, capture_output=True, text=True).stdout
                text, data, bss = map(int, summed.splitlines()[-1].split()[:3])
                notes = sum(map(int, re.findall(r"(?m)^\.note\.\S+ +(\d+) ", listing.replace(".note.GNU-stack", ".x"))))
                found = [int(sizes[version, what, metric]) for metric in ("text", "rodata", "data", "bss")]
                self.assertEqual([found[0] + found[1] + notes, found[2], found[3]], [text, data, bss], (version, what))
        self.assertGreater(sizes["after", "library size", "text"], sizes["before", "library size", "text"])
        _, out, _ = self.world.run("compare", "version=before", "version=after", "--metric", "text")
        grown = "{:,} B +{:,} B".format(int(sizes["before", "library size", "text"]), int(sizes["after", "library size", "text"]))
        self.assertRegex(out, r"(?m)^library size +%s .*worse" % grown)
        status, out, _ = self.world.run("show", "build", "*-after *", "--objects")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"(?m)^tiny\.o +%s B " % "{:,}".format(int(sizes["after", "library size", "text"])))
        # Without the archive the table cannot be made, and it is said.
        shutil.rmtree(os.path.join(self.world.cache, "libraries"))
        status, _, err = self.world.run("show", "build", "*-after *", "--objects")
        self.assertEqual(status, 3)
        self.assertIn("run the build again", err)
        self.assertEqual(self.world.run("db", "check")[0], 0)

    def test_what_only_moves_lines_changes_nothing(self):
        self.patched("moved", "#include \"tiny.h\"\n", "/* a comment */\n\n#include \"tiny.h\"\n")
        status, out, _ = self.compare("one", "moved", "--no-time")
        self.assertEqual(status, 0, out)
        self.assertTrue(out.startswith("nothing changed: 2 benchmarks equal to the instruction\n"), out)
        self.assertNotIn("verdict", out)

    def test_several_sets_of_flags_are_told_apart(self):
        self.patched("table", "{1, 2, 3};\n#endif", "{1, 2, 3};\n#define SLOW 1\n#endif")
        self.patch(os.path.join(self.world.folder, "table"), "\treturn question * 7;", "#ifdef SLOW\n%s\n#else\n\treturn question * 7;\n#endif" % LOOP)
        status, out, _ = self.compare("one", "table", "--no-time", "--config", "default,table")
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"^table sha-256 hash: [0-9.]+ % more instructions; nothing else changed \(4 benchmarks\)\n")

    def test_commits_of_a_repository(self):
        folder = self.patched("repository", "question * 7", "question * 7 * 1")

        def git(*arguments):
            return subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], check=True,
                                  capture_output=True, text=True).stdout.strip()

        git("init", "-q", "-b", "main")
        git("add", "-A")
        git("commit", "-qm", "one")
        self.patch(folder, "\treturn question * 7 * 1;", LOOP)
        git("commit", "-qam", "slower")
        one, two = git("rev-parse", "HEAD~1"), git("rev-parse", "HEAD")
        status, out, _ = self.compare("--repository", "repository", "HEAD~1", "main", "--no-time")
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"^sha-256 hash: [0-9.]+ % more instructions; ")
        self.assertEqual(self.world.ask("SELECT version, revision, parent FROM build_wide ORDER BY version DESC"),
                         [("before", one, None), ("after", two, one)])
        # A commit against the work tree, whose change is undone but not committed.
        self.patch(folder, LOOP, "\treturn question * 7 * 1;")
        status, out, _ = self.compare("--repository", "repository", "HEAD", "repository", "--no-time", "--label", "undone")
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"^sha-256 hash: [0-9.]+ % fewer instructions; ")
        self.assertEqual(self.world.ask("SELECT parent FROM build_wide WHERE revision LIKE 'commit:%s-dirty tree:%%'" % two[:12]), [(two,)])
        self.assertEqual(self.world.ask("SELECT label FROM run ORDER BY id DESC LIMIT 1"), [("undone",)])

    def test_a_tree_that_does_not_build_fails(self):
        self.patched("broken", "\treturn question * 7;", "\treturn nothing;")
        status, out, _ = self.compare("one", "broken", "--no-time")
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith("nothing could be compared: AFTER"), out)
        self.assertIn("tiny.c", out)
        self.assertIn("compile-failed", out)
        status, _, err = self.compare("--resume")
        self.assertEqual(status, 2)
        self.assertIn("nothing to resume", err)

    def test_wrong_answers_are_no_change(self):
        self.patched("wrong", "question * 7", "question * 8")
        status, out, _ = self.compare("one", "wrong", "--no-time")
        self.assertEqual(status, 1)
        self.assertTrue(out.startswith("1 benchmark equal to the instruction; no result after: sha-256 hash\n"), out)
        self.assertRegex(out, r"sha-256 hash 16384: wrong-answer")

    def test_wrong_usage(self):
        for arguments, words in [
            (["one"], ["BEFORE and AFTER"]),
            (["one", "nowhere"], ["after", '"nowhere"', "--repository"]),
            (["one", "one", "--no-time", "--no-count"], ["nothing is left"]),
            (["one", "one", "--resume"], ["--resume"]),
            (["one", "one", "--jobs", "0"], ["--jobs 0"]),
        ]:
            status, out, err = self.compare(*arguments)
            self.assertEqual((status, out), (2, ""))
            for word in words:
                self.assertIn(word, err)
            self.assertFalse(os.path.exists(self.world.db))


if __name__ == "__main__":
    bm.main()
