"""SIGKILL and power cuts: whenever they come, nothing that was finished is lost or done again, and going on ends as if they had never been."""

import glob
import os
import shutil
import signal
import time

import world

# How the lines of the log begin that a phase tells, and how long it may take from there.
PHASES = {
    "fetch": ("prepare", 0.15),
    "configure": ("library", 0.15),
    "compile": ("make", 0.15),
    "link": ("link", 0.2),
    "count": ("count", 0.1),
    "take-in of a count": ("count", 0.05),
    "time": ("time", 0.1),
    "take-in of times": ("time", 0.05),
}
FRAME_HEAD = 9  # bytes: runner/dispatch/spool.h


def synced_length(path):
    """Where the last end of a process ends in a spool file: what stands behind it may not be on the disk yet."""
    with open(path, "rb") as file:
        content = file.read()
    at = synced = 0
    while at + FRAME_HEAD <= len(content):
        end = at + FRAME_HEAD + int.from_bytes(content[at + 1:at + 5], "little")
        if content[at:at + 1] == b"E":
            synced = end
        at = end
    return min(synced, len(content))


class Kills(world.Faults):
    def kill_in(self, phase):
        """Goes on until the phase begins, and kills it a moment later. False where it came to the end before."""
        begin, seconds = PHASES[phase]
        before = len(self.site.lines())

        def reached():
            return process.poll() is not None or any(
                line.startswith(begin) and (" end " in line) == ("take-in" in phase) for line in self.site.lines()[before:])

        with self.go_on(self.site) as process:
            self.wait_until(reached, 60, phase)
            time.sleep(self.chance.uniform(0, seconds))
            return self.kill(self.site, process)

    def after_kill(self):
        self.check_nothing_runs()
        self.check_database(self.site)

    def test_killed_in_every_phase(self):
        self.repeat(self.kill_in_every_phase)

    def kill_in_every_phase(self):
        kills = 0
        for phase in PHASES:
            killed = self.kill_in(phase)
            world.note("%s: %s" % (phase, "killed" if killed else "had ended"))
            kills += killed
            self.after_kill()
        self.assertGreaterEqual(kills, len(PHASES) - 2, "most kills came in time")
        self.finish(self.site)
        self.check_as_undisturbed(self.site)
        self.check_units(self.site)

    def test_killed_at_random_moments(self):
        self.repeat(self.kill_at_random_moments)

    def kill_at_random_moments(self):
        for _ in range(3):
            with self.go_on(self.site) as process:
                self.wait_a_while(self.site, process)
                self.kill(self.site, process)
            # The next start may come while supervisors still clean up.
            if self.chance.random() < 0.5:
                self.after_kill()
        self.finish(self.site)
        self.check_as_undisturbed(self.site)
        self.check_units(self.site)

    def test_killed_and_begun_anew(self):
        """A run that nobody goes on with is taken in and ended by the next one, which is whole."""
        killed = self.kill_in("take-in of times")
        self.after_kill()
        self.assertEqual(self.site.run("run", self.world.matrix, "--fresh"), 0, self.site.text())
        self.check_as_undisturbed(self.site, run=2)
        if not killed:
            return
        self.assertEqual(self.site.ask("SELECT status FROM run ORDER BY id"), [(1,), (0,)])
        for name, (states, outcomes, _, _) in world.results_of(self.site, 1).items():
            if states[2] == "cancelled":
                # What it had told is kept.
                self.assertEqual({(benchmark, block): state for benchmark, block, state, _ in outcomes}.items()
                                 - {(benchmark, block): state for benchmark, block, state, _ in self.expected[name][1]}.items(), set())

    def test_killed_and_the_database_gone(self):
        """What was in hand is of no use to another database: it is told, and removed where that is asked for."""
        killed = self.kill_in("time")
        self.after_kill()
        for name in glob.glob(self.site.db + "*"):
            if os.path.isfile(name):
                os.remove(name)
        self.assertEqual(self.site.run("run", self.world.matrix), 0, self.site.text())
        if killed:
            told = r"results\.db\.spool/\S+: [12] attempts? of run \w{8}, which the database does not know, last written"
            self.assertRegex(self.site.text(), told)
            self.assertEqual(self.site.run("db", "spool"), 0)
            self.assertRegex(self.site.text(), told)
            self.assertNotEqual(self.site.left_over(), [])
            self.assertEqual(self.site.run("db", "spool", "--remove"), 0)
            self.assertRegex(self.site.text(), "removed: .*" + told)
        self.check_as_undisturbed(self.site)

    def test_killed_while_a_child_is_made(self):
        """Until its exec a child holds what its parent held: who goes on at once waits for that."""
        slow = self.world.preload("straggler")
        with self.go_on(self.site, environment=slow) as process:
            self.wait_a_while(self.site, process, least=1)
            self.kill(self.site, process)
        # Not after_kill(): what is left is what this is about.
        self.finish(self.site)
        self.check_as_undisturbed(self.site)
        self.check_units(self.site)

    def test_power_cut(self):
        """What a disk holds at one moment is enough to go on from."""
        self.repeat(lambda: self.cut_power(lose=False))

    def test_power_cut_that_loses_what_was_not_synced(self):
        self.repeat(lambda: self.cut_power(lose=True))

    def cut_power(self, lose):
        with self.site.start("run", self.world.matrix) as process:
            self.wait_a_while(self.site, process)
            process.send_signal(signal.SIGSTOP)
            stopped = time.monotonic()
            begun = len(self.site.lines())
            copy = world.Site(self.world, os.path.basename(self.site.folder) + "-copy")
            copy.begun, copy.kills = self.site.begun, [stopped]
            os.rmdir(copy.folder)
            # Unfinished work changes below our hands, and is nothing to rely on.
            shutil.copytree(self.site.folder, copy.folder, symlinks=True, ignore=shutil.ignore_patterns("work"))
            process.kill()
        self.check_nothing_runs()
        meanwhile = len(self.site.lines()) - begun
        if lose:
            self.lose_tails(copy)
        self.check_database(copy)
        self.finish(copy)
        self.check_as_undisturbed(copy)
        self.check_units(copy, meanwhile + (len(world.BENCHMARKS) if lose else 0))

    def lose_tails(self, site):
        for place, _, files in os.walk(site.db + ".spool"):
            for name in files:
                path = os.path.join(place, name)
                size = os.path.getsize(path)
                keep = self.chance.randint(synced_length(path), size)
                os.truncate(path, keep)
                # A file may have got its length before its content.
                if self.chance.random() < 0.5:
                    os.truncate(path, size)
                world.note("%s: %d of %d bytes kept" % (name, keep, size))


if __name__ == "__main__":
    world.main()
