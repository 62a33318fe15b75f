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

    def add(self, kind, *inputs, domain="", outputs=1, **attributes):
        names = [word if isinstance(word, str) else self.constant(word) for word in inputs]
        made = [f"t{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, names, made, domain=domain, **attributes))
        return made[0] if outputs == 1 else made

    def call(self, *outputs):
        """A function without arguments that runs the graph and gives its outputs."""
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape) for name, array in self.inputs.items()]
        outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, None) for output in outputs]
        graph = helper.make_graph(self.nodes, "model", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(CONTRIBUTED, 1)], ir_version=9)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "1"))
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return lambda: tuple(session.run(None, self.inputs))


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


def transformer(p, a):
    graph = Graph({"x": a.x[None], "keys": a.keys[None, :, : p.P].copy(), "values": a.values[None, :, : p.P].copy()})
    heads, width = p.G * p.M, 2 * p.R

    def matrix(w, rows):
        return w.reshape(rows, -1)

    def normalised(x, gain):
        return graph.add("SimplifiedLayerNormalization", x, gain, axis=-1, epsilon=1e-5)

    normed = normalised("x", a.n1)
    query, key, value = (graph.add("MatMul", normed, matrix(w, p.D)) for w in (a.wq, a.wk, a.wv))
    lengths, total = np.array([p.P + p.T - 1], np.int32), np.array(p.P + p.T, np.int32)
    heard, keys, values = graph.add("GroupQueryAttention", query, key, value, "keys", "values", lengths, total, a.cosine, a.sine,
                                    domain=CONTRIBUTED, outputs=3, num_heads=heads, kv_num_heads=p.G, do_rotary=1)
    half = graph.add("Add", graph.add("MatMul", heard, matrix(a.wo, heads * width)), "x")
    normed = normalised(half, a.n2)
    gate, up = graph.add("MatMul", normed, a.wg), graph.add("MatMul", normed, a.wu)
    inner = graph.add("Mul", graph.add("Mul", gate, graph.add("Sigmoid", gate)), up)
    return graph.call(keys, values, graph.add("Add", graph.add("MatMul", inner, a.wd), half))


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
PEERS["transformer"] = [transformer]
PEERS["resnet18"] = [resnet18]
