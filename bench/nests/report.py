# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of measured cases."""
import math
import shlex
import shutil
import subprocess
import sys

import chart

OWN, OWN_WORKSPACE = "emitted", "emitted, workspace"
APART, APART_WORKSPACE = "apart", "apart, workspace"
LIMITS = ("memory", "arithmetic")
RATE = "gigaflop"
OURS = (OWN, OWN_WORKSPACE, APART, APART_WORKSPACE, *LIMITS, RATE)


class Row:
    """One case: times in milliseconds by candidate, without those that are wrong."""

    def __init__(self, case, measured):
        self.case = case
        tolerance = float(case.tolerance)
        self.wrong = sorted(name for name, (_, error) in measured.items() if not error <= tolerance)
        times = {name: ms for name, (ms, _) in measured.items() if name not in self.wrong}
        own = (OWN, OWN_WORKSPACE, APART, APART_WORKSPACE)
        self.ours, self.with_workspace, self.apart, self.apart_with_workspace = map(times.get, own)
        peers = {name: ms for name, ms in times.items() if name not in OURS}
        self.best = min(peers, key=peers.get) if peers else None
        self.best_ms = peers.get(self.best)
        self.same = next((name for name in measured if name.startswith("spec")), None)
        self.same_ms = times.get(self.same)
        limits = [times[name] for name in LIMITS if name in times]
        self.limit = max(limits) if limits else None

    def ratio(self):
        return self.best_ms / self.ours if self.ours and self.best_ms else None

    def ratio_with_workspace(self):
        """That without one where the operator wants none."""
        return self.best_ms / self.with_workspace if self.with_workspace and self.best_ms else self.ratio()

    def fusion(self):
        """What it gains: without workspace, and with one, of both the lesser without or with."""
        if not self.apart or not self.ours:
            return None, None
        best = min(self.apart, self.apart_with_workspace or self.apart)
        return self.apart / self.ours, best / min(self.ours, self.with_workspace or self.ours)

    def spec_ratio(self):
        return self.same_ms / self.ours if self.ours and self.same_ms else None


def number(value):
    """Three digits, never with an exponent."""
    if value is None:
        return "-"
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


HEAD = f"{'operator':18} {'ours':>8} {'with ws':>8} {'best':>8} {'limit':>8} {'ratio':>7} {'ws ratio':>8} {'spec/ours':>9}  best peer"


def row_text(row):
    wrong = f"  WRONG: {', '.join(row.wrong)}" if row.wrong else ""
    return (f"{row.case.name:18} {number(row.ours):>8} {number(row.with_workspace):>8} {number(row.best_ms):>8} "
            f"{number(row.limit):>8} {number(row.ratio()):>7} {number(row.ratio_with_workspace() if row.with_workspace else None):>8} "
            f"{number(row.spec_ratio()):>9}  {row.best or '-'}{wrong}")


def line(case, measured):
    return row_text(Row(case, measured))


def summary(name, ratios, count):
    """count: how many there should be."""
    known = sorted(r for r in ratios if r)
    if not known:
        return f"{name}: none of {count}"
    geomean = math.exp(sum(map(math.log, known)) / len(known))
    return (f"{name}: geomean {number(geomean)}, 5th percentile {number(known[int((len(known) - 1) * 0.05)])}, "
            f"minimum {number(known[0])}, {sum(r >= 1 for r in known)} at 1 or above; {len(known)} of {count} measured and right")


def summaries(rows):
    groups = {"one nest or one row": ("nest", "row"), "composites": ("composite",), "all": ("nest", "row", "composite"),
              "PolyBench": ("polybench",)}
    for what, ratio in (("best peer / ours", Row.ratio), ("best peer / ours with workspace", Row.ratio_with_workspace),
                        ("spec, same compiler and flags / ours", Row.spec_ratio)):
        for name, kinds in groups.items():
            chosen = [row for row in rows if row.case.group in kinds]
            if chosen:
                yield summary(f"{what}, {name}", [ratio(row) for row in chosen], len(chosen))


def epilogues(rows):
    plain = {row.case.name: row for row in rows}
    for row in rows:
        other = plain.get(row.case.plain)
        if other and other.ours and row.ours:
            best = min(row.ours, row.with_workspace or row.ours)
            yield f"{row.case.name:18} {number(row.ours / other.ours):>8} {number(best / other.ours):>8}  of {other.case.name}"


def fusion(rows):
    """Of what is emitted without fusion, its time over ours."""
    known = [(row, *row.fusion()) for row in rows if row.apart]
    if not known:
        return
    yield from ("", "Fusion: time of --fuse=off over ours; and with the workspace that each wants, where that is faster")
    for row, plain, best in known:
        yield f"{row.case.name:18} {number(row.apart):>8} {number(row.ours):>8} {number(plain):>7} {number(best):>7}"
    for what, at in (("--fuse=off / ours", 1), ("--fuse=off / ours, with workspace", 2)):
        yield summary(what, [entry[at] for entry in known], len(known))


def machine():
    fields = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for text in file:
            key, _, value = text.partition(":")
            fields.setdefault(key.strip(), value.strip())
    return f"{fields.get('model name')}, family {fields.get('cpu family')}, model {fields.get('model')}"


def version(compiler):
    if not shutil.which(compiler):
        return f"no {compiler}"
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout.splitlines()[0]


def write(cases, times, given, versions, failed):
    rows = [Row(case, times.of(case.name)) for case in cases]
    words = ["--python=PATH" if word.startswith("--python=") else word for word in sys.argv[3:]]
    out = ["# bench/nests.sh MIKGEN FOLDER " + shlex.join(words), f"# CPU: {machine()}; threads: {given.threads}",
           f"# emitted files: {given.cc}, {version(given.cc.split()[0])}",
           "# specs: " + ", ".join(version(name) for name in ("gcc", "clang-19")),
           "# peers: " + "; ".join(f"{name} {text}" for name, text in versions.items()) if versions else "# peers: the spec",
           "# milliseconds; ratio: the best peer's time over ours; spec/ours: the spec's by the same compiler and flags", HEAD]
    out += map(row_text, rows)
    out += ["", *summaries(rows)]
    lost = [row for row in rows if row.spec_ratio() and row.spec_ratio() < 0.98]
    out += ["", f"More than 2 % slower than the spec by the same compiler and flags: {len(lost)}"]
    out += [f"{row.case.name:18} {number(row.spec_ratio())}" for row in sorted(lost, key=Row.spec_ratio)]
    out += ["", "Epilogues: time over the plain operator's; the lesser of without and with workspace", *epilogues(rows)]
    out += fusion(rows)
    if failed:
        out += ["", "Not built, or ended by itself", *(f"{name}: {why}" for name, why in failed.items())]
    text = "\n".join(out) + "\n"
    (given.folder / "nests.txt").write_text(text, encoding="utf-8")
    picture = chart.draw(rows, "Best peer's time / ours (above 1: ours is faster)", f"{machine()}, {given.cc}, threads: {given.threads}")
    (given.folder / "nests.svg").write_text(picture, encoding="utf-8")
    print(text, end="")
