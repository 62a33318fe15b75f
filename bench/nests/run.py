# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cases: builds each, runs its program and the peers by turns, and keeps the least times in FOLDER/times.csv,
from which report.py makes the tables. bench/nests.sh says what the options mean."""
import csv
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import build
import cases
import options
import report
from peer import Peers

SLOW = 1000  # milliseconds, of measure.c


def read_options():
    parser = options.parser("bench/nests.sh", None)
    parser.add_argument("--shapes", type=Path, default=cases.BENCH / "shapes" / "nests.csv")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--peers", default="numpy,torch,compile,onednn,lapack")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float)
    given = options.read(parser)
    given.rounds = given.rounds or (1 if given.quick else 2)
    given.seconds = given.seconds or (0.3 if given.quick else 1.0)
    return given


class Times:
    """The least time of every candidate of every case, and the largest error."""

    def __init__(self):
        self.rows = {}

    def add(self, case, candidate, milliseconds, error):
        before = self.rows.get((case, candidate), (milliseconds, error))
        self.rows[case, candidate] = (min(before[0], milliseconds), max(before[1], error))

    def of(self, case):
        return {candidate: row for (name, candidate), row in self.rows.items() if name == case}

    def write(self, path):
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["case", "candidate", "ms", "error"])
            out.writerows([case, candidate, f"{ms:.6g}", f"{error:.3g}"] for (case, candidate), (ms, error) in self.rows.items())


def run_program(program, data, given, flags):
    words = [str(program), str(given.seconds), str(data), str(given.threads), *flags]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise build.Failed(f"{program} ended with {done.returncode}: {done.stderr.strip()}")
    sys.stderr.write(done.stderr)
    for line in done.stdout.splitlines():
        name, milliseconds, error = line.split("\t")
        yield name, float(milliseconds), float(error)


class Data:
    """A case's inputs and the oracle's outputs, which are kept, with its time, from one run of the bench to the next if the
    oracle is slow."""

    def __init__(self, folder):
        self.folder, self.note = folder / "data", folder / "slow"
        self.folder.mkdir(exist_ok=True)
        made_of = max((folder / name).stat().st_mtime for name in ("case.c", "reference.c"))
        self.is_slow = self.is_there = self.note.exists() and self.note.stat().st_mtime > made_of

    def flags(self):
        return ["again"] * self.is_there + ["slow"] * (self.is_there and self.is_slow)

    def note_oracle(self, name, milliseconds):
        self.is_slow = milliseconds > SLOW
        if self.is_slow:
            self.note.write_text(f"{name}\t{milliseconds}", encoding="utf-8")

    def oracle(self):
        name, milliseconds = self.note.read_text(encoding="utf-8").split("\t")
        return name, float(milliseconds), 0.0

    def leave(self):
        if not self.is_slow:
            shutil.rmtree(self.folder)


def peer_compilers(case, given):
    """By what the spec is compiled besides."""
    return build.LONG_FLAGS if case.is_long else {"gcc fast": build.SPEC_FLAGS["gcc fast"]} if given.quick else build.SPEC_FLAGS


def measure(case, given, peers, times):
    compilers = peer_compilers(case, given)
    program = build.program(case, given.mikgen, shlex.split(given.mikgen_flags), shlex.split(given.cc), compilers, given.apart, given.folder)
    data = Data(program.parent)
    if data.is_slow:
        times.add(case.name, *data.oracle())
    for _ in range(given.rounds):
        for name, milliseconds, error in run_program(program, data.folder, given, data.flags()):
            times.add(case.name, name, milliseconds, error)
            if not data.is_there and name.startswith("spec"):
                data.note_oracle(name, milliseconds)
                data.is_there = True
        for name, milliseconds, error in [] if case.is_long else peers.measure(case, data.folder, given.seconds):
            times.add(case.name, name, milliseconds, error)
    data.leave()


def main():
    given = read_options()
    wanted, times = cases.read(given.only, given.shapes), Times()
    peers = Peers(given.python, [] if given.quick else given.peers.split(","), given.folder, given.threads, given.shapes)
    failed = {}
    for case in wanted:
        try:
            measure(case, given, peers, times)
            print(report.line(case, times.of(case.name)), file=sys.stderr, flush=True)
        except build.Failed as why:
            failed[case.name] = why
            print(f"{case.name}: {why}", file=sys.stderr, flush=True)
        times.write(given.folder / "times.csv")
    peers.stop()
    report.write(wanted, times, given, peers.versions, failed)


main()
