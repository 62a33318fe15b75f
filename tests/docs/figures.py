#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers with decimals in docs/performance.md are those of bench/results: each is in a summary of a file that its paragraph names (or the one
in front of it does), rounded as it is there, as percents, or as a ratio the other way round. What a paragraph has of single rows, or from
elsewhere, it says in comments in front of it: <!-- of single rows: NUMBERS -->, <!-- not in bench/results: NUMBERS -->. Other documents name
files as well, or repeat numbers of this one, or of the README's table.
"""
import pathlib
import re
import sys
from decimal import ROUND_HALF_UP, Decimal

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")
FILE = re.compile(r"bench/results/([\w.]+\.(?:txt|csv|md))")
REPEATING = ("docs/comparison.md", "docs/promises.md")
MOST = Decimal(10) ** 9
SUMMARY = re.compile(r"geomean|minimum|least|percentile|median|total|worst|greatest|decision|^(all|the 1433|chosen|wave|pipe|one kernel)\b"
                     r"|^\w+ +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+%")


def without_code(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def prose(text):
    """Without links' targets and code spans, which hold versions and options, and without versions of programs."""
    text = re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)
    return re.sub(r"(?:onnxruntime|PyTorch|OpenVINO|oneDNN|OpenBLAS|BLIS|libxsmm|Eigen|gcc|CUDA|cuBLAS|Rust|Debian|v|Llama|Zen) *\(?\d+(?:\.\d+)+", "", text)


class Results:
    def __init__(self):
        self.known = {}

    def values(self, name, rows):
        if (name, rows) not in self.known:
            lines = (ROOT / "bench/results" / name).read_text(encoding="utf-8").split("\n")
            text = "\n".join(line for line in lines if rows or SUMMARY.search(line))
            found = re.findall(r"(?<![\w.])(\d+(?:\.\d+)?(?:e[+-]\d+)?)(%?)", text)
            values = {Decimal(number) / (100 if percent else 1) for number, percent in found}
            self.known[name, rows] = [v for v in values | {1 / v for v in values if v} if v < MOST]
        return self.known[name, rows]

    def have(self, number, names, rows):
        unit = Decimal(1).scaleb(Decimal(number).as_tuple().exponent)
        return any(v.quantize(unit, ROUND_HALF_UP) == Decimal(number) for name in names for v in self.values(name, rows))


def listed(kind, paragraph):
    return set(NUMBER.findall(" ".join(re.findall(r"<!-- %s: ([^>]*) -->" % kind, paragraph))))


def measured(path, results, known=()):
    """How many numbers, and those that no file has, and that are not known otherwise."""
    count, wrong, names, comments = 0, [], [], ""
    for paragraph in without_code(path.read_text(encoding="utf-8")).split("\n\n"):
        text = re.sub(r"<!--.*?-->", "", paragraph, flags=re.S)
        comments += paragraph
        elsewhere, single = listed("not in bench/results", comments), listed("of single rows", comments)
        comments = "" if text.strip() else comments  # those in front of a table stand alone
        names = FILE.findall(text) or names
        numbers = NUMBER.findall(prose(text))
        count += len(numbers)
        wrong += ["%s: %s is not in %s" % (path.name, number, ", ".join(names)) for number in numbers
                  if number not in elsewhere and number not in known and not results.have(number, names, number in single)]
    return count, wrong


def main():
    performance, results = ROOT / "docs/performance.md", Results()
    count, wrong = measured(performance, results)
    texts = performance.read_text(encoding="utf-8") + (ROOT / "README.md").read_text(encoding="utf-8")
    known = set(re.findall(r"\d+\.\d+", texts + (ROOT / "docs/source-to-source.md").read_text(encoding="utf-8")))
    for name in REPEATING:
        more, differ = measured(ROOT / name, results, known)
        count, wrong = count + more, wrong + differ
    if wrong or count < 150:
        sys.exit("\n".join(wrong) + "\nFAILED: of %d numbers" % count)
    print(count, "numbers")


main()
