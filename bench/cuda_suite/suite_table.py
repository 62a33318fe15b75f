# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables: a row for each tree, then each kernel that is better, other or worse."""
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import verdicts

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "real_c"))
from table import markdown, percent  # noqa: E402


class Tree:
    """What was found out about a tree; `loops`: counts of its remarks."""

    def __init__(self, name, found, loops):
        self.name, self.found, self.loops = name, found, loops
        self.compiled = [each for each in found if not each.uncompiled]

    def changed_kernels(self):
        """By unit and name, with the changes on each machine."""
        kernels = {}
        for each in self.compiled:
            for change in each.changes:
                kernels.setdefault((each.name, change.name), []).append(change)
        return kernels

    def cells(self):
        compiled = self.compiled
        changed = [each for each in compiled if each.changed]
        understood, loops = (sum(numbers) for numbers in zip((0, 0), *(each.kernels_with_loops() for each in compiled)))
        verdict = Counter(verdicts.worst(changes) for changes in self.changed_kernels().values())
        return [self.name, f"{len(compiled)}/{len(self.found)}", f"{sum(each.accepted for each in compiled)}/{len(compiled)}",
                str(len(changed)), f"{sum(each.again for each in compiled)}/{len(compiled)}",
                f"{sum(not each.broken for each in changed)}/{len(changed)}", percent(understood, loops),
                str(sum(each.kernels for each in compiled)), str(sum(verdict.values())), *(str(verdict[word]) for word in verdicts.ORDER)]


HEAD = ["tree", "units", "accepted", "changed", "same again", "compile", "kernels with loops understood", "kernels", "code changed",
        *verdicts.ORDER]


def in_short(each):
    if each.uncompiled or each.refused or each.broken:
        return each.uncompiled or each.refused or each.broken
    return f"{'changed' if each.changed else 'unchanged'}, {each.kernels} kernels " + " ".join(
        f"{change.arch}:{change.verdict()}" for change in each.changes)


def plain_names(names):
    """As the sources have them."""
    done = subprocess.run(["c++filt", "-p"], input="\n".join(names), capture_output=True, text=True, check=True)
    return dict(zip(names, done.stdout.splitlines()))


def kernel_rows(tree):
    kernels = tree.changed_kernels()
    plain = plain_names([name for _, name in kernels])
    rows = []
    for (unit, name), changes in kernels.items():
        for change in changes:
            if change.verdict() != "same":
                rows.append([verdicts.ORDER.index(change.verdict()), [tree.name, unit, plain[name], change.arch, *change.cells()]])
    return [cells for _, cells in sorted(rows)]


def shortest(message):
    """An error without the path in front, and its number."""
    return re.sub(r"^\S*?([^/\s]+\(\d+\)|[^/\s]+:\d+:\d+)", r"\1", message).replace("|", "\\|")


def text(given, compiler, trees):
    flags = " ".join(["--keep-loops", *given.mikgen_flags])
    out = [f"`bench/cuda_suite.sh`, `mikgen {flags}`; nvcc {compiler.version}, `-O3`, {', '.join(given.arch)}; nothing was run\n\n",
           markdown(HEAD, [tree.cells() for tree in trees])]
    rows = [cells for tree in trees for cells in kernel_rows(tree)]
    if rows:
        out += ["\n", markdown(["tree", "unit", "kernel", "arch", "verdict", "differs", "instructions of innermost loops", "of all"], rows)]
    for tree in trees:
        bad = [f"- {each.name}: {shortest(why)}\n" for each in tree.found
               for why in (each.refused, each.broken, None if each.again or not each.accepted else "rewriting it once more changes more") if why]
        if bad:
            out += [f"\nWhat is wrong in {tree.name}:\n\n", *bad]
        missing = [f"- {each.name}: {shortest(each.uncompiled)}\n" for each in tree.found if each.uncompiled]
        if missing:
            out += [f"\nUnits of {tree.name} that this nvcc does not compile as they are:\n\n", *missing]
        if tree.loops.reasons:
            out += [f"\nWhy loops of {tree.name} stay as they are:\n\n",
                    *(f"- {count} {reason}\n" for reason, count in tree.loops.reasons.most_common(8))]
    return "".join(out)
