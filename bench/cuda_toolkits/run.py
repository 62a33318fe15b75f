#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What toolkits make of emitted CUDA: see ../cuda_toolkits.sh."""
import argparse
import itertools
import pathlib
import re
import shutil
import sys
import time

from toolkits import tools_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARCHS = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120"]
SPECS = ["gemm", "gemm_int8", "gemm_f32", "conv2d", "softmax", "layernorm", "batched_gemm", "max_pool"]


def pairs_of(case):
    return list(itertools.combinations(enumerate(case), 2))


def design(cases):
    """Of all cases so many that each pair of file and tool, file and machine, tool and machine that any has is in one; those with the most new
    pairs first."""
    left = {pair for case in cases for pair in pairs_of(case)}
    chosen, new = [], 3
    while left:
        for case in cases:
            found = [pair for pair in pairs_of(case) if pair in left]
            if len(found) >= new:
                chosen.append(case)
                left.difference_update(found)
        new -= 1
    return chosen


def spread(count, tools, archs):
    """All cases, first those so ordered that neighbours differ in everything."""
    for shift in range(count * len(archs)):
        for i, tool in enumerate(tools):
            file, arch = (i + shift) % count, archs[(i // count + shift + shift // count) % len(archs)]
            if tool.takes(arch):
                yield file, tool.name, arch
    for file, tool, arch in itertools.product(range(count), tools, archs):
        if tool.takes(arch):
            yield file, tool.name, arch


def notes(log):
    """Of a log: serialised kernels, spilling ones, bytes of spills, warnings."""
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill stores", log)]
    return [len(re.findall(r"\(C75\d\d\)", log)), sum(n > 0 for n in spills), sum(spills), len(re.findall(r"\bwarning\b", log))]


def table(title, head, rows):
    return ["", "| %s | %s |" % (title, " | ".join(head)), "|" + "---|" * (len(head) + 1)] + ["| %s |" % " | ".join(map(str, row)) for row in rows]


def summary(done, which):
    """Rows of the runs by a member of their cases."""
    rows = {}
    for case, (failed, found) in done.items():
        row = rows.setdefault(case[which], [0] * 6)
        row[:] = [a + b for a, b in zip(row, [1, failed, *found])]
    return [(name, runs, failed, warned, serial, "%d (%d bytes)" % (spilling, size)) for name, (runs, failed, serial, spilling, size, warned) in rows.items()]


def write(path, o, names, cases, done, tools):
    pairs = {pair for case in cases for pair in pairs_of(case)}
    covered = {pair for case in done for pair in pairs_of(case)}
    used = [tool.name for tool in tools if any(case[1] == tool.name for case in done)]
    head = ["runs", "failed", "warnings", "serialised kernels", "kernels that spill"]
    lines = ["# Emitted CUDA under other toolkits", "",
             "`bench/cuda_toolkits.sh`: %d files (%s), %s; %d tools, %d machines. %d of %d possible runs, with %d of %d pairs of a file and a tool, a"
             " file and a machine, a tool and a machine." % (len(names), ", ".join(names), o.mikgen_flags or "all kernels", len(used),
                                                           len({case[2] for case in done}), len(done), len(cases), len(covered), len(pairs))]
    lines += table("tool", head, sorted(summary(done, 1), key=lambda row: used.index(row[0])))
    lines += table("machine", head, sorted(summary(done, 2), key=lambda row: ARCHS.index(row[0]) if row[0] in ARCHS else 9))
    lines += table("file", head, [(names[row[0]], *row[1:]) for row in sorted(summary(done, 0))])
    path.write_text("\n".join(lines) + "\n")


def specs_of(asked):
    if asked:
        return [pathlib.Path(name).resolve() for name in asked.split(",")]
    return [next((ROOT / "examples").glob("*/%s.spec" % name), ROOT / "tests/specs" / (name + ".spec")) for name in SPECS]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mikgen", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    for name in ("specs", "mikgen-flags", "tools"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--archs", default=",".join(ARCHS))
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--no-fetch", action="store_true")
    parser.add_argument("--all", action="store_true")
    o = parser.parse_args()
    folder = o.folder.resolve()
    nvcc = pathlib.Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc").resolve()
    if not nvcc.exists():
        print("skipped: nvcc is not installed")
        sys.exit(77)
    tools = [tool for tool in tools_of(folder, nvcc, not o.no_fetch) if re.search(o.tools, tool.name)]
    sources = []
    for spec in specs_of(o.specs):
        source = folder / (spec.stem + ".cu")
        said = tools[0].run(o.mikgen.resolve(), "--target=cuda", *o.mikgen_flags.split(), spec)
        if said[0]:
            sys.exit("FAILED: %s\n%s" % (spec, said[1]))
        if not source.exists() or source.read_text() != said[1]:
            source.write_text(said[1])
        sources.append(source)
    archs = [arch for arch in o.archs.split(",") if arch]
    cases = list(dict.fromkeys(spread(len(sources), tools, archs)))
    done, names, end = {}, [source.stem for source in sources], time.monotonic() + 60 * o.minutes
    by_name = {tool.name: tool for tool in tools}
    for case in cases if o.all else design(cases):
        if time.monotonic() > end:
            break
        status, said = by_name[case[1]].compile(sources[case[0]], case[2])
        found = notes(said)
        done[case] = (int(status != 0), found)
        if status or found[0] or found[1] or found[3]:
            (folder / ("%s.%s.%s.log" % (names[case[0]], case[1].replace(" ", "_"), case[2]))).write_text(said)
        print(names[case[0]], *case[1:], "failed" if status else "", *found, flush=True)
        write(folder / "table.md", o, names, cases, done, tools)
    sys.exit(any(failed or found[0] or found[3] for failed, found in done.values()))


main()
