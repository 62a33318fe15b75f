# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls the modules in the current folder: results, what is inferred, what is refused. python.sh makes them."""
import os
import shutil
import subprocess
import sys
import threading

import numpy as np

import blocks
import constants
import gemm
import products
import words

rng = np.random.default_rng(1)


def raises(kind, text, function, *args, **keywords):
    try:
        function(*args, **keywords)
    except kind as error:
        assert text in str(error), "'%s' is not in '%s'" % (text, error)
        return error
    raise AssertionError("%s is not raised: %s" % (kind.__name__, text))


class Shared:
    """What is no array of NumPy but shares its memory as one, through DLPack."""

    def __init__(self, array, copies=False):
        self.array, self.copies = array, copies

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __array__(self, dtype=None, copy=None):
        return self.array.copy() if self.copies else self.array


class Old:
    """The same, with __array__ only."""

    def __init__(self, array, copies=False):
        self.array, self.copies = array, copies

    def __array__(self, dtype=None, copy=None):
        return self.array.copy() if self.copies else self.array


def bf16(x):
    return (np.asarray(x, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def wide(x):
    return (x.astype(np.uint32) << 16).view(np.float32)


def floats(*shape):
    return rng.integers(-4, 5, shape).astype(np.float32)


def test_products():
    a, b = floats(37, 29), floats(29, 53)
    expected = a @ b
    half = [x.astype(np.float16) for x in (a, b)]
    c = gemm.gemm(*half)
    assert c.dtype == np.float16 and (c == expected.astype(np.float16)).all()
    out = np.full((37, 53), 7, np.float16)
    assert gemm.gemm(*half, out=out) is out and (out == c).all()
    assert (gemm.gemm(*half, M=37, threads=3) == c).all()
    for isa in (1, "portable", None):
        assert (gemm.gemm(*half, isa=isa) == c).all()
    assert (gemm.gemm(A=half[0], B=half[1], out=(None,)) == c).all()
    assert (products.gemm_bf16(bf16(a), bf16(b)) == expected).all()
    # In place: C is read and written, and comes back.
    acc = floats(37, 53)
    before = acc.copy()
    assert products.accumulate(a, b, acc) is acc and (acc == before + expected).all()
    # Convolution: an extent that is a quotient, of numbers that are given.
    image, kernel = floats(1, 8, 9, 3), floats(3, 3, 3, 4)
    y = products.conv2d(2, 1, image, kernel, threads=2)
    assert y.shape == (1, 4, 5, 4)
    padded = np.pad(image, ((0, 0), (1, 1), (1, 1), (0, 0)))
    for p in range(4):
        for q in range(5):
            assert (y[0, p, q] == np.tensordot(padded[0, 2 * p:2 * p + 3, 2 * q:2 * q + 3], kernel, 3)).all()
    raises(ZeroDivisionError, "divides by zero", products.conv2d, 0, 1, image, kernel)
    raises(ValueError, "output: its shape", products.conv2d, 1, 0, image, floats(30, 3, 3, 4))
    # No elements.
    assert gemm.gemm(half[0][:0], half[1]).shape == (0, 53)
    assert (gemm.gemm(half[0][:, :0].copy(), half[1][:0]) == 0).all()


def test_large():
    a, b = floats(300, 500), floats(500, 400)
    expected = a @ b
    for threads in (0, 1, 2, 5):
        assert (products.product(a, b, threads=threads) == expected).all()
    assert (products.product(a, b, threads=2, speeds=[1, 0.4]) == expected).all()
    room = products.aligned(products.product_workspace(300, 400, 500, threads=2))
    assert (products.product(a, b, threads=2, workspace=room) == expected).all()
    assert all(products.aligned(nbytes).ctypes.data % 64 == 0 for nbytes in (0, 1, 64, room.nbytes) for _ in range(20))
    raises(ValueError, "aligned to 64", products.product, a, b, workspace=products.aligned(200)[1:])
    raises(ValueError, "may not be written", products.product, a, b, workspace=bytes(200))
    raises(ValueError, "speeds", products.product, a, b, threads=2, speeds=[1])
    raises(ValueError, "speeds", products.product, a, b, threads=1, speeds=[-1])
    raises(ValueError, "there is no 'sse'", products.product, a, b, isa="sse")
    raises(OverflowError, "threads", products.product, a, b, threads=1 << 40)
    error = raises(products.Error, "product: MIKGEN_UNSUPPORTED: the options ask", products.product, a, b, isa="neon")
    assert error.status == 5 and error.name == "MIKGEN_UNSUPPORTED"
    text = products.product_explain(300, 400, 500, threads=2)
    assert len(text) > 40 and "\n" in text, text
    # Calls of several threads at once.
    results = [None] * 4
    def run(i):
        results[i] = products.product(a, b, threads=2)
    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((r == expected).all() for r in results)


def test_constants():
    a, w = floats(5, 7), floats(3, 7)
    expected = constants.layer(2, 0, -1, a, w)
    assert (expected == 2 * (a @ w.T) - 1).all()
    packed = constants.layer_W_pack(w)
    assert packed.extents == {"N": 3, "K": 7} and packed.data.ctypes.data % 64 == 0
    out = np.zeros((5, 3), np.float32)
    assert constants.layer_packed(2, 0, -1, a, packed, out=out, threads=2) is out and (out == expected).all()
    kept = constants.layer_W_load(packed.data.tobytes(), N=3, K=7)
    assert (constants.layer_packed(2, 0, -1, a, kept) == expected).all()
    assert "m 5, n 3, k 7" in constants.layer_packed_explain(5, 3, 7)
    room = constants.aligned(constants.layer_packed_workspace(5, 3, 7))
    assert (constants.layer_packed(2, 0, -1, a, packed, workspace=room) == expected).all()
    assert constants.layer_packed(2, 0, -1, floats(0, 7), packed).shape == (0, 3)
    raises(TypeError, "W: what layer_W_pack() or layer_W_load() returns", constants.layer_packed, 2, 0, -1, a, w)
    raises(ValueError, "A: axis 1 has 6 elements, but K is 7; K is 7 by what W is packed for", constants.layer_packed, 2, 0, -1, floats(5, 6), packed)
    raises(ValueError, "W: is packed for N = 3, but N is 4", constants.layer_packed, 2, 0, -1, a, packed, N=4)
    raises(ValueError, "W: axis 0 has 3 elements, but N is 4", constants.layer_W_pack, w, N=4)
    raises(TypeError, "W: elements are float64", constants.layer_W_pack, w.astype(float))
    raises(ValueError, "data: has 2 bytes, but must have %d" % packed.data.size, constants.layer_W_load, b"no", N=3, K=7)
    empty = constants.layer_W_load(bytes(packed.data.size), N=3, K=7)
    raises(constants.Error, "NOT_PACKED", constants.layer_packed, 2, 0, -1, a, empty)
    lines = np.dtype([("d", np.float16), ("qs", np.int8, 32)])
    weights = np.zeros((4, 2), lines)
    weights["d"], weights["qs"] = rng.integers(1, 3, (4, 2)), rng.integers(-9, 9, (4, 2, 32))
    x = floats(3, 2, 32)
    scales, codes = blocks.blocks_w_d_pack(weights), blocks.blocks_w_qs_pack(weights)
    assert (blocks.blocks_packed(x, scales, codes) == blocks.blocks(x, weights)).all()
    raises(TypeError, "W: what layer_W_pack()", constants.layer_packed, 2, 0, -1, a, codes)


def test_words():
    n = 21
    xs = [rng.integers(0, 2, n).astype(bool)] + [rng.integers(0, 100, n).astype(t) for t in (
        "int8", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "int64")]
    by = [True, -3, 5, 200, -300, 60000, 4000000000, -5, 7, 11, -(1 << 40)]
    b, c, sc, uc, s, us, u, l, ul, ll, l64 = by
    wide_xs = [x.astype(np.int64) for x in xs]
    expected = sum(x * f for x, f in zip(wide_xs, (b, c, sc, uc, s, us, 1, u, l, ul, l64))) + ll
    assert (words.integers(*by, *xs) == expected).all()
    for i, value in ((0, 2), (1, 128), (3, -1), (5, 65536), (6, 1 << 32), (7, 1 << 63), (8, -1)):
        raises(OverflowError, "is not from", words.integers, *(by[:i] + [value] + by[i + 1:]), *xs)
    raises(TypeError, "float", words.integers, *([1.5] + by[1:]), *xs)

    x, y = floats(n).astype(np.float16), bf16(floats(n))
    p, q = np.full(n, 0x38, np.uint8), np.full(n, 0x3c, np.uint8)  # 1
    u, v = floats(n), floats(n).astype(np.float64)
    z, zb, zp, zf, zd = words.floats(0.5, 1.5, 3, 0.1, x, y, p, q, u, v)
    assert (z == x / 2).all() and (wide(zb) == wide(y) * 1.5).all() and (zp == 0x40).all()
    assert (zf == u * 3 + 1).all() and (zd == v * 0.1).all()
    given = np.zeros(n, np.uint16)
    outs = words.floats(0.5, 1.5, 3, 0.1, x, y, p, q, u, v, out=(None, given, None, None, None))
    assert outs[1] is given and (given == zb).all()
    raises(ValueError, "out: 1 arrays, but floats has 5", words.floats, 0.5, 1.5, 3, 0.1, x, y, p, q, u, v, out=given)

    fn, vector = floats(4, 3), floats(3)
    assert (words.lambda_(fn, vector, def_=3) == fn @ vector).all()
    assert "Names that are words" in words.lambda_.__doc__
    assert '\\ and """quotes"""' in words.integers.__doc__ and "two lines" in words.integers.__doc__
    assert "Floating types" in words.floats.__doc__ and "By value" in words.floats.__doc__
    assert "Adds x to y." in words.add.__doc__ and "Adds" not in words.gather.__doc__

    sized = [floats(k) for k in (8, 14 + 2)] + [floats(2, 3), floats(1), floats(3), floats(7), floats(6)]
    a, b, c, d, e, f, g = sized
    result = words.extents(0, *sized)
    assert (result == a[1:] + b[:14:2] + c[0, 2] + d[0] + e[2] + f[1]).all()
    assert words.extents((1 << 32) - 1, a, b, c, d[:0], e, f, g, n=7).shape == (7,)  # w + 1 is 0
    raises(ValueError, "b: axis 0 has 16 elements, but 2 * n + m is 17; n is 7 by axis 0 of a", words.extents, 0, *sized, m=3)
    raises(ValueError, "e: axis 0 has 2 elements, but 3 is 3", words.extents, 0, a, b, c, d, e[:2], f, g)

    y = np.ones(5)
    assert words.add(np.arange(5.0), y) is y and (y == 1 + np.arange(5)).all()
    assert (words.gather(np.array([2, 0, 1], np.int32), floats(3)) is not None)
    lower, count = words.outputs(np.arange(3, dtype=np.float32), k=4)
    assert (lower == np.tril(np.add.outer(range(3), range(3)))).all() and list(count) == [0, 1, 2, 3]
    raises(TypeError, "outputs: k does not follow from the shapes of what is given: add k=, or out=", words.outputs, floats(3))
    assert len(words.outputs(floats(3), out=(None, count))[1]) == 4
    assert words.twice(floats(2, 3)).shape == (2, 3)


def test_refusals():
    a, b = floats(4, 3), floats(3, 5)
    raises(TypeError, "A: elements are float64, but must be float32", products.product, a.astype(float), b)
    raises(TypeError, "A: elements are >f4", products.product, a.astype(">f4"), b)
    raises(ValueError, "A: there are 1 axes, but must be 2: [M][K]", products.product, a[0], b)
    raises(ValueError, "B: axis 0 has 2 elements, but K is 3; K is 3 by axis 1 of A", products.product, a, b[:2])
    raises(ValueError, "A: axis 0 has 4 elements, but M is 5", products.product, a, b, M=5)
    raises(ValueError, "B: is not contiguous", products.product, a, floats(5, 3).T)
    raises(ValueError, "C: axis 1 has 6 elements", products.product, a, b, out=floats(4, 6))
    raises(TypeError, "A: an array is expected, not list", products.product, [[1.0]], b)
    raises(TypeError, "A: an array is expected, not NoneType", products.product, None, b)
    frozen = floats(4, 5)
    frozen.flags.writeable = False
    raises(ValueError, "C: this array may not be written", products.product, a, b, out=frozen)
    assert products.product(a, b).shape == (4, 5)
    shifted = np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(np.float32).reshape(4, 3)
    raises(ValueError, "A: elements are not aligned", products.product, shifted, b)
    square = floats(4, 4)
    error = raises(products.Error, "MIKGEN_OVERLAP", products.product, square, floats(4, 4), out=square)
    assert ": C and A" in str(error) and error.status == 6
    raises(TypeError, "missing", products.product, a)


def test_sharing():
    a, b = floats(6, 3), floats(3, 5)
    expected = a @ b
    assert (products.product(Shared(a), Shared(b)) == expected).all()
    assert (products.product(Old(a), Old(b, True)) == expected).all()
    flat = memoryview(a.tobytes()).cast("f", [6, 3])
    assert (products.product(flat, b) == expected).all()
    out = Shared(np.zeros((6, 5), np.float32))
    assert products.product(a, b, out=out) is out and (out.array == expected).all()
    out = Old(np.zeros((6, 5), np.float32))
    assert products.product(a, b, out=out) is out and (out.array == expected).all()
    raises(ValueError, "C: ", products.product, a, b, out=Old(np.zeros((6, 5), np.float32), True))
    frozen = np.zeros((6, 5), np.float32)
    frozen.flags.writeable = False
    raises((ValueError, TypeError), "C: ", products.product, a, b, out=Shared(frozen))


def test_torch():
    try:
        import torch
    except ImportError:
        print("note: PyTorch is not here, so its tensors were not tried")
        return
    a, b = torch.arange(12.0).reshape(4, 3), torch.arange(15.0).reshape(3, 5)
    expected = (a @ b).numpy()
    out = torch.zeros(4, 5)
    assert products.product(a, b, out=out) is out and (out.numpy() == expected).all()
    assert (products.product(a, b) == expected).all()
    raises(ValueError, "A: is not contiguous", products.product, a.t(), floats(4, 4))
    half = gemm.gemm(a.half(), b.half())
    assert (torch.from_numpy(half).float() == a.half().float() @ b.half().float()).all()
    print("tensors of PyTorch %s" % torch.__version__)


def test_library():
    """Another module with another library; libraries of other specs."""
    shutil.copy("gemm.py", "stale.py")
    import stale
    raises(ImportError, "--build", stale.gemm, np.zeros((1, 1), np.float16), np.zeros((1, 1), np.float16))
    raises(ImportError, "is not made from the specs", stale.load, words._LIBRARY)
    raises(ValueError, "is not made from the specs", stale.build, source="words_dyn.c")
    raises(RuntimeError, "no_such_header", stale.build, source="gemm_dyn.c", cc="cc -include no_such_header.h")
    assert not os.path.exists(stale._LIBRARY) and not [f for f in os.listdir(".") if f.startswith("libstale")]
    done = subprocess.run([sys.executable, "stale.py", "--build"], stderr=subprocess.PIPE, universal_newlines=True, check=False)
    assert done.returncode == 1 and "stale_dyn.c" in done.stderr, done.stderr
    stale.load(gemm._LIBRARY)
    assert stale.gemm(np.ones((1, 1), np.float16), np.ones((1, 1), np.float16)) == 1


def test_threads_of_python():
    """The library of products is compiled without OpenMP."""
    assert not products._state["openmp"] and products._state["pool"]
    assert gemm._state["openmp"] and not gemm._state["pool"]


for test in (test_products, test_large, test_constants, test_words, test_refusals, test_sharing, test_torch, test_library, test_threads_of_python):
    test()
print("modules of Python: ok")
