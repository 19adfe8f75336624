"""Disks that are full, a database that cannot be written, and a clock that steps back."""

import os
import subprocess
import unittest

import world

MIB = 1 << 20


class Places(world.Faults):
    def small_disk(self, name):
        """An own file system of 16 MiB."""
        folder = os.path.join(self.world.folder, name)
        os.makedirs(folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], capture_output=True, check=False).returncode != 0:
            raise unittest.SkipTest("mounting a small file system is not permitted here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", folder], check=False)
        return folder

    def fill(self, folder, leave):
        """Takes all of a disk but that many bytes."""
        facts = os.statvfs(folder)
        filler = os.path.join(folder, "filler")
        with open(filler, "wb") as file:
            file.write(bytes(max(0, facts.f_bavail * facts.f_frsize - leave)))
        return filler

    def used(self, folder):
        facts = os.statvfs(folder)
        return (facts.f_blocks - facts.f_bfree) * facts.f_frsize

    def full_then_free(self, site, folder, leave):
        """A run on a full disk ends with a word about it, and when there is room it is gone on with."""
        filler = self.fill(folder, leave)
        status = site.run("run", self.world.matrix)
        text = site.text()
        world.note("%d bytes left: status %d" % (leave, status))
        self.check_nothing_runs()
        if status != 0:
            self.assertEqual(status, 1, text)
            self.assertRegex(text, "(?i)no space left|is full")
        os.remove(filler)
        self.check_database(site)
        if status != 0:
            self.finish(site)
        self.check_as_undisturbed(site)
        return status

    def test_full_disk_for_the_cache(self):
        full = 0
        for turn in range(2):
            folder = self.small_disk("cache-%d" % turn)
            site = world.Site(self.world, "full-cache-%d" % turn, cache=os.path.join(folder, "cache"))
            # A library and its program take one MiB or more.
            full += self.full_then_free(site, folder, self.chance.randint(16 << 10, 1 * MIB)) != 0
        self.assertGreater(full, 0)

    def test_full_disk_for_spool_and_database(self):
        full = 0
        for turn in range(2):
            folder = self.small_disk("db-%d" % turn)
            site = world.Site(self.world, "full-db-%d" % turn, db=os.path.join(folder, "results.db"), cache=self.reference.cache)
            # What a database without results takes is a quarter of a MiB, in it and its journal.
            full += self.full_then_free(site, folder, self.chance.randint(256 << 10, 768 << 10)) != 0
        self.assertGreater(full, 0)

    def test_read_only_database(self):
        """What only reads still reads; what would write says so, and changes nothing."""
        # Root may write everything, but for the sake of this it gives that right up.
        prefix = ["setpriv", "--bounding-set", "-dac_override", "--inh-caps", "-dac_override"] if os.geteuid() == 0 else []
        site = world.Site(self.world, "read-only", cache=self.reference.cache)
        self.assertEqual(site.run("run", self.world.matrix), 0, site.text())
        before = world.read_bytes(site.db)
        os.chmod(site.db, 0o444)
        os.chmod(site.folder, 0o555)
        self.addCleanup(os.chmod, site.folder, 0o755)
        status = site.run("run", self.world.matrix, prefix=prefix)
        self.assertEqual(status, 1, site.text())
        self.assertRegex(site.text(), "(?i)read-?only|permission denied")
        self.assertIn(site.db, site.text())
        self.check_nothing_runs()
        for command in (["db", "check"], ["show", "run", "latest"], ["query"], ["list", "runs"]):
            self.assertEqual(site.run(*command, prefix=prefix), 0, (command, site.text()))
        self.assertEqual(world.read_bytes(site.db), before)
        self.assertEqual(os.listdir(site.folder), ["results.db"])

    def test_clock_that_steps_back(self):
        """A day back in the middle of a run: results, durations and order stay as they were."""
        stepping = {**self.world.preload("step_back"), "STEPS_WITH": self.world.log}
        site = world.Site(self.world, "clock", cache=self.reference.cache)
        self.assertEqual(site.run("run", self.world.matrix, "--label", "before"), 0, site.text())
        for label in ("stepped", "stepped too"):
            status = site.run("run", self.world.matrix, "--fresh", "--label", label, environment=stepping)
            self.assertEqual(status, 0, site.text())
        self.assertEqual([bool(back) for back, in site.ask("SELECT ended_at < started_at FROM run ORDER BY id")], [False, True, True],
                         "the clock did step back within the run")
        for run in (1, 2, 3):
            self.check_as_undisturbed(site, run)
        self.assertEqual(site.ask("SELECT count(*) FROM attempt WHERE seconds < 0"), [(0,)])
        self.assertEqual(site.ask("SELECT count(*) FROM process WHERE seconds < 0 OR cpu_seconds < 0"), [(0,)])
        # The last run is the last one that was begun, whatever time of day it says.
        self.assertEqual(site.run("show", "run", "latest"), 0)
        self.assertIn("stepped too", site.text())
        self.assertEqual(site.run("show", "run", "latest~2"), 0)
        self.assertIn("before", site.text())


if __name__ == "__main__":
    world.main()
