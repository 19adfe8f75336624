"""Boards for tests: a real sshd with own configuration, keys and port. The library is a small one, of the tests of faults. BM_LONG=1: those
that wait for boards, too."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.environ["BM_SOURCE"], "tests", "faults"))
import world  # noqa: E402

LONG = bool(os.environ.get("BM_LONG"))
# Whoever runs these on a busy machine needs patience; nothing is proved by speed.
PATIENCE = 120
HOSTILE = "it's \"x\" $(touch pwned) `touch pwned` ; touch pwned \\ %s"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def keygen(file):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file], check=True)


MISBEHAVE = r"""
static void misbehave(void)
{
	if (access("%(do)s/stay", F_OK) == 0)
		pause();
	while (access("%(do)s/wait", F_OK) == 0)
		usleep(20000);
	if (access("%(do)s/stay-there", F_OK) == 0 && getenv("BM_JOB"))
		pause();
	if (access("%(do)s/rubbish", F_OK) == 0)
		printf("\001\002rubbish \033[31m {\"half\": \n");
	while (access("%(do)s/flood", F_OK) == 0)
		puts("{\"r\":\"more\",\"and\":\"more and more and more and more\"}");
	if (access("%(do)s/half", F_OK) == 0 && printf("{\"r\":\"benchmark\",\"na") > 0 && fflush(stdout) == 0)
		_exit(1);
	if (access("%(do)s/crash", F_OK) == 0)
		abort();
	if (access("%(do)s/fork", F_OK) != 0 || fork() != 0)
		return;
	tell("forked", "child");
	setsid();
	for (;;)
		pause();
}

