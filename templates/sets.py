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
        return " || ".join("%s == %d" % (isa, number) for number in numbers)
    return runs


def attributes(texts, more=""):
    """Definitions of macros for functions; texts: what each stands for."""
    width = max(map(len, texts), default=0)
    return "\n".join('#define %-*s __attribute__((target("%s")%s))' % (width, macro, text, more) for macro, text in texts.items() if text)


def spelled(sets):
    """What becomes of words in files of the engine."""
    by_number = sorted(sets.values(), key=lambda row: row["number"])
    kernels = [(row["traits"], family, k["macro"], k["target"]) for row in by_number for family, k in row["kernels"].items()]
    plain = {macro: text for traits, family, macro, text in kernels if "x86" in traits and family in ("f32", "f64")}
    bases = {row["number"]: sets[row["base"]]["number"] if row["base"] != row["name"] else 0 for row in by_number}
    held = sum(1 << number for number in {row["number"] for row in by_number if row["held"]})
    return {
        "MIK_HELD": "0x%xu" % held,
        "MIK_NAMES_HELD": '"%s"' % ", ".join(name for name, row in sets.items() if row["held"]),
        "MIK_BASES": ", ".join(str(bases.get(number, 0)) for number in range(max(bases, default=0) + 1)),
        "MIK_X86_TARGETS": attributes(plain),
        "MIK_X86_DOT_TARGETS": attributes({macro: text for traits, _, macro, text in kernels if "x86" in traits and macro not in plain}),
        "MIK_ARM_TARGETS": attributes({macro: text for traits, _, macro, text in kernels if "x86" not in traits}),
        "MIK_LOOP_TARGETS": attributes({row["loops"]["macro"]: row["loops"]["target"] for row in by_number
                                        if row["loops"] and row["loops"]["target"]}, ", unused"),
    }
