# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody writes in PyTorch for an operator. A function here prepares what is known ahead of time, such as weights in
another layout, and returns the call. Also what peers_compile.py compiles."""
import os
import warnings

import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore", "Sparse")
torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
torch.set_grad_enabled(False)
NAME, VERSION = "PyTorch", torch.__version__
PEERS = {}


def peer(*operators):
    """Registers a function from (scalars, arrays) to a call without arguments that returns the outputs."""

    def register(build):
        for operator in operators:
            PEERS.setdefault(operator, []).append(build)
        return build

    return register


def convert(arrays):
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def to_numpy(tensor):
    return tensor.contiguous().numpy()


def prepare(build, p, a):
    return build(p, a)


def simple(operator, function):
    """A call of the function with scalars and arrays as they are."""
    PEERS.setdefault(operator, []).append(lambda p, a: lambda: function(p, a))


simple("gelu_tanh", lambda p, a: F.gelu(a.x, approximate="tanh"))
simple("gelu_erf", lambda p, a: F.gelu(a.x))
simple("tanh_map", lambda p, a: torch.tanh(a.x))
simple("silu", lambda p, a: F.silu(a.x))
simple("exp_map", lambda p, a: torch.exp(a.x))
simple("sigmoid", lambda p, a: torch.sigmoid(a.x))
simple("relu", lambda p, a: torch.relu(a.x))
simple("residual_relu", lambda p, a: torch.relu_(a.x + a.r))
simple("bias_gelu", lambda p, a: F.gelu(a.X + a.b, approximate="tanh"))
simple("colsum", lambda p, a: a.X.sum(0))
simple("average_channels", lambda p, a: a.X.mean(1))
simple("l2norm_cols", lambda p, a: F.normalize(a.X, dim=0))
simple("transpose", lambda p, a: a.X.t().contiguous())
simple("nhwc_nchw", lambda p, a: a.X.permute(0, 3, 1, 2).contiguous())
simple("nchw_nhwc", lambda p, a: a.X.permute(0, 2, 3, 1).contiguous())
simple("relu_pool", lambda p, a: F.max_pool2d(torch.relu(a.X)[None], 2)[0])
simple("bn_relu", lambda p, a: torch.relu_(F.batch_norm(a.X, a.mean, a.var, a.g, a.b, eps=p.eps)))
simple("maxpool_nchw", lambda p, a: F.max_pool2d(a.X, p.R, p.stride, p.pad))
simple("maxpool_nhwc", lambda p, a: F.max_pool2d(a.X.permute(0, 3, 1, 2), p.R, p.stride, p.pad).permute(0, 2, 3, 1))
simple("rmsnorm", lambda p, a: F.rms_norm(a.X, (p.N,), a.g, eps=1e-6))
simple("layernorm", lambda p, a: F.layer_norm(a.X, (p.N,), a.g, a.b, p.eps))
simple("instance_norm", lambda p, a: F.instance_norm(a.X, eps=p.eps))
simple("softmax", lambda p, a: torch.softmax(a.X, 1))
simple("log_softmax", lambda p, a: torch.log_softmax(a.X, 1))
simple("masked_softmax", lambda p, a: torch.softmax(a.X * p.scale + a.mask, 2))
simple("sum", lambda p, a: a.x.sum().reshape(1))
simple("dot_f32", lambda p, a: torch.dot(a.x, a.z).reshape(1))
simple("rowstats", lambda p, a: (a.X.amin(1), a.X.amax(1), a.X.mean(1)))
simple("rowstats", lambda p, a: (*torch.aminmax(a.X, dim=1), a.X.mean(1)))
simple("mean_var", lambda p, a: torch.stack((a.X.mean(), a.X.var(correction=0))))
simple("argmax", lambda p, a: a.x.argmax().reshape(1))
simple("cumsum", lambda p, a: a.x.cumsum(0))
simple("cumsum_rows", lambda p, a: a.X.cumsum(1))
simple("quantize_s8", lambda p, a: torch.round(a.x * p.scale).clamp_(-128, 127).to(torch.int8))
simple("dequantize_s8", lambda p, a: a.x * p.scale)
simple("dot_s8", lambda p, a: (a.x.int() * a.z.int()).sum(dtype=torch.int32).reshape(1))
simple("f32_f16", lambda p, a: a.x.half())
simple("f16_f32", lambda p, a: a.x.float())
simple("bilinear_2x", lambda p, a: F.interpolate(a.X[None], scale_factor=2, mode="bilinear", align_corners=False)[0])
simple("gemm", lambda p, a: a.A @ a.B)
simple("gemm_bias_relu", lambda p, a: torch.relu_(torch.addmm(a.b, a.A, a.B)))
simple("gemm_residual", lambda p, a: torch.addmm(a.b, a.A, a.B).add_(a.R))
simple("gemm_bias_gelu", lambda p, a: F.gelu(torch.addmm(a.b, a.A, a.B), approximate="tanh"))
simple("gemm_res_ln", lambda p, a: F.layer_norm(torch.addmm(a.c, a.A, a.B).add_(a.R), (p.N,), a.g, a.b, 1e-5))
simple("swiglu", lambda p, a: (F.silu(a.X @ a.W1) * (a.X @ a.W2)) @ a.W3)
simple("attention", lambda p, a: F.scaled_dot_product_attention(a.Q[None], a.K[None], a.V[None], scale=p.scale)[0])


@peer("ew6")
def ew6(p, a):
    def call():
        both = a.X + a.Y
        return torch.relu(both * p.s).mul_(a.Z).sub_(0.25), both.mul_(0.5)

    return call


@peer("ew6")
def ew6_pure(p, a):
    def call():
        both = a.X + a.Y
        return torch.relu(both * p.s) * a.Z - 0.25, both * 0.5

    return call


@peer("axpby_f64")
def axpby(p, a):
    return lambda: a.y.mul_(p.b).add_(a.x, alpha=p.a)


@peer("quantize_s8")
def quantize(p, a):
    return lambda: torch.quantize_per_tensor(a.x, 1 / p.scale, 0, torch.qint8).int_repr()


@peer("xent")
def xent(p, a):
    label = a.label.long()
    return lambda: F.cross_entropy(a.X, label).reshape(1)


@peer("histogram")
def histogram(p, a):
    return lambda: torch.bincount(a.bin, minlength=p.bins)


@peer("embedding")
def embedding(p, a):
    return lambda: F.embedding(a.word, a.table).add_(a.place)


@peer("spmv")
def spmv(p, a):
    matrix = torch.sparse_csr_tensor(a.start, a.column, a.value, (p.rows, p.cols))
    return lambda: matrix @ a.x


@peer("adam")
def adam(p, a):
    def call():
        d = a.g + p.wd * a.p
        a.m.mul_(p.b1).add_(d, alpha=1 - p.b1)
        a.v.mul_(p.b2).addcmul_(d, d, value=1 - p.b2)
        a.p.addcdiv_(a.m, a.v.sqrt().add_(p.eps), value=-p.lr)
        return a.p, a.m, a.v

    return call


@peer("depthwise_nhwc")
def depthwise_nhwc(p, a):
    image = a.X.permute(0, 3, 1, 2)
    weight = a.K.permute(2, 0, 1)[:, None].contiguous(memory_format=torch.channels_last)
    return lambda: F.conv2d(image, weight, padding=p.pad, groups=p.C).permute(0, 2, 3, 1)


@peer("depthwise_nchw")
def depthwise_nchw(p, a):
    weight = a.K[:, None].contiguous()
    return lambda: F.conv2d(a.X, weight, padding=p.pad, groups=p.C)


def conv_call(p, a, finish):
    image = a.X.permute(0, 3, 1, 2)
    weight = a.K.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    bias = getattr(a, "b", None)
    return lambda: finish(F.conv2d(image, weight, bias, p.stride, p.pad)).permute(0, 2, 3, 1)


@peer("conv")
def conv(p, a):
    return conv_call(p, a, lambda y: y)


@peer("conv_bias_relu")
def conv_bias_relu(p, a):
    return conv_call(p, a, torch.relu_)


def stencil(p, a, rank, step):
    inside = (slice(1, -1),) * rank

    def call():
        for _ in range(p.T):
            a.B[inside] = step(a.A)
            a.A[inside] = step(a.B)
        return a.A, a.B

    return call


@peer("jacobi_2d")
def jacobi_2d(p, a):
    return stencil(p, a, 2, lambda x: (x[1:-1, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:] + x[2:, 1:-1] + x[:-2, 1:-1]).mul_(0.2))
