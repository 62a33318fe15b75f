# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody calls in Python, NumPy, SciPy, OpenCV or PyTorch for an operator of bench/ordinary. A row's function gets the scalars and arrays of
the spec by name, prepares what is known ahead of time, and returns the call. Outputs are in the order of the spec.
DATA has what arrays and scalars hold where random numbers do not do."""
import binascii
import os
import platform
import warnings
import zlib
from types import SimpleNamespace

import cv2
import numpy as np
import scipy
import scipy.ndimage
import scipy.signal
import scipy.sparse
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")
torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
torch.set_grad_enabled(False)
cv2.setNumThreads(0)
VERSIONS = {"Python": platform.python_version(), "NumPy": np.__version__, "SciPy": scipy.__version__, "OpenCV": cv2.__version__,
            "PyTorch": torch.__version__}
PEERS = {}
f32 = np.float32


def row(operator, library, build, off=None):
    """off: by how much integers may differ where a library rounds in another way; None: not at all, floats by 2e-3."""
    PEERS.setdefault(operator, []).append(SimpleNamespace(library=library, build=build, allowed=off))


def tensors(a):
    signed = {np.dtype(np.uint16): np.int16, np.dtype(np.uint32): np.int32, np.dtype(np.uint64): np.int64}
    made = {k: torch.from_numpy(v.view(signed.get(v.dtype, v.dtype))) if isinstance(v, np.ndarray) else v for k, v in vars(a).items()}
    return SimpleNamespace(**made)


def numpy(operator, build, off=None):
    row(operator, "NumPy", build, off)


def python(operator, build, off=None):
    row(operator, "Python", build, off)


def sci(operator, build, off=None):
    row(operator, "SciPy", build, off)


def opencv(operator, build, off=None):
    row(operator, "OpenCV", build, off)


def pytorch(operator, build, off=None):
    row(operator, "PyTorch", lambda a: build(tensors(a)), off)


# Images and video
INNER = np.s_[1:-1, 1:-1]
opencv("box3_u8", lambda a: lambda: cv2.blur(a.x, (3, 3))[INNER], off=1)
opencv("chw_to_hwc_u8", lambda a: lambda: cv2.convertScaleAbs(cv2.merge(list(a.x)), alpha=255), off=1)
pytorch("chw_to_hwc_u8", lambda a: lambda: (a.x * 255 + 0.5).clamp_(0, 255).to(torch.uint8).permute(1, 2, 0).contiguous())
opencv("color_matrix", lambda a: lambda: cv2.transform(a.x[:, None], a.m))
pytorch("color_matrix", lambda a: lambda: a.x @ a.m.t())
opencv("downscale2_hwc", lambda a: lambda: cv2.resize(a.x, (a.W, a.H), interpolation=cv2.INTER_AREA), off=1)
opencv("erode3_u8", lambda a: lambda: cv2.erode(a.x, np.ones((3, 3), np.uint8))[INNER])
opencv("gauss5_f32", lambda a: lambda: cv2.sepFilter2D(a.x, cv2.CV_32F, a.g, a.g)[2:-2, 2:-2])
opencv("hist_rgb", lambda a: lambda: np.stack([cv2.calcHist([a.x[:, None]], [c], None, [256], [0, 256]) for c in range(3)]))
numpy("hist_rgb", lambda a: lambda: np.stack([np.bincount(a.x[:, c], minlength=256) for c in range(3)]))
opencv("hwc_to_chw_f32", lambda a: lambda: np.stack(cv2.split(a.x)))
pytorch("hwc_to_chw_f32", lambda a: lambda: a.x.permute(2, 0, 1).contiguous())
opencv("lut_u8", lambda a: lambda: cv2.LUT(a.x, a.table))
numpy("lut_u8", lambda a: lambda: np.take(a.table, a.x))
pytorch("nearest_up2", lambda a: lambda: F.interpolate(a.x[None], scale_factor=2))
opencv("nearest_up2", lambda a: lambda: np.stack([cv2.resize(p, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST) for p in a.x]))
opencv("rgb_to_gray", lambda a: lambda: cv2.cvtColor(a.x, cv2.COLOR_RGB2GRAY), off=1)


def ycbcr(a):
    def call():
        y, cr, cb = cv2.split(cv2.cvtColor(a.x[:, None], cv2.COLOR_RGB2YCrCb))
        return y, cb, cr

    return call


opencv("rgb_to_ycbcr", ycbcr, off=2)


def sobel(a):
    def call():
        gx, gy = cv2.spatialGradient(a.x)
        return cv2.add(cv2.convertScaleAbs(gx), cv2.convertScaleAbs(gy))[INNER]

    return call


opencv("sobel_u8", sobel)
opencv("warp_affine", lambda a: lambda: cv2.warpAffine(a.x, a.m, (a.W, a.H), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), off=0.2)
opencv("nv12_to_rgb", lambda a: lambda: cv2.cvtColorTwoPlane(a.y, a.uv, cv2.COLOR_YUV2RGB_NV12), off=3)
opencv("yuyv_to_gray", lambda a: lambda: cv2.cvtColor(a.x.reshape(a.H, 2 * a.W, 2), cv2.COLOR_YUV2GRAY_YUY2))
numpy("yuyv_to_gray", lambda a: lambda: np.ascontiguousarray(a.x[:, :, ::2]))
numpy("halfpel_avg", lambda a: lambda: ((a.x[:, :-1].astype(np.uint16) + a.x[:, 1:] + 1) >> 1).astype(np.uint8))

# Audio and signals
numpy("autocorr", lambda a: lambda: np.correlate(a.x[:-1], a.x[: a.N], "valid"))
numpy("frame_window", lambda a: lambda: np.lib.stride_tricks.sliding_window_view(a.x, a.L)[: 160 * a.T : 160] * a.w)
pytorch("frame_window", lambda a: lambda: a.x.unfold(0, a.L, 160)[: a.T] * a.w)
pytorch("levinson_ar", lambda a: lambda w=torch.cat([-a.a.flip(1), torch.ones(a.T, 1)], 1)[:, None]: F.conv1d(a.x[None], w, groups=a.T)[0])
numpy("mulaw_decode", lambda a: lambda t=mulaw_table(): np.take(t, a.x))
pytorch("power_spectrum", lambda a: lambda: torch.log(a.x.square().sum(-1).add_(1e-10)))
numpy("power_spectrum", lambda a: lambda: np.log(a.x[..., 0] * a.x[..., 0] + a.x[..., 1] * a.x[..., 1] + f32(1e-10)))
numpy("preemphasis", lambda a: lambda: a.x[1:] - f32(a.a) * a.x[:-1].astype(f32))
pytorch("s16_to_f32_stereo", lambda a: lambda: (a.x.t() * (1 / 32768)).contiguous())
numpy("s16_to_f32_stereo", lambda a: lambda: np.multiply(a.x.T, f32(1 / 32768), order="C"))
pytorch("mel_filterbank", lambda a: lambda w=torch.from_numpy(mel_matrix(a)): torch.log_((a.p @ w).add_(1e-10)))
numpy("complex_mix", lambda a: lambda: (a.x.view(np.complex64) * a.lo.view(np.complex64)).view(f32))
pytorch("fir_decimate4", lambda a: lambda: F.conv1d(a.x[None, None], a.h[None, None], stride=4)[0, 0, : a.N])


def decimate(a):
    ahead = -(a.K - 1) % 4
    h = np.concatenate([np.zeros(ahead, f32), a.h[::-1]])
    return lambda: scipy.signal.upfirdn(h, a.x, down=4)[(a.K - 1 + ahead) // 4 :][: a.N]


sci("fir_decimate4", decimate)
pytorch("dct2_32", lambda a: lambda: a.x @ a.c.t())
numpy("dct2_32", lambda a: lambda: a.x @ a.c.T)


def dwt53(a):
    def call():
        hi = np.empty((a.H, a.W + 1), np.int32)
        even, odd = a.x[:, ::2], a.x[:, 1:-1:2]
        np.subtract(odd, (even[:, :-1] + even[:, 1:]) >> 1, out=hi[:, 1:])
        hi[:, 0] = hi[:, 1]
        return even[:, :-1] + ((hi[:, :-1] + hi[:, 1:] + 2) >> 2), hi

    return call


numpy("dwt53_rows", dwt53)


def mulaw_table():
    u = ~np.arange(256) & 255
    t = (((u & 15) << 3) + 132) << ((u & 112) >> 4)
    return np.where(u & 128, 132 - t, t - 132).astype(np.int16)


def mel_matrix(a):
    w = np.zeros((a.F, a.M), f32)
    for m in range(a.M):
        for z in range(a.start[m], a.start[m + 1]):
            if a.first[m] + z - a.start[m] < a.F:
                w[a.first[m] + z - a.start[m], m] = a.w[z]
    return w


# Statistics, sparse matrices, graphs
def binned(a):
    def call():
        at = a.bin & 63
        count = np.bincount(at, minlength=a.B)
        return np.bincount(at, a.x, a.B) / np.maximum(count, 1), count

    return call


numpy("binned_mean", binned)
numpy("covariance3", lambda a: lambda: (a.x.mean(0), np.cov(a.x, rowvar=False, bias=True, dtype=f32)))
pytorch("covariance3", lambda a: lambda: (a.x.mean(0), torch.cov(a.x.t(), correction=0)))
pytorch("welford_rows", lambda a: lambda: torch.var_mean(a.x, 1, correction=0)[::-1])
numpy("welford_rows", lambda a: lambda: (a.x.mean(1), a.x.var(1)))


def zscore(a):
    def call():
        mean, square = (F.avg_pool1d(v[None], a.W, 1)[0, : a.N] for v in (a.x, a.x * a.x))
        return (a.x[a.W - 1 : -1] - mean) / torch.sqrt(square - mean * mean + 1e-6)

    return call


pytorch("rolling_zscore", zscore)


def moments(a):
    def call():
        mean = a.x.mean(0)
        d = a.x - mean
        d2 = d * d
        m2, m3, m4 = d2.mean(0), (d2 * d).mean(0), (d2 * d2).mean(0)
        return np.stack([mean, m2, m3 / (m2 * np.sqrt(m2)), m4 / (m2 * m2) - 3], 1)

    return call


numpy("moments4", moments)
pytorch("ellpack_mv", lambda a: lambda: (a.v * a.x[a.col]).sum(0))
sci("ellpack_mv", lambda a: lambda m=scipy.sparse.csr_array((a.v.T.ravel(), a.col.T.ravel(), np.arange(a.M + 1) * a.L), (a.M, a.N)): m @ a.x)
sci("spmm_csr", lambda a: lambda m=scipy.sparse.csr_array((a.v, a.col, a.row), (a.M, a.K)): m @ a.x)
pytorch("spmm_csr", lambda a: lambda m=torch.sparse_csr_tensor(a.row, a.col, a.v, (a.M, a.K)): m @ a.x)
EDGES = lambda a: scipy.sparse.csr_array((np.ones(a.E, f32), a.__dict__["from"], a.start), (a.V, a.V))
sci("pagerank_step", lambda a: lambda m=EDGES(a): f32((1 - a.damping) / a.V) + f32(a.damping) * (m @ (a.rank * a.share)))

# Geometry and physics
numpy("inverse3", lambda a: lambda: np.linalg.inv(a.a))
pytorch("inverse3", lambda a: lambda: torch.linalg.inv(a.a))
numpy("rotate_points", lambda a: lambda: a.x @ a.R.T + a.t)
pytorch("rotate_points", lambda a: lambda: torch.addmm(a.t, a.x, a.R.t()))
opencv("rotate_points", lambda a: lambda m=np.hstack([a.R, a.t[:, None]]): cv2.transform(a.x[:, None], m))


def viewport(a):
    w, h = a.width / 2, a.height / 2
    return np.array([[w, 0, 0, w], [0, -h, 0, h], [0, 0, 1, 0], [0, 0, 0, 1]]) @ a.m


opencv("project_vertices", lambda a: lambda m=viewport(a): cv2.perspectiveTransform(a.v[:, None], m))


def heat(a):
    x, k = a.x, f32(a.k)

    def call():
        c = x[1:-1, 1:-1, 1:-1]
        around = x[:-2, 1:-1, 1:-1] + x[2:, 1:-1, 1:-1] + x[1:-1, :-2, 1:-1] + x[1:-1, 2:, 1:-1] + x[1:-1, 1:-1, :-2] + x[1:-1, 1:-1, 2:]
        return c + k * (around - 6 * c)

    return call


numpy("heat_3d7", heat)


def nbody(a):
    def call():
        d = a.x[None] - a.x[:, None]
        r = d.square().sum(-1).add_(1e-3)
        return ((a.m / (r * r.sqrt()))[..., None] * d).sum(1)

    return call


pytorch("nbody_forces", nbody)


def wave(a):
    u = a.u

    def call():
        inner = a.old[INNER]
        inner[...] = 2 * u[INNER] - inner + a.c2 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[INNER])
        return a.old

    return call


numpy("wave_2d", wave)

# Layers, gradients, quantization
pytorch("max_pool2_nchw", lambda a: lambda: F.max_pool2d(a.x[None], 2)[0])
pytorch("rope_pairs", lambda a: lambda cs=torch.complex(a.c, a.s)[:, None]: torch.view_as_real(torch.view_as_complex(a.x) * cs))
pytorch("softmax8", lambda a: lambda: torch.softmax(a.x, 1))
pytorch("top2_gate", lambda a: lambda: tuple(torch.topk(a.x, 2, 1).indices.t()))
pytorch("transpose_conv1d", lambda a: lambda: F.conv_transpose1d(a.x[None], a.w, stride=2, padding=1)[0])


def batchnorm(a):
    def call():
        y, mean, inverse = torch.native_batch_norm(a.x, a.gamma, a.beta, None, None, True, 0, a.eps)
        return y, mean, inverse**-2 - a.eps

    return call


pytorch("batchnorm_train", batchnorm)
LAST = torch.channels_last
pytorch("depthwise3_nhwc", lambda a: lambda k=a.k.permute(2, 0, 1)[:, None].contiguous(memory_format=LAST), x=a.x.permute(2, 0, 1)[None]:
        F.conv2d(x, k, a.bias, groups=a.C).clamp_(0, 6)[0].permute(1, 2, 0))
pytorch("logistic_grad", lambda a: lambda: (torch.sigmoid(a.x @ a.w) - a.t) @ a.x)
numpy("logistic_grad", lambda a: lambda: (1 / (1 + np.exp(-(a.x @ a.w))) - a.t) @ a.x)


def cross_entropy_grad(a):
    rows, label = torch.arange(a.N), a.label.long()

    def call():
        g = torch.softmax(a.x, 1)
        g[rows, label] -= 1
        return g.div_(a.N)

    return call


pytorch("softmax_xent_grad", cross_entropy_grad)


def rmsnorm_grad(a):
    def call():
        r = torch.rsqrt(a.x.square().mean(1, True) + a.eps)
        u = a.dy * a.w
        return r * u - a.x * ((u * a.x).sum(1, True) * r * r * r / a.D), (a.dy * a.x * r).sum(0)

    return call


pytorch("rmsnorm_grad", rmsnorm_grad)


def adamw(a):
    step = torch.ones(())

    def call():
        torch._fused_adamw_([a.p], [a.g], [a.m], [a.v], [], [step], lr=a.lr, beta1=a.b1, beta2=a.b2, weight_decay=a.decay, eps=a.eps,
                            amsgrad=False, maximize=False)
        return a.p, a.m, a.v

    return call


pytorch("adamw_step", adamw)
pytorch("embedding_grad", lambda a: lambda t=a.token.long(): torch.ops.aten.embedding_dense_backward(a.dy, t, a.V, -1, False))


def quantize_rows(a):
    def call():
        m = a.x.abs().amax(1, True)
        return (a.x * (127 / m)).round_().to(torch.int8), m[:, 0] / 127

    return call


pytorch("quantize_rows_s8", quantize_rows, off=1)


def dequantize(a):
    def call():
        return torch.cat([(a.q & 15).to(torch.int8) - 8, (a.q >> 4).to(torch.int8) - 8], 1) * a.d[:, None]

    return call


pytorch("dequantize_q4", dequantize)

# Checksums, compression, bits, text, columns
python("crc32_table", lambda a: lambda: np.array([zlib.crc32(a.x)], np.uint32))
numpy("raid5_parity", lambda a: lambda: np.bitwise_xor.reduce(a.x, 0))
numpy("delta_decode", lambda a: lambda: np.cumsum((a.x >> 1).astype(np.int32) ^ -(a.x & 1).astype(np.int32), dtype=np.int32))
numpy("dict_decode", lambda a: lambda: np.take(a.dict, a.code))
numpy("bswap32", lambda a: lambda: a.x.byteswap())
numpy("hamming_all", lambda a: lambda: np.bitwise_count(a.a[:, None] ^ a.b))
numpy("popcount_and_rows", lambda a: lambda: np.bitwise_count(a.x & a.q).sum(1))
python("bytes_to_upper", lambda a: lambda x=a.x.tobytes(): np.frombuffer(x.upper(), np.uint8))
python("hex_nibbles", lambda a: lambda: np.frombuffer(binascii.hexlify(a.x), np.uint8))
python("base64_encode", lambda a: lambda: np.frombuffer(binascii.b2a_base64(a.x, newline=False), np.uint8))


def tpch(a):
    start, until = vars(a)["from"], a.until

    def call():
        keep = (a.date >= start) & (a.date < until) & (a.discount >= 0.05) & (a.discount <= 0.07) & (a.quantity < 24)
        return np.dot(a.price[keep], a.discount[keep]).reshape(1)

    return call


numpy("tpch_q6", tpch)


# Finance, maps, robotics, random numbers
sci("ewma_variance", lambda a: lambda k=vars(a)["lambda"]: scipy.signal.lfilter([1 - k], [1, -k], (a.price[:, 1:] / a.price[:, :-1] - 1) ** 2)[:, -1])
pytorch("asian_call", lambda a: lambda: ((a.spot * torch.exp(torch.cumsum(a.z * a.vol + a.drift, 1))).mean(1) - a.strike).clamp_(0))


def haversine(a):
    def call():
        s, t = torch.sin((a.lat - a.lat0) / 2), torch.sin((a.lon - a.lon0) / 2)
        h = s * s + np.cos(a.lat0) * torch.cos(a.lat) * t * t
        return 2 * 6371.0 * torch.asin(torch.sqrt(h).clamp_(max=1))

    return call


pytorch("haversine", haversine)


def particle(a):
    def call():
        d = (torch.cdist(a.p, a.beacon) - a.range) / a.sigma
        return torch.softmax(-0.5 * (d * d).sum(1), 0)

    return call


pytorch("particle_weights", particle)


def mercator(a):
    def call():
        s = np.sin(np.radians(a.place[:, 1]))
        return np.stack([a.scale * (a.place[:, 0] / 360 + 0.5), a.scale * (0.5 - np.log((1 + s) / (1 - s)) / (4 * np.pi))], 1)

    return call


numpy("web_mercator", mercator)


def box_muller(a):
    def call():
        r, t = torch.sqrt(-2 * torch.log(1 - a.u[:, 0])), 6.2831853 * a.u[:, 1]
        return torch.stack([r * torch.cos(t), r * torch.sin(t)], 1)

    return call


pytorch("box_muller", box_muller)


# What inputs hold: of the scalars, a generator and the array's shape.
def below(word):
    return lambda p, random, shape: random.integers(0, vars(p)[word], shape)


def between(low, high):
    return lambda p, random, shape: random.uniform(low, high, shape)


def integers(low, high):
    return lambda p, random, shape: random.integers(low, high, shape)


def rising(word):
    """Where the rows of a sparse matrix begin."""
    return lambda p, random, shape: np.concatenate([[0], np.sort(random.integers(0, vars(p)[word], shape[0] - 2)), [vars(p)[word]]])


def crc_table(p, random, shape):
    c = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        c = np.where(c & 1, 0xEDB88320 ^ (c >> 1), c >> 1)
    return c


ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
DATA = {
    "adamw_step": {"lr": 1e-3, "b1": 0.9, "b2": 0.99, "eps": 1e-8, "decay": 0.01, "c1": 0.1, "c2": 0.01, "v": between(0, 1)},
    "asian_call": {"spot": 100.0, "strike": 100.0, "drift": 0.001, "vol": 0.02},
    "base64_encode": {"alphabet": lambda p, random, shape: np.frombuffer(ALPHABET, np.uint8)},
    "batchnorm_train": {"eps": 1e-5},
    "binned_mean": {"zero": between(0, 0), "bin": integers(0, 64)},
    "box_muller": {"u": between(0, 1)},
    "chw_to_hwc_u8": {"x": between(0, 1)},
    "crc32_table": {"table": crc_table},
    "dict_decode": {"code": below("D")},
    "ellpack_mv": {"col": below("N")},
    "embedding_grad": {"token": below("V")},
    "ewma_variance": {"lambda": 0.94, "price": between(50, 150)},
    "inverse3": {"a": lambda p, random, shape: random.uniform(-1, 1, shape) + 3 * np.eye(3)},
    "mel_filterbank": {"start": rising("Z"), "first": lambda p, random, shape: random.integers(0, p.F - 16, shape), "w": between(0, 1),
                       "p": between(0, 1)},
    "nv12_to_rgb": {"y": integers(16, 236)},
    "pagerank_step": {"start": rising("E"), "from": below("V"), "damping": 0.85, "rank": between(0, 1), "share": between(0, 1)},
    "particle_weights": {"sigma": 0.5},
    "project_vertices": {"m": lambda p, random, shape: [[1, 0, 0, 0.1], [0, 1, 0, 0.2], [0, 0, 1, 0], [0, 0, 0.1, 2]]},
    "requantize_s32": {"shift": integers(0, 8)},
    "rmsnorm_grad": {"eps": 1e-5},
    "softmax_xent_grad": {"label": below("C")},
    "spmm_csr": {"row": rising("Z"), "col": below("K")},
    "tpch_q6": {"date": integers(-10, 10), "discount": lambda p, random, shape: random.integers(0, 11, shape) / 100, "quantity": between(1, 50)},
    "warp_affine": {"m": lambda p, random, shape: [[0.9, 0.03, 10.25], [-0.02, 0.9, 20.5]]},
    "web_mercator": {"place": between(-85, 85), "scale": 256.0},
}
