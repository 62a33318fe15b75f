# SPDX-License-Identifier: GPL-3.0-or-later
"""Laws by which an operator is written in another form. Each takes a function's tree and returns another one, or None where it does not fit."""
from dataclasses import replace

from c import (Assign, Declare, For, If, Text, declared, expressions, map_body, map_expression, names, names_in, rename, rewrite, show,
               statements)

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
