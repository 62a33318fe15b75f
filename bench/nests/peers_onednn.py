# SPDX-License-Identifier: GPL-3.0-or-later
"""oneDNN, as PyTorch brings it: on tensors of its own, and its fused products and convolutions with weights prepacked."""
import torch
import torch.nn.functional as F

import peers_torch

convert = peers_torch.convert
NAME = "oneDNN"
VERSION = next((word[1:] for line in torch.__config__.show().splitlines() if "MKL-DNN" in line for word in line.split()
                if word.startswith("v")), "unknown")
PEERS = {}


def to_numpy(tensor):
    return peers_torch.to_numpy(tensor.to_dense() if tensor.is_mkldnn else tensor)


def prepare(build, p, a):
    return build(p, a)


def own_tensor(operator, array, function):
    """A call of the function on the array as a tensor of oneDNN's."""

    def build(p, a):
        x = getattr(a, array).to_mkldnn()
        return lambda: function(p, x)

    PEERS.setdefault(operator, []).append(build)


own_tensor("gelu_erf", "x", lambda p, x: F.gelu(x))
own_tensor("relu", "x", lambda p, x: torch.relu(x))
own_tensor("tanh_map", "x", lambda p, x: torch.tanh(x))
own_tensor("sigmoid", "x", lambda p, x: torch.sigmoid(x))
own_tensor("softmax", "X", lambda p, x: torch.softmax(x, 1))
own_tensor("maxpool_nchw", "X", lambda p, x: F.max_pool2d(x, p.R, p.stride, p.pad))


def bn_relu(p, a):
    x = a.X.to_mkldnn()
    return lambda: torch.relu_(F.batch_norm(x, a.mean, a.var, a.g, a.b, eps=p.eps))


PEERS["bn_relu"] = [bn_relu]


def linear(attribute, algorithm):
    def build(p, a):
        weight = torch.ops.mkldnn._reorder_linear_weight(a.B.t().contiguous(), p.M)
        bias = getattr(a, "b", None)
        return lambda: torch.ops.mkldnn._linear_pointwise(a.A, weight, bias, attribute, [], algorithm)

    return build


PEERS["gemm"] = [linear("none", "")]
PEERS["gemm_bias_relu"] = [linear("relu", "")]
PEERS["gemm_bias_gelu"] = [linear("gelu", "tanh")]


def gemm_residual(p, a):
    weight = torch.ops.mkldnn._reorder_linear_weight(a.B.t().contiguous(), p.M)
    return lambda: torch.ops.mkldnn._linear_pointwise.binary(a.A, a.R, weight, a.b, "add")


PEERS["gemm_residual"] = [gemm_residual]


def convolution(image, weight, bias, p, attribute):
    """The call; p's stride counts if there is one."""
    pad, stride, one = [p.pad] * 2, [getattr(p, "stride", 1)] * 2, [1, 1]
    groups = image.shape[1] // weight.shape[1]
    packed = torch.ops.mkldnn._reorder_convolution_weight(weight, pad, stride, one, groups, list(image.shape))
    return lambda: torch.ops.mkldnn._convolution_pointwise(image, packed, bias, pad, stride, one, groups, attribute, [], "")


def dense(attribute):
    def build(p, a):
        weight = a.K.permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
        call = convolution(a.X.permute(0, 3, 1, 2), weight, getattr(a, "b", None), p, attribute)
        return lambda: call().permute(0, 2, 3, 1)

    return build


PEERS["conv"] = [dense("none")]
PEERS["conv_bias_relu"] = [dense("relu")]


def depthwise_nhwc(p, a):
    call = convolution(a.X.permute(0, 3, 1, 2), a.K.permute(2, 0, 1)[:, None].contiguous(), None, p, "none")
    return lambda: call().permute(0, 2, 3, 1)


PEERS["depthwise_nhwc"] = [depthwise_nhwc]
PEERS["depthwise_nchw"] = [lambda p, a: convolution(a.X, a.K[:, None].contiguous(), None, p, "none")]
