"""TLS over memory with OpenSSL as Debian builds it, which nothing has to be compiled for; and what a build without TLS says."""

import json
import subprocess
import unittest

import bm
import tls
from test_counts import program


class OpenSSL(tls.Checks, unittest.TestCase):
    toolchains = ["aarch64-gcc"]

    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("tls")
        matrix = dict(tls.MATRIX, library="openssl", versions=["3.0-debian"], toolchains=cls.toolchains)
        status, output, _ = cls.world.run("run", cls.world.write("tls.json", json.dumps(matrix)))
        assert status == 0, output

    def test_a_build_without_tls_says_so(self):
        listed = subprocess.run([program("x86_64-gcc"), "--list"], capture_output=True, text=True, check=True).stdout
        told = [line for line in listed.splitlines() if "-in-memory\t" in line]
        self.assertGreater(len(told), 10)
        for line in told:
            self.assertTrue(line.endswith("\tunavailable: the build has no TLS"), line)


if __name__ == "__main__":
    bm.main()
