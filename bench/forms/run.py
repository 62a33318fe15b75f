# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators in many forms: are results right, and is each as fast as the best form? forms.sh says how to call it."""
import random
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "nests"))
import options  # noqa: E402
from build import Failed, command, make, write  # noqa: E402

import calls  # noqa: E402
import tables  # noqa: E402
from c import Parser, show, text_of  # noqa: E402
from law import LAWS  # noqa: E402
import loop_laws  # noqa: E402, F401
import value_laws  # noqa: E402, F401

HEAD = "#include <math.h>\n#include <stdint.h>\n"
SMALL = (2, 3, 5, 17, 33)  # extents at which results are checked as well


class Form:
    def __init__(self, name, function):
        self.name, self.function = name, function
        self.symbol = self.text = ""
        self.same_as = None  # another form, of which the same code is emitted
        self.fault = ""
        self.time, self.plan, self.remarks = None, "", []


def forms_of(function, pairs):
    """The base, each law that fits, and pairs of laws that are drawn."""
    known, found = set(), []

    def add(name, tree):
        text = tree and text_of(tree, "f") + "".join(tree.before)
        if text and text not in known:
            known.add(text)
            found.append(Form(name, tree))
            return True
        return False
    add("base", function)
    singles = {name: tree for name, law in LAWS.items() if (tree := law(function))}
    for name, tree in singles.items():
        add(name, tree)
    draw, missed = random.Random(function.name), 0
    while pairs and missed < 50:
        a, b = draw.choice(list(singles)), draw.choice(list(LAWS))
        drawn = a != b and "pointers" not in (a, b) and add(f"{a} {b}", LAWS[b](singles[a]))
        pairs, missed = pairs - drawn, missed + (not drawn)
    for i, form in enumerate(found):
        form.symbol = f"{function.name}_f{i:02}"
    return found


def spec_text(form, base, given, folder):
    """The text of a form as a spec. Of pointers --extract makes it."""
    if form.function.before != ["--extract"]:
        return text_of(form.function, form.symbol)
    function = form.function
    parameters = ", ".join(f"{p.type} *{p.name}" if p.extents else f"{p.type} {p.name}" for p in function.parameters)
    text = text_of(type(function)(function.name, [], function.body), form.symbol)
    write(folder / "extract.c", HEAD + text.replace("()", f"({parameters})", 1) + "\n")
    flags = [f"--extent={p.name}:{','.join(show(e) for e in shaped.extents)}" for p, shaped in zip(function.parameters, base.parameters) if p.extents]
    extract = [given.mikgen, f"--extract={form.symbol}", "extract.c"]
    try:
        spec = command(extract, folder)
    except Failed:  # nothing shows how large what an index array points into is
        spec = command([*extract, *flags], folder)
    return re.sub(r"^#include.*$", "", spec, flags=re.M)


