# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in a Python with NumPy and PyTorch: peer_server.py KINDS. Is told cases on standard input, a line of JSON each,
and answers with what every kind of peer takes for it: candidate, milliseconds, error. Inputs and right outputs are in a
folder, as measure.c left them. Errors and clock are measure.c's. In front of all comes a line with the libraries' versions."""
import importlib
import json
import math
import os
import sys
import time
from types import SimpleNamespace

import cases

KINDS = {"numpy": "peers_numpy", "torch": "peers_torch", "compile": "peers_compile", "onednn": "peers_onednn", "lapack": "peers_lapack",
         "litert": "peers_litert"}
LEAST_ROUNDS, MOST_ROUNDS, TURN, SLOW, MOST_REPEATS, SHORT = 3, 400, 1e-2, 0.5, 100, 2e-5
# With one thread its own time, so that what else runs on its core does not count.
NOW = time.thread_time if os.environ.get("OMP_NUM_THREADS") == "1" else time.perf_counter


def load(kinds):
    """The modules that can be loaded, and what versions they are of, or that they are missing."""
    modules, versions = [], {}
    for kind in kinds:
        try:
            module = importlib.import_module(KINDS[kind])
        except ImportError as error:
            print(f"no {kind}: {error}", file=sys.stderr)
            versions[kind] = "missing"
            continue
        modules.append(module)
        versions[module.NAME] = module.VERSION
    return modules, versions


def read_arrays(np, case, folder):
    kinds = {"float": np.float32, "double": np.float64, "half": np.float16, "int8_t": np.int8, "uint8_t": np.uint8, "int": np.int32}
    inputs, wanted = {}, []
    for array in case.arrays:
        shape = case.shape(array)
        inputs[array.name] = np.fromfile(folder + f"/{array.name}.bin", kinds[array.type]).reshape(shape)
        if array.is_output:
            wanted.append(np.fromfile(folder + f"/wanted_{array.name}.bin", kinds[array.type]).reshape(shape))
    return inputs, wanted


def difference(np, found, wanted):
    if found.shape != wanted.shape:
        found = found.reshape(wanted.shape)
    far = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
    if wanted.dtype.kind == "f":
        scale = np.sqrt(np.mean(np.square(wanted.astype(np.float64))))
        far /= np.abs(wanted) + scale
    return float(far.max()) if np.isfinite(far).all() else float("inf")


class Candidate:
    def __init__(self, np, name, call, to_numpy, wanted):
        self.name, self.call, self.least = name, call, float("inf")
        outputs = call()
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        self.error = max(difference(np, to_numpy(o), w) for o, w in zip(outputs, wanted, strict=True))

    def once(self):
        """Short calls go by several between two looks at the clock, as measure.c's do."""
        count = min(MOST_REPEATS, math.ceil(SHORT / self.least)) if self.least < SHORT else 1
        start = NOW()
        for _ in range(count):
            self.call()
        self.least = min(self.least, (NOW() - start) / count)

    def turn(self):
        start = time.perf_counter()
        self.once()
        for _ in range(50):
            if self.least > 0.05 or time.perf_counter() - start > TURN:
                break
            self.once()


def measure(np, modules, case, folder, seconds):
    inputs, wanted = read_arrays(np, case, folder)
    candidates = []
    for module in modules:
        for build in module.PEERS.get(case.name, module.PEERS.get(case.operator, ())):
            try:
                copies = {name: array.copy() for name, array in inputs.items()}
                arrays = SimpleNamespace(**module.convert(copies))
                call = module.prepare(build, SimpleNamespace(**case.numbers()), arrays)
                for name, array in copies.items():
                    np.copyto(array, inputs[name])
                candidates.append(Candidate(np, module.NAME, call, module.to_numpy, wanted))
            except Exception as error:  # pylint: disable=broad-exception-caught # a peer that cannot is no peer
                print(f"{case.name}: {module.NAME}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    return by_turns(candidates, seconds)


def by_turns(candidates, seconds):
    """Triples of each candidate's name, its milliseconds and its error."""
    start = time.perf_counter()
    for turn in range(MOST_ROUNDS):
        if turn >= LEAST_ROUNDS and time.perf_counter() - start > seconds:
            break
        for candidate in candidates:
            if turn == 0 or candidate.least < SLOW:
                candidate.turn()
    return [(c.name, 1e3 * c.least, c.error) for c in candidates]


def main():
    out, sys.stdout = sys.stdout, sys.stderr
    import numpy as np  # pylint: disable=import-outside-toplevel

    modules, versions = load(sys.argv[1].split(","))
    print(json.dumps(versions), file=out, flush=True)
    known = {case.name: case for case in cases.read(shapes=sys.argv[2])}
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(measure(np, modules, known[asked["name"]], asked["data"], asked["seconds"])), file=out, flush=True)


if __name__ == "__main__":
    main()
