"""A line between here and a board, for tests: a TCP proxy that is slow, holds bytes back, swallows them, or is cut."""

import contextlib
import socket
import struct
import threading
import time


class Line:
    """Listens on `port` and leads to another one, as long as the test runs."""

    def __init__(self, to):
        self.to = to
        self.delay = 0  # seconds, for each piece of what passes, in both directions
        self.limit = None  # bytes from here to there, behind which it is cut, once
        self.passing = threading.Event()  # cleared: bytes are held back
        self.passing.set()
        self.pairs, self.lost = [], set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                here, _ = self.listener.accept()
                try:
                    pair = here, socket.create_connection(("127.0.0.1", self.to))
                except OSError:
                    here.close()
                    continue
                self.pairs.append(pair)
                threading.Thread(target=self.pump, args=(pair, *pair, True), daemon=True).start()
                threading.Thread(target=self.pump, args=(pair, *reversed(pair), False), daemon=True).start()

    def pump(self, pair, source, target, up):
        passed = 0
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                time.sleep(self.delay)
                self.passing.wait()
                passed += len(data)
                if up and self.limit is not None and passed > self.limit:
                    self.limit = None
                    self.cut()
                if pair not in self.lost:
                    target.sendall(data)
            if pair not in self.lost:
                target.shutdown(socket.SHUT_WR)

    def cut(self):
        """Both ends are told so at once."""
        for end in (end for pair in self.pairs for end in pair):
            with contextlib.suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self.pairs = []

    def swallow(self):
        """Nothing comes through any more on what is connected, and nobody is told; who connects anew gets through."""
        self.lost.update(self.pairs)

    def close(self):
        self.listener.close()
        self.passing.set()
        self.cut()
