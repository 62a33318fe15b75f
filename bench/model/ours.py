# SPDX-License-Identifier: GPL-3.0-or-later
"""Models made of emitted operators: each layer is a call, with weights packed when the model is loaded."""
import os
import re
from pathlib import Path

import emitted
import numpy as np
from models import BLOCKS, Blocks, signed_bytes, turns

ROOT = Path(__file__).resolve().parent.parent.parent
POOL = ROOT / "bench" / "gemm" / "pool.c"
SPECS = {"bert": "examples/models/bert_layer", "gpt2": "examples/models/gpt2_layer", "llama": "examples/transformer/transformer",
         "resnet": "examples/resnet/resnet", "mobilenet": "examples/models/mobilenet_v2"}
NARROW = {("bert", "int8"): "examples/models/bert_layer_int8", ("gpt2", "int8"): "examples/models/gpt2_layer_int8",
          ("resnet", "int8"): "examples/models/resnet18_int8",
          ("llama", "q8"): "examples/models/llama_q4", ("llama", "q4"): "examples/models/llama_q4"}  # which say themselves what is constant
CONSTANTS = {"bert": "wq wk wv wo w1 w2", "gpt2": "wq wk wv wo w1 w2 words", "llama": "wq wk wv wo wg wu wd words",
             "resnet": "w w1 w2 ws", "mobilenet": "w we wp wc"}


def version():
    return emitted.command([os.environ["MIKGEN"], "--version"]).split("\n")[0]


def example_of(model):
    """Its layers' operator is called like the spec."""
    return ROOT / (NARROW.get((model.family, model.kept), SPECS[model.family]) + ".spec")


def spec_of(model, folder):
    """The example's spec; with all arrays in bf16, or with blocks of bytes, if weights are kept so."""
    path = example_of(model)
    make = {"bf16": all_in_bf16, "q8": blocks_of_bytes}.get(model.kept)
    if not make:
        return path
    other = folder / f"{path.stem}_{model.kept}.spec"
    other.write_text(make(path.read_text()))
    return other


def all_in_bf16(text):
    lines = [re.sub(r"\bfloat (?=\w+\[)", "bf16 ", line) for line in text.splitlines(keepends=True)]
    declares = False
    for i, line in enumerate(lines):  # of what is no declaration, elements that are read become floats: products are not rounded
        declares = declares or "bf16 " in line or re.match(r"(static )?\w+ \w+\(", line) is not None
        if not declares:
            lines[i] = re.sub(r"(?<=[-+*/=(,] |.[(])(?=[A-Za-z]\w*\[)", "(float)", line)
        declares = declares and not line.rstrip().endswith((";", ")"))
    return "".join(lines)


def blocks_of_bytes(text):
    """Of a spec whose blocks have two numbers in a byte."""
    text = re.sub(r"uint8_t (w\w*(?:\[[^]]*\])+)\[16\]", r"int8_t \1[32]", text)
    whole = "for (int i = 0; i < 32; i++)\n            s += x[b][i] * w[b][i];"
    return re.sub(r"for \(int i = 0; i < 16; i\+\+\) {[^}]*}", whole, text, count=1)


def bits(array):
    """The upper halves of floats, rounded to even."""
    words = array.view(np.uint32)
    return ((words + 0x7fff + (words >> 16 & 1)) >> 16).astype(np.uint16)


def floats(array):
    return (array.astype(np.uint32) << 16).view(np.float32) if array.dtype == np.uint16 else array


class Ours:
    def __init__(self, model, folder, threads):
        constants = [] if (model.family, model.kept) in NARROW else CONSTANTS[model.family].split()
        path = emitted.build(os.environ["MIKGEN"], spec_of(model, folder), constants, folder, [POOL])
        self.binary = os.path.getsize(emitted.stripped(path))
        self.library = emitted.Library(path, threads)
        self.operator = example_of(model).stem
        self.kept, self.type = model.kept, np.uint16 if model.kept == "bf16" else np.float32

    def array(self, values):
        values = np.ascontiguousarray(values, np.float32)
        return bits(values) if self.type == np.uint16 else values

    def empty(self, *shape):
        return np.empty(shape, self.type)

    def in_bytes(self, layer):
        """The layer; if weights are kept as bytes, with these and scales in the place of matrices."""
        if self.kept == "int8":
            for name in [name for name, values in layer.items() if values.ndim == 2]:
                layer[name], layer["s" + name] = signed_bytes(layer[name])
        return layer

    def pack(self, operator, layer, **extents):
        """The arrays of a layer as the operator takes them: packed where they are constants."""
        arrays = {}
        for name in list(layer):
            values = layer.pop(name)
            values = self.array(values) if values.dtype == np.float32 else values
            is_constant = f"{operator}_{name}_pack" in self.library.prototypes
            arrays[name] = self.library.pack(operator, name, values, **extents) if is_constant else values
        return arrays


