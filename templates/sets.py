# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""What templates and the engine's files are told of instruction sets, out of rows as emit/sets.h has them (plan/isa.def)."""


def chain(sets, name):
    """The set, what it stands on, and so on."""
    names = [name]
    while sets[names[-1]]["base"] != names[-1]:
        names.append(sets[names[-1]]["base"])
    return names


def held_of(rows, names):
    """By name, each with `held`: is it among the names (None: all are)? Loops have the numbers of those alone."""
    sets = {row["name"]: dict(row, held=names is None or row["name"] in names) for row in rows}
    numbers = {row["number"] for row in sets.values() if row["held"]}
    for row in sets.values():
        if row["loops"]:
            row["loops"] = dict(row["loops"], numbers=[number for number in row["loops"]["numbers"] if number in numbers])
    return sets


def held_bits(sets):
    """A bit for each row that the file holds, in C; "": it holds all."""
    return "" if all(row["held"] for row in sets.values()) else "0x%x" % sum(row["held"] << i for i, row in enumerate(sets.values()))


def values(sets):
    """Whether parts of the engine's files are there."""
    return {"MIK_SOME_SETS": int(not all(row["held"] for row in sets.values())),
            "MIK_PORTABLE_SET": int(all(row["held"] for row in sets.values() if row["base"] == row["name"]))}


def runs_in(sets):
    """The function runs(ISA, NAME): a condition in C on a number of options.isa: is it that of the set NAME, or of one that stands on it, on
    processors that may have it? NAME may be a trait: are sets of the number such?"""
    def runs(isa, name):
        if name not in sets:
            others = sorted({row["number"] for row in sets.values() if name not in row["traits"]})
            return " && ".join("%s != %d" % (isa, number) for number in others)
        numbers = sorted({row["number"] for row in sets.values() if name in chain(sets, row["name"])})
        root = chain(sets, name)[-2:-1]
        here = [row["number"] for row in sets.values() if chain(sets, row["name"])[-2:-1] == root]
        if all(number in numbers for number in here if number >= numbers[0]):
            return "%s >= %d" % (isa, numbers[0])
        return either("%s == %d" % (isa, number) for number in numbers)
    return runs


def either(conditions):
    conditions = list(conditions)
    return "(%s)" % " || ".join(conditions) if len(conditions) > 1 else conditions[0]


def flags(names):
    return " | ".join("MIK_HAS_" + name for name in names)


def is_added(row):
    """Has a set instructions for some types alone? Calls that need none of these run by its base."""
    return "f32" not in row["kernels"]


def needs_of(row):
    """NEED: FEATURE, in the order of its families."""
    return dict(need.split(":") for kernels in row["kernels"].values() for need in kernels["needs"])


def needs_beyond(sets, row):
    """Those of an added set that its base has not."""
    base = needs_of(sets[row["base"]])
    return {need: feature for need, feature in needs_of(row).items() if need not in base}


def family_needs_in(sets):
    """The function family_needs(FAMILY of the model): what it asks mik_isa() for, in C; "": nothing."""
    def family_needs(family):
        needs = [need.split(":")[0] for isa in family["isas"] for need in sets[isa["name"]]["kernels"][family["name"]]["needs"]]
        return " | ".join("MIK_NEEDS_" + need for need in dict.fromkeys(needs))
    return family_needs


def all_needs(sets):
    """Enumerators: each need, those of added sets together, and that of loops."""
    needs = list(dict.fromkeys(need for row in sets.values() for need in needs_of(row)))
    dots = dict.fromkeys(need for row in sets.values() if is_added(row) for need in needs_beyond(sets, row))
    text = ["MIK_NEEDS_%s = %d" % (need, 1 << i) for i, need in enumerate(needs)]
    return ", ".join(text + ["MIK_NEEDS_DOTS = %d" % sum(1 << needs.index(need) for need in dots)]), "MIK_NEEDS_LOOPS = %d" % (1 << len(needs))


def roots(sets):
    """Lists of sets that stand on one another, upwards; without the portable one, which has no base."""
    found = {}
    for name, row in sets.items():
        if row["base"] != name:
            found.setdefault(chain(sets, name)[-2], []).insert(0, row)
    return list(found.values())


