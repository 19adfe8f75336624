"""What a board tells, and one that is not there when a run begins."""

import os
import unittest

import boards

PAGE = os.sysconf("SC_PAGE_SIZE")


class Boards(boards.Ssh):
    def test_one_that_is_not_there_is_looked_for_and_the_others_go_on(self):
        """Its port is closed when the run begins, and opens when the others are done."""
        self.board.kill()
        self.addCleanup(self.board.restart)
        with self.started("run", self.matrix(agents=["board", "local"], flags=[[]])) as process:
            self.wait_until(lambda: " on local time: ok" in self.site.text() or process.poll() is not None, self.site.text())
            self.assertIn("it is looked for again while the others go on", self.site.text())
            self.assertNotIn(" on board time", self.site.text())
            self.board.start()
            self.assertEqual(process.wait(boards.PATIENCE), 0, self.site.text())
        self.assertEqual(list(self.states().values()), ["ok", "ok"])
        self.assertEqual(self.site.ask("SELECT count(*) FROM cell AS c JOIN platform AS p ON p.id = c.platform_id WHERE p.name LIKE 'desk-%'"), [(1,)])
        self.check_left_alone()

    def test_one_that_stays_away_is_given_up_and_done_by_a_resumed_run(self):
        self.board.write_agents(self.board.agent(deadlines={"gone": 1}))
        self.board.kill()
        self.addCleanup(self.board.restart)
        matrix = self.matrix(agents=["board", "local"], flags=[[]])
        self.assertEqual(self.site.run("run", matrix), 1, self.site.text())
        found = dict(self.site.ask("SELECT agent, attempt_state FROM cell_state WHERE name LIKE '% on %'"))
        self.assertEqual(found, {"board": "infrastructure", "local": "ok"})
        self.assertIn("Connection refused", self.reasons()[0])
        self.board.start()
        self.assertEqual(self.site.run("run", matrix, "--resume"), 0, self.site.text())
        self.assertEqual(list(self.states().values()), ["ok", "ok"])
        self.check_left_alone()

    def test_a_small_one_gets_a_process_for_each_benchmark(self):
        self.board.write_agents(self.board.agent(facts={"name": "Small", "memory": "32 MiB"}))
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]], invocations=2)), 0, self.site.text())
        self.assertEqual(list(self.states().values()), ["ok"], self.reasons())
        rows = self.site.ask("SELECT invocation, instr(argv, '--from') > 0 FROM process ORDER BY number")
        self.assertEqual(rows, [(0, 0), (0, 1), (1, 0), (1, 1)])
        figures = self.site.ask("SELECT DISTINCT benchmark FROM result WHERE metric = 'time' ORDER BY benchmark")
        self.assertEqual(figures, [("rsa-2048 private",), ("sha-256 hash",)])
        self.check_left_alone()

    def test_load_and_clock_are_kept_and_shown_with_each_process(self):
        """What this machine has no sensor for is unknown, not 0."""
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]], invocations=1)), 0, self.site.text())
        rows = self.site.ask("SELECT load_before, load_after, temperature_before, throttled FROM process")
        self.assertEqual(len(rows), 1)
        self.assertTrue(rows[0][0] is not None and rows[0][1] is not None, rows)
        self.assertNotEqual(rows[0][2], 0)
        facts = dict(self.site.ask("SELECT key, value FROM platform_fact"))
        self.assertEqual(facts["page-size"], "%d B" % PAGE)
        self.assertEqual(self.site.run("agents", "check", "board"), 0, self.site.text())
        self.assertRegex(self.site.text(), r"page-size +%d B" % PAGE)
        # The program of the run is in the cache: it is asked as well.
        self.assertRegex(self.site.text(), r"asked there +fault-gcc tiny-1\.0 default crypto")
        self.assertRegex(self.site.text(), r"its clock +CLOCK_MONOTONIC, steps of [0-9]+ ns")
        self.assertRegex(self.site.text(), r"its memory +pointers of 64 bits, .*pages of %d bytes" % PAGE)
        self.check_left_alone()


if __name__ == "__main__":
    unittest.main(verbosity=2)
