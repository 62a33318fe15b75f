# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators as somebody writes them with TVM: calls of its operator library, and tensor expressions where that has none.
Each returns the inputs in the order of the spec, and the output; shapes are the case's."""
from tvm import te, topi

OPERATORS = {}


def operator(build):
    OPERATORS[build.__name__] = build
    return build


@operator
def gemm(p):
    A, B = te.placeholder((p.M, p.K)), te.placeholder((p.K, p.N))
    return [A, B, topi.matmul(A, B)]


@operator
def conv(p):
    X, K = te.placeholder((p.N, p.H, p.W, p.C)), te.placeholder((p.R, p.R, p.C, p.F))
    return [X, K, topi.nn.conv2d_nhwc(X, K, p.stride, p.pad, 1)]


@operator
def depthwise_nhwc(p):
    X, K = te.placeholder((p.N, p.H, p.W, p.C)), te.placeholder((p.R, p.S, p.C, 1))
    return [X, K, topi.nn.depthwise_conv2d_nhwc(X, K, 1, p.pad, 1)]


@operator
def softmax(p):
    X = te.placeholder((p.M, p.N))
    return [X, topi.nn.softmax(X)]


@operator
def layernorm(p):
    X, g, b = te.placeholder((p.M, p.N)), te.placeholder((p.N,)), te.placeholder((p.N,))
    return [X, g, b, topi.nn.layer_norm(X, g, b, [1], p.eps)]


@operator
def gelu_tanh(p):
    x = te.placeholder((p.N,))
    return [x, te.compute(x.shape, lambda i: 0.5 * x[i] * (1 + te.tanh(0.7978845608 * (x[i] + 0.044715 * x[i] * x[i] * x[i]))))]


@operator
def colsum(p):
    X = te.placeholder((p.M, p.N))
    return [X, topi.sum(X, 0)]


@operator
def transpose(p):
    X = te.placeholder((p.M, p.N))
    return [X, topi.transpose(X)]


@operator
def attention(p):
    Q, K, V = te.placeholder((p.B, p.T, p.D)), te.placeholder((p.B, p.L, p.D)), te.placeholder((p.B, p.L, p.D))
    score = topi.nn.batch_matmul(Q, K, transpose_b=True)
    P = topi.nn.softmax(te.compute(score.shape, lambda *at: score(*at) * p.scale))
    return [Q, K, V, topi.nn.batch_matmul(P, V, transpose_b=False)]
