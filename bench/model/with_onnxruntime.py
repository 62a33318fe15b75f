# SPDX-License-Identifier: GPL-3.0-or-later
"""onnxruntime, on graphs as its own optimizer leaves them: attention, normalisations and activations are single nodes, weights are
constants, caches are appended to in place. Extents are what a call says."""
import os
from pathlib import Path

import numpy as np
import onnxruntime
import resnet_onnx
from models import Blocks, signed_bytes, turns
from onnx import TensorProto, helper

CONTRIBUTED = "com.microsoft"


def version():
    return "onnxruntime " + onnxruntime.__version__


def to_numpy(out):
    return out


def options_of(threads):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    return options


class Graph:
    """Nodes one after the other; each takes names of tensors and arrays, which are constants, and gives a name."""

    def __init__(self):
        self.nodes, self.constants, self.bytes = [], {}, {}

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants[name] = np.ascontiguousarray(array)
        return name

    def add(self, kind, *inputs, domain="", outputs=1, **attributes):
        names = [word if isinstance(word, str) else self.constant(word) for word in inputs]
        made = [f"t{len(self.nodes)}" + (f"_{i}" if i else "") for i in range(outputs)] if isinstance(outputs, int) else outputs
        self.nodes.append(helper.make_node(kind, names, made, domain=domain, **attributes))
        return made[0] if len(made) == 1 else made

    def in_bytes(self, x):
        """x as unsigned bytes, with its scale and zero point, which its numbers ask for: the same node for all that read it."""
        if x not in self.bytes:
            self.bytes[x] = self.add("DynamicQuantizeLinear", x, outputs=3)
        return self.bytes[x]

    def session(self, inputs, outputs, threads):
        """inputs, outputs: extents by name, names where they vary. Weights are handed over as they are in memory."""
        kinds = {"lengths": TensorProto.INT32, "total": TensorProto.INT32}

        def infos(of):
            return [helper.make_tensor_value_info(name, kinds.get(name, TensorProto.FLOAT), shape) for name, shape in of.items()]

        initial = []
        for name, array in self.constants.items():
            tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(array.dtype), dims=array.shape,
                                 data_location=TensorProto.EXTERNAL)
            tensor.external_data.add(key="location", value="weights")
            initial.append(tensor)
        graph = helper.make_graph(self.nodes, "model", infos(inputs), infos(outputs), initial)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(CONTRIBUTED, 1)], ir_version=9)
        options = options_of(threads)
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in self.constants.values()]
        options.add_external_initializers(list(self.constants), values)
        self.constants = {}
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


class OnnxRuntime:
    def __init__(self, model, threads, level):
        folder = Path(onnxruntime.__file__).parent / "capi"
        self.binary = sum(os.path.getsize(path) for path in folder.glob("*.so*"))
        self.kept, self.threads, self.level = model.kept, threads, level

    def multiply(self, graph, x, w, b=None):
        """x times a matrix, and b if there is one: of bytes, as what quantize_dynamic makes is run; level: how accurately, of blocks."""
        if self.kept == "int8":
            codes, scales = signed_bytes(w)
            rows, step, zero = graph.in_bytes(x)
            operands = [rows, codes, step, scales, zero, np.zeros(len(scales), np.int8)] + ([] if b is None else [b])
            return graph.add("MatMulIntegerToFloat", *operands, domain=CONTRIBUTED)
        if not isinstance(w, Blocks):
            y = graph.add("MatMul", x, w)
            return y if b is None else graph.add("Add", y, b)
        n, blocks = w.scales.shape
        return graph.add("MatMulNBits", x, w.as_onnx(), w.scales.astype(np.float32).reshape(-1), domain=CONTRIBUTED, K=blocks * w.SIZE, N=n,
                         bits=w.bits, block_size=w.SIZE, accuracy_level=self.level)

    def prepare_plain(self, x):
        x = np.ascontiguousarray(x)
        return lambda: self.session.run(None, {"x": x})[0]


