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

try:
    from referencing import Registry, Resource
except ImportError:  # before jsonschema 4.18
    from jsonschema import RefResolver

    Registry = None

ROOT = pathlib.Path(sys.argv[1])
FOLDERS = {"toolchain": "toolchains", "library": "bench-core/libs", "matrix": "runner/matrices", "published": "results/published"}
# Per schema, what makes a good file bad: a path into it, and the value put there.
SPOILERS = {
    "toolchain": [(["bits"], 16), (["endian"], "middle"), (["machine"], "x86"), (["colour"], "red"), (["triple"], "../x"), (["lto"], "yes")],
    "library": [
        (["flags", 0, "name"], "a+b"),
        (["flags", 0, "name"], "default"),
        (["flags", 0, "need"], []),
        (["recipe", "archive"], "../x.a"),
        (["versions", 0, "folder"], "and-debian"),
        (["profiles"], []),
        (["profiles", 0, "defines"], ["TWO WORDS"]),
        (["profiles", 0, "versions"], {"new": {"configure": []}}),
        (["versions", 0, "debian", "patches"], "no"),
        (["flags", 0, "defines"], ["!NAME=1"]),
        (["versions", 0, "settings"], "header"),
        (["flags", 0, "versions"], "4.0"),
        (["flags", 0, "on"], {"arm": {"cflags": []}}),
        (["flags", 0, "on"], {"arm": {"versions": "new"}}),
    ],
    "published": [
        (["reference"], ""),
        (["date"], "2017"),
        (["platforms", "x"], {"environment": "hardwere", "facts": {}}),
        (["documents", 0, "figures"], []),
        (["documents", 0, "platforms"], "x"),
        (["documents", 0, "labels", "benchmark"], "sha-256 hash"),
    ],
    "matrix": [
        (["blocks"], [1000]),
        (["optimisations"], ["-O9"]),
        (["flags"], "some"),
        (["flags"], ["sp"]),
        (["toolchains"], []),
        (["invocations"], 0),
        (["extra_flags"], [{"name": "idle", "summary": "does nothing"}]),
    ],
}


def spoiled(good, path, value):
    bad = copy.deepcopy(good)
    place = bad
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return bad


def validator_of(schema, others):
    """A validator that finds the other schemas by their names."""
    Draft202012Validator.check_schema(schema)
    if Registry:
        found = Registry().with_resources((name, Resource.from_contents(it)) for name, it in others.items())
        return Draft202012Validator(schema, registry=found)
    return Draft202012Validator(schema, resolver=RefResolver("", schema, store=others))


schemas = {f"{kind}.schema.json": json.loads((ROOT / f"schema/{kind}.schema.json").read_text()) for kind in FOLDERS}
failures = 0
for kind, folder in FOLDERS.items():
    validator = validator_of(schemas[f"{kind}.schema.json"], schemas)
    files = sorted((ROOT / folder).glob("*.json"))
    if not files:
        print(f"{folder}: no file")
        failures += 1
    if kind == "matrix":
        extra = [{"name": "aligned", "summary": "own", "cflags": ["-DALIGNED"]}]
        if not validator.is_valid(spoiled(json.loads(files[0].read_text()), ["extra_flags"], extra)):
            print("matrix.schema.json: a good row of extra_flags is refused")
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
