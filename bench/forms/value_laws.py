# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws of what loops compute: conditions, sums, factors, subscripts, helpers."""
from dataclasses import replace

from c import Assign, Declare, For, If, Text, expressions, map_body, map_expression, names, names_in, rename, show, statements
from law import all_statements, declared_in, each_statement, everywhere, in_lists, law, leaf, plus, type_of, written
from loop_laws import distribute, innermost


@law
def guards(function):
    """Loops up to a place in another loop run all the way, with a condition inside."""
    loops = {s.variable: s for s in statements(function.body) if isinstance(s, For)}

    def of(s):
        if isinstance(s, For):
            others = names_in(s.high) & set(loops)
            if len(others) == 1 and s.high[:2] == ("binary", "+"):
                high = map_expression(s.high, lambda e: ("binary", "-", loops[e[1]].high, leaf("1")) if e == leaf(min(others)) else e)
                if high == plus(("binary", "-", loops[min(others)].high, leaf("1")), leaf("1")):
                    high = loops[min(others)].high
                return [replace(s, high=high, body=[If(("binary", "<", leaf(s.variable), s.high), each_statement(s.body, of))])]
        return None
    return all_statements(function, of)


def conditional(value):
    """The condition, and the values with and without it."""
    if value[0] == "choice":
        return value[1:]
    if value[0] == "call" and value[1] in ("fmaxf", "fminf"):
        a, b = value[2]
        return ("binary", ">" if value[1] == "fmaxf" else "<", a, b), a, b
    return None


@law
def ifs(function):
    """Values that hang on a condition are assigned in the branches of an if."""
    def of(s):
        if isinstance(s, Assign) and s.op == "=" and conditional(s.value):
            condition, a, b = conditional(s.value)
            if s.target == a and s.value[0] == "call":  # a reduction
                return [If(("binary", condition[1], b, a), [Assign(s.target, "=", b)])]
            return [If(condition, [Assign(s.target, "=", a)], [Assign(s.target, "=", b)])]
        return None
    return all_statements(function, of)


@law
def ternaries(function):
    """Ifs that assign, fmaxf and fminf become values with a condition."""
    def of(s):
        if isinstance(s, Assign) and s.value[0] == "call" and s.op == "=" and conditional(s.value):
            condition, a, b = conditional(s.value)
            if s.target == a:
                return [Assign(s.target, "=", ("choice", ("binary", condition[1], b, a), b, a))]
            return [Assign(s.target, "=", ("choice", condition, a, b))]
        if isinstance(s, If) and not s.other and all(isinstance(x, Assign) for x in s.then):
            if len(s.then) == 1 and s.then[0].op == "+=":
                return [Assign(s.then[0].target, "+=", ("choice", s.condition, s.then[0].value, leaf("0")))]
            if all(x.op == "=" for x in s.then):
                read = names_in(s.condition)
                order = sorted(s.then, key=lambda x: x.target[1] in read)  # what the condition reads comes last
                return [Assign(x.target, "=", ("choice", s.condition, x.value, x.target)) for x in order]
        return None
    return all_statements(function, of)


@law
def continues(function):
    """What stands under an if at the end of a loop stands behind a jump."""
    def change(body):
        for i, s in enumerate(body):
            if isinstance(s, For) and s.form != "while" and isinstance(s.body[-1], If) and not s.body[-1].other:
                last = s.body[-1]
                jump = If(("unary", "!", ("call", "", [last.condition])), [Text("continue;")])
                return [*body[:i], replace(s, body=[*s.body[:-1], jump, *last.then]), *body[i + 1:]]
        return None
    return in_lists(change)(function)


# Accumulators.

def accumulators(body):
    """Places of a scalar, of the loops that sum into it, and of the assignment that stores it."""
    for i, d in enumerate(body):
        if isinstance(d, Declare) and not d.extents and d.value:
            stores = [j for j, s in enumerate(body) if isinstance(s, Assign) and s.target[0] == "index" and d.name in names_in(s.value)]
            if len(stores) == 1 and stores[0] == len(body) - 1 and body[-1].op == "=":
                yield i, stores[0]


