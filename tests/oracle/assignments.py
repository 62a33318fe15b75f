#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes every assignment of every type to every other, and what C says comes of it: assignments.py c|cuda FOLDER

  assignments.spec  an operator for each type on the left: = + - * / % & | ^ << >> with each type on the right, as
                    `x = x op e` and as `x op= e`, where x is an element and where it is a scalar
  cases.h           operands for each, the results, and calls of the operators (see assignments.c)

The results are computed here, in exact fractions that are rounded where C rounds: no compiler has a say in them. Operands
for which C defines no result are left out. For CUDA, whose text differs from C's only there, half or bf16 is in each.
"""
import random
import sys
from fractions import Fraction

PAIRS = 6  # operands of each operator

# name: bits, sign and conversion rank (C11 6.3.1.1); of floating types digits, largest exponent and rank: where both
# operands are 16 bits wide, Clang computes in half.
INTEGERS = {"bool": (1, False, 1), "int8_t": (8, True, 2), "uint8_t": (8, False, 2), "int16_t": (16, True, 3),
            "uint16_t": (16, False, 3), "int": (32, True, 4), "unsigned": (32, False, 4), "int64_t": (64, True, 5),
            "uint64_t": (64, False, 5)}
FLOATS = {"bf16": (8, 127, 16, 0), "half": (11, 15, 16, 1), "float": (24, 127, 32, 2), "double": (53, 1023, 64, 3),
          "long double": (64, 16383, 80, 4)}
NAMES = {"c": {"bool": "_Bool", "half": "uint16_t", "bf16": "uint16_t"},
         "cuda": {"half": "__half", "bf16": "__nv_bfloat16"}}
NARROW = ["bf16", "half"]
ANY, WHOLE = ["=", "+", "-", "*", "/"], ["%", "&", "|", "^", "<<", ">>"]


class Undefined(Exception):
    pass


def limits(t):
    bits, signed, _ = INTEGERS[t]
    return (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def round_to(value, t):
    """To nearest, ties to even; beyond the largest number it is infinite, which only an assignment may make."""
    digits, most = FLOATS[t][:2]
    if value == 0:
        return Fraction(0)
    exponent = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
    exponent -= abs(value) < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, 1 - most) - digits + 1)
    rounded = round(value / unit) * unit  # Python's round() takes ties to even too
    if abs(rounded) >= Fraction(2) ** (most + 1):
        return "-inf" if value < 0 else "inf"
    if rounded == 0:
        raise Undefined  # defined, but zeros have no sign here
    return rounded


def convert(value, t):
    if t == "bool":
        return int(value != 0)
    if t in FLOATS:
        return value if isinstance(value, str) else round_to(Fraction(value), t)
    if isinstance(value, str):
        raise Undefined
    low, high = limits(t)
    if isinstance(value, Fraction):
        value = int(value)  # toward zero
        if not low <= value <= high:
            raise Undefined
    bits = INTEGERS[t][0]
    value &= (1 << bits) - 1
    return value - (1 << bits) if value > high else value


def promote(t):
    return "int" if t in INTEGERS and INTEGERS[t][0] < 32 else t


def common(a, b):
    floating = [t for t in (a, b) if t in FLOATS]
    if floating:
        return max(floating, key=lambda t: FLOATS[t][3])
    a, b = promote(a), promote(b)
    # A type of higher rank here always holds all values of the lower one, so that C's last rule is never needed.
    return max(a, b, key=lambda t: (INTEGERS[t][2], not INTEGERS[t][1]))


def divide(x, y):
    if y == 0:
        raise Undefined
    return int(Fraction(x, y))  # toward zero


def shift(op, x, y, t):
    if not 0 <= y < INTEGERS[t][0] or x < 0:
        raise Undefined
    return x << y if op == "<<" else x >> y


def operate(op, x, y, t):
    """x op y, both of type t; a shift's y of its own."""
    if t in FLOATS:
        if isinstance(x, str) or isinstance(y, str) or (op == "/" and y == 0):
            raise Undefined
        if op in "*/" and x == 0 and y < 0 or op == "*" and y == 0 and x < 0:
            raise Undefined  # defined: -0
        return round_to({"+": x + y, "-": x - y, "*": x * y}[op] if op != "/" else x / y, t)
    exact = {"+": lambda: x + y, "-": lambda: x - y, "*": lambda: x * y, "/": lambda: divide(x, y),
             "%": lambda: x - divide(x, y) * y, "&": lambda: x & y, "|": lambda: x | y, "^": lambda: x ^ y,
             "<<": lambda: shift(op, x, y, t), ">>": lambda: shift(op, x, y, t)}[op]()
    low, high = limits(t)
    if INTEGERS[t][1] and (not low <= exact <= high or (op == "%" and x == low and y == -1)):
        raise Undefined
    return convert(exact, t)


def assignment(op, left, x, right, y):
    """What x is after x op= y."""
    if op == "=":
        return convert(y, left)
    if op in ("<<", ">>"):
        return convert(operate(op, convert(x, promote(left)), y, promote(left)), left)
    t = common(left, right)
    return convert(operate(op, convert(x, t), convert(y, t), t), left)


def values(t):
    """Small numbers, limits, and numbers next to where 8, 11, 24 and 53 digits end."""
    some = [0, 1, 2, 3, 5, 7, 20, 100, -1, -2, -3, -100]
    if t in INTEGERS:
        low, high = limits(t)
        ends = [2 ** d + 2 ** (d - n) + more for n in (8, 11, 24, 53) for d in (n, n + 3, 40, 62) if d >= n for more in (-1, 0, 1)]
        ends += [65519, 65520, 16777217, (1 << 62) + (1 << 54) + 1]
        return sorted({v for v in some + ends + [-v for v in ends] + [low, high, high - 1] if low <= v <= high})
    fractions = [Fraction(1, 2), Fraction(-3, 4), Fraction(1, 3), Fraction(-7, 5), Fraction(2049), Fraction(257), Fraction(65504),
                 1 + Fraction(1, 2 ** 11) + Fraction(1, 2 ** 60), 1 + Fraction(1, 2 ** 8) + Fraction(1, 2 ** 60), Fraction(1, 3000), Fraction(16777217), Fraction(-1000001, 7), 1 + Fraction(1, 2 ** 8) + Fraction(1, 2 ** 40)]
    rounded = [round_to(Fraction(v), t) for v in some + fractions]
    return sorted({v for v in rounded if not isinstance(v, str)})


VALUES = {t: values(t) for t in [*INTEGERS, *FLOATS]}


def encode(value, t):
    """The bits of a value, as a number."""
    if t in INTEGERS:
        return value & ((1 << max(INTEGERS[t][0], 8)) - 1)
    digits, most, bits, _ = FLOATS[t]
    stored = digits if t == "long double" else digits - 1  # its leading digit is stored
    sign = 1 << bits - 1 if value == "-inf" or (not isinstance(value, str) and value < 0) else 0
    if isinstance(value, str):
        return sign | (2 * most + 1) << stored | (1 << 63 if t == "long double" else 0)
    if value == 0:
        return 0
    exponent = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
    exponent -= abs(value) < Fraction(2) ** exponent
    exponent = max(exponent, 1 - most)
    fraction = int(abs(value) / Fraction(2) ** (exponent - digits + 1))
    subnormal = fraction < 1 << digits - 1
    if t != "long double" and not subnormal:
        fraction -= 1 << digits - 1
    return sign | (0 if subnormal else exponent + most) << stored | fraction


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