class Climb:
    """Statements that go up from the portable set: `best` becomes the number of a set that the processor has. features(ROW): what of the
    processor a set wants beside its base's."""

    def __init__(self, sets, features):
        self.sets, self.features = sets, features
        self.possible = [row["number"] for row in sets.values() if row["base"] == row["name"]]
        self.below = {row["number"]: [sets[name] for name in chain(sets, row["name"])] for row in sets.values()}
        self.bottom = self.possible[0]

    def condition(self, row):
        """Of one that is better than those that were found so far: is `best` its base, or one of another line that has the base, too? Where
        the other is wished for, it stays."""
        base, lower = self.sets[row["base"]], [number for number in self.possible if number != row["number"]]
        on_base = [number for number in lower if base in self.below[number]]
        asked = [] if on_base == lower else ["best == %d" % number for number in on_base]
        for number in lower:
            if asked and self.sets_of(number) not in self.below[row["number"]]:
                has = [f for of in self.below[base["number"]][:-1] for f in self.features(of)]
                asked.append("(best == %d%s)" % (number, " && mik_has(found, %s)" % flags(has) if has else ""))
        others = [number for number in lower if row["base"] != row["name"] and self.sets_of(number) not in self.below[row["number"]]]
        return ([either(asked)] if asked else []) + ["wish != %d" % number for number in others]

    def sets_of(self, number):
        return self.below[number][0]

    def step(self, row, has):
        """`has`: conditions besides."""
        asked = self.condition(row) + has
        self.possible = ([] if not asked else self.possible) + [row["number"]] * (row["number"] not in self.possible)
        return ["    if (%s)" % " && ".join(asked), "        best = %d;" % row["number"]] if asked else [
            "    best = %d; /* all that the file is compiled for have it */" % row["number"]]

    def is_there(self, wished):
        """A condition on `wish` and `best`: is the wished one, of these numbers, among what the best stands on?"""
        below = {best: {row["number"] for row in rows} - {best, self.bottom} for best, rows in self.below.items() if best in wished}
        numbers = sorted(number for number in below if number != self.bottom)
        alone = [number for number in numbers if not below[number] and all(number not in others for others in below.values())]
        line = [number for number in numbers if number not in alone]
        if all(below[best] == {number for number in line if number < best} for best in line):
            apart = ["wish != %d" % x for x in alone if any(best > x for best in line)]
            apart += ["best != %d" % x for x in alone if any(number < x for number in line)]
            lower = [" && ".join(["wish < best"] + apart)]
        else:
            lower = ["best == %d && %s" % (best, either("wish == %d" % n for n in sorted(below[best]))) for best in numbers if below[best]]
        return " || ".join(["wish == %d" % self.bottom, "wish == best"] + ["(%s)" % text for text in lower])


def guarded(guard, lines, word="if"):
    return ["#%s %s" % (word, guard)] + lines + ["#endif"] if lines else []


def find_sets(sets):
    """The beginning of mik_isa(): `best`, and where sets that were added are of no use, `wish`."""
    climb, asked = Climb(sets, lambda row: row["features"]), False
    text, wishes = [], []
    for line in roots(sets):
        own, added = [row for row in line if not is_added(row)], [row for row in line if is_added(row)]
        lines = []
        climb.possible = [climb.bottom]
        if not asked and any(row["features"] for row in line):
            asked = True
            lines.append("    const int found = mik_sets(); /* once: this is part of every call */")
        for row in own:
            has, needs = flags(row["features"]), needs_of(row)
            terms = ["needs & MIK_NEEDS_%s ? %s | %s : %s" % (need, has, flags([feature]), has) if has else
                     "needs & MIK_NEEDS_%s ? %s : 0" % (need, flags([feature])) for need, feature in needs.items()] or [has]
            wants = " | ".join("(%s)" % term for term in terms) if len(terms) > 1 else terms[0]
            more = row["loops"]["features"] if row["loops"] else []
            lacks = climb.condition(row) and ["best == %d" % row["number"]]
            lines += climb.step(row, ["mik_has(found, %s)" % wants] if wants else [])
            if more:
                lines += guarded("MIK_WITH_LOOPS", [
                    "    if (%s)" % " && ".join(lacks + ["needs & MIK_NEEDS_LOOPS", "!mik_has(found, %s)" % flags(more)]),
                    "        best = %d;" % sets[row["base"]]["number"]])
        text += guarded(line[0]["guard"], lines)
        lines = []
        for row in reversed(added):
            for need, feature in needs_beyond(sets, row).items():
                lines += climb.step(row, ["needs & MIK_NEEDS_" + need, "mik_has(found, %s)" % flags([feature])])
        text += guarded("MIK_WITH_DOTS", guarded(added[0]["guard"], lines)) if added else []
        for number in dict.fromkeys(row["number"] for row in added):
            base = sets[next(row["base"] for row in added if row["number"] == number)]["number"]
            wishes += ["    if (wish == %d && !(needs & MIK_NEEDS_DOTS) && best == %d)" % (number, base), "        wish = %d;" % base]
    return "\n".join(["    int best = %d;" % climb.bottom] + text + wishes), climb.is_there([row["number"] for row in sets.values()])


def features_of_loops(row):
    return row["features"] + row["loops"]["features"] if row["loops"] else row["features"]


def loop_wish(sets, wish):
    """The number whose loops a wish is for: sets that were added have none."""
    for number, base in {row["number"]: sets[row["base"]]["number"] for row in sets.values() if is_added(row)}.items():
        wish = "wish == %d ? %d : %s" % (number, base, wish)
    return wish


