#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the page of mikgen tune --report with the table of --measurements, which is read here on its own.

  tune_report.py PAGE.html TABLE.csv

TABLE: a line of names, then nest, instruction set, extents, a number for each knob, time, time as planned.
Nests follow one another, and so do configurations.
"""
import itertools
import math
import re
import sys
import xml.etree.ElementTree as xml

X = "{http://www.w3.org/1999/xhtml}"


def trials_of(rows):
    """(knobs, speed) of each measurement, in order: rows of a measurement differ in their extents."""
    trials = []
    for row in rows:
        knobs, extents = tuple(row[3:-2]), row[2]
        time, planned = map(float, row[-2:])
        if not trials or trials[-1][0] != knobs or extents in trials[-1][1]:
            trials.append((knobs, {}))
        trials[-1][1][extents] = planned / time if time > 0 else 0
    return [(knobs, math.prod(speeds.values()) ** (1 / len(speeds))) for knobs, speeds in trials]


def text(element):
    return "".join(element.itertext())


def check_nest(section, trials):
    first = {}
    for knobs, speed in trials:
        first.setdefault(knobs, speed)
    found = re.search(r"(\d+) of (\d+) configurations? measured", text(section))
    assert int(found[1]) == len(first) <= int(found[2]), f"{found[0]} instead of {len(first)}"
    listed = [float(text(row[0])) for row in section.iter(X + "tr") if row[0].tag == X + "td"]
    best = sorted((speed for speed in first.values() if speed > 0), reverse=True)[:10]
    assert len(listed) == len(best) and all(abs(a - b) < 6e-4 for a, b in zip(listed, best)), f"{listed} instead of {best}"
    label = [text(t) for t in section.iter("{http://www.w3.org/2000/svg}text") if t.get("class") == "series"]
    assert label and abs(float(label[0].split()[1]) - best[0]) < 6e-3, f"{label} instead of {best[0]}"


def main(page, table):
    root = xml.parse(page).getroot()
    rows = [line.split(",") for line in open(table).read().splitlines()[1:]]
    nests = [(name, trials_of(list(part))) for name, part in itertools.groupby(rows, lambda row: f"{row[0]}, {row[1]}")]
    sections = {text(section.find(X + "h2")): section for section in root.iter(X + "section")}
    unmeasured = [name for name, section in sections.items() if re.search(r"\b0 of \d+ configuration", text(section))]
    assert unmeasured in ([], list(sections)[-1:]), f"nothing was measured of {unmeasured}"
    for name in unmeasured:
        del sections[name]
    assert nests and list(sections) == [name for name, _ in nests], f"{list(sections)} instead of {[name for name, _ in nests]}"
    for name, trials in nests:
        check_nest(sections[name], trials)
    for element in root.iter():
        assert element.tag not in (X + "script", X + "link", X + "img"), f"{element.tag} is in the page"
        assert (element.get("href") or "#").startswith("#") and not element.get("src"), "something outside is needed"


main(*sys.argv[1:])
