"""OpenVINO, on what it makes of PyTorch's modules."""
import os
from pathlib import Path

import numpy as np
import openvino
import torch
import with_torch

CNN = ("resnet", "mobilenet")


def version():
    return "openvino " + openvino.__version__.split("-")[0]


def to_numpy(out):
    return out


class OpenVino:
    def __init__(self, model, threads):
        folder = Path(openvino.__file__).parent / "libs"
        names = ("libopenvino.so", "libopenvino_intel_cpu_plugin", "libtbb.so")
        self.binary = sum(os.path.getsize(path) for path in folder.iterdir() if path.name.startswith(names))
        self.threads, self.kept = threads, model.kept

    def load(self, m, weights):
        self.is_cnn = m.family in CNN
        module = with_torch.FAMILIES[m.family](m, weights, torch.float32).eval()
        shape, any_shape = ((1, 3, 64, 64), [-1, 3, -1, -1]) if self.is_cnn else ((1, 8, m.D), [1, -1, m.D])
        made = openvino.convert_model(module, example_input=torch.zeros(shape), input=openvino.PartialShape(any_shape))
        self.compiled = openvino.compile_model(made, "CPU", {
            "INFERENCE_NUM_THREADS": self.threads, "INFERENCE_PRECISION_HINT": self.kept, "PERFORMANCE_HINT": "LATENCY"})

    def prepare(self, call, x):
        request = self.compiled.create_infer_request()
        request.set_input_tensor(openvino.Tensor(np.ascontiguousarray(x.transpose(0, 3, 1, 2) if self.is_cnn else x[None])))

        def run():
            request.infer()
            return request.get_output_tensor().data
        return run


def load(model, folder, threads):
    return OpenVino(model, threads)
