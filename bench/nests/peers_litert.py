# SPDX-License-Identifier: GPL-3.0-or-later
"""XNNPACK, as LiteRT brings it: a model of a few operators for each call, built here, of which XNNPACK must take every node. Second
operands of products and filters are constants of the model, which XNNPACK packs ahead of time; the interpreter's call from Python
is part of the time."""
from importlib import metadata

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter

NAME, VERSION = "XNNPACK", "of LiteRT " + metadata.version("ai-edge-litert")
PEERS = {}
TYPES = {"float32": schema.TensorType.FLOAT32, "int32": schema.TensorType.INT32}
NO_ACTIVATION, VALID, SAME = schema.ActivationFunctionType.NONE, schema.Padding.VALID, schema.Padding.SAME


def convert(arrays):
    return arrays


def prepare(build, p, a):
    return build(p, a)


class Call:
    """Runs the model; as its own output, read only when it is compared."""

    def __init__(self, content, inputs):
        self.interpreter = Interpreter(model_content=content, num_threads=1)
        self.interpreter.allocate_tensors()
        self.output = self.interpreter.get_output_details()[0]["index"]
        details = self.interpreter.get_input_details()
        self.expect_one_node({detail["index"] for detail in details})
        for detail, array in zip(details, inputs, strict=True):
            self.interpreter.set_tensor(detail["index"], array)

    def expect_one_node(self, inputs):
        """XNNPACK's, from the model's inputs to its output."""
        nodes = self.interpreter._get_ops_details()
        delegates = [node for node in nodes if node["op_name"] == "DELEGATE"]
        if len(delegates) != 1 or not inputs <= set(delegates[0]["inputs"]) or self.output not in delegates[0]["outputs"]:
            raise ValueError(f"XNNPACK does not take all of {[node['op_name'] for node in nodes]}")

    def __call__(self):
        self.interpreter.invoke()
        return self


def to_numpy(call):
    return call.interpreter.get_tensor(call.output)


class Model:
    """Tensors are numbers; every method that adds an operator returns that of its output."""

    def __init__(self):
        self.graph, self.model = schema.SubGraphT(), schema.ModelT()
        self.graph.tensors, self.graph.operators, self.graph.inputs, self.graph.outputs = [], [], [], []
        self.model.version, self.model.operatorCodes, self.model.subgraphs = 3, [], [self.graph]
        self.model.buffers = [schema.BufferT()]
        self.values = []

    def tensor(self, shape, kind="float32", constant=None):
        tensor = schema.TensorT()
        tensor.shape, tensor.type, tensor.buffer = list(map(int, shape)), TYPES[kind], 0
        if constant is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(constant).tobytes(), np.uint8)
            tensor.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def shape(self, tensor):
        return list(self.graph.tensors[tensor].shape)

    def input(self, array):
        self.graph.inputs.append(self.tensor(array.shape))
        self.values.append(array)
        return self.graph.inputs[-1]

    def constant(self, array):
        array = np.asarray(array)
        return self.tensor(array.shape, array.dtype.name, array)

    def op(self, name, inputs, shape, kind=None, **options):
        """kind: the name of the operator's table of options; without one it has none."""
        code, operator = schema.OperatorCodeT(), schema.OperatorT()
        code.builtinCode = getattr(schema.BuiltinOperator, name)
        code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), 1
        operator.opcodeIndex = len(self.model.operatorCodes)
        self.model.operatorCodes.append(code)
        operator.inputs, operator.outputs = list(inputs), [self.tensor(shape)]
        if kind:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
            operator.builtinOptions = getattr(schema, kind + "T")()
            for option, value in options.items():
                setattr(operator.builtinOptions, option, value)
        self.graph.operators.append(operator)
        return operator.outputs[0]

    def both(self, name, x, y):
        kind = {"ADD": "AddOptions", "MUL": "MulOptions", "SUB": "SubOptions"}.get(name)
        return self.op(name, [x, y], np.broadcast_shapes(self.shape(x), self.shape(y)), kind)

    def reduce(self, name, x, axis, keep):
        shape = [1 if d == axis else n for d, n in enumerate(self.shape(x)) if keep or d != axis]
        return self.op(name, [x, self.constant(np.array([axis], np.int32))], shape, "ReducerOptions", keepDims=keep)

    def padded(self, x, pad):
        n, h, w, c = self.shape(x)
        around = np.array([[0, 0], [pad, pad], [pad, pad], [0, 0]], np.int32)
        return self.op("PAD", [x, self.constant(around)], [n, h + 2 * pad, w + 2 * pad, c], "PadOptions")

    def call(self, output):
        self.graph.outputs = [output]
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return Call(bytes(builder.Output()), self.values)


