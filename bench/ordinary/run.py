# SPDX-License-Identifier: GPL-3.0-or-later
"""What is emitted for operators that nothing was tuned to, beside their specs by several compilers; ordinary.sh says how to call it."""
import hashlib
import math
import re
import shlex
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nests"))
import never_slower  # noqa: E402
import options  # noqa: E402
from build import Failed, command, make, write  # noqa: E402

# The first is as the emitted file is compiled.
PEERS = {"spec": None, "gcc": ["gcc", "-O3", "-march=native", "-ffast-math"], "clang": ["clang-19", "-O3", "-march=native", "-ffast-math"]}
LEAST_SPEC = 500  # microseconds, where a size is searched for
LIMIT = 60  # seconds


def half_of(name):
    return "held" if hashlib.sha256(name.encode()).digest()[0] & 1 else "seen"


class Program(never_slower.Program):
    """The self-check of a spec, linked once with each peer."""

    def __init__(self, spec, given, folder):
        super().__init__(spec, given, folder)
        renames = re.search(r"^ *cc -c((?: -D\S+)*) .*_reference\.c$", (folder / "check.c").read_text(), re.M)[1].split()
        for name, words in PEERS.items():
            if words:
                make(f"{name}.o", ["reference.c"], [*words, "-std=gnu11", "-w", *renames, "-c", "reference.c", "-o", f"{name}.o"], folder)
                objects = ["check.o", "own.o", f"{name}.o"]
                make(f"check_{name}", objects, ["gcc", *objects, "-lm", "-lpthread", "-o", f"check_{name}"], folder)

    def time_all(self, operator, extents, rounds):
        """Microseconds of the emitted operator and of each peer: the best of all rounds."""
        best = {name: math.inf for name in ["ours", *PEERS]}
        for _ in range(rounds):
            for name, words in PEERS.items():
                program = self.folder / ("check" if not words else f"check_{name}")
                out = command([program, "--data=eighths", f"--op={operator}", "--time", extents], self.folder)
                found = re.search(r"spec (\S+) us, emitted (\S+) us", out)
                if not found:
                    raise Failed((out.strip().splitlines() or ["no times"])[-1])
                for key, value in ((name, found[1]), ("ours", found[2])):
                    best[key] = min(best[key], max(float(value), never_slower.LEAST_TIME))
        return best


def read_sizes(path):
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {words[0]: words[2:] for words in lines}


def searched(program, operator, wanted):
    time = lambda size: program.time(operator, never_slower.text(size, wanted), LIMIT, "eighths")
    at, *_ = never_slower.find_size(time, LEAST_SPEC)
    return [never_slower.text(never_slower.SIZES[at], wanted)]


def measure(spec, given, sizes):
    program = Program(spec, given, given.folder / spec.stem)
    for operator, wanted in never_slower.operators(program.header):
        tuples = sizes.get(operator) or (searched(program, operator, wanted) if wanted else ["0"])
        for extents in tuples:
            best = program.time_all(operator, extents, given.rounds)
            yield {"name": operator, "half": half_of(spec.stem), "extents": extents, **best}
        check(program, operator, tuples[0])


def check(program, operator, extents):
    """Says when results differ from the spec's, at smaller extents: half of each, until the spec may run."""
    numbers, checked = [int(word) for word in extents.split("x")], []
    while not checked or any(n > 1 for n in numbers):
        checked.append("x".join(map(str, numbers)))
        numbers = [max(1, n // 2) for n in numbers]
    try:
        program.check(operator, checked, "eighths")
    except Failed as why:
        print(f"{operator}: {why}", file=sys.stderr, flush=True)


def summary(title, rows):
    print(f"\n{title}: {len(rows)}")
    for what, of in (("spec/ours", lambda r: r["spec"]), ("best peer/ours", lambda r: min(r[p] for p in PEERS))):
        ratios = sorted(of(row) / row["ours"] for row in rows)
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"  {what:15} geometric mean {mean:.3f}, 5th percentile {ratios[len(ratios) // 20]:.3f}, least {ratios[0]:.3f}, "
              f"{sum(r < 0.97 for r in ratios)} below 0.97, {sum(r < 0.9 for r in ratios)} below 0.9")


def report(given, rows):
    best = lambda row: min(row[peer] for peer in PEERS)
    rows.sort(key=lambda row: best(row) / row["ours"])
    print(f"# bench/ordinary.sh, {given.cc}; microseconds, one thread, by turns; worst first")
    print(f"{'operator':24}{'half':6}{'extents':22}" + "".join(f"{k:>10}" for k in ["ours", *PEERS]) + f"{'spec/ours':>11}{'best/ours':>11}")
    for row in rows:
        times = "".join(f"{row[k]:10.4g}" for k in ["ours", *PEERS])
        print(f"{row['name']:24}{row['half']:6}{row['extents']:22}{times}{row['spec'] / row['ours']:11.3f}{best(row) / row['ours']:11.3f}")
    for half in ("seen", "held"):
        of_half = [row for row in rows if row["half"] == half]
        if of_half:
            summary(half, of_half)


def specs_in(places):
    for place in map(Path, places):
        yield from [place] if place.is_file() else sorted(place.rglob("*.spec"))


def main():
    parser = options.parser("bench/ordinary.sh", 1)
    parser.add_argument("specs", nargs="*", default=[HERE / "specs"])
    parser.add_argument("--half", choices=["seen", "held", "both"], default="both")
    parser.add_argument("--sizes", type=Path, default=HERE / "sizes.txt")
    given, rows = options.read(parser), []
    sizes = read_sizes(given.sizes)
    for spec in specs_in(given.specs):
        if not re.search(given.only, spec.stem) or given.half not in ("both", half_of(spec.stem)):
            continue
        try:
            for row in measure(spec.resolve(), given, sizes):
                rows.append(row)
                print(row, file=sys.stderr, flush=True)
        except Failed as why:
            print(f"{spec.stem}: {why}", file=sys.stderr, flush=True)
    if rows:
        report(given, rows)


if __name__ == "__main__":
    main()
