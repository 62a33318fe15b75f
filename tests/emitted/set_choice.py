#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What templates/sets.py writes to find the instruction set that runs, for rows that plan/isa.def does not have: sets beside each other on one
base, two lines of which one's numbers go down, and for rows like its own. On every processor that may be, for every wish, the statements find
what the rows say.

    set_choice.py FOLDER
"""
import itertools
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "templates"))
import sets as about_sets  # noqa: E402

FEATURES = ["A", "B", "B2", "C", "D", "LA", "LC"]


def row(name, number, base, guard, features, loops=None, needs=None):
    families = {"i8": {"needs": ["D:D"]}} if needs else {"f32": {"needs": []}}
    return {"name": name, "number": number, "base": base, "guard": guard, "prefix": name, "word": name, "full": name, "features": features,
            "traits": [], "kernels": families, "loops": loops is not None and {"guard": guard, "features": loops, "numbers": []}}


# Best first: d adds to c, which stands on a, as b does; b2 stands beside a.
ROWS = [row("d", 5, "c", "X_DOTS", [], needs=True), row("c", 3, "a", "X", ["C"], ["LC"]), row("b", 6, "a", "X", ["B"]),
        row("b2", 7, "p", "X", ["B2"]), row("a", 2, "p", "X", ["A"], ["LA"]), row("n", 4, "p", "N", []), row("p", 1, "p", "", [])]
LADDER = [r for r in ROWS if not r["name"].startswith("b")]
TWO = LADDER[:-1] + [row("y2", 8, "y1", "Y", ["B"]), row("y1", 9, "p", "Y", ["B2"]), LADDER[-1]]


def runs(sets, name, has, loops):
    """Does a processor run kernels of the set, or loops?"""
    wanted = [f for n in about_sets.chain(sets, name)
              for f in sets[n]["features"] + (sets[n]["loops"]["features"] if loops and sets[n]["loops"] else [])]
    return sets[name]["guard"] in ("", "X") and set(wanted) <= set(has)


def model(sets, has, wish, loops):
    """The number that is to run: of a wish, or of the best; 0: it is not there. Less than 0 are loops as they are written."""
    there = [r for r in sets.values() if not about_sets.is_added(r) and runs(sets, r["name"], has, loops)]
    wish = 3 if wish == 5 else wish
    return wish if wish < 0 else next((r["number"] for r in there if wish in (0, r["number"])), 0)


def check(sets, source):
    cases = [(has, wish, loops) for count in range(len(FEATURES) + 1) for has in itertools.combinations(FEATURES, count)
             for wish in range(-1, 11) for loops in (False, True)]
    (kernels, there), (of_loops, loops_there) = about_sets.find_sets(sets), about_sets.find_loop_sets(sets)
    needs, need_loops = about_sets.all_needs(sets)
    mask = {f: 1 << i for i, f in enumerate(FEATURES)}
    text = ["#include <stdio.h>", "#define X 1", "#define X_DOTS 1", "#define N 0", "#define Y 0", "#define MIK_WITH_LOOPS 1", "#define MIK_WITH_DOTS 1",
            "enum { %s };" % ", ".join([needs, need_loops] + ["MIK_HAS_%s = %d" % pair for pair in mask.items()]), "static int machine;",
            "static int mik_sets(void) { return machine; }", "static int mik_has(int found, int sets) { return (found & sets) == sets; }",
            "static int mik_isa(int wish, int needs)\n{", kernels, "    if (wish == 0)\n        return best;",
            "    return %s ? wish : 0;\n}" % there, "static int mik_loop_isa(int wish)\n{", of_loops,
            "    wish = wish == 0 ? best : %s;" % about_sets.loop_wish(sets, "wish"), "    return %s ? wish : 0;\n}" % loops_there,
            "static const int cases[][4] = {"]
    text += ["    {%d, %d, %d, %d}," % (sum(mask[f] for f in has), wish, loops, model(sets, has, wish, loops)) for has, wish, loops in cases]
    text += ["};", "int main(void)\n{", "    int wrong = 0;", "    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {",
             "        const int *c = cases[i];", "        machine = c[0];",
             "        const int found = c[2] ? mik_loop_isa(c[1]) : mik_isa(c[1], 0), both = c[2] ? mik_isa(c[1], MIK_NEEDS_LOOPS) : found;",
             "        if (found != c[3] || both != c[3])",
             '            wrong++, printf("processor %x, wish %d, %s: %d, %d, not %d\\n", (unsigned)c[0], c[1], c[2] ? "loops" : "kernels", found, both, c[3]);',
             "    }", "    return wrong != 0;", "}"]
    source.write_text("\n".join(text) + "\n", encoding="utf-8")
    subprocess.run(["gcc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", str(source), "-o", str(source.with_suffix(""))], check=True)
    if subprocess.run([str(source.with_suffix(""))], check=False).returncode:
        sys.exit("FAILED: the statements find other sets than the rows say")
    return len(cases)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    lists = {"beside": ROWS, "ladder": LADDER, "two": TWO}
    count = sum(check({r["name"]: r for r in rows}, folder / (name + ".c")) for name, rows in lists.items())
    print("%d wishes on processors: what the rows say" % count)


main()
