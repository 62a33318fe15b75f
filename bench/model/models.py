# SPDX-License-Identifier: GPL-3.0-or-later
"""The models: extents, random weights (the same in every process), inputs, and what is measured of each."""
import numpy as np
import steps

SPREAD = np.sqrt(3)  # uniform numbers up to this have deviation 1
BLOCKS = {"q4": 4, "q8": 8}  # bits of codes, where weights are kept in blocks


class Model:
    """name: of a family and what its weights are kept as. sizes: extents that do not change. calls: what is measured, each with extents
    that do. tolerance: the largest error, by the root of the right output's mean square. drawn: what weights are drawn as, if they are
    kept as something else."""

    def __init__(self, name, family, kept, sizes, calls, tolerance, drawn=None):
        self.name, self.family, self.kept, self.sizes, self.calls, self.tolerance = name, family, kept, sizes, calls, tolerance
        self.drawn = drawn or kept
        for key, value in sizes.items():
            setattr(self, key, value)

    def as_float(self):
        """The same numbers, kept as they are multiplied."""
        return Model(self.name, self.family, "f32", self.sizes, self.calls, self.tolerance, self.drawn)

    def weights(self):
        """By name, float or Blocks: lists of layers where there are several."""
        return FAMILIES[self.family][0](self, np.random.default_rng(7))

    def input(self, call):
        random = np.random.default_rng(11)
        return FAMILIES[self.family][1](self, call, random)


def matrix(random, *shape, steps=None):
    """So that sums over `steps` products (by default all but the last extent) of numbers of deviation 1 have deviation 1."""
    steps = steps or int(np.prod(shape[:-1]))
    return (random.random(shape, np.float32) * 2 - 1) * np.float32(SPREAD / np.sqrt(steps))


