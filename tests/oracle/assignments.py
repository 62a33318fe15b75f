#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes every assignment of every type to every other, and what C says comes of it: assignments.py c|cuda FOLDER

  assignments.spec  an operator for each type on the left: = + - * / % & | ^ << >> with each type on the right, as
                    `x = x op e` and as `x op= e`, where x is an element and where it is a scalar
  cases.h           operands for each, the results, and calls of the operators (see assignments.c)

The results are computed by exact.py: no compiler has a say in them. Operands for which C defines no result are left out. For CUDA, whose text differs from C's only there, half or bf16 is in each.
"""
import random
import sys

from exact import FLOATS, INTEGERS, Undefined, VALUES, assignment, encode

PAIRS = 6  # operands of each operator

NAMES = {"c": {"bool": "_Bool", "half": "uint16_t", "bf16": "uint16_t"},
         "cuda": {"half": "__half", "bf16": "__nv_bfloat16"}}
NARROW = ["bf16", "half"]
ANY, WHOLE = ["=", "+", "-", "*", "/"], ["%", "&", "|", "^", "<<", ">>"]


def operators(left, right):
    return ANY + (WHOLE if left in INTEGERS and right in INTEGERS else [])


def operands(op, left, right, draw):
    """PAIRS pairs with their results."""
    found = []
    while len(found) < PAIRS:
        x, y = draw.choice(VALUES[left]), draw.choice(VALUES[right])
        try:
            found.append((x, y, assignment(op, left, x, right, y)))
        except Undefined:
            pass
    return found


def function_name(t):
    return "to_" + t.replace(" ", "_")


def rights(left, target):
    if target == "c":
        return [*INTEGERS, *FLOATS]
    return [t for t in [*INTEGERS, *FLOATS] if t != "long double" and (left in NARROW or t in NARROW)]


def spec_of(left, types):
    parameters, body = [], []
    for r, right in enumerate(types):
        ops = operators(left, right)
        parameters += [f"const {left} x{r}[{len(ops)}][N]", f"const {right} y{r}[{len(ops)}][N]", f"{left} z{r}[{4 * len(ops)}][N]"]
        for k, op in enumerate(ops):
            x, y, z = f"x{r}[{k}][i]", f"y{r}[{k}][i]", [f"z{r}[{4 * k + form}][i]" for form in range(4)]
            plain, compound = ("{0} = {1}", "{0} = {1}") if op == "=" else ("{0} = {0} " + op + " {1}", "{0} " + op + "= {1}")
            body += [f"{z[0]} = {x}; " + plain.format(z[0], y) + ";", f"{z[1]} = {x}; " + compound.format(z[1], y) + ";",
                     f"{{ {left} s = {x}; " + plain.format("s", y) + f"; {z[2]} = s; }}",
                     f"{{ {left} s = {x}; " + compound.format("s", y) + f"; {z[3]} = s; }}"]
    lines = "\n        ".join(body)
    return f"void {function_name(left)}(int N, {', '.join(parameters)})\n{{\n    for (int i = 0; i < N; i++) {{\n        {lines}\n    }}\n}}\n"


def table(name, columns, t):
    size = 16 if t == "long double" else 1 if t == "bool" else (INTEGERS[t][0] if t in INTEGERS else FLOATS[t][2]) // 8
    data = b"".join(encode(v, t).to_bytes(size, "little") for row in columns for v in row)
    return f"static const unsigned char {name}[] = {{{','.join(map(str, data))}}};\n"


def cases_of(left, types, target, draw):
    names, out, rows, arguments = NAMES[target], "", [], []
    for r, right in enumerate(types):
        found = [operands(op, left, right, draw) for op in operators(left, right)]
        name = f"{function_name(left)}_{r}"
        columns = [[[case[i] for case in row] for row in found] for i in range(3)]
        out += table(name + "_x", columns[0], left) + table(name + "_y", columns[1], right)
        out += table(name + "_z", [row for row in columns[2] for _ in range(4)], left)
        digits = 10 if left == "long double" else 0
        rows.append(f'    {{"{left}", "{right}", operators, {len(found)}, {digits}, {{{name}_x, {name}_y, {name}_z}}, '
                    f"{{sizeof {name}_x, sizeof {name}_y, sizeof {name}_z}}}},\n")
        a, b = names.get(left, left), names.get(right, right)
        arguments += [f"(const {a} *)at[{r}][0], (const {b} *)at[{r}][1], ({a} *)at[{r}][2]"]
    end = ", 0" if target == "cuda" else ""
    out += f"static int call_{function_name(left)}(void *at[][3])\n{{\n    return (int){function_name(left)}({PAIRS},\n        "
    out += ",\n        ".join(arguments) + f"{end});\n}}\n"
    return out, rows


def main():
    target, folder = sys.argv[1:]
    types = [t for t in [*INTEGERS, *FLOATS] if target == "c" or t != "long double"]
    draw = random.Random(1)
    with open(folder + "/assignments.spec", "w", encoding="ascii") as f:
        f.writelines(spec_of(left, rights(left, target)) for left in types)
    made = [cases_of(left, rights(left, target), target, draw) for left in types]
    with open(folder + "/cases.h", "w", encoding="ascii") as f:
        f.write(f"enum {{ PAIRS = {PAIRS}, LEFT = {len(types)}, RIGHT = {max(len(rows) for _, rows in made)} }};\n")
        f.write("static const char *const operators[] = {" + ", ".join(f'"{op}"' for op in ANY + WHOLE) + "};\n")
        f.writelines(text for text, _ in made)
        f.write("static const Case cases[LEFT][RIGHT] = {\n" + "".join("{\n" + "".join(rows) + "},\n" for _, rows in made) + "};\n")
        f.write("static int (*const calls[LEFT])(void *at[][3]) = {" + ", ".join(f"call_{function_name(t)}" for t in types) + "};\n")


main()
