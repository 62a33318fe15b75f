#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Is an extracted spec what its original is?

    replace.py MIKGEN FILE.c FUNCTION FOLDER [--cc=CC] [--mikgen=OPTION]... [--print] [--fp=strict] [COMPILER-WORD...]

Extracts FUNCTION, generates C of the spec, puts the call that the spec's head names in the place of the function's body, compiles FILE.c as it is and
so changed (both with the compiler's words: -I, -D, other files), runs both programs, and compares what they print, on both streams: words must be equal,
numbers within 1e-6 of the larger one or one unit of their last place. --fp=strict: the emitted code keeps the order of sums. Exit status 1 and a word about what failed otherwise. --print: the spec goes to standard output.
"""
import os
import pathlib
import re
import subprocess
import sys


def run(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, **more)
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, words))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


def closing(text, at):
    """Behind what closes the bracket at `at`; comments, strings and characters are skipped."""
    depth = 0
    for token in re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[(){}]', re.S).finditer(text, at):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(token.group(), 0)
        if depth == 0 and token.group() in ")}":
            return token.end()
    sys.exit("FAILED: a bracket is not closed")


def replaced(text, function, call):
    for head in re.finditer(rf"\b{function}\s*\(", text):
        behind = closing(text, head.end() - 1)
        body = re.compile(r"(?:\s|/\*.*?\*/|//[^\n]*)*\{", re.S).match(text, behind)
        if body:
            return text[:body.end()] + "\n" + call + "\n" + text[closing(text, body.end() - 1) - 1:]
    sys.exit(f"FAILED: no body of {function}")


def same(a, b):
    x, y = a.split(), b.split()
    if len(x) != len(y):
        return f"{len(x)} words and {len(y)}"
    for i, (p, q) in enumerate(zip(x, y)):
        try:
            u, v = float(p), float(q)
        except ValueError:
            if p != q:
                return f"word {i}: {p} and {q}"
            continue
        last = 10.0 ** -len(p.partition(".")[2]) if "." in p and "e" not in p else 0
        if not (u == v or abs(u - v) <= max(1e-6 * max(abs(u), abs(v)), 1.001 * last) or (u != u and v != v)):
            return f"number {i}: {p} and {q}"
    return None


def main():
    options = [word for word in sys.argv[1:] if re.match(r"--(cc|mikgen|print|fp)\b", word)]
    mikgen, source, function, folder, *words = [word for word in sys.argv[1:] if word not in options]
    cc = ([option[5:] for option in options if option.startswith("--cc=")] or [os.environ.get("CC", "cc")])[-1]
    source, folder = pathlib.Path(source), pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    name = function.split(":")[0]
    stem = folder / function.replace(":", "_")
    reads = [word for word in words if word[:2] in ("-I", "-D", "-U")]
    more = [option[9:] for option in options if option.startswith("--mikgen=")]
    spec, emitted, header = f"{stem}.spec", f"{stem}_dyn.c", f"{stem}_dyn.h"
    run([mikgen, f"--extract={function}", *more, *reads, source, "-o", spec])
    text = pathlib.Path(spec).read_text()
    if "--print" in options:
        print(text, end="")
    call = re.search(r"In its place:\n(.*?);\n(?: \* Taken| \*/)", text, re.S).group(1).replace("\n *", "\n") + ";"
    call = re.sub(rf"\b{name}(_\d+)?\(", lambda m: "spec_" + m.group(), call.lstrip(" *"))
    common = ["--target=c", "--max-kernels=2", "--prefix=spec_", *[option for option in options if option.startswith("--fp")]]
    run([mikgen, *common, spec, "-o", emitted])
    run([mikgen, *common, "--emit=header", spec, "-o", header])
    changed = folder / f"changed_{source.name}"
    changed.write_text(f'#include "{pathlib.Path(header).name}"\n' + replaced(source.read_text(), name, call))
    flags = [cc, "-O1", "-w", f"-I{folder}", f"-iquote{source.parent}"]
    run([*flags, source, *words, "-lm", "-o", f"{stem}_original"])
    run([*flags, changed, emitted, *words, "-lm", "-o", f"{stem}_changed"])
    outputs = [run([os.path.abspath(f"{stem}_{which}")]) for which in ("original", "changed")]
    for stream in ("stdout", "stderr"):
        difference = same(getattr(outputs[0], stream), getattr(outputs[1], stream))
        if difference:
            sys.exit(f"FAILED: {source} {function}: {stream}: {difference}")
    if not (outputs[0].stdout + outputs[0].stderr).strip():
        sys.exit(f"FAILED: {source}: prints nothing, so nothing is compared")


main()
