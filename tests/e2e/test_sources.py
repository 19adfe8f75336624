"""Where sources come from: tarballs over a network with faults, and refs of git repositories that move."""

import hashlib
import http.server
import json
import os
import shutil
import sqlite3
import subprocess
import threading
import unittest

import bm

LIBRARY = {
    "summary": "a library in small",
    "versions": [{"name": "1.0", "debian": {"package": "tiny", "suite": "bookworm"}}],
    "recipe": {"name": "autotools", "prepare": ["./prepare"], "configure": [], "targets": ["lib/libtiny.a"], "archive": "lib/libtiny.a",
               "config_header": "config.h"},
    "program": {"includes": ["."], "cflags": ["-include", "{build}/config.h"], "libs": []},
    "profiles": [{"name": "crypto", "summary": "all of it"}],
    "flags": [{"name": "table", "summary": "a table", "configure": ["--enable-table"]}],
}


class Server(http.server.ThreadingHTTPServer):
    """Serves one file under names that say what goes wrong."""

    def __init__(self, body):
        super().__init__(("127.0.0.1", 0), Handler)
        self.body = body
        self.asked = []  # (path, range)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, name):
        return "http://127.0.0.1:%d/%s" % (self.server_address[1], name)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        server, name = self.server, self.path.lstrip("/")
        wanted = self.headers.get("Range")
        times = sum(1 for path, _ in server.asked if path == name)
        server.asked.append((name, wanted))
        begin = 0
        if name == "missing":
            self.send_error(404)
            return
        if name == "busy" and times == 0:
            self.send_error(503)
            return
        if wanted and name != "whole-only":
            begin = int(wanted.split("=")[1].rstrip("-"))
            if begin >= len(server.body):
                self.send_error(416)
                return
        self.send_response(206 if begin else 200)
        if begin:
            self.send_header("Content-Range", "bytes %d-%d/%d" % (begin, len(server.body) - 1, len(server.body)))
        self.send_header("Content-Length", str(len(server.body) - begin))
        self.end_headers()
        body = server.body[begin:]
        if name in ("cut", "whole-only") and times < 2:
            body = body[:len(body) // 2]
            self.close_connection = True
        self.wfile.write(body)


class Sources(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = world = bm.World("sources")
        world.cache = os.path.join(world.folder, "cache")
        cls.tiny = shutil.copytree(os.path.join(bm.SOURCE, "tests", "fixtures", "build_tiny"), os.path.join(world.folder, "tiny"))
        os.makedirs(os.path.join(world.config, "benchmatrix", "libs"))
        shutil.copy(os.path.join(bm.SOURCE, "tests", "fixtures", "core_fake.c"), os.path.join(world.config, "benchmatrix", "libs", "tiny.c"))
        world.write("config/benchmatrix/libs/tiny.json", json.dumps(LIBRARY))
        # Of no small size, so that half of it is more than what buffers hold.
        with open(os.path.join(cls.tiny, "ballast"), "wb") as file:
            file.write(os.urandom(600000))
        archive = os.path.join(world.folder, "tiny-1.1.tar.gz")
        subprocess.run(["tar", "-C", world.folder, "-czf", archive, "--transform", "s,^tiny,tiny-1.1,", "tiny"], check=True)
        with open(archive, "rb") as file:
            cls.body = file.read()
        cls.sha256 = hashlib.sha256(cls.body).hexdigest()

    def run_with(self, version, *options, matrix="m.json"):
        self.world.write(matrix, json.dumps({
            "library": "tiny", "versions": [version], "toolchains": ["x86_64-gcc"], "agents": ["qemu-user"], "benchmarks": ["sha-256 hash"]}))
        return self.world.run("run", matrix, *options)

    def forget(self):
        for kind in ("sources", "libraries", "programs"):
            shutil.rmtree(os.path.join(self.world.cache, kind), ignore_errors=True)

    def tarball(self, server, name, sha256=None):
        self.forget()
        return self.run_with({"name": "1.1", "tarball": {"url": server.url(name), "sha256": sha256 or self.sha256}})

    def test_a_tarball_is_fetched_once(self):
        server = Server(self.body)
        status, out, _ = self.tarball(server, "good")
        self.assertEqual(status, 0, out)
        self.assertEqual(server.asked, [("good", None)])
        self.assertEqual(self.world.ask("SELECT DISTINCT revision FROM build WHERE state = 'ok' AND revision LIKE 'sha256:%'"),
                         [("sha256:" + self.sha256[:12],)])
        self.run_with({"name": "1.1", "tarball": {"url": server.url("good"), "sha256": self.sha256}})
        self.assertEqual(len(server.asked), 1)
        self.assertEqual(os.listdir(os.path.join(self.world.cache, "downloads")), [])

    def test_a_transfer_that_is_cut_goes_on_where_it_stopped(self):
        server = Server(self.body)
        status, out, _ = self.tarball(server, "cut")
        self.assertEqual(status, 0, out)
        half = len(self.body) // 2
        self.assertEqual([wanted for _, wanted in server.asked], [None, "bytes=%d-" % half, "bytes=%d-" % (half + (len(self.body) - half) // 2)])

    def test_a_server_that_cannot_go_on_is_asked_for_all(self):
        server = Server(self.body)
        status, out, _ = self.tarball(server, "whole-only")
        self.assertEqual(status, 0, out)

    def test_a_busy_server_is_asked_again(self):
        server = Server(self.body)
        status, out, _ = self.tarball(server, "busy")
        self.assertEqual(status, 0, out)
        self.assertEqual(len(server.asked), 2)

    def test_another_file_than_meant_is_refused_and_not_kept(self):
        server = Server(self.body)
        status, out, _ = self.tarball(server, "good", "0" * 64)
        self.assertEqual(status, 3)
        self.assertIn("its SHA-256 is %s, not %s" % (self.sha256, "0" * 64), out)
        self.assertEqual(os.listdir(os.path.join(self.world.cache, "downloads")), [])
        self.assertEqual(self.tarball(server, "good")[0], 0)

    def test_what_is_not_there_is_said_at_once(self):
        server = Server(self.body)
        status, out, _ = self.tarball(server, "missing")
        self.assertEqual(status, 3)
        self.assertRegex(out, r"source of tiny 1\.1: http://\S+/missing: .*404")
        self.assertEqual(len(server.asked), 1)

    def git(self, *arguments):
        done = subprocess.run(["git", "-C", self.tiny, "-c", "user.name=t", "-c", "user.email=t@example.org", *arguments], check=True,
                              capture_output=True, text=True)
        return done.stdout.strip()

    def test_a_ref_is_followed(self):
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        one = self.git("rev-parse", "HEAD")
        self.git("tag", "-a", "-m", "annotated", "v1")
        version = {"git": {"repository": "tiny", "ref": "main"}}
        self.assertEqual(self.run_with(version, matrix="git.json")[0], 0)
        with open(os.path.join(self.tiny, "tiny.c"), "a", encoding="utf-8") as file:
            file.write("const int tiny_two = 2;\n")
        # What is not committed is not in it.
        _, out, _ = self.run_with(version, matrix="git.json")
        self.assertIn("0 programs built", out)
        self.git("commit", "-qam", "two")
        two = self.git("rev-parse", "HEAD")
        _, out, _ = self.run_with(version, matrix="git.json")
        self.assertIn("1 program built (1 library compiled)", out)
        _, out, _ = self.world.run("plan", "git.json")
        self.assertIn("git:main is %s\n" % two, out)
        self.assertEqual([row[0] for row in self.world.ask("SELECT revision FROM build_wide WHERE version = 'git:main' ORDER BY build_id")], [one, two])
        # One history: the ref is the version, what it stood at is context.
        self.assertEqual(self.world.ask("SELECT count(DISTINCT value) FROM label WHERE key = 'version' AND value LIKE 'git:%'"), [(1,)])
        # An annotated tag stands for its commit, whose build is there.
        _, out, _ = self.run_with({"name": "first", "git": {"repository": "tiny", "ref": "v1"}}, matrix="tag.json")
        self.assertIn("0 programs built", out)
        self.assertEqual(self.world.ask("SELECT revision FROM build_wide WHERE version = 'first'"), [(one,)])

    def test_a_run_that_goes_on_stays_at_its_commit(self):
        self.git("init", "-q", "-b", "moving")
        self.git("checkout", "-qB", "moving")
        self.git("add", "-A")
        self.git("commit", "-qm", "before", "--allow-empty")
        before = self.git("rev-parse", "HEAD")
        self.git("commit", "-qm", "stood", "--allow-empty")
        stood = self.git("rev-parse", "HEAD")
        status, _, _ = self.run_with({"git": {"repository": "tiny", "ref": "moving"}}, matrix="moving.json")
        self.assertEqual(status, 0)
        self.assertEqual(self.world.ask("SELECT revision, parent FROM build_wide WHERE version = 'git:moving'"), [(stood, before)])
        status, out, _ = self.world.run("show", "build", "*git:moving*")
        self.assertRegex(out, r"(?m)^parent +%s$" % before)
        # Killed before its attempt was taken in; then the branch moves.
        with sqlite3.connect(self.world.db) as db:
            run, = db.execute("SELECT id FROM run WHERE matrix = 'moving'").fetchone()
            db.execute("UPDATE run SET ended_at = NULL, status = NULL WHERE id = ?", (run,))
            for table in ("sample", "latest", "measurement", "process", "attempt_note"):
                column = "measurement_id" if table in ("sample", "latest") else "attempt_id"
                chosen = "SELECT a.id FROM attempt AS a JOIN cell AS c ON c.id = a.cell_id WHERE c.run_id = ?"
                if column == "measurement_id":
                    chosen = "SELECT id FROM measurement WHERE attempt_id IN (%s)" % chosen
                db.execute("DELETE FROM %s WHERE %s IN (%s)" % (table, column, chosen), (run,))
            db.execute("DELETE FROM attempt WHERE cell_id IN (SELECT id FROM cell WHERE run_id = ?)", (run,))
            db.execute("DELETE FROM cell WHERE run_id = ?", (run,))
        self.git("commit", "-qm", "moved", "--allow-empty")
        status, out, _ = self.world.run("run", "moving.json", "--resume")
        self.assertEqual(status, 0, out)
        self.assertEqual(self.world.ask("SELECT revision FROM build_wide WHERE version = 'git:moving'"), [(stood,)])

    def test_a_ref_that_is_not_there(self):
        self.git("init", "-q", "-b", "main")
        status, out, _ = self.run_with({"git": {"repository": "tiny", "ref": "nowhere"}}, matrix="none.json")
        self.assertEqual(status, 3)
        self.assertIn("has no branch, tag or commit nowhere", out)
        status, out, _ = self.run_with({"git": {"repository": "nothing", "ref": "main"}}, matrix="none.json")
        self.assertEqual(status, 3)
        self.assertIn("git ls-remote", out)

    def test_origins_that_cannot_be(self):
        for version, said in [
            ({"name": "x", "tarball": {"url": "ftp://example.org/x", "sha256": "0" * 64}}, "url must begin with"),
            ({"name": "x", "tarball": {"url": "https://example.org/x", "sha256": "abc"}}, "64 lower-case hexadecimal digits"),
            ({"name": "x", "tarball": {"url": "https://example.org/x"}}, 'sha256'),
            ({"git": {"repository": "tiny", "ref": "--upload-pack=x"}}, "ref must be"),
            ({"git": {"repository": "-x", "ref": "main"}}, "repository must be"),
            ({"name": "x", "folder": "tiny", "git": {"repository": "tiny", "ref": "main"}}, "one of"),
        ]:
            status, _, err = self.run_with(version)
            self.assertEqual(status, 4)
            self.assertIn(said, err)


if __name__ == "__main__":
    bm.main()