class Operator:
    def __init__(self, function, given):
        self.given, self.function = given, function
        self.folder = given.folder / function.name
        self.folder.mkdir(exist_ok=True)
        self.forms = forms_of(function, given.pairs)

    def mikgen(self, *words):
        flags = ["--target=c", "--engine=shared", *self.given.mikgen_flags.split()]
        return command([self.given.mikgen, *flags, *words], self.folder)

    def emit(self, name, forms, what="source"):
        write(self.folder / f"{name}.spec", HEAD + "\n\n".join(form.text for form in forms) + "\n")
        return self.mikgen(f"--emit={what}", f"{name}.spec")

    def find_texts(self):
        for form in self.forms:
            try:
                form.text = spec_text(form, self.function, self.given, self.folder)
            except Failed as why:
                form.fault = "not extracted: " + str(why).split("error: ")[-1].split("\n")[0]

    def find_refused(self):
        """The file of all forms; where one is refused, that of the others."""
        try:
            return self.emit("all", self.right())
        except Failed:
            for form in self.right():
                try:
                    self.emit("one", [form])
                except Failed as why:
                    form.fault = "refused: " + str(why).split("error: ")[-1].split("\n")[0]
            return self.emit("all", self.right())

    def right(self):
        return [form for form in self.forms if not form.fault]

    def distinct(self):
        return [form for form in self.right() if not form.same_as]

    def find_same(self, source):
        """Forms of which the same code is emitted, names apart."""
        blocks = {}
        for block in re.split(r"\n(?=\S)", re.sub(r"/\*.*?\*/", "", source, flags=re.S)):
            for symbol in set(re.findall(rf"{self.function.name}_f\d\d", block)):
                blocks.setdefault(symbol, []).append(block.replace(symbol, "F"))
        known = {}
        for form in self.right():
            code = "\n".join(sorted(blocks.get(form.symbol, [form.symbol])))
            form.same_as = known.setdefault(code, form) if known.get(code) is not form else None
            if form.same_as is form:
                form.same_as = None

    def find_remarks(self):
        """By the lines of the file of distinct forms."""
        flags = ["--target=c", "--engine=shared", *self.given.mikgen_flags.split(), "--remarks", "own.spec", "-o", "own.c"]
        said = command(["sh", "-c", '"$@" 2>&1', "sh", self.given.mikgen, *flags], self.folder)
        at, last, lines = {}, None, (self.folder / "own.spec").read_text().splitlines()
        for i, line in enumerate(lines, 1):
            found = re.search(rf"^void ({self.function.name}_f\d\d)\(", line)
            last = found[1] if found else last
            at[i] = last
        by_symbol = {form.symbol: form for form in self.distinct()}
        for line, text in re.findall(r"^own\.spec:(\d+):\d+: (.*)$", said, re.M):
            if at[int(line)] in by_symbol:
                by_symbol[at[int(line)]].remarks.append(text)

    def print_products(self):
        """The forms that have another number of contractions than the base has."""
        self.find_texts()
        write(self.folder / "all.spec", HEAD + "\n\n".join(form.text for form in self.right()) + "\n")
        parts = re.split(r"^operator void (\w+)\n", self.mikgen("--dump-after=fuse", "all.spec"), flags=re.M)
        found = {symbol: len(re.findall(r"^\s*contract #", text, re.M)) for symbol, text in zip(parts[1::2], parts[2::2])}
        base = found[self.forms[0].symbol]
        others = [f"{form.name}: {found[form.symbol]}" for form in self.right() if found[form.symbol] != base]
        faults = [f"{form.name}: {form.fault}" for form in self.forms if form.fault]
        print(f"{self.function.name}: {base} in the base of {len(self.forms)} forms; {', '.join(others + faults) or 'in all'}", flush=True)

    def build(self):
        self.find_texts()
        self.find_same(self.find_refused())
        forms = self.distinct()
        self.emit("own", forms)
        self.find_remarks()
        header = self.emit("own", forms, "header")
        write(self.folder / "plain.c", self.emit("all", self.right(), "reference"))
        cc = self.given.cc.split()
        engine = self.given.folder / "engine"
        shared = ["-fPIC", "-shared", "-Wl,-Bsymbolic"]
        make("own.so", ["own.c"], [*cc, *shared, f"-I{engine}", "own.c", engine / "mikgen_engine.o", "-lm", "-o", "own.so"], self.folder)
        make("plain.so", ["plain.c"], ["gcc", "-std=gnu11", "-O1", "-w", *shared, "plain.c", "-lm", "-o", "plain.so"], self.folder)
        plain = {form.symbol: parameters_of(form.text, form.symbol) for form in self.right()}
        return header, plain

    def run(self):
        header, plain = self.build()
        own = {form.symbol: [as_in_spec(name, plain[form.symbol]) for name in parameters_of(header, form.symbol)] for form in self.distinct()}
        tester = calls.Tester(self.function, self.folder / "own.so", self.folder / "plain.so", own, plain)
        tester.check(self.right(), SMALL)
        tester.time(self.distinct(), self.given.rounds)
        tester.find_plans(self.distinct())
        for form in self.forms:
            if form.same_as:
                form.fault = form.fault or form.same_as.fault
                form.time, form.plan, form.remarks = form.same_as.time, form.same_as.plan, form.same_as.remarks


def parameters_of(text, symbol):
    """Their names, in their order."""
    found = re.search(rf"\b{symbol}\(([^;{{]*?)\)\s*[;{{]", text, re.S)[1]
    return [re.search(r"(\w+)(?:\[.*)?$", " ".join(p.split()))[1] for p in found.split(",")]


def as_in_spec(name, names):
    """Names that headers take, as <complex.h> takes I, have an underscore in emitted code."""
    return name if name in names else name.rstrip("_")


def build_engine(given):
    folder = given.folder / "engine"
    folder.mkdir(exist_ok=True)
    command([given.mikgen, "--target=c", "--emit=engine", "--families=f32,f64,i8,i32", *given.mikgen_flags.split(), "-o", folder], folder)
    make("mikgen_engine.o", ["mikgen_engine.c"], [*given.cc.split(), "-fPIC", "-c", "mikgen_engine.c", "-o", "mikgen_engine.o"], folder)


def read_options():
    parser = options.parser("bench/forms.sh", 5)
    parser.add_argument("--pairs", type=int, default=2)
    parser.add_argument("--products", action="store_true")
    parser.set_defaults(mikgen_flags="--sets=avx2!")
    return options.read(parser)


def main():
    given, rows = read_options(), []
    if not given.products:
        build_engine(given)
    for spec in sorted((HERE / "specs").glob("*.spec")):
        for function in Parser(spec.read_text()).functions():
            if not re.search(given.only, function.name):
                continue
            operator = Operator(function, given)
            try:
                if given.products:
                    operator.print_products()
                    continue
                operator.run()
            except Failed as why:
                print(f"{function.name}: {why}", file=sys.stderr, flush=True)
                continue
            found = tables.rows_of(function.name, operator.forms)
            rows += found
            print(tables.progress(function.name, found), file=sys.stderr, flush=True)
    if rows:
        tables.print_all(given, rows)


if __name__ == "__main__":
    main()
