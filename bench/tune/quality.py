#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon mikgen tune's descent is as good as many random measurements, on this machine (bench/tune.sh quality).

  quality.py MIKGEN ROOT TRIALS NEST...

Each nest of ROOT/bench/shapes/tune.txt is searched twice, at random with TRIALS measurements and by descent with the usual number. Speeds are
times as fast as planned, which is measured in turn with the configurations; what a search found counts as it was confirmed at its end. As good
is what is SAME of it: so much differs the same configuration, measured twice.
"""
import math
import os
import re
import subprocess
import sys
import tempfile
import time

SAME = 0.98


def trials_of(rows, measured):
    """(seconds, speed) of each of so many measurements. Rows of one follow one another and differ in their extents."""
    trials = []
    for seconds, row in rows:
        key, speed = (tuple(row[3:-2])), float(row[-1]) / float(row[-2]) if float(row[-2]) > 0 else 0
        if not trials or trials[-1][0] != key or row[2] in trials[-1][2]:
            trials.append([key, seconds, {}])
        trials[-1][2][row[2]] = speed
    return [(seconds, math.prod(speeds.values()) ** (1 / len(speeds))) for _, seconds, speeds in trials[:measured]]


def search(mikgen, spec, shapes, *options):
    """The measurements of a search, with the seconds after which each was known, and the speed that was confirmed in the end."""
    reader, writer = os.pipe()
    began = time.monotonic()
    command = [mikgen, "tune", "--target=c", f"--shapes={shapes}", f"--measurements=/dev/fd/{writer}", *options, spec, "-o", os.devnull, "--fresh"]
    with tempfile.TemporaryFile("w+") as said:
        with subprocess.Popen(command, pass_fds=[writer], stderr=said) as child:
            os.close(writer)
            with os.fdopen(reader) as table:
                rows = [(time.monotonic() - began, line.rstrip().split(",")) for line in table]
        said.seek(0)
        found = re.search(r"(\d+) measured, ([\d.]+) times as fast as planned", said.read())
    if child.returncode or not found:
        sys.exit(f"quality.py: mikgen ended with status {child.returncode}: {' '.join(command)}")
    return trials_of(rows[1:], int(found[1])), float(found[2])


def main(mikgen, root, trials, *nests):
    lines = [line.split() for line in open(f"{root}/bench/shapes/tune.txt") if not line.startswith("#")]
    extents = {name: values for name, *values in lines}
    print(f"{'nest':<18} {'random':>8} {'seconds':>8} {'descent':>8} {'seconds':>8}  as good after")
    for nest in nests:
        with tempfile.NamedTemporaryFile("w", suffix=".shapes") as shapes:
            shapes.write("\n".join(extents[nest]) + "\n")
            shapes.flush()
            spec = f"{root}/bench/nests/specs/{nest}.spec"
            random, goal = search(mikgen, spec, shapes.name, "--search=random", f"--trials={trials}")
            descent, found = search(mikgen, spec, shapes.name, "--search=descent")
        best = max(speed for _, speed in descent)  # it may have been unlucky, and faster when it was confirmed
        soon = next(i for i, (_, speed) in enumerate(descent) if speed >= min(best, SAME * goal))
        after = "never" if found < SAME * goal else f"{soon + 1} measurements, {descent[soon][0]:.0f} s"
        if goal <= 1:
            after = "as planned"
        print(f"{nest:<18} {goal:8.3f} {random[-1][0]:8.0f} {found:8.3f} {descent[-1][0]:8.0f}  {after}", flush=True)


main(*sys.argv[1:])
