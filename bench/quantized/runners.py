# SPDX-License-Identifier: GPL-3.0-or-later
"""What run.py and words.py share: onnxruntime's MatMulNBits, buffers of packed weights, and the clock. One thread."""
import ctypes
import math
import os
import time

for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "1"
import numpy as np


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


def aligned(size):
    """So many bytes, aligned to 64."""
    room = np.zeros(size + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start:start + size]


def in_bytes(codes):
    """Two neighbours of four bits in a byte."""
    return codes[..., ::2] | codes[..., 1::2] << 4


class OnnxRuntime:
    """Codes are n by blocks by steps of a block, scales and zero points n by blocks. Level: MatMulNBits's accuracy_level."""

    def __init__(self, name, codes, scales, zeros, level, copies):
        import onnx
        import onnxruntime
        self.name, tensor, types = name, onnx.helper.make_tensor, onnx.TensorProto
        n, blocks, block = codes.shape
        packed = in_bytes(codes)
        initial = [tensor("B", types.UINT8, packed.shape, packed.tobytes(), raw=True),
                   tensor("scales", types.FLOAT, (n * blocks,), scales.astype(np.float32).tobytes(), raw=True)]
        if zeros is not None:
            packed = in_bytes(zeros)
            initial.append(tensor("zeros", types.UINT8, (packed.size,), packed.tobytes(), raw=True))
        node = onnx.helper.make_node("MatMulNBits", ["A"] + [one.name for one in initial], ["Y"], domain="com.microsoft", K=blocks * block, N=n,
                                     bits=4, block_size=block, accuracy_level=level)
        value = onnx.helper.make_tensor_value_info
        graph = onnx.helper.make_graph([node], "g", [value("A", types.FLOAT, ["M", blocks * block])], [value("Y", types.FLOAT, ["M", n])], initial)
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21), onnx.helper.make_opsetid("com.microsoft", 1)])
        model.ir_version = 10
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        text = model.SerializeToString()
        self.sessions = [onnxruntime.InferenceSession(text, options, providers=["CPUExecutionProvider"]) for _ in range(copies)]

    def prepare(self, x):
        self.x = x

    def run(self, copy):
        return self.sessions[copy].run(None, {"A": self.x})[0]


def best_times(runners, copies, turns):
    """Seconds of a call, by runner's name: the best of the turns, which go through all copies."""
    best = {runner.name: math.inf for runner in runners}
    for _ in range(turns):
        for runner in runners:
            start = time.perf_counter()
            for copy in range(copies):
                runner.run(copy)
            best[runner.name] = min(best[runner.name], (time.perf_counter() - start) / copies)
    return best
