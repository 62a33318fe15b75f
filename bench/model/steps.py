# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of a ResNet's activations as bytes, which its float version's numbers ask for where a few images go through it."""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def conv(x, filters, stride=1):
    w, b = filters
    side = w.shape[0]
    x = np.pad(x, ((0, 0), *[(side // 2, side // 2)] * 2, (0, 0)))
    windows = sliding_window_view(x, (side, side), (1, 2))[:, ::stride, ::stride]
    return np.tensordot(windows, w, ((4, 5, 3), (0, 1, 2))) + b


def largest(x):
    x = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    return sliding_window_view(x, (3, 3), (1, 2))[:, ::2, ::2].max((4, 5))


def relu(x):
    return np.maximum(x, 0)


def of_resnet(w):
    """Of what each layer reads and leaves: a step if it is unsigned, or signed and even (the images); a step and a zero point of sums that
    are rounded ahead of rectifiers."""
    x = np.random.default_rng(13).standard_normal((2, 128, 128, 3), np.float32)
    steps = {"x": even(x), "blocks": []}
    x = relu(conv(x, w["stem"], 2))
    steps["stem"] = unsigned(x)
    x = largest(x)
    for layer in w["blocks"]:
        stride = 2 if "around" in layer else 1
        m = relu(conv(x, layer["c1"], stride))
        total = conv(m, layer["c2"])
        around = conv(x, layer["around"], 2) if stride == 2 else x
        x = relu(total + around)
        steps["blocks"].append({"m": unsigned(m), "sum": uneven(total), "around": uneven(around), "y": unsigned(x)})
    steps["mean"] = unsigned(x.mean((1, 2)))
    return steps


def unsigned(x):
    return np.float32(x.max() / 255)


def even(x):
    return np.float32(np.abs(x).max() / 127)


def uneven(x):
    step = np.float32((x.max() - x.min()) / 255)
    return step, np.uint8(np.clip(np.rint(-x.min() / step), 0, 255))
