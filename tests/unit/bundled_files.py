"""Holds the JSON schemas against every bundled file, and against files that they must refuse."""
import copy
import json
import pathlib
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

ROOT = pathlib.Path(sys.argv[1])
FOLDERS = {"toolchain": "toolchains", "library": "bench-core/libs", "matrix": "runner/matrices"}
# Per schema, what makes a good file bad: a path into it, and the value put there.
SPOILERS = {
    "toolchain": [(["bits"], 16), (["endian"], "middle"), (["machine"], "x86"), (["colour"], "red"), (["triple"], "../x")],
    "library": [
        (["flags", 0, "name"], "a+b"),
        (["flags", 0, "name"], "default"),
        (["flags", 0, "need"], []),
        (["recipe", "archive"], "../x.a"),
        (["versions", 0, "folder"], "and-debian"),
        (["profiles"], []),
    ],
    "matrix": [
        (["blocks"], [1000]),
        (["optimisations"], ["-O9"]),
        (["flags"], "some"),
        (["flags"], ["sp"]),
        (["toolchains"], []),
        (["invocations"], 0),
    ],
}


def spoiled(good, path, value):
    bad = copy.deepcopy(good)
    place = bad
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return bad


failures = 0
for kind, folder in FOLDERS.items():
    schema = json.loads((ROOT / f"schema/{kind}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    files = sorted((ROOT / folder).glob("*.json"))
    if not files:
        print(f"{folder}: no file")
        failures += 1
    for file in files:
        content = json.loads(file.read_text())
        for error in validator.iter_errors(content):
            print(f"{file.relative_to(ROOT)}: {error.json_path}: {error.message}")
            failures += 1
        for path, value in SPOILERS[kind]:
            if validator.is_valid(spoiled(content, path, value)):
                print(f"{kind}.schema.json: {path} = {value!r} in {file.name} is accepted")
                failures += 1
sys.exit(1 if failures else 0)
