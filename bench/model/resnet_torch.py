# SPDX-License-Identifier: GPL-3.0-or-later
"""A ResNet in bytes by PyTorch's operators of quantised tensors, which oneDNN runs."""
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from models import signed_bytes
from torch import nn

OPERATORS = torch.ops.quantized


def in_bytes(turned, scales):
    """Signed ones, of which each of the first extent has a scale."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it means to drop such tensors some day
        zeros = torch.zeros(len(scales), dtype=torch.long)
        return torch._make_per_channel_quantized_tensor(turned, torch.from_numpy(scales.astype(np.float64)), zeros, 0)


def conv(filters, stride=1):
    w, b = filters
    codes, scales = signed_bytes(w.reshape(-1, len(b)))
    turned = torch.from_numpy(codes.reshape(w.shape).transpose(3, 2, 0, 1).copy()).contiguous(memory_format=torch.channels_last)
    pads = [w.shape[0] // 2] * 2
    return OPERATORS.conv2d_prepack(in_bytes(turned, scales), torch.from_numpy(b), [stride] * 2, pads, [1, 1], 1)


class Resnet(nn.Module):
    def __init__(self, weights):
        super().__init__()
        torch.backends.quantized.engine = "onednn"
        self.steps = weights["steps"]
        self.stem = conv(weights["stem"], 2)
        self.blocks = [(conv(layer["c1"], 2 if "around" in layer else 1), conv(layer["c2"]),
                        conv(layer["around"], 2) if "around" in layer else None) for layer in weights["blocks"]]
        w, b = weights["classify"]
        codes, scales = signed_bytes(w)
        self.last = OPERATORS.linear_prepack(in_bytes(torch.from_numpy(codes.T.copy()), scales), torch.from_numpy(b))

    def forward(self, x):
        steps = self.steps
        x = torch.quantize_per_tensor(x, float(steps["x"]), 128, torch.quint8)
        x = F.max_pool2d(OPERATORS.conv2d_relu(x, self.stem, float(steps["stem"]), 0), 3, 2, 1)
        for (c1, c2, around), by in zip(self.blocks, steps["blocks"]):
            m = OPERATORS.conv2d_relu(x, c1, float(by["m"]), 0)
            other = x if around is None else OPERATORS.conv2d(x, around, float(by["around"][0]), int(by["around"][1]))
            x = OPERATORS.conv2d_add_relu(m, other, c2, float(by["y"]), 0)
        return OPERATORS.linear_dynamic(x.mean((2, 3)).dequantize(), self.last)
