# SPDX-License-Identifier: GPL-3.0-or-later
"""The operators as somebody writes them in Halide: the algorithm, and a schedule by hand for one thread and vectors of 8.
Names are the specs' parameters; shapes are those of the buffers at run time. Where a tile is no smaller than the output its
last one is moved inwards, else guarded: this is what `either` states twice."""
import halide as hl

WIDTH = 8
OPERATORS = {}


class Operator:
    """What a function below builds: inputs and attributes in the order of the spec, the output, and schedule(), which a caller
    that leaves the schedule to Halide does not call. origin: the least index of each dimension that is computed."""

    def __init__(self, inputs, output, schedule, attributes=(), origin=None):
        self.inputs, self.output, self.schedule, self.attributes, self.origin = inputs, output, schedule, attributes, origin


def operator(build):
    OPERATORS[build.__name__] = build
    return build


def arrays(*names):
    """Pairs of a name and how many dimensions it has."""
    return [hl.ImageParam(hl.Float(32), rank, name) for name, rank in names]


def variables(names):
    return [hl.Var(name) for name in names.split()]


def either(output, condition, tile):
    """tile(stage, tail) for outputs that have room for a whole tile, and for all others."""
    tile(output.specialize(condition), hl.TailStrategy.ShiftInwards)
    tile(output, hl.TailStrategy.GuardWithIf)


def sum_of_lanes(total, r, where, at, lanes=32):
    """The sum of a row by many lanes at a time, as Halide must be told since it reorders no sum by itself."""
    outer, inner, u = hl.RVar("outer"), hl.RVar("inner"), hl.Var("u")
    total.update().split(r, outer, inner, lanes, hl.TailStrategy.GuardWithIf)
    part = total.update().rfactor(inner, u)
    part.compute_at(where, at).vectorize(u, WIDTH).unroll(u)
    part.update().reorder(u, outer).vectorize(u, WIDTH).unroll(u)
    total.compute_at(where, at)


def gelu(x):
    return x * (1 - 1 / (hl.exp(1.5957691216 * (x + 0.044715 * x * x * x)) + 1))


@operator
def gemm():
    A, B = arrays(("A", 2), ("B", 2))
    n, m, no, mo, ni, mi = variables("n m no mo ni mi")
    k = hl.RDom([(0, A.dim(0).extent())])
    product, C = hl.Func("product"), hl.Func("C")
    product[n, m] = 0.0
    product[n, m] += A[k, m] * B[n, k]
    C[n, m] = product[n, m]

    def schedule():
        def tile(stage, tail):
            stage.tile([n, m], [no, mo], [ni, mi], [2 * WIDTH, 6], tail).reorder(ni, mi, mo, no).vectorize(ni, WIDTH).unroll(ni).unroll(mi)

        either(C, (C.output_buffer().dim(0).extent() >= 2 * WIDTH) & (C.output_buffer().dim(1).extent() >= 6), tile)
        product.compute_at(C, mo).vectorize(n, WIDTH).unroll(n).unroll(m)
        product.update().reorder(n, m, k).vectorize(n, WIDTH).unroll(n).unroll(m)

    return Operator([A, B], C, schedule)


@operator
def conv():
    X, K = arrays(("X", 4), ("K", 4))
    stride, pad = hl.Param(hl.Int(32), "stride", 1), hl.Param(hl.Int(32), "pad", 0)
    f, q, p, n, fo, fi, qo, qi = variables("f q p n fo fi qo qi")
    padded = hl.BoundaryConditions.constant_exterior(X, 0.0, [(0, X.dim(d).extent()) for d in range(4)])
    window = hl.RDom([(0, X.dim(0).extent()), (0, K.dim(2).extent()), (0, K.dim(3).extent())])
    total, Y = hl.Func("total"), hl.Func("Y")
    total[f, q, p, n] = 0.0
    total[f, q, p, n] += padded[window.x, q * stride + window.y - pad, p * stride + window.z - pad, n] * K[f, window.x, window.y, window.z]
    Y[f, q, p, n] = total[f, q, p, n]

    def schedule():
        def tile(stage, tail):
            stage.split(f, fo, fi, 2 * WIDTH, tail).split(q, qo, qi, 6, tail).reorder(fi, qi, qo, fo, p, n)
            stage.vectorize(fi, WIDTH).unroll(fi).unroll(qi)

        either(Y, (Y.output_buffer().dim(0).extent() >= 2 * WIDTH) & (Y.output_buffer().dim(1).extent() >= 6), tile)
        total.compute_at(Y, qo).vectorize(f, WIDTH).unroll(f).unroll(q)
        total.update().reorder(f, q, window.x, window.y, window.z).vectorize(f, WIDTH).unroll(f).unroll(q)
        padded.compute_root().vectorize(padded.args()[0], WIDTH)

    return Operator([X, K], Y, schedule, [stride, pad])


