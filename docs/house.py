#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/house.svg: the generator's rooms, one above the other, and who includes whom.

    python3 docs/house.py > docs/house.svg

Arrows are the #include lines, without those that follow from others. Where a room stands says PLACES; an arrow that would not point
straight down is an error: move the room, or the include.
"""
import fnmatch
import os
import re
import subprocess
import sys

# Room: floor from the top, first and last column, what it knows.
PLACES = {
    "gen": (0, 0, 13, "commands"),
    "gen/tune": (1, 7, 11, "searches, their programs"),
    "gen/report": (1, 0, 3, "a page about a spec"),
    "gen/picture": (2, 0, 3, "plans of calls, drawn"),
    "gen/driver": (3, 0, 13, "options, the order of passes"),
    "gen/front/clang": (4, 0, 1, "Clang runs, its files"),
    "gen/front/kept": (5, 0, 0, "any C, text kept"),
    "gen/front/extract": (5, 1, 1, "a function as a spec"),
    "gen/front/tree": (6, 0, 1, "Clang's tree to ours"),
    "gen/front": (7, 0, 2, "specs and sources read"),
    "emit": (4, 6, 6, "the model, the text"),
    "tune": (4, 7, 7, "times kernels"),
    "tune/nests": (4, 9, 13, "what loops could be, and how fast"),
    "tune/search": (5, 13, 13, "spaces, searches"),
    "plan/split": (5, 4, 4, "nests apart, to products"),
    "plan/lower": (5, 5, 5, "what kernels call"),
    "plan/kernels": (5, 6, 7, "which there are, what they cost"),
    "plan/chains": (5, 8, 8, "stages by rows"),
    "plan/vectors": (5, 9, 12, "vectorized loops"),
    "plan/contract": (6, 4, 6, "nests as products"),
    "plan/profile": (6, 7, 7, "measured costs"),
    "plan/grid": (6, 3, 3, "loops as grids"),
    "plan/nests": (6, 8, 10, "loops apart, in which order"),
    "plan": (7, 3, 10, "the plan, targets, entries, stack"),
    "gen/front/text": (9, 0, 0, "prelude texts"),
    "fuse": (8, 1, 2, "calls, loops put together"),
    "depend": (9, 1, 10, "index algebra; what may run in any order"),
    "licm": (9, 11, 11, "what leaves loops"),
    "normalize": (9, 12, 12, "order in sums"),
    "ir": (10, 0, 13, "the tree, types, effects, ranges, messages"),
}
# What is no part of the program: text that it prints.
TEXTS = [
    ("templates", "the files' frames"),
    ("templates/c", "tables, operators"),
    ("templates/cuda", "tables, operators"),
    ("templates/bind", "other languages"),
    ("templates/explain", "plans as data"),
    ("templates/report", "the page about a spec"),
    ("templates/engine/c", "kernels, dispatcher"),
    ("templates/engine/vec", "vectors for loops"),
    ("templates/engine/sets/*", "vectors of each instruction set"),
    ("templates/engine/cuda", "kernels, dispatcher"),
    ("templates/engine/check", "the self-check"),
    ("templates/engine/tune", "what measures"),
]
WIDE, HIGH, GAP, LEFT, TOP = 146, 58, 26, 24, 24
CODE = (".c", ".h", ".cc", ".hh", ".def")


def files():
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, check=True).stdout.split()
    return [f for f in listed if os.path.exists(f)]


def included(paths):
    """Room: the rooms whose headers its files include."""
    found = {room: set() for room in PLACES}
    for path in paths:
        room = os.path.dirname(path)
        if room not in PLACES or not path.endswith(CODE):
            continue
        with open(path, encoding="utf-8") as f:
            for name in re.findall(r'^#include "([a-z0-9_/]+)/[^"/]+"', f.read(), re.M):
                if name in PLACES and name != room:
                    found[room].add(name)
    return found


def reduced(graph):
    """Without what follows from other arrows."""
    def below(room):
        seen, todo = set(), list(graph[room])
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo.extend(graph[at])
        return seen
    reach = {room: below(room) for room in graph}
    return {room: sorted(x for x in graph[room] if not any(x in reach[y] for y in graph[room])) for room in graph}


def box(room):
    floor, first, last, _ = PLACES[room]
    x, y = LEFT + first * (WIDE + GAP), TOP + floor * (HIGH + GAP)
    return x, y, (last - first + 1) * (WIDE + GAP) - GAP


def arrows(graph):
    """Straight down, apart from each other: (x, y from, y to)."""
    out = []
    for room in PLACES:
        for below in graph[room]:
            x, y, wide = box(room)
            to_x, to_y, to_wide = box(below)
            left, right = max(x, to_x), min(x + wide, to_x + to_wide)
            if left >= right or to_y <= y:
                sys.exit("house.py: %s includes %s, which does not stand below it: change PLACES" % (room, below))
            # Where nothing stands between them.
            for at in range(left + WIDE // 2, right, (WIDE + GAP) // 2):
                between = [r for r in PLACES if y < box(r)[1] < to_y and box(r)[0] - 6 <= at <= box(r)[0] + box(r)[2] + 6]
                if not between and not any(abs(at - other) < 12 and y < end and start - HIGH < to_y for other, start, end in out):
                    break
            else:
                sys.exit("house.py: no way from %s to %s: change PLACES" % (room, below))
            out.append((at, y + HIGH, to_y))
    return out


def drawn_box(x, y, wide, high, name, what, count, kind):
    files_said = "%d files" % count if count != 1 else "1 file"
    return ['<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="6"/>' % (kind, x, y, wide, high),
            '<text class="name" x="%d" y="%d">%s</text>' % (x + 10, y + 20, name),
            '<text class="what" x="%d" y="%d">%s</text>' % (x + 10, y + 36, what),
            '<text class="count" x="%d" y="%d">%s</text>' % (x + 10, y + 50, files_said)]


def main():
    paths = files()
    count = lambda folder, ends: sum(fnmatch.fnmatch(os.path.dirname(p), folder) and p.endswith(ends) for p in paths)
    side = LEFT + 14 * (WIDE + GAP) + 20
    width, height = side + WIDE + 60 + LEFT, TOP + 11 * (HIGH + GAP) - GAP + 56
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif">'
           % (width, height, width, height),
           '<title>Who includes whom in mikgen</title>',
           '<style>.room{fill:#eaf1fb;stroke:#3b6ea5}.text{fill:#fdf3e1;stroke:#b07d2b}.name{font-size:14px;font-weight:bold;fill:#1c2733}'
           '.what{font-size:11px;fill:#33424f}.count{font-size:10px;fill:#667788}.arrow{stroke:#3b6ea5;stroke-width:1.5;fill:none}'
           '.note{font-size:11px;fill:#33424f}</style>',
           '<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">'
           '<path d="M0,0 L9,4 L0,8 z" fill="#3b6ea5"/></marker></defs>',
           '<rect width="100%" height="100%" fill="#ffffff"/>']
    for x, start, end in arrows(reduced(included(paths))):
        out.append('<path class="arrow" marker-end="url(#head)" d="M%d,%d V%d"/>' % (x, start, end - 1))
    for room, (_, _, _, what) in PLACES.items():
        x, y, wide = box(room)
        out += drawn_box(x, y, wide, HIGH, room, what, count(room, CODE), "room")
    step = 11 * (HIGH + GAP) // len(TEXTS)
    for i, (folder, what) in enumerate(TEXTS):
        out += drawn_box(side, TOP + i * step, WIDE + 60, HIGH, folder, what, count(folder, (".j2", ".py", ".h", ".cuh")), "text")
    out.append('<text class="note" x="%d" y="%d">An arrow: includes. What follows from other arrows is left out.</text>' % (LEFT, height - 18))
    out.append('<text class="note" x="%d" y="%d">Text that is printed: C as it stands,</text>' % (side, height - 26))
    out.append('<text class="note" x="%d" y="%d">and Jinja, which assembles it.</text>' % (side, height - 12))
    out.append('</svg>')
    print("\n".join(out))


main()
