"""What is emitted beside its spec by the same compiler and flags, operator by operator; never_slower.sh says how to call it."""
import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

SIZES = (16, 33, 64, 100, 200, 400, 1000, 2000, 4000, 16000, 64000, 256000, 1000000, 4000000)
INTEGERS = re.compile(r"(?:const )?(?:unsigned |signed )?(?:int|long|long long|unsigned|short|char|size_t|u?int\d+_t) \w+")


class Failed(Exception):
    """What went wrong, in a line."""


def command(words, folder):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{words[0]}: " + ((done.stderr or done.stdout).strip().splitlines() or ["it failed"])[-1][:120])
    return done.stdout


def operators(header):
    """Names, and how many integers each wants: prototypes of NAME() alone."""
    for name, parameters in re.findall(r"^int (\w+)\(([^;]*)\);", header, re.M | re.S):
        if not name.endswith(("_with", "_explain")):
            yield name, sum(bool(INTEGERS.fullmatch(p.strip())) for p in parameters.split(","))


class Program:
    """The self-check of a spec, with the spec compiled as the emitted file is."""

    def __init__(self, spec, given, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        stem = spec.stem
        flags = shlex.split(given.cc)
        files = {"own.c": [], f"{stem}_dyn.h": ["--emit=header"], "check.c": ["--emit=selfcheck"], "reference.c": ["--emit=reference"]}
        for name, emit in files.items():
            (folder / name).write_text(command([given.mikgen, "--target=c", *emit, *shlex.split(given.mikgen_flags), spec], folder))
        self.header = (folder / f"{stem}_dyn.h").read_text()
        renames = re.search(r"^ *cc -c((?: -D\S+)*) .*_reference\.c$", (folder / "check.c").read_text(), re.M)[1].split()
        spec_flags = [flag for flag in flags if not flag.startswith("-std=")] + ["-std=gnu11", "-w"]
        command([*flags, "-c", "own.c", "-o", "own.o"], folder)
        command([*spec_flags, *renames, "-c", "reference.c", "-o", "reference.o"], folder)
        command(["gcc", "-std=gnu11", "-O1", "-w", "-c", "check.c", "-o", "check.o"], folder)
        command(["gcc", "check.o", "own.o", "reference.o", "-lm", "-lpthread", "-o", "check"], folder)

    def time(self, operator, tuple_, limit, data):
        """Microseconds of the spec and of the emitted operator; None: the spec is not meant for the extents, or takes too long."""
        words = ["./check", f"--data={data}", f"--op={operator}", "--time", tuple_]
        try:
            done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return None
        found = re.search(r"spec (\S+) us, emitted (\S+) us", done.stdout)
        return (float(found[1]), float(found[2])) if found else None

    def check(self, operator, tuple_, data):
        """Failed, when results differ."""
        command(["./check", f"--data={data}", "--slack=50", f"--op={operator}", tuple_], self.folder)


def measure(program, operator, wanted, given, data):
    """The tuple and the times; the first that takes as long as wanted."""
    best = None
    for size in SIZES:
        tuple_ = "x".join([str(size)] * wanted) if wanted else "0"
        times = program.time(operator, tuple_, given.limit, data)
        if not times:
            if best:
                break
            continue
        best = (tuple_, *times)
        if times[0] >= given.least or not wanted:
            break
    if not best:
        raise Failed("the spec is meant for none of the sizes")
    for _ in range(given.rounds - 1):
        times = program.time(operator, best[0], given.limit, data)
        best = (best[0], min(best[1], times[0]), min(best[2], times[1])) if times else best
    return best


def specs_in(folders):
    for folder in folders:
        yield from sorted(Path(folder).rglob("*.spec"))


def options():
    parser = argparse.ArgumentParser(prog="bench/never_slower.sh")
    parser.add_argument("mikgen", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--only", default=".")
    parser.add_argument("--cc", default="gcc -std=c99 -O2")
    parser.add_argument("--mikgen-flags", default="")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--least", type=float, default=500)
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--dominant", default="^(lu|cholesky|ludcmp|trisolv|durbin|adi_sweep|correlation|pivoting|conjugate_gradient|gramschmidt)$")
    return parser.parse_args()


def main():
    given = options()
    given.mikgen, rows = given.mikgen.resolve(), []
    for spec in specs_in(given.specs):
        if not re.search(given.only, spec.stem):
            continue
        data = "dominant" if re.search(given.dominant, spec.stem) else "eighths"
        try:
            program = Program(spec.resolve(), given, given.folder.resolve() / spec.parent.name / spec.stem)
            for operator, wanted in operators(program.header):
                try:
                    tuple_, of_spec, emitted = measure(program, operator, wanted, given, data)
                    program.check(operator, tuple_, data)
                    rows.append((of_spec / emitted, operator, spec.stem, tuple_, of_spec, emitted))
                    print(f"{operator}: {of_spec / emitted:.3f}", file=sys.stderr, flush=True)
                except Failed as why:
                    print(f"{operator}: {why}", file=sys.stderr, flush=True)
        except Failed as why:
            print(f"{spec.stem}: {why}", file=sys.stderr, flush=True)
    rows.sort()
    print(f"# bench/never_slower.sh, {given.cc}; microseconds, one thread; spec/ours by the same compiler and flags, worst first")
    print(f"{'operator':28}{'spec':24}{'extents':28}{'spec us':>10}{'ours us':>10}{'spec/ours':>10}")
    for ratio, operator, spec, tuple_, of_spec, emitted in rows:
        print(f"{operator:28}{spec:24}{tuple_:28}{of_spec:10.4g}{emitted:10.4g}{ratio:10.3f}")
    slower = sum(ratio < 0.97 for ratio, *_ in rows)
    print(f"\n{len(rows)} operators, {slower} below 0.97")


main()
