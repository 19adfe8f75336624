#!/usr/bin/python3
"""Runs the fuzz targets under libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, one after the other.

    long.py SECONDS WORK [--log FILE] [TARGET...]

SECONDS are of the processor, per target, so that a busy machine fuzzes no less. WORK takes the programs and a corpus per target, which grows
over runs. TARGET is an importer's name, `recognition` or `wire`; without one all run, those that are most used first. A line per target goes to
the output, and to the end of FILE. Exit status 1 where one found something: its input lies in WORK/findings.
"""
import argparse
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
FIRST = ["wolfcrypt", "openssl-speed", "cyassl", "wire", "bench-core", "recognition"]
LONGEST = 8192
SANITIZERS = "-fsanitize=fuzzer-no-link,address,undefined"
# Four times as many executions as with what it does by itself: it finds the same, and says less of where a block came from.
QUICK = "max_malloc_fill_size=0:quarantine_size_mb=8:malloc_context_size=4"
FINDING = re.compile(r"^(?:==\d+==\s*ERROR|SUMMARY|.*runtime error).*", re.M)


def fail(text):
    sys.exit(f"long.py: {text}")


def targets():
    names = re.findall(r"^\tX\(importer_(\w+)\)", (SOURCE / "results/import/importers.c").read_text(), re.M)
    texts = [path.read_text() for path in sorted((SOURCE / "results/import").glob("*.[ch]"))]
    importers = []
    for name in names:
        # "const struct importer importer_x = {NAME, ..." where NAME is a text or a word for one, of that file or of a header.
        of_it = re.compile(rf"importer importer_{name} = \{{\s*(\"[^\"]+\"|\w+)")
        text = next(text for text in texts if of_it.search(text))
        word = of_it.search(text).group(1)
        if not word.startswith('"'):
            word = re.search(rf"#define {word}\s+(\"[^\"]+\")", "\n".join([text, *texts])).group(1)
        importers.append(word.strip('"'))
    every = importers + ["wire", "recognition"]
    return FIRST + [name for name in every if name not in FIRST]


def tell(log, text):
    print(text, flush=True)
    if log:
        with open(log, "a", encoding="utf-8") as out:
            out.write(text + "\n")


def compile_objects(work):
    """The objects of all that the targets are made of, those that are newer than their source left alone."""
    flags = ["-g", "-O1", "-std=gnu11", "-D_GNU_SOURCE", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined", SANITIZERS]
    flags += [f"-I{SOURCE / folder}" for folder in ("base", "schema", "results/select", "results/import")]
    flags += shlex.split(subprocess.check_output(["pkg-config", "--cflags", "glib-2.0", "jansson"], text=True))
    sources = sorted((SOURCE / "results/import").glob("*.c"))
    sources += [SOURCE / path for path in ("schema/rows.c", "base/diag.c", "base/jsonx.c", "base/fsx.c", "base/decimal.c",
                                           "tests/fuzz/fuzz_import.c", "tests/fuzz/fuzz_wire.c")]
    shared = [path for folder in ("base", "schema", "results/import") for ending in ("h", "def") for path in (SOURCE / folder).glob(f"*.{ending}")]
    newest = max(path.stat().st_mtime for path in shared)
    objects = {}
    for source in [path for path in sources if path.is_file()]:
        made = work / "objects" / (source.stem + ".o")
        objects[source.stem] = made
        if not made.is_file() or made.stat().st_mtime < max(newest, source.stat().st_mtime):
            subprocess.run(["clang", *flags, "-c", str(source), "-o", str(made)], check=True)
    return objects


def build(work):
    (work / "objects").mkdir(parents=True, exist_ok=True)
    objects = compile_objects(work)
    libraries = shlex.split(subprocess.check_output(["pkg-config", "--libs", "glib-2.0", "jansson", "zlib"], text=True))
    mains = {"fuzz_import", "fuzz_wire"}
    shared = [str(path) for name, path in objects.items() if name not in mains]
    for main in sorted(mains):
        command = ["clang", SANITIZERS.replace("-no-link", ""), str(objects[main]), *shared, *libraries, "-lm", "-o", str(work / main)]
        subprocess.run(command, check=True)


def seeds_of(target):
    if target == "wire":
        return sorted((SOURCE / "tests/fuzz/corpus_wire").iterdir())
    texts = sorted(path for folder in ("import", "extracts") for path in (SOURCE / "tests/corpora" / folder).glob("*.txt"))
    return [path for path in texts if target in ("recognition", path.name.split(".")[0])]


def pieces(text):
    """A seed whole where it is short enough, else in pieces of whole lines."""
    piece = b""
    for line in text.splitlines(keepends=True):
        if piece and len(piece) + len(line) > LONGEST // 2:
            yield piece
            piece = b""
        piece += line[:LONGEST]
    if piece:
        yield piece


def prepare(target, work):
    """The corpus with its seeds, and a dictionary of their words."""
    corpus = work / "corpus" / target
    corpus.mkdir(parents=True, exist_ok=True)
    words = set()
    seeds = seeds_of(target)
    if not seeds:
        fail(f"no seeds for {target}; they belong into tests/corpora/import")
    for seed in seeds:
        text = seed.read_bytes()
        words |= set(re.findall(rb"[A-Za-z][\w/%.-]{1,30}|[^\w\s]{1,3} ?", text))
        for i, piece in enumerate(pieces(text)):
            (corpus / f"seed-{seed.stem}-{i}").write_bytes(piece)
    dictionary = work / f"{target}.dict"
    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in sorted(words))
    dictionary.write_text("".join(f'"{word}"\n' for word in quoted))
    return corpus, dictionary


