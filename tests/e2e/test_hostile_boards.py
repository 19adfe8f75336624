"""Hostile words in every field that a user, a board, a library or a file can give: never run, always escaped where they are shown, and cut where they
have no end. The board lies by programs of its own (uname, dd, getconf), which its sshd puts first in PATH."""

import os
import re
import unittest

import boards
from boards import world

MARKUP = "<script>alert(1)</script>"
EVIL = "e\033[31m\033]0;x\007\u202e\x9b2J" + MARKUP + "$(touch pwned)`touch pwned`';\"|touch pwned"
# What a board says of itself: SAYS is a file, so that the words need no quoting here.
UNAME = """#!/bin/sh
case $1 in
-n) cat @BIN@/says; head -c 1000000 /dev/zero | tr '\\000' n ;;
-r) cat @BIN@/says ;;
*) exec /bin/uname "$@" ;;
esac
"""
DD = """#!/bin/sh
case $1 in
if=/proc/cpuinfo) printf 'processor : 0\\nmodel name : '; cat @BIN@/says; printf '\\000\\001 x\\nflags : aes '; cat @BIN@/says; printf '\\n' ;;
if=/etc/os-release) printf 'PRETTY_NAME="'; cat @BIN@/says; head -c 300000 /dev/zero | tr '\\000' o; printf '"\\n' ;;
if=/proc/meminfo) printf 'MemTotal: -99999999999999999999 kB\\n' ;;
*) exec /bin/dd "$@" ;;
esac
"""
GETCONF = """#!/bin/sh
cat @BIN@/says
"""
TEXT_MAX = 40000


