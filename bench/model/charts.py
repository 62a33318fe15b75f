# SPDX-License-Identifier: GPL-3.0-or-later
"""model.svg: the best peer's time over ours, a bar for each call, models one below the other."""
from html import escape

LEFT, WIDTH, ROW, TOP, BAR, NAME = 130, 580, 22, 60, 12, 20
COLORS = {"onnxruntime": "#1b6ca8", "torch": "#e08a2e", "compile": "#b23a48", "openvino": "#5b9b3a"}


def number(ms):
    return f"{ms:.0f}" if ms >= 100 else f"{ms:.3g}"


def draw(rows, processor, threads):
    """rows: with a ratio each; bars are coloured by who the best peer is."""
    most = max([row.ratio() for row in rows] + [1.5])
    models = list(dict.fromkeys(row.model.name for row in rows))
    height, unit = TOP + ROW * len(rows) + NAME * len(models) + 40, WIDTH / most
    title = f"Whole models: the best peer's time over ours, {threads} thread{'s' * (threads > 1)}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 190}" height="{height}" font-family="sans-serif" '
           f'font-size="12"><rect width="100%" height="100%" fill="white"/><text x="20" y="24" font-size="16">{title}</text>',
           f'<text x="20" y="44" fill="#666">{escape(processor)}</text>']
    step = 0.5 if most < 4 else 1
    for i in range(int(most / step) + 1):
        x, is_one = LEFT + i * step * unit, i * step == 1
        out.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{height - 26}" stroke="{"#444" if is_one else "#ddd"}"/>'
                   f'<text x="{x:.1f}" y="{height - 10}" text-anchor="middle" fill="#666">{i * step:g}</text>')
    y = TOP
    for name in models:
        y += NAME
        for i, row in enumerate(row for row in rows if row.model.name == name):
            call = " ".join(f"{key}{value}" for key, value in row.call.items() if key != "W")
            if i == 0:
                out.append(f'<text x="20" y="{y - 3}" font-weight="bold">{escape(name)}</text>')
            out.append(f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{escape(call)}</text>'
                       f'<rect x="{LEFT}" y="{y + 4}" width="{row.ratio() * unit:.1f}" height="{BAR}" fill="{COLORS[row.peer()]}"/>'
                       f'<text x="{LEFT + row.ratio() * unit + 6:.1f}" y="{y + 14}" fill="#333">{row.ratio():.2f} '
                       f'<tspan fill="#777">{row.peer()} {number(row.times[row.peer()])} ms</tspan></text>')
            y += ROW
    return "\n".join([*out, "</svg>"]) + "\n"
