"""An agent behind a real sshd (boards.py). BM_LONG=1: tests that wait for boards, too."""

import os
import shutil
import unittest

import boards
from boards import world


class OverSsh(boards.Ssh):
    def test_cells_run_there_and_the_board_is_left_as_it_was(self):
        shutil.rmtree(self.board.folder, ignore_errors=True)
        self.assertEqual(self.site.run("run", self.matrix()), 0, self.site.text())
        self.assertEqual(set(self.states().values()), {"ok"}, self.site.text())
        self.assertEqual(len(self.states()), 2)
        facts = dict(self.site.ask("SELECT f.key, f.value FROM platform_fact AS f JOIN platform AS p ON p.id = f.platform_id WHERE p.name LIKE 'desk-%'"))
        self.assertEqual(facts["kernel"], os.uname().release)
        self.assertEqual(facts["link"], boards.HOSTILE)
        self.assertEqual(int(facts["cores"]), os.cpu_count())
        self.check_left_alone()
        programs = os.listdir(os.path.join(self.board.folder, "programs"))
        self.assertEqual(len(programs), 2, programs)
        for name in programs:
            self.assertEqual(os.stat(os.path.join(self.board.folder, "programs", name)).st_mode & 0o777, 0o700)
        for load, in self.site.ask("SELECT load_before FROM process"):
            self.assertIsNotNone(load)

    def test_agents_check_tells_what_it_is(self):
        self.assertEqual(self.site.run("agents", "check", "board"), 0, self.site.text())
        self.assertIn(os.uname().release, self.site.text())
        self.assertRegex(self.site.text(), r"runs +.*fault-gcc")
        self.assertRegex(self.site.text(), r"round trip +[0-9.]+ s")
        self.assertEqual(self.site.run("agents", "check", "bord"), 2)
        self.assertIn('did you mean "board"', self.site.text())

    def test_another_host_key_is_refused_with_what_to_do(self):
        self.board.know("other")
        self.assertEqual(self.site.run("agents", "check", "board"), 1, self.site.text())
        self.assertIn("host key of desk has changed", self.site.text())
        self.assertRegex(self.site.text(), "ssh-keygen -f .* -R")
        os.remove(self.board.path("known"))
        self.assertEqual(self.site.run("agents", "check", "board"), 1, self.site.text())
        self.assertIn("is not known yet: connect once by hand with `ssh desk`", self.site.text())

    def test_a_program_that_never_ends_is_ended_there(self):
        self.do("stay")
        self.board.write_agents(self.board.agent(deadlines={"silence": 2}))
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]], invocations=1)), 1, self.site.text())
        self.assertEqual(self.site.ask("SELECT DISTINCT state FROM attempt WHERE argv LIKE '%ssh%'"), [("timeout",)])
        self.check_left_alone()

    def test_a_killed_run_leaves_nothing_there_and_is_gone_on_with(self):
        self.do("stay")
        with self.started("run", self.matrix(flags=[[]])) as process:
            self.wait_until(lambda: any(" begin " in line for line in self.site.lines()) or process.poll() is not None, self.site.text())
            self.assertTrue(self.over_there())
            process.kill()
        self.check_left_alone()
        os.remove(os.path.join(self.world.folder, "do", "stay"))
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]]), "--resume"), 0, self.site.text())
        self.assertEqual(set(self.states().values()), {"ok"})
        self.check_left_alone()

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_what_a_program_leaves_behind_is_ended(self):
        self.do("fork")
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]])), 0, self.site.text())
        self.assertIn("forked", world.read(self.world.log))
        self.check_left_alone()

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_program_that_prints_rubbish_is_no_harm(self):
        self.do("rubbish")
        self.site.run("run", self.matrix(flags=[[]], invocations=1))
        self.assertNotIn("\033[", self.site.text())
        self.check_left_alone()

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_board_that_comes_back_is_gone_on_with(self):
        self.do("stay")
        with self.started("run", self.matrix(flags=[[]])) as process:
            self.wait_until(lambda: any(" begin " in line for line in self.site.lines()), self.site.text())
            self.board.kill()
            os.remove(os.path.join(self.world.folder, "do", "stay"))
            self.wait_until(lambda: not self.over_there(), "the board does not see that nobody listens")
            self.board.start()
            self.assertEqual(process.wait(boards.PATIENCE), 0, self.site.text())
        self.assertEqual(set(self.states().values()), {"ok"})
        self.check_left_alone()

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_board_that_stays_away_is_given_up_and_the_others_go_on(self):
        self.board.write_agents(self.board.agent(deadlines={"gone": 3}))
        self.do("stay-there")
        with self.started("run", self.matrix(agents=["board", "local"])) as process:
            self.wait_until(lambda: any(" begin " in line for line in self.site.lines()), self.site.text())
            self.board.kill()
            self.addCleanup(self.board.start)
            os.remove(os.path.join(self.world.folder, "do", "stay-there"))
            self.assertEqual(process.wait(boards.PATIENCE), 1, self.site.text())
        for name, state in self.states().items():
            self.assertEqual(state, "failed" if " on board " in name else "ok", name)
        self.assertEqual({state for state, in self.site.ask("SELECT a.state FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id WHERE c.agent = 'board'")},
                         {"infrastructure"})

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_folder_that_cannot_be_written_is_told(self):
        self.board.write_agents(self.board.agent(folder="/proc/none"))
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]])), 1, self.site.text())
        self.assertIn("/proc/none: cannot be made, or not written to", self.reasons()[0])

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_two_runs_at_once_take_turns(self):
        matrix = self.matrix(flags=[[]], invocations=4)
        other = world.Site(self.world, self.name + "-other", cache=self.cache)
        with self.site.start("run", matrix) as one, other.start("run", matrix) as two:
            self.assertEqual((one.wait(boards.PATIENCE), two.wait(boards.PATIENCE)), (0, 0), self.site.text() + other.text())
        began, running = [line for line in self.site.lines() if line.startswith("time ")], set()
        for line in began:
            process = line.split()[-2]
            if " end " in line:
                running.discard(process)
            else:
                running.add(process)
            self.assertLessEqual(len(running), 1, "two were timed at once:\n" + "\n".join(began))
        self.check_left_alone()


if __name__ == "__main__":
    unittest.main(verbosity=2)
