# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of text: what somebody writes for an operator, and what comes out. Empty lines and those of comments alone do not count."""
import ast
import re
from pathlib import Path


def plain(text):
    """Of C and what looks like it."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return sum(bool(re.sub(r"//.*", "", line).strip()) for line in text.splitlines())


def exported(path, operator):
    """Of the operator in a file of ISPC."""
    return plain(re.search(rf"^export void {operator}\(.*?^}}", Path(path).read_text(encoding="utf-8"), re.S | re.M)[0])


def python(path, operator):
    """Of the function that has the operator's name, decorator included; None if there is none."""
    source = Path(path).read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == operator:
            lines = source.splitlines()[node.decorator_list[0].lineno - 1:node.end_lineno]
            return sum(bool(line.strip()) and not line.strip().startswith("#") for line in lines)
    return None