def peer(operator):
    """Registers a function that adds the operator to a model and returns its output."""

    def register(build):
        def prepare_call(p, a):
            model = Model()
            return model.call(build(model, p, a))

        PEERS[operator] = [prepare_call]
        return build

    return register


@peer("gemm")
def gemm(model, p, a):
    inputs = [model.input(a.A), model.constant(a.B.T), model.constant(np.zeros(p.N, np.float32))]
    return model.op("FULLY_CONNECTED", inputs, [p.M, p.N], "FullyConnectedOptions")


@peer("conv")
def conv(model, p, a):
    x, padding = model.input(a.X), VALID
    if p.stride == 1 and 2 * p.pad == p.R - 1:
        padding = SAME
    elif p.pad:
        x = model.padded(x, p.pad)
    inputs = [x, model.constant(a.K.transpose(3, 0, 1, 2)), model.constant(np.zeros(p.F, np.float32))]
    shape = [p.N, (p.H + 2 * p.pad - p.R) // p.stride + 1, (p.W + 2 * p.pad - p.R) // p.stride + 1, p.F]
    return model.op("CONV_2D", inputs, shape, "Conv2DOptions", padding=padding, strideW=p.stride, strideH=p.stride)


@peer("depthwise_nhwc")
def depthwise_nhwc(model, p, a):
    if 2 * p.pad != p.R - 1 or p.R != p.S:
        raise ValueError("as many outputs as inputs, please")
    inputs = [model.input(a.X), model.constant(a.K[None]), model.constant(np.zeros(p.C, np.float32))]
    return model.op("DEPTHWISE_CONV_2D", inputs, [p.N, p.H, p.W, p.C], "DepthwiseConv2DOptions", padding=SAME, strideW=1, strideH=1,
                    depthMultiplier=1)


@peer("softmax")
def softmax(model, p, a):
    return model.op("SOFTMAX", [model.input(a.X)], [p.M, p.N], "SoftmaxOptions", beta=1.0)


@peer("layernorm")
def layernorm(model, p, a):
    x = model.input(a.X)
    far = model.both("SUB", x, model.reduce("MEAN", x, 1, True))
    variance = model.reduce("MEAN", model.both("MUL", far, far), 1, True)
    scale = model.op("RSQRT", [model.both("ADD", variance, model.constant(np.array([p.eps], np.float32)))], [p.M, 1])
    return model.both("ADD", model.both("MUL", model.both("MUL", far, scale), model.constant(a.g)), model.constant(a.b))


@peer("gelu_tanh")
def gelu_tanh(model, p, a):
    return model.op("GELU", [model.input(a.x)], [p.N], "GeluOptions", approximate=True)


@peer("colsum")
def colsum(model, p, a):
    return model.reduce("SUM", model.input(a.X), 0, False)


@peer("transpose")
def transpose(model, p, a):
    return model.op("TRANSPOSE", [model.input(a.X), model.constant(np.array([1, 0], np.int32))], [p.N, p.M], "TransposeOptions")


@peer("attention")
def attention(model, p, a):
    q, k, v = model.input(a.Q), model.input(a.K), model.input(a.V)
    scores = model.op("BATCH_MATMUL", [q, k], [p.B, p.T, p.L], "BatchMatMulOptions", adjY=True)
    scaled = model.both("MUL", scores, model.constant(np.array([p.scale], np.float32)))
    weights = model.op("SOFTMAX", [scaled], [p.B, p.T, p.L], "SoftmaxOptions", beta=1.0)
    return model.op("BATCH_MATMUL", [weights, v], [p.B, p.T, p.D], "BatchMatMulOptions")
