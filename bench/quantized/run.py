# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of bench/quantized.sh."""
import ctypes
import math
import platform
import sys

from runners import OnnxRuntime, aligned, best_times, pointer  # first: it bounds threads
import numpy as np

LAYERS = [(4096, 4096), (11008, 4096), (4096, 11008)]  # columns, steps: Llama-7B's
ROWS = [1, 2, 4, 8, 16, 32, 64, 128]
CACHES = 160e6  # bytes that all copies together have at least
BLOCK = 32


class Weights:
    """A layer's weights: Q4_0 as the spec has it, and the numbers that they stand for."""

    def __init__(self, n, k, random):
        blocks = k // BLOCK
        self.n, self.k, self.blocks = n, k, blocks
        self.codes = random.integers(0, 16, (n, blocks, BLOCK), dtype=np.uint8)
        self.q = self.codes[:, :, :16] | self.codes[:, :, 16:] << 4
        self.d = random.uniform(0.001, 0.01, (n, blocks)).astype(np.float16)
        self.numbers = ((self.codes.astype(np.float32) - 8) * self.d.astype(np.float32)[:, :, None]).reshape(n, k)


class Ours:
    name = "ours"

    def __init__(self, library, weights, copies):
        self.library, self.w = library, weights
        sizes = [library.gemm_q4_0_q_size(weights.n, weights.blocks), library.gemm_q4_0_d_size(weights.n, weights.blocks)]
        self.bytes = sum(sizes)
        self.copies = [[aligned(size) for size in sizes] for _ in range(copies)]
        for q, d in self.copies:
            assert library.gemm_q4_0_q_pack(weights.n, weights.blocks, pointer(weights.q), pointer(q)) == 0
            assert library.gemm_q4_0_d_pack(weights.n, weights.blocks, pointer(weights.d), pointer(d)) == 0

    def prepare(self, x):
        self.x, self.y = x, np.empty((x.shape[0], self.w.n), np.float32)

    def run(self, copy):
        q, d = self.copies[copy]
        status = self.library.gemm_q4_0_packed(self.x.shape[0], self.w.n, self.w.blocks, pointer(self.x), pointer(d), pointer(q), pointer(self.y))
        assert status == 0
        return self.y


class Read:
    """A loop that reads what ours reads."""
    name = "read"

    def __init__(self, ours):
        self.ours = ours

    def prepare(self, x):
        pass

    def run(self, copy):
        for part in self.ours.copies[copy]:
            self.ours.library.read_all(pointer(part), part.size)


def peers_of(weights, copies):
    """Those that are there."""
    made = []
    for name, level in (("onnxruntime", 1), ("int8", 4)):
        try:
            made.append(OnnxRuntime(name, weights.codes, weights.d, None, level, copies))
        except (ImportError, RuntimeError, AttributeError) as error:
            print("left out:", str(error).splitlines()[0], file=sys.stderr)
    return made


def check(runners, x, weights):
    right = x @ weights.numbers.T
    most = np.abs(right).max()
    for runner in runners:
        y = runner.run(0)
        error = np.abs(y - right).max() / most if y is not None else 0
        if error > (0.05 if runner.name == "int8" else 1e-4):
            sys.exit(f"FAILED: {runner.name}: off by {error:.2g} of the largest")


def summary(name, ratios):
    ordered = sorted(ratios)
    geomean = math.exp(sum(map(math.log, ordered)) / len(ordered))
    print(f"{name + '/ours':18} geomean {geomean:.2f}, 5th percentile {ordered[len(ordered) // 20]:.2f}, minimum {ordered[0]:.2f}, "
          f"of {len(ordered)}")


def main():
    library = ctypes.CDLL(sys.argv[1])
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    for name in ("gemm_q4_0_q_size", "gemm_q4_0_d_size"):
        getattr(library, name).restype = ctypes.c_size_t
    library.read_all.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    random, ratios, read = np.random.default_rng(1), {}, {}
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")), platform.machine())
    print(f"# {cpu}; Q4_0, one thread; milliseconds")
    print(f"{'M':>4} {'N':>6} {'K':>6} {'ours':>8} {'GFLOP/s':>8} {'GB/s':>6} {'read':>5} {'onnxruntime':>12} {'int8':>8}")
    for n, k in LAYERS:
        weights = Weights(n, k, random)
        copies = max(2, math.ceil(CACHES / (n * k * 18 / 32)))
        ours = Ours(library, weights, copies)
        runners = [ours, Read(ours), *peers_of(weights, copies)]
        for m in ROWS:
            x = random.standard_normal((m, k)).astype(np.float32)
            for runner in runners:
                runner.prepare(x)
            best = best_times(runners, 2 if m > 64 else copies, max(turns // 3, 2) if m > 64 else turns)
            check(runners, x, weights)
            part = best["read"] / best["ours"]
            times = " ".join(f"{best[name] * 1e3:{width}.3f}" if name in best else " " * (width - 1) + "-"
                             for name, width in (("onnxruntime", 12), ("int8", 8)))
            print(f"{m:4} {n:6} {k:6} {best['ours'] * 1e3:8.3f} {2e-9 * m * n * k / best['ours']:8.1f} {ours.bytes / best['ours'] / 1e9:6.2f} "
                  f"{part:5.2f} {times}", flush=True)
            read.setdefault(m, []).append(part)
            for name in ("onnxruntime", "int8"):
                if name in best:
                    ratios.setdefault(name, []).append(best[name] / best["ours"])
    for name, all_of in ratios.items():
        summary(name, all_of)
    print("of the bandwidth that the loop reaches, one row:", " ".join(f"{part:.2f}" for part in read[1]))


main()
