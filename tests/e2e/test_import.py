"""Documents of other tools: what comes in, what is refused, and that the same again changes nothing."""

import json
import os
import subprocess
import threading
import unittest

import bm

MIB = 1048576
WOLFCRYPT = """wolfSSL version 5.6.3
wolfCrypt Benchmark (block bytes 1048576, min 1.0 sec each)
SHA-256                    240 MiB took 1.000 seconds,  240.000 MiB/s
RSA     2048   private      100 ops took 1.000 sec, avg 10.000 ms, 100.000 ops/sec
"""
WHOLE = WOLFCRYPT + "Benchmark complete\n"


class Documents(unittest.TestCase):
    def setUp(self):
        self.world = bm.World("import_" + self._testMethodName)

    def bytes(self, name, content):
        path = os.path.join(self.world.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        return path

    def take_in(self, content, *options, status=0, name="a.txt"):
        path = self.bytes(name, content if isinstance(content, bytes) else content.encode())
        got, out, err = self.world.run("import", path, *options)
        self.assertEqual(got, status, err)
        return out, err

    def results(self):
        return {(b, m): v for b, m, v in self.world.ask("SELECT benchmark, metric, value FROM result")}

    def refused(self, arguments, *words, status=4):
        got, out, err = self.world.run("import", *arguments)
        self.assertEqual((got, out), (status, ""))
        for word in words:
            self.assertIn(word, err)
        self.assertFalse(os.path.exists(self.world.db), "what is refused leaves no database")

    def sha_and_rsa(self):
        values = self.results()
        self.assertAlmostEqual(values[("sha-256 hash", "time")] * 240 * MIB, 1, 9)
        self.assertAlmostEqual(values[("rsa-2048 private", "time")], 0.01, 12)
        self.assertEqual(self.world.run("db", "check")[0], 0)

    # --- what comes in ---

    def test_a_document_once(self):
        out, err = self.take_in(WHOLE, "--platform", "board", "--set", "config=sp,compiler=gcc 12", "--clock", "1GHz")
        self.assertRegex(out, r"^a\.txt: wolfcrypt, 5 lines: 2 figures, 2 that follow, 1 other line \(run [0-9a-f]{8}\)\n$")
        self.assertEqual(err, "")
        self.sha_and_rsa()
        self.assertAlmostEqual(self.results()[("rsa-2048 private", "cycles")], 1e7)
        self.assertEqual(self.world.ask("SELECT DISTINCT library, version, config, platform, instrument, source, compiler FROM result"),
                         [("wolfssl", "5.6.3", "sp", "board", "wolfcrypt-benchmark", "imported", "gcc 12")])
        again = self.take_in(WHOLE, "--platform", "board", "--set", "config=sp,compiler=gcc 12", "--clock", "1GHz", name="b.txt")[0]
        self.assertIn("is there already", again)
        self.assertEqual(len(self.world.ask("SELECT * FROM result")), 4)

    def test_a_list_without_its_end_is_told(self):
        self.assertEqual(self.take_in(WOLFCRYPT)[1], 'a.txt: note: no "Benchmark complete" stands behind the list: it may be cut short\n')
        self.assertEqual(self.take_in(WHOLE, name="b.txt")[1], "")

    def test_line_ends_encodings_and_noise(self):
        plain = WOLFCRYPT
        for name, content in [
            ("crlf", plain.replace("\n", "\r\n").encode()),
            ("cr", plain.replace("\n", "\r").encode()),
            ("utf16", plain.encode("utf-16")),
            ("utf16be", b"\xfe\xff" + plain.encode("utf-16-be")),
            ("latin1", ("Messgerät: Brett\n" + plain).encode("latin-1")),
            ("nul", plain.replace("SHA-256", "\0SHA-256\0").encode()),
            ("mark", b"\xef\xbb\xbf" + plain.encode()),
            ("colour", plain.replace("SHA-256", "\x1b[32mSHA-256\x1b[0m").encode()),
            ("links", plain.replace("  240.000", "  2[4](https://example.org/job/0#step:10:4)0.000").encode()),
        ]:
            with self.subTest(name):
                self.world = bm.World("import_noise")
                self.take_in(content)
                self.sha_and_rsa()

    def test_commas_are_thousands_or_decimals_but_never_guessed(self):
        self.take_in("AES-128 CBC Decrypt: 6,084.83 MB/s (256.15X)\n")
        self.assertAlmostEqual(self.results()[("aes-128-cbc decrypt", "time")] * 6084.83 * MIB, 1, 9)
        self.world = bm.World("import_commas")
        _, err = self.take_in("AES-128 CBC Decrypt: 6,084 MB/s (2.5X)\n")
        self.assertIn("a.txt:1:", err)
        self.assertNotIn(("aes-128-cbc decrypt", "time"), self.results())

    def test_a_pipe_and_standard_input(self):
        done = subprocess.run([bm.PROGRAM, "--db", self.world.db, "import", "-"], input=WOLFCRYPT, capture_output=True, text=True,
                              env={**os.environ, "HOME": self.world.folder})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("standard input: wolfcrypt", done.stdout)
        fifo = os.path.join(self.world.folder, "fifo")
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: open(fifo, "w", encoding="ascii").write(WOLFCRYPT))
        writer.start()
        status, out, _ = self.world.run("import", fifo)
        writer.join()
        self.assertEqual(status, 0)
        self.assertIn("is there already", out)
        self.sha_and_rsa()

    def test_a_line_without_an_end(self):
        """A sparse file whose one line is longer than any tool's is skipped, and the rest is read."""
        path = self.bytes("long.txt", WOLFCRYPT.encode())
        with open(path, "ab") as file:
            file.truncate(100 * MIB)
        with open(path, "ab") as file:
            file.write(b"x" * 70000 + b"\nSHA3-256     100 MiB took 1.000 seconds,  100.000 MiB/s\n")
        status, _, err = self.world.run("import", path)
        self.assertEqual(status, 0)
        self.assertIn("long.txt:5: ", err)
        self.assertIn("longer than 64 KiB", err)
        self.assertAlmostEqual(self.results()[("sha3-256 hash", "time")] * 100 * MIB, 1, 9)
        self.sha_and_rsa()

    def test_what_does_not_count_is_told_with_its_line(self):
        lines = "".join("RSA     2048   public      %d ops took 1.000 sec, avg 99.000 ms, 100.000 ops/sec\n" % (100 + i) for i in range(15))
        out, err = self.take_in(WOLFCRYPT + lines + "FROB-7   5 MiB took 1.000 seconds, 5.000 MiB/s\n")
        self.assertIn("15 quarantined, 1 unknown name", out)
        self.assertEqual(err.count("disagree"), 10)
        self.assertIn("a.txt:5: RSA 2048 public", err)
        self.assertIn("and 5 more", err)
        self.assertIn('"FROB-7"', err)
        status, out, _ = self.world.run("list", "readings", "--format", "csv")
        self.assertEqual((status, out.count("disagree")), (0, 15))
        self.assertEqual(self.world.run("list", "readings", "nosuch")[0], 2)

    def test_a_name_gets_its_benchmark_later(self):
        self.take_in(WOLFCRYPT + "FROB-7   5 MiB took 1.000 seconds, 5.000 MiB/s\n")
        self.assertIn("FROB-7", self.world.run("list", "unknown")[1])
        status, out, _ = self.world.run("alias", "add", "wolfcrypt", "FROB-7", "sha3-512 hash")
        self.assertEqual(status, 0)
        self.assertIn("1 figure imported before counts", out)
        self.assertAlmostEqual(self.results()[("sha3-512 hash", "time")] * 5 * MIB, 1, 9)
        self.assertIn("frob-7", self.world.run("list", "aliases")[1])
        self.assertEqual(self.world.run("alias", "drop", "wolfcrypt", "FROB-7")[0], 0)
        self.assertNotIn("frob-7", self.world.run("list", "aliases")[1])
        for arguments in (["add", "wolfcrpt", "x", "sha3-512 hash"], ["add", "wolfcrypt", "x", "sha4 hash"], ["add", "wolfcrypt", "x"], ["give", "a", "b"]):
            self.assertEqual(self.world.run("alias", *arguments)[0], 2)

    def test_the_text_is_shown_as_it_came(self):
        self.take_in(WOLFCRYPT)
        self.assertIn(WOLFCRYPT, self.world.run("show", "cell", "a.txt*", "--log")[1])

    def test_a_dry_run_shows_and_stores_nothing(self):
        out, _ = self.take_in(WOLFCRYPT, "--dry-run")
        for word in ("sha-256 hash", "1048576", "240.000 MiB/s", "rsa-2048 private", "0.01 s/op"):
            self.assertIn(word, out)
        self.assertFalse(os.path.exists(self.world.db))

    def test_lines_that_were_not_understood_are_shown_when_a_folder_is_counted(self):
        self.bytes("a.txt", (WOLFCRYPT + "SHA3-256   100 MiB took 1.0[00 seconds\n").encode())
        counter = os.path.join(bm.SOURCE, "tests", "corpora", "count.py")
        done = subprocess.run([counter, bm.PROGRAM, self.world.folder, "--unread"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ +5 +2 +0 +0 +1 +0  wolfcrypt, a.txt\n +5: the line is cut or damaged: SHA3-256 +100 MiB took")

    def test_bench_core_and_exports(self):
        with open(os.path.join(bm.SOURCE, "schema", "wire-example.jsonl"), "rb") as file:
            self.take_in(file.read(), "--platform", "board", name="stream.jsonl")
        self.assertAlmostEqual(self.results()[("aes-128-cbc encrypt", "instructions")], 20)
        self.assertEqual(self.world.ask("SELECT count(*) FROM sample"), [(2,)])
        first = self.figures(self.world)
        status, out, _ = self.world.run("export", "--format", "jsonl", "--samples")
        self.assertEqual(status, 0)
        other = bm.World("import_exported")
        path = other.write("export.jsonl", out)
        status, line, err = other.run("import", path)
        self.assertEqual((status, err), (0, ""), line)
        self.assertEqual(self.figures(other), first)
        self.assertEqual(other.run("db", "check")[0], 0)

    @staticmethod
    def figures(world):
        """All but elapsed time under an emulator, which says nothing about speed and is not exported."""
        return sorted(world.ask(
            "SELECT library, version, platform, instrument, benchmark, block, metric, result.environment, result.kind, hex(packed), m.n, m.minimum, m.quartile_1,"
            " m.median, m.quartile_3, m.maximum, m.mean, m.sd FROM result JOIN measurement AS m ON m.id = measurement_id"
            " LEFT JOIN sample AS s USING (measurement_id) WHERE m.n IS NOT 1 OR metric <> 'time'"), key=str)

    # --- what is refused ---

    def test_what_is_no_document(self):
        self.refused([self.bytes("rubbish.bin", bytes(range(256)) * 100)], "rubbish.bin", "format is not sure")
        self.refused([self.bytes("empty.txt", b"")], "empty.txt: empty")
        self.refused([self.world.folder], "folder")
        self.refused([os.path.join(self.world.folder, "none.txt")], "none.txt", "No such file")
        self.refused(["--format", "wolfcrypt", self.bytes("prose.txt", b"Dear all,\n\nit is fast.\n")], "prose.txt", "3 lines", "wolfcrypt")
        huge = self.bytes("huge.txt", WOLFCRYPT.encode())
        os.truncate(huge, 1024 * MIB)
        self.refused([huge], "huge.txt: larger than 256 MiB")
        self.refused(["/dev/zero"], "zero", "256 MiB")

    def test_a_place_that_cannot_be_written(self):
        path = self.bytes("a.txt", WOLFCRYPT.encode())
        for db in ("/proc/benchmatrix.db", "/proc/none/benchmatrix.db"):
            status, out, err = self.world.run("--db", db, "import", path)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(os.path.dirname(db), err)
        folder = os.path.join(self.world.folder, "read only")
        os.makedirs(folder)
        if os.geteuid() == 0:
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", folder], capture_output=True, text=True)
            if mounted.returncode != 0:
                self.skipTest("cannot mount here: " + mounted.stderr.strip())
            self.addCleanup(subprocess.run, ["umount", folder], check=True)
        else:
            os.chmod(folder, 0o555)
        status, out, err = self.world.run("--db", os.path.join(folder, "b.db"), "import", path)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("read only/b.db: cannot be", err)
        self.assertRegex(err, "permissions of the file and its folder")
        self.assertEqual(os.listdir(folder), [])

    def test_the_version_that_is_told_settles_units(self):
        line = "SHA-256 100 MB took 1.000 seconds, 100.000 MB/s\n"
        _, err = self.take_in(line, status=1)
        self.assertIn("--set version=", err)
        self.assertEqual(self.results(), {})
        self.assertIn("list readings", self.world.run("query")[2])
        self.take_in(line, "--set", "version=4.8.1")
        self.assertAlmostEqual(self.results()[("sha-256 hash", "time")] * 100 * MIB, 1, 9)

    def test_wrong_usage(self):
        path = self.bytes("a.txt", WOLFCRYPT.encode())
        for arguments, word in [
            ([], "usage"),
            ([path, "--published"], "usage"),
            ([path, "--format", "wolfcrpt"], '"wolfcrypt"'),
            ([path, "--set", "confg=sp"], '"config"'),
            ([path, "--set", "benchmark=x"], "benchmark"),
            ([path, "--set", "config"], "KEY=VALUE"),
            ([path, "--set", "block=abc"], "block=abc: a whole number above 0"),
            ([path, "--set", "block=-16"], "whole number"),
            ([path, "--set", "threads=0"], "whole number"),
            ([path, "--set", "version=5.6.3,version=5.6.4"], '"version" stands twice'),
            ([path, "--set", "compiler=gcc,compiler=clang"], '"compiler" stands twice'),
            ([path, "--platform", ""], "--platform"),
            ([path, "--clock", "1500"], "1.5GHz"),
            ([path, "--clock", "-1GHz"], "clock"),
            ([path, "--environment", "lab"], "hardware"),
        ]:
            with self.subTest(arguments):
                self.refused(arguments, word, status=2)

    def test_an_export_that_is_cut_is_told(self):
        sha_and_rsa = self.bytes("whole.txt", WOLFCRYPT.encode())
        self.assertEqual(self.world.run("import", sha_and_rsa)[0], 0)
        lines = self.world.run("export", "source=imported")[1].splitlines(keepends=True)
        path = self.bytes("cut.jsonl", "".join(lines[:-1]).encode())
        status, _, err = self.world.run("import", path)
        self.assertEqual(status, 0)
        self.assertIn("cut.jsonl:%d: no end line: the file is cut\n" % (len(lines) - 1), err)

    def test_one_that_is_wrong_keeps_no_other_out(self):
        good, bad = self.bytes("good.txt", WOLFCRYPT.encode()), self.bytes("bad.txt", b"\0\1\2")
        status, out, err = self.world.run("import", bad, good)
        self.assertEqual(status, 4)
        self.assertIn("good.txt: wolfcrypt", out)
        self.assertIn("bad.txt", err)
        self.sha_and_rsa()

    def test_a_file_that_shrinks(self):
        """Whatever is left when it is read is read; a line that is cut counts for nothing."""
        path = self.bytes("shrinking.txt", WOLFCRYPT.encode() + b"# " * 10 * MIB)
        cutter = threading.Thread(target=lambda: os.truncate(path, len(WOLFCRYPT) - 40))
        cutter.start()
        status, _, _ = self.world.run("import", path)
        cutter.join()
        self.assertEqual(status, 0)
        self.assertAlmostEqual(self.results()[("sha-256 hash", "time")] * 240 * MIB, 1, 9)
        rsa = self.results().get(("rsa-2048 private", "time"))
        self.assertIn(rsa, (None, 0.01))


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("import_published")
        cls.first = cls.world.run("import", "--published")

    def test_all_come_in_once(self):
        status, out, err = self.first
        self.assertEqual(status, 0, err)
        before = self.world.ask("SELECT count(*) FROM measurement")
        status, again, _ = self.world.run("import", "--published")
        self.assertEqual((status, again.count("is there already")), (0, out.count("\n")))
        self.assertEqual(self.world.ask("SELECT count(*) FROM measurement"), before)
        self.assertEqual(self.world.ask("SELECT DISTINCT source FROM result"), [("published",)])
        self.assertEqual(self.world.run("db", "check")[0], 0)

    def ratios(self, *arguments):
        status, out, err = self.world.run("compare", *arguments)
        self.assertEqual(status, 0, err)
        return out

    def test_what_the_accounts_claim(self):
        out = self.ratios("engine=none", "engine=kae", "--where", "benchmark=rsa-2048 sign")
        self.assertIn("3.89x", out)
        self.assertIn("73.92x", out)
        self.assertIn("724.1 op/s and 0.001384 s disagree", out)
        out = self.ratios("config=default", "config=armasm", "--where", "kind=*")
        for ratio in ("36.58x", "256.15x", "193.65x", "90.26x", "56.11x"):
            self.assertIn(ratio, out)
        # 3.346 / 2.581 = 1.296
        out = self.ratios("platform=gr740-bare-metal,block=1024", "platform=gr740-linux,block=1048576")
        self.assertRegex(out, r"sha-256 hash .* 1\.30x")
        status, out, _ = self.world.run("query", "platform=gr740*", "--rows", "benchmark", "--columns", "platform")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"aes-128-cbc encrypt +3\.432 MiB/s +3\.330 MiB/s")

    def test_a_user_s_own_account(self):
        account = {"title": "own", "reference": "none", "platforms": {}, "documents": [{"format": "wolfcrypt", "lines": WOLFCRYPT.splitlines()}]}
        path = self.world.write("config/benchmatrix/published/own.json", json.dumps(account))
        status, out, _ = self.world.run("import", "--published")
        self.assertEqual(status, 0)
        self.assertIn("own: wolfcrypt, 4 lines: 2 figures", out)
        self.world.write("config/benchmatrix/published/own.json", '{"title": ')
        status, out, err = self.world.run("import", "--published")
        self.assertEqual(status, 4)
        self.assertIn("own.json:1", err)
        os.remove(path)


if __name__ == "__main__":
    bm.main()
