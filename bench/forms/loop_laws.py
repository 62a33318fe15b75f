# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of loops: their order, their parts, their bounds, the arrays between them."""
from dataclasses import replace

from c import Assign, Declare, For, Text, map_body, names, names_in, rename, rewrite, statements
from law import (LAWS, all_statements, any_order, declared_in, each_statement, fresh, in_lists, kept_apart, law, leaf, plus, type_of,
                 written)


@law
def interchange(function):
    def change(body):
        for i, s in enumerate(body):
            if isinstance(s, For) and len(s.body) == 1 and isinstance(s.body[0], For):
                inner = s.body[0]
                free = s.variable not in names_in(inner.low) | names_in(inner.high)
                if free and any_order(s) and any_order(inner):
                    return [*body[:i], replace(inner, body=[replace(s, body=inner.body)]), *body[i + 1:]]
        return None
    return in_lists(change)(function)


@law
def interchange_inner(function):
    """The innermost of the nests that may be interchanged."""
    def change(s):
        if isinstance(s, For) and len(s.body) == 1 and isinstance(s.body[0], For) and not (
                len(s.body[0].body) == 1 and isinstance(s.body[0].body[0], For)):
            inner = s.body[0]
            if s.variable not in names_in(inner.low) | names_in(inner.high) and any_order(s) and any_order(inner):
                return [replace(inner, body=[replace(s, body=inner.body)])]
        return None
    return all_statements(function, change)


@law
def distribute(function):
    """A loop around two statements becomes two loops."""
    def change(body):
        for i, s in enumerate(body):
            if not isinstance(s, For) or has_jump(s):
                continue
            for cut in range(1, len(s.body)):
                first, rest = s.body[:cut], s.body[cut:]
                if declared_in([x for x in first if isinstance(x, Declare)]) & names(rest):
                    continue
                shared = (written(first) & names(rest)) | (written(rest) & names(first))
                if all(kept_apart(s.variable, [first, rest], name) for name in shared):
                    return [*body[:i], replace(s, body=first), replace(s, body=rest), *body[i + 1:]]
        return None
    return in_lists(change)(function)


@law
def fuse(function):
    """Two loops of the same range become one."""
    def change(body):
        for i in range(len(body)):
            if not isinstance(body[i], For):
                continue
            for j in range(i + 1, len(body)):
                if isinstance(body[j], For):
                    break
            else:
                continue
            a, b, between = body[i], body[j], body[i + 1:j]
            if not all(isinstance(s, Declare) and not names_in(s.value or leaf("0")) & written(a.body) for s in between):
                continue
            if (a.low, a.high, a.form, a.step) != (b.low, b.high, b.form, b.step) or has_jump(a) or has_jump(b):
                continue
            second = rename(with_variable(b.body, a.variable, fresh(function, a.variable)), b.variable, leaf(a.variable))
            if declared_in(a.body) & (declared_in(second) | names(second)):
                for name in declared_in(a.body) & declared_in(second):
                    second = renamed(second, name, name + "2")
            shared = (written(a.body) & names(second)) | (written(second) & names(a.body))
            shared |= written(a.body) & written(second)
            if all(kept_apart(a.variable, [a.body, second], name) for name in shared):
                return [*body[:i], *between, replace(a, body=[*a.body, *second]), *body[j + 1:]]
        return None
    return in_lists(change)(function)


def with_variable(body, old, new):
    """Loops over a variable of the name get another one."""
    def change(s):
        if isinstance(s, For) and s.variable == old:
            return [replace(s, variable=new, body=rename(s.body, old, leaf(new)))]
        return None
    return each_statement(body, change)


def renamed(body, old, new):
    """A local variable, with its declaration."""
    def change(s):
        return [replace(s, name=new, value=s.value)] if isinstance(s, Declare) and s.name == old else None
    body = each_statement(body, change)
    return map_body(body, lambda e: (e[0], new, *e[2:]) if e[0] in ("leaf", "index") and e[1] == old else e)


@law
def split_all(function):
    """Accumulators and rows become arrays outside of the loops, and each statement gets a nest of its own."""
    now, changed = expand(told_apart(function)), None
    for _ in range(8):
        if not now:
            break
        changed = now
        now = distribute(now) or expand(now)
    return changed


def told_apart(function):
    """Variables of the same name in two blocks get names of their own."""
    def change(body):
        for i, s in enumerate(body):
            inner = getattr(s, "body", [])
            for d in inner:
                if isinstance(d, Declare) and not declared_once(function, d.name):
                    return [*body[:i], replace(s, body=renamed(inner, d.name, fresh(function, f"{d.name}{i}"))), *body[i + 1:]]
        return None
    for _ in range(8):
        body = rewrite(function.body, change)
        if body is None:
            break
        function = replace(function, body=body)
    return function


