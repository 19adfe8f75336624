"""Ctrl-C is orderly, twice it is quick, and two runs at once do not disturb each other."""

import signal
import time

import world


class Signals(world.Faults):
    def interrupt(self, *signals, pause=0.05):
        """Starts a run, lets it go on for a while, and sends the signals."""
        with self.site.start("run", self.world.matrix) as process:
            # Before anything is begun a signal ends it as it ends any program.
            self.wait_a_while(self.site, process, least=1)
            self.assertIsNone(process.poll(), self.site.text())
            sent = time.monotonic()
            for number in signals:
                process.send_signal(number)
                time.sleep(pause)
            status = process.wait(30)
            world.note("ended %.2f s after the signal" % (time.monotonic() - sent))
        return status, self.site.text()

    def ends_well(self):
        self.check_nothing_runs()
        self.check_database(self.site)
        self.finish(self.site)
        self.check_as_undisturbed(self.site)

    def test_interrupted_once(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.site = world.Site(self.world, "once-%d" % number)
                status, text = self.interrupt(number)
                self.assertEqual(status, 1, text)
                self.assertIn("cancelled", text)
                self.assertIn("--resume", text)
                self.assertEqual(self.site.ask("SELECT ended_at IS NOT NULL, status FROM run"), [(1, 1)])
                self.ends_well()
                self.check_units(self.site, world.IN_HAND)

    def test_interrupted_twice(self):
        status, text = self.interrupt(signal.SIGINT, signal.SIGINT)
        self.assertEqual(status, 1, text)
        self.ends_well()
        self.check_units(self.site, world.IN_HAND)

    def test_two_at_once(self):
        """One database and one cache for both: each library is made once, and each run has all of its results."""
        other = world.Site(self.world, "other", db=self.site.db, cache=self.site.cache)
        with self.site.start("run", self.world.matrix, "--fresh") as one:
            time.sleep(self.chance.uniform(0, 0.5))
            with other.start("run", self.world.matrix, "--fresh") as two:
                self.assertEqual((one.wait(120), two.wait(120)), (0, 0), self.site.text() + other.text())
        self.assertEqual(self.site.ask("SELECT count(*) FROM run"), [(2,)])
        for run in (1, 2):
            self.check_as_undisturbed(self.site, run)
        units = self.site.units()
        for unit in units:
            if not unit.startswith(("count", "time")):
                self.assertEqual(units[unit], self.expected_units[unit], unit)


if __name__ == "__main__":
    world.main()
