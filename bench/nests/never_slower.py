# SPDX-License-Identifier: GPL-3.0-or-later
"""What is emitted beside its spec by the same compiler and flags, operator by operator; never_slower.sh says how to call it."""
import collections
import json
import math
import re
import shlex
import subprocess
import sys
from pathlib import Path

import options
from build import Failed, command, make, write

SIZES = (16, 33, 64, 100, 200, 400, 1000, 2000, 4000, 16000, 64000, 256000, 1000000, 4000000)
LEAST_TIME = 0.001
CALL_TIME = 0.02  # microseconds: what is shorter says more of calls than of loops
CHECKS = 0.03  # microseconds: what checks of arguments may take
SMALL, SLOW = 31, 0.8  # the sizes of small calls, and what counts as slow there
MUCH = 40  # times what the spec must take: a smaller size is tried
# Where a short loop happens to lie in memory costs or gains up to 40%: all are placed alike. So are functions, where calls are short: by where
# these begin, what calls them twice in turn took 2.5 ns or 3.4.
PLACED = ["-falign-loops=64"]
PLACED_SHORT = [*PLACED, "-falign-functions=64"]
INTEGERS = re.compile(r"(?:const )?(?:unsigned |signed )?(?:int|long|long long|unsigned|short|char|size_t|u?int\d+_t) \w+")


def operators(header):
    """Names, and how many integers each wants: prototypes of NAME() alone."""
    for name, parameters in re.findall(r"^int (\w+)\(([^;]*)\);", header, re.M | re.S):
        if not name.endswith(("_with", "_explain")):
            yield name, sum(bool(INTEGERS.fullmatch(p.strip())) for p in parameters.split(","))


class Program:
    """The self-check of a spec, with the spec compiled as the emitted file is."""

    gcc = "gcc"

    def __init__(self, spec, given, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        stem = spec.stem
        flags = [*shlex.split(given.cc), *getattr(given, "placed", PLACED)]
        of_spec = shlex.split(getattr(given, "spec_cc", "")) or flags
        self.program, reference = "check", "reference"
        if of_spec != flags:
            self.program, reference = (f"{word}_{'_'.join(of_spec)}".replace("/", "_") for word in ("check", "reference"))
        files = {"own.c": [], f"{stem}_dyn.h": ["--emit=header"], "check.c": ["--emit=selfcheck"], "reference.c": ["--emit=reference"]}
        for name, emit in files.items():
            write(folder / name, command([given.mikgen, "--target=c", *emit, *shlex.split(given.mikgen_flags), spec], folder))
        self.header = (folder / f"{stem}_dyn.h").read_text()
        self.renames = re.search(r"^ *cc -c((?: -D\S+)*) .*_reference\.c$", (folder / "check.c").read_text(), re.M)[1].split()
        spec_flags = [flag for flag in of_spec if not flag.startswith("-std=")] + ["-std=gnu11", "-w"]
        harness = [self.gcc, "-std=gnu11", "-O1", "-w", PLACED_SHORT[-1]]
        for name, source, words in (("own", "own", flags), (reference, "reference", spec_flags + self.renames), ("check", "check", harness)):
            make(f"{name}.o", [f"{source}.c"], [*words, "-c", f"{source}.c", "-o", f"{name}.o"], folder)
        objects = ["check.o", "own.o", f"{reference}.o"]
        make(self.program, objects, [self.gcc, *objects, "-lm", "-lpthread", "-o", self.program], folder)

    def time(self, operator, tuple_, limit, data):
        """Microseconds of the spec and of the emitted operator; None: the spec is not meant for the extents, or takes too long."""
        words = [f"./{self.program}", f"--data={data}", f"--op={operator}", "--time", tuple_]
        try:
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        found = re.search(r"spec (\S+) us, emitted (\S+) us", done.stdout)
        return tuple(max(float(found[i]), LEAST_TIME) for i in (1, 2)) if found else None

    def check(self, operator, tuples, data):
        """Failed, when results differ at the first of the tuples whose arrays are small enough to be checked."""
        for tuple_ in tuples:
            words = [f"./{self.program}", f"--data={data}", "--slack=50", f"--op={operator}", tuple_]
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
            if not done.returncode:
                return
            if not re.search(r"^0 passed, 0 failed, ", done.stdout, re.M):
                break
        raise Failed((done.stdout.strip().splitlines() or ["the check failed"])[-1])


def folder_of(spec, given):
    return given.folder / "_".join(spec.parts[-3:-1]) / spec.stem


def text(size, wanted):
    return "x".join([str(size)] * wanted) if wanted else "0"


def guess(known, least):
    """Of SIZES the first at which the spec should take so long: a power of the size through the two largest known."""
    at = sorted(known)[-2:]
    if len(at) < 2:
        return at[0] + 3 if at and known[at[0]][0] < least / 16 else at[0] + 1 if at else 0
    of_a, of_b = (max(known[i][0], LEAST_TIME) for i in at)
    power = max(0.5, math.log(of_b / of_a) / math.log(SIZES[at[1]] / SIZES[at[0]]))
    return sum(size < SIZES[at[1]] * (least / of_b) ** (1 / power) for size in SIZES)


def find_size(time, least):
    """The place in SIZES where the spec takes `least` microseconds or somewhat more, and the times there; of sizes that are all too
    small the largest. time: of a size, None: the spec is not meant for it, or takes too long."""
    known, low, high = {}, -1, len(SIZES)
    while low + 1 < high:
        at = max(low + 1, min(guess(known, least), high - 1))
        times = time(SIZES[at])
        if times:
            known[at] = times
        if times and times[0] >= least and (times[0] <= MUCH * least or at == low + 1):
            return at, *times
        if (times and times[0] < least) or not (times or known):
            low = at
        else:
            high = at
    if not known:
        raise Failed("the spec is meant for none of the sizes")
    return max(known), *known[max(known)]


def measure(program, operator, wanted, given, data):
    """Rows of the table: the tuple and the times at each of the sizes that were asked for, or at the one found. Results are checked, too."""
    time = lambda size: program.time(operator, text(size, wanted), given.limit, data)
    if wanted and given.sizes:
        found = [(size, time(size)) for size in given.sizes]
        places = [(size, *times) for size, times in found if times]
        tuples = [[text(size, wanted)] for size, *_ in places]
    else:
        at, *times = find_size(time, given.least) if wanted else (0, *(time(0) or (0, 0)))
        places = [(SIZES[at], *times)]
        tuples = [[text(size, wanted) for size in SIZES[at::-1]]]
    for (size, of_spec, emitted), to_check in zip(places, tuples):
        for _ in range(given.rounds - 1):
            again = time(size) or (of_spec, emitted)  # too slow this time
            of_spec, emitted = min(of_spec, again[0]), min(emitted, again[1])
        if not given.spec_cc:  # another compiler rounds sums in other ways
            program.check(operator, to_check, data)
        yield text(size, wanted), of_spec, emitted


def specs_in(folders):
    for folder in folders:
        yield from sorted(Path(folder).rglob("*.spec"))


def read_options():
    parser = options.parser("bench/never_slower.sh", 1)
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--least", type=float, default=500)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--spec-cc", default="")
    parser.add_argument("--keep", default="")
    parser.add_argument("--below", type=float, default=math.inf)
    parser.add_argument("--part", type=lambda words: [int(word) for word in words.split("/")], default=[1, 1])
    parser.add_argument("--sizes", type=lambda words: [int(word) for word in words.split(",")], default=[])
    parser.add_argument("--dominant", default="^(lu|cholesky|ludcmp|trisolv|durbin|adi_sweep|correlation|pivoting|conjugate_gradient|gramschmidt)$")
    return options.read(parser)


