# SPDX-License-Identifier: GPL-3.0-or-later
"""What is emitted for operators that nothing was tuned to, beside their specs and libraries; ordinary.sh says how to call it."""
import hashlib
import json
import math
import platform
import re
import shlex
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nests"))
import never_slower  # noqa: E402
import options  # noqa: E402
from build import Failed, command, make, write  # noqa: E402
from peer import Peers  # noqa: E402

import count  # noqa: E402
import tables  # noqa: E402

# How the specs are compiled. The first is as the emitted file is.
PEERS = {"spec": None, "gcc -O3": ["gcc", "-O3"], "gcc fast": ["gcc", "-O3", "-ffast-math"], "clang fast": ["clang", "-O3", "-ffast-math"]}
LEAST_SPEC = 500  # microseconds, where a size is searched for
LIMIT = 60  # seconds
# Libraries as on a processor with AVX2 alone.
AVX2_ALONE = {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "OPENBLAS_CORETYPE": "Haswell",
              "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
              "OPENCV_CPU_DISABLE": "AVX512-SKX,AVX512-ICL"}


SEEN = {line for line in (HERE / "seen.txt").read_text().splitlines() if not line.startswith("#")}


def half_of(name):
    """By a hash of the spec's name, but for those of seen.txt."""
    return "held" if name not in SEEN and hashlib.sha256(name.encode()).digest()[0] & 1 else "seen"


class Libraries(Peers):
    """Those of libraries.py, in a folder of their own. None: no libraries."""

    def __init__(self, place, folder, march):
        super().__init__(sys.executable, ["libraries"] * bool(place), folder, 1, None)
        self.place, self.limits = place, AVX2_ALONE if march == "haswell" else {}

    def install(self):
        if self.place and not (self.place / "torch").exists():
            command([self.python, "-m", "pip", "install", "-q", "--no-cache-dir", "--target", self.place, "-r", HERE / "libraries.txt"], self.folder)

    def environment(self):
        return {**super().environment(), **self.limits, "PYTHONPATH": str(self.place)}

    def command(self):
        return [self.python, str(HERE / "library_server.py")]


class Program(never_slower.Program):
    """The self-check of a spec, linked once with each peer, and a library of the emitted file."""

    def __init__(self, spec, given, folder):
        self.cross = given.cross
        self.gcc = f"{self.cross}-gcc" if self.cross else "gcc"
        super().__init__(spec, given, folder)
        self.spec = spec
        compilers = {"gcc": [self.gcc], "clang": ["clang-19", *[f"--target={self.cross}"] * bool(self.cross)]}
        for peer, words in PEERS.items():
            name, program = self.names(peer)
            if words:
                flags = [*compilers[words[0]], *words[1:], f"-march={given.march}", "-std=gnu11", "-w", *self.renames]
                make(name, ["reference.c"], [*flags, "-c", "reference.c", "-o", name], folder)
            if self.cross:
                count.link(self.gcc, name, program, folder)
            elif words:
                objects = ["check.o", "own.o", name]
                make(program, objects, ["gcc", *objects, "-lm", "-lpthread", "-o", program], folder)
        if not self.cross:
            make("own.so", ["own.o"], ["gcc", "-shared", "-Wl,-Bsymbolic", "own.o", "-lm", "-o", "own.so"], folder)

    def names(self, peer):
        """Its object and its program."""
        word = peer.replace(" ", "_")
        if not PEERS[peer]:
            return "reference.o", "counted" if self.cross else "check"
        return f"{word}.o", f"check_{word}"

    def once(self, peer, operator, extents):
        """Of the peer and of the emitted operator: microseconds of a call, or thousands of instructions."""
        name, program = self.names(peer)
        arguments = ["--data=eighths", f"--op={operator}", "--time", extents]
        if self.cross:
            return tuple(n / 1e3 for n in count.count(self.cross.split("-")[0], self.folder, program, name, arguments)[::-1])
        out = command([self.folder / program, *arguments], self.folder)
        found = re.search(r"spec (\S+) us, emitted (\S+) us", out)
        if not found:
            raise Failed((out.strip().splitlines() or ["no times"])[-1])
        return float(found[1]), float(found[2])

    def time_all(self, operator, extents, rounds):
        """Those of the emitted operator and of each peer: the best of all rounds."""
        best = {name: math.inf for name in ["ours", *PEERS]}
        for _ in range(rounds):
            for peer in PEERS:
                for key, value in zip((peer, "ours"), self.once(peer, operator, extents)):
                    best[key] = min(best[key], max(value, never_slower.LEAST_TIME))
        return best

    def costs(self):
        """Seconds of compiling, and bytes of machine code."""
        found = {}
        for whose, name in (("ours", "own"), ("spec", "reference")):
            found[f"seconds_of_{whose}"] = float((self.folder / f"{name}.o.seconds").read_text())
            found[f"text_of_{whose}"] = int(command(["size", f"{name}.o"], self.folder).splitlines()[1].split()[0])
        return found

    def ask(self, libraries, operator, extents):
        """Microseconds of libraries, and of ours beside them."""
        rows = libraries.ask({"name": operator, "spec": str(self.spec), "extents": extents, "library": str(self.folder / "own.so"), "seconds": 0.5})
        times = {name: 1e3 * milliseconds for name, milliseconds, _ in rows}
        return {"ours_there": times.pop("ours", None), "libraries": times}


