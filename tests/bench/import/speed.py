#!/usr/bin/python3
"""How fast wolfCrypt's text is read, and imported, beside how long it takes to look at each byte once.

  tests/bench/import/speed.py BUILD [MEGABYTES [OTHER...]]      BUILD: a release build in which `import_bench` was built; 100 MB;
                                                                OTHER: builds whose `import` is timed beside it, in turns

The file is one of many runs as wolfCrypt 5.7.2 prints them, with figures that differ and agree. All seconds are of the processor, so that
other work on the machine does not count. Aims: 50 MB/s read, 5 MB/s imported."""

import os
import random
import resource
import subprocess
import sys
import tempfile

BULK = ["RNG", "AES-128-CBC-enc", "AES-128-CBC-dec", "AES-192-CBC-enc", "AES-256-GCM-enc", "CHACHA", "MD5", "SHA", "SHA-256", "HMAC-SHA256"]
KEYS = ["RSA     2048   public", "RSA     2048  private", "DH      2048  key gen", "DH      2048    agree",
        "ECC   [      SECP256R1]   256  key gen", "ECDHE [      SECP256R1]   256    agree",
        "ECDSA [      SECP256R1]   256     sign", "ECDSA [      SECP256R1]   256   verify"]
RULE = "-" * 78
# The best of so many counts for the whole command.
TURNS = 3
BANNER = [RULE, " wolfSSL version 5.7.2", RULE, "wolfCrypt Benchmark (block bytes 1048576, min 1.0 sec each)"]


def run(chance):
    lines = list(BANNER)
    for name in BULK:
        amount, seconds = 5 * chance.randint(1, 400), round(chance.uniform(1, 1.1), 3)
        lines.append(f"{name:24} {amount:5} MiB took {seconds:.3f} seconds, {amount / seconds:8.3f} MiB/s")
    for name in KEYS:
        count, seconds = chance.randint(100, 90000), round(chance.uniform(1, 1.1), 3)
        lines.append(f"{name:24} {count:9} ops took {seconds:.3f} sec, avg {seconds / count * 1e3:.3f} ms, {count / seconds:.3f} ops/sec")
    return "\n".join(lines + ["Benchmark complete", ""])


def write(path, size):
    chance = random.Random(1)
    with open(path, "w", encoding="ascii") as out:
        while out.tell() < size:
            out.write("".join(run(chance) for _ in range(100)))


def processor_seconds(arguments):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def whole_import(build, db, path):
    taken = processor_seconds([os.path.join(build, "bin", "benchmatrix"), "--db", db, "import", path])
    for name in os.listdir(os.path.dirname(db)):
        if name.startswith(os.path.basename(db)):
            os.remove(os.path.join(os.path.dirname(db), name))
    return taken


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, megabytes = os.path.abspath(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 100
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "wolfcrypt.txt")
        write(path, megabytes * 1e6)
        size = os.path.getsize(path) / 1e6
        output = subprocess.check_output([os.path.join(build, "tests", "import_bench"), "wolfcrypt", path], text=True).splitlines()
        print(output[0])
        seconds = {name: float(value) for name, value in (line.split() for line in output[1:])}
        seconds["wc -l"] = processor_seconds(["wc", "-l", path])
        for _ in range(TURNS):
            for program in [build] + sys.argv[3:]:
                name = "import, " + os.path.basename(os.path.normpath(program))
                seconds[name] = min(seconds.get(name, float("inf")), whole_import(program, os.path.join(place, "b.db"), path))
        for name in seconds:
            print(f"{name:20} {seconds[name]:9.3f} s {size / max(seconds[name], 1e-4):10.1f} MB/s")


if __name__ == "__main__":
    main()