@law
def sum_in_memory(function):
    """The sum is kept in the element that gets it."""
    def change(body):
        for i, j in accumulators(body):
            d, target = body[i], body[j].target
            between = [*body[i + 1:j]]
            if type_of(function, target[1]) != d.type or target[1] in names(between) | names_in(d.value) | names_in(body[j].value):
                continue
            if not all(isinstance(s, For) or (isinstance(s, Assign) and s.target == leaf(d.name)) for s in between):
                continue
            new = rename([Assign(leaf(d.name), "=", d.value), *between, body[j]], d.name, target)
            if new[-1].target == new[-1].value:
                new.pop()
            return [*body[:i], *new]
        return None
    now, changed = function, None
    for _ in range(4):
        now = in_lists(change)(now)
        if not now:
            break
        changed = now
    return changed


@law
def init_nest(function):
    """The sum is kept in memory, and set to its first value by a nest of its own."""
    memory = sum_in_memory(function)
    return memory and apart(memory)


def apart(function):
    now, changed = function, None
    for _ in range(6):
        now = distribute(now)
        if not now:
            break
        changed = now
    return changed


@law
def outside(function):
    """The first scalars of a loop are declared at the head of the function."""
    found = [s for s in statements(function.body) if isinstance(s, Declare) and not s.extents]
    names_ = [s.name for s in found]
    found = [s for s in found if names_.count(s.name) == 1 and not any(s is x for x in function.body)]
    if not found:
        return None
    of = lambda s: ([Assign(leaf(s.name), "=", s.value)] if s.value else []) if any(s is f for f in found) else None
    return replace(function, body=[*(Declare(s.type, s.name, []) for s in found), *each_statement(function.body, of)])


@law
def members(function):
    """Accumulators are members of a struct."""
    def change(body):
        found = [s for s in body if isinstance(s, Declare) and not s.extents and s.value and any(
            isinstance(x, Assign) and x.target == leaf(s.name) for x in statements(body))]
        if not found:
            return None
        inside = {s.name for s in found}
        of = lambda s: [Assign(leaf(s.name), "=", s.value)] if any(s is f for f in found) else None
        new = map_body(each_statement(body, of), lambda e: leaf(f"acc.{e[1]}") if e[0] == "leaf" and e[1] in inside else e)
        fields = " ".join(f"{s.type} {s.name};" for s in found)
        at = next(i for i, s in enumerate(body) if any(s is f for f in found))
        return [*new[:at], Text(f"struct {{ {fields} }} acc;"), *new[at:]]
    return in_lists(change)(function)


# Spellings of expressions.

@law
def written_out(function):
    """s = s + e instead of s += e."""
    of = lambda s: [Assign(s.target, "=", ("binary", s.op[0], s.target, s.value))] if isinstance(s, Assign) and s.op != "=" else None
    return all_statements(function, of)


@law
def term_first(function):
    """s = e + s instead of s += e."""
    of = lambda s: [Assign(s.target, "=", plus(s.value, s.target))] if isinstance(s, Assign) and s.op == "+=" else None
    return all_statements(function, of)


@law
def factors_swapped(function):
    return everywhere(function, lambda e: ("binary", "*", e[3], e[2]) if e[0] == "binary" and e[1] == "*" and "index" in (e[2][0], e[3][0]) else e)


@law
def factors_named(function):
    """The arrays' elements that a sum reads are scalars first."""
    def of(s):
        if not innermost(s):
            return None
        found = []

        def name(e):
            if e[0] == "index" and e[1] not in written(s.body) and type_of(function, e[1]) and e not in found and not (
                    {x for x in names_in(e) - {s.variable}} & declared_in(s.body)):
                found.append(e)
            return e
        if any(isinstance(x, If) for x in s.body):
            return None
        for x in s.body:
            if isinstance(x, Assign):
                map_expression(x.value, name)
        found[:] = [e for e in found if not any(e in [p for sub in o[2] for p in expressions([Assign(leaf("_"), "=", sub)])] for o in found)]
        if not found:
            return None
        known = {show(e): f"of_{e[1]}{i}" for i, e in enumerate(found)}
        declarations = [Declare(type_of(function, e[1]), known[show(e)], [], e) for e in found]
        return [replace(s, body=[*declarations, *map_body(s.body, lambda e: leaf(known[show(e)]) if e[0] == "index" and show(e) in known else e)])]
    return all_statements(function, of)


