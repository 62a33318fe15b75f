# SPDX-License-Identifier: GPL-3.0-or-later
"""ggml's processor backend, from $GGML: a folder with libggml-base.so and libggml-cpu.so. A graph as llama.cpp builds it: weights in the
layout that its kernels prefer, rows rounded to eight bits ahead of products, the cache in 16 bits, attention in one operation."""
import ctypes
import os
from pathlib import Path

import numpy as np
from models import Blocks

F32, F16, I32, BLOCKS = 0, 1, 26, {4: 2, 8: 8}  # ggml_type; Q4_0 and Q8_0 by their bits
SPLIT_HALVES = 2  # GGML_ROPE_TYPE_NEOX: pairs are half a head apart
NODES = 4096


class Parameters(ctypes.Structure):
    """ggml_init_params."""
    _fields_ = [("bytes", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


class Ggml:
    """Functions of the libraries. By default they take and return pointers, or integers where these are given."""

    def __init__(self):
        folder = Path(os.environ["GGML"])
        self.paths = [folder / "libggml-base.so", folder / "libggml-cpu.so"]
        self.libraries = [ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL) for path in self.paths]

    def __call__(self, name, *arguments):
        function = next(getattr(library, "ggml_" + name) for library in self.libraries if hasattr(library, "ggml_" + name))
        function.restype = ctypes.c_char_p if name == "version" else ctypes.c_void_p
        return function(*(self.word(argument) for argument in arguments))

    @staticmethod
    def word(value):
        if isinstance(value, np.ndarray):
            return ctypes.c_void_p(value.ctypes.data)
        if isinstance(value, float):
            return ctypes.c_float(value)
        return ctypes.c_int64(value) if isinstance(value, int) else value

    def context(self):
        """Where tensors are described, without their data."""
        return ctypes.c_void_p(self("init", Parameters(NODES * 1024, None, True)))

    def preferred(self):
        """The first of the backend's own kinds of buffers, in which weights are laid out anew; else the usual one."""
        registered = ctypes.c_void_p(self("backend_cpu_reg"))
        device = ctypes.c_void_p(self("backend_reg_dev_get", registered, 0))
        found = self("backend_reg_get_proc_address", registered, b"ggml_backend_dev_get_extra_bufts")
        if found:
            kinds = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)(found)(device)
            if kinds and kinds[0]:
                return ctypes.c_void_p(kinds[0])
        return ctypes.c_void_p(self("backend_cpu_buffer_type"))


GGML = Ggml()


def version():
    return "ggml " + GGML("version").decode()


def to_numpy(out):
    return out


class Tensors:
    """Weights or inputs, in a buffer of a kind."""

    def __init__(self, kind):
        self.kind, self.context, self.given, self.buffer = kind, GGML.context(), [], None

    def add(self, of, array, *extents):
        tensor = ctypes.c_void_p(GGML(f"new_tensor_{len(extents)}d", self.context, ctypes.c_int(of), *extents))
        self.given.append((tensor, np.ascontiguousarray(array)))
        return tensor

    def place(self):
        self.buffer = ctypes.c_void_p(GGML("backend_alloc_ctx_tensors_from_buft", self.context, self.kind))
        if not self.buffer:
            raise RuntimeError("no room for tensors")
        for tensor, array in self.given:
            GGML("backend_tensor_set", tensor, array, ctypes.c_size_t(0), ctypes.c_size_t(array.nbytes))
        self.given = []

    def free(self):
        GGML("backend_buffer_free", self.buffer)
        GGML("free", self.context)


def blocks_of(matrix):
    """A scale and its codes, block by block."""
    return np.concatenate([part.view(np.uint8) for part in (matrix.scales[:, :, None], matrix.as_ggml())], 2)


