# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenVINO, on what it makes of PyTorch's modules."""
import os
from pathlib import Path

import numpy as np
import openvino
import openvino.opset13 as operations
import resnet_onnx
import torch
import with_torch
from models import signed_bytes

CNN = ("resnet", "mobilenet")


def version():
    return "openvino " + openvino.__version__.split("-")[0]


def to_numpy(out):
    return out


def keep_bytes(made):
    """Matrices become what its tools for compression make of them: bytes, converted, times a scale for each column."""
    for product in made.get_ordered_ops():
        if product.get_type_name() == "MatMul" and product.input_value(1).get_node().get_type_name() == "Constant":
            codes, scales = signed_bytes(product.input_value(1).get_node().data.T)
            matrix = operations.convert(operations.constant(np.ascontiguousarray(codes.T)), "f32")
            product.input(1).replace_source_output(operations.multiply(matrix, operations.constant(scales[:, None])).output(0))


class OpenVino:
    def __init__(self, model, threads):
        folder = Path(openvino.__file__).parent / "libs"
        names = ("libopenvino.so", "libopenvino_intel_cpu_plugin", "libtbb.so")
        self.binary = sum(os.path.getsize(path) for path in folder.iterdir() if path.name.startswith(names))
        self.threads, self.kept = threads, model.kept

    def load(self, m, weights):
        self.is_cnn = m.family in CNN
        how = {"INFERENCE_PRECISION_HINT": "f32" if self.kept == "int8" else self.kept}
        if self.is_cnn and self.kept == "int8":
            made = openvino.Core().read_model(resnet_onnx.serialized(weights))
        else:
            made = self.of_module(m, weights)
        if not self.is_cnn and self.kept == "int8":
            keep_bytes(made)
            how["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = m.D  # of rows; less is slower
        self.compiled = openvino.compile_model(made, "CPU", how | {"INFERENCE_NUM_THREADS": self.threads, "PERFORMANCE_HINT": "LATENCY"})

    def of_module(self, m, weights):
        """What it makes of PyTorch's."""
        module = with_torch.FAMILIES[m.family](m, weights, torch.float32).eval()
        shape, any_shape = ((1, 3, 64, 64), [-1, 3, -1, -1]) if self.is_cnn else ((1, 8, m.D), [1, -1, m.D])
        return openvino.convert_model(module, example_input=torch.zeros(shape), input=openvino.PartialShape(any_shape))

    def prepare(self, call, x):
        request = self.compiled.create_infer_request()
        request.set_input_tensor(openvino.Tensor(np.ascontiguousarray(x.transpose(0, 3, 1, 2) if self.is_cnn else x[None])))

        def run():
            request.infer()
            return request.get_output_tensor().data
        return run


def load(model, folder, threads):
    return OpenVino(model, threads)
