#!/usr/bin/env python3
"""Whether two C or CUDA files say the same: same_code.py EXPECTED ACTUAL [EXPECTED ACTUAL...]

What does not count: white space, comments, redundant parentheses, braces around one statement, the names of
temporaries (const locals named t0, t1, ...), the order of adjacent temporaries that do not need one another,
#include <stdbool.h>, and the conversion in ((int)threadIdx.x). Everything else does: the shape of every
expression, types, the place of every temporary. Prints the difference; exit status 1 if there is one.
"""
import difflib
import re
import sys

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|(\#[^\n]*|[A-Za-z_]\w*(?:\.[xyz]\b)?|(?:\d|\.\d)(?:[eEpP][+-]|[\w.])*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'
    |<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""", re.X | re.S)
TYPES = set("""void bool _Bool char short int long float double signed unsigned const volatile static restrict __restrict__
    __shared__ __global__ __device__ size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t extern inline
    register struct""".split())
BINARY = {}
for level, ops in enumerate("|| && | ^ &".split() + ["== !=", "< > <= >=", "<< >>", "+ -", "* / %"]):
    for op in ops.split():
        BINARY[op] = level
ASSIGN = set("= += -= *= /= %= &= |= ^= <<= >>=".split())


class Parser:
    def __init__(self, text):
        self.tokens = [m.group(1) for m in TOKEN.finditer(text) if m.group(1)] + [""]
        self.at = 0

    @property
    def tok(self):
        return self.tokens[self.at]

    def take(self, expected=None):
        t = self.tok
        if expected is not None and t != expected:
            around = " ".join(self.tokens[max(0, self.at - 8):self.at + 8])
            sys.exit(f"same_code: '{expected}' expected near: {around}")
        self.at += 1
        return t

    # Expressions, with every parenthesis written.
    def primary(self):
        if self.tok == "(":
            self.take()
            if self.tok in TYPES:
                words = []
                while self.tok != ")":
                    words.append(self.take())
                self.take(")")
                operand = self.unary()
                if words == ["int"] and re.fullmatch(r"(thread|block)Idx\.[xyz]|(block|grid)Dim\.[xyz]", operand):
                    return operand
                return f"(({' '.join(words)}){operand})"
            e = self.expression()
            self.take(")")
        else:
            e = self.take()
        while self.tok in ("(", "[", "++", "--", ".", "->"):
            op = self.take()
            if op == "(":
                args = []
                while self.tok != ")":
                    args.append(self.assignment())
                    if self.tok == ",":
                        self.take()
                self.take(")")
                e = f"{e}({', '.join(args)})"
            elif op == "[":
                e = f"{e}[{self.expression()}]"
                self.take("]")
            elif op in ("++", "--"):
                e = f"({e}{op})"
            else:
                e = f"{e}{op}{self.take()}"
        return e

    def unary(self):
        if self.tok in ("-", "+", "!", "~", "*", "&", "++", "--"):
            op = self.take()
            return f"({op}{self.unary()})"
        return self.primary()

    def binary(self, level):
        a = self.unary()
        while BINARY.get(self.tok, -1) >= level:
            op = self.take()
            a = f"({a} {op} {self.binary(BINARY[op] + 1)})"
        return a

    def assignment(self):
        a = self.binary(0)
        if self.tok == "?":
            self.take()
            b = self.expression()
            self.take(":")
            return f"({a} ? {b} : {self.assignment()})"
        if self.tok in ASSIGN:
            op = self.take()
            return f"{a} {op} {self.assignment()}"
        return a

    def expression(self):
        e = self.assignment()
        while self.tok == ",":
            self.take()
            e = f"{e}, {self.assignment()}"
        return e

    # Statements: a list of lines, or ("temp", type, name, value).
    def declaration(self):
        words = []
        while self.tok in TYPES:
            words.append(self.take())
        declared = []
        while True:
            stars = ""
            while self.tok in ("*", "const", "restrict"):
                stars += self.take()
            name = self.take()
            while self.tok == "[":
                self.take()
                name += f"[{self.expression() if self.tok != ']' else ''}]"
                self.take("]")
            value = None
            if self.tok == "=":
                self.take()
                if self.tok == "{":
                    depth, words_of = 0, []
                    while True:
                        depth += {"{": 1, "}": -1}.get(self.tok, 0)
                        words_of.append(self.take())
                        if depth == 0:
                            break
                    value = " ".join(words_of)
                else:
                    value = self.assignment()
            declared.append((" ".join(words) + stars, name, value))
            if self.tok != ",":
                return declared
            self.take()

    def body(self):
        if self.tok == "{":
            return self.block()
        return self.statement()

    def block(self):
        self.take("{")
        lines = []
        while self.tok != "}":
            lines += self.statement()
        self.take("}")
        return lines

    def statement(self):
        t = self.tok
        if t == "{":
            return ["{"] + indent(self.block()) + ["}"]
        if t == ";":
            self.take()
            return []
        if t.startswith("#"):
            return [self.take()]
        if t == "if":
            self.take()
            self.take("(")
            lines = [f"if ({self.expression()}) {{"]
            self.take(")")
            lines += indent(self.body())
            if self.tok == "else":
                self.take()
                lines += ["} else {"] + indent(self.body())
            return lines + ["}"]
        if t in ("for", "while"):
            self.take()
            self.take("(")
            if t == "while":
                head = self.expression()
            else:
                start = self.declaration() if self.tok in TYPES else [] if self.tok == ";" else [self.expression()]
                self.take(";")
                cond = self.expression() if self.tok != ";" else ""
                self.take(";")
                step = self.expression() if self.tok != ")" else ""
                head = f"{start}; {cond}; {step}"
            self.take(")")
            return [f"{t} ({head}) {{"] + indent(self.body()) + ["}"]
        if t == "do":
            self.take()
            lines = ["do {"] + indent(self.body())
            self.take("while")
            self.take("(")
            lines.append(f"}} while ({self.expression()})")
            self.take(")")
            self.take(";")
            return lines
        if t in ("break", "continue", "return"):
            self.take()
            lines = [t if self.tok == ";" else f"{t} {self.expression()}"]
            self.take(";")
            return lines
        if t in TYPES:
            lines = []
            for type_, name, value in self.declaration():
                if re.fullmatch(r"t\d+", name) and value is not None and type_.startswith("const "):
                    lines.append(("temp", type_, name, value))
                else:
                    lines.append(f"{type_} {name}" + (f" = {value}" if value is not None else ""))
            self.take(";")
            return lines
        lines = [self.expression()]
        self.take(";")
        return lines

    def file(self):
        lines = []
        while self.tok:
            if self.tok.startswith("#"):
                directive = self.take()
                if directive.split() != ["#include", "<stdbool.h>"]:
                    lines.append(directive)
                continue
            head = []
            while self.tok not in ("{", ";", "=", ""):
                head.append(self.take())
            if self.tok == "{" and head and head[-1] == ")":
                lines += [" ".join(head)] + indent(self.block())
            else:
                while self.tok not in (";", ""):
                    head.append(self.take())
                self.take(";")
                lines.append(" ".join(head))
        return lines


def indent(lines):
    return [("in", line) if isinstance(line, (str, tuple)) else line for line in lines]


def depth_and_line(line):
    depth = 0
    while isinstance(line, tuple) and line[0] == "in":
        depth, line = depth + 1, line[1]
    return depth, line


def rename(text, names):
    return re.sub(r"\bt\d+\b", lambda m: names.get(m.group(0), m.group(0)), text)


def canonical(lines):
    """Text lines with temporaries named in an order that only their values decide."""
    out, names, count, at = [], {}, 0, 0
    while at < len(lines):
        depth, line = depth_and_line(lines[at])
        if isinstance(line, str):
            if depth == 0:
                names = {}
            out.append("  " * depth + rename(line, names))
            at += 1
            continue
        run = []
        while at < len(lines) and isinstance(depth_and_line(lines[at])[1], tuple):
            run.append(depth_and_line(lines[at])[1])
            at += 1
        declared = {temp[2] for temp in run}
        for name in declared:
            names.pop(name, None)
        while run:
            ready = [t for t in run if not any(w in declared for w in re.findall(r"\bt\d+\b", t[3]) if w not in names)]
            if not ready:
                sys.exit("same_code: temporaries that need one another")
            first = min(ready, key=lambda t: (rename(t[3], names), t[1]))
            run.remove(first)
            value = rename(first[3], names)
            names[first[2]] = f"temp{count}"
            out.append("  " * depth + f"{first[1]} temp{count} = {value}")
            count += 1
    return out


def main():
    different = 0
    for one, other in zip(sys.argv[1::2], sys.argv[2::2]):
        expected, actual = (canonical(Parser(open(name).read()).file()) for name in (one, other))
        if expected != actual:
            different = 1
            for line in difflib.unified_diff(expected, actual, one, other, lineterm="", n=2):
                print(line)
    return different


if __name__ == "__main__":
    sys.exit(main())