def find_loop_sets(sets):
    """The beginning of mik_loop_isa()."""
    climb, text = Climb(sets, features_of_loops), []
    for line in roots(sets):
        climb.possible = [climb.bottom]
        own = [row for row in line if not is_added(row)]
        lines = ["    const int found = mik_sets();"] if any(features_of_loops(row) for row in own) else []
        for row in own:
            has = flags(features_of_loops(row))
            lines += climb.step(row, ["mik_has(found, %s)" % has] if has else [])
        text += ["#%s %s" % ("elif" if text else "if", line[0]["guard"])] + lines
    there = climb.is_there([row["number"] for row in sets.values() if not is_added(row)])
    return "\n".join(["    int best = %d;" % climb.bottom] + text + ["#endif"]), there


def hook_sets(sets, runs):
    """The body of mik_hook_isa()."""
    text, bottom = [], next(row["number"] for row in sets.values() if row["base"] == row["name"])
    for line in roots(sets):
        own = [row for row in reversed(line) if row["loops"]]
        if not own:
            continue
        asked = [(" && ".join([runs("isa", row["name"])] + ["mik_has(found, %s)" % flags(f) for f in [row["loops"]["features"]] if f]), row)
                 for row in own]
        lines = ["    const int found = mik_sets();"] if any(row["loops"]["features"] for row in own) else []
        for condition, row in asked[:-1]:
            lines += ["    if (%s)" % condition, "        return %d;" % row["number"]]
        lines.append("    return %s ? %d : %d;" % (asked[-1][0], asked[-1][1]["number"], bottom))
        text += ["#%s %s" % ("elif" if text else "if", own[0]["loops"]["guard"])] + lines
    return "\n".join(text + ["#else", "    (void)isa;", "    return %d;" % bottom, "#endif"])


def numbers_in_full(by_number, first, indent, width=112):
    """What numbers mean, as lines of a comment; the first begins in column `first`."""
    text, used = "", first
    means = {row["number"]: row["full"] for row in reversed(by_number)}
    for number in sorted(means):
        item = "%d: %s" % (number, means[number])
        if text:
            used += len(item) + 2
            text += ", " if used < width else ",\n" + " " * indent
            used = used if used < width else indent + len(item)
        else:
            used += len(item)
        text += item
    return text


def attributes(texts, more=""):
    """Definitions of macros for functions; texts: what each stands for."""
    width = max(map(len, texts), default=0)
    return "\n".join('#define %-*s __attribute__((target("%s")%s))' % (width, macro, text, more) for macro, text in texts.items() if text)


def pieces(sets):
    """Statements in the places of words in files of the engine."""
    found = {"MIK_FIND_SETS": find_sets(sets)[0], "MIK_FIND_LOOP_SETS": find_loop_sets(sets)[0], "MIK_HOOK_SETS": hook_sets(sets, runs_in(sets))}
    return {word + ";": text + "\n" for word, text in found.items()}


def spelled(sets):
    """What becomes of words in files of the engine."""
    by_number = sorted(sets.values(), key=lambda row: row["number"])
    kernels = [(row["traits"], family, k["macro"], k["target"]) for row in by_number for family, k in row["kernels"].items()]
    plain = {macro: text for traits, family, macro, text in kernels if "x86" in traits and family in ("f32", "f64")}
    bases = {row["number"]: sets[row["base"]]["number"] if row["base"] != row["name"] else 0 for row in by_number}
    held = sum(1 << number for number in {row["number"] for row in by_number if row["held"]})
    needs, loops = all_needs(sets)
    return {
        "MIK_ALL_NEEDS": needs,
        "MIK_LOOPS_NEED": loops,
        "MIK_WISH_IS_THERE": find_sets(sets)[1],
        "MIK_LOOP_WISH_IS_THERE": find_loop_sets(sets)[1],
        "MIK_LOOP_WISH": loop_wish(sets, "wish"),
        "MIK_SETS_IN_FULL": numbers_in_full(by_number, 60, 32),
        "MIK_HELD": "0x%xu" % held,
        "MIK_NAMES_HELD": '"%s"' % ", ".join(name for name, row in sets.items() if row["held"]),
        "MIK_BASES": ", ".join(str(bases.get(number, 0)) for number in range(max(bases, default=0) + 1)),
        "MIK_X86_TARGETS": attributes(plain),
        "MIK_X86_DOT_TARGETS": attributes({macro: text for traits, _, macro, text in kernels if "x86" in traits and macro not in plain}),
        "MIK_ARM_TARGETS": attributes({macro: text for traits, _, macro, text in kernels if "x86" not in traits}),
        "MIK_LOOP_TARGETS": attributes({row["loops"]["macro"]: row["loops"]["target"] for row in by_number
                                        if row["loops"] and row["loops"]["target"]}, ", unused"),
    }
