# SPDX-License-Identifier: GPL-3.0-or-later
"""What is measured: the rows of a file of bench/shapes, each with the parameters of its spec."""
import csv
import re
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
SPECS = BENCH / "nests" / "specs"
TYPES = {"float": "F32", "double": "F64", "half": "F16", "int8_t": "I8", "signed char": "I8", "uint8_t": "U8",
         "int": "I32", "int32_t": "I32", "unsigned": "I32"}
RANGES = {"I8": (-128, 128), "U8": (0, 256), "I32": (-100, 100)}


class Parameter:
    """A scalar with its value as C text, or an array with its extents as C expressions."""

    def __init__(self, text):
        declared = re.fullmatch(r"\s*(const\s+)?((?:signed )?\w+)\s+(\w+)((?:\[[^\]]*\])*)\s*", text, re.S)
        self.is_const, self.type, self.name = bool(declared[1]), declared[2], declared[3]
        self.extents = re.findall(r"\[([^\]]*)\]", declared[4])
        self.is_array = bool(self.extents)
        self.is_output = self.is_array and not self.is_const
        self.is_read = self.is_const
        self.is_sorted = self.is_dominant = False
        self.low, self.high = RANGES.get(TYPES[self.type], (-1, 1))

    def fill_with(self, text):
        """text: what the CSV file says of the array: LOW:HIGH, sorted:HIGH, dominant (a matrix whose diagonal is), and of an
        output that is read, too, rw or rw:LOW:HIGH or rw:dominant."""
        words = text.split(":")
        if words[0] == "rw":
            self.is_read = True
            words = words[1:]
        if words == ["dominant"]:
            self.is_dominant = True
            words = []
        if words and words[0] == "sorted":
            self.is_sorted = True
            words = ["0", words[1]]
        if words:
            self.low, self.high = float(words[0]), float(words[1])


class Case:
    def __init__(self, row):
        self.name, self.group, self.plain = row["name"], row["group"], row["plain"]
        self.is_long = self.group == "polybench"
        self.flops, self.has_limit = row["flops"] or "0", row["limit"] != "none"
        self.values = dict(word.split("=") for word in row["arguments"].split())
        path = Path(row["spec"] + ".spec")
        self.spec = BENCH.parent / path if path.parent.name else SPECS / path
        self.operator = path.stem
        self.others = [name for name in re.findall(r"^void (\w+)\(", self.spec.read_text(), re.M) if name != self.operator]
        prototype = re.search(r"^void " + self.operator + r"\((.*?)\)\s*\{", self.spec.read_text(), re.S | re.M)[1]
        self.parameters = [Parameter(text) for text in prototype.split(",")]
        self.arrays = [p for p in self.parameters if p.is_array]
        for word in row["data"].split():
            name, text = word.split("=")
            next(a for a in self.arrays if a.name == name).fill_with(text)
        narrow = any(a.type == "half" for a in self.arrays)
        self.tolerance = row["tolerance"] or ("2e-3" if narrow else "1e-4")

    def numbers(self):
        """The scalars as Python numbers, by name."""
        return {p.name: (int if p.type == "int" else float)(self.values[p.name]) for p in self.parameters if not p.is_array}

    def shape(self, array):
        """The array's extents as numbers. C's division of the extents in question is Python's."""
        return [eval(extent.replace("/", "//"), {}, self.numbers()) for extent in array.extents]


def read(pattern=".", shapes=BENCH / "shapes" / "nests.csv"):
    """The cases of the file whose names match the regular expression, and the plain ones that they are compared with."""
    with open(shapes, encoding="utf-8") as file:
        every = [Case(row) for row in csv.DictReader(file)]
    wanted = [case for case in every if re.search(pattern, case.name)]
    plain = {case.plain for case in wanted}
    return [case for case in every if case in wanted or case.name in plain]
