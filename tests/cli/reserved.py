# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that C's, C++'s and CUDA's headers take: python3 reserved.py TABLE > NEW_TABLE

Renews the sections of emit/reserved.def that come from headers, by what the compilers here say: macros by -dM, and what
stands at file scope in preprocessed text. Names that other systems' headers added before stay. As a module: the same for
tests, in headers().
"""
import re
import shutil
import subprocess
import sys
import tempfile

STANDARD = """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
stdbool stddef stdint stdio stdlib stdnoreturn string threads time uchar wchar wctype""".split()
SYSTEM = ["strings", "unistd", "immintrin", "omp"]
CUDA = ["cuda_runtime", "cuda_fp16", "cuda_bf16", "cuda"]

# Names that rules of emit/reserved.c know by how they begin.
RULES = re.compile(r"_|mik_|MIK|cuda[A-Z_]|CUDA|CU[a-z_]|cu[A-Z]|NV_|NVCL_")


def output(command, text):
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else ""


def at_file_scope(text):
    """Identifiers outside of parentheses, of bodies and of structs, and enumerators."""
    found, before, scopes, parentheses = set(), [], [], 0
    for token in re.finditer(r"[A-Za-z_]\w*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\d[\w.]*|[(){};]", re.sub("(?m)^#.*$", "", text)):
        word = token.group()
        if word in "()":
            parentheses = max(0, parentheses + (1 if word == "(" else -1))
        elif word == "{":
            linkage = len(before) > 1 and before[-2] == "extern" and before[-1][0] == '"'
            scopes.append((linkage or "enum" in before, parentheses))
            before, parentheses = [], 0
        elif word == "}":
            parentheses = scopes.pop()[1] if scopes else 0
            before = []
        elif word == ";":
            before = before if parentheses else []
        elif not parentheses:
            before.append(word)
            if (word[0].isalpha() or word[0] == "_") and all(open_scope for open_scope, _ in scopes):
                found.add(word)
    return {name for name in found if len(name) > 1}


def words(text, after):
    """Names that the text defines as macros, followed by `after`."""
    return set(re.findall(r"(?m)^#define (\w+)" + after, text))


def clashing(names):
    """Those that nvcc lets no function with C linkage have: others become overloads."""
    include = "".join("#include <%s.h>\n" % name for name in CUDA)
    left, bad = sorted(names), set()
    while left:
        lines = ['extern "C" cudaError_t %s(int n, const float *array) { return cudaSuccess; }\n' % name for name in left]
        with tempfile.TemporaryDirectory() as folder:
            open(folder + "/names.cu", "w").write(include + "".join(lines))
            result = subprocess.run(["nvcc", "-arch=sm_90a", "-cuda", "-o", "out.ii", "names.cu"], cwd=folder, capture_output=True, text=True)
        numbers = {int(n) - 1 - len(CUDA) for n in re.findall(r"(?m)^names\.cu[(:](\d+)", result.stderr + result.stdout)}
        new = {left[n] for n in numbers if 0 <= n < len(left)}
        if not new:
            break
        bad |= new
        left = [name for name in left if name not in bad]
    return bad


def headers():
    """{"MACRO", "HEADER", "CUDA_MACRO", "CUDA_HEADER"}: sets of names; those of CUDA are empty without nvcc."""
    include = "".join("#include <%s.h>\n" % name for name in STANDARD + SYSTEM)
    macro, header = set(), set()
    for standard in ["-std=c99"], ["-std=gnu17", "-D_GNU_SOURCE"]:
        gcc = ["gcc", *standard, "-fopenmp", "-E", "-"]
        listed = output(gcc + ["-dM"], include)
        macro |= words(listed, r"(?:\s|$)")
        header |= words(listed, r"\(") | at_file_scope(output(gcc, include))
    cuda_macro, cuda_header = set(), set()
    if shutil.which("nvcc"):
        include = "".join("#include <%s.h>\n" % name for name in CUDA + ["math", "stdarg", "stddef", "stdint", "stdio"])
        nvcc = ["nvcc", "-arch=sm_90a", "-E", "-x", "cu", "-"]
        listed = output(nvcc + ["-Xcompiler", "-dM"], include)
        cuda_macro = words(listed, r"(?:\s|$)")
        cuda_header = words(listed, r"\(") | at_file_scope(output(nvcc, include))
    return {"MACRO": macro, "HEADER": header - macro, "CUDA_MACRO": cuda_macro - macro, "CUDA_HEADER": cuda_header - cuda_macro - header - macro}


def sections(table):
    """{kind: names} of the text of emit/reserved.def, in its order."""
    return {kind: re.findall(r'"(\w+)"', body) for kind, body in re.findall(r"(?s)RESERVED\((\w+),(.*?)\)\n", table)}


def main():
    table = open(sys.argv[1]).read()
    kept, found = sections(table), headers()
    found["CUDA_HEADER"] = clashing({name for name in found["CUDA_HEADER"] if not RULES.match(name)})
    by_hand = set().union(*(names for kind, names in kept.items() if kind not in found))

    def renewed(match):
        kind = match.group(1)
        if kind not in found:
            names = set(kept[kind])
        else:
            names = {n for n in found[kind] | set(kept[kind]) if not RULES.match(n)} - by_hand
        lines, line = [], "   "
        for name in sorted(names):
            item = ' "%s",' % name
            if len(line) + len(item) > 140:
                lines.append(line)
                line = "   "
            line += item
        return "RESERVED(%s,\n%s)\n" % (kind, "\n".join(lines + [line]).rstrip(","))

    sys.stdout.write(re.sub(r"(?s)RESERVED\((\w+),(.*?)\)\n", renewed, table))


if __name__ == "__main__":
    main()
