#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every row of plan/passes.def is listed, and can be dumped for a spec in which it does something.

    rows.py MIKGEN FOLDER

--dump-after=list names the rows in their order. rows.txt has a line for each, NAME [OPTION...] SPEC: the tree after it is another one than
after the row before. Rows that decide and leave all trees alone have the word "decides" instead of a spec.
"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
mikgen, folder = sys.argv[1:]
failed = []


def run(*words):
    done = subprocess.run([mikgen, *words], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: mikgen {' '.join(words)}: {done.stderr}")
    return done.stdout


table = [(kind, name) for kind, name in re.findall(r"^(\w+)\((\w+), ", (ROOT / "plan/passes.def").read_text(encoding="utf-8"), re.M)
         if kind != "KEEP_PASS"]
listed = [line.split()[0] for line in run("--dump-after=list").splitlines()]
if listed != [name for _, name in table]:
    failed.append("--dump-after=list does not name the rows of plan/passes.def in their order")
kept = re.findall(r"^KEEP_PASS\((\w+), ", (ROOT / "plan/passes.def").read_text(encoding="utf-8"), re.M)
if [line.split()[0] for line in run("--keep-loops", "--dump-after=list").splitlines()] != kept:
    failed.append("--keep-loops --dump-after=list does not name the rows of plan/passes.def in their order")


def with_profile(words):
    """Of the words, those that say what a profile is to say, by a profile."""
    for word in words:
        if word.startswith("knobs:"):
            others = [other for other in words if other != word]
            nest = re.search(r"^// .*, line \d+, ([0-9a-f]{16});", run(*others, "--dump-after=nests"), re.M)[1]
            chosen = word.split(":")[1:]
            profile = pathlib.Path(folder, "rows.profile")
            profile.write_text(f"mikgen-profile 1\nnest {chosen[0]} {nest} {' '.join(chosen[1:])} ns 1\n", encoding="utf-8")
            return [f"--profile={profile}", *others]
    return words


def statements(dump):
    """The first function's, or all of an operator's functions': without what is said about them, and indents."""
    return [line.strip() for line in dump.splitlines() if not re.match(r"//|operator |helper |  param ", line)]


def first_function(dump):
    return dump.split("\noperator ")[0]


def kind_of(at):
    """Of a row. What GRID_STEPs leave comes to DEVICE_STEPs."""
    return "GRID_STEP" if table[at][0] == "DEVICE_STEP" else table[at][0]


def before(at):
    """The row whose trees come to this one: the last one that is run before it, of the same kind if there is any in its parent."""
    kind = kind_of(at)
    outer = ("PASS", "STEP")
    row = at - 1
    if kind not in outer and kind_of(row) != kind:
        row -= 1  # the parent, which runs them
    while kind_of(row) == "GROUP" or (kind_of(row) not in outer and kind_of(row) != kind):
        row -= 1
    return row


specs = {}
for line in (HERE / "rows.txt").read_text(encoding="utf-8").splitlines():
    if line and not line.startswith("#"):
        specs[line.split()[0]] = line.split()[1:]
for at, (kind, name) in enumerate(table):
    words = specs.pop(name, None)
    if kind == "GROUP" or name == "parse":
        continue
    if not words:
        failed.append(f"rows.txt has no line for {name}")
        continue
    if words == ["decides"]:
        continue
    words = with_profile(words)
    after, ahead = run(*words, f"--dump-after={name}"), run(*words, f"--dump-after={table[before(at)][1]}")
    if kind in ("NEST_STEP", "FORM_STEP", "GRID_STEP") and table[before(at)][0] != kind:  # one of these functions with the operator's loops
        same = "\n".join(statements(first_function(after))) in "\n".join(statements(ahead))
    else:
        same = statements(after) == statements(ahead)
    if same or not after.startswith(("operator ", "helper ", "// ")) or "// nothing goes through" in after:
        failed.append(f"{name} does nothing in {' '.join(words)}")
failed += [f"rows.txt has a line for {name}, which is no row" for name in specs]
print("\n".join(failed) or f"{len(table)} rows")
sys.exit(bool(failed))
