"""Compilers, emulators and programs that do not behave."""

import json
import os
import signal

import world


class Strangers(world.Faults):
    def do(self, what):
        """Asks the compiler for a misdeed, until the test has ended."""
        path = os.path.join(self.world.folder, "do", what)
        world.write(path, "")
        self.addCleanup(lambda: os.path.exists(path) and os.remove(path))
        return path

    def test_compiler_that_hangs(self):
        """It ignores every signal that it can; Ctrl-C ends it all the same, and what is not made is made later."""
        hang = self.do("hang")
        with self.site.start("run", self.world.matrix) as process:
            self.wait_until(lambda: any(line.startswith("hang") for line in self.site.lines()), 60, "the compiler hangs")
            process.send_signal(signal.SIGINT)
            status = process.wait(20)
        self.assertEqual(status, 1, self.site.text())
        self.check_nothing_runs()
        self.assertEqual(self.site.ask("SELECT DISTINCT state FROM build"), [("cancelled",)])
        os.remove(hang)
        self.finish(self.site)
        self.check_as_undisturbed(self.site)

    def test_compiler_that_leaves_a_daemon(self):
        """Each call leaves a process in a session of its own behind: it does not outlive the step, and nothing is held up by it."""
        self.do("daemon")
        self.assertEqual(self.site.run("run", self.world.matrix), 0, self.site.text())
        self.check_as_undisturbed(self.site)

    def test_emulators_that_spoil_the_stream(self):
        ways = ("flood", "half", "hang", "nul", "session")
        for how in ways:
            self.world.install("fault-emulator", "bin/emulator-" + how, HOW=how)
            self.world.toolchain("gcc-" + how, {"emulator": os.path.join(self.world.folder, "bin", "emulator-" + how)})
        matrix = {**world.MATRIX, "flags": [[]], "agents": ["qemu-user"], "toolchains": ["gcc-" + how for how in ways], "deadlines": {"start": 8}}
        path = os.path.join(self.world.folder, "strangers.json")
        world.write(path, json.dumps(matrix))
        status = self.site.run("run", path)
        self.assertEqual(status, 1, self.site.text())
        self.assertIn("no output for 8 s", self.site.text())
        self.check_nothing_runs()
        self.check_database(self.site)
        self.assertEqual(self.site.left_over(), [])

        found = {name.split()[0]: result for name, result in world.results_of(self.site, 1).items()}
        (_, outcomes, figures, _), = [result for name, result in self.expected.items() if " default " in name and "count" in name]
        states = {name: result[0] for name, result in found.items()}
        self.assertEqual(states, {
            "gcc-flood": ("failed", "ok", "truncated"),  # stopped at the ceiling, without a record
            "gcc-half": ("partial", "ok", "truncated"),  # only its end record is cut
            "gcc-hang": ("failed", "ok", "timeout"),
            "gcc-nul": ("partial", "ok", "truncated"),  # one line could not be read
            "gcc-session": ("ok", "ok", "ok"),
        })
        self.assertEqual(found["gcc-flood"][1:3], ([], []))
        self.assertEqual(found["gcc-hang"][1:3], ([], []))
        # What came whole is kept as it would have been.
        self.assertEqual(found["gcc-half"][1:3], (outcomes, figures))
        self.assertEqual(found["gcc-session"][1:3], (outcomes, figures))
        problems = dict(self.site.ask("SELECT c.name, sum(a.problems) FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id GROUP BY 1"))
        self.assertGreater(next(n for name, n in problems.items() if "gcc-nul" in name), 0)
        self.assertEqual(next(n for name, n in problems.items() if "gcc-session" in name), 0)


if __name__ == "__main__":
    world.main()
