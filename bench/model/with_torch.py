# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch, eager: modules whose weights are as its own layers keep them; convolutions run in its layout for processors."""
import os
from pathlib import Path

import resnet_torch
import torch
import torch.ao.quantization
import torch.nn.functional as F
from models import turns
from torch import nn

TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "int8": torch.qint8}
BIASES = {"wqkv": "bqkv", "wo": "bo", "w1": "c1", "w2": "c2"}  # of the matrices that have some


def version():
    return "torch " + torch.__version__


def to_numpy(out):
    return out.float().numpy()


class Weights(nn.Module):
    """Arrays as parameters; matrices are turned, as F.linear wants them. Of bytes: matrices as quantize_dynamic's modules."""

    def __init__(self, arrays, kind):
        super().__init__()
        for name, array in arrays.items():
            tensor = torch.from_numpy(array.T.copy() if array.ndim == 2 else array)
            if kind == torch.qint8 and array.ndim == 2:
                setattr(self, name, in_bytes(tensor, arrays.get(BIASES.get(name))))
            else:
                setattr(self, name, nn.Parameter(tensor.to(type_between(kind)), requires_grad=False))

    def linear(self, x, w, b=None):
        by = getattr(self, w)
        return by(x) if isinstance(by, nn.Module) else F.linear(x, by, getattr(self, b) if b else None)


def type_between(kind):
    """What lies between products with weights of a type."""
    return torch.float32 if kind == torch.qint8 else kind


def in_bytes(matrix, bias):
    """A linear layer that rounds weights by columns, and rows when they arrive."""
    layer = nn.Linear(matrix.shape[1], matrix.shape[0], bias is not None)
    layer.weight = nn.Parameter(matrix)
    if bias is not None:
        layer.bias = nn.Parameter(torch.from_numpy(bias))
    how = torch.ao.quantization.per_channel_dynamic_qconfig
    return torch.ao.quantization.quantize_dynamic(nn.Sequential(layer), {nn.Linear: how})[0]


class Bert(nn.Module):
    def __init__(self, m, weights, kind):
        super().__init__()
        self.H, self.D = m.H, m.D
        for w in weights["layers"]:
            w["wqkv"] = torch.cat([torch.from_numpy(w.pop("w" + which)) for which in "qkv"], 1).numpy()
            w["bqkv"] = torch.cat([torch.from_numpy(w.pop("b" + which)) for which in "qkv"]).numpy()
        self.layers = nn.ModuleList(Weights(w, kind) for w in weights["layers"])

    def forward(self, x):
        for w in self.layers:
            q, k, v = w.linear(x, "wqkv", "bqkv").view(1, -1, 3, self.H, self.D // self.H).permute(2, 0, 3, 1, 4)
            heard = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(1, -1, self.D)
            x = F.layer_norm(x + w.linear(heard, "wo", "bo"), (self.D,), w.g1, w.b1, 1e-12)
            inner = F.gelu(w.linear(x, "w1", "c1"))
            x = F.layer_norm(x + w.linear(inner, "w2", "c2"), (self.D,), w.g2, w.b2, 1e-12)
        return x


def attend(q, keys, values, P, T):
    """Queries [heads][T][width] of tokens behind P others, which see what is up to themselves."""
    k, v = keys[:, :P + T], values[:, :P + T]
    grouped = {"enable_gqa": True} if len(q) != len(k) else {}
    if P == 0 or T == 1:
        return F.scaled_dot_product_attention(q[None], k[None], v[None], is_causal=T > 1, **grouped)[0]
    seen = torch.ones(T, P + T, dtype=torch.bool).tril(P)
    return F.scaled_dot_product_attention(q[None], k[None], v[None], attn_mask=seen, **grouped)[0]


class Gpt2(nn.Module):
    def __init__(self, m, weights, kind):
        super().__init__()
        self.m = m
        for w in weights["layers"]:
            w["wqkv"] = torch.cat([torch.from_numpy(w.pop("w" + which)) for which in "qkv"], 1).numpy()
            w["bqkv"] = torch.cat([torch.from_numpy(w.pop("b" + which)) for which in "qkv"]).numpy()
        self.layers = nn.ModuleList(Weights(w, kind) for w in weights.pop("layers"))
        self.last = Weights(weights, kind)

    def forward(self, x, caches, P: int, T: int):
        m = self.m
        for w, (keys, values) in zip(self.layers, caches):
            normed = F.layer_norm(x, (m.D,), w.g1, w.b1, 1e-5)
            q, k, v = w.linear(normed, "wqkv", "bqkv").view(T, 3, m.H, m.S).permute(1, 2, 0, 3)
            keys[:, P:P + T], values[:, P:P + T] = k, v
            heard = attend(q, keys, values, P, T).transpose(0, 1).reshape(T, m.D)
            x = x + w.linear(heard, "wo", "bo")
            inner = F.gelu(w.linear(F.layer_norm(x, (m.D,), w.g2, w.b2, 1e-5), "w1", "c1"), approximate="tanh")
            x = x + w.linear(inner, "w2", "c2")
        return self.last.linear(F.layer_norm(x[-1:], (m.D,), self.last.gain, self.last.offset, 1e-5), "words")


class Llama(nn.Module):
    def __init__(self, m, weights, kind):
        super().__init__()
        self.m = m
        self.layers = nn.ModuleList(Weights(w, kind) for w in weights["layers"])
        self.angles = nn.ParameterList(nn.Parameter(torch.from_numpy(a).to(kind), requires_grad=False) for a in turns(m))

    def turned(self, x, P, T):
        """x: [heads][T][width]."""
        cosine, sine = (a[P:P + T] for a in self.angles)
        a, b = x.chunk(2, -1)
        return torch.cat([a * cosine - b * sine, b * cosine + a * sine], -1)

    def forward(self, x, caches, P: int, T: int):
        m, width = self.m, 2 * self.m.R
        for w, (keys, values) in zip(self.layers, caches):
            normed = F.rms_norm(x, (m.D,), w.n1, 1e-5)
            q, k, v = (w.linear(normed, "w" + which).view(T, -1, width).transpose(0, 1) for which in "qkv")
            keys[:, P:P + T], values[:, P:P + T] = self.turned(k, P, T), v
            heard = attend(self.turned(q, P, T), keys, values, P, T).transpose(0, 1).reshape(T, -1)
            x = x + w.linear(heard, "wo")
            normed = F.rms_norm(x, (m.D,), w.n2, 1e-5)
            x = x + w.linear(F.silu(w.linear(normed, "wg")) * w.linear(normed, "wu"), "wd")
        return x


class Filters(nn.Module):
    """w as filters of its own layout, and b."""

    def __init__(self, w, b, kind, stride=1, groups=1):
        super().__init__()
        self.stride, self.pad, self.groups = stride, w.shape[-1] // 2, groups
        w = torch.from_numpy(w.copy()).to(kind).contiguous(memory_format=torch.channels_last)
        self.w = nn.Parameter(w, requires_grad=False)
        self.b = nn.Parameter(torch.from_numpy(b).to(kind), requires_grad=False)

    def forward(self, x):
        return F.conv2d(x, self.w, self.b, self.stride, self.pad, groups=self.groups)


def conv(filters, kind, stride=1):
    w, b = filters
    return Filters(w.transpose(3, 2, 0, 1), b, kind, stride)


def pointwise(w, b, kind):
    return Filters(w.T[:, :, None, None], b, kind)


def depthwise(w, b, kind, stride=1):
    return Filters(w.transpose(2, 0, 1)[:, None], b, kind, stride, len(b))


class Resnet(nn.Module):
    def __init__(self, m, weights, kind):
        super().__init__()
        self.stem = conv(weights["stem"], kind, 2)
        self.blocks = nn.ModuleList()
        for layer in weights["blocks"]:
            stride = 2 if "around" in layer else 1
            parts = [conv(layer["c1"], kind, stride), conv(layer["c2"], kind)]
            self.blocks.append(nn.ModuleList(parts + ([conv(layer["around"], kind, 2)] if stride == 2 else [])))
        w, b = weights["classify"]
        self.last = Weights({"w": w, "b": b}, kind)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.stem(x)), 3, 2, 1)
        for c1, c2, *around in self.blocks:
            x = F.relu(c2(F.relu(c1(x))) + (around[0](x) if around else x))
        return self.last.linear(x.mean((2, 3)), "w", "b")


