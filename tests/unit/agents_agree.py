"""Holds agents.schema.json and our reader of agents.json against each other: of each document both must say the same.

  agents_agree.py SOURCE VERDICTS     VERDICTS: the program made of agents_verdicts.c"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("jsonschema is not installed (Debian: python3-jsonschema)")
    sys.exit(77)

SCHEMA = json.loads((pathlib.Path(sys.argv[1]) / "schema/agents.schema.json").read_text())
# The least that an agent of a kind can have.
LEAST = {
    "local": {}, "qemu-user": {}, "qemu-system": {},
    "ssh": {"host": "desk"},
    "command": {"command": ["/bin/run"], "arch": "aarch64"},
}
LONG = "x" * 64
CONTROL = ["", "-o", "a\nb", "a\x1bb", "\x7f", 7, None]
WORDS = ([["a"], ["aarch64", "b.c_d+e-f"]], [[], ["a", "a"], ["-a"], [""], ["a b"], [3], "a", ["a\x1b[31mb"], [LONG + "x"], None])
# Per property: good values and bad ones; where a kind has no such property, the good ones are bad as well.
VALUES = {
    "name": (["a", "9", LONG], ["", "-a", ".a", "a b", "a/b", "ä", LONG + "x", 5, None, "a\x1b"]),
    "kind": ([], ["", "shh", "fake", 1, None]),
    "toolchains": WORDS,
    "pin": ([0, 4095, 3.0], [-1, 4096, 0.5, "0", True, None]),
    "facts": ([{}, {"name": "x y"}, {"a" * 32: "ä" * 200}, {"a_b-9": "$(touch x) `y` \"'\\"}],
              [{"A": "x"}, {"9": "x"}, {"": "x"}, {"a" * 33: "x"}, {"a b": "x"}, {"a": ""}, {"a": 1}, {"a": "ä" * 201}, {"a": "x" * 201},
               {"a": "\x1b[2J"}, {"a": "b\nc"}, {"a": "\x7f"}, [], "x", None]),
    "deadlines": ([{}, *({key: value} for key in ("connect", "upload", "start", "silence", "total", "lock", "gone") for value in (1, 604800))],
                  [{"connect": 0}, {"total": -1}, {"gone": 604801}, {"lock": 1.5}, {"start": "1"}, {"silence": None}, {"end": 1}, [], 1, None]),
    "host": (["desk", "pi@desk", "a b", "$(touch x)", "ssh://u@h:22", "ä"], CONTROL),
    "config": (["/a b", "c", "~/x"], CONTROL),
    "folder": (["/a b", "$(touch x)", "ä/'\"`"], CONTROL),
    "arch": (["aarch64", LONG], ["", "a b", "-a", 1, None, LONG + "x"]),
    "settings": ([{}, {"governor": "performance"}, {"turbo": "on"}, {"turbo": "off", "governor": "a"}],
                 [{"turbo": "up"}, {"turbo": True}, {"governor": ""}, {"governor": "a b"}, {"governor": "a,turbo=on"}, {"governor": 1}, {"boost": "on"}, {"turbo": None}, [], "x", None]),
    "command": ([["a"], ["a", "", "", "-x", "$(touch x)", "a\nb"], ["a b"]], [[], [""], [1], ["a", 1], "a", None, {}]),
    "colour": ([], ["red"]),
}


def documents():
    """(a name, a document, whether it is good)"""
    for kind, least in LEAST.items():
        agent = {"name": "one", "kind": kind, **least}
        yield kind, {"agents": [agent]}, True
        for key in agent:
            left = copy.deepcopy(agent)
            del left[key]
            yield "%s without %s" % (kind, key), {"agents": [left]}, False
        known = SCHEMA["$defs"][kind if kind in SCHEMA["$defs"] else "here"]["properties"]
        for key, (good, bad) in VALUES.items():
            for value in good:
                yield "%s, %s: %r" % (kind, key, value), {"agents": [{**agent, key: value}]}, key in known
            for value in bad:
                yield "%s, %s: %r" % (kind, key, value), {"agents": [{**agent, key: value}]}, False
    command = {"name": "one", "kind": "command", "command": ["a"]}
    yield "command that names toolchains alone", {"agents": [{**command, "toolchains": ["a"]}]}, True
    for text, good in (({"agents": []}, True), ({}, False), ([], False), ({"agents": {}}, False), ({"agents": [], "x": 1}, False), ({"agents": [1]}, False)):
        yield repr(text), text, good


def main():
    described = {key for kind in ("here", "ssh", "command") for key in SCHEMA["$defs"][kind]["properties"]}
    failures = ["%s of the schema is not tried" % key for key in sorted(described - set(VALUES))]
    Draft202012Validator.check_schema(SCHEMA)
    validator = Draft202012Validator(SCHEMA)
    cases = list(documents())
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number, (_, document, _) in enumerate(cases):
            files.append(pathlib.Path(folder) / ("%d.json" % number))
            files[-1].write_text(json.dumps(document), encoding="utf-8")
        said = subprocess.run([sys.argv[2], *files], capture_output=True, text=True, check=True, errors="surrogateescape").stdout.splitlines()
    if len(said) != len(cases):
        failures.append("%d documents, %d answers" % (len(cases), len(said)))
    for (name, document, good), verdict in zip(cases, said):
        by_schema, by_reader = validator.is_valid(document), verdict == "ok"
        if (by_schema, by_reader) != (good, good):
            failures.append("%s: expected %s; the schema takes it: %s; the reader says: %s" % (name, good, by_schema, verdict))
        if not verdict.isprintable():
            failures.append("%s: the reader's message is not escaped: %r" % (name, verdict))
    print("\n".join(failures) or "%d documents" % len(cases))
    return 1 if failures else 0


sys.exit(main())
