# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables: a row for each tree, then each program that changed."""
import math
import re
import subprocess
from pathlib import Path


def percent(part, whole):
    return f"{part}/{whole}, {100 * part / whole:.1f} %" if whole else "-"


def geomean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(measured):
    ratios = [each.ratio() for each in measured or [] if not each.same]
    return (f"{geomean(ratios):.3f}", f"{min(ratios):.3f}") if ratios else ("-", "-")


class Row:
    """What was found out about a tree."""

    def __init__(self, name):
        self.name, self.found, self.others = name, None, []
        self.tests, self.times, self.counts = [], None, None

    def add_rewriting(self, configuration, found):
        if configuration == "time":
            self.found = found
        else:
            self.others.append(found)

    def add_tests(self, how):
        self.tests.append(how)

    def all_found(self):
        return [self.found, *self.others]

    def failed(self):
        return "FAIL" in self.tests or self.found.vectors.lost or any(found.accepted < found.files or found.again < found.accepted for found in self.all_found())

    def cells(self):
        found = self.found
        changed = sum(not each.same for each in self.times or [])
        return [self.name, f"{found.accepted}/{found.files}", str(found.changed), f"{found.again}/{found.accepted}",
                ", ".join(dict.fromkeys(self.tests)), percent(found.functions_understood, found.functions), percent(found.loops_understood, found.loops),
                f"{found.vectors.old} / {found.vectors.new}", f"{changed}/{len(self.times or [])}", *summary(self.times), *summary(self.counts)]

    def program_cells(self):
        counted = {each.name: each for each in self.counts or []}
        for each in self.times or []:
            if not each.same:
                count = counted.get(each.name)
                yield [self.name, each.name, f"{1000 * each.old:.0f}", f"{each.ratio():.3f}",
                       f"{count.ratio():.3f}" if count and not count.same else "-"]


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def machine():
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    field = {name: re.search(rf"^{name}\s*: (.*)", text, re.MULTILINE) for name in ("model name", "cpu family", "model")}
    return ", ".join(f"{name.replace('model name', 'CPU').replace('cpu ', '')} {found[1]}" for name, found in field.items() if found)


def version(compiler):
    return subprocess.run([*compiler.split(), "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def text(given, rows):
    flags = " ".join(["--keep-loops", *given.mikgen_flags])
    out = [f"`bench/real_c.sh`, `mikgen {flags}`; {machine()}; {version(given.cc)}, `{given.cflags}`; --rounds={given.rounds}\n\n",
           markdown(["tree", "files", "changed", "same again", "own tests", "functions with loops", "loops", "vectorized before / after", "programs changed",
                     "time: geomean", "least", "instructions: geomean", "least"], [row.cells() for row in rows])]
    programs = [cells for row in rows for cells in row.program_cells()]
    if programs:
        out += ["\n", markdown(["tree", "program", "ms before", "time ratio", "instruction ratio"], programs)]
    for row in rows:
        refused = [line for found in row.all_found() for line in found.refused + found.not_again]
        refused += [f"{each.file}: {each.old} loops vectorized before, {each.new} after" for each in row.found.vectors.lost]
        if refused or row.found.reasons:
            out += [f"\nWhy loops of {row.name} stay as they are:\n\n", *(f"- {line}\n" for line in refused),
                    *(f"- {count} {reason}\n" for reason, count in row.found.reasons.most_common(8))]
    return "".join(out)
