# SPDX-License-Identifier: GPL-3.0-or-later
"""nests.svg: the best peer's time over ours, an operator a line, on a logarithmic scale with a line at 1."""
import math
from html import escape

LEFT, WIDTH, RIGHT, ROW, TOP = 170, 620, 190, 20, 84
GROUPS = {"nest": ("one nest", "#1b6ca8"), "row": ("rows", "#5b9b3a"), "composite": ("composites", "#8a5aa8")}
WORKSPACE = "#e08a2e"


def number(ratio):
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def ticks(low, high):
    """1, 2, 5, 10, ... between powers of ten."""
    return [digit * 10.0**power for power in range(low, high) for digit in (1, 2, 5)] + [10.0**high]


def bounds(rows):
    ratios = [r for row in rows for r in (row.ratio(), row.ratio_with_workspace()) if r]
    return math.floor(math.log10(min(ratios + [0.9]))), math.ceil(math.log10(max(ratios + [1.1])))


def keys(groups):
    """The legend; texts are about seven pixels a letter."""
    at = 20
    for text, color in (GROUPS[group] for group in GROUPS if group in groups):
        yield (f'<rect x="{at}" y="42" width="12" height="12" fill="{color}"/>'
               f'<text x="{at + 17}" y="52">{text}</text>')
        at += 40 + 7 * len(text)
    yield (f'<circle cx="{at + 6}" cy="48" r="4" fill="{WORKSPACE}"/>'
           f'<text x="{at + 17}" y="52">with a workspace of the caller\'s</text>')


def bar(row, y, place):
    middle, ratio, workspace = y + ROW / 2, row.ratio(), row.ratio_with_workspace()
    yield f'<text x="{LEFT - 8}" y="{middle + 4}" class="name">{escape(row.case.name)}</text>'
    if not ratio:
        yield f'<text x="{place(1) + 6:.1f}" y="{middle + 4}" class="peer">not measured</text>'
        return
    start, end = sorted((place(1), place(ratio)))
    yield (f'<rect x="{start:.1f}" y="{y + 4}" width="{max(1, end - start):.1f}" height="{ROW - 8}" '
           f'fill="{GROUPS[row.case.group][1]}"/>')
    if row.with_workspace:
        yield f'<circle cx="{place(workspace):.1f}" cy="{middle}" r="4" fill="{WORKSPACE}"/>'
    yield f'<text x="{LEFT + WIDTH + 12}" y="{middle + 4}" class="value">{number(ratio)}</text>'
    yield f'<text x="{LEFT + WIDTH + 60}" y="{middle + 4}" class="peer">{escape(row.best)}</text>'


def draw(rows, title, subtitle):
    """rows: of report.Row; those of plain operators are left out."""
    rows = [row for row in rows if row.case.group in GROUPS and (row.best or row.ours)]
    order = list(GROUPS)
    rows.sort(key=lambda row: (order.index(row.case.group), row.ratio() or 0))
    low, high = bounds(rows)
    width, height = LEFT + WIDTH + RIGHT, TOP + len(rows) * ROW + 34

    def place(ratio):
        return LEFT + WIDTH * (math.log10(ratio) - low) / (high - low)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           "<style>.name { text-anchor: end } .tick { text-anchor: middle; fill: #666; font-size: 11px } "
           ".value { text-anchor: start; fill: #333 } .peer { fill: #777; font-size: 11px }</style>",
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="20" y="26" font-size="16">{escape(title)}</text>',
           f'<text x="{width - 20}" y="26" text-anchor="end" fill="#666">{escape(subtitle)}</text>', *keys({row.case.group for row in rows})]
    for tick in ticks(low, high):
        x, is_one = place(tick), tick == 1
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - 26}" stroke="{"#444" if is_one else "#ddd"}"/>')
        out += [f'<text x="{x:.1f}" y="{y}" class="tick">{tick:g}</text>' for y in (TOP - 6, height - 10)]
    out.append(f'<text x="{LEFT + WIDTH + 60}" y="{TOP - 6}" class="peer">best peer</text>')
    for i, row in enumerate(rows):
        out += bar(row, TOP + i * ROW, place)
    return "\n".join([*out, "</svg>"]) + "\n"
