# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws by which an operator is written in another form. Each takes a function's tree and returns another one, or None where it does not fit."""
from dataclasses import replace

from c import Assign, Declare, For, expressions, map_body, names, rewrite, statements

LAWS = {}


def law(change):
    LAWS[change.__name__] = change
    return change


def leaf(text):
    return ("leaf", str(text))


def plus(a, b):
    return ("binary", "+", a, b)


def with_body(function, body):
    return body and replace(function, body=body)


def in_lists(change):
    """The law of a change of one list of statements."""
    return lambda function: with_body(function, rewrite(function.body, change))


def everywhere(function, change):
    """A change of each expression."""
    body = map_body(function.body, change)
    return replace(function, body=body) if body != function.body else None


def each_statement(body, change):
    """`change` of a statement is a list, or None: as it is."""
    found = []
    for s in body:
        other = change(s)
        if other is not None:
            found += other
            continue
        parts = {part: each_statement(getattr(s, part), change) for part in ("body", "then", "other") if hasattr(s, part)}
        found.append(replace(s, **parts) if parts else s)
    return found


def all_statements(function, change):
    body = each_statement(function.body, change)
    return replace(function, body=body) if body != function.body else None


def fresh(function, name):
    used = names(function.body) | {p.name for p in function.parameters} | {s.name for s in statements(function.body) if isinstance(s, Declare)}
    used |= {s.variable for s in statements(function.body) if isinstance(s, For)}
    while name in used:
        name += "_"
    return name


def type_of(function, name):
    for s in [*function.parameters, *statements(function.body)]:
        if getattr(s, "name", None) == name:
            return s.type.replace("const ", "")
    return None


# What is written and read.

def written(body):
    return {s.target[1] for s in statements(body) if isinstance(s, Assign)}


def accesses(body, name):
    return [e for e in expressions(body) if e[0] in ("leaf", "index") and e[1] == name]


def declared_in(body):
    return {s.name for s in statements(body) if isinstance(s, Declare)}


def kept_apart(variable, bodies, name):
    """Each access has the variable alone in one and the same subscript: iterations do not meet."""
    found = [e for body in bodies for e in accesses(body, name)]
    if any(e[0] == "leaf" for e in found):
        return False
    return any(all(len(e[2]) > d and e[2][d] == leaf(variable) for e in found) for d in range(len(found[0][2])))


def reduces(body, name):
    """The body does nothing to it but add, or take the larger."""
    of_it = [s for s in statements(body) if isinstance(s, Assign) and s.target[1] == name]
    ok = all(s.op == "+=" or (s.op == "=" and s.value[0] == "call" and s.value[1] in ("fmaxf", "fminf") and s.value[2][0] == s.target)
             for s in of_it)
    reads = len([e for e in accesses(body, name)]) - sum(1 if s.op == "+=" else 2 for s in of_it)
    return ok and reads <= 0


def any_order(loop):
    """The loop's iterations may run in any order."""
    outside = written(loop.body) - declared_in(loop.body)
    return all(kept_apart(loop.variable, [loop.body], name) or reduces(loop.body, name) for name in outside)


# Orders and shapes of loops.