@law
def flattened(function):
    """Arrays have one subscript."""
    shapes = {p.name: p.extents for p in function.parameters if len(p.extents) > 1}
    shapes |= {s.name: s.extents for s in statements(function.body) if isinstance(s, Declare) and len(s.extents) > 1}
    if not shapes:
        return None

    def one(extents, subscripts):
        at = subscripts[0]
        for e, s in zip(extents[1:], subscripts[1:]):
            at = plus(("binary", "*", at, e), s)
        return at

    def product(extents):
        at = extents[0]
        for e in extents[1:]:
            at = ("binary", "*", at, e)
        return at
    to = lambda e: ("index", e[1], [one(shapes[e[1]], e[2])]) if e[0] == "index" and e[1] in shapes else e
    of = lambda s: [replace(s, extents=[product(s.extents)])] if isinstance(s, Declare) and len(s.extents) > 1 else None
    return replace(function, body=each_statement(map_body(function.body, to), of),
                   parameters=[replace(p, extents=[product(p.extents)]) if len(p.extents) > 1 else p for p in function.parameters])


@law
def pointers(function):
    """C with pointers and flat subscripts; --extract makes the spec of it."""
    flat = flattened(function) or function
    if "--extract" in function.before or any(isinstance(s, Declare) and s.extents for s in statements(flat.body)):
        return None
    return replace(flat, before=["--extract"])


def term(function):
    """The value of the innermost sum, its free names, and their types."""
    for s in statements(function.body):
        if isinstance(s, Assign) and s.op == "+=" and s.value[0] in ("binary", "call"):
            found = []

            def note(e, s=s):
                return e
            leaves = operands(s.value)
            if leaves and not names_in(s.value) & {s.target[1]}:
                found = leaves
                return s.value, found
    return None, None


def operands(e):
    """The elements and scalars that an expression is made of."""
    if e[0] == "index" or (e[0] == "leaf" and not e[1][0].isdigit()):
        return [e]
    parts = e[2] if e[0] == "call" else [x for x in e[1:] if isinstance(x, tuple)]
    found = []
    for part in parts:
        found += [x for x in operands(part) if x not in found]
    return found


def called(function, spell):
    value, leaves = term(function)
    if not value or any(not type_of(function, e[1]) for e in leaves):
        return None
    names_ = {show(e): f"a{i}" for i, e in enumerate(leaves)}
    typed = [(type_of(function, e[1]), names_[show(e)]) for e in leaves]
    inside = shallow(value, names_, spell == "macro")
    of = lambda s: [Assign(s.target, s.op, ("call", "HELPER", leaves))] if isinstance(s, Assign) and s.op == "+=" and s.value == value else None
    if spell == "macro":
        before = f"#define HELPER({', '.join(n for _, n in typed)}) ({inside})"
    else:
        wide = "double" if "double" in inside or any(t == "double" for t, _ in typed) else "float" if any(t == "float" for t, _ in typed) else "int"
        before = f"static {wide} HELPER({', '.join(f'{t} {n}' for t, n in typed)}) {{ return {inside}; }}"
    other = all_statements(function, of)
    return other and replace(other, before=[*other.before, before])


def shallow(e, names_, parenthesised):
    """The text of an expression with its operands' names in their place."""
    def change(x):
        if x[0] in ("index", "leaf") and show(x) in names_:
            return leaf(f"({names_[show(x)]})" if parenthesised else names_[show(x)])
        if x[0] in ("call", "cast", "unary"):
            return (x[0], x[1], [change(p) for p in x[2]] if x[0] == "call" else change(x[2]))
        if x[0] in ("binary", "choice"):
            return tuple(change(p) if isinstance(p, tuple) else p for p in x)
        return x
    return show(change(e))


@law
def helper(function):
    return called(function, "helper")


@law
def macro(function):
    return called(function, "macro")