class Bert(Ours):
    def load(self, m, weights):
        self.m, self.extents = m, {name: getattr(m, name) for name in "HSDF"}
        self.layers = [self.pack(self.operator, self.in_bytes(w), **self.extents) for w in weights["layers"]]

    def prepare(self, call, x):
        x, T = self.array(x), call["T"]
        between = [self.empty(T, self.m.D) for _ in range(2)]
        runs = []
        for i, layer in enumerate(self.layers):
            source = between[i % 2 - 1] if i else x
            runs.append(self.library.prepare(self.operator, T=T, x=source, y=between[i % 2], **self.extents, **layer))

        def run():
            for layer in runs:
                layer()
            return between[(len(runs) - 1) % 2]
        return run


class Decoder(Ours):
    """What GPT-2 and Llama share: caches."""

    def prepare(self, call, given):
        x, cache = given
        m, T, P = self.m, call["T"], call["P"]
        x = self.array(x)
        between = [self.empty(T, m.D) for _ in range(2)]
        runs = []
        for i, layer in enumerate(self.layers):
            keys, values = (np.zeros((cache.shape[2], m.C, cache.shape[4]), self.type) for _ in range(2))
            keys[:, :P], values[:, :P] = self.array(cache[i, 0]), self.array(cache[i, 1])
            runs.append(self.library.prepare(self.operator, T=T, P=P, C=m.C, x=between[i % 2 - 1] if i else x, y=between[i % 2],
                                             keys=keys, values=values, **self.extents, **layer))
        last = between[(len(runs) - 1) % 2]
        head, out = self.head(last[T - 1]) or (None, last)

        def run():
            for layer in runs:
                layer()
            if head:
                head()
            return out
        return run

    def head(self, x):
        """A call behind the layers, which reads the last token, and its output."""


class Gpt2(Decoder):
    def load(self, m, weights):
        self.m, self.extents = m, {name: getattr(m, name) for name in "HSDF"}
        self.layers = [self.pack(self.operator, self.in_bytes(w), **self.extents) for w in weights.pop("layers")]
        self.final = self.pack("predict", self.in_bytes(weights), D=m.D, V=m.V)

    def head(self, x):
        scores = self.empty(self.m.V)
        return self.library.prepare("predict", D=self.m.D, V=self.m.V, x=x, scores=scores, **self.final), scores


