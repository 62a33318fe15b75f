# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody writes in NumPy for an operator, with outputs given where NumPy takes them."""
import numpy as np

NAME, VERSION = "NumPy", np.__version__
PEERS = {}


def peer(*operators):
    """Registers a function from (scalars, arrays) to a call without arguments that returns the outputs."""

    def register(build):
        for operator in operators:
            PEERS.setdefault(operator, []).append(build)
        return build

    return register


def convert(arrays):
    return arrays


def to_numpy(array):
    return np.asarray(array)


def prepare(build, p, a):
    return build(p, a)


def unary(operator, function):
    PEERS.setdefault(operator, []).append(lambda p, a: lambda: function(a.x, a.y))


unary("relu", lambda x, y: np.maximum(x, np.float32(0), out=y))
unary("tanh_map", lambda x, y: np.tanh(x, out=y))
unary("exp_map", lambda x, y: np.exp(x, out=y))


@peer("silu")
def silu(p, a):
    def call():
        np.negative(a.x, out=a.y)
        np.exp(a.y, out=a.y)
        np.add(a.y, np.float32(1), out=a.y)
        return np.divide(a.x, a.y, out=a.y)

    return call


@peer("sigmoid")
def sigmoid(p, a):
    def call():
        np.negative(a.x, out=a.y)
        np.exp(a.y, out=a.y)
        np.add(a.y, np.float32(1), out=a.y)
        return np.reciprocal(a.y, out=a.y)

    return call


@peer("residual_relu")
def residual_relu(p, a):
    def call():
        np.add(a.x, a.r, out=a.y)
        return np.maximum(a.y, np.float32(0), out=a.y)

    return call


PEERS["colsum"] = [lambda p, a: lambda: np.sum(a.X, axis=0, out=a.y)]
PEERS["average_channels"] = [lambda p, a: lambda: np.mean(a.X, axis=1, out=a.Y)]
PEERS["sum"] = [lambda p, a: lambda: np.sum(a.x, keepdims=True)]
PEERS["dot_f32"] = [lambda p, a: lambda: np.dot(a.x, a.z).reshape(1)]
PEERS["argmax"] = [lambda p, a: lambda: np.argmax(a.x).reshape(1)]
PEERS["cumsum"] = [lambda p, a: lambda: np.cumsum(a.x, out=a.y)]
PEERS["cumsum_rows"] = [lambda p, a: lambda: np.cumsum(a.X, axis=1, out=a.Y)]
PEERS["histogram"] = [lambda p, a: lambda: np.bincount(a.bin, minlength=p.bins)]
PEERS["rowstats"] = [lambda p, a: lambda: (np.min(a.X, 1, out=a.lo), np.max(a.X, 1, out=a.hi), np.mean(a.X, 1, out=a.avg))]
PEERS["mean_var"] = [lambda p, a: lambda: np.array([np.mean(a.X), np.var(a.X)])]


def assign(target, source):
    target[...] = source
    return target


PEERS["transpose"] = [lambda p, a: lambda: assign(a.Y, a.X.T)]
PEERS["nhwc_nchw"] = [lambda p, a: lambda: assign(a.Y, a.X.transpose(0, 3, 1, 2))]
PEERS["nchw_nhwc"] = [lambda p, a: lambda: assign(a.Y, a.X.transpose(0, 2, 3, 1))]
PEERS["f32_f16"] = [lambda p, a: lambda: assign(a.y, a.x)]
PEERS["f16_f32"] = [lambda p, a: lambda: assign(a.y, a.x)]
PEERS["dequantize_s8"] = [lambda p, a: lambda: np.multiply(a.x, np.float32(p.scale), out=a.y)]


@peer("quantize_s8")
def quantize(p, a):
    room = np.empty_like(a.x)

    def call():
        np.multiply(a.x, np.float32(p.scale), out=room)
        np.rint(room, out=room)
        np.clip(room, np.float32(-128), np.float32(127), out=room)
        np.copyto(a.y, room, casting="unsafe")
        return a.y

    return call


@peer("embedding")
def embedding(p, a):
    def call():
        np.take(a.table, a.word, axis=0, out=a.Y)
        return np.add(a.Y, a.place, out=a.Y)

    return call


@peer("l2norm_cols")
def l2norm_cols(p, a):
    return lambda: np.multiply(a.X, 1 / np.sqrt(np.einsum("mn,mn->n", a.X, a.X) + np.float32(1e-12)), out=a.Y)


@peer("softmax")
def softmax(p, a):
    def call():
        np.subtract(a.X, a.X.max(axis=1, keepdims=True), out=a.Y)
        np.exp(a.Y, out=a.Y)
        return np.divide(a.Y, a.Y.sum(axis=1, keepdims=True), out=a.Y)

    return call


@peer("rmsnorm")
def rmsnorm(p, a):
    def call():
        scale = 1 / np.sqrt(np.einsum("mn,mn->m", a.X, a.X) / np.float32(p.N) + np.float32(1e-6))
        np.multiply(a.X, scale[:, None], out=a.Y)
        return np.multiply(a.Y, a.g, out=a.Y)

    return call


@peer("gemm")
def gemm(p, a):
    return lambda: np.matmul(a.A, a.B, out=a.C)
