"""What the tests of nightly share: a git repository with a library in it, and nights over its commits."""

import json
import os
import re
import subprocess
import unittest

FIGURES = """SELECT value FROM result WHERE benchmark = ? AND metric = 'instructions' AND version = ? ORDER BY measurement_id"""


class Nights(unittest.TestCase):
    """`world` and `matrix` are set by the test; `repository` is the folder of commits."""

    def git(self, *arguments):
        # The same commits have the same names in each test, so that what one has built the next one finds.
        date = {"GIT_%s_DATE" % who: "2026-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")}
        return subprocess.run(["git", "-C", self.repository, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], check=True,
                              capture_output=True, text=True, env={**os.environ, **date}).stdout.strip()

    def init(self):
        self.git("init", "-q", "-b", "main")
        return self.commit("the beginning")

    def commit(self, words):
        """The commit of all that is there."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", words)
        return self.git("rev-parse", "HEAD")

    def write_matrix(self, **more):
        self.world.write("config/benchmatrix/matrices/%s.json" % self.matrix, json.dumps(
            {**self.MATRIX, "versions": [{"name": "main", "git": {"repository": self.repository, "ref": "main"}}], **more}))

    def night(self, *arguments, status=0):
        """Its standard output, and the report that it kept."""
        got, out, err = self.world.run("nightly", self.matrix, *arguments)
        self.assertEqual(got, status, out + err)
        return out, self.report()

    def report(self):
        return json.loads(self.world.ask("SELECT report FROM night AS n JOIN run AS r ON r.id = n.run_id ORDER BY r.started_at DESC LIMIT 1")[0][0])

    def alarms(self):
        """Of counts, in order."""
        return self.world.ask("SELECT a.kind, a.revision_before, a.revision_after FROM alarm AS a JOIN series_wide AS w ON w.series_id = a.series_id"
                              " WHERE w.metric = 'instructions' ORDER BY a.run_id, a.series_id")

    def assert_quiet(self, out, report):
        self.assertEqual((report["changes"], report["failures"], report["status"]), ([], [], 0))
        self.assertIn("no change", out.split("\n")[0])
        self.assertGreater(report["compared"], 0)

    def counted(self, report):
        """The changes of counts: sizes, which move with them, are changes of their own."""
        return [change for change in report["changes"] if any(series["metric"] == "instructions" for series in change["series"])]

    def kinds(self, report):
        return [change["kind"] for change in self.counted(report)]

    def assert_change(self, out, report, kind, before, after, title):
        """The only change of the night's counts."""
        self.assertEqual(self.kinds(report), [kind])
        change = self.counted(report)[0]
        self.assertEqual((change["from"], change["to"]), (before, after))
        self.assertRegex(out, r"(?m)^%s: %s main %s" % (title, self.MATRIX["library"], re.escape(before[:12])))
        return change
