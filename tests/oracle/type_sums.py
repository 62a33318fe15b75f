#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints a spec with conversions of every type on the way into or out of sums: type_sums.py KIND

  products_S    products of elements of every type as S: float, double, int, long, or as floats that were half or bf16
  epilogues_S   sums of type S: float, double, int or long, stored as every type
  reductions    a sum, a maximum and a minimum over elements of every type, as several types

The self-check's data are multiples of 1/8 and small integers (--data=eighths): all sums are exact, in any order.
"""
import sys

INTEGERS = ["bool", "int8_t", "uint8_t", "int16_t", "uint16_t", "int", "unsigned", "int64_t", "uint64_t", "long long", "unsigned long long"]
NARROW, FP8 = ["half", "bf16"], ["e4m3", "e5m2"]
TYPES = INTEGERS + NARROW + ["float", "double", "long double"] + FP8
SUMS = {"float": "float", "double": "double", "int": "int", "long": "int64_t", "half": "float", "bf16": "float"}
UNKNOWN = {("long double", "bf16")}  # conversions that clang 19, which compiles the spec, does not have on x86
ABS = {"float": "fabsf", "double": "fabs"}


def words(t):
    return t.replace(" ", "_")


def element(e, t, wanted):
    """As a number of the wanted type; eighths become whole numbers on the way to integers, none below zero on the way to unsigned ones."""
    if t in FP8:
        e, t = f"{t}_to_float({e})", "float"
    if t not in INTEGERS and wanted in INTEGERS:
        return f"({wanted})({e} * {e} * 8)" if wanted[0] == "u" else f"({wanted})({e} * 8)"
    return f"({wanted}){e}"


def product(t, how):
    total = SUMS[how]
    a, b = (element(e, t, how if how in NARROW else total) for e in ("A[m][k]", "B[k][n]"))
    if how in NARROW:
        a, b = f"(float){a}", f"(float){b}"
    return f"""void product_{words(t)}(int M, int N, int K, const {t} A[M][K], const {t} B[K][N], {total} C[M][N])
{{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {{
            {total} sum = 0;
            for (int k = 0; k < K; k++)
                sum += {a} * {b};
            C[m][n] = sum;
        }}
}}
"""


def epilogue(t, how):
    total = SUMS[how]
    operand = {"int": "int8_t", "long": "int"}.get(how, total)
    result = f"{ABS[how]}(sum)" if how in ABS and t in INTEGERS else "sum"  # what is below zero is no unsigned number
    stored = f"float_to_{t}((float){result})" if t in FP8 else f"({t}){result}"
    return f"""void stored_as_{words(t)}(int M, int N, int K, const {operand} A[M][K], const {operand} B[K][N], const float bias[N], {t} C[M][N], {t} D[M][N])
{{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {{
            {total} sum = 0;
            for (int k = 0; k < K; k++)
                sum += ({total})A[m][k] * ({total})B[k][n];
            C[m][n] = {stored};
            D[m][n] = bias[n] > 0 ? {stored} : {f"float_to_{t}(1)" if t in FP8 else f"({t})1"};
        }}
}}
"""


def reduction(t):
    """Each loop of a length of its own: none may be merged with another."""
    wanted = ["int", "unsigned", "int64_t", "float", "double", *NARROW, "int16_t", "uint8_t"]
    parameters, body = [], ""
    for i, w in enumerate(wanted):
        if (t, w) in UNKNOWN:
            continue
        x = element(f"x{i}[i]", t, w)
        parameters += [f"int n{i}, int m{i}, const {t} x{i}[n{i} + m{i}], {w} y{i}[3]"]
        if w not in NARROW:
            body += f"    {w} sum{i} = 0;\n    for (int i = 0; i < n{i}; i++)\n        sum{i} += {x};\n    y{i}[0] = sum{i};\n"
        body += f"    {w} most{i} = 0, least{i} = 0;\n    for (int i = 0; i < m{i}; i++) {{\n        {w} v = {x};\n"
        body += f"        most{i} = v > most{i} ? v : most{i};\n        least{i} = v < least{i} ? v : least{i};\n    }}\n"
        body += f"    y{i}[1] = most{i};\n    y{i}[2] = least{i};\n"
    return f"void over_{words(t)}({', '.join(parameters)})\n{{\n{body}}}\n"


def main():
    kind, _, how = sys.argv[1].partition("_")
    for t in (t for t in TYPES if (t, how) not in UNKNOWN):
        print({"products": lambda: product(t, how), "epilogues": lambda: epilogue(t, how), "reductions": lambda: reduction(t)}[kind](), end="")


main()
