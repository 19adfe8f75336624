"""TLS over memory with wolfSSL, which is built for it."""

import json
import unittest

import bm
import tls


class WolfSSL(tls.Checks, unittest.TestCase):
    toolchains = ["x86_64-gcc", "aarch64-gcc"]

    @classmethod
    def setUpClass(cls):
        cls.world = bm.World("tls_wolfssl")
        matrix = dict(tls.MATRIX, library="wolfssl", versions=["5.5.4"], toolchains=cls.toolchains, optimisations=["-O2"], flags=[[]])
        status, output, _ = cls.world.run("run", cls.world.write("tls.json", json.dumps(matrix)))
        assert status == 0, output


if __name__ == "__main__":
    bm.main()
