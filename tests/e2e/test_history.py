"""Figures over nights: the results of one real run, as if it had been repeated on many days with a change in between."""

import csv
import datetime
import io
import json
import os
import sqlite3
import unittest

import bm

NIGHTS, CHANGE = 24, 15  # the first night after the change
DAY = 86400 * 10**9
FIRST = int(datetime.datetime(2026, 11, 1, 2, tzinfo=datetime.timezone.utc).timestamp()) * 10**9
BENCHMARK = "sha-256 hash"


class Nights:
    """Copies of a run, one for each night: its builds with other revisions, its figures with another factor."""

    def __init__(self, path):
        self.db = sqlite3.connect(path)
        self.run = self.db.execute("SELECT run_id FROM cell WHERE instrument = 'bench-core' GROUP BY run_id ORDER BY count(*) DESC LIMIT 1").fetchone()[0]
        self.cells = self.db.execute("SELECT id, build_id FROM cell WHERE run_id = ? AND instrument = 'bench-core'", [self.run]).fetchall()

    def copy(self, table, row, **changes):
        """A copy of a row; returns its id."""
        columns = [column[1] for column in self.db.execute(f"PRAGMA table_info({table})")]
        old = dict(zip(columns, self.db.execute(f"SELECT {', '.join(columns)} FROM {table} WHERE id = ?", [row]).fetchone()))
        old.update({"id": None}, **changes)
        return self.db.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
                               [old[column] for column in columns]).lastrowid

    def add(self, night, time, instructions, compiler=None):
        """A night whose figures are so many times those of the run."""
        at = FIRST + night * DAY
        run = self.copy("run", self.run, uuid=f"{night:08x}-0000-4000-8000-000000000000", started_at=at, ended_at=at + DAY // 10)
        for cell, build in self.cells:
            changes = {"uuid": f"{night:08x}-0000-4000-8000-{cell:012x}", "revision": f"{night:040x}", "key_library": f"l{night}",
                       "key_program": f"p{night}", "code_sha256": None}
            if compiler:
                changes["compiler"] = compiler
            new_build = self.copy("build", build, **changes)
            new_cell = self.copy("cell", cell, run_id=run, build_id=new_build)
            for (attempt,) in self.db.execute("SELECT id FROM attempt WHERE cell_id = ?", [cell]).fetchall():
                new = self.copy("attempt", attempt, uuid=f"{night:08x}-0000-4000-9000-{attempt:012x}", cell_id=new_cell, started_at=at,
                                carried_from=None)
                self.db.execute(
                    "INSERT INTO measurement (id, series_id, attempt_id, source, environment, kind, n, median) SELECT (? << 20) + m.id % (1 << 20),"
                    " m.series_id, ?, m.source, m.environment, m.kind, m.n, m.median * CASE m.kind WHEN 1 THEN ? ELSE ? END FROM measurement AS m"
                    " WHERE m.attempt_id = ?", [new, new, instructions, time, attempt])
        self.db.commit()


class History(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("history")
        with sqlite3.connect(os.path.join(bm.WORK, "quick", "benchmatrix.db")) as quick, sqlite3.connect(cls.world.db) as own:
            quick.backup(own)
        # Brings it up to date where an older program made it.
        cls.world.run("baseline", "pin", "first", "latest")
        nights = Nights(cls.world.db)
        for night in range(NIGHTS):
            after = night >= CHANGE
            nights.add(night, (1.25 if after else 1.0) * (1 + 0.004 * ((night * 7) % 5 - 2)), 2 if after else 1,
                       compiler="gcc 99" if after else None)
        nights.db.close()

    def rows(self, *arguments):
        status, out, err = self.world.run("history", *arguments, "--format", "csv")
        self.assertEqual(status, 0, err)
        return list(csv.DictReader(io.StringIO(out)))

    def test_a_change_of_counts_is_found_in_its_night(self):
        for row in self.rows("--metric", "instructions", "--changes", f"benchmark={BENCHMARK}"):
            # The run itself, of today, is as fast as the first nights were.
            if float(row["ratio"]) > 1:
                continue
            self.assertEqual(float(row["ratio"]), 0.5)
            self.assertEqual((row["revision_before"], row["revision_after"]), (f"{CHANGE - 1:040x}", f"{CHANGE:040x}"))
            self.assertEqual(row["run_after"], f"{CHANGE:08x}-0000-4000-8000-000000000000")
            self.assertEqual(row["started_after"], (datetime.datetime(2026, 11, 1, 2) + datetime.timedelta(days=CHANGE)).isoformat() + "Z")
            self.assertIn("-> gcc 99", row["moved"])
            self.assertEqual(row["alarms"], "yes")
            break
        else:
            self.fail("no change for the worse")

    def test_a_change_of_time_is_found_in_its_night(self):
        rows = self.rows(f"benchmark={BENCHMARK},config=default", "--changes")
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertAlmostEqual(float(row["ratio"]), 0.8, delta=0.01)
            self.assertEqual(row["run_after"], f"{CHANGE:08x}-0000-4000-8000-000000000000")
            self.assertLess(float(row["p"]), 0.01)

    def test_since_leaves_out_what_was_before(self):
        every = [row for row in self.rows("--metric", "instructions") if int(row["nights"]) > NIGHTS]
        day = (datetime.datetime(2026, 11, 1) + datetime.timedelta(days=CHANGE)).date().isoformat()
        late, run = self.rows("--metric", "instructions", "--since", day), self.rows("--metric", "instructions", "--since", f"{CHANGE:08x}")
        self.assertGreater(len(every), 10)
        self.assertEqual(late, run)
        late = [row for row in late if int(row["nights"]) > NIGHTS - CHANGE]
        self.assertEqual(len(every), len(late))
        for before, after in zip(every, late):
            self.assertEqual(int(before["nights"]) - int(after["nights"]), CHANGE)

    def test_one_series_has_its_nights(self):
        series = next(row for row in self.rows("--metric", "instructions") if int(row["nights"]) > NIGHTS)
        terms = ",".join(f"{key}={series[key]}" for key in ("toolchain", "config", "benchmark", "block") if series.get(key))
        status, out, err = self.world.run("history", terms, "--metric", "instructions", "--format", "json")
        self.assertEqual(status, 0, err)
        told = json.loads(out)
        self.assertEqual(len(told["rows"]), int(series["nights"]))
        self.assertEqual([row["ratio"] for row in told["rows"] if row["ratio"]][0], 0.5)
        status, out, _ = self.world.run("history", terms, "--metric", "instructions")
        self.assertIn("0.500x worse", out)
        self.assertIn(f"by 2026-11-{CHANGE + 1:02d}", out)

    def test_what_cannot_be_shown_is_refused(self):
        for arguments, word in [(["run=latest"], "--since"), (["benchmark=nosuch"], "takes no result"), (["--since", "nosuch"], "nosuch"),
                                (["--metric", "nosuch"], "metric"), (["--unit", "furlong"], "furlong"), (["--width", "-1"], "--width")]:
            status, out, err = self.world.run("history", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(word, err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
