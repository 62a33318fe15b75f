# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of other libraries, as run.py sees them: a process that is told a case and answers with times."""
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Peers:
    """A process of the given Python that has NumPy and PyTorch; started again after one that died of a case."""

    def __init__(self, python, kinds, folder, threads, shapes):
        self.python, self.kinds, self.folder, self.threads, self.shapes = python, kinds, folder, threads, shapes
        self.process, self.versions = None, {}

    def environment(self):
        """So many threads, and malloc that neither gives memory back nor gets fresh pages, as if outputs were there already."""
        limits = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(self.threads))
        return {**os.environ, **limits,
                "MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(2**40), "NUMPY_MADVISE_HUGEPAGE": "0",
                "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(self.folder / "inductor")}

    def command(self):
        return [self.python, str(HERE / "peer_server.py"), ",".join(self.kinds), str(self.shapes)]

    def start(self):
        self.process = subprocess.Popen(self.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self.environment())
        hello = self.process.stdout.readline()
        if not hello:
            print("no Python peers: they do not start", file=sys.stderr)
            self.kinds, self.versions = [], dict.fromkeys(self.kinds, "missing")
            return
        self.versions = json.loads(hello)

    def ask(self, question):
        """Triples of a candidate's name, its milliseconds and its error. question: a dict with the case's name."""
        if self.kinds and (not self.process or self.process.poll() is not None):
            self.start()
        if not self.kinds:
            return []
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            print(f"{question['name']}: the Python peers died of it", file=sys.stderr)
            return []
        return [tuple(row) for row in json.loads(answer)]

    def measure(self, case, data, seconds):
        return self.ask({"name": case.name, "data": str(data), "seconds": seconds})

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait()
