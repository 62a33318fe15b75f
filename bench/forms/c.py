# SPDX-License-Identifier: GPL-3.0-or-later
"""A small C: parses the operators of specs/, and prints trees.

Expressions are tuples: ("leaf", text), ("index", name, subscripts), ("call", name, arguments), ("cast", type, e), ("unary", op, e),
("binary", op, a, b), ("choice", c, a, b). Statements are the classes below; a body is a list of them.
"""
import re
from dataclasses import dataclass, field, replace

TYPES = {"void", "int", "long", "float", "double", "int8_t", "uint8_t", "const"}
TOKEN = re.compile(r"/\*.*?\*/|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFuUlL]*|[-+*/%]=|\+\+|--|[<>=!]=|&&|\|\||[^\s]", re.S)
LEVELS = [["||"], ["&&"], ["==", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]]


@dataclass
class Declare:
    type: str
    name: str
    extents: list
    value: tuple = None


@dataclass
class Assign:
    target: tuple
    op: str
    value: tuple


@dataclass
class For:
    """for (int v = low; v < high; v += step). down: from high - 1 to low. form: how it is spelled."""
    variable: str
    low: tuple
    high: tuple
    body: list
    step: int = 1
    form: str = "for"
    type: str = "int"


@dataclass
class If:
    condition: tuple
    then: list
    other: list = field(default_factory=list)


@dataclass
class Text:
    """A statement as it is printed."""
    text: str


@dataclass
class Parameter:
    type: str
    name: str
    extents: list


@dataclass
class Function:
    name: str
    parameters: list
    body: list
    note: str = ""
    before: list = field(default_factory=list)  # macros and helpers