def read_sizes(path):
    """Of operators their fields and their extents."""
    lines = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {words[0]: (words[1], words[2:]) for words in lines}


def searched(program, operator, wanted):
    time = lambda size: program.time(operator, never_slower.text(size, wanted), LIMIT, "eighths")
    at, *_ = never_slower.find_size(time, LEAST_SPEC)
    return [never_slower.text(never_slower.SIZES[at], wanted)]


def measure(spec, given, sizes, libraries):
    program = Program(spec, given, never_slower.folder_of(spec, given))
    if given.build:
        return []
    rows = []
    for operator, wanted in never_slower.operators(program.header):
        field, tuples = sizes.get(operator, ("-", []))
        tuples = tuples or (searched(program, operator, wanted) if wanted else ["0"])
        for extents in tuples:
            about = {"name": operator, "spec_file": spec.stem, "field": field, "half": half_of(spec.stem), "extents": extents}
            times = program.time_all(operator, extents, given.rounds)
            rows.append({**about, **times, **program.costs(), **program.ask(libraries, operator, extents)})
            print(f"{operator} {extents}: {tables.best(rows[-1], PEERS)[1]:.3f}", file=sys.stderr, flush=True)
        if not given.cross:
            check(program, operator, tuples[0])
    return rows


def check(program, operator, extents):
    """Says when results differ from the spec's, at smaller extents: half of each, until the spec may run."""
    numbers, checked = [int(word) for word in re.findall(r"-?\d+", extents.replace("x", " "))], []
    while not checked or any(n > 1 for n in numbers):
        checked.append("x".join(map(str, numbers)))
        numbers = [max(1, n // 2) for n in numbers]
    try:
        program.check(operator, checked, "eighths")
    except Failed as why:
        print(f"{operator}: {why}", file=sys.stderr, flush=True)


def specs_in(places):
    for place in map(Path, places):
        yield from [place] if place.is_file() else sorted(place.rglob("*.spec"))


def part(text):
    """2/7: the numbers."""
    return [int(word) for word in text.split("/")]


def read_options():
    parser = options.parser("bench/ordinary.sh", 1)
    parser.add_argument("specs", nargs="*", default=[HERE / "specs"])
    parser.add_argument("--half", choices=["seen", "held", "both"], default="both")
    parser.add_argument("--sizes", type=Path, default=HERE / "sizes.txt")
    parser.add_argument("--march", default="")
    parser.add_argument("--cross", default="")
    parser.add_argument("--libraries", type=Path)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--part", type=part, default=[1, 1])
    parser.add_argument("--report", action="store_true")
    given = options.read(parser)
    given.march = given.march or ("native" if not given.cross else "armv8-a")
    if given.cross:
        given.cc = f"{given.cross}-{given.cc}"
    return given


def versions(given, libraries):
    names = {line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")}
    found = [command([words[0], "--version"], given.folder).splitlines()[0] for words in (["gcc"], ["clang-19"])]
    return "; ".join([*names, platform.machine(), *found, *(f"{name} {version}" for name, version in libraries.versions.items())])


def run(given, chosen):
    """Measures a part of the specs. What was measured stays in the folder, for the report."""
    sizes, libraries = read_sizes(given.sizes), Libraries(given.libraries and given.libraries.resolve(), given.folder, given.march)
    libraries.install()
    for spec in chosen[given.part[0] - 1 :: given.part[1]]:
        note = never_slower.folder_of(spec.resolve(), given) / "rows.json"
        note.unlink(missing_ok=True)
        try:
            rows = measure(spec.resolve(), given, sizes, libraries)
            if rows:
                write(note, json.dumps(rows))
        except Failed as why:
            print(f"{spec.stem}: {why}", file=sys.stderr, flush=True)
    if not given.build:
        write(given.folder / "versions", versions(given, libraries))
    libraries.stop()


def print_report(given, chosen):
    notes = [never_slower.folder_of(spec.resolve(), given) / "rows.json" for spec in chosen]
    rows = [row for note in notes if note.exists() for row in json.loads(note.read_text())]
    if rows:
        options_ = [" --libraries=PATH"] if any(row["libraries"] for row in rows) else []
        options_ += [f" --{name}={shlex.quote(value)}" for name, value in
                     (("mikgen-flags", given.mikgen_flags), ("cross", given.cross), ("march", given.march)) if value not in ("", "native", "armv8-a")]
        unit = f"thousands of instructions on {given.cross}, counted" if given.cross else "microseconds, one thread, by turns, the best of each"
        title = (f"# bench/ordinary.sh MIKGEN FOLDER{''.join(options_)}; {unit}; worst first\n# {(given.folder / 'versions').read_text()}\n"
                 f"# emitted files and specs: {given.cc}; gcc -O3, gcc fast, clang fast: -O3 -march={given.march}, fast: -ffast-math")
        halves = {half: [spec.stem for spec in chosen if half_of(spec.stem) == half] for half in ("seen", "held")}
        tables.print_all(title, rows, halves, PEERS)


def main():
    given = read_options()
    chosen = [spec for spec in specs_in(given.specs) if re.search(given.only, spec.stem) and given.half in ("both", half_of(spec.stem))]
    if not given.report:
        run(given, chosen)
    if given.report or (given.part == [1, 1] and not given.build):
        print_report(given, chosen)


if __name__ == "__main__":
    main()