class Bert(OnnxRuntime):
    def load(self, m, weights):
        graph, x = Graph(), "x"
        for w in weights["layers"]:
            def normalised(y, x, bias, gain, offset):
                return graph.add("SkipLayerNormalization", y, x, gain, offset, bias, domain=CONTRIBUTED, epsilon=1e-12)

            heads = self.attend(graph, m, x, *(np.concatenate([w[kind + which] for which in "qkv"], -1) for kind in "wb"))
            attended = normalised(self.multiply(graph, heads, w["wo"]), x, w["bo"], w["g1"], w["b1"])
            hidden = graph.add("BiasGelu", self.multiply(graph, attended, w["w1"]), w["c1"], domain=CONTRIBUTED)
            x = normalised(self.multiply(graph, hidden, w["w2"]), attended, w["c2"], w["g2"], w["b2"])
        self.session = graph.session({"x": [1, "T", m.D]}, {x: [1, "T", m.D]}, self.threads)

    def attend(self, graph, m, x, w, b):
        """Attention over the projections of x."""
        if m.kept != "int8":
            return graph.add("Attention", x, w, b, domain=CONTRIBUTED, num_heads=m.H)
        codes, scales = signed_bytes(w)
        rows, step, zero = graph.in_bytes(x)
        operands = [rows, codes, b, step, scales, "", zero, np.zeros(len(scales), np.int8)]
        return graph.add("QAttention", *operands, domain=CONTRIBUTED, num_heads=m.H)

    def prepare(self, call, x):
        return self.prepare_plain(x[None])


class Decoder(OnnxRuntime):
    """Keys and values are appended where they are: what a layer reads of them and what it gives are the same memory."""

    def begin(self, m, heads, width):
        self.m, self.heads, self.width, self.names = m, heads, width, []
        return Graph()

    def attend(self, graph, query, key, value, i, count, *angles):
        names = [f"keys_{i}", f"values_{i}", f"new_keys_{i}", f"new_values_{i}"]
        self.names.append(names)
        heard, *_ = graph.add("GroupQueryAttention", query, key, value, *names[:2], "lengths", "total", *angles, domain=CONTRIBUTED,
                              outputs=[f"heard_{i}", *names[2:]], num_heads=count, kv_num_heads=self.heads, do_rotary=int(bool(angles)))
        return heard

    def end(self, graph, x, shape):
        rows = [1, self.heads, "C", self.width]
        caches = [name for names in self.names for name in names]
        inputs = {"x": [1, "T", self.m.D], "lengths": [1], "total": []} | {name: rows for name in caches if not name.startswith("new")}
        self.output = x
        self.session = graph.session(inputs, {x: shape} | {name: rows for name in caches if name.startswith("new")}, self.threads)

    def prepare(self, call, given):
        x, cache = given
        T, P = call["T"], call["P"]
        binding, value = self.session.io_binding(), onnxruntime.OrtValue.ortvalue_from_numpy
        binding.bind_ortvalue_input("x", value(x[None]))
        binding.bind_ortvalue_input("lengths", value(np.array([P + T - 1], np.int32)))
        binding.bind_ortvalue_input("total", value(np.array(P + T, np.int32)))
        for i, names in enumerate(self.names):
            for part in range(2):
                rows = np.zeros((1, self.heads, self.m.C, self.width), np.float32)
                rows[0, :, :P] = cache[i, part]
                rows = value(rows)
                binding.bind_ortvalue_input(names[part], rows)
                binding.bind_ortvalue_output(names[2 + part], rows)
        binding.bind_output(self.output)

        def run():
            self.session.run_with_iobinding(binding)
            return binding.get_outputs()[-1].numpy()
        return run


class Gpt2(Decoder):
    def load(self, m, weights):
        graph, x = self.begin(m, m.H, m.S), "x"

        def normalised(x, gain, offset):
            return graph.add("LayerNormalization", x, gain, offset, axis=-1, epsilon=1e-5)

        for i, w in enumerate(weights["layers"]):
            normed = normalised(x, w["g1"], w["b1"])
            query, key, value = (self.multiply(graph, normed, w["w" + which], w["b" + which]) for which in "qkv")
            heard = self.attend(graph, query, key, value, i, m.H)
            x = graph.add("Add", self.multiply(graph, heard, w["wo"], w["bo"]), x)
            hidden = graph.add("FastGelu", self.multiply(graph, normalised(x, w["g2"], w["b2"]), w["w1"]), w["c1"], domain=CONTRIBUTED)
            x = graph.add("Add", self.multiply(graph, hidden, w["w2"], w["c2"]), x)
        last = graph.add("Gather", x, np.array(-1, np.int64), axis=1)
        self.end(graph, self.multiply(graph, normalised(last, weights["gain"], weights["offset"]), weights["words"]), [1, m.V])