def report(given, rows):
    rows.sort()
    spec = f"the spec's by {given.spec_cc}" if given.spec_cc else "spec/ours by the same compiler and flags"
    print(f"# bench/never_slower.sh, {given.cc} {' '.join(given.placed)}; microseconds, one thread; {spec}, worst first")
    print(f"{'operator':28}{'spec':24}{'extents':28}{'spec us':>10}{'ours us':>10}{'spec/ours':>10}")
    for ratio, operator, spec, tuple_, of_spec, emitted in rows:
        if ratio >= given.below:
            break
        print(f"{operator:28}{spec:24}{tuple_:28}{of_spec:10.4g}{emitted:10.4g}{ratio:10.3f}")
    slower = sum(ratio < 0.97 for ratio, *_ in rows)
    print(f"\n{len(rows)} operators, {slower} below 0.97")
    ratios = [ratio for ratio, *_, of_spec, emitted in rows if of_spec > CALL_TIME]
    if ratios:
        of_all = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{len(ratios)} of more than {1e3 * CALL_TIME:.0f} ns: geometric mean {of_all:.3f}, least {ratios[0]:.3f}, "
              f"{sum(ratio < 0.8 for ratio in ratios)} below 0.8")


def is_small(extents):
    return all(0 < int(word) <= SMALL for word in extents.split("x"))


def report_small(rows):
    """How many calls at small sizes are slow, and how many if checks of arguments took no time."""
    small = [(operator, of_spec, emitted) for _, operator, _, tuple_, of_spec, emitted in rows if is_small(tuple_)]
    if small:
        slow = sum(of_spec < SLOW * emitted for _, of_spec, emitted in small)
        aside = collections.Counter(operator for operator, of_spec, emitted in small if of_spec < SLOW * (emitted - CHECKS))
        print(f"{len(small)} calls at sizes up to {SMALL}: {slow} below {SLOW}, {aside.total()} with {1e3 * CHECKS:.0f} ns of checks aside: "
              + ", ".join(f"{count} of {operator}" for operator, count in aside.most_common()))


def kept_rows(given, rows):
    """With those of earlier runs, which may have had other parts of the specs; the latest of each."""
    if not given.keep:
        return rows
    path = given.folder / f"{given.keep}.json"
    known = {tuple(row[1:4]): tuple(row) for row in [*(json.loads(path.read_text()) if path.exists() else []), *rows]}
    path.write_text(json.dumps(list(known.values())))
    return list(known.values())


def main():
    given, rows = read_options(), []
    given.placed = PLACED_SHORT if given.sizes else PLACED
    chosen = [spec for spec in specs_in(given.specs) if re.search(given.only, spec.stem)]
    for spec in chosen[given.part[0] - 1 :: given.part[1]]:
        data = "dominant" if re.search(given.dominant, spec.stem) else "eighths"
        try:
            program = Program(spec.resolve(), given, folder_of(spec.resolve(), given))
            for operator, wanted in operators(program.header) if not given.build else []:
                try:
                    for tuple_, of_spec, emitted in measure(program, operator, wanted, given, data):
                        rows.append((of_spec / emitted, operator, spec.stem, tuple_, of_spec, emitted))
                        print(f"{operator} {tuple_}: {of_spec / emitted:.3f}", file=sys.stderr, flush=True)
                except Failed as why:
                    print(f"{operator}: {why}", file=sys.stderr, flush=True)
        except Failed as why:
            print(f"{spec.stem}: {why}", file=sys.stderr, flush=True)
    if not given.build:
        rows = kept_rows(given, rows)
        report(given, rows)
        report_small(rows)


if __name__ == "__main__":
    main()
