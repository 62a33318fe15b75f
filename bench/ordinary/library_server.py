# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs in a Python with the libraries of libraries.py. Is told operators on standard input, a line of JSON each. Answers with what the
emitted operator and each library take, on the same arrays and by turns: candidate, milliseconds, error. First of all comes a line with the
libraries' versions."""
import ctypes
import json
import re
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "nests"))
import numpy as np  # noqa: E402
from peer_server import Candidate, by_turns  # noqa: E402

import libraries  # noqa: E402

TYPES = {"float": np.float32, "double": np.float64, "char": np.int8, "int8_t": np.int8, "uint8_t": np.uint8, "int16_t": np.int16,
         "uint16_t": np.uint16, "int": np.int32, "unsigned": np.uint32, "uint32_t": np.uint32, "int64_t": np.int64, "uint64_t": np.uint64}
INTS, SCALAR = 1000, 0.5


class Operator:
    """A prototype with numbers for its integers."""

    def __init__(self, spec, name, extents):
        found = re.search(rf"^(\w+) {name}\((.*?)\)\s*\{{", spec, re.M | re.S)
        self.name, self.result, self.arrays, self.scalars, self.order = name, found[1], {}, {}, []
        numbers = iter(re.findall(r"-?\d+", extents.replace("x", " ")))
        for text in found[2].split(","):
            const, kind, word, shape = re.fullmatch(r"\s*(const )?(\w+) (\w+)((?:\[[^\]]*\])*)\s*", text).groups()
            self.order.append((word, TYPES[kind]))
            if shape:
                self.arrays[word] = (bool(const), TYPES[kind], [self.number(e) for e in re.findall(r"\[([^\]]*)\]", shape)])
            else:
                given = libraries.DATA.get(name, {}).get(word, SCALAR)
                self.scalars[word] = int(next(numbers)) if TYPES[kind] is np.int32 else given

    def number(self, extent):
        return eval(extent.replace("/", "//"), {}, self.scalars)  # of the bench's own specs

    def draw(self, word):
        """The array's values on entry."""
        _, dtype, shape = self.arrays[word]
        given = libraries.DATA.get(self.name, {}).get(word)
        random = np.random.default_rng(zlib.crc32(f"{self.name} {word}".encode()))
        if given is not None:
            return np.ascontiguousarray(np.broadcast_to(given(SimpleNamespace(**self.scalars), random, shape), shape).astype(dtype))
        if np.issubdtype(dtype, np.floating):
            return random.uniform(-1, 1, shape).astype(dtype)
        info = np.iinfo(dtype)
        low, high = (info.min, info.max) if info.min == 0 or dtype is np.int8 else (-INTS, INTS)
        return random.integers(low, high, shape, dtype, endpoint=True)

    def all_arrays(self):
        return {word: self.draw(word) for word in self.arrays}

    def call_of(self, library, arrays):
        """A call of the emitted function on the arrays; it returns its outputs."""
        function = getattr(ctypes.CDLL(library), self.name)
        made = [np.zeros(1, TYPES[self.result])] if self.result != "void" else []
        words = [arrays[w].ctypes.data_as(ctypes.c_void_p) if w in arrays else np.ctypeslib.as_ctypes_type(t)(self.scalars[w])
                 for w, t in self.order] + [array.ctypes.data_as(ctypes.c_void_p) for array in made]
        outputs = tuple([a for w, a in arrays.items() if not self.arrays[w][0]] + made)

        def call():
            if function(*words):
                raise RuntimeError("the operator refused")
            return outputs

        return call


def right_ones(rows):
    """Libraries whose results are others are no peers."""
    for name, milliseconds, error, allowed in rows:
        if error <= allowed:
            yield name, milliseconds, error
        else:
            print(f"{name}: error {error:.3g}", file=sys.stderr)


def measure(asked):
    if asked["name"] not in libraries.PEERS:  # nor need there be data for it
        return []
    operator = Operator(Path(asked["spec"]).read_text(encoding="utf-8"), asked["name"], asked["extents"])
    own = operator.call_of(asked["library"], operator.all_arrays())
    wanted = [array.copy() for array in own()]
    candidates, allowed = [Candidate(np, "ours", operator.call_of(asked["library"], operator.all_arrays()), np.asarray, wanted)], {"ours": 0.0}
    for peer in libraries.PEERS.get(operator.name, ()):
        try:
            call = peer.build(SimpleNamespace(**operator.scalars, **operator.all_arrays()))
            candidates.append(Candidate(np, peer.library, call, np.asarray, wanted))
            allowed[peer.library] = peer.allowed if peer.allowed is not None else 2e-3 * any(a.dtype.kind == "f" for a in wanted)
        except Exception as error:  # pylint: disable=broad-exception-caught # a peer that cannot is no peer
            print(f"{operator.name}: {peer.library}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    if len(candidates) == 1:
        return []
    return list(right_ones([(*row, allowed[row[0]]) for row in by_turns(candidates, asked["seconds"])]))


def main():
    out, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps(libraries.VERSIONS), file=out, flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(json.loads(line))), file=out, flush=True)


if __name__ == "__main__":
    main()
