#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The C in the model that `mikgen --emit=plan` prints, on standard input: functions and declarations of operators, each behind the path of
the member that it is; tables, and how structs lie in memory. Of the forms of a nest the first."""
import json
import sys

LISTED = ("values", "layout")  # as they are


def put(value, path):
    if isinstance(value, dict):
        for name, item in value.items():
            if name in LISTED and isinstance(item, list) and item:
                print(f"== {path}.{name}\n{json.dumps(item)}")
            elif name not in ("families", "expected"):
                put(item, f"{path}.{name}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            if i == 0 or not path.endswith(".forms"):
                put(item, f"{path}[{i}]")
    elif isinstance(value, str) and ("\n" in value or path.endswith(".declaration")):
        print(f"== {path}\n{value.rstrip()}")


model = json.load(sys.stdin)
put(model.get("structs"), "structs")
put(model.get("tables"), "tables")
for op in model["ops"]:
    put(op, op["name"])
