#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes loops that convert every type to every other, and what C says comes of it: type_pairs.py FOLDER PART OF

  type_pairs.spec  an operator for each type, or each of one PART from 0 on OF so many. Of each pair of types it has a loop that stores the converted elements, and their products
                   with 1; one that has them as floats, and one as doubles; one that converts under a condition
  cases.h          elements, the results, and calls of the operators (see type_pairs.c)

The results are computed by exact.py: no compiler has a say in them. Elements for which C defines no result are left out.
"""
import sys
from fractions import Fraction

from exact import FLOATS, INTEGERS, Undefined, VALUES, convert, encode, limits

FP8 = {"e4m3": (3, 7, 448), "e5m2": (2, 15, 57344)}  # bits of the fraction, bias, the greatest
SAME = {"long long": "int64_t", "unsigned long long": "uint64_t", "signed char": "int8_t"}
TYPES = [*INTEGERS, *SAME, *FLOATS, *FP8]
EMITTED = {"bool": "_Bool", "half": "uint16_t", "bf16": "uint16_t", "e4m3": "uint8_t", "e5m2": "uint8_t"}
INFINITIES = {"e4m3": 0x7e, "e5m2": 0x7c, "double": 1, "long double": 1}  # e4m3 has none: the greatest; of the last two: a flag
POWER = Fraction(2)


def fp8_values(t):
    """By their bits."""
    fraction, bias, greatest = FP8[t]
    out = []
    for bits in range(256):
        exponent, rest = (bits & 127) >> fraction, bits & ((1 << fraction) - 1)
        value = Fraction(rest + ((1 << fraction) if exponent else 0)) * POWER ** ((exponent or 1) - bias - fraction)
        if value > greatest:
            value = "inf" if t == "e5m2" and rest == 0 else "nan"
        if bits & 128:
            value = {"inf": "-inf", "nan": "nan", 0: "-0"}.get(value) or -value
        out.append(value)
    return out


BITS = {t: fp8_values(t) for t in FP8}


def is_negative(value):
    return value in ("-0", "-inf") if isinstance(value, str) else value < 0


def to_fp8(value, t):
    """The nearest, of two the even one; what is larger than the greatest finite one becomes that."""
    if value == "nan":
        return value
    sign = 128 if is_negative(value) else 0
    greatest = FP8[t][2]
    size = greatest if value in ("inf", "-inf") else 0 if value == "-0" else min(abs(value), Fraction(greatest))
    finite = [b for b in range(128) if not isinstance(BITS[t][b], str)]
    return BITS[t][sign + min(finite, key=lambda b: (abs(BITS[t][b] - size), b & 1))]


def converted(value, t):
    t = SAME.get(t, t)
    if t in FP8:
        return to_fp8(converted(value, "float"), t)
    try:
        return convert(value, t)
    except Undefined:
        if t in FLOATS:  # too small, but for a zero
            return "-0" if is_negative(value) else Fraction(0)
        raise


def elements(t):
    t = SAME.get(t, t)
    if t in FP8:
        return [v for i, v in enumerate(BITS[t]) if i % 5 == 0 or isinstance(v, str) or v in BITS[t][124:128]]
    ties = [2 ** d + 3 * 2 ** (d - n) + more for n in (8, 11, 24, 53) for d in (n, n + 7, 30, 31, 61, 62, 63) if d >= n for more in (-1, 0, 1)]
    if t in INTEGERS:
        low, high = limits(t)
        return sorted({*VALUES[t], *(v for v in ties + [-v for v in ties] if low <= v <= high)})
    near = [Fraction(65520) - Fraction(1, 2 ** 9), Fraction(65520), POWER ** -24, POWER ** -25, POWER ** -25 + POWER ** -60, 3 * POWER ** -25,
            5 * POWER ** -26, POWER ** -133, POWER ** -134, 3 * POWER ** -134, POWER ** 128 - POWER ** 119, POWER ** 128 - POWER ** 103,
            POWER ** 127, Fraction(99, 100), Fraction(255.875), Fraction(127.5), Fraction(128.5), POWER ** 31 - 1 + Fraction(1, 2),
            POWER ** 31 - 128, POWER ** 32 - 256, POWER ** 53 + 2, POWER ** 63 - 1024, POWER ** 64 - 2048, Fraction(1, 16), Fraction(449), Fraction(61440)]
    out = {}
    for v in [*VALUES[t], *near, *(-v for v in near), "nan", "inf", "-inf", "-0", *map(Fraction, ties)]:
        v = converted(v, t)
        out[str(v)] = v
    return list(out.values())


ELEMENTS = {t: elements(t) for t in TYPES}


def bytes_of(t):
    t = SAME.get(t, t)
    return 16 if t == "long double" else 1 if t == "bool" or t in FP8 else (INTEGERS[t][0] if t in INTEGERS else FLOATS[t][2]) // 8


def bits_of(value, t):
    t = SAME.get(t, t)
    return BITS[t].index(value) if t in FP8 else encode(value, t)


def cast(e, old, new):
    """An expression of one type as one of another."""
    if old in FP8:
        e, old = f"{old}_to_float({e})", "float"
    if new in FP8:
        return f"float_to_{new}((float){e})"
    return f"({new}){e}"


def words(t):
    return t.replace(" ", "_")


def has_numbers(old, new):
    """Has it loops of its own for floats and doubles?"""
    return not {old, new} & {*SAME, "long double"}


def spec_of(old):
    parameters, body = [], []
    for k, new in enumerate(TYPES):
        parameters += [f"int n{k}", f"const {old} x{k}[n{k}]", f"{new} y{k}[n{k}]", f"{new} z{k}[n{k}]", f"const {new} one{k}[1]"]
        element = cast(f"x{k}[i]", old, new)
        product = element if new in FP8 else f"{element} * one{k}[0]"
        body.append(f"    for (int i = 0; i < n{k}; i++) {{\n        y{k}[i] = {element};\n        z{k}[i] = {product};\n    }}\n")
        if not has_numbers(old, new):
            continue
        parameters += [f"int n{k}_{real}, {real} {real}{k}[n{k}]" for real in ("float", "double")]
        parameters += [f"int n{k}_where, const bool where{k}[n{k}], {new} some{k}[n{k}]"]
        for real in ("float", "double"):
            body.append(f"    for (int i = 0; i < n{k}_{real}; i++)\n        {real}{k}[i] = {cast(element, new, real)};\n")
        body.append(f"    for (int i = 0; i < n{k}_where; i++)\n        if (where{k}[i])\n            some{k}[i] = {product};\n")
    return f"void from_{words(old)}({', '.join(parameters)})\n{{\n{''.join(body)}}}\n"


def table(name, column, t):
    data = b"".join(bits_of(v, t).to_bytes(bytes_of(t), "little") for v in column)
    return f"static const unsigned char {name}[] = {{{','.join(map(str, data))}}};\n"


def one_of(t):
    return converted(1, t)


def cases_of(old):
    out, rows, arguments = "", [], []
    for k, new in enumerate(TYPES):
        x, y = [], []
        for value in ELEMENTS[old]:
            try:
                y.append(converted(value, new))
                x.append(value)
            except Undefined:
                pass
        name = f"{words(old)}_{k}"
        more = has_numbers(old, new)
        out += table(name + "_x", x, old) + table(name + "_y", y, new) + table(name + "_one", [one_of(new)], new)
        if more:
            out += table(name + "_f", [converted(v, "float") for v in y], "float") + table(name + "_d", [converted(v, "double") for v in y], "double")
        digits = 10 if new == "long double" and FLOATS[new][2] == 80 else 0
        infinity = INFINITIES.get(new) or (bits_of("inf", new) if new in FLOATS else 0)
        tables = f"{name}_f, {name}_d" if more else "NULL, NULL"
        rows.append(f'    {{"{old}", "{new}", {len(x)}, {bytes_of(old)}, {bytes_of(new)}, {digits}, {infinity}u, {name}_x, {name}_y, {name}_one, {tables}}},\n')
        a, b = EMITTED.get(old, old), EMITTED.get(new, new)
        arguments += [f"n[{k}][0], (const {a} *)at[{k}].x, ({b} *)at[{k}].y, ({b} *)at[{k}].z, (const {b} *)at[{k}].one"]
        if more:
            arguments += [f"n[{k}][1], (float *)at[{k}].f, n[{k}][2], (double *)at[{k}].d, n[{k}][3], (const _Bool *)at[{k}].where, ({b} *)at[{k}].some"]
    out += f"static int call_{words(old)}(const mikgen_options *opt, int n[][4], const Arrays *at)\n{{\n    return from_{words(old)}_with(opt, "
    return out + ",\n        ".join(arguments) + ");\n}\n", rows


def main():
    folder, part, parts = sys.argv[1], *map(int, sys.argv[2:])
    olds = TYPES[part::parts]
    with open(folder + "/type_pairs.spec", "w", encoding="ascii") as f:
        f.writelines(spec_of(old) for old in olds)
    made = [cases_of(old) for old in olds]
    with open(folder + "/cases.h", "w", encoding="ascii") as f:
        f.write(f"enum {{ OLD_TYPES = {len(olds)}, TYPES = {len(TYPES)} }};\n")
        f.writelines(text for text, _ in made)
        f.write("static const Case cases[OLD_TYPES][TYPES] = {\n" + "".join("{\n" + "".join(rows) + "},\n" for _, rows in made) + "};\n")
        f.write("static int (*const calls[OLD_TYPES])(const mikgen_options *opt, int n[][4], const Arrays *at) = {" +
                ", ".join(f"call_{words(t)}" for t in olds) + "};\n")


main()