@operator
def depthwise_nhwc():
    X, K = arrays(("X", 4), ("K", 3))
    pad = hl.Param(hl.Int(32), "pad", 0)
    c, q, p, n, qo, qi = variables("c q p n qo qi")
    padded = hl.BoundaryConditions.constant_exterior(X, 0.0, [(0, X.dim(d).extent()) for d in range(4)])
    window = hl.RDom([(0, K.dim(1).extent()), (0, K.dim(2).extent())])
    total, Y = hl.Func("total"), hl.Func("Y")
    total[c, q, p, n] = 0.0
    total[c, q, p, n] += padded[c, q + window.x - pad, p + window.y - pad, n] * K[c, window.x, window.y]
    Y[c, q, p, n] = total[c, q, p, n]

    def schedule():
        def tile(stage, tail):
            stage.split(q, qo, qi, 4, tail).vectorize(c, WIDTH, tail).reorder(c, qi, qo, p, n).unroll(qi)

        either(Y, (Y.output_buffer().dim(0).extent() >= WIDTH) & (Y.output_buffer().dim(1).extent() >= 4), tile)
        total.compute_at(Y, qo).vectorize(c, WIDTH).unroll(q)
        total.update().reorder(q, window.x, window.y, c).vectorize(c, WIDTH).unroll(q)
        padded.compute_root().vectorize(padded.args()[0], WIDTH)

    return Operator([X, K], Y, schedule, [pad])


@operator
def softmax():
    X, = arrays(("X", 2))
    n, m = variables("n m")
    r = hl.RDom([(0, X.dim(0).extent())])
    most, power, total, Y = hl.Func("most"), hl.Func("power"), hl.Func("total"), hl.Func("Y")
    most[m] = -3.0e38
    most[m] = hl.max(most[m], X[r, m])
    power[n, m] = hl.exp(X[n, m] - most[m])
    total[m] = 0.0
    total[m] += power[r, m]
    Y[n, m] = power[n, m] / total[m]

    def schedule():
        either(Y, Y.output_buffer().dim(0).extent() >= WIDTH, lambda stage, tail: stage.vectorize(n, WIDTH, tail))
        sum_of_lanes(most, r.x, Y, m)
        sum_of_lanes(total, r.x, Y, m)
        power.compute_at(Y, m).vectorize(n, WIDTH)

    return Operator([X], Y, schedule)


@operator
def layernorm():
    X, g, b = arrays(("X", 2), ("g", 1), ("b", 1))
    eps = hl.Param(hl.Float(32), "eps", 1e-5)
    n, m = variables("n m")
    r = hl.RDom([(0, X.dim(0).extent())])
    count = hl.f32(X.dim(0).extent())
    total, squares, scale, Y = hl.Func("total"), hl.Func("squares"), hl.Func("scale"), hl.Func("Y")
    total[m] = 0.0
    total[m] += X[r, m]
    far = X[r, m] - total[m] / count
    squares[m] = 0.0
    squares[m] += far * far
    scale[m] = 1.0 / hl.sqrt(squares[m] / count + eps)
    Y[n, m] = (X[n, m] - total[m] / count) * scale[m] * g[n] + b[n]

    def schedule():
        either(Y, Y.output_buffer().dim(0).extent() >= WIDTH, lambda stage, tail: stage.vectorize(n, WIDTH, tail))
        sum_of_lanes(total, r.x, Y, m)
        sum_of_lanes(squares, r.x, Y, m)
        scale.compute_at(Y, m)

    return Operator([X, g, b], Y, schedule, [eps])


@operator
def gelu_tanh():
    x, = arrays(("x", 1))
    i, = variables("i")
    y = hl.Func("y")
    y[i] = gelu(x[i])
    return Operator([x], y, lambda: y.vectorize(i, 4 * WIDTH, hl.TailStrategy.GuardWithIf))


