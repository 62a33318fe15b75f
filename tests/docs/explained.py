#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of --explain --format=json that docs/explaining.md names are those that there are.

    explained.py MIKGEN

Asked are what writes them (templates, gen/picture) and some calls of C files.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WRITERS = ["templates/explain.cu.j2", "templates/explain/*.j2", "templates/engine/c/plan_json.h", "templates/engine/c/wave.h", "templates/engine/cuda/draw.cuh"]
KNOWN = ["gen/picture/calls.c", "gen/picture/known*.c", "gen/explain.c", "ir/stages.def"]
CALLS = [("examples/gemm_f32/gemm_f32.spec", "100,70,30"), ("examples/softmax/softmax.spec", "10,20"),
         ("examples/models/causal_attention.spec", "40,2,3,64")]


def texts(patterns):
    return "".join(path.read_text(encoding="utf-8") for pattern in patterns for path in sorted(ROOT.glob(pattern)))


def keys_of(value, found):
    """Those of extents are the spec's own names."""
    if isinstance(value, dict):
        for key, member in value.items():
            found.add(key)
            if key != "extents" or not isinstance(member, dict):
                keys_of(member, found)
    elif isinstance(value, list):
        for member in value:
            keys_of(member, found)


def main(mikgen):
    written = set(re.findall(r'\\"(\w+)\\": ', texts(WRITERS))) | set(re.findall(r'parts\("(\w+)"', texts(WRITERS)))
    written |= set(re.findall(r'json_object_set_new\(\w+, "(\w+)"', texts(KNOWN)))
    for spec, values in CALLS:
        out = subprocess.run([mikgen, "--target=c", "--max-kernels=2", "--explain=" + values, "--format=json", ROOT / spec],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        keys_of(json.loads(out), written)
    rows = re.findall(r"^\| `([^|]*)` \|", (ROOT / "docs/explaining.md").read_text(encoding="utf-8").partition("## As data")[2], re.M)
    told = {name for row in rows for name in re.findall(r"\w+", row)}
    sources = texts(WRITERS + KNOWN)
    wrong = [f"`{name}` is written and not in the table" for name in sorted(written - told)]
    wrong += [f"`{name}` is in the table and nothing writes it" for name in sorted(told) if not re.search(rf'"{name}\\?"', sources)]
    print("\n".join(wrong) or f"{len(told)} fields, all as the table has them")
    return bool(wrong)


sys.exit(main(*sys.argv[1:]))