@law
def expand(function):
    """What a loop declares becomes an array outside, with an element for each iteration."""
    def change(body):
        for i, s in enumerate(body):
            if isinstance(s, For) and s.low == leaf("0") and s.step == 1:
                for j, d in enumerate(s.body):
                    if isinstance(d, Declare) and declared_once(function, d.name):
                        return [*body[:i], Declare(d.type, d.name, [s.high, *d.extents]), *into_array(s, j, d), *body[i + 1:]]
        return None
    return in_lists(change)(function)


def declared_once(function, name):
    return sum(isinstance(s, Declare) and s.name == name for s in statements(function.body)) == 1


def into_array(loop, at, d):
    place = leaf(loop.variable)
    to = lambda e: ("index", d.name, [place, *(e[2] if e[0] == "index" else [])])
    inner = map_body([*loop.body[:at], *loop.body[at + 1:]], lambda e: to(e) if e[0] in ("leaf", "index") and e[1] == d.name else e)
    first = [Assign(("index", d.name, [place]), "=", d.value)] if d.value else []
    return [replace(loop, body=[*inner[:at], *first, *inner[at:]])]


@law
def strip(function):
    """The first loop runs by blocks of 32."""
    def change(body):
        for i, s in enumerate(body):
            if isinstance(s, For) and s.low == leaf("0") and s.form == "for" and s.step == 1:
                outer = s.variable + "0"
                end = plus(leaf(outer), leaf("32"))
                inner = replace(s, low=leaf(outer), high=("choice", ("binary", "<", end, s.high), end, s.high))
                return [*body[:i], replace(s, variable=outer, step=32, body=[inner]), *body[i + 1:]]
        return None
    return in_lists(change)(function)


@law
def down(function):
    """Loops whose order makes no difference count down."""
    return all_statements(function, lambda s: [replace(s, form="down", body=each_statement(s.body, down_one))]
                          if down_one(s) else None)


def down_one(s):
    if isinstance(s, For) and s.form == "for" and s.step == 1 and any_order(s):
        return [replace(s, form="down", body=each_statement(s.body, down_one))]
    return None


def has_jump(s):
    """It ends iterations early, or has a declaration that is kept as text."""
    return any(isinstance(x, Text) for x in s.body)


def spelled(form):
    def of(s):
        fits = isinstance(s, For) and s.form == "for" and not (form == "while" and has_jump(s))
        return [replace(s, form=form, body=each_statement(s.body, of))] if fits else None
    return of


@law
def closed_bounds(function):
    return all_statements(function, spelled("closed"))


@law
def while_loops(function):
    return all_statements(function, spelled("while"))


@law
def long_variables(function):
    def of(s):
        return [replace(s, type="long", body=each_statement(s.body, of))] if isinstance(s, For) and s.type == "int" else None
    return all_statements(function, of)


def innermost(s):
    return isinstance(s, For) and not any(isinstance(x, For) for x in statements(s.body))


def sums_alone(s):
    return innermost(s) and s.step == 1 and all(isinstance(x, Assign) for x in s.body)


def unrolled(times, apart):
    """Sums run by so many terms an iteration; apart: each into an accumulator of its own."""
    def change(function):
        def of(s):
            if not sums_alone(s) or s.low != leaf("0") or s.form != "for":
                return None
            single = len(s.body) == 1 and s.body[0].target[0] == "leaf" and s.body[0].op == "+="
            if apart and not single:
                return None
            whole = ("binary", "*", ("binary", "/", s.high, leaf(times)), leaf(times))
            copies = [rename(s.body, s.variable, plus(leaf(s.variable), leaf(i)) if i else leaf(s.variable)) for i in range(times)]
            rest = replace(s, low=whole)
            if not apart:
                return [replace(s, high=whole, step=times, body=sum(copies, [])), rest]
            sum_ = s.body[0].target[1]
            others = [f"{sum_}{i}" for i in range(1, times)]
            type_ = type_of(function, sum_)
            for copy, name in zip(copies[1:], others):
                copy[0].target = leaf(name)
            return [*(Declare(type_, name, [], leaf("0")) for name in others), replace(s, high=whole, step=times, body=sum(copies, [])), rest,
                    *(Assign(leaf(sum_), "+=", leaf(name)) for name in others)]
        fits = [s for s in statements(function.body) if of(s)]
        if apart and len(fits) > len({s.body[0].target[1] for s in fits}):
            fits = fits[:1]
        return all_statements(function, lambda s: of(s) if any(s is f for f in fits) else None)
    return change


LAWS["unroll_2"] = unrolled(2, False)
LAWS["unroll_4"] = unrolled(4, False)
LAWS["unroll_2_sums"] = unrolled(2, True)
LAWS["unroll_4_sums"] = unrolled(4, True)


# Conditions.
