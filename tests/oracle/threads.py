# SPDX-License-Identifier: GPL-3.0-or-later
"""The bits of what an operator computes do not depend on how many threads do it: the cases of bench/shapes/nests.csv that are no
product, and the ones below, with 1, 2, 3 and 7 threads. See threads.sh."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench" / "nests"))
import build  # noqa: E402
import cases  # noqa: E402
import driver  # noqa: E402

HERE = Path(__file__).resolve().parent
WHOLE = {"sum", "dot_f32", "dot_s8", "argmax", "whole_sums", "whole_place", "dot", "place"}  # one result each, that threads share
MORE = [("whole_sums", "whole_sums", "N=23"), ("whole_sums", "whole_place", "N=61"), ("reductions", "dot", "n=3000001"),
        ("reductions", "place", "n=3000001"), ("reductions", "column_sums", "n=1000 m=999"),
        ("reductions", "column_ranges", "n=1000 m=999"), ("reductions", "planes", "n=3 c=17 h=101 w=103")]


def own_case(spec, name, arguments):
    """A case of an operator among tests/specs."""
    row = {"name": name, "spec": "sum", "group": "nest", "arguments": "N=1", "data": "", "flops": "", "limit": "", "tolerance": "", "plain": ""}
    case = cases.Case(row)
    case.operator, case.spec = name, ROOT / "tests" / "specs" / f"{spec}.spec"
    prototype = re.search(r"^void " + name + r"\((.*?)\)\s*\{", case.spec.read_text(), re.S | re.M)[1]
    case.parameters = [cases.Parameter(text) for text in prototype.split(",")]
    case.arrays = [p for p in case.parameters if p.is_array]
    case.values = dict(word.split("=") for word in arguments.split())
    return case


def objects(folder):
    sources = [HERE / "threads.c", ROOT / "bench" / "nests" / "data.c"]
    for source in sources:
        build.make(source.stem + ".o", [source], [*build.HARNESS, "-O2", "-c", source, "-o", source.stem + ".o"], folder)
    return [folder / (source.stem + ".o") for source in sources]


def tasks_of(case, mikgen, flags, folder):
    """How many tasks the operator had; build.Failed when bits differ."""
    shared = objects(folder)
    folder = folder / case.name
    folder.mkdir(exist_ok=True)
    header = f"{case.operator}_dyn.h"
    for emit, name in (("source", "own.c"), ("header", header)):
        build.write(folder / name, build.command([mikgen, "--target=c", f"--emit={emit}", *flags, case.spec], folder))
    build.write(folder / "case.c", driver.text(case, [], [header]))
    build.command(["gcc", "-std=c99", "-O1", "-c", "own.c", "-o", "own.o"], folder)
    build.command([*build.HARNESS, "-O1", "-c", "case.c", "-o", "case.o"], folder)
    build.command(["gcc", "case.o", "own.o", *shared, "-lm", "-lpthread", "-o", "threads"], folder)
    done = subprocess.run([folder / "threads"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise build.Failed(done.stdout.strip() or f"ended with {done.returncode}")
    return int(done.stdout)


def main():
    mikgen, folder, pattern = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [case for case in cases.read() if case.group in ("nest", "row")] + [own_case(*more) for more in MORE]
    failed = 0
    for case in wanted:
        if not re.search(pattern, case.name):
            continue
        try:
            tasks = tasks_of(case, mikgen, sys.argv[4:], folder)
            print(f"{case.name}: {tasks} tasks")
            if case.name in WHOLE and tasks < 2:
                raise build.Failed("threads do not share it")
        except build.Failed as why:
            print(f"FAILED: {case.name}: {why}")
            failed += 1
    sys.exit(failed > 0)


main()
