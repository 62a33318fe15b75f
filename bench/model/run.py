# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of bench/model.sh."""
import argparse
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import charts
import numpy as np
from models import BLOCKS, MODELS

HERE = Path(__file__).resolve().parent
PEERS = ["onnxruntime", "int8", "torch", "compile", "openvino"]
ROUND = {"int8": 0.3, "ggml": 0.3}  # whose results are others, as they round rows to eight bits, and what they may be off
# Which models others have: in blocks of four bits only onnxruntime's operators (of eight, it makes floats of them in each call); OpenVINO
# keeps caches in other models than these.
HAVE = {"reference": lambda m: True, "ours": lambda m: True, "onnxruntime": lambda m: m.kept not in ("bf16", "q8"),
        "int8": lambda m: m.kept in BLOCKS, "ggml": lambda m: m.kept in BLOCKS, "torch": lambda m: m.kept not in BLOCKS,
        "compile": lambda m: m.kept in ("f32", "bf16"),
        "openvino": lambda m: m.kept not in BLOCKS and m.family in ("bert", "resnet", "mobilenet")}


class Candidate:
    """A worker's process. failed: why it is no candidate any more."""

    def __init__(self, kind, model, root, python, threads):
        self.kind, self.failed = kind, None
        self.folder = root / re.sub(r"\W+", "_", model.name) / kind
        self.folder.mkdir(parents=True, exist_ok=True)
        limits = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
        limits |= {"TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(self.folder / "inductor")}
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([python, str(HERE / "worker.py"), kind, model.name, str(self.folder), str(threads)],
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ | limits)
        self.hello = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if line:
            answer = json.loads(line)
            self.failed = answer.get("failed", self.failed)
            return answer
        self.failed = "died: " + ((self.folder / "log").read_text().strip().splitlines() or ["no word"])[-1][:200]
        return {}

    def ask(self, **what):
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def output(self):
        return np.load(self.folder / "out.npy")

    def stop(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait()


def error_of(found, right):
    if found.shape != right.shape or not np.isfinite(found).all():
        return math.inf
    return float(np.abs(found.astype(np.float64) - right).max() / np.sqrt(np.mean(np.square(right.astype(np.float64)))))


def deviation_of(found, right):
    """The root mean square of errors, by that of what is right."""
    return float(np.sqrt(np.mean(np.square(found.astype(np.float64) - right)) / np.mean(np.square(right.astype(np.float64)))))


def describe(call):
    return " ".join(f"{name}={value}" for name, value in call.items())


class Measured:
    """Of a model's call: milliseconds of candidates, and of their first calls."""

    def __init__(self, model, call):
        self.model, self.call, self.times, self.first, self.deviations = model, call, {}, {}, {}

    def peer(self):
        others = {kind: t for kind, t in self.times.items() if kind != "ours" and kind not in ROUND}
        return min(others, key=others.get) if others else None

    def ratio(self):
        return self.times[self.peer()] / self.times["ours"] if self.peer() and "ours" in self.times else None


def measure(model, call, candidates, settings):
    row, alive, right = Measured(model, call), [], None
    for candidate in candidates:
        first = candidate.ask(do="first", call=call)
        if "seconds" not in first:
            print(f"{model.name}, {describe(call)}: {candidate.kind}: {candidate.failed}", file=sys.stderr)
            continue
        if candidate.kind == "reference":
            right = candidate.output()
        if right is None:
            sys.exit(f"{model.name}, {describe(call)}: there is nothing right to compare with")
        error = error_of(candidate.output(), right)
        if not error <= ROUND.get(candidate.kind, model.tolerance):
            print(f"{model.name}, {describe(call)}: {candidate.kind} is off by {error:.2g}: not measured", file=sys.stderr)
        elif candidate.kind != "reference":
            row.first[candidate.kind] = 1e3 * first["seconds"]
            row.deviations[candidate.kind] = deviation_of(candidate.output(), right)
            alive.append(candidate)
    for _ in range(settings.rounds):
        for candidate in alive:
            best = candidate.ask(do="best", call=call, seconds=settings.seconds / settings.rounds).get("seconds", math.inf)
            row.times[candidate.kind] = min(row.times.get(candidate.kind, math.inf), 1e3 * best)
    return row


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summary(what, ratios):
    ordered = sorted(ratios)
    if ordered:
        print(f"{what}: geomean {geomean(ordered):.3g}, 5th percentile {ordered[len(ordered) // 20]:.3g}, minimum {ordered[0]:.3g}, "
              f"{sum(r >= 1 for r in ordered)} of {len(ordered)} at 1 or above")


def print_rows(model, rows, candidates):
    kinds = [c.kind for c in candidates if c.kind != "reference"]
    for row in rows:
        cells = "".join(f"{row.times[kind]:12.2f}" if kind in row.times else f"{'-':>12}" for kind in kinds)
        ratio = f"{row.ratio():8.2f}" if row.ratio() else f"{'-':>8}"
        print(f"{model.name:16} {describe(row.call):16}{cells}{ratio}  {row.peer() or ''}")
    for title, cell in (("load, seconds", lambda c: f"{c.hello['load']:12.2f}"),
                        ("first call, ms", lambda c: f"{rows[0].first[c.kind]:12.1f}" if c.kind in rows[0].first else f"{'-':>12}"),
                        ("memory, MB", lambda c: f"{c.memory / 1e6:12.0f}"),
                        ("binaries, MB", lambda c: f"{c.hello['binary'] / 1e6:12.2f}"),
                        ("error, at most", lambda c: f"{max((row.deviations.get(c.kind, 0) for row in rows)):12.2g}")):
        print(f"{model.name:16} {title:16}" + "".join(cell(c) for c in candidates if c.kind != "reference"))
    print(flush=True)


def run_model(model, settings):
    candidates = []
    for kind in settings.kinds:
        if HAVE[kind](model):
            candidate = Candidate(kind, model, settings.folder, settings.python, settings.threads)
            if candidate.failed:
                print(f"{model.name}: {kind}: {candidate.failed}", file=sys.stderr)
            else:
                candidates.append(candidate)
    names = "".join(f"{c.kind:>12}" for c in candidates if c.kind != "reference")
    print(f"{'# milliseconds':33}{names}{'ratio':>8}  best peer")
    rows = [measure(model, call, [c for c in candidates if not c.failed], settings) for call in model.calls]
    for candidate in candidates:
        candidate.memory = candidate.ask(do="memory").get("bytes", math.nan) if not candidate.failed else math.nan
        candidate.stop()
    print_rows(model, rows, candidates)
    return rows, [c.hello["version"] for c in candidates]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        said = dict(line.split(":", 1) for line in file.read().split("\n\n")[0].splitlines() if ":" in line)
    said = {name.strip(): value.strip() for name, value in said.items()}
    return f"{said.get('model name', 'unknown')}, family {said.get('cpu family')}, model {said.get('model')}"


def settings_of(words):
    parser = argparse.ArgumentParser(prog="bench/model.sh")
    parser.add_argument("folder", type=Path)
    parser.add_argument("python")
    parser.add_argument("--only", default=".")
    parser.add_argument("--calls", default=".")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--ggml", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1)
    settings = parser.parse_args(words)
    settings.kinds = ["reference", "ours", *filter(None, settings.peers.split(","))] + (["ggml"] if settings.ggml else [])
    if settings.ggml:
        os.environ["GGML"] = str(settings.ggml.resolve())
    return settings


def main():
    settings = settings_of(sys.argv[1:])
    print("# bench/model.sh MIKGEN FOLDER PYTHON", *(re.sub(r"(--ggml)=.*", r"\1=FOLDER", word) for word in sys.argv[3:]))
    print(f"# CPU: {processor()}; threads: {settings.threads}", flush=True)
    every, versions = [], set()
    for model in MODELS.values():
        if re.search(settings.only, model.name):
            model.calls = [call for call in model.calls if re.search(settings.calls, describe(call))]
            rows, said = run_model(model, settings)
            every += rows
            versions |= set(said)
    print("#", "; ".join(sorted(versions)))
    by_model = {}
    for row in every:
        if row.ratio():
            by_model.setdefault(row.model.name, []).append(row.ratio())
    for name, ratios in by_model.items():
        summary(f"best peer / ours, {name}", ratios)
    summary("best peer / ours, all calls", [r for ratios in by_model.values() for r in ratios])
    summary("best peer / ours, models by their geomeans", [geomean(ratios) for ratios in by_model.values()])
    chart = settings.folder / "model.svg"
    chart.write_text(charts.draw([row for row in every if row.ratio()], processor(), settings.threads), encoding="utf-8")


main()