class Llama(Decoder):
    def load(self, m, weights):
        graph, x = self.begin(m, m.G, 2 * m.R), "x"
        angles = [graph.constant(a) for a in turns(m)]

        def normalised(x, gain):
            return graph.add("SimplifiedLayerNormalization", x, gain, axis=-1, epsilon=1e-5)

        for i, w in enumerate(weights["layers"]):
            normed = normalised(x, w["n1"])
            query, key, value = (self.multiply(graph, normed, w["w" + which]) for which in "qkv")
            heard = self.attend(graph, query, key, value, i, m.G * m.M, *angles)
            half = graph.add("Add", self.multiply(graph, heard, w["wo"]), x)
            normed = normalised(half, w["n2"])
            gate, up = self.multiply(graph, normed, w["wg"]), self.multiply(graph, normed, w["wu"])
            inner = graph.add("Mul", graph.add("Mul", gate, graph.add("Sigmoid", gate)), up)
            x = graph.add("Add", self.multiply(graph, inner, w["wd"]), half)
        self.end(graph, x, [1, "T", m.D])


class Convolutional(OnnxRuntime):
    def prepare(self, call, x):
        return self.prepare_plain(x.transpose(0, 3, 1, 2))

    def conv(self, graph, x, filters, stride=1):
        w, b = filters
        pad = w.shape[0] // 2
        return graph.add("Conv", x, w.transpose(3, 2, 0, 1), b, strides=[stride] * 2, pads=[pad] * 4)

    def pointwise(self, graph, x, w, b):
        return graph.add("Conv", x, w.T[:, :, None, None], b)

    def depthwise(self, graph, x, w, b, stride=1):
        return graph.add("Conv", x, w.transpose(2, 0, 1)[:, None], b, strides=[stride] * 2, pads=[1] * 4, group=len(b))

    def end(self, graph, x, w, b):
        x = graph.add("Gemm", graph.add("Flatten", graph.add("GlobalAveragePool", x)), w, b)
        self.session = graph.session({"x": ["B", 3, "H", "W"]}, {x: ["B", len(b)]}, self.threads)


class Resnet(Convolutional):
    def load(self, m, weights):
        if m.kept == "int8":
            made = resnet_onnx.serialized(weights)
            self.session = onnxruntime.InferenceSession(made, options_of(self.threads), providers=["CPUExecutionProvider"])
            return
        graph = Graph()

        def relu(x):
            return graph.add("Relu", x)

        x = graph.add("MaxPool", relu(self.conv(graph, "x", weights["stem"], 2)), kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
        for layer in weights["blocks"]:
            stride = 2 if "around" in layer else 1
            y = self.conv(graph, relu(self.conv(graph, x, layer["c1"], stride)), layer["c2"])
            x = relu(graph.add("Add", y, self.conv(graph, x, layer["around"], 2) if stride == 2 else x))
        self.end(graph, x, *weights["classify"])


class Mobilenet(Convolutional):
    def load(self, m, weights):
        graph = Graph()
        least, most = np.array(0, np.float32), np.array(6, np.float32)

        def relu6(x):
            return graph.add("Clip", x, least, most)

        x = relu6(self.conv(graph, "x", weights["first"], 2))
        wd, bd, wp, bp = weights["separable"]
        x = self.pointwise(graph, relu6(self.depthwise(graph, x, wd, bd)), wp, bp)
        for (we, be, wd, bd, wp, bp), stride, around in weights["blocks"]:
            y = relu6(self.depthwise(graph, relu6(self.pointwise(graph, x, we, be)), wd, bd, stride))
            y = self.pointwise(graph, y, wp, bp)
            x = graph.add("Add", y, x) if around else y
        we, be, wc, bc = weights["classify"]
        self.end(graph, relu6(self.pointwise(graph, x, we, be)), wc, bc)


FAMILIES = {"bert": Bert, "gpt2": Gpt2, "llama": Llama, "resnet": Resnet, "mobilenet": Mobilenet}
FLOAT, ROUNDED = 1, 4  # accuracy levels of products with weights in blocks: rows as they are, rows rounded to eight bits


def load(model, folder, threads):
    return FAMILIES[model.family](model, threads, FLOAT)
