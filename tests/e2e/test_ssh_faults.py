"""Boards over lines that are slow, held up, cut or dead, with disks that are full, and programs that misbehave: each run ends with true states, what was
measured is kept once, nothing is left on either side, and the board is as it was. BM_LONG=1: those that wait, too."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
import unittest

import boards
import lines
import world

ROOT = os.geteuid() == 0


class Faults(boards.Ssh):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.board.reach, self.board.port)

    def line(self):
        line = lines.Line(self.board.port)
        self.addCleanup(line.close)
        self.board.reach(line.port)
        return line

    def begun(self):
        return [text for text in self.site.lines() if " begin " in text]

    @contextlib.contextmanager
    def working(self, *arguments, program="wait", **more):
        """A run whose program over there is at work, until it is let go on: the file of `program` is removed."""
        self.do(program)
        with self.site.start("run", *arguments, **more) as process:
            try:
                self.wait_until(lambda: self.begun() or process.poll() is not None, self.site.text())
                yield process
            finally:
                process.kill()

    def let_go_on(self, program="wait"):
        os.remove(os.path.join(self.world.folder, "do", program))

    def check_ok(self, process):
        self.assertEqual(process.wait(2 * boards.PATIENCE), 0, self.site.text())
        self.assertEqual(set(self.states().values()), {"ok"}, self.site.text())
        self.check_once()
        self.check_left_alone()

    def check_once(self):
        """Each figure is there once, of as many processes as were asked for."""
        rows = self.site.ask("SELECT w.benchmark, s.packed FROM measurement AS m JOIN series_wide AS w ON w.series_id = m.series_id JOIN sample AS s "
                             "ON s.measurement_id = m.id JOIN attempt AS a ON a.id = m.attempt_id WHERE w.metric = 'time' AND a.state = 'ok'")
        self.assertTrue(rows)
        for benchmark, packed in rows:
            self.assertEqual(sorted(world.invocations_of(packed)), list(range(len(set(world.invocations_of(packed))))), benchmark)

    def small_disk(self, options):
        """The board's folder on a file system of its own."""
        shutil.rmtree(self.board.folder, ignore_errors=True)
        os.makedirs(self.board.folder)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.board.folder], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting a small file system is not permitted here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.board.folder], check=False)

    # --- lines ---

    def test_a_line_that_is_cut_is_made_anew(self):
        line = self.line()
        with self.working(self.matrix(flags=[[]])) as process:
            line.cut()
            self.let_go_on()
            self.check_ok(process)

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_slow_line(self):
        self.line().delay = 0.2
        with self.started("run", self.matrix(flags=[[]])) as process:
            self.check_ok(process)

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_line_that_holds_bytes_back_for_a_while(self):
        """No process is done twice for it."""
        line = self.line()
        with self.working(self.matrix(flags=[[]])) as process:
            line.passing.clear()
            self.let_go_on()
            time.sleep(5)
            line.passing.set()
            self.check_ok(process)
        self.assertEqual({unit: times for unit, times in self.site.units().items() if unit.startswith("time ") and times != 1}, {})

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_line_that_is_cut_within_an_upload(self):
        shutil.rmtree(self.board.folder, ignore_errors=True)
        line = self.line()
        line.limit = 20000
        with self.started("run", self.matrix(flags=[[]])) as process:
            self.check_ok(process)
        self.assertIsNone(line.limit, "it was not cut")

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_line_that_dies_without_a_word(self):
        """Neither side sees an end: over there it is the silence that tells, here that nothing is answered."""
        line = self.line()
        with self.working(self.matrix(flags=[[]])) as process:
            line.swallow()
            self.wait_until(lambda: not self.over_there(), "the board does not see that nobody listens")
            self.let_go_on()
            self.check_ok(process)

    @unittest.skipUnless(boards.LONG and ROOT, "takes long, and root")
    def test_a_network_whose_link_goes_down_and_comes_back(self):
        name, peer = "bmt%d" % (os.getpid() % 100000), "bmu%d" % (os.getpid() % 100000)

        def ip(*words):
            return subprocess.run(["ip", *words], capture_output=True, text=True, check=False)

        if shutil.which("ip") is None or ip("netns", "add", name).returncode != 0:
            self.skipTest("no network namespaces here (package iproute2)")
        self.addCleanup(ip, "netns", "del", name)
        net = "10.%d.%d." % (os.getpid() >> 8 & 255, os.getpid() & 255)
        for words in (["link", "add", peer, "type", "veth", "peer", "name", "eth0", "netns", name], ["addr", "add", net + "1/24", "dev", peer],
                      ["link", "set", peer, "up"], ["-n", name, "addr", "add", net + "2/24", "dev", "eth0"], ["-n", name, "link", "set", "eth0", "up"]):
            done = ip(*words)
            if done.returncode != 0:
                self.skipTest(done.stderr)
        other = boards.Board(self.world, address=net + "2", prefix=("ip", "netns", "exec", name))
        self.addCleanup(other.remove)
        other.write_agents(other.agent())
        with self.working(self.matrix(flags=[[]])) as process:
            ip("link", "set", peer, "down")
            self.wait_until(lambda: not self.over_there(), "the board does not see that nobody listens")
            self.let_go_on()
            ip("link", "set", peer, "up")
            self.check_ok(process)

    # --- what a board lacks ---

    def check_refused(self, pattern):
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]], invocations=1)), 1, self.site.text())
        self.assertRegex(self.reasons()[0], pattern)
        self.assertNotIn("crashed", self.site.text())

    @unittest.skipUnless(ROOT, "root mounts")
    def test_a_disk_there_that_is_too_small_for_the_program(self):
        self.small_disk("size=16k")
        self.check_refused("(?i)cannot be written: .*No space left on device")

    @unittest.skipUnless(ROOT, "root mounts")
    def test_a_disk_there_that_fills_up_while_a_program_runs(self):
        self.small_disk("size=4m")
        with self.working(self.matrix(flags=[[]], invocations=1)) as process:
            with contextlib.suppress(OSError), open(os.path.join(self.board.folder, "filler"), "wb") as filler:
                filler.write(bytes(8 << 20))
            self.let_go_on()
            self.assertEqual(process.wait(boards.PATIENCE), 0, self.site.text())
        self.assertEqual(set(self.states().values()), {"ok"})
        os.remove(os.path.join(self.board.folder, "filler"))
        self.check_left_alone()

    @unittest.skipUnless(ROOT, "root mounts")
    def test_a_folder_there_whose_programs_cannot_be_executed(self):
        self.small_disk("size=16m,noexec")
        self.check_refused("no program can be executed there")

    @unittest.skipUnless(shutil.which("aarch64-linux-gnu-gcc") and os.uname().machine != "aarch64", "no compiler for another architecture")
    def test_a_program_of_another_architecture(self):
        """agents.json says that the board runs it, the board knows better: nothing is sent."""
        self.world.write("config/benchmatrix/toolchains/other-gcc.json", world.read(os.path.join(world.SOURCE, "toolchains", "aarch64-gcc.json")))
        shutil.rmtree(self.board.folder, ignore_errors=True)
        self.board.write_agents(self.board.agent(toolchains=["other-gcc"]))
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]], toolchains=["other-gcc"], invocations=1)), 3, self.site.text())
        self.assertIn("the machine runs %s, not aarch64" % os.uname().machine, self.reasons()[0])
        self.assertFalse(os.path.exists(self.board.folder))

    def test_a_clock_there_that_steps_back(self):
        """A day, as soon as a program has begun: how long it took is as it was."""
        words = {**self.world.preload("step_back"), "STEPS_WITH": self.world.log}
        self.board.configure(words)
        self.addCleanup(self.board.start)
        self.addCleanup(self.board.kill)
        self.addCleanup(self.board.configure)
        self.board.kill()
        self.board.start()
        with self.started("run", self.matrix(flags=[[]])) as process:
            self.check_ok(process)
        for seconds, in self.site.ask("SELECT seconds FROM process"):
            self.assertTrue(0 <= seconds < 600, seconds)

    def test_programs_run_on_the_processor_that_they_are_pinned_to(self):
        self.board.write_agents(self.board.agent(pin=0))
        with self.working(self.matrix(flags=[[]], invocations=1)) as process:
            pids = [pid for pid, text in self.over_there().items() if "/programs/" in text and "bm-remote" not in text]
            self.assertTrue(pids, self.over_there())
            for pid in pids:
                self.assertIn("Cpus_allowed_list:\t0\n", world.read("/proc/%d/status" % pid))
            self.let_go_on()
            self.check_ok(process)

    # --- programs ---

    def ends(self, what):
        self.do(what)
        self.site.run("run", self.matrix(flags=[[]], invocations=1, benchmarks=["sha-256 hash"]))
        self.check_left_alone()
        return self.site.text()

    def test_a_program_that_crashes_there_is_told_with_its_signal(self):
        self.assertIn("SIGABRT", self.ends("crash"))

    def test_a_program_that_dies_within_a_line(self):
        self.assertRegex(self.ends("half"), "sha-256 hash.*exit status 1|exit status 1")
        self.assertEqual(self.site.ask("SELECT count(*) FROM measurement AS m JOIN series_wide AS w ON w.series_id = m.series_id WHERE w.metric = 'time'"), [(0,)])

    @unittest.skipUnless(boards.LONG, "takes long")
    def test_a_program_that_prints_without_end(self):
        self.assertRegex(self.ends("flood"), "more than|too much|ceiling|without end")

    # --- us ---

    @unittest.skipUnless(ROOT, "root mounts")
    def test_a_full_disk_here_while_a_board_works(self):
        disk = os.path.join(self.site.folder, "disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting a small file system is not permitted here")
        self.addCleanup(subprocess.run, ["umount", "--lazy", disk], check=False)
        self.site = world.Site(self.world, self.name + "-full", db=os.path.join(disk, "results.db"), cache=self.cache)
        matrix, filler = self.matrix(flags=[[]]), os.path.join(disk, "filler")
        with self.working(matrix) as process:
            with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as file:
                while file.write(bytes(4096)):
                    pass
            self.let_go_on()
            self.assertEqual(process.wait(boards.PATIENCE), 1, self.site.text())
            self.assertRegex(self.site.text(), "(?i)no space left|is full")
        self.check_left_alone()
        os.remove(filler)
        with self.started("run", matrix, "--resume") as process:
            self.check_ok(process)

    def three(self):
        """Three boards: this one, with three folders."""
        folders = [self.board.folder, *(os.path.join(self.world.folder, "board-%d" % i) for i in (2, 3))]
        self.board.write_agents(*(self.board.agent(name="board-%d" % i, folder=folder, facts={"name": "desk-%d" % i}) for i, folder in enumerate(folders)))
        return folders

    def test_killed_while_three_boards_work_nothing_is_lost_or_doubled(self):
        folders = self.three()
        matrix = self.matrix(flags=[[]], agents=["board-0", "board-1", "board-2"])
        with self.working(matrix) as process:
            self.wait_until(lambda: len([text for text in self.begun() if " 0:" in text]) >= 3, self.site.text())
            process.kill()
        for folder in folders:
            self.wait_until(lambda folder=folder: not [text for text in world.processes_of(folder).values() if "ssh " not in text], folder)
            self.wait_until(lambda folder=folder: os.listdir(folder) == ["programs"], folder)
        self.let_go_on()
        self.assertEqual(self.site.run("run", matrix, "--resume"), 0, self.site.text())
        self.assertEqual(list(self.states().values()), ["ok"] * 3)
        self.check_once()

    def waiting_there(self):
        """The shell that waits for the program: the others are below it."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):
                words = world.read("/proc/%s/cmdline" % pid).split("\0")
                if words[0] == "sh" and words[3:6] == ["bm-remote", "run", self.board.folder]:
                    found.append(int(pid))
        return min(found)

    def test_settings_are_put_back_whoever_is_killed(self):
        sys = os.path.join(self.site.folder, "sys")
        switch = os.path.join(sys, "devices/system/cpu/cpu0/cpufreq/scaling_governor")
        world.write(switch, "powersave\n")
        self.board.write_agents(self.board.agent(settings={"governor": "performance"}))
        matrix = self.matrix(flags=[[]], invocations=1)
        for victim in ("here", "sshd", "the one that waits there"):
            with self.subTest(victim), self.working(matrix, "--fresh", environment={"BENCHMATRIX_SYSFS": sys}) as process:
                self.assertEqual(world.read(switch), "performance\n")
                if victim == "here":
                    process.kill()
                elif victim == "sshd":
                    self.board.kill()
                else:
                    os.kill(self.waiting_there(), signal.SIGKILL)
                self.wait_until(lambda: world.read(switch) == "powersave\n", "the board is not as it was")
                self.let_go_on()
                self.board.restart()
                process.kill()
            self.check_left_alone()
            self.site = world.Site(self.world, "%s-%s" % (self.name, victim.replace(" ", "-")), cache=self.cache)


if __name__ == "__main__":
    unittest.main(verbosity=2)
