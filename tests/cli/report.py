#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the page of mikgen --report.

  report.py FOLDER SPEC PICTURES [moves]       FOLDER/index.html; its pictures of plans go to the folder PICTURES; moves: something does

Tags are closed in their order, nothing comes from outside, links lead somewhere, the spec is there line by line, each slider has as many pictures
as it counts, and what passes have moved
has its place on both sides.
"""
import html.parser
import re
import sys

EMPTY = {"meta", "input", "br", "hr", "img", "link"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.lines, self.sliders, self.figures, self.moved = [], set(), [], [], {}, {}, {}
        self.words, self.cell = [], None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        assert tag not in ("img", "link", "iframe", "object") and "src" not in a, f"<{tag}> is from outside"
        if tag not in EMPTY:
            self.open.append((tag, a))
        if "id" in a:
            assert a["id"] not in self.ids, f"two ids {a['id']}"
            self.ids.add(a["id"])
        if "href" in a:
            self.links.append(a["href"])
        if tag == "input":
            self.sliders[a["id"]] = int(a["max"]) + 1
        if tag == "figure" and "data-title" in a:
            self.figures.setdefault(self.open[-2][1]["class"], []).append("hidden" in a)
        if tag == "td":
            self.cell = ""
        if tag == "mark" and "data-moved" in a:
            side = len([1 for t, _ in self.open if t == "table"])
            assert side == 1
            self.moved.setdefault(a["data-moved"], 0)
            self.moved[a["data-moved"]] += 1

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        opened, a = self.open.pop()
        assert opened == tag, f"</{tag}> closes <{opened}>"
        if tag == "td" and a.get("class") == "text" and self.open[-2][1].get("class") == "code":
            self.lines.append(self.cell)

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        self.words.append(data)


def main(folder, spec, pictures, moves=None):
    text = open(f"{folder}/index.html", encoding="utf-8").read()
    page = Page()
    page.feed(text)
    assert not page.open, f"<{page.open[-1][0]}> is not closed"
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links), page.links
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), "an address"
    assert page.lines == open(spec, encoding="utf-8").read().splitlines(), f"the spec: {page.lines}"
    assert page.sliders and set(page.sliders) == set(page.figures), f"{page.sliders}, {page.figures}"
    for name, count in page.sliders.items():
        hidden = page.figures[name]
        assert len(hidden) == count and hidden == [False] + [True] * (count - 1), f"{name}: {hidden}"
        assert count >= 3, f"{name} has {count} calls"
    marked = page.moved and max(page.moved.values()) > 1
    assert marked or not moves, f"nothing is marked on both sides: {page.moved}"
    drawn = re.findall(r'<svg xmlns="http://www.w3.org/2000/svg" class="mikgen".*?</svg>', text, re.S)
    assert len(drawn) == sum(page.sliders.values()), f"{len(drawn)} pictures"
    for i, picture in enumerate(drawn):
        with open(f"{pictures}/{i}.svg", "w", encoding="utf-8") as f:
            f.write(picture)


main(*sys.argv[1:])