class HostileBoards(boards.Ssh):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = os.path.join(cls.world.folder, "lies")
        os.makedirs(folder)
        with open(os.path.join(folder, "says"), "w", encoding="utf-8") as file:
            file.write(EVIL)
        for name, text in (("uname", UNAME), ("dd", DD), ("getconf", GETCONF)):
            world.write(os.path.join(folder, name), text.replace("@BIN@", folder), 0o755)
        cls.board.kill()
        cls.board.configure({"PATH": folder + ":/usr/bin:/bin"})
        cls.board.start()
        # The library says such a version of itself.
        adapter = world.read(os.path.join(cls.world.folder, "config/benchmatrix/libs/tiny.c"))
        text = "".join("\\%03o" % byte for byte in EVIL.encode())
        assert adapter.count('return "1.0";') == 1
        cls.world.write("config/benchmatrix/libs/tiny.c", adapter.replace('return "1.0";', 'return "1.0 %s";' % text))

    def evil_agent(self, **more):
        facts = {"name": MARKUP + " $(touch pwned)", "board": boards.HOSTILE, "link": MARKUP + "\u202e\x9b2J", "a-_9": "../../../etc/passwd", "flash": "%s%n%x"}
        return self.board.agent(facts=facts, **more)

    def check_shown(self, *arguments, status=0):
        """Runs a command; what it prints has no control character, and an end."""
        self.assertEqual(self.site.run(*arguments), status, self.site.text()[:5000])
        text = self.site.text()
        self.assertEqual({c for c in text if not c.isprintable() and c not in "\n\t"}, set(), " ".join(arguments))
        self.assertLess(len(text), TEXT_MAX, " ".join(arguments))
        return text

    def check_nothing_ran(self):
        for path, _, names in os.walk(self.world.folder):
            self.assertNotIn("pwned", names, path)

    def test_what_a_board_says_of_itself_is_escaped_and_cut(self):
        self.board.write_agents(self.evil_agent())
        text = self.check_shown("agents", "check", "board")
        for words in ("\\x1b[31m", "\\u202e", "%s%n%x"):
            self.assertIn(words, text)
        self.check_nothing_ran()

    def test_a_run_there_keeps_and_shows_them_as_text(self):
        # Its lock is called after such a name, which has a path's separator in it and no end: over there, that is refused.
        self.board.write_agents(self.evil_agent())
        self.check_shown("run", self.matrix(flags=[[]], invocations=1), status=1)
        self.assertTrue(self.reasons()[0])
        with open(os.path.join(self.world.folder, "lies", "uname"), encoding="utf-8") as file:
            whole = file.read()
        self.addCleanup(world.write, os.path.join(self.world.folder, "lies", "uname"), whole, 0o755)
        world.write(os.path.join(self.world.folder, "lies", "uname"), whole.replace(
            "head -c 1000000 /dev/zero | tr '\\000' n", ":").replace("-n) cat @BIN@/says".replace("@BIN@", os.path.join(self.world.folder, "lies")),
                                                                     "-n) tr / _ < %s" % os.path.join(self.world.folder, "lies", "says")), 0o755)
        self.check_shown("run", self.matrix(flags=[[]], invocations=1))
        self.assertIn("ok", self.states(2).values())
        self.check_left_alone()
        names = [name for name, in self.site.ask("SELECT name FROM platform")]
        self.assertEqual([name for name in names if not re.fullmatch(r"[a-z0-9-]{1,160}", name)], [])
        for value, in self.site.ask("SELECT value FROM platform_fact"):
            self.assertLessEqual(len(value.encode()), 4096)
        for command in (("show", "platform"), ("show", "run"), ("show", "cell"), ("show", "cell", "--log"), ("show", "build"), ("list", "agents"), ("list", "runs"),
                        ("query",), ("query", "--rows", "platform,benchmark"), ("query", "--format", "markdown"), ("query", "--format", "csv"),
                        ("query", "--format", "json"), ("query", "--format", "html")):
            text = self.check_shown(*command)
            if "html" in command:
                self.assertNotIn("<script>alert", text)
        self.check_nothing_ran()

    def test_the_report_has_no_markup_of_theirs(self):
        self.board.write_agents(self.evil_agent(), {"name": "here", "kind": "local", "facts": {"name": MARKUP, "board": MARKUP + EVIL.replace("\033", "").replace("\007", "")}})
        self.check_shown("run", self.matrix(agents=["here"], flags=[[]], invocations=1))
        folder = os.path.join(self.site.folder, "site")
        self.check_shown("report", "-o", folder)
        pages = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names if name.endswith(".html")]
        self.assertTrue(pages)
        for page in pages:
            self.assertNotIn("<script>alert", world.read(page), page)
            self.assertNotIn("\033", world.read(page), page)
        self.assertTrue([page for page in pages if "alert(1)" in world.read(page)], "the words are nowhere to be seen")
        self.check_nothing_ran()

    def test_hostile_hosts_and_folders_and_files_are_words(self):
        config = os.path.join(self.board.own, "it's $(touch pwned) `touch pwned`")
        with open(config, "w", encoding="utf-8") as file:
            file.write(world.read(self.board.path("ssh_config")))
        self.board.write_agents(self.evil_agent(config=config))
        self.check_shown("agents", "check", "board")
        for host in ("$(touch pwned)", "`touch pwned`", "desk;touch pwned", "desk touch pwned", "x@$(touch pwned)", MARKUP, "\u202edesk"):
            self.board.write_agents(self.evil_agent(host=host))
            self.check_shown("agents", "check", "board", status=1)
        self.board.write_agents(self.evil_agent(folder=os.path.join(self.world.folder, EVIL.replace("\033", "").replace("\007", "").replace("/", "_"))))
        self.check_shown("agents", "check", "board")
        self.check_nothing_ran()

    def test_names_of_imported_files_are_words(self):
        name = os.path.join(self.site.folder, EVIL.replace("/", "_") + ".txt")
        world.write(name, "AES-128-CBC-enc 120 MB took 1.000 seconds, 119.5 MB/s\nSHA-256 50 %s MB\n" % EVIL)
        self.site.run("import", name, "--format", "wolfcrypt", "--platform", "desk")
        self.assertEqual({c for c in self.site.text() if not c.isprintable() and c not in "\n\t"}, set())
        for command in (("list", "imports"), ("list", "readings"), ("query", "source=imported")):
            self.site.run(*command)
            self.assertEqual({c for c in self.site.text() if not c.isprintable() and c not in "\n\t"}, set(), command)
        self.check_nothing_ran()


del boards.Ssh
if __name__ == "__main__":
    unittest.main(verbosity=2)
