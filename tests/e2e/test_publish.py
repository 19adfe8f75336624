"""Exports read by other programs' readers, and publishing to a real HTTP server that is busy, slow, rude or away."""

import csv
import gzip
import hashlib
import http.server
import io
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
import unittest

import bm


class Server:
    """Answers POSTs as the list says: (status, headers, text), a number of seconds to sleep first, or "cut"; the last answer is repeated."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                outer.answer(self)

            def do_GET(self):
                outer.requests.append(("GET", self.path, dict(self.headers), b""))
                self.send_error(404)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = "http://127.0.0.1:%d" % self.port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler):
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.requests.append(("POST", handler.path, dict(handler.headers), body))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer == "cut":
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return
        if isinstance(answer, float):
            time.sleep(answer)
            answer = (200, {}, "late")
        status, headers, text = answer
        data = text.encode()
        try:
            handler.send_response(status)
            for key, value in headers.items():
                handler.send_header(key, value)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            handler.wfile.write(data)
        except OSError:  # the client has given up
            handler.close_connection = True

    def keys(self):
        return [headers["Idempotency-Key"] for _, _, headers, _ in self.requests]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


OK = (200, {}, "thanks\n")


class World(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("publish")
        # What the quick matrix has measured.
        shutil.copy(os.path.join(bm.WORK, "quick", "benchmatrix.db"), cls.world.db)
        cls.figures = cls.latest()

    @classmethod
    def latest(cls):
        """Of each series and origin the latest figure, without emulated time: by SQLite and not by us."""
        return cls.world.ask("SELECT value, metric, benchmark, median FROM ("
                             "SELECT r.*, m.median, row_number() OVER (PARTITION BY m.series_id, m.source, m.environment, m.kind"
                             " ORDER BY a.started_at DESC, a.id DESC) AS place FROM measurement AS m"
                             " JOIN attempt AS a ON a.id = m.attempt_id JOIN result AS r ON r.measurement_id = m.id)"
                             " WHERE place = 1 AND NOT (environment = 'emulator' AND metric IN ('time', 'cycles', 'reference-cycles'))")

    def export(self, *arguments):
        status, out, err = self.world.run("export", *arguments)
        self.assertEqual(status, 0, err)
        return out

    def publish(self, *arguments, status=0):
        got, out, err = self.world.run("publish", *arguments)
        self.assertEqual((got, out), (status, ""), err)
        return err

    def token(self, mode=0o600, text="s3cret.token\n"):
        path = self.world.write("token", text)
        os.chmod(path, mode)
        return path


class Export(World):
    def test_csv_has_every_figure_once(self):
        rows = list(csv.DictReader(io.StringIO(self.export("--format", "csv"))))
        self.assertEqual(len(rows), len(self.figures))
        self.assertEqual(sorted(float(row["value"]) for row in rows), sorted(value for value, *_ in self.figures))
        self.assertEqual({row["source"] for row in rows}, {"own"})

    def test_jsonl_tells_its_count_and_where_each_figure_comes_from(self):
        lines = [json.loads(line) for line in self.export("--samples").splitlines()]
        self.assertEqual((lines[0]["r"], lines[0]["version"]), ("export", 1))
        self.assertEqual(lines[-1], {"r": "end", "figures": len(self.figures), "records": len(lines) - 1})
        attempt, samples_left, figures = None, 0, 0
        for line in lines[1:-1]:
            self.assertEqual(line["r"] == "samples", samples_left > 0)
            if line["r"] == "attempt":
                attempt = line["attempt"]
                self.assertEqual(self.world.ask("SELECT count(*) FROM attempt WHERE uuid = ?", attempt), [(1,)])
            elif line["r"] == "figure":
                figures += 1
                self.assertEqual(line["attempt"], attempt)
                samples_left = line.get("samples", 0)
                values, n = [], line["n"]
                if line["kind"] == "sampled" and line["environment"] == "hardware":
                    self.assertGreater(samples_left, 0)
            else:
                values += line["values"]
                samples_left -= not line.get("more")
                if samples_left == 0:
                    self.assertEqual(len(values), n)
        self.assertEqual(figures, len(self.figures))

    def test_exported_imported_and_exported_again_is_the_same(self):
        def figures(text):
            told, figure = [], None
            for line in text.splitlines():
                line = json.loads(line)
                if line["r"] == "figure":
                    figure = {key: value for key, value in line.items() if key not in ("attempt", "source")}
                    figure["sets"] = []
                    told.append(figure)
                elif line["r"] == "samples":
                    figure["sets"].append((line["invocation"], line["iterations"], line["values"]))
            return sorted(told, key=lambda figure: json.dumps(figure, sort_keys=True))

        first = self.export("--samples", "instrument=bench-core")
        path = self.world.write("first.jsonl", first)
        other = os.path.join(self.world.folder, "other.db")
        status, _, err = self.world.run("import", path, "--db", other)
        self.assertEqual(status, 0, err)
        second = self.export("--samples", "--db", other)
        self.assertEqual(figures(first), figures(second))
        self.assertGreater(sum(len(figure["sets"]) for figure in figures(first)), 0)

    def test_go_lines_are_as_the_format_wants_them(self):
        text = self.export("--format", "go")
        seen = 0
        for line in text.splitlines():
            if line.startswith("Benchmark"):
                fields = line.split()
                self.assertGreaterEqual(len(fields), 4)
                self.assertEqual(len(fields) % 2, 0)
                self.assertRegex(fields[0], r"^Benchmark[A-Z][^ ]*$")
                self.assertNotRegex(fields[0], r"-\d+$")
                self.assertEqual(float(fields[1]), int(float(fields[1])))
                for value, unit in zip(fields[2::2], fields[3::2]):
                    # What takes no memory takes none; nothing takes no time.
                    self.assertGreaterEqual(float(value), 0 if unit.startswith("heap-") else 1e-12)
                self.assertEqual(len(set(fields[3::2])), len(fields[3::2]))
                seen += 1
            else:
                self.assertRegex(line, r"^(#.*|Unit \S+ assume=exact better=(lower|higher)|[a-z][^ A-Z]*:( .+)?)$")
        self.assertGreaterEqual(seen, len(self.figures))

    def test_bmf_has_a_value_within_its_bounds(self):
        def once(pairs):
            self.assertEqual(len({key for key, _ in pairs}), len(pairs))
            return dict(pairs)

        document = json.loads(self.export("--format", "bmf"), object_pairs_hook=once)
        measures = [measure for benchmark in document.values() for measure in benchmark.values()]
        self.assertEqual(len(measures), len(self.figures))
        for measure in measures:
            self.assertLessEqual(measure.get("lower_value", measure["value"]), measure["value"])
            self.assertGreaterEqual(measure.get("upper_value", measure["value"]), measure["value"])
        rsa = [value for name, value in document.items() if name.startswith("rsa-2048 private") and "environment=hardware" in name]
        medians = [median * 1e9 for _, metric, benchmark, median in self.figures
                   if (metric, benchmark) == ("time", "rsa-2048 private")]
        for got, expected in zip(sorted(benchmark["latency"]["value"] for benchmark in rsa if "latency" in benchmark), sorted(medians)):
            self.assertAlmostEqual(got, expected, delta=expected * 1e-11)
        self.assertTrue(rsa and medians)

    def test_github_action_benchmark_has_what_that_reads(self):
        entries = json.loads(self.export("--format", "github-action-benchmark"))
        self.assertEqual(len(entries), len(self.figures))
        self.assertEqual(len({entry["name"] for entry in entries}), len(entries))
        for entry in entries:
            self.assertLessEqual(set(entry), {"name", "unit", "value", "range", "extra"})
            self.assertIsInstance(entry["value"], (int, float))
            self.assertRegex(entry.get("range", "± 0"), r"^± [0-9.e-]+$")

    def test_openmetrics_follows_the_grammar(self):
        text = self.export("--format", "openmetrics")
        self.assertTrue(text.endswith("# EOF\n"))
        families, series, family = [], set(), None
        for line in text.splitlines()[:-1]:
            if line.startswith("# "):
                _, word, name, rest = line.split(" ", 3)
                if word == "TYPE":
                    self.assertNotIn(name, families)
                    families.append(name)
                    family = name
                    self.assertEqual(rest, "gauge")
                elif word == "UNIT":
                    self.assertTrue(name.endswith("_" + rest))
                self.assertEqual(name, family)
                continue
            match = re.fullmatch(r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+)\} (\S+) (\d+\.\d{3})', line)
            self.assertIsNotNone(match, line)
            self.assertEqual(match[1], family)
            self.assertNotIn((match[1], match[2]), series)
            series.add((match[1], match[2]))
            float(match[3])
            for label in ("source=", "environment=", "kind=", "statistic="):
                self.assertIn(label, match[2])
        self.assertIn("benchmatrix_time_per_operation_seconds", families)

    def test_openmetrics_is_read_by_the_reader_of_prometheus(self):
        reader = "import sys; from prometheus_client.openmetrics.parser import text_string_to_metric_families as read; " \
                 "print(sum(len(f.samples) for f in read(sys.stdin.read())))"
        text = self.export("--format", "openmetrics")
        done = subprocess.run(["python3", "-c", reader], input=text, capture_output=True, text=True)
        if "ModuleNotFoundError" in done.stderr:
            self.skipTest("python3-prometheus-client is not installed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(int(done.stdout), sum(1 for line in text.splitlines() if not line.startswith("#")))

    def test_is_the_same_again_byte_by_byte(self):
        for name in ("jsonl", "csv", "go", "bmf", "github-action-benchmark", "openmetrics"):
            self.assertEqual(self.export("--format", name), self.export("--format", name))

    def test_a_file_is_there_whole_or_as_it_was(self):
        path = os.path.join(self.world.folder, "out.csv")
        self.export("--format", "csv", "-o", path)
        with open(path, encoding="utf-8") as file:
            before = file.read()
        self.assertEqual(before, self.export("--format", "csv"))
        status, _, _ = self.world.run("export", "config=nonesuch", "--format", "csv", "-o", path)
        self.assertEqual(status, 2)
        status, _, err = self.world.run("export", "-o", os.path.join(self.world.folder, "no", "such", "folder"))
        self.assertEqual(status, 1)
        self.assertIn("cannot be written", err)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual([name for name in os.listdir(self.world.folder) if name.startswith("out.csv.")], [])
        self.assertEqual(self.world.run("export", "-o", "/dev/full")[0], 1)


class Publish(World):
    def test_a_busy_server_is_asked_again_with_the_same_key(self):
        with Server((503, {"Retry-After": "1"}, "busy"), (429, {"Retry-After": "1"}, ""), OK) as server:
            err = self.publish(server.url + "/upload?key=hidden", "--token-file", self.token())
        self.assertIn("trying again in 1 s (2 of 5)", err)
        self.assertIn("503 Service Unavailable", err)
        self.assertIn("published %d figures: 200: thanks" % len(self.figures), err)
        self.assertNotIn("hidden", err)
        self.assertEqual(len(server.requests), 3)
        self.assertEqual(len(set(server.keys())), 1)
        for method, path, headers, body in server.requests:
            self.assertEqual((method, path), ("POST", "/upload?key=hidden"))
            self.assertEqual(headers["Authorization"], "Bearer s3cret.token")
            self.assertEqual(headers["Content-Encoding"], "gzip")
            self.assertEqual(headers["Content-Type"], "application/x-ndjson")
            text = gzip.decompress(body)
            self.assertEqual(headers["Idempotency-Key"], '"%s"' % hashlib.sha256(text).hexdigest())
            self.assertEqual(text.decode(), self.export())

    def test_the_same_again_has_the_same_key_and_another_has_another(self):
        with Server(OK) as server:
            self.publish(server.url)
            self.publish(server.url)
            self.publish(server.url, "metric=time")
            self.publish(server.url, "--format", "csv")
        first, again, other, form = server.keys()
        self.assertEqual(first, again)
        self.assertEqual(len({first, other, form}), 3)
        self.assertNotIn("Authorization", server.requests[0][2])

    def test_a_cut_connection_and_one_that_says_nothing_are_tried_again(self):
        with Server("cut", 5.0, OK) as server:
            err = self.publish(server.url, "--timeout", "2")
        self.assertEqual(len(server.requests), 3, err)
        self.assertEqual(len(set(server.keys())), 1)
        self.assertIn("the server said nothing for 2 s; trying again in 2 s (3 of 5)", err)

    def test_a_slow_server_is_waited_for(self):
        with Server(2.0) as server:
            self.assertIn("200: late", self.publish(server.url))
        self.assertEqual(len(server.requests), 1)

    def test_a_refusal_is_told_with_its_first_line_and_not_repeated(self):
        with Server((401, {}, "\n bad token \x1b[31mred\nsecond line")) as server:
            err = self.publish(server.url, "--token-file", self.token(), status=1)
        self.assertEqual(len(server.requests), 1)
        self.assertIn("401 Unauthorized: bad token", err)
        self.assertIn("--token-file", err)
        self.assertNotIn("\x1b", err)
        self.assertNotIn("second line", err)
        self.assertNotIn("s3cret", err)

    def test_gives_up_after_so_many_tries(self):
        with Server((503, {"Retry-After": "1"}, "")) as server:
            err = self.publish(server.url, "--tries", "2", status=1)
        self.assertEqual(len(server.requests), 2)
        self.assertIn("try again later", err)
        with Server((503, {"Retry-After": "86400"}, "")) as server:
            self.publish(server.url, status=1)
        self.assertEqual(len(server.requests), 1)

    def test_no_tries_and_no_time_are_wrong_usage(self):
        for option in "--tries", "--timeout":
            for value in "0", "-1":
                with self.subTest(option=option, value=value), Server((200, {}, "")) as server:
                    err = self.publish(server.url, option, value, status=2)
                    self.assertIn("whole numbers above 0", err)
                    self.assertEqual(len(server.requests), 0)

    def test_nobody_there(self):
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            err = self.publish("http://127.0.0.1:%d/" % held.getsockname()[1], "--tries", "1", status=3)
        self.assertIn("127.0.0.1", err)

    def test_a_redirect_stays_on_its_host(self):
        with Server(OK) as other:
            with Server((307, {"Location": "/there"}, ""), OK) as server:
                self.publish(server.url + "/here", "--token-file", self.token())
            self.assertEqual([(method, path) for method, path, _, _ in server.requests], [("POST", "/here"), ("POST", "/there")])
            self.assertEqual(server.requests[0][3], server.requests[1][3])
            for status in (301, 302, 303, 307, 308):
                with Server((status, {"Location": other.url + "/stolen?x=1"}, "")) as server:
                    err = self.publish(server.url, "--token-file", self.token(), status=1)
                self.assertIn(other.url + "/stolen (%d)" % status, err)
                self.assertEqual(len(server.requests), 1)
            with Server((307, {"Location": "/again"}, "")) as server:
                self.publish(server.url, status=1)
            self.assertLess(len(server.requests), 10)
            self.assertEqual(other.requests, [])

    def test_a_token_is_kept(self):
        with Server(OK) as server:
            for mode in (0o644, 0o640, 0o604):
                err = self.publish(server.url, "--token-file", self.token(mode), status=4)
                self.assertIn("chmod 600", err)
            for text in ("", "two words\n", "line\nline\n", "nul\0"):
                self.publish(server.url, "--token-file", self.token(text=text), status=4)
            self.publish(server.url, "--token-file", os.path.join(self.world.folder, "missing"), status=4)
            self.assertEqual(server.requests, [])
        err = self.publish("http://results.example/upload", "--token-file", self.token(), status=2)
        self.assertIn("https://results.example", err)

    def test_an_address_that_is_none(self):
        for url in ("ftp://127.0.0.1/", "file:///tmp/x", "results", "http://"):
            self.publish(url, status=2)

    def test_a_certificate_that_nobody_vouches_for_is_refused(self):
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl program")
        pem = os.path.join(self.world.folder, "self.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2",
                        "-addext", "subjectAltName=DNS:localhost", "-keyout", pem, "-out", pem + ".crt"], check=True, capture_output=True)
        with Server(OK) as server:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(pem + ".crt", pem)
            server.server.socket = context.wrap_socket(server.server.socket, server_side=True)
            err = self.publish("https://localhost:%d/" % server.port, "--token-file", self.token(), status=3)
        self.assertIn("certificate", err)
        self.assertNotIn("trying again", err)
        self.assertEqual(server.requests, [])


if __name__ == "__main__":
    bm.main()
