"""A board whose user is not root, where the tests are: in a world where a user of the tests' own is known, and which that user can read."""

import os
import shutil
import subprocess
import tempfile
import unittest

import boards
import world

USER, UID = "benchmatrix-test", 54321


@unittest.skipUnless(os.geteuid() == 0, "who is no root logs in as no root in the other tests")
class User(boards.Ssh):
    @classmethod
    def setUpClass(cls):
        # Not within a chroot, whose root is no mount of its own.
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            raise unittest.SkipTest("no mount namespaces here")
        cls.before, world.WORK = world.WORK, tempfile.mkdtemp(prefix="bm-user-")
        cls.addClassCleanup(setattr, world, "WORK", cls.before)
        cls.addClassCleanup(shutil.rmtree, world.WORK, True)
        os.chmod(world.WORK, 0o755)
        super().setUpClass()

    @classmethod
    def make_board(cls):
        """Its sshd sees a list of users with one more, in a mount namespace of its own."""
        home, users = os.path.join(cls.world.folder, "home"), os.path.join(cls.world.folder, "passwd")
        world.write(users, "%s%s:x:%d:65534::%s:/bin/sh\n" % (world.read("/etc/passwd"), USER, UID, home))
        os.mkdir(home)
        os.chown(home, UID, 65534)
        # What its programs tell goes into the world's log.
        os.chmod(cls.world.folder, 0o755)
        os.chmod(cls.world.log, 0o666)
        board = boards.Board(cls.world, prefix=("unshare", "--mount", "sh", "-c", 'mount --bind "$0" /etc/passwd && exec "$@"', users), user=USER)
        board.folder = os.path.join(home, "the board's $(touch pwned)")
        os.chmod(board.own, 0o755)
        return board

    def test_cells_run_there_and_the_board_is_left_as_it_was(self):
        self.assertEqual(self.site.run("run", self.matrix()), 0, self.site.text())
        self.assertEqual(list(self.states().values()), ["ok", "ok"], self.site.text())
        for path in (self.board.folder, os.path.join(self.board.folder, "programs")):
            self.assertEqual(os.stat(path).st_uid, UID)
        self.check_left_alone()

    def test_what_is_not_the_users_is_told(self):
        """A folder that only root may write, and a setting that only root may make."""
        self.board.write_agents(self.board.agent(folder="/root/none"))
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]])), 1, self.site.text())
        self.assertIn("/root/none: cannot be made, or not written to", self.reasons()[0])
        sys = os.path.join(self.world.folder, "sys")
        world.write(os.path.join(sys, "devices/system/cpu/cpu0/cpufreq/scaling_governor"), "powersave\n")
        self.board.write_agents(self.board.agent(settings={"governor": "performance"}))
        self.site = world.Site(self.world, self.name + "-settings", cache=self.cache)
        self.assertEqual(self.site.run("run", self.matrix(flags=[[]]), environment={"BENCHMATRIX_SYSFS": sys}), 1, self.site.text())
        self.assertIn("may not be written by %s" % USER, self.reasons()[0])
        self.check_left_alone()


if __name__ == "__main__":
    unittest.main(verbosity=2)
