"""Two hundred kills in a row on one run: it gets on between them, and ends as if there had been none."""

import collections
import json
import time

import world

KILLS = 200
FIRST = 16
INVOCATIONS = 150  # so that it is not done before
ALL = tuple(range(INVOCATIONS))


class ManyKills(world.Faults):
    def expected_of_many(self):
        """As undisturbed, but for the number of invocations."""
        return {name: (states, outcomes, [(*figure[:-1], ALL if figure[-1] == tuple(range(world.INVOCATIONS)) else figure[-1]) for figure in figures], ok)
                for name, (states, outcomes, figures, ok) in self.expected.items()}

    def test_two_hundred_kills(self):
        world.write(self.world.matrix, json.dumps({**world.MATRIX, "invocations": INVOCATIONS}))
        # On a busy machine a link takes longer than the time that is left to it, and the run would never get past it.
        pace = max(1, self.seconds / world.IDLE_SECONDS)
        for kill in range(KILLS):
            before = len(self.site.lines())
            with self.go_on(self.site) as process:
                # Half of them within the start, which is the same each time; half once it works again.
                if kill % 2:
                    self.wait_until(lambda: process.poll() is not None or len(self.site.lines()) > before, 60, "it works again")
                # The first ones leave time to finish a library, or no other would ever meet a measurement.
                time.sleep(self.chance.uniform(0, pace * (4 if kill < FIRST else 0.2 if kill % 2 else 0.5)))
                if process.poll() is not None and self.site.ask("SELECT status FROM run") == [(0,)]:
                    break  # it was killed behind its end, or came to it
                self.assertIsNone(process.poll(), "it ended by itself before kill %d: %s" % (kill + 1, self.site.text()))
                process.kill()
            if kill % 20 == 19:
                self.check_nothing_runs()
                self.check_database(self.site)
                world.note("%d kills, %d lines in the log, spool and work: %d" % (kill + 1, len(self.site.lines()), len(self.site.left_over())))
        self.assertGreater(kill, KILLS / 2, "the run was long enough")
        self.finish(self.site, timeout=900)
        type(self).expected = self.expected_of_many()
        self.check_as_undisturbed(self.site)
        kinds = collections.Counter()
        for unit, count in self.site.units().items():
            kinds[unit.split()[0]] += count - 1
        world.note("done twice: %s" % dict(kinds))
        self.assertGreater(kinds["time"], 0, "no kill met a measurement")
        self.assertLessEqual(kinds.total(), KILLS)


if __name__ == "__main__":
    world.main()