class Mobilenet(nn.Module):
    def __init__(self, m, weights, kind):
        super().__init__()
        self.first = conv(weights["first"], kind, 2)
        wd, bd, wp, bp = weights["separable"]
        self.separable = nn.ModuleList([depthwise(wd, bd, kind), pointwise(wp, bp, kind)])
        self.blocks, self.around = nn.ModuleList(), []
        for (we, be, wd, bd, wp, bp), stride, around in weights["blocks"]:
            self.blocks.append(nn.ModuleList([pointwise(we, be, kind), depthwise(wd, bd, kind, stride), pointwise(wp, bp, kind)]))
            self.around.append(around)
        we, be, wc, bc = weights["classify"]
        self.wide, self.last = pointwise(we, be, kind), Weights({"w": wc, "b": bc}, kind)

    def forward(self, x):
        x = F.relu6(self.first(x))
        x = self.separable[1](F.relu6(self.separable[0](x)))
        for (expand, filter_, project), around in zip(self.blocks, self.around):
            y = project(F.relu6(filter_(F.relu6(expand(x)))))
            x = y + x if around else y
        return self.last.linear(F.relu6(self.wide(x)).mean((2, 3)), "w", "b")


FAMILIES = {"bert": Bert, "gpt2": Gpt2, "llama": Llama, "resnet": Resnet, "mobilenet": Mobilenet}


class Torch:
    def __init__(self, model, threads):
        torch.set_num_threads(threads)
        self.binary = sum(os.path.getsize(path) for path in (Path(torch.__file__).parent / "lib").glob("*.so*"))
        self.kind = TYPES[model.kept]

    def load(self, m, weights):
        self.m = m
        if (m.family, m.kept) == ("resnet", "int8"):
            self.forward = resnet_torch.Resnet(weights)
        else:
            self.forward = self.compiled(FAMILIES[m.family](m, weights, self.kind))

    def compiled(self, module):
        return module

    def arguments(self, call, given):
        m, kind = self.m, type_between(self.kind)
        if m.family in ("resnet", "mobilenet"):
            return (torch.from_numpy(given).to(kind).permute(0, 3, 1, 2),)
        if m.family == "bert":
            return (torch.from_numpy(given[None]).to(kind),)
        x, cache = given
        caches = []
        for pair in cache:
            rows = torch.zeros(2, pair.shape[1], m.C, pair.shape[3], dtype=kind)
            rows[:, :, :call["P"]] = torch.from_numpy(pair)
            caches.append(tuple(rows))
        return torch.from_numpy(x).to(kind), caches, call["P"], call["T"]

    def prepare(self, call, given):
        arguments = self.arguments(call, given)

        def run():
            with torch.inference_mode():
                return self.forward(*arguments)
        return run


def load(model, folder, threads):
    return Torch(model, threads)
