#!/usr/bin/python3
"""bench-core compiles as plain C99 without a warning: with GCC and Clang for this machine, and for Arm without an
operating system, where it is linked, and run as far as QEMU's user mode can: as a program that speaks to a debugger."""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FILES = sorted(glob.glob(os.path.join(SOURCE, "bench-core", "core", "*.c"))) + [
    os.path.join(SOURCE, "tests", "fixtures", "core_fake.c")]
# C99 asks compilers for strings of 4,095 bytes; keys and vectors in hexadecimal are longer.
STRICT = ["-std=c99", "-pedantic", "-Wno-overlength-strings", "-Wall", "-Wextra", "-Wshadow", "-Wconversion",
          "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wvla", "-Wformat=2", "-Wundef", "-Werror",
          "-I" + os.path.join(SOURCE, "schema"), "-I" + os.path.join(SOURCE, "bench-core", "core")]
SMALL = ["-DCORE_SMALL", "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]
MICROCONTROLLER = ["-mcpu=cortex-m3", "-mthumb", "-Os"]
RAM_MOST = 160 * 1024


def run(argv, **more):
    return subprocess.run(argv, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=250, **more)


def compile_all(argv):
    done = run(argv + FILES)
    if done.returncode != 0:
        sys.exit(f"{' '.join(argv[:3])}:\n{done.stdout}")


def links_for_a_microcontroller(folder):
    program = os.path.join(folder, "small")
    # The C library's stubs are told by the linker, and count for nothing here.
    compile_all(["arm-none-eabi-gcc", *MICROCONTROLLER, *STRICT, *SMALL, "--specs=nosys.specs", "-o", program])
    sizes = run(["arm-none-eabi-size", program]).stdout.splitlines()[1].split()
    ram = int(sizes[1]) + int(sizes[2])
    print(f"cortex-m3: {sizes[0]} bytes of code and constants, {ram} of memory")
    if ram > RAM_MOST:
        sys.exit(f"it takes {ram} bytes of memory, more than {RAM_MOST}")


def records_of(program, *arguments):
    done = run(["qemu-arm", "-cpu", "arm926", program, *arguments])
    if done.returncode != 0:
        sys.exit(f"it ended with {done.returncode}:\n{done.stdout}")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    # tests/unit/core_bare.py looks at the checks.
    for record in records:
        del record["crc"]
    return records


def runs_without_a_system(folder):
    program = os.path.join(folder, "bare")
    compile_all(["arm-none-eabi-gcc", "-mcpu=arm926ej-s", "-marm", "-O1", *STRICT, *SMALL, "--specs=rdimon.specs",
                 "-o", program])
    records = records_of(program, "--count", "--block", "1024", "--benchmarks", "null*,sha*,ecdsa*")
    outcomes = {r["name"]: r["state"] for r in records if r["r"] == "benchmark"}
    stacks = [r for r in records if r["r"] == "value" and r["metric"] == "stack-peak"]
    if records[0]["r"] != "header" or records[-1] != {"r": "end", "records": len(records) - 1}:
        sys.exit(f"its stream is not whole: {records}")
    if outcomes != {"null operation": "ok", "sha-256 hash": "ok", "ecdsa-p256 sign": "ok"} or len(stacks) != 3:
        sys.exit(f"its benchmarks went wrong: {records}")
    refused = run(["qemu-arm", "-cpu", "arm926", program, "--count", "--block", "65536"])
    if refused.returncode != 2 or "4096, 8192, 16384" not in refused.stdout or "65536, " in refused.stdout:
        sys.exit(f"a block that there is no room for was not refused: {refused.stdout}")


def main():
    missing = []
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler):
            compile_all([compiler, "-fsyntax-only", *STRICT])
        else:
            missing.append(compiler)
    if shutil.which("arm-none-eabi-gcc"):
        with tempfile.TemporaryDirectory() as folder:
            links_for_a_microcontroller(folder)
            if shutil.which("qemu-arm"):
                runs_without_a_system(folder)
            else:
                missing.append("qemu-arm")
    else:
        missing.append("arm-none-eabi-gcc")
    if missing:
        print("not installed:", ", ".join(missing))
        sys.exit(77)


main()