def processor_seconds(process):
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def fuzz(target, seconds, work):
    """(CPU seconds, executions, what was found or None)."""
    corpus, dictionary = prepare(target, work)
    findings = work / "findings"
    findings.mkdir(exist_ok=True)
    program = work / ("fuzz_wire" if target == "wire" else "fuzz_import")
    # GLib's own blocks would hide what is read behind its end.
    environment = dict(os.environ, G_SLICE="always-malloc", G_DEBUG="fatal-criticals", UBSAN_OPTIONS="print_stacktrace=1",
                       ASAN_OPTIONS=QUICK)
    if target != "wire":
        environment["BM_FUZZ_IMPORTER"] = target
    output = work / f"{target}.out"
    with open(output, "wb") as out:
        process = subprocess.Popen([str(program), f"-max_len={LONGEST}", "-timeout=120", "-rss_limit_mb=2048", "-print_final_stats=1",
                                    f"-dict={dictionary}", f"-artifact_prefix={findings}/{target}-", str(corpus)],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment)
        used, stopped = 0.0, False
        while process.poll() is None:
            used = max(used, processor_seconds(process))
            if used >= seconds and not stopped:
                process.send_signal(signal.SIGINT)
                stopped = True
            time.sleep(0.5)
    text = output.read_text(errors="replace")
    count = re.search(r"stat::number_of_executed_units: +(\d+)", text)
    runs = int(count.group(1)) if count else max(map(int, re.findall(r"^#(\d+)", text, re.M)), default=0)
    first = FINDING.search(text)
    if first:
        return used, runs, first.group(0).strip()
    if not stopped:
        return used, runs, f"it ended by itself with status {process.returncode}: see {output}"
    return used, runs, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", type=float)
    parser.add_argument("work", type=Path)
    parser.add_argument("--log", type=Path)
    parser.add_argument("target", nargs="*", help="all of them where none is named")
    arguments = parser.parse_intermixed_args()
    every = targets()
    unknown = [name for name in arguments.target if name not in every]
    if unknown:
        fail(f"no target is named {unknown[0]}; there are {', '.join(every)}")
    build(arguments.work.resolve())
    failed = 0
    for target in arguments.target or every:
        used, runs, found = fuzz(target, arguments.seconds, arguments.work.resolve())
        tell(arguments.log, f"{target:22} {used:7.0f} s of processor {runs:10} executions  {found or 'no finding'}")
        failed += found is not None
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
