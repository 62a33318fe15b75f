#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of bench/results as documents show them: one list, read from the files each time.

    speeds.py table      the README's table
    speeds.py charts     docs/charts/*.svg
    speeds.py check      are both as committed? (a test)

Nothing is measured here, and no number stands in this file: a row names the line of a result that has a geometric mean, a 5th percentile
and the least, in this order.
"""
import csv
import math
import pathlib
import re
import sys
from decimal import ROUND_HALF_UP, Decimal

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
RESULTS = ROOT / "bench/results"
THREE = r"[ :]+geomean ([\d.]+), 5th percentile ([\d.]+), minimum ([\d.]+)"
COLUMNS = r" +([\d.]+) +([\d.]+) +([\d.]+)"
CUBLAS = r"^==== %s$.*?^the 1433 +\d+ +[\d.]+%% \| +([\d.]+) +([\d.]+) +([\d.]+)"

# What, against whom, where, file, pattern.
ROWS = [
    ("GEMM of `float`, 689 shapes", "the best of OpenBLAS, BLIS, oneDNN, libxsmm, Eigen", "Zen 5", "gemm_f32.txt", r"^all +689" + COLUMNS),
    ("convolutions, NHWC, 144 layers", "oneDNN, its filters reordered before the clock starts", "Zen 5", "conv.txt", r"^all +all nhwc +144" + COLUMNS),
    ("convolutions, NCHW, 144 layers", "the same", "Zen 5", "conv.txt", r"^all +all nchw +144" + COLUMNS),
    ("layers, prepacked weights, `float`", "oneDNN, prepacked weights", "Sapphire Rapids", "packed.txt", r"^ours / oneDNN, both packed" + THREE),
    ("layers, prepacked weights, bf16", "oneDNN, prepacked weights", "Zen 4", "packed_types.txt", r"^bf16 ours / oneDNN, both packed" + THREE),
    ("layers, prepacked weights, 8-bit", "oneDNN, prepacked weights", "Zen 4", "packed_types.txt", r"^u8s8 ours / oneDNN, both packed" + THREE),
    ("layers, weights of 4 bits", "onnxruntime", "Zen 4", "quantized.txt", r"^onnxruntime/ours" + THREE.replace("[ :]+", " +", 1)),
    ("51 non-GEMM operators", "the best of NumPy, PyTorch, torch.compile, oneDNN, compilers", "Sapphire Rapids", "nests.txt",
     r"^best peer / ours, one nest or one row" + THREE),
    ("12 composites with GEMM", "the same", "Sapphire Rapids", "nests.txt", r"^best peer / ours, composites" + THREE),
    ("14 whole models, 94 calls", "the best of onnxruntime, PyTorch, OpenVINO", "Zen 4", "model.txt", r"^best peer / ours, all calls" + THREE),
    ("GPU: GEMM of `half`, 1433 shapes", "cuBLAS", "H200", "h200.txt", CUBLAS % "f16"),
]


def result(name):
    return (RESULTS / name).read_text(encoding="utf-8")


def numbers(row):
    """Geometric mean, 5th percentile and least, as the file spells them."""
    found = re.search(row[4], result(row[3]), re.M | re.S)
    if not found:
        sys.exit("%s: no line for '%s'" % (row[3], row[0]))
    return found.groups()


def table():
    lines = ["| operators | against | machine | geomean | 5th pct | least |", "|---|---|---|---:|---:|---:|"]
    for row in ROWS:
        three = [str(Decimal(number).quantize(Decimal("0.01"), ROUND_HALF_UP)) for number in numbers(row)]
        lines.append("| %s | %s | [%s](bench/results/%s) | %s |" % (row[0], row[1], row[2], row[3], " | ".join(three)))
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- charts: rows of dots on a logarithmic axis

BLUE, ORANGE, GREY, LINE, TEXT = "#2a6fb0", "#d1701c", "#9aa0a6", "#dddddd", "#333333"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


class Chart:
    """Rows with a label each; x is logarithmic."""

    def __init__(self, title, note, low, high, ticks, label_width=250, step=26, one=1.0):
        self.title, self.note, self.low, self.high, self.ticks, self.one = title, note, low, high, ticks, one
        self.left, self.width, self.step = label_width, 900, step
        self.rows = []
        self.legend = []

    def x(self, value):
        share = math.log(min(max(value, self.low), self.high) / self.low) / math.log(self.high / self.low)
        return self.left + share * (self.width - self.left - 30)

    def row(self, label, marks):
        """marks: (kind, value or (from, to), colour); kinds: dot, tick, line, bar."""
        self.rows.append((label, marks))

    def svg(self):
        top, bottom = 70 + 20 * bool(self.legend), 40
        height = top + self.step * len(self.rows) + bottom
        out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12" fill="%s">'
               % (self.width, height, TEXT), '<rect width="100%" height="100%" fill="white"/>',
               '<text x="16" y="24" font-size="16">%s</text>' % escape(self.title), '<text x="16" y="44" fill="#666666">%s</text>' % escape(self.note)]
        at = 16
        for kind, colour, words in self.legend:
            out += [self.mark(kind, at + 6, 64, colour), '<text x="%d" y="68">%s</text>' % (at + 18, escape(words))]
            at += 34 + 7 * len(words)
        for tick in self.ticks:
            colour = "#888888" if tick == self.one else LINE
            out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="%s"/>' % (self.x(tick), top - 6, self.x(tick), height - bottom + 6, colour))
            out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#666666">%g</text>' % (self.x(tick), height - bottom + 22, tick))
        for i, (label, marks) in enumerate(self.rows):
            y = top + self.step * i + self.step / 2
            out.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (self.left - 12, y + 4, escape(label)))
            for kind, value, colour in marks:
                if kind == "line":
                    out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="3"/>'
                               % (self.x(value[0]), y, self.x(value[1]), y, colour))
                elif kind == "bar":
                    out.append('<rect x="%d" y="%.1f" width="%.1f" height="12" fill="%s"/>' % (self.left, y - 6, self.x(value) - self.left, colour))
                    out.append('<text x="%.1f" y="%.1f" fill="#666666">%g</text>' % (self.x(value) + 6, y + 4, value))
                else:
                    out.append(self.mark(kind, self.x(value), y, colour))
        return "\n".join(out + ["</svg>"]) + "\n"

    @staticmethod
    def mark(kind, x, y, colour):
        if kind == "tick":
            return '<rect x="%.1f" y="%.1f" width="4" height="18" fill="%s"/>' % (x - 2, y - 9, colour)
        return '<circle cx="%.1f" cy="%.1f" r="%s" fill="%s"%s/>' % (x, y, "4" if kind == "dot" else "2.5", colour,
                                                                       "" if kind == "dot" else ' fill-opacity="0.45"')


TICKS = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 2.5]


def overview():
    chart = Chart("Speed beside the best peer", "ratio of times; above 1 mikgen's file is faster; the table of the README", 0.3, 2.6, [0.3] + TICKS, 270)
    chart.legend = [("tick", BLUE, "geometric mean"), ("dot", ORANGE, "5th percentile"), ("dot", GREY, "the least of all")]
    for row in ROWS:
        mean, fifth, least = map(float, numbers(row))
        chart.row(row[0].replace("`", "") + ", " + row[2].replace("Sapphire Rapids", "SPR"),
                  [("line", (least, mean), LINE), ("dot", least, GREY), ("dot", fifth, ORANGE), ("tick", mean, BLUE)])
    return chart


def mean_of(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def gemm_rows():
    """(set, {peer: speed}, ours) of each shape of gemm_f32.txt."""
    head = ["OpenBLAS", "OpenBLAS-gemv", "BLIS", "BLIS-gemv", "oneDNN", "libxsmm", "Eigen"]
    for line in result("gemm_f32.txt").split("the lowest ratios")[0].split("\n"):
        parts = line.split("|")
        if len(parts) == 5 and re.match(r"\w+ +\d+ +\d+ +\d+ $", parts[0]):
            speeds = {peer: float(word) for peer, word in zip(head, parts[2].split()) if word != "-"}
            yield parts[0].split()[0], speeds, float(parts[1])


def products():
    chart = Chart("GEMM of float beside each library", "gemm_f32.txt: one thread, AMD EPYC (Zen 5); geometric means over the shapes of a set",
                  0.8, 20, [0.8, 1, 1.25, 1.5, 2, 3, 4, 6, 10, 20], 130, 30)
    colours = {"oneDNN": ORANGE, "OpenBLAS": "#3a8f5c", "BLIS": "#8a5fb0", "libxsmm": "#b03a4a", "Eigen": GREY}
    chart.legend = [("tick", BLUE, "the best of all, shape by shape")] + [("dot", colour, peer) for peer, colour in colours.items()]
    rows = list(gemm_rows())
    for name in dict.fromkeys(row[0] for row in rows):
        marks = []
        for peer, colour in colours.items():
            ratios = [ours / max(v for k, v in speeds.items() if k.startswith(peer)) for part, speeds, ours in rows
                      if part == name and peer in speeds]
            if ratios:
                marks.append(("dot", mean_of(ratios), colour))
        best = [ours / max(speeds.values()) for part, speeds, ours in rows if part == name]
        chart.row("%s (%d)" % (name, len(best)), marks + [("tick", mean_of(best), BLUE)])
    return chart


def convolutions():
    chart = Chart("Convolutions beside oneDNN", "conv.txt: one thread, AMD EPYC (Zen 5); a dot is a layer; oneDNN's filters are reordered before the clock starts",
                  0.5, 1.5, [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5], 170, 30)
    chart.legend = [("tick", BLUE, "geometric mean"), ("point", GREY, "a layer")]
    layers = {}
    for line in result("conv.txt").split("ours against the best")[0].split("\n"):
        parts = line.split("|")
        if len(parts) == 8 and re.match(r"\w+ +\S+ +\d", parts[0]):
            for layout, at in (("NHWC", 3), ("NCHW", 6)):
                layers.setdefault((parts[0].split()[0], layout), []).append(float(parts[at]))
    for (network, layout), ratios in layers.items():
        chart.row("%s, %s (%d)" % (network, layout, len(ratios)), [("point", ratio, GREY) for ratio in ratios] + [("tick", mean_of(ratios), BLUE)])
    return chart


def first_calls():
    chart = Chart("2000 calls of 2000 shapes right after a program starts, milliseconds", "cold.txt: AMD EPYC (Zen 5), medians of 15; without loading",
                  0.1, 60, [0.1, 0.3, 1, 3, 10, 30], 200, 22, one=None)
    for sides, text in re.findall(r"sides up to (\d+), .*?\n.*?\n(.*?)(?:\n\n|\Z)", result("cold.txt"), re.S):
        for line in text.strip().split("\n"):
            library, _, _, total, _ = line.split()
            chart.row("%s, sides up to %s" % (library, sides), [("bar", float(total), BLUE if library == "ours" else GREY)])
    return chart


def gpu():
    chart = Chart("Products on an H200: cuBLAS's time over ours", "h200.csv: type and class of shapes; a dot is a shape, of a row some 40 to 80 of them; those at the edge lie beyond it",
                  0.3, 4, [0.3, 0.4, 0.5, 0.7, 1, 1.5, 2, 3, 4], 170, 24)
    chart.legend = [("tick", BLUE, "geometric mean"), ("point", GREY, "a shape")]
    groups = {}
    with open(RESULTS / "h200.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            which = "sampled" if row["class"].startswith("box") else row["class"]
            if which in ("sampled", "deepbench", "llama", "cubes") and row["ratio"] not in ("", "-", "0", "nan"):
                groups.setdefault((row["type"], which), []).append(float(row["ratio"]))
    for (kind, which), ratios in groups.items():
        shown = ratios[::max(1, len(ratios) // 40)]
        chart.row("%s, %s (%d)" % (kind, which, len(ratios)), [("point", ratio, GREY) for ratio in shown] + [("tick", mean_of(ratios), BLUE)])
    return chart


CHARTS = {"overview": overview, "products": products, "convolutions": convolutions, "first_calls": first_calls, "gpu": gpu}


def check():
    failed = 0
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    if table() not in readme:
        print("README.md: its table is not what docs/speeds.py table prints from bench/results")
        failed = 1
    for name, make in CHARTS.items():
        path = HERE / "charts" / (name + ".svg")
        if not path.exists() or path.read_text(encoding="utf-8") != make().svg():
            print("%s is not what docs/speeds.py charts draws from bench/results" % path.relative_to(ROOT))
            failed = 1
    if failed:
        sys.exit("FAILED")
    print("%d rows, %d charts" % (len(ROWS), len(CHARTS)))


def main():
    if sys.argv[1:] == ["table"]:
        sys.stdout.write(table())
    elif sys.argv[1:] == ["charts"]:
        (HERE / "charts").mkdir(exist_ok=True)
        for name, make in CHARTS.items():
            (HERE / "charts" / (name + ".svg")).write_text(make().svg(), encoding="utf-8")
    elif sys.argv[1:] == ["check"]:
        check()
    else:
        sys.exit(__doc__)


main()
