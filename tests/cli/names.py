# SPDX-License-Identifier: GPL-3.0-or-later
"""Every name that somebody has taken, in every role of a spec: python3 names.py MIKGEN, in an empty folder.

The names are those of emit/reserved.def, what the compilers here say that headers define and declare, and what files
themselves say. Roles are integer parameters, array parameters, local scalars, loop variables and local arrays, many names in
one operator; and operators. What comes out must compile, or the name is refused at its place. Of kinds with hundreds of names some
are tried; MIKGEN_NAMES=all tries all of them, which takes minutes.
"""
import os
import re
import shutil
import subprocess
import sys

import reserved

MIKGEN = sys.argv[1]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CHUNK = 64  # names of a role in one operator
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def fail(*what):
    print("FAILED:", *what)
    sys.exit(1)


def run(*command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def mikgen(target, spec, output, *options):
    """Standard error; the file is written when that is empty."""
    open("names.spec", "w").write(spec)
    result = run(MIKGEN, "--target=" + target, *options, "-o", output, "names.spec")
    if result.returncode != (1 if result.stderr else 0):
        fail(output, "exit status", result.returncode, result.stderr[:2000])
    return result.stderr


def generate(target, spec, output, *options):
    message = mikgen(target, spec, output, *options)
    if message:
        fail(output, "is not generated:", message[:2000])


def compiles(*command):
    result = run(*command)
    if result.returncode:
        fail(" ".join(command), (result.stdout + result.stderr)[:3000])


def emitted():
    """The identifiers of emitted files and headers, comments and texts aside."""
    found = set()
    for spec, target, more in ("gemm_f32", "c", []), ("conv2d", "c", ["--max-kernels=2"]), ("gemm", "cuda", ["--max-kernels=2"]), ("softmax", "cuda", []):
        path = os.path.join(ROOT, "examples", spec, spec + ".spec")
        for emit in "source", "header":
            text = run(MIKGEN, "--target=" + target, "--emit=" + emit, *more, path).stdout
            text = re.sub(r'(?s)/\*.*?\*/|"(?:\\.|[^"\\])*"', " ", text)
            found |= set(re.findall(r"\b[A-Za-z_]\w*", text))
    return found


def parsable(names, operators=False):
    """Names that the language and the prelude leave to a spec: to its parameters, or to its operators."""
    prelude = open(os.path.join(ROOT, "gen", "front", "text", "spec_prelude.c")).read()
    keywords = set(reserved.sections(open(os.path.join(ROOT, "emit", "reserved.def")).read())["C_KEYWORD"])
    of_c23 = {"alignas", "alignof", "constexpr", "nullptr", "static_assert", "thread_local", "typeof_unqual", "fortran"}
    names = sorted(set(names) - (keywords - of_c23) - set(re.findall(r"#define (\w+)", prelude)))
    while True:
        line = "void {0}(int z_n, float z_x[z_n]) {{ z_x[0] = 1; }}\n" if operators else "void z_{0}(int z_n, float {0}[z_n]) {{ {0}[0] = 1; }}\n"
        spec = "".join(line.format(name) for name in names)
        message = mikgen("c", spec, "parsable.ir", "--emit=ir", "--prefix=zz_")
        lines = {int(n) - 1 for n in re.findall(r"(?m)^names.spec:(\d+):", message)}
        if not lines:
            return names
        names = [n for i, n in enumerate(names) if i not in lines]


def in_roles(names):
    """A spec with each name once in every role; CHUNK names of each role make one operator."""
    chunks = [names[i:i + CHUNK] for i in range(0, len(names), CHUNK)]
    while len(chunks) < 5:
        chunks.append([])
    text = ""
    for i in range(len(chunks)):
        ints, arrays, scalars, loops, locals_ = (chunks[(i + j) % len(chunks)] for j in range(5))
        text += "void z_%d(int z_n, %sconst float z_big[z_n%s], %sfloat z_out[z_n])\n{\n" % (
            i, "".join("int %s, " % n for n in ints), "".join(" + " + n for n in ints), "".join("const float %s[z_n], " % n for n in arrays))
        text += "    for (int z_i = 0; z_i < z_n; z_i++) {\n        float z_t = z_big[z_i];\n"
        text += "".join("        z_t += %s;\n" % n for n in ints)
        text += "".join("        z_t += %s[z_i];\n" % n for n in arrays)
        text += "".join("        float %s = z_t * z_t;\n        z_t += %s;\n" % (n, n) for n in scalars)
        text += "".join("        for (int %s = 0; %s < z_n; %s++)\n            z_t += z_big[%s];\n" % (n, n, n, n) for n in loops)
        text += "".join("        float %s[2];\n        %s[z_i %% 2] = z_t;\n        %s[1 - z_i %% 2] = 1;\n        z_t += %s[z_n %% 2];\n" % (n, n, n, n) for n in locals_)
        text += "        z_out[z_i] = z_t;\n    }\n}\n"
    return text


def in_products(names):
    """A spec whose products, intermediate arrays and functions of <math.h> meet the names; six make one operator."""
    text = "static float z_norm(float z_v) { return sqrtf(expf(z_v)) + (float)(half)z_v; }\n"
    for i in range(0, len(names), 6):
        six = (names[i:i + 6] + ["z_%d" % j for j in range(6)])[:6]
        text += ("void z_p%d(int {0}, int {1}, int {2}, const half {3}[{0}][{2}], const half {4}[{2}][{1}], half {5}[{0}][{1}])\n" % i).format(*six)
        text += """{{
    float z_t[{0}][{1}];
    for (int z_i = 0; z_i < {0}; z_i++)
        for (int z_j = 0; z_j < {1}; z_j++) {{
            float z_s = 0;
            for (int z_k = 0; z_k < {2}; z_k++)
                z_s += (float){3}[z_i][z_k] * (float){4}[z_k][z_j];
            z_t[z_i][z_j] = z_s;
        }}
    for (int z_i = 0; z_i < {0}; z_i++)
        for (int z_j = 0; z_j < {1}; z_j++)
            {5}[z_i][z_j] = (half)z_norm(z_t[{0} - 1 - z_i][z_j] / {1});
}}
""".format(*six)
    return text


def as_operators(names):
    return "".join("void %s(int z_n, float z_x[z_n])\n{\n    for (int z_i = 0; z_i < z_n; z_i++)\n        z_x[z_i] = 1;\n}\n" % n for n in names)


def check_operators(target, names):
    """Refuses names at their places, which are every fifth line; returns those that it does not refuse."""
    refused = set()
    message = mikgen(target, as_operators(names), "operators")
    for line, column, text in re.findall(r"(?m)^names.spec:(\d+):(\d+): error: (.*)", message):
        name = names[int(line) // 5]
        if int(line) % 5 != 1 or column != "6" or "'%s'" % name not in text:
            fail("a message about", name, ":", line, column, text)
        refused.add(name)
    for advice in re.findall(r"(?m)^help: (.*)", message):
        if "--prefix=my_" not in advice and "another name" not in advice:
            fail("no advice:", advice)
    return [n for n in names if n not in refused]


def some(names, step):
    return sorted(names)[::1 if os.environ.get("MIKGEN_NAMES") == "all" else step]


def chosen(table):
    """Names of the table, of headers, and of emitted files."""
    names = set()
    for kind, listed in table.items():
        if listed != sorted(set(listed)):
            fail(kind, "is out of order")
        names |= set(some(listed, {"MACRO": 4, "HEADER": 16}.get(kind, 1)))
    here = set().union(*reserved.headers().values()) - set().union(*table.values())
    names |= set(some(filter(reserved.RULES.match, here), 100)) | set(some((n for n in here if not reserved.RULES.match(n)), 4))
    ours = emitted()
    names |= set(some(filter(reserved.RULES.match, ours), 12)) | set(some((n for n in ours if not reserved.RULES.match(n)), 4))
    return names


def cuda_compiles(file):
    """As far as the first pass of nvcc goes, which reads all of the file for host and device."""
    steps = run("nvcc", "-arch=sm_80", "-std=c++17", "-cuda", "--dryrun", "-o", "out.ii", file).stderr
    commands = re.findall(r"(?m)^#\$ (gcc .* -E .*|cudafe\+\+ .*)$", steps)[:2]
    folder = os.path.dirname(os.path.realpath(shutil.which("nvcc")))
    commands = [re.sub(r'"/tmp/tmpxft_[^"]*-\d+_', '"', command) for command in commands]
    if len(commands) < 2 or "cudafe++" not in commands[1]:
        fail("nvcc's steps:", steps[:1000])
    compiles("env", "PATH=%s:%s" % (folder, os.environ["PATH"]), "sh", "-e", "-c", "\n".join(commands))


def main():
    table = reserved.sections(open(os.path.join(ROOT, "emit", "reserved.def")).read())
    candidates = chosen(table)
    names = parsable(candidates)
    few = parsable(table["OURS"] + ["memcpy", "memset", "free", "size_t", "int64_t", "uint32_t", "sqrtf", "expf", "float4", "dim3", "threadIdx"])
    standard = reserved.STANDARD + reserved.SYSTEM
    cpp = [h for h in standard if h not in ("stdatomic", "threads", "stdnoreturn", "complex")]

    generate("c", in_roles(names), "roles.c")
    compiles("gcc", "-std=c99", *WARNINGS, "-fsyntax-only", "roles.c")
    compiles("gcc", "-D_GNU_SOURCE", *WARNINGS, "-fsyntax-only", "roles.c")
    generate("c", in_roles(names), "roles.h", "--emit=header")
    for language, flags, headers in ("c", ["-std=gnu17"], standard), ("c++", ["-std=c++20"], cpp):
        suffix = "c" if language == "c" else "cc"
        open("use." + suffix, "w").write("".join("#include <%s.h>\n" % h for h in headers) + '#include "roles.h"\nint z_use;\n')
        compiles("gcc", "-x", language, *flags, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "use." + suffix)
    generate("c", in_products(few), "products.c", "--max-kernels=1")
    compiles("gcc", "-std=c99", *WARNINGS, "-fsyntax-only", "products.c")

    taken = set("printf memcpy malloc memset strlen free class and linux mik_gemm MIKGEN_TOO __x _x _Exit _exit EDOM".split())
    available = {"opt", "args", "dim3", "relu", "kernel", "I2C", "linux_", "mikado", "cuda"}
    every = parsable(candidates | taken | available, operators=True)
    if not taken | available <= set(every):
        fail("not tried:", sorted((taken | available) - set(every)))
    left = set(check_operators("c", every))
    if taken & left or available - left:
        fail("not refused, or without need:", sorted(taken & left | available - left))
    generate("c", as_operators(sorted(left - {"relu"})[::8] + ["relu"]), "operators.c")
    compiles("gcc", "-std=c99", *WARNINGS, "-fsyntax-only", "operators.c")
    prefixed = as_operators(sorted(taken | {"dim3", "float4", "norm"}))
    generate("c", prefixed, "prefixed.c", "--prefix=foo_")
    compiles("gcc", "-std=c99", *WARNINGS, "-fsyntax-only", "prefixed.c")
    if "foo_printf_with" not in open("prefixed.c").read():
        fail("--prefix=foo_")

    # Names that meet what the file calls things of an operator.
    clash = as_operators(["first"]) + "void second(int first_with, float first_args[first_with], float second_with[first_with], float x[first_with])\n"
    clash += "{\n    for (int second_args = 0; second_args < first_with; second_args++)\n        x[second_args] = first_args[second_args] + second_with[second_args];\n}\n"
    generate("c", clash, "clash.c")
    compiles("gcc", "-std=c99", *WARNINGS, "-fsyntax-only", "clash.c")
    message = mikgen("c", as_operators(["first", "first_with"]), "clash.c")
    if "names.spec:6:6: error: 'first_with' is what the file calls something of the operator 'first'" not in message:
        fail("first_with beside first:", message)

    if not shutil.which("nvcc"):
        print("note: there is no nvcc, so CUDA files are not compiled")
        return
    generate("cuda", in_roles(names), "roles.cu")
    generate("cuda", in_products(few), "products.cu", "--max-kernels=1")
    left = set(check_operators("cuda", every))
    if taken & left or {"dim3", "cudaFree", "norm", "CUdevice"} & left or {"relu", "cuda", "opt"} - left:
        fail("of names for CUDA are not refused, or without need:", sorted(left & (taken | {"dim3"})))
    generate("cuda", as_operators(sorted(left - {"relu"})[::8] + ["relu"]), "operators.cu")
    generate("cuda", prefixed, "prefixed.cu", "--prefix=foo_")
    for file in "roles.cu", "products.cu", "operators.cu", "prefixed.cu":
        cuda_compiles(file)


main()