class Llama:
    def __init__(self, threads):
        self.binary = sum(os.path.getsize(path) for path in GGML.paths)
        self.backend = ctypes.c_void_p(GGML("backend_cpu_init"))
        GGML("backend_cpu_set_n_threads", self.backend, ctypes.c_int(threads))
        self.usual = ctypes.c_void_p(GGML("backend_cpu_buffer_type"))
        self.previous = lambda: None

    def load(self, m, weights):
        self.m, gains = m, Tensors(self.usual)
        matrices = Tensors(GGML.preferred() if m.kept == "q4" else self.usual)  # Q8_0 has one layout
        self.layers = []
        for layer in weights["layers"]:
            self.layers.append({name: matrices.add(BLOCKS[w.bits], blocks_of(w), w.codes.shape[1] * w.SIZE, len(w.codes))
                                if isinstance(w, Blocks) else gains.add(F32, w, len(w)) for name, w in layer.items()})
        matrices.place()
        gains.place()

    def prepare(self, call, given):
        x, cache = given
        m, T, P, width = self.m, call["T"], call["P"], 2 * self.m.R
        self.previous()
        inputs = Tensors(self.usual)
        context = GGML.context()

        def op(name, *arguments):
            return ctypes.c_void_p(GGML(name, context, *arguments))

        graph = ctypes.c_void_p(GGML("new_graph_custom", context, ctypes.c_size_t(NODES), ctypes.c_bool(False)))
        place = inputs.add(I32, np.arange(P, P + T, dtype=np.int32), T)
        seen = np.where(np.tri(T, P + T, P, bool), 0, -np.inf).astype(np.float16)
        mask = inputs.add(F16, seen, P + T, T)
        state = inputs.add(F32, x, m.D, T)

        def turned(y, heads):
            words = [ctypes.c_int(word) for word in (width, SPLIT_HALVES, 0)]
            return op("rope_ext", op("reshape_3d", y, width, heads, T), place, None, *words, 10000.0, 1.0, 0.0, 1.0, 32.0, 1.0)

        for w, layer in zip(self.layers, cache):
            normed = op("mul", op("rms_norm", state, 1e-5), w["n1"])
            q = turned(op("mul_mat", w["wq"], normed), m.G * m.M)
            k = turned(op("mul_mat", w["wk"], normed), m.G)
            v = op("mul_mat", w["wv"], normed)
            caches = []
            for before, new in zip(layer, (k, v)):  # a row of all heads for each token
                rows = np.zeros((m.C, m.G, width), np.float16)
                rows[:P] = before.transpose(1, 0, 2)
                kept = inputs.add(F16, rows, m.G * width, m.C)
                row = m.G * width * 2
                ahead = op("view_2d", kept, m.G * width, T, ctypes.c_size_t(row), ctypes.c_size_t(P * row))
                GGML("build_forward_expand", graph, op("cpy", op("reshape_2d", new, m.G * width, T), ahead))
                caches.append(op("view_3d", kept, width, P + T, m.G, ctypes.c_size_t(row), ctypes.c_size_t(width * 2), ctypes.c_size_t(0)))
            order = [ctypes.c_int(axis) for axis in (0, 2, 1, 3)]
            heard = op("flash_attn_ext", op("permute", q, *order), *caches, mask, width ** -0.5, 0.0, 0.0)
            half = op("add", op("mul_mat", w["wo"], op("reshape_2d", heard, m.G * m.M * width, T)), state)
            normed = op("mul", op("rms_norm", half, 1e-5), w["n2"])
            inner = op("swiglu_split", op("mul_mat", w["wg"], normed), op("mul_mat", w["wu"], normed))
            state = op("add", op("mul_mat", w["wd"], inner), half)
        GGML("build_forward_expand", graph, state)
        inputs.place()
        arena = ctypes.c_void_p(GGML("gallocr_new", self.usual))
        if not GGML("gallocr_alloc_graph", arena, graph):
            raise RuntimeError("no room for the graph")
        out = np.empty((T, m.D), np.float32)

        def free():
            GGML("gallocr_free", arena)
            GGML("free", context)
            inputs.free()

        self.previous = free

        def run():
            if ctypes.c_int(GGML("backend_graph_compute", self.backend, graph) or 0).value:
                raise RuntimeError("ggml_backend_graph_compute")
            GGML("backend_tensor_get", state, out, ctypes.c_size_t(0), ctypes.c_size_t(out.nbytes))
            return out
        return run


def load(model, folder, threads):
    return Llama(threads)