@operator
def colsum():
    X, = arrays(("X", 2))
    n, no, ni = variables("n no ni")
    r = hl.RDom([(0, X.dim(1).extent())])
    total, y = hl.Func("total"), hl.Func("y")
    total[n] = 0.0
    total[n] += X[n, r]
    y[n] = total[n]

    def schedule():
        y.vectorize(n, WIDTH, hl.TailStrategy.GuardWithIf)
        total.compute_root().vectorize(n, WIDTH)
        total.update().split(n, no, ni, 64 * WIDTH).reorder(ni, r, no).vectorize(ni, WIDTH)

    return Operator([X], y, schedule)


@operator
def transpose():
    X, = arrays(("X", 2))
    m, n, mo, no, mi, ni = variables("m n mo no mi ni")
    Y = hl.Func("Y")
    Y[m, n] = X[n, m]

    def schedule():
        either(Y, (Y.output_buffer().dim(0).extent() >= WIDTH) & (Y.output_buffer().dim(1).extent() >= WIDTH),
               lambda stage, tail: stage.tile([m, n], [mo, no], [mi, ni], [WIDTH, WIDTH], tail).vectorize(mi).unroll(ni))
        near = X.in_(Y)
        near.compute_at(Y, mo).vectorize(near.args()[0], WIDTH).unroll(near.args()[1])

    return Operator([X], Y, schedule)


@operator
def attention():
    Q, K, V = arrays(("Q", 3), ("K", 3), ("V", 3))
    scale = hl.Param(hl.Float(32), "scale", 1.0)
    d, l, t, b, to, ti, lo, li, do, di, tt = variables("d l t b to ti lo li do di tt")
    rd, rl = hl.RDom([(0, Q.dim(0).extent())]), hl.RDom([(0, K.dim(1).extent())])
    turned, score, most, power, total, sums, O = (hl.Func(name) for name in ("turned", "score", "most", "power", "total", "sums", "O"))
    turned[l, d, b] = K[d, l, b]
    score[l, t, b] = 0.0
    score[l, t, b] += Q[rd, t, b] * turned[l, rd, b]
    most[t, b] = -3.0e38
    most[t, b] = hl.max(most[t, b], score[rl, t, b] * scale)
    power[l, t, b] = hl.exp(score[l, t, b] * scale - most[t, b])
    total[t, b] = 0.0
    total[t, b] += power[rl, t, b]
    sums[d, t, b] = 0.0
    sums[d, t, b] += power[rl, t, b] * V[d, rl, b]
    O[d, t, b] = sums[d, t, b] / total[t, b]

    def schedule():
        def tile(stage, tail):
            stage.split(t, to, ti, 4, tail).split(d, do, di, 2 * WIDTH, tail).reorder(di, ti, do, to, b).vectorize(di, WIDTH).unroll(di).unroll(ti)

        either(O, (O.output_buffer().dim(0).extent() >= 2 * WIDTH) & (O.output_buffer().dim(1).extent() >= 4), tile)
        sums.compute_at(O, do).vectorize(d, WIDTH).unroll(d).unroll(t)
        sums.update().reorder(d, t, rl).vectorize(d, WIDTH).unroll(d).unroll(t)
        turned.compute_at(O, b).vectorize(l, WIDTH)
        score.compute_at(O, to).vectorize(l, WIDTH)
        score.update().split(l, lo, li, 2 * WIDTH).reorder(li, t, rd, lo).vectorize(li, WIDTH).unroll(li).unroll(t, 4)
        power.compute_at(O, to).vectorize(l, WIDTH)
        sum_of_lanes(most, rl.x, O, to)
        sum_of_lanes(total, rl.x, O, to)

    return Operator([Q, K, V], O, schedule, [scale])


@operator
def blur2():
    X, = arrays(("X", 2))
    x, y, yo, yi = variables("x y yo yi")
    T, Y = hl.Func("T"), hl.Func("Y")
    T[x, y] = (X[x - 1, y] + X[x, y] + X[x + 1, y]) / 3
    Y[x, y] = (T[x, y - 1] + T[x, y] + T[x, y + 1]) / 3

    def schedule():
        Y.split(y, yo, yi, 32, hl.TailStrategy.GuardWithIf).vectorize(x, WIDTH, hl.TailStrategy.GuardWithIf)
        T.store_at(Y, yo).compute_at(Y, yi).vectorize(x, WIDTH)

    return Operator([X], Y, schedule, origin=[1, 1])
