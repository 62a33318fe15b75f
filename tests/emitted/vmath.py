# SPDX-License-Identifier: GPL-3.0-or-later
"""A C file with the mathematical functions of the engine's vectors for one instruction set, as templates/vectors.py would emit them:

    python3 vmath.py z|y|p [NAME...] > vmath_z.c

It ends with a table `vmath_z` of vmath.h's functions over arrays, each for floats (f32), doubles (f64), and floats in the shape of
doubles (f32n). Names: of functions, all of them by default.
"""
import importlib.util
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHAPES = {"z": ("z16", "z8"), "y": ("y8", "y4"), "p": ("p4", "p2")}
ATTRIBUTE = {"z": "MIK_AVX512L ", "y": "MIK_AVX2L ", "p": ""}


def module(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(ROOT, "templates", name + ".py"))
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def instruction_sets():
    """The sets with loops, by name, as far as vectors.py asks: of plan/isa.def."""
    with open(os.path.join(ROOT, "plan", "isa.def"), encoding="utf-8") as f:
        text = f.read()
    sets = {row: (name, int(size)) for row, name, size in re.findall(r'^ISA\((\w+), "(\w+)", .*", (\d+), \d+, \d+, ARRAY', text, re.MULTILINE)}
    loops = re.findall(r"""^LOOPS\((\w+), '(\w)', "(\w*)", "(\w*)", "([^"]*)", """, text, re.MULTILINE)
    return {sets[row][0]: {"name": sets[row][0],
                           "loops": {"letter": letter, "guard": guard, "macro": macro, "target": target, "bytes": sets[row][1]}}
            for row, letter, guard, macro, target in loops}


def engine_lines(name):
    with open(os.path.join(ROOT, "templates", "engine", name), encoding="utf-8") as f:
        return f.readlines()


def loop(letter, name, kind, shape, binary):
    """One function over arrays. The last vector is loaded and stored in part."""
    vector = kind[:3] + shape
    c = {"f32": "float", "f64": "double"}[kind[:3]]
    second = ", %s_load(b + i)" % vector if binary else ""
    part = ", %s_load_part(b + i, n - i)" % vector if binary else ""
    return """static %svoid %s_%s_%s(int64_t n, const void *x, const void *y, void *out)
{
    const %s *a = x, *b = y;
    %s *o = out;
    int64_t i = 0;
    (void)b;
    for (; i + %s <= n; i += %s)
        %s_store(o + i, %s_%s(%s_load(a + i)%s));
    if (i < n)
        %s_store_part(o + i, %s_%s(%s_load_part(a + i, n - i)%s), n - i);
}
""" % (ATTRIBUTE[letter], letter, name, kind, c, c, shape[1:], shape[1:], vector, vector, name, vector, second, vector, vector, name, vector, part)


def main():
    letter, names = sys.argv[1], sys.argv[2:]
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "vmath.def"), encoding="utf-8") as f:
        functions = re.findall(r"^(FAST_)?(ONE|TWO)\((\w+),", f.read(), re.MULTILINE)
    wide, narrow = SHAPES[letter]
    text, table = [], []
    for fast, operands, name in functions:
        binary = operands == "TWO"
        if names and name not in names:
            continue
        for kind, shape in (("f32", wide), ("f64", narrow), ("f32n", narrow)):
            if fast and kind == "f64":
                continue
            text.append(loop(letter, name, kind, shape, binary))
            table.append('    {"%s", "%s", %d, %s_%s_%s},' % (name, kind, 1 + binary, letter, name, kind))
    body = "\n".join(text)
    found = module("vectors").reader(engine_lines, module("assemble").resolve, instruction_sets())(body)
    definitions = "\n".join(found[key] for key in found)
    missing = [name for name in dict.fromkeys(re.findall(r"\bf\d\d[zyp]\d+_\w+", body)) if not re.search(r"\b%s\(" % name, definitions)]
    if missing:
        sys.exit("vectors.py has no " + ", ".join(missing))
    print('/* Made by vmath.py. */\n#include "vmath.h"\n#include "vec/lanes_config.h"\n')
    print(definitions)
    print(body)
    print("const VmathFunction vmath_%s[] = {\n%s\n    {0}};" % (letter, "\n".join(table)))


main()
