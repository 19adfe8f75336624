#!/usr/bin/python3
"""What is read out of a folder of benchmark outputs, file by file.

    count.py PROGRAM FOLDER [--unread]

PROGRAM is benchmatrix, FOLDER is searched for *.txt. A line per file: its format, its lines, figures that count, figures that do not (quarantined, or of
a name that no benchmark has), lines of the tool's that were not understood, and others; then the sums. --unread shows the lines that were not
understood and why. A file of no known format is told, and fails nothing: exit status 1 only where the program itself failed.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COLUMNS = ["lines", "figures", "quarantined", "unknown name", "not understood", "other"]
PARTS = {
    "figures": r"(\d+) figures?\b(?! that)",
    "quarantined": r"(\d+) quarantined",
    "unknown name": r"(\d+) unknown names?",
    "not understood": r"(\d+) (?:lines? )?not understood",
    "other": r"(\d+) other lines?",
    "lines": r"(\d+) lines?:",
}

# A row of --dry-run that is of no run and has nothing but its line and the reason.
UNREAD_ROW = r"(\d+) +- +(.*?) +(?:- +){6}(\S.*)$"


def read(program, path, database):
    """(format or None, counts, lines that were not understood); None where the program broke."""
    done = subprocess.run([program, "--db", database, "import", "--dry-run", str(path)], capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1, 4):  # 1: nothing counts, 4: no figure at all
        print(f"{path}: exit status {done.returncode}\n{done.stderr}", file=sys.stderr)
        return None
    summary = next((line for line in done.stderr.splitlines() + done.stdout.splitlines()
                    if re.match(rf"{re.escape(path.name)}: [\w-]+, \d+ lines", line)), "")
    format = re.match(r".*?: ([\w-]+),", summary) or re.search(r"no figure in the document, read as ([\w-]+)", done.stderr)
    counts = {name: int(found.group(1)) if (found := re.search(PARTS[name], summary)) else 0 for name in COLUMNS}
    unread = [line for line in done.stderr.splitlines() if re.match(rf".*{re.escape(path.name)}:\d+: ", line)]
    unread += [f"{row.group(1)}: {row.group(3)}: {row.group(2)}" for line in done.stdout.splitlines() if (row := re.match(UNREAD_ROW, line))]
    return format.group(1) if format else None, counts, unread


def main():
    arguments = [word for word in sys.argv[1:] if word != "--unread"]
    if len(arguments) != 2:
        sys.exit(__doc__)
    program, folder = arguments[0], Path(arguments[1])
    files = sorted(folder.rglob("*.txt"))
    if not files:
        sys.exit(f"count.py: no *.txt below {folder}")
    sums = dict.fromkeys(COLUMNS, 0)
    broken, unknown = 0, 0
    print("".join(f"{name:>16}" for name in COLUMNS) + "  format, file")
    with tempfile.TemporaryDirectory() as place:
        for path in files:
            found = read(program, path, f"{place}/none.db")
            if found is None:
                broken += 1
                continue
            format, counts, unread = found
            unknown += format is None
            for name in COLUMNS:
                sums[name] += counts[name]
            print("".join(f"{counts[name]:16}" for name in COLUMNS) + f"  {format or '-'}, {path.relative_to(folder)}")
            if "--unread" in sys.argv:
                print("".join(f"    {line}\n" for line in unread), end="")
    print("".join(f"{sums[name]:16}" for name in COLUMNS) + f"  {len(files)} files, {unknown} of no known format, {broken} failed")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