class Parser:
    def __init__(self, text):
        text = re.sub(r"^#.*$", "", text, flags=re.M)
        self.tokens, self.at = TOKEN.findall(text), 0

    @property
    def next(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.next
        if wanted and token != wanted:
            raise ValueError(f"'{wanted}' expected, not '{' '.join(self.tokens[self.at:self.at + 8])}'")
        self.at += 1
        return token

    def accept(self, token):
        if self.next == token:
            self.at += 1
            return True
        return False

    def functions(self):
        note = ""
        while self.next:
            if self.next.startswith("/*"):
                note = self.take()[2:-2].strip()
                continue
            self.take("void")
            name, parameters = self.take(), []
            self.take("(")
            while not self.accept(")"):
                parameters.append(Parameter(self.type(), self.take(), self.extents()))
                self.accept(",")
            yield Function(name, parameters, self.block(), note)

    def type(self):
        words = []
        while self.next in TYPES:
            words.append(self.take())
        return " ".join(words)

    def extents(self):
        found = []
        while self.accept("["):
            found.append(self.expression())
            self.take("]")
        return found

    def block(self):
        if not self.accept("{"):
            return self.statement()
        found = []
        while not self.accept("}"):
            found += self.statement()
        return found

    def statement(self):
        if self.next == "for":
            return [self.loop()]
        if self.accept("if"):
            self.take("(")
            condition = self.expression()
            self.take(")")
            then = self.block()
            return [If(condition, then, self.block() if self.accept("else") else [])]
        if self.next in TYPES:
            return self.declaration()
        target, op = self.primary(), self.take()
        value = self.expression()
        self.take(";")
        return [Assign(target, op, value)]

    def declaration(self):
        type_, found = self.type(), []
        while True:
            name, extents = self.take(), self.extents()
            found.append(Declare(type_, name, extents, self.expression() if self.accept("=") else None))
            if self.accept(";"):
                return found
            self.take(",")

    def loop(self):
        for word in ("for", "(", "int"):
            self.take(word)
        variable = self.take()
        self.take("=")
        low = self.expression()
        for word in (";", variable, "<"):
            self.take(word)
        high = self.expression()
        for word in (";", variable, "++", ")"):
            self.take(word)
        return For(variable, low, high, self.block())

    def expression(self, level=-1):
        if level < 0:
            condition = self.expression(0)
            if not self.accept("?"):
                return condition
            yes = self.expression()
            self.take(":")
            return ("choice", condition, yes, self.expression())
        if level == len(LEVELS):
            return self.primary()
        left = self.expression(level + 1)
        while self.next in LEVELS[level]:
            left = ("binary", self.take(), left, self.expression(level + 1))
        return left

    def primary(self):
        if self.next in ("-", "!"):
            return ("unary", self.take(), self.primary())
        if self.accept("("):
            if self.next in TYPES:
                type_ = self.type()
                self.take(")")
                return ("cast", type_, self.primary())
            inner = self.expression()
            self.take(")")
            return inner
        name = self.take()
        if self.accept("("):
            arguments = []
            while not self.accept(")"):
                arguments.append(self.expression())
                self.accept(",")
            return ("call", name, arguments)
        subscripts = self.extents()
        return ("index", name, subscripts) if subscripts else ("leaf", name)


def level_of(e):
    if e[0] == "choice":
        return -1
    if e[0] == "binary":
        return next(i for i, ops in enumerate(LEVELS) if e[1] in ops)
    return len(LEVELS)


def show(e, least=-1):
    """The text of an expression. least: what binds less is put in parentheses."""
    kind = e[0]
    if kind == "leaf":
        return e[1]
    if kind == "index":
        return e[1] + "".join(f"[{show(s)}]" for s in e[2])
    if kind == "call":
        return f"{e[1]}({', '.join(show(a) for a in e[2])})"
    if kind == "cast":
        return f"({e[1]}){show(e[2], len(LEVELS))}"
    if kind == "unary":
        return f"{e[1]}{show(e[2], len(LEVELS))}"
    level = level_of(e)
    if kind == "choice":
        text = f"{show(e[1], 0)} ? {show(e[2], 0)} : {show(e[3])}"
    else:
        text = f"{show(e[2], level)} {e[1]} {show(e[3], level + 1)}"
    return f"({text})" if level < least else text


def declared(type_, name, extents):
    return f"{type_} {name}" + "".join(f"[{show(e)}]" for e in extents)


def heads(s):
    """What opens a loop, and the statement that its body ends with."""
    v, low, high, t = s.variable, show(s.low), show(s.high), s.type
    step = f"{v}++" if s.step == 1 else f"{v} += {s.step}"
    if s.form == "down":
        return f"for ({t} {v} = {show(('binary', '-', s.high, ('leaf', '1')))}; {v} >= {low}; {v}--)", None
    if s.form == "closed":
        return f"for ({t} {v} = {low}; {v} <= {show(('binary', '-', s.high, ('leaf', '1')))}; {step})", None
    if s.form == "while":
        return f"{t} {v} = {low};\n while ({v} < {show(s.high, 4)})", f"{step};"
    return f"for ({t} {v} = {low}; {v} < {show(s.high, 4)}; {step})", None


def lines(body, indent):
    pad = "    " * indent
    for s in body:
        if isinstance(s, Declare):
            yield f"{pad}{declared(s.type, s.name, s.extents)}{' = ' + show(s.value) if s.value else ''};"
        elif isinstance(s, Assign):
            yield f"{pad}{show(s.target)} {s.op} {show(s.value)};"
        elif isinstance(s, Text):
            yield f"{pad}{s.text}"
        elif isinstance(s, If):
            yield f"{pad}if ({show(s.condition)}) {{"
            yield from lines(s.then, indent + 1)
            if s.other:
                yield f"{pad}}} else {{"
                yield from lines(s.other, indent + 1)
            yield pad + "}"
        else:
            head, last = heads(s)
            if s.form == "while":  # a block of its own, as its variable is declared
                yield pad + "{"
            yield from (pad + line.strip() for line in f"{head} {{".split("\n"))
            yield from lines(s.body, indent + 1)
            if last:
                yield f"{pad}    {last}"
            yield pad + "}"
            if s.form == "while":
                yield pad + "}"


def text_of(function, name):
    parameters = ", ".join(declared(p.type, p.name, p.extents) for p in function.parameters)
    before = [line.replace("HELPER", f"helper_of_{name}") for line in function.before]
    body = [line.replace("HELPER", f"helper_of_{name}") for line in lines(function.body, 1)]
    return "\n".join([*before, f"void {name}({parameters})", "{", *body, "}"])


def map_expression(e, change):
    """The expression with `change` applied to each part of it, from the inside out."""
    kind = e[0]
    again = lambda x: map_expression(x, change)
    if kind in ("index", "call"):
        e = (kind, e[1], [again(x) for x in e[2]])
    elif kind in ("cast", "unary"):
        e = (kind, e[1], again(e[2]))
    elif kind == "binary":
        e = (kind, e[1], again(e[2]), again(e[3]))
    elif kind == "choice":
        e = (kind, *map(again, e[1:]))
    return change(e)


def map_body(body, change):
    """The body with `change` applied to each expression in it."""
    again = lambda e: map_expression(e, change)
    found = []
    for s in body:
        if isinstance(s, Declare):
            found.append(replace(s, extents=[again(e) for e in s.extents], value=s.value and again(s.value)))
        elif isinstance(s, Assign):
            found.append(Assign(again(s.target), s.op, again(s.value)))
        elif isinstance(s, For):
            found.append(replace(s, low=again(s.low), high=again(s.high), body=map_body(s.body, change)))
        elif isinstance(s, If):
            found.append(If(again(s.condition), map_body(s.then, change), map_body(s.other, change)))
        else:
            found.append(s)
    return found


def rename(body, old, new):
    """new: an expression."""
    return map_body(body, lambda e: new if e == ("leaf", old) else e)


def expressions(body):
    """All of them, with their parts."""
    found = []

    def note(e):
        found.append(e)
        return e
    map_body(body, note)
    return found


def names_in(e):
    found = set()

    def note(x):
        if x[0] in ("leaf", "index"):
            found.add(x[1])
        return x
    map_expression(e, note)
    return found


def names(body):
    return set().union(*(names_in(e) for e in expressions(body) if e[0] in ("leaf", "index")), set())


def statements(body):
    """All of them, outside in."""
    for s in body:
        yield s
        for inner in (getattr(s, "body", []), getattr(s, "then", []), getattr(s, "other", [])):
            yield from statements(inner)


def rewrite(body, change):
    """Each list of statements is given to `change`, outside in, until it returns another list: the body with that in its place, or None."""
    other = change(body)
    if other is not None:
        return other
    for i, s in enumerate(body):
        for part in ("body", "then", "other"):
            inner = getattr(s, part, None)
            if inner:
                other = rewrite(inner, change)
                if other is not None:
                    return [*body[:i], replace(s, **{part: other}), *body[i + 1:]]
    return None
