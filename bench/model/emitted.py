# SPDX-License-Identifier: GPL-3.0-or-later
"""Emitted files as Python sees them: a shared library and the prototypes of its header."""
import ctypes
import os
import re
import shlex
import subprocess

import numpy as np

HEADER = re.compile(r"^(int|size_t) (\w+)\((.*)\);$", re.M)


class Options(ctypes.Structure):
    """mikgen_options."""
    _fields_ = [("threads", ctypes.c_int), ("isa", ctypes.c_int), ("plan", ctypes.c_int), ("workspace", ctypes.c_void_p),
                ("workspace_bytes", ctypes.c_size_t), ("parallel_for", ctypes.c_void_p), ("parallel_ctx", ctypes.c_void_p),
                ("speeds", ctypes.c_void_p)]


def command(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(shlex.join(map(str, words)) + "\n" + done.stderr[:1000])
    return done.stdout


def build(mikgen, spec, constants, folder, pool):
    """Generates and compiles a spec with packed constants; the library's path. pool: C files that every library gets."""
    stem = spec.stem
    flags = [*shlex.split(os.environ.get("MIKGEN_FLAGS", "")), *(f"--constant={name}" for name in constants)]
    for emit, name in (("source", stem + "_dyn.c"), ("header", stem + "_dyn.h")):
        command([mikgen, "--target=c", f"--emit={emit}", *flags, spec, "-o", folder / name])
    compiler = shlex.split(os.environ.get("CC", "gcc")) + shlex.split(os.environ.get("CFLAGS", "-std=c99 -O2"))
    command([*compiler, "-fPIC", "-c", folder / (stem + "_dyn.c"), "-o", folder / (stem + ".o")])
    library = folder / (stem + ".so")
    command(["gcc", "-std=gnu11", "-O2", "-fPIC", "-shared", *pool, folder / (stem + ".o"), "-lm", "-lpthread", "-o", library])
    return library


def stripped(path):
    """A copy without what no call needs."""
    copy = path.with_suffix(".stripped")
    command(["strip", "-o", copy, path])
    return copy


def aligned(size):
    """So many bytes, aligned to 64."""
    room = np.empty(size + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start:start + size]


class Library:
    """The operators of one spec. Workspaces are one for all, as large as the largest call asks for."""

    def __init__(self, path, threads):
        self.library = ctypes.CDLL(str(path))
        self.options = Options(threads=threads)
        if threads > 1:
            self.library.pool_start.restype = ctypes.c_void_p
            self.options.parallel_ctx = self.library.pool_start(threads)
            self.options.parallel_for = ctypes.cast(self.library.pool_for, ctypes.c_void_p)
        self.workspace = aligned(0)
        self.prototypes = {}
        for kind, name, parameters in HEADER.findall(path.with_name(path.stem + "_dyn.h").read_text()):
            self.declare(kind, name, parameters)

    def declare(self, kind, name, parameters):
        function = getattr(self.library, name)
        function.restype = ctypes.c_int if kind == "int" else ctypes.c_size_t
        names, types = [], []
        for text in parameters.split(", ") if parameters != "void" else ():
            names.append(re.search(r"(\w+)$", text)[1])
            types.append(ctypes.c_void_p if "*" in text else ctypes.c_float if text.startswith("float") else ctypes.c_int)
        function.argtypes = types
        self.prototypes[name] = names

    def size(self, operator, array, **extents):
        return self.call(f"{operator}_{array}_size", extents)

    def pack(self, operator, array, values, **extents):
        """values packed, in memory of its own."""
        packed = aligned(self.size(operator, array, **extents))
        self.check(operator, self.call(f"{operator}_{array}_pack", extents | {array: values, "packed": packed}))
        return packed

    def call(self, name, values):
        return getattr(self.library, name)(*(self.word(values[parameter]) for parameter in self.prototypes[name]))

    @staticmethod
    def word(value):
        return value.ctypes.data if isinstance(value, np.ndarray) else value

    @staticmethod
    def check(name, status):
        if status:
            raise RuntimeError(f"{name}: status {status}")

    def prepare(self, operator, **values):
        """A call of NAME_packed_with (without constants: NAME_with), ready to be run again and again; values: arguments by name, which
        it keeps."""
        name = f"{operator}_packed" if f"{operator}_packed" in self.prototypes else operator
        options = ctypes.addressof(self.options)
        needs = self.call(f"{name}_workspace", values | {"opt": options})
        if needs > self.workspace.size:
            self.workspace = aligned(needs)
            self.options.workspace, self.options.workspace_bytes = self.workspace.ctypes.data, needs
        function = getattr(self.library, f"{name}_with")
        words = [self.word(value) for value in ((values | {"opt": options})[p] for p in self.prototypes[f"{name}_with"])]

        def run(_arrays=values):
            self.check(operator, function(*words))
        return run
