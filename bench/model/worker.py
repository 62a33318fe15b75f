# SPDX-License-Identifier: GPL-3.0-or-later
"""One candidate in a process of its own: worker.py KIND MODEL FOLDER THREADS. Loads the model, says what that took, and then is told calls
on standard input, a line of JSON each, and answers with the least time of a call; outputs are left in FOLDER."""
import ctypes
import gc
import importlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np
from models import MODELS


MODULES = {"ours": "ours", "reference": "with_torch"}


def resident():
    """Bytes of this process's memory."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Worker:
    def __init__(self, kind, model, folder, threads):
        self.folder, self.calls, self.before = folder, {}, resident()
        start = time.perf_counter()
        self.module = importlib.import_module(MODULES.get(kind, "with_" + kind))
        imported = time.perf_counter() - start
        if kind == "reference":
            model = model.as_float()
        self.model, weights = model, model.weights()
        candidate = self.module.load(model, folder, threads)
        start = time.perf_counter()
        candidate.load(model, weights)
        self.load_seconds = imported + time.perf_counter() - start
        self.candidate = candidate

    def first(self, call):
        """Prepares the call, runs it once and keeps its output; seconds that the first run took."""
        run = self.candidate.prepare(call, self.model.input(call))
        start = time.perf_counter()
        out = run()
        seconds = time.perf_counter() - start
        np.save(self.folder / "out.npy", np.asarray(self.module.to_numpy(out), np.float32).reshape(-1))
        self.calls = {json.dumps(call): run}
        return seconds

    def best(self, call, seconds):
        run, least, start = self.calls[json.dumps(call)], float("inf"), time.perf_counter()
        while time.perf_counter() - start < seconds or least == float("inf"):
            began = time.perf_counter()
            run()
            least = min(least, time.perf_counter() - began)
        return least


def main():
    kind, name, folder, threads = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    out, sys.stdout = sys.stdout, sys.stderr
    worker = Worker(kind, MODELS[name], folder, threads)
    hello = {"version": worker.module.version(), "load": worker.load_seconds, "binary": worker.candidate.binary}
    print(json.dumps(hello), file=out, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked["do"] == "first":
                answer = {"seconds": worker.first(asked["call"])}
            elif asked["do"] == "best":
                answer = {"seconds": worker.best(asked["call"], asked["seconds"])}
            else:
                answer = {"bytes": resident() - worker.before}
        except Exception as error:  # pylint: disable=broad-exception-caught # a candidate that cannot is none
            answer = {"failed": f"{type(error).__name__}: {str(error)[:300]}"}
        print(json.dumps(answer), file=out, flush=True)


main()
