#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What mikgen tune gains over what is emitted without a profile, on this machine (bench/tune.sh gain).

  gain.py MIKGEN ROOT FOLDER [PATTERN]

The operators of ROOT/bench/shapes/nests.csv that are no product, those whose names match the regular expression, are tuned in one run on the
extents that stand there, $TRIALS measurements for each nest, and go on where FOLDER/tuned.profile ends. Then each is emitted with that
profile and without, and both are timed in turn by the programs that check them, in ROUNDS rounds, MORE where the tuned one seems slower: the
gain is the median of the rounds' ratios. Of an operator that is emitted alike it is 1, and nothing is timed.
"""
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

ROUNDS, MORE = 7, 17


def tune(mikgen, cases, folder):
    """One run over all specs. The profile, whatever it gains on this machine, is the same for the next call."""
    extents = {(case.operator, tuple_of(case)) for case in cases}
    (folder / "all.shapes").write_text("".join(f"{operator} {text}\n" for operator, text in sorted(extents)))
    specs = sorted({str(case.spec) for case in cases})
    trials = os.environ.get("TRIALS", "64")
    command = [mikgen, "tune", "--target=c", f"--trials={trials}", f"--shapes={folder / 'all.shapes'}", *specs, "-o", folder / "tuned.profile"]
    if subprocess.run(command, check=False).returncode:
        sys.exit("gain.py: mikgen tune failed")


def tuple_of(case):
    """The integers, as the self-check and --shapes want them."""
    values = [case.values[p.name] for p in case.parameters if not p.is_array and p.type in ("int", "int32_t")]
    return "x".join(values)


def programs(Program, mikgen, spec, folder):
    """The self-checks without the profile and with it."""
    for name, flags in (("default", ""), ("tuned", f"--profile={folder / 'tuned.profile'}")):
        yield Program(spec, SimpleNamespace(mikgen=mikgen, mikgen_flags=flags, cc="gcc -O2"), folder / name / spec.stem)


def is_same(both):
    """But for the banner, which tells the command."""
    texts = [(program.folder / "own.c").read_text() for program in both]
    return len({text[text.index("*/"):] for text in texts}) == 1


def gain(both, case):
    """(microseconds without and with the profile, median of the ratios); None: they could not be timed."""
    times, rounds = [], ROUNDS
    while len(times) < rounds:
        once = [program.time(case.operator, tuple_of(case), 60, "eighths") for program in both]
        if None in once:
            return None
        times.append([emitted for _, emitted in once])
        ratio = statistics.median(a / b for a, b in times)
        if len(times) == ROUNDS and ratio < 0.99:
            rounds = MORE
    return (*(min(column) for column in zip(*times)), ratio)


def main(mikgen, root, folder, pattern="."):
    sys.path.insert(0, f"{root}/bench/nests")
    import cases
    from never_slower import Program

    folder = Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [case for case in cases.read(pattern) if case.group in ("nest", "row")]
    tune(mikgen, wanted, folder)
    ratios, made = [], {}
    print(f"{'operator':<20} {'default us':>11} {'tuned us':>11} {'gain':>7}")
    for case in wanted:
        if case.spec not in made:
            made[case.spec] = list(programs(Program, mikgen, case.spec, folder))
        if is_same(made[case.spec]):
            print(f"{case.name:<20} {'as without the profile':>23} {1:7.3f}", flush=True)
            ratios.append(1)
            continue
        times = gain(made[case.spec], case)
        if times is None:
            print(f"{case.name:<20} not timed")
            continue
        ratios.append(times[2])
        print(f"{case.name:<20} {times[0]:11.1f} {times[1]:11.1f} {times[2]:7.3f}", flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{len(ratios)} operators: geometric mean {mean:.3f}, least {min(ratios):.3f}, most {max(ratios):.3f}")


main(*sys.argv[1:])
