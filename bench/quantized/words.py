# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of bench/quantized.sh for weights in words, AWQ and GPTQ: prepacked, as they are, and onnxruntime's."""
import ctypes
import sys

from runners import OnnxRuntime, aligned, best_times, pointer  # first: it bounds threads
import numpy as np

N = K = 4096
GROUP = 128
ROWS = [1, 4, 16, 64]
COPIES = 14  # of weights, which together exceed the caches
PLACES = {"gemm_awq": [0, 16, 4, 20, 8, 24, 12, 28], "gemm_gptq": [4 * i for i in range(8)]}  # of the columns of a word


def words_of(numbers, places):
    """Eight neighbours of each row in a word."""
    return np.bitwise_or.reduce(numbers.reshape(len(numbers), -1, 8) << np.array(places, np.uint32), axis=2).astype(np.uint32)


class Weights:
    def __init__(self, random):
        self.codes = random.integers(0, 16, (K, N), dtype=np.uint32)
        self.zeros = random.integers(1, 16, (K // GROUP, N), dtype=np.uint32)
        self.scales = random.uniform(0.001, 0.01, (K // GROUP, N)).astype(np.float32)
        spread = [np.repeat(part.astype(np.float32), GROUP, 0) for part in (self.zeros, self.scales)]
        self.numbers = (self.codes.astype(np.float32) - spread[0]) * spread[1]

    def arrays(self, name):
        """q and z of the format."""
        if name == "gemm_awq":
            return words_of(self.codes, PLACES[name]), words_of(self.zeros, PLACES[name])
        along = words_of(np.ascontiguousarray(self.codes.T), PLACES[name])
        return np.ascontiguousarray(along.T), words_of(self.zeros - 1, PLACES[name])

    def onnxruntime(self):
        codes = self.codes.T.reshape(N, K // GROUP, GROUP).astype(np.uint8)
        return OnnxRuntime("onnxruntime", codes, self.scales.T, self.zeros.T.astype(np.uint8), 1, COPIES)


class Ours:
    def __init__(self, library, name, weights, packed):
        self.name, self.packed = name[5:] + ("" if packed else " as is"), packed
        self.call = getattr(library, name + ("_packed" if packed else ""))
        arrays = dict(zip("qzs", (*weights.arrays(name), weights.scales)))
        self.copies = []
        for _ in range(COPIES):
            if not packed:
                self.copies.append([array.copy() for array in arrays.values()])
                continue
            made = []
            for part, brings in (("q", "q"), ("z", "zs"), ("s", "s")):
                size = getattr(library, f"{name}_{part}_size")
                size.restype = ctypes.c_size_t
                made.append(aligned(size(N, K)))
                pack, of = getattr(library, f"{name}_{part}_pack"), [pointer(arrays[b]) for b in brings]
                assert pack(N, K, *of, pointer(made[-1])) == 0
            self.copies.append(made)
        self.bytes = sum(array.nbytes for array in self.copies[0])

    def prepare(self, x):
        self.x, self.y = x, np.empty((len(x), N), np.float32)

    def run(self, copy):
        assert self.call(len(self.x), N, K, pointer(self.x), *(pointer(part) for part in self.copies[copy]), pointer(self.y)) == 0
        return self.y


def main():
    library, random = ctypes.CDLL(sys.argv[1]), np.random.default_rng(1)
    weights = Weights(random)
    runners = [Ours(library, name, weights, packed) for name in PLACES for packed in (True, False)]
    try:
        runners.append(weights.onnxruntime())
    except (ImportError, RuntimeError, AttributeError) as error:
        print("left out:", str(error).splitlines()[0], file=sys.stderr)
    print(f"# words of eight codes, groups of {GROUP} steps with zero points, {N} by {K}, one thread; milliseconds, GB/s of ours in brackets")
    for m in ROWS:
        x = random.standard_normal((m, K)).astype(np.float32)
        right = x @ weights.numbers
        for runner in runners:
            runner.prepare(x)
            if np.abs(runner.run(0) - right).max() > 2e-4 * np.abs(right).max():
                sys.exit(f"FAILED: {runner.name}")
        best = best_times(runners, COPIES if m <= 16 else 2, 5)
        print(f"{m:4}", "  ".join(f"{r.name} {best[r.name] * 1e3:.3f}" + (f" ({r.bytes / best[r.name] / 1e9:.1f})" if hasattr(r, "bytes") else "")
                                  for r in runners), flush=True)


main()