"""


class Board:
    """A sshd, and what a user has to reach it. `folder` is over there."""

    def __init__(self, site_world, address="127.0.0.1", prefix=(), user=None):
        self.address, self.prefix, self.user = address, prefix, user
        # Beside the world's folder: what runs below that is of the board's programs.
        self.own = tempfile.mkdtemp(prefix="sshd-", dir=os.path.realpath(world.WORK))
        self.folder = os.path.join(site_world.folder, "the board's $(touch pwned)")
        self.world = site_world
        self.port = free_port()
        self.daemon = None
        for name in ("host", "key", "other"):
            keygen(self.path(name))
        shutil.copy(self.path("key.pub"), self.path("authorized"))
        self.configure()
        self.reach(self.port)
        self.know("host")
        self.start()

    def path(self, name):
        return os.path.join(self.own, name)

    def configure(self, environment=()):
        """What sshd reads when it starts. Bash takes a session without SHLVL for one to read ~/.bashrc in, which may be long."""
        words = " ".join("%s=%s" % pair for pair in {"SHLVL": "1", **dict(environment)}.items())
        world.write(self.path("sshd_config"), "Port %d\nListenAddress %s\nHostKey %s\nPidFile none\nAuthorizedKeysFile %s\nUsePAM no\nStrictModes no\n"
                    "PasswordAuthentication no\nPermitRootLogin yes\nMaxStartups 1000\nMaxSessions 100\nSetEnv %s\n" % (self.port, self.address, self.path("host"), self.path("authorized"), words))

    def reach(self, port):
        """The user's ssh goes to this port: the board's, or one that leads there."""
        world.write(self.path("ssh_config"), "Host desk\n%s HostName %s\n HostKeyAlias desk\n Port %d\n IdentityFile %s\n IdentitiesOnly yes\n"
                    " UserKnownHostsFile %s\n GlobalKnownHostsFile none\n StrictHostKeyChecking yes\n"
                    % (" User %s\n" % self.user if self.user else "", self.address, port, self.path("key"), self.path("known")))

    def know(self, key):
        """The user has seen this key of the board."""
        world.write(self.path("known"), "desk %s" % world.read(self.path(key + ".pub")))

    def start(self):
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.daemon = subprocess.Popen([*self.prefix, "/usr/sbin/sshd", "-D", "-f", self.path("sshd_config"), "-E", self.path("log")])
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection((self.address, self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("sshd does not listen:\n" + world.read(self.path("log")))

    def sessions(self):
        """Its processes of connections: those below it."""
        found, parents = [], {self.daemon.pid}
        rows = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout.splitlines()
        for pid, parent, name in sorted((int(row.split()[0]), int(row.split()[1]), row.split()[2]) for row in rows):
            if parent in parents and name.startswith("sshd"):
                found.append(pid)
                parents.add(pid)
        return found

    def kill(self):
        """Power is cut, as far as sshd goes: what it had started goes on."""
        for pid in [self.daemon.pid, *self.sessions()]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.daemon.wait()

    def restart(self):
        """Where a test has left it without."""
        if self.daemon.poll() is not None:
            self.start()

    def remove(self):
        self.kill()
        shutil.rmtree(self.own, ignore_errors=True)

    def agent(self, **more):
        return {"name": "board", "kind": "ssh", "host": "desk", "config": self.path("ssh_config"), "folder": self.folder,
                "facts": {"name": "Desk", "link": HOSTILE}, **more}

    def write_agents(self, *agents):
        self.world.write("config/benchmatrix/agents.json", json.dumps({"agents": agents}))


@unittest.skipUnless(os.path.exists("/usr/sbin/sshd"), "sshd is not installed (package openssh-server)")
class Ssh(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world.World()
        cls.addClassCleanup(cls.world.remove)
        cls.board = cls.make_board()
        cls.addClassCleanup(cls.board.remove)
        adapter = world.read(os.path.join(world.HERE, "tiny_adapter.c"))
        at = "\ttell(\"begin\", names[work->id]);\n"
        assert at in adapter
        # Programs that misbehave where a file in the world's folder "do" says so.
        cls.world.write("config/benchmatrix/libs/tiny.c", adapter.replace(at, at + "\tmisbehave();\n").replace("static int setup(", MISBEHAVE % {
            "do": os.path.join(cls.world.folder, "do")} + "static int setup(", 1))
        cls.cache = os.path.join(cls.world.folder, "cache")

    @classmethod
    def make_board(cls):
        return Board(cls.world)

    def setUp(self):
        self.name = self.id().rsplit(".", 1)[1]
        self.board.write_agents(self.board.agent())
        self.board.know("host")
        self.site = world.Site(self.world, self.name, cache=self.cache)
        for name in os.listdir(os.path.join(self.world.folder, "do")):
            os.remove(os.path.join(self.world.folder, "do", name))

    def matrix(self, **more):
        text = {**world.MATRIX, "agents": ["board"], "invocations": 2, "benchmarks": ["sha-256 hash", "rsa-2048 private"], **more}
        file = os.path.join(self.world.folder, self.name + ".json")
        world.write(file, json.dumps(text))
        return file

    @contextlib.contextmanager
    def started(self, *arguments):
        """A run that is killed where the test fails meanwhile."""
        with self.site.start(*arguments) as process:
            try:
                yield process
            finally:
                process.kill()

    def do(self, what):
        self.world.write("do/" + what, "")

    def wait_until(self, holds, what):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.05)

    def over_there(self):
        """What runs of the board's programs."""
        return {pid: line for pid, line in world.processes_of(self.board.folder).items() if "ssh " not in line}

    def check_left_alone(self):
        self.wait_until(lambda: not self.over_there(), "left over there: %s" % self.over_there())
        # Who has ended the program clears up after it.
        self.wait_until(lambda: os.listdir(self.board.folder) == ["programs"], "left in the board's folder")
        self.assertFalse([name for name in os.listdir(self.world.folder) if name == "pwned"])

    def states(self, run=1):
        return dict(self.site.ask("SELECT name, state FROM cell_state WHERE run_id = ? AND name LIKE '% on %'", run))

    def reasons(self):
        return [reason for reason, in self.site.ask("SELECT reason FROM cell_state WHERE reason IS NOT NULL")]