class Blocks:
    """A matrix for sums over k numbers as ggml's Q4_0 or Q8_0 keeps it: n columns in blocks of codes that have so many bits and stand for
    code - middle, times a scale."""
    SIZE = 32

    def __init__(self, random, k, n, bits):
        self.bits, self.middle, most = bits, 1 << bits - 1, 1 << bits
        self.codes = random.integers(1, most, (n, k // self.SIZE, self.SIZE), np.uint8)  # no lopsided least one
        usual = np.sqrt(12 / ((most - 1) ** 2 - 1) / k)  # sums over k products of numbers of deviation 1 have deviation 1
        self.scales = (usual * (0.8 + 0.4 * random.random(self.codes.shape[:2], np.float32))).astype(np.float16)

    def as_ggml(self):
        """Two codes in a byte, as far apart as half a block; or signed bytes."""
        if self.bits == 8:
            return (self.codes - np.uint8(self.middle)).view(np.int8)
        low, high = np.split(self.codes, 2, 2)
        return low | high << 4

    def as_onnx(self):
        """Neighbours in a byte; or codes as they are."""
        return self.codes if self.bits == 8 else self.codes[:, :, ::2] | self.codes[:, :, 1::2] << 4

    def numbers(self):
        columns = (self.codes.astype(np.float32) - self.middle) * self.scales.astype(np.float32)[:, :, None]
        return np.ascontiguousarray(columns.reshape(len(columns), -1).T)


def signed_bytes(matrix):
    """Codes from -127 to 127 and a scale for each column, which its largest number asks for."""
    scales = np.maximum(np.abs(matrix).max(0), np.finfo(np.float32).tiny) / 127
    return np.rint(matrix / scales).astype(np.int8), scales


def near(random, middle, *shape):
    """Gains and offsets."""
    return middle + 0.1 * (random.random(shape, np.float32) * 2 - 1)


def bert_weights(m, random):
    def layer():
        d, f = m.D, m.F
        w = {name: matrix(random, d, d) for name in ("wq", "wk", "wv", "wo")} | {"w1": matrix(random, d, f), "w2": matrix(random, f, d)}
        w |= {name: near(random, 0, f if name == "c1" else d) for name in ("bq", "bk", "bv", "bo", "c1", "c2", "b1", "b2")}
        return w | {name: near(random, 1, d) for name in ("g1", "g2")}
    return {"layers": [layer() for _ in range(m.layers)]}


def gpt2_weights(m, random):
    w = bert_weights(m, random)
    return w | {"gain": near(random, 1, m.D), "offset": near(random, 0, m.D), "words": matrix(random, m.D, m.V)}


def llama_weights(m, random):
    width = m.G * 2 * m.R
    extents = {"wq": (m.D, m.M * width), "wk": (m.D, width), "wv": (m.D, width), "wo": (m.M * width, m.D), "wg": (m.D, m.F),
               "wu": (m.D, m.F), "wd": (m.F, m.D)}

    def weight(rows, columns):
        if m.drawn not in BLOCKS:
            return matrix(random, rows, columns)
        w = Blocks(random, rows, columns, BLOCKS[m.drawn])
        return w if m.kept == m.drawn else w.numbers()

    def layer():
        w = {name: weight(*extent) for name, extent in extents.items()}
        return w | {name: near(random, 1, m.D) for name in ("n1", "n2")}
    return {"layers": [layer() for _ in range(m.layers)]}


def turns(m):
    """Cosines and sines of the positions."""
    angles = np.arange(m.C)[:, None] * 10000.0 ** (-np.arange(m.R) / m.R)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def tokens(m, call, random):
    """T tokens' features; a decoder also gets the keys and values of the P ones before, a pair of [heads][P][width] for each layer."""
    x = random.standard_normal((call["T"], m.D), np.float32)
    if "P" not in call:
        return x
    heads, width = (m.G, 2 * m.R) if m.family == "llama" else (m.H, m.S)
    cache = random.standard_normal((m.layers, 2, heads, call["P"], width), np.float32) if call["P"] else \
        np.zeros((m.layers, 2, heads, 0, width), np.float32)
    return x, cache


def resnet_weights(m, random):
    def conv(r, c, f, gain):
        return gain * matrix(random, r, r, c, f), near(random, 0, f)

    widths, w = [64, 128, 256, 512], {"stem": conv(7, 3, 64, 1.4), "blocks": []}
    for i, f in enumerate(widths):
        c = widths[max(i - 1, 0)]
        for at in range(2):
            half = i > 0 and at == 0
            block = {"c1": conv(3, c if half else f, f, 1.4), "c2": conv(3, f, f, 0.7)}
            w["blocks"].append(block | ({"around": conv(1, c, f, 1)} if half else {}))
    w["classify"] = matrix(random, 512, m.N), near(random, 0, m.N)
    return w | ({"steps": steps.of_resnet(w)} if m.kept == "int8" else {})


# Of MobileNet-V2: expansion, channels, blocks, stride of the first one.
STAGES = [(6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]


def mobilenet_weights(m, random):
    def filters(c, f, gain=1.4):
        return gain * matrix(random, c, f), near(random, 0, f)

    def depthwise(e):
        return 1.4 * matrix(random, 3, 3, e, steps=9), near(random, 0, e)

    first = 1.4 * matrix(random, 3, 3, 3, 32), near(random, 0, 32)
    w = {"first": first, "separable": (*depthwise(32), *filters(32, 16, 1)), "blocks": []}
    c = 16
    for times, f, count, stride in STAGES:
        for at in range(count):
            around = at > 0
            arrays = (*filters(c, times * c), *depthwise(times * c), *filters(times * c, f, 0.7 if around else 1))
            w["blocks"].append((arrays, stride if at == 0 else 1, around))
            c = f
    return w | {"classify": (*filters(c, 1280), *filters(1280, m.N, 1))}


def image(m, call, random):
    return random.standard_normal((call["B"], call["H"], call["W"], 3), np.float32)


FAMILIES = {"bert": (bert_weights, tokens), "gpt2": (gpt2_weights, tokens), "llama": (llama_weights, tokens),
            "resnet": (resnet_weights, image), "mobilenet": (mobilenet_weights, image)}

BERT = {"layers": 12, "H": 12, "S": 64, "D": 768, "F": 3072}
GPT2 = {"layers": 12, "H": 12, "S": 64, "D": 768, "F": 3072, "V": 50257, "C": 1024}
LLAMA = {"layers": 4, "G": 4, "M": 8, "R": 32, "D": 2048, "F": 5632, "C": 1024}
CNN = {"N": 1000}

LENGTHS = [{"T": t} for t in (5, 16, 37, 64, 128, 200, 384)]
DECODER = [{"T": t, "P": p} for t, p in ((1, 0), (1, 127), (1, 511), (16, 0), (37, 0), (128, 0), (512, 0), (16, 127))]
IMAGES = [{"B": b, "H": h, "W": h} for b, h in ((1, 128), (1, 224), (1, 320), (4, 224), (8, 160))]

MODELS = {m.name: m for m in (
    Model("bert f32", "bert", "f32", BERT, LENGTHS, 2e-4),
    Model("bert bf16", "bert", "bf16", BERT, LENGTHS, 0.1),
    Model("bert int8", "bert", "int8", BERT, LENGTHS, 0.3),
    Model("gpt2 f32", "gpt2", "f32", GPT2, DECODER, 2e-4),
    Model("gpt2 bf16", "gpt2", "bf16", GPT2, DECODER, 0.1),
    Model("gpt2 int8", "gpt2", "int8", GPT2, DECODER, 0.3),
    Model("llama f32", "llama", "f32", LLAMA, DECODER, 2e-4),
    Model("llama bf16", "llama", "bf16", LLAMA, DECODER, 0.1),
    Model("llama q8", "llama", "q8", LLAMA, DECODER, 2e-4),
    Model("llama q4", "llama", "q4", LLAMA, DECODER, 2e-4),
    Model("resnet18 f32", "resnet", "f32", CNN, IMAGES, 2e-4),
    Model("resnet18 bf16", "resnet", "bf16", CNN, IMAGES, 0.1),
    Model("resnet18 int8", "resnet", "int8", CNN, IMAGES, 0.3),
    Model("mobilenet_v2 f32", "mobilenet", "f32", CNN, IMAGES, 2e-4),
    Model("mobilenet_v2 bf16", "mobilenet", "bf16", CNN, IMAGES, 0.1),
)}
