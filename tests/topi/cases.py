#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the C of one operator's check: cases.py OP EXAMPLES FOLDER PROGRAM...

Reads EXAMPLES/OP.spec and the operator's rows of EXAMPLES/shapes.csv. Writes into FOLDER
  check.c       the cases, the spec as reference, and calls of everything that is compared with it (see harness.h)
  definitions   one line per case: the -D options that give OP.lowered.c these sizes
  PROGRAM.c     for each PROGRAM, every case of it in one translation unit: "lowered" takes EXAMPLES/OP.lowered.c with
                the case's sizes, any other FOLDER/PROGRAM_<case>.c
"""
import re
import sys

KINDS = {"float": "FLOAT", "int": "INT", "signed char": "BYTE"}
# Special values that an array takes besides infinities, zeros and subnormal numbers; or that it takes none.
RANGES = {"relu.data": "NAN_TOO", "pool.data": "NAN_TOO", "softmax.data": "NAN_TOO",
          "deformable_conv2d_nchw.offset": "MODERATE"}


class Signature:
    def __init__(self, op, text):
        head = re.search(r"^void " + op + r"\((.*?)\)\n\{", text, re.S | re.M)
        if not head:
            sys.exit(f"cases.py: no function {op} in its spec")
        self.scalars, self.arrays = [], []
        for declaration in re.split(r",\s+", re.sub(r"\s+", " ", head.group(1))):
            name = re.match(r"(const )?(signed char|int|float) (\w+)((?:\[.*\])?)$", declaration)
            if not name:
                sys.exit(f"cases.py: cannot read the parameter '{declaration}' of {op}")
            const, kind, name, extents = name.groups()
            if extents:
                self.arrays.append((name, kind, bool(const), re.findall(r"\[([^]]*)\]", extents)))
            else:
                self.scalars.append((name, kind))

    def prototype(self):
        return ", ".join(("const " if const else "") + f"{kind} *restrict {name}"
                         for name, kind, const, _ in self.arrays)


def read_cases(op, path, signature):
    cases = []
    for line in open(path):
        row_op, row = line.rstrip("\n").split(",")
        if row_op != op:
            continue
        pairs = [pair.split("=") for pair in row.split()]
        if [name for name, _ in pairs] != [name for name, _ in signature.scalars]:
            sys.exit(f"cases.py: {path}: not the parameters of {op}: {row}")
        cases.append([literal(value, kind) for (_, value), (_, kind) in zip(pairs, signature.scalars)])
    if not cases:
        sys.exit(f"cases.py: {path} has no row for {op}")
    return cases


def literal(value, kind):
    return str(int(value)) if kind == "int" else repr(float(value)) + "f"


def write_check(op, examples, folder, programs, signature, cases):
    names = [name for name, _ in signature.scalars]
    arguments = [f"p->{name}" for name in names] + [f"a[{i}]" for i in range(len(signature.arrays))]
    plain = ", ".join([f"{kind} {name}" for name, kind in signature.scalars] +
                      [("const " if const else "") + f"{kind} *{name}" for name, kind, const, _ in signature.arrays])
    with open(f"{folder}/check.c", "w") as c:
        c.write(f'#include <math.h>\n#include <stdbool.h>\n\n#define {op} reference\n'
                f'#include "{examples}/{op}.spec"\n#undef {op}\n\n')
        c.write("typedef struct Case {\n" + "".join(f"    {kind} {name};\n" for name, kind in signature.scalars) +
                "    const char *text;\n} Case;\n#include \"harness.h\"\n\n")
        for mode in ("default", "strict"):
            c.write(f"int {mode}_{op}({plain});\n"
                    f"static int run_{mode}(const Case *p, void **a)\n"
                    f"{{\n    return {mode}_{op}({', '.join(arguments)});\n}}\n\n")
        c.write(f"static void run_reference(const Case *p, void **a)\n{{\n    reference({', '.join(arguments)});\n}}\n\n")
        c.write("static void extents(const Case *p, size_t *n)\n{\n" +
                "".join(f"    const {kind} {name} = p->{name};\n    (void){name};\n"
                        for name, kind in signature.scalars) +
                "".join(f"    n[{i}] = " + " * ".join(f"(size_t)({e})" for e in array[3]) + ";\n"
                        for i, array in enumerate(signature.arrays)) + "}\n\n")
        c.write("static const Array arrays[] = {\n" +
                "".join(f'    {{"{name}", {KINDS[kind]}, {"INPUT" if const else "OUTPUT"}, '
                        f'{RANGES.get(op + "." + name, "WILD")}}},\n' for name, kind, const, _ in signature.arrays) +
                "};\n\n")
        for program in programs:
            for k in range(len(cases)):
                c.write(f"void {program}_{k}({signature.prototype()});\n")
            c.write(f"static void run_{program}(int k, void **a)\n{{\n    switch (k) {{\n" +
                    "".join(f"    case {k}: {program}_{k}("
                            + ", ".join(f"a[{i}]" for i in range(len(signature.arrays))) + "); break;\n"
                            for k in range(len(cases))) + "    }\n}\n\n")
        c.write("static const Program programs[] = {\n" +
                "".join(f'    {{"{program}", run_{program}}},\n' for program in programs) + "};\n\n")
        c.write("static const Case cases[] = {\n" +
                "".join("    {" + ", ".join(case) + ', "' +
                        " ".join(f"{n}={v}" for n, v in zip(names, case)) + '"},\n' for case in cases) + "};\n\n")
        with open(f"{examples}/{op}.spec") as spec:
            maths = re.search(r"\b(exp|log|pow|tanh|erf)f?\(", spec.read()) is not None
        c.write(f'int main(void)\n{{\n    return check("{op}", cases, sizeof cases / sizeof *cases, arrays,\n'
                "                 sizeof arrays / sizeof *arrays, programs, sizeof programs / sizeof *programs, " +
                ("true" if maths else "false") + ");\n}\n")


def write_program(op, examples, folder, program, signature, cases):
    with open(f"{folder}/{program}.c", "w") as c:
        c.write("#include <math.h>\n#include <stdbool.h>\n")
        for k, case in enumerate(cases):
            file = f"{examples}/{op}.lowered.c" if program == "lowered" else f"{program}_{k}.c"
            macros = [name.upper() for name, _ in signature.scalars]
            c.write("\n" + "".join(f"#define {name} {value}\n" for name, value in zip(macros, case)))
            c.write(f'#define {op}_lowered {program}_{k}\n#include "{file}"\n')
            # The sizes and whatever the file makes of them mean something else in the next case.
            text = open(f"{examples}/{op}.lowered.c").read()
            own = [name for name in re.findall(r"^#define (\w+)", text, re.M) if name not in macros]
            c.write("".join(f"#undef {name}\n" for name in macros + [f"{op}_lowered"] + sorted(set(own))))


def main():
    op, examples, folder, *programs = sys.argv[1:]
    signature = Signature(op, open(f"{examples}/{op}.spec").read())
    cases = read_cases(op, f"{examples}/shapes.csv", signature)
    write_check(op, examples, folder, programs, signature, cases)
    for program in programs:
        write_program(op, examples, folder, program, signature, cases)
    with open(f"{folder}/definitions", "w") as file:
        for case in cases:
            file.write(" ".join(f"-D{name.upper()}={value}" for (name, _), value in zip(signature.scalars, case)) + "\n")


main()
