"""Looking after the database: backups while another program writes, pruning with baselines, sizes, merging."""

import json
import os
import shutil
import sqlite3
import subprocess
import threading
import unittest

import bm


class Database(unittest.TestCase):
    def setUp(self):
        self.world = bm.World("db")
        with sqlite3.connect(os.path.join(bm.WORK, "quick", "benchmatrix.db")) as quick, sqlite3.connect(self.world.db) as own:
            quick.backup(own)
        # A command that writes brings it up to date where it is of an older version.
        self.ok("baseline", "pin", "first")
        self.ok("baseline", "drop", "first")

    def ok(self, *arguments):
        status, out, err = self.world.run(*arguments)
        self.assertEqual(status, 0, err)
        return out

    def fails(self, status, word, *arguments):
        got, out, err = self.world.run(*arguments)
        self.assertEqual(got, status, out + err)
        self.assertIn(word, err)

    def path(self, name):
        return os.path.join(self.world.folder, name)

    def test_a_backup_is_of_one_moment_while_another_program_writes(self):
        stop, written = threading.Event(), []

        def write():
            db = sqlite3.connect(self.world.db, timeout=60, isolation_level=None)
            while not stop.is_set():
                # Two rows in one transaction: a copy has both or none.
                db.execute("BEGIN IMMEDIATE")
                for side in ("left", "right"):
                    db.execute("INSERT INTO alias VALUES (?, ?, 'rsa-2048 private')", (side, str(len(written))))
                db.execute("COMMIT")
                written.append(None)
            db.close()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            counts = []
            for i in range(5):
                before = len(written)
                self.ok("db", "backup", self.path("copy.db"))
                with sqlite3.connect(self.path("copy.db")) as copy:
                    self.assertEqual(copy.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
                    left, right = (copy.execute("SELECT count(*) FROM alias WHERE importer = ?", (side,)).fetchone()[0] for side in ("left", "right"))
                    self.assertEqual(copy.execute("SELECT count(*) FROM result").fetchone()[0], self.world.ask("SELECT count(*) FROM result")[0][0])
                copy.close()
                self.assertEqual(left, right)
                self.assertGreaterEqual(left, before)
                counts.append(left)
        finally:
            stop.set()
            writer.join()
        self.assertGreater(counts[-1], counts[0], "nobody wrote meanwhile, so nothing was tried")
        status, out, err = self.world.run("--db", self.path("copy.db"), "db", "check")
        self.assertEqual(status, 0, out + err)

    def test_reading_leaves_no_files_beside_the_database(self):
        self.ok("list", "runs")
        self.ok("query", "toolchain=aarch64-gcc", "--metric", "instructions")
        left = [name for name in os.listdir(os.path.dirname(self.world.db)) if name.endswith(("-wal", "-shm"))]
        self.assertEqual(left, [])

    def test_prune_gives_up_texts_and_show_says_so(self):
        self.ok("baseline", "pin", "release", "first")
        self.assertIn("release", self.ok("list", "baselines"))
        kept = self.world.ask("SELECT count(*) FROM raw WHERE length(bytes) > 0")
        self.assertIn("would give up: ", self.ok("db", "prune", "--older-than", "0h", "--dry-run"))
        self.assertEqual(self.world.ask("SELECT count(*) FROM raw WHERE length(bytes) > 0"), kept)
        # Whatever the first run rests on stays.
        self.ok("db", "prune", "--older-than", "0h")
        self.assertEqual(self.world.ask("SELECT count(*) FROM pruned AS p JOIN attempt AS a ON a.out_raw_id = p.raw_id JOIN cell AS c ON c.id = a.cell_id "
                                        "JOIN run AS r ON r.id = c.run_id WHERE r.label = 'first'"), [(0,)])
        self.assertEqual(self.ok("baseline", "drop", "release"), "release: dropped; its run and the results stay\n")
        before, figures = os.path.getsize(self.world.db), self.ok("query", "toolchain=aarch64-gcc", "--metric", "instructions")
        out = self.ok("db", "prune", "--older-than", "0h", "--shrink")
        self.assertRegex(out, r"^gave up: \d+ texts, ")
        self.assertLess(os.path.getsize(self.world.db), before)
        self.assertEqual(self.ok("query", "toolchain=aarch64-gcc", "--metric", "instructions"), figures)
        self.assertRegex(self.ok("show", "cell", "*"), r"output +pruned on 20..-..-.. ..:..:.. UTC \([0-9,]+ bytes\)")
        self.assertRegex(self.ok("show", "build", "*", "--log"), r"log +pruned on 20")
        self.assertIn("no problem found", self.ok("db", "check"))

    def test_sizes_are_those_of_the_file(self):
        sizes = json.loads(self.ok("db", "size", "--format", "json"))
        rows = {row["name"]: row for row in sizes["rows"]}
        self.assertEqual(rows["measurement"]["rows"], self.world.ask("SELECT count(*) FROM measurement")[0][0])
        pages = self.world.ask("SELECT (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM pragma_freelist_count)")[0][0]
        self.assertEqual(sum(row["bytes"] for row in sizes["rows"]), pages * self.world.ask("PRAGMA page_size")[0][0])

    def test_merging_brings_the_others_runs_once(self):
        other = bm.World("db_other")
        self.ok("db", "backup", other.db)
        # On the other machine: the same runs under other UUIDs, with a platform of its own, of the same name.
        with sqlite3.connect(other.db) as db:
            for table in ("run", "attempt", "build", "platform"):
                db.execute("UPDATE %s SET uuid = CASE substr(uuid, 1, 1) WHEN 'b' THEN 'c' ELSE 'b' END || substr(uuid, 2)" % table)
        db.close()
        runs, figures = (self.world.ask("SELECT count(*) FROM " + table)[0][0] for table in ("run", "measurement"))
        hash_before = open(other.db, "rb").read()
        self.assertIn("%d figures" % figures, self.ok("merge", other.db))
        self.assertEqual(open(other.db, "rb").read(), hash_before)
        self.assertEqual(self.world.ask("SELECT count(*) FROM run"), [(2 * runs,)])
        self.assertIn("0 runs, 0 attempts, 0 figures, 0 platforms", self.ok("merge", other.db))
        for name, uuid in self.world.ask("SELECT name, uuid FROM platform WHERE name LIKE '% (%)'"):
            self.assertEqual(name[-10:], "(%s)" % uuid[:8])
        self.assertIn("no problem found", self.ok("db", "check"))
        # And back: nothing but the runs of here, each machine under its plain name where it lives.
        status, out, _ = other.run("merge", self.world.db)
        self.assertEqual((status, out.split(": ")[1].split(",")[0]), (0, "%d runs" % runs))
        self.assertEqual(other.run("db", "check")[0], 0)

    def test_what_cannot_be_merged_is_said(self):
        self.fails(2, "is the database itself", "merge", self.world.db)
        self.fails(4, "there is no such file", "merge", self.path("missing.db"))
        self.fails(4, "is not a SQLite database", "merge", self.world.write("letter.txt", "Dear reader, " * 100))
        shutil.copy(self.world.db, self.path("broken.db"))
        size = os.path.getsize(self.path("broken.db"))
        with open(self.path("broken.db"), "r+b") as file:
            for at in range(size // 2, size, 4096):
                file.seek(at)
                file.write(b"\x5a" * 2000)
        before = self.world.ask("SELECT count(*) FROM measurement")
        self.fails(4, "damaged", "merge", self.path("broken.db"))
        self.assertEqual(self.world.ask("SELECT count(*) FROM measurement"), before)

    def test_wrong_usage(self):
        self.fails(2, "--older-than 90d", "db", "prune")
        for age in ["90", "d", "-3d", "3.5d", "90days", "99999999999d"]:
            self.fails(2, "is no age", "db", "prune", "--older-than=" + age)
        self.fails(2, "usage: benchmatrix db backup FILE", "db", "backup")
        self.fails(2, "usage: benchmatrix db size", "db", "size", "now")
        self.fails(2, 'did you mean "backup"', "db", "bakup", "x")
        self.fails(2, "is the database itself", "db", "backup", self.world.db)
        self.fails(2, "there is no folder /nosuch", "db", "backup", "/nosuch/x")
        self.fails(2, "--width -1: it is a number of columns", "query", "--width", "-1")
        self.fails(2, "no run", "baseline", "pin", "x", "nosuchrun")
        self.fails(2, "there is no baseline", "baseline", "drop", "x")
        self.fails(2, "unknown action", "baseline", "pim", "x")

    def test_a_full_disk_leaves_no_half_copy(self):
        # A limit on the size of files stands for the disk.
        done = subprocess.run(["prlimit", "--fsize=65536", bm.PROGRAM, "--db", self.world.db, "db", "backup", self.path("copy.db")],
                              capture_output=True, text=True, env={"HOME": self.world.folder, "PATH": os.environ["PATH"]},
                              preexec_fn=lambda: __import__("signal").signal(__import__("signal").SIGXFSZ, __import__("signal").SIG_IGN))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([name for name in os.listdir(self.world.folder) if name.startswith("copy")], [])


if __name__ == "__main__":
    bm.main()
