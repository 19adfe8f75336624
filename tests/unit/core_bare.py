#!/usr/bin/python3
"""bench-core without an operating system, on the Cortex-M3 of QEMU's mps2-an385, linked as toolchains/cortex-m3.json says: it takes its arguments,
its lines carry checks, counts repeat whatever ran before, its footprint is the linker's, and a stack that overflows ends it."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PLUGIN = sys.argv[1]
CORE = os.path.join(SOURCE, "bench-core", "core")
with open(os.path.join(SOURCE, "toolchains", "cortex-m3.json"), encoding="utf-8") as file:
    TOOLCHAIN = json.load(file)


def run(argv):
    return subprocess.run(argv, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)


def must(argv, folder):
    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=300, cwd=folder)
    if done.returncode != 0:
        sys.exit(f"{argv[0]}:\n{done.stderr}")


def build(folder):
    """The program, and one whose stack is too small."""
    # A library's archive lies in a folder of this name.
    os.mkdir(os.path.join(folder, "tree"))
    compile_only = [TOOLCHAIN["cc"], *TOOLCHAIN["cflags"], "-O2", "-std=gnu99", "-I" + os.path.join(SOURCE, "schema"), "-I" + CORE, "-c"]
    must([*compile_only, os.path.join(SOURCE, "tests", "fixtures", "core_fake.c"), *glob.glob(os.path.join(CORE, "*.c"))], folder)
    must([TOOLCHAIN["ar"], "cr", "tree/libfake.a", "core_fake.o"], folder)
    os.remove(os.path.join(folder, "core_fake.o"))
    link = [word.replace("{core}", CORE) for word in TOOLCHAIN["ldflags"]]
    for name in ("bench-core", "small"):
        objects = sorted(glob.glob(os.path.join(folder, "*.o")))
        must([TOOLCHAIN["cc"], *TOOLCHAIN["cflags"], *objects, os.path.join(folder, "tree", "libfake.a"), *link, "-o", name], folder)
        must([*compile_only, "-UCORE_STACK_SIZE", "-DCORE_STACK_SIZE=512", os.path.join(CORE, "port_bare.c")], folder)
        yield os.path.join(folder, name)


def emulate(program, *arguments):
    words = [word.replace("\\", "\\\\").replace(" ", "\\ ").replace(",", ",,") for word in ("bench-core", *arguments)]
    return run([TOOLCHAIN["run"]["emulator"], "-M", TOOLCHAIN["run"]["machine"], "-cpu", TOOLCHAIN["run"]["cpu"], "-display", "none",
                "-monitor", "none", "-serial", "none", "-plugin", "file=" + PLUGIN, "-semihosting-config",
                "enable=on,target=native" + "".join(",arg=" + word for word in words), "-kernel", program])


def records_of(program, *arguments):
    done = emulate(program, "--count", "--block", "1024", *arguments)
    if done.returncode != 0:
        sys.exit(f"it ended with {done.returncode}: {done.stderr}\n{done.stdout}")
    records = []
    for line in done.stdout.splitlines():
        record = json.loads(line)
        before, _, check = line.rpartition(',"crc":"')
        if record["r"] != "count" and check != "%08x\"}" % zlib.crc32(before.encode()):
            sys.exit(f"its check does not fit: {line}")
        records.append(record)
    if records[0].get("check") != "crc-32" or records[-1]["r"] != "end":
        sys.exit(f"its stream is not whole: {records}")
    return records


def counts_of(records):
    counts = {r["region"]: r["value"] for r in records if r["r"] == "count"}
    return {r["name"]: counts[r["region"]] for r in records if r["r"] == "region"}


def expect(what, condition):
    if not condition:
        sys.exit(f"not so: {what}")


def counts_repeat(program):
    asked = ("--benchmarks", "null operation,sha-256 hash,ecdsa-p256 sign,aes-128-*")
    full, again = counts_of(records_of(program, *asked)), counts_of(records_of(program, *asked))
    expect("two runs count the same", full == again and len(full) == 3)
    for name in ("sha-256 hash", "ecdsa-p256 sign"):
        expect(f"{name} alone counts the same", counts_of(records_of(program, "--benchmarks", name)) == {name: full[name]})
    last = list(full)[-1]
    expect("one that goes on counts the same", counts_of(records_of(program, *asked, "--from", last))[last] == full[last])
    once, twice = (counts_of(records_of(program, "--benchmarks", "sha-256 hash", "--iterations", str(n)))["sha-256 hash"] for n in (2, 4))
    expect("twice the operations cost twice within the loop's cost", abs(twice - 2 * once) <= full["null operation"])
    print("counts:", full)


def footprint_is_the_linkers(program):
    footprints = {r["of"]: r for r in records_of(program, "--benchmarks", "sha-256 hash") if r["r"] == "footprint"}
    sections = {}
    for line in run(["arm-none-eabi-size", "-A", program]).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1].isdigit():
            sections[words[0]] = int(words[1])
    flash = sum(sections[name] for name in (".vectors", ".text", ".rodata", ".data")) + sections.get(".ARM.exidx", 0)
    variables = sections[".data"] + sections[".bss"]
    told = footprints["program"]
    expect(f"{told['flash']} bytes of flash are what the linker says: {flash}", 0 <= told["flash"] - flash < 16)
    expect(f"{told['ram']} bytes of memory are {variables} of variables, and more", variables + 512 < told["ram"] < variables + 65536)
    print("footprint:", told)


def ends_as_it_should(program, small):
    expect("an unknown benchmark is wrong usage", emulate(program, "--count", "--benchmarks", "nonesuch").returncode == 2)
    done = emulate(small, "--count", "--block", "1024", "--benchmarks", "sha-256 hash")
    expect(f"a stack that overflows ends it: {done.returncode}", done.returncode == 139)
    expect("it says so", "a fault of the processor" in done.stderr)


def main():
    missing = [name for name in (TOOLCHAIN["cc"], TOOLCHAIN["run"]["emulator"]) if not shutil.which(name)]
    if missing:
        print("not installed:", ", ".join(missing))
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        program, small = build(folder)
        counts_repeat(program)
        footprint_is_the_linkers(program)
        ends_as_it_should(program, small)


main()
