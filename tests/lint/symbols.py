#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who calls whom, by what object files define and refer to: between folders there is no circle, whatever headers say.

    symbols.py BUILD
"""
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
build = pathlib.Path(sys.argv[1])

objects = {}
for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
    source = pathlib.Path(entry["file"])
    if not source.is_relative_to(ROOT) or source.is_relative_to(build):
        continue
    source = source.relative_to(ROOT)
    out = pathlib.Path(entry["directory"], entry["command"].split(" -o ", 1)[1].split()[0])
    if source.parts[0] not in ("tests", "bench", "examples", "install") and out.exists():
        objects[str(out)] = source

defined, wanted = {}, collections.defaultdict(set)
told = subprocess.run(["nm", "-P", "-A", *objects], capture_output=True, text=True, check=True).stdout
for line in told.splitlines():
    out, name, kind = line.split()[:3]
    source = objects[out.rstrip(":")]
    if kind == "U":
        wanted[source].add(name)
    elif kind in "TDBRC":
        defined[name] = source

arrows = collections.defaultdict(lambda: collections.defaultdict(list))
for source, names in sorted(wanted.items()):
    for name in sorted(names):
        if name in defined and defined[name].parent != source.parent:
            arrows[source.parent][defined[name].parent].append(f"{source} calls {name}() of {defined[name]}")


def below(room):
    """The folders that one reaches."""
    seen, todo = set(), [room]
    while todo:
        for other in arrows.get(todo.pop(), {}):
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


reached = {room: below(room) for room in list(arrows)}
circles = [(a, b) for a in arrows for b in arrows[a] if a in reached.get(b, ())]
for a, b in circles:
    print(f"FAILED: {a} and {b} call each other:", *arrows[a][b], sep="\n    ")
print(f"{len(wanted)} object files, {sum(len(to) for to in arrows.values())} arrows between {len(arrows)} folders")
sys.exit(1 if circles or len(wanted) < 100 else 0)