class Llama(Decoder):
    def load(self, m, weights):
        self.m, self.extents = m, {name: getattr(m, name) for name in "GMRDF"}
        if m.kept in BLOCKS:
            self.extents = {"G": m.G, "M": m.M, "S": 2 * m.R // Blocks.SIZE, "A": m.D // Blocks.SIZE, "F": m.F // Blocks.SIZE}
            for layer in weights["layers"]:
                self.split(layer)
        cosine, sine = (self.array(a) for a in turns(m))
        self.layers = [self.pack(self.operator, w, **self.extents) | {"cosine": cosine, "sine": sine} for w in weights["layers"]]

    def split(self, layer):
        """Codes and scales are arrays of their own."""
        for name in list(layer):
            if isinstance(layer[name], Blocks):
                matrix = layer.pop(name)
                layer |= {name: matrix.as_ggml(), "s" + name[1:]: matrix.scales}


class Convolutional(Ours):
    """Calls one after the other; what lies between them is made once for each of the inputs' extents."""

    def load(self, m, weights):
        self.m, self.steps = m, list(self.make_steps(weights))

    def prepare(self, call, x):
        x = self.array(x)
        runs = []
        for operator, extents, arrays in self.steps:
            B, H, W = x.shape[:3]
            y = self.between(operator, self.shape_of(operator, extents, B, H, W))
            runs.append(self.library.prepare(operator, B=B, H=H, W=W, x=x, y=y, **extents, **arrays))
            x = y

        def run():
            for step in runs:
                step()
            return x
        return run

    def between(self, operator, shape):
        """Where the operator leaves its output."""
        return self.empty(*shape)

    def step(self, operator, extents, **arrays):
        return operator, extents, self.pack(operator, arrays, **extents)


def half(n):
    return (n + 1) // 2


class Resnet(Convolutional):
    def make_steps(self, weights):
        w, b = weights["stem"]
        yield self.step("stem", {"F": w.shape[3]}, w=w, b=b)
        for layer in weights["blocks"]:
            (w1, b1), (w2, b2) = layer["c1"], layer["c2"]
            if "around" in layer:
                ws, bs = layer["around"]
                yield self.step("block_half", {"C": w1.shape[2], "F": w1.shape[3]}, w1=w1, b1=b1, w2=w2, b2=b2, ws=ws, bs=bs)
            else:
                yield self.step("block", {"C": w1.shape[2]}, w1=w1, b1=b1, w2=w2, b2=b2)
        w, b = weights["classify"]
        yield self.step("classify", {"C": w.shape[0], "N": w.shape[1]}, w=w, b=b)

    def shape_of(self, operator, extents, B, H, W):
        return {"stem": lambda: (B, half(half(H)), half(half(W)), extents["F"]), "block": lambda: (B, H, W, extents["C"]),
                "block_half": lambda: (B, half(H), half(W), extents["F"]), "classify": lambda: (B, extents["N"])}[operator]()


class ResnetBytes(Resnet):
    """Factors and offsets of channels have the steps of what a layer reads and leaves in them."""

    def make_steps(self, weights):
        steps = weights["steps"]
        w, k, b = self.filters(weights["stem"], steps["x"], steps["stem"])
        yield self.step("stem", {"F": w.shape[3], "factor": 1 / steps["x"]}, w=w, k=k, b=b)
        x = steps["stem"]
        for layer, step in zip(weights["blocks"], steps["blocks"]):
            y = step["y"]
            w1, k1, b1 = self.filters(layer["c1"], x, step["m"])
            w2, k2, b2 = self.filters(layer["c2"], step["m"], y)
            arrays = {"w1": w1, "k1": k1, "b1": b1, "w2": w2, "k2": k2, "b2": b2}
            if "around" in layer:
                of_sum, zero = step["around"]
                ws, ks, bs = self.filters(layer["around"], x, of_sum)
                arrays |= {"b2": b2 - zero * (of_sum / y), "ws": ws, "ks": ks, "bs": bs + zero}
                yield self.step("block_half", {"C": w1.shape[2], "F": w1.shape[3], "ratio": of_sum / y}, **arrays)
            else:
                yield self.step("block", {"C": w1.shape[2], "ratio": x / y}, **arrays)
            x = y
        w, k, b = self.filters(weights["classify"], steps["mean"], 1)
        yield self.step("classify", {"C": w.shape[0], "N": w.shape[1], "factor": x / steps["mean"]}, w=w, k=k, b=b)

    @staticmethod
    def filters(given, x, y):
        """Codes, factors and offsets of sums over what has the step x, for what has the step y."""
        w, b = given
        codes, scales = signed_bytes(w.reshape(-1, len(b)))
        return codes.reshape(w.shape), scales * (x / y), b / y

    def between(self, operator, shape):
        return np.empty(shape, np.float32 if operator == "classify" else np.uint8)


class Mobilenet(Convolutional):
    def make_steps(self, weights):
        w, b = weights["first"]
        yield self.step("first", {"F": w.shape[3]}, w=w, b=b)
        wd, bd, wp, bp = weights["separable"]
        yield self.step("separable", {"C": wp.shape[0], "F": wp.shape[1]}, wd=wd, bd=bd, wp=wp, bp=bp)
        for (we, be, wd, bd, wp, bp), stride, around in weights["blocks"]:
            extents = {"C": we.shape[0], "E": we.shape[1]} | ({} if around else {"F": wp.shape[1], "stride": stride})
            yield self.step("bottleneck_around" if around else "bottleneck", extents, we=we, be=be, wd=wd, bd=bd, wp=wp, bp=bp)
        we, be, wc, bc = weights["classify"]
        yield self.step("classify", {"C": we.shape[0], "E": we.shape[1], "N": wc.shape[1]}, we=we, be=be, wc=wc, bc=bc)

    def shape_of(self, operator, extents, B, H, W):
        stride = 2 if operator == "first" else extents.get("stride", 1)
        outputs = extents["N"] if operator == "classify" else extents.get("F", extents.get("C"))
        return (B, outputs) if operator == "classify" else (B, -(-H // stride), -(-W // stride), outputs)


FAMILIES = {"bert": Bert, "gpt2": Gpt2, "llama": Llama, "resnet": Resnet, "mobilenet": Mobilenet}


def load(model, folder, threads):
    """What loads the model's weights, prepares calls and runs them."""
    family = ResnetBytes if (model.family, model.kept) == ("resnet", "int8") else FAMILIES[model.family]
    return family(model, folder, threads)


def to_numpy(out):
    return floats(out)
