# SPDX-License-Identifier: GPL-3.0-or-later
"""C's conversions and operators in exact fractions that are rounded where C rounds: no compiler has a say in them.

A value is an int, a Fraction, or of floating types "inf", "-inf", "nan", "-0". Undefined is raised where C defines no result.
$LONG_DOUBLE: x87 (the default) or binary128, as on AArch64.
"""
import os
from fractions import Fraction

# name: bits, sign and conversion rank (C11 6.3.1.1); of floating types digits, largest exponent and rank: where both
# operands are 16 bits wide, Clang computes in half.
INTEGERS = {"bool": (1, False, 1), "int8_t": (8, True, 2), "uint8_t": (8, False, 2), "int16_t": (16, True, 3),
            "uint16_t": (16, False, 3), "int": (32, True, 4), "unsigned": (32, False, 4), "int64_t": (64, True, 5),
            "uint64_t": (64, False, 5)}
LONG_DOUBLES = {"x87": (64, 16383, 80, 4), "binary128": (113, 16383, 128, 4)}
FLOATS = {"bf16": (8, 127, 16, 0), "half": (11, 15, 16, 1), "float": (24, 127, 32, 2), "double": (53, 1023, 64, 3),
          "long double": LONG_DOUBLES[os.environ.get("LONG_DOUBLE", "x87")]}


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
    if value == "-0" and t not in FLOATS:
        return 0
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
    leads = bits == 80  # x87 stores the leading digit, too
    stored = digits if leads else digits - 1
    sign = 1 << bits - 1 if value in ("-inf", "-0") or (not isinstance(value, str) and value < 0) else 0
    if value == "-0":
        return sign
    if isinstance(value, str):
        quiet = 1 << digits - 2 if value == "nan" else 0
        return sign | (2 * most + 1) << stored | quiet | (1 << 63 if leads else 0)
    if value == 0:
        return 0
    exponent = abs(value).numerator.bit_length() - abs(value).denominator.bit_length()
    exponent -= abs(value) < Fraction(2) ** exponent
    exponent = max(exponent, 1 - most)
    fraction = int(abs(value) / Fraction(2) ** (exponent - digits + 1))
    subnormal = fraction < 1 << digits - 1
    if not leads and not subnormal:
        fraction -= 1 << digits - 1
    return sign | (0 if subnormal else exponent + most) << stored | fraction


