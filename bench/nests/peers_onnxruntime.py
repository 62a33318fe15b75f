"""onnxruntime, on graphs as its own optimizer leaves them: attention, normalisations and activations are single nodes, and
weights, being constants, are packed when the session is made."""
import os

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

NAME, VERSION = "onnxruntime", onnxruntime.__version__
PEERS = {}
CONTRIBUTED = "com.microsoft"


def convert(arrays):
    return arrays


def to_numpy(array):
    return array


def prepare(build, p, a):
    return build(p, a)


class Graph:
    """Nodes one after the other; each takes names of tensors and arrays, which are constants, and gives a name."""

    def __init__(self, inputs):
        self.inputs, self.nodes, self.constants = inputs, [], []

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind, *inputs, domain="", **attributes):
        names = [word if isinstance(word, str) else self.constant(word) for word in inputs]
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [name], domain=domain, **attributes))
        return name

    def call(self, output, finish=lambda array: array):
        """A function without arguments that runs the graph; finish: what is done with the output, which is not timed."""
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape) for name, array in self.inputs.items()]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)]
        graph = helper.make_graph(self.nodes, "model", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(CONTRIBUTED, 1)], ir_version=9)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return lambda: finish(session.run(None, self.inputs)[0])


def bert_layer(p, a):
    width = p.H * p.S
    graph = Graph({"x": a.x[None]})
    weights = np.concatenate([w.reshape(p.D, width) for w in (a.wq, a.wk, a.wv)], 1)
    biases = np.concatenate([b.reshape(width) for b in (a.bq, a.bk, a.bv)])

    def normalised(y, x, bias, gain, offset):
        return graph.add("SkipLayerNormalization", y, x, gain, offset, bias, domain=CONTRIBUTED, epsilon=1e-12)

    heads = graph.add("Attention", "x", weights, biases, domain=CONTRIBUTED, num_heads=p.H)
    attended = normalised(graph.add("MatMul", heads, a.wo.reshape(width, p.D)), "x", a.bo, a.g1, a.b1)
    hidden = graph.add("BiasGelu", graph.add("MatMul", attended, a.w1), a.c1, domain=CONTRIBUTED)
    return graph.call(normalised(graph.add("MatMul", hidden, a.w2), attended, a.c2, a.g2, a.b2))


def resnet18(p, a):
    graph = Graph({"x": np.ascontiguousarray(a.x.transpose(0, 3, 1, 2))})

    def conv(x, name, stride):
        w = getattr(a, "w" + name)
        pad = w.shape[0] // 2
        return graph.add("Conv", x, w.transpose(3, 2, 0, 1), getattr(a, "b" + name), strides=[stride] * 2, pads=[pad] * 4)

    def relu(x):
        return graph.add("Relu", x)

    x = graph.add("MaxPool", relu(conv("x", "1", 2)), kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for stage in "2345":
        for block in "12":
            stride = 2 if stage > "2" and block == "1" else 1
            y = conv(relu(conv(x, stage + block + "a", stride)), stage + block + "b", 1)
            x = relu(graph.add("Add", y, conv(x, stage + "d", 2) if stride == 2 else x))
    x = graph.add("Flatten", graph.add("GlobalAveragePool", x))
    return graph.call(graph.add("Gemm", x, a.wf, a.bf))


PEERS["bert_layer"] = [bert_layer]
PEERS["resnet18"] = [resnet18]
