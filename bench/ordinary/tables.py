# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of measured operators, and their figures for each half and each field."""
import math

CLOSE = 0.9


def best_compiler(row, peers):
    return min(peers, key=lambda peer: row[peer])


def best(row, peers):
    """The best peer's name, and its time over ours. A library's is of a program of its own, where it ran in turn with ours."""
    name = best_compiler(row, peers)
    ratios = {name: row[name] / row["ours"], **{lib: ms / row["ours_there"] for lib, ms in row["libraries"].items()}}
    name = min(ratios, key=ratios.get)
    return name, ratios[name]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def figures(title, ratios):
    if not ratios:
        return ""
    ratios = sorted(ratios)
    close = sum(r >= CLOSE for r in ratios)
    return (f"{title:28}{len(ratios):4}: geomean {mean(ratios):.3f}, 5th percentile {ratios[len(ratios) // 20]:.3f}, minimum {ratios[0]:.3f}; "
            f"{close} of {CLOSE} or more ({100 * close / len(ratios):.0f} %)\n")


def library_ratios(rows):
    return [min(row["libraries"].values()) / row["ours_there"] for row in rows if row["libraries"]]


def totals(rows):
    """Of the files, each once."""
    files = {row["spec_file"]: row for row in rows}.values()
    text = []
    for what, unit in (("seconds", "s to compile"), ("text", "bytes of machine code")):
        ours, spec = (sum(row[f"{what}_of_{whose}"] for row in files) for whose in ("ours", "spec"))
        text.append(f"{ours:.0f} {unit} for {spec:.1f} of the specs ({ours / spec:.1f})" if spec else "")
    return f"files: {'; '.join(text)}\n"


def half_text(half, rows, specs, peers):
    """specs: the names of all specs of the half."""
    covered = {row["spec_file"] for row in rows}
    lacking = sorted(set(specs) - covered)
    text = f"\n{half}: {len(rows)} operators, {len(covered)} of {len(specs)} specs covered{': all but ' + ', '.join(lacking) if lacking else ''}\n"
    text += figures(f"{half} spec/ours", [row["spec"] / row["ours"] for row in rows])
    text += figures(f"{half} spec by gcc -O3/ours", [row["gcc -O3"] / row["ours"] for row in rows])
    text += figures(f"{half} best/ours", [best(row, peers)[1] for row in rows])
    text += figures(f"{half} best library/ours", library_ratios(rows))
    return text + totals(rows)


def fields_text(rows, peers):
    text = f"\n{'field':14}{'operators':>10}{'spec/ours':>11}{'best/ours':>11}{'least':>8}\n"
    for field in sorted({row["field"] for row in rows}):
        of_field = [row for row in rows if row["field"] == field]
        ratios = [best(row, peers)[1] for row in of_field]
        text += f"{field:14}{len(of_field):10}{mean([row['spec'] / row['ours'] for row in of_field]):11.3f}{mean(ratios):11.3f}{min(ratios):8.3f}\n"
    return text


def row_text(row, peers):
    name, ratio = best(row, peers)
    times = "".join(f"{row[k]:11.4g}" for k in ["ours", *peers])
    library = min(row["libraries"], key=row["libraries"].get) if row["libraries"] else None
    of_library = f"{row['libraries'][library] / row['ours_there'] * row['ours']:10.4g} {library:8}" if library else f"{'-':>10} {'':8}"
    about = f"{row['name']:22}{row['field']:13}{row['half']:5}{row['extents']:20}"
    return f"{about}{times}{of_library}{row['spec'] / row['ours']:10.3f}{ratio:10.3f}  {name}"


def print_all(title, rows, specs, peers):
    """specs: the halves, each with its specs' names."""
    rows.sort(key=lambda row: best(row, peers)[1])
    print(title)
    print(f"{'operator':22}{'field':13}{'half':5}{'extents':20}" + "".join(f"{k:>11}" for k in ["ours", *peers])
          + f"{'library':>10} {'':8}{'spec/ours':>10}{'best/ours':>10}  best")
    for row in rows:
        print(row_text(row, peers))
    print(fields_text(rows, peers), end="")
    for half, names in specs.items():
        of_half = [row for row in rows if row["half"] == half]
        if of_half:
            print(half_text(half, of_half, names, peers), end="")
