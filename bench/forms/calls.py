# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls the emitted forms of an operator and their plain C, on the same data: results, times, plans."""
import ctypes
import math
import random
import re
import time

from c import show

C_TYPES = {"int": ctypes.c_int, "float": ctypes.c_float, "double": ctypes.c_double, "int8_t": ctypes.c_int8, "uint8_t": ctypes.c_uint8}
CLOSE = {"float": 1e-3, "double": 1e-9}
LEAST_TIME = 1.5e-3  # seconds of a measurement


class Data:
    """Arguments of a call by name. note: 'M=64 Z=100; at < V; row to Z', of the operator's comment."""

    def __init__(self, function, sizes):
        self.draw, self.sizes = random.Random(1), sizes
        rules = dict(self.rule(words) for words in function.note.split(";")[1:])
        self.values, self.outputs = {}, []
        for p in function.parameters:
            type_ = p.type.replace("const ", "")
            if not p.extents:
                self.values[p.name] = C_TYPES[type_](sizes[p.name] if p.name in sizes else self.number(type_, 3))
                continue
            count = math.prod(self.value(show(e)) for e in p.extents)
            numbers = self.indices(rules[p.name], count) if p.name in rules else [self.number(type_, 100) for _ in range(count)]
            self.values[p.name] = (C_TYPES[type_] * count)(*numbers)
            if "const" not in p.type:
                self.outputs.append((p.name, type_))

    @staticmethod
    def rule(words):
        name, how, limit = words.split()
        return name, (how, limit)

    def value(self, text):
        return eval(text, {"__builtins__": {}}, self.sizes)  # noqa: S307 -- extents of our own specs

    def number(self, type_, most):
        return self.draw.uniform(-1, 1) if type_ in ("float", "double") else self.draw.randrange(0 if type_[0] == "u" else -most, most)

    def indices(self, rule, count):
        """how: '<', each below the limit; 'to', they rise from 0 to it."""
        how, limit = rule[0], self.value(rule[1])
        if how == "<":
            return [self.draw.randrange(limit) for _ in range(count)]
        return sorted([0, limit, *(self.draw.randrange(limit + 1) for _ in range(count - 2))])[:count]

    def arguments(self, names):
        """In the order of the names, and copies of the arrays that are written."""
        fresh = {name: type(self.values[name])(*self.values[name]) for name, _ in self.outputs}
        return [fresh.get(name, self.values[name]) for name in names], fresh

    def difference(self, got, wanted):
        """Where results differ, as text."""
        for name, type_ in self.outputs:
            close = CLOSE.get(type_, 0)
            for i, (a, b) in enumerate(zip(got[name], wanted[name])):
                if a != b and not (a != a and b != b) and not abs(a - b) <= close * (1 + abs(b)):
                    return f"{name}[{i}] is {a:.6g}, not {b:.6g}"
        return ""


class Tester:
    def __init__(self, function, own, plain, own_names, plain_names):
        self.function, self.own, self.plain = function, ctypes.CDLL(str(own)), ctypes.CDLL(str(plain))
        self.own_names, self.plain_names = own_names, plain_names
        self.sizes = {name: int(n) for name, n in re.findall(r"(\w+)=(\d+)", function.note.split(";")[0])}

    def call(self, library, data, symbol, names):
        arguments, outputs = data.arguments(names)
        library[symbol](*arguments)
        return outputs

    def check(self, forms, small):
        """At the sizes that are timed, and at small ones; the plain C of each form, too."""
        draw = random.Random(2)
        tuples = [self.sizes, *({name: draw.choice(small) for name in self.sizes} for _ in range(3))]
        base = forms[0]
        for sizes in tuples:
            data = Data(self.function, sizes)
            wanted = self.call(self.plain, data, base.symbol, self.plain_names[base.symbol])
            for form in forms:
                if sizes is not self.sizes or not form.same_as:
                    self.compare(form, data, wanted, "x".join(map(str, sizes.values())))

    def compare(self, form, data, wanted, at):
        wrong = data.difference(self.call(self.plain, data, form.symbol, self.plain_names[form.symbol]), wanted)
        if wrong:
            form.fault = form.fault or f"the law is wrong at {at}: {wrong}"
        elif not form.same_as:
            wrong = data.difference(self.call(self.own, data, form.symbol, self.own_names[form.symbol]), wanted)
            form.fault = form.fault or (f"WRONG at {at}: {wrong}" if wrong else "")

    def time(self, forms, rounds):
        """Seconds of a call, by turns, the best of all rounds."""
        data = Data(self.function, self.sizes)
        calls = {}
        for form in forms:
            arguments, kept = data.arguments(self.own_names[form.symbol])
            calls[form] = (self.own[form.symbol], arguments, kept)
            form.time = math.inf
        for _ in range(rounds + 1):  # the first warms up
            for form, (function, arguments, _) in calls.items():
                times = max(1, math.ceil(LEAST_TIME / form.time)) if form.time < math.inf else 1
                start = time.perf_counter()
                for _ in range(times):
                    function(*arguments)
                form.time = min(form.time, (time.perf_counter() - start) / times)

    def find_plans(self, forms):
        """What NAME_explain says, without times, and of loops what remarks say; names apart."""
        for form in forms:
            room = ctypes.create_string_buffer(1 << 16)
            integers = [ctypes.c_int(self.sizes.get(name, 3)) for name in self.own_names[form.symbol] if not self.is_array(name)]
            explain = getattr(self.own, form.symbol + "_explain")
            explain(*self.given(form, integers), room, ctypes.c_size_t(len(room)))
            lines = [line for line in room.value.decode().splitlines()[1:] if not re.match(r"(cost|advice|instruction sets|the stages)", line)]
            text = re.sub(r"cost: .*|takes [\d.]+ ns|at lines? [\d, and]+|line \d+", "", "\n".join(lines))
            form.plan = text or "\n".join(sorted({re.sub(r"(loops?( over)?|over) \w+", "loop", r) for r in form.remarks if r.startswith("optimized: the loop")}))

    def is_array(self, name):
        return next(p for p in self.function.parameters if p.name == name).extents

    def given(self, form, integers):
        """NAME_explain takes the integers alone."""
        kept = [name for name in self.own_names[form.symbol] if not self.is_array(name)]
        floats = {p.name for p in self.function.parameters if p.type in ("float", "double") and not p.extents}
        return [value for name, value in zip(kept, integers) if name not in floats]
