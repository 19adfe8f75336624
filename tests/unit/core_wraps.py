"""Holds what the adapters put in the place of the C library's functions (__wrap_X) against what their programs are linked with (--wrap=X): one that is
missing on either side is no error of the linker's, and what it should seed or stop goes on unseen. bench-core/README.md shows the same words."""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
LIBS = ROOT / "bench-core/libs"
WRAP = re.compile(r"--wrap=(\w+)")


def sources(path, seen):
    """The adapter and what it includes of its own folder."""
    if path in seen or not path.is_file():
        return ""
    seen.add(path)
    text = path.read_text()
    return text + "".join(sources(LIBS / name, seen) for name in re.findall(r'^#include "(\w+\.h)"', text, re.M))


failures = 0
for description in sorted(LIBS.glob("*.json")):
    linked = set(WRAP.findall(" ".join(json.loads(description.read_text())["program"]["libs"])))
    defined = set(re.findall(r"^\w+ __wrap_(\w+)\(", sources(description.with_suffix(".c"), set()), re.M))
    if not defined or linked != defined:
        print(f"{description.name}: linked with {sorted(linked)}, defined are {sorted(defined)}")
        failures += 1
    if description.stem == "wolfssl" and linked != set(WRAP.findall((ROOT / "bench-core/README.md").read_text())):
        print("bench-core/README.md: its command has other --wrap than wolfssl.json")
        failures += 1
sys.exit(1 if failures else 0)
