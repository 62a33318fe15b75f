# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the programs and XNNPACK by turns and writes the tables: race.py FOLDER SHAPES PYTHON SECONDS ROUNDS COMMAND. Times are the least
of all rounds; of a kind of peer that has several programs (compilers' options, widths, schedules) the fastest counts."""
import json
import math
import subprocess
import sys
from pathlib import Path

import cases
import report
from peer import Peers

OURS = ("emitted", "emitted, workspace")
# A column, and how the names of its candidates begin. "spec gcc -O2", as emitted files are compiled, is in no column.
KINDS = {"gcc": ("spec gcc -O3", "spec gcc fast"), "clang": ("spec clang",), "Polly": ("spec polly",), "ISPC": ("ISPC",),
         "Halide": ("Halide hand",), "auto": ("Halide Mullapudi2016", "Halide Adams2019"), "TVM": ("TVM plain",),
         "tuned": ("TVM tuned",), "XNNPACK": ("XNNPACK",)}


class Measured:
    """Of one case: milliseconds by candidate without those that are wrong, which are kept apart with their errors."""

    def __init__(self, case):
        self.case, self.times, self.wrong = case, {}, {}

    def add(self, name, milliseconds, error):
        if error <= float(self.case.tolerance):
            self.times[name] = min(milliseconds, self.times.get(name, math.inf))
        else:
            self.wrong[name] = error

    def best(self, kind):
        found = [ms for name, ms in self.times.items() if name.startswith(KINDS[kind])]
        return min(found) if found else None

    def ours(self):
        return self.times.get(OURS[0])

    def ratio(self, kind):
        best = self.best(kind)
        return best / self.ours() if best and self.ours() else None


def measure(known, folder, shapes, python, seconds, rounds):
    peers = Peers(str(python), ["litert"], folder, 1, shapes)
    table = [Measured(case) for case in known if (folder / case.name / "time").exists()]
    for _ in range(rounds):
        for row in table:
            data = folder / row.case.name / "data"
            data.mkdir(exist_ok=True)
            done = subprocess.run([folder / row.case.name / "time", str(seconds), data, "1"], capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{row.case.name}: ended with {done.returncode}: {done.stderr[:200]}", file=sys.stderr)
            for line in done.stdout.splitlines():
                name, milliseconds, error = line.split("\t")
                row.add(name, float(milliseconds), float(error))
            for name, milliseconds, error in peers.measure(row.case, data, seconds / 4):
                row.add(name, milliseconds, error)
            print(row_text(row), file=sys.stderr, flush=True)
    peers.stop()
    return table, peers.versions


def row_text(row):
    return f"{row.case.name:15} {report.number(row.ours()):>8}" + "".join(f" {report.number(row.ratio(kind)):>7}" for kind in KINDS)


def ratios(table):
    yield f"{'case':15} {'ours, ms':>8}" + "".join(f" {kind:>7}" for kind in KINDS)
    yield from map(row_text, table)
    geomeans, least, counts = [], [], []
    for kind in KINDS:
        known = [row.ratio(kind) for row in table if row.ratio(kind)]
        geomeans.append(math.exp(sum(map(math.log, known)) / len(known)) if known else None)
        least.append(min(known, default=None))
        counts.append(f"{sum(r >= 1 for r in known)}/{len(known)}")
    yield f"{'geomean':24}" + "".join(f" {report.number(value):>7}" for value in geomeans)
    yield f"{'minimum':24}" + "".join(f" {report.number(value):>7}" for value in least)
    yield f"{'at 1 or above':24}" + "".join(f" {value:>7}" for value in counts)


def wrong(table):
    for row in table:
        for name, error in sorted(row.wrong.items()):
            yield f"{row.case.name}: {name}: differs from the spec by {error:.2g}"


def programs(table):
    """Which of several programs was the fastest."""
    yield f"{'case':15} programs"
    for row in table:
        chosen = [min((ms, name) for name, ms in row.times.items() if name.startswith(KINDS[kind]))[1]
                  for kind in KINDS if row.best(kind) and len(KINDS[kind]) > 1 or kind in ("clang", "ISPC") and row.best(kind)]
        yield f"{row.case.name:15} " + "; ".join(name.removeprefix("spec ") for name in chosen)


def costs(folder):
    """What the operators cost but time: to write, to compile, to ship."""
    read = json.loads((folder / "costs.json").read_text())
    every, ispc = read["costs"], read["ISPC"]
    kinds = ("mikgen", "ISPC", "Halide", "TVM", "XNNPACK")
    yield f"{'lines written':15}" + "".join(f" {kind:>8}" for kind in kinds)
    for name, of in every.items():
        yield f"{name:15}" + "".join(f" {of.get(kind, {}).get('lines') or '-':>8}" for kind in kinds)
    for what, key, kinds in (("KiB compiled", "bytes", ("mikgen", "gcc -O3", "Halide", "TVM")),
                             ("s of processor", "seconds", ("mikgen", "gcc -O3", "Halide", "TVM"))):
        yield ""
        yield f"{what:15}" + "".join(f" {kind:>8}" for kind in kinds) + ("  gcc -O2 of what is emitted, and its lines" if key == "seconds" else "")
        for name, of in every.items():
            values = (of.get(kind, {}).get(key) for kind in kinds)
            cells = "".join(f" {'-' if v is None else report.number(v / 1024 if key == 'bytes' else v):>8}" for v in values)
            yield f"{name:15}{cells}" + (f" {of['mikgen']['compiling']:>8} {of['mikgen']['emitted']:>8}" if key == "seconds" else "")
    if ispc:
        yield f"ISPC, all operators together: {ispc['bytes'] / 1024:.0f} KiB, {ispc['seconds']} s"


def libraries(folder, python):
    """Files that a program needs besides its own objects, in KiB."""
    site = Path(subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True,
                               text=True, check=True).stdout.strip())
    needed = {"Halide": [folder / "halide_runtime.o"], "TVM": [site / "tvm_ffi/lib/libtvm_ffi.so"],
              "TVM, where loops are parallel": [site / "tvm_ffi/lib/libtvm_ffi.so", site / "tvm/lib/libtvm_runtime.so"],
              "LiteRT with XNNPACK": [site / "ai_edge_litert/libpywrap_litert_common.so"]}
    for name, paths in needed.items():
        yield f"{name}: {sum(path.stat().st_size for path in paths) / 1024:.0f}"
    yield "mikgen, gcc, clang, Polly, ISPC: none but the C library's"


def missing(folder):
    """What could not be built, and why."""
    halide, tvm = (json.loads((folder / f"{name}.json").read_text()) for name in ("halide", "tvm"))
    for tool, made in (("Halide", halide), ("TVM", tvm)):
        for kind, entries in made.items():
            for name, entry in entries.items() if isinstance(entries, dict) else ():
                if "why" in entry:
                    yield f"{tool} {kind}, {name}: {entry['why']}"
    yield from (f"{name}: {why}" for name, why in json.loads((folder / "costs.json").read_text())["failed"].items())


def head(folder, versions, ispc):
    halide, tvm = (json.loads((folder / f"{name}.json").read_text()) for name in ("halide", "tvm"))
    xnnpack = "; ".join(f"{name} {version}" for name, version in versions.items())
    yield f"# CPU: {report.machine()}; one thread; least of all turns"
    yield f"# emitted: gcc -std=c99 -O2, {report.version('gcc')}; specs: that, {report.version('clang-19')}"
    yield f"# Halide {halide['version']} (PyPI); TVM {tvm['version']} (PyPI), {tvm['trials']} trials where tuned; {xnnpack}; ISPC: {ispc}"
    yield "# a column: the time of that peer's fastest program over ours, above 1 ours is faster"


def main():
    folder, shapes, python = (Path(word).absolute() for word in sys.argv[1:4])
    table, versions = measure(cases.read(shapes=shapes), folder, shapes, python, float(sys.argv[4]), int(sys.argv[5]))
    ispc = (folder / "ispc.version").read_text().strip() if (folder / "ispc.version").exists() else "none"
    sections = {"": ratios(table), "Wrong, and so no peers": wrong(table), "The fastest programs of peers with several": programs(table),
                "What is not measured": missing(folder), "Cost of one operator": costs(folder),
                "Needed at run time besides, KiB": libraries(folder, python)}
    out = ["# bench/compilers.sh FOLDER" + (" " + sys.argv[6] if len(sys.argv) > 6 else ""), *head(folder, versions, ispc)]
    for title, lines in sections.items():
        lines = list(lines)
        if lines:
            out += ["", f"{title}:", *lines] if title else lines
    text = "\n".join(out) + "\n"
    (folder / "compilers.txt").write_text(text, encoding="utf-8")
    print(text, end="")


main()
