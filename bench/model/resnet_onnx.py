# SPDX-License-Identifier: GPL-3.0-or-later
"""A ResNet in bytes as tools for quantisation leave it: an ONNX model in float where a pair of nodes rounds each array that products read
to bytes and makes floats of them again. Runtimes put such pairs into their operators."""
import numpy as np
import onnx
from models import signed_bytes
from onnx import TensorProto, helper, numpy_helper


class Graph:
    def __init__(self):
        self.nodes, self.constants = [], []

    def constant(self, values):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def add(self, kind, *inputs, **attributes):
        """A node of names and of arrays, which are constants; what its output is called."""
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, [x if isinstance(x, str) else self.constant(x) for x in inputs], [name], **attributes))
        return name

    def rounded(self, x, step, zero=np.uint8(0)):
        step, zero = self.constant(np.float32(step)), self.constant(zero)
        return self.add("DequantizeLinear", self.add("QuantizeLinear", x, step, zero), step, zero)

    def weights(self, w, scales, axis):
        return self.add("DequantizeLinear", w, scales, np.zeros(len(scales), np.int8), axis=axis)

    def conv(self, x, step, filters, stride=1):
        """step: of x, and so of the offsets, which are words."""
        w, b = filters
        codes, scales = signed_bytes(w.reshape(-1, len(b)))
        pads = [w.shape[0] // 2] * 4
        words = self.add("DequantizeLinear", np.rint(b / (step * scales)).astype(np.int32), (step * scales).astype(np.float32),
                         np.zeros(len(b), np.int32), axis=0)
        return self.add("Conv", x, self.weights(codes.reshape(w.shape).transpose(3, 2, 0, 1), scales, 0), words, strides=[stride] * 2,
                        pads=pads)


def serialized(weights):
    """Both parts of a sum are bytes, which onnxruntime's operators want. (OpenVINO's take floats, too, and as long for them.)"""
    graph, steps = Graph(), weights["steps"]
    step = steps["x"]
    x = graph.rounded("x", step, np.uint8(128))
    x = graph.rounded(graph.add("Relu", graph.conv(x, step, weights["stem"], 2)), steps["stem"])
    x = graph.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    step = steps["stem"]
    x = graph.rounded(x, step)
    for layer, by in zip(weights["blocks"], steps["blocks"]):
        halves = "around" in layer
        m = graph.rounded(graph.add("Relu", graph.conv(x, step, layer["c1"], 2 if halves else 1)), by["m"])
        total = graph.rounded(graph.conv(m, by["m"], layer["c2"]), *by["sum"])
        around = graph.rounded(graph.conv(x, step, layer["around"], 2), *by["around"]) if halves else x
        step = by["y"]
        x = graph.rounded(graph.add("Relu", graph.add("Add", total, around)), step)
    x = graph.rounded(graph.add("Flatten", graph.add("GlobalAveragePool", x)), steps["mean"])
    w, b = weights["classify"]
    codes, scales = signed_bytes(w)
    y = graph.add("Add", graph.add("MatMul", x, graph.weights(codes, scales, 1)), b)
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in
             (("x", ["B", 3, "H", "W"]), (y, ["B", len(b)]))]
    made = helper.make_graph(graph.nodes, "resnet", infos[:1], infos[1:], graph.constants)
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()
