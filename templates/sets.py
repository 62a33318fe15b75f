# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""What templates and the engine's files are told of instruction sets, out of rows as emit/sets.h has them (plan/isa.def)."""


def chain(sets, name):
    """The set, what it stands on, and so on."""
    names = [name]
    while sets[names[-1]]["base"] != names[-1]:
        names.append(sets[names[-1]]["base"])
    return names


def ground(sets, name):
    """The guard of the lowest set below this one, or of this one, that is not for all processors; None: it is itself for all."""
    return None if sets[name]["base"] == name else sets[chain(sets, name)[-2]]["guard"]


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
        here = [row["number"] for row in sets.values() if ground(sets, row["name"]) == ground(sets, name)]
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


def lines_of(sets):
    """Lists of sets of the same processors, the best last; without the portable one, which has no base."""
    found = {}
    for name, row in sets.items():
        if row["base"] != name:
            found.setdefault(ground(sets, name), []).insert(0, row)
    return found


def is_ladder(sets):
    """Does each set of a line stand on the one before it? Then `best` goes up from one to the next; else there are bits for those that are
    there."""
    for line in lines_of(sets).values():
        own = [row for row in line if not is_added(row)]
        if any(sets[row["base"]]["number"] != below for row, below in zip(own, [bottom(sets)] + [row["number"] for row in own])):
            return False
    return True


def bottom(sets):
    return next(row["number"] for row in sets.values() if row["base"] == row["name"])


def guarded(guard, lines):
    return ["#if " + guard] + lines + ["#endif"] if lines else []


def step(sets, row, has):
    """Statements that find a set whose base was found; has: conditions."""
    base, ladder = sets[row["base"]]["number"], is_ladder(sets)
    asked = ["best == %d" % base if ladder else "there >> %d & 1" % base] * (base != bottom(sets)) + has
    found = "best = %d;" % row["number"] if ladder else "there |= 1 << %d;" % row["number"]
    return ["    if (%s)" % " && ".join(asked), "        " + found] if asked else ["    %s /* all that the file is compiled for have it */" % found]


def best_of(sets, rows):
    """What is behind the statements of a file whose sets are no ladder."""
    numbers = dict.fromkeys(row["number"] for row in rows if row["base"] != row["name"])
    chosen = " : ".join(["there >> %d & 1 ? %d" % (number, number) for number in numbers] + [str(bottom(sets))])
    return [] if is_ladder(sets) else ["    int best = %s;" % chosen]


def first_of(sets):
    return ["    int best = %d;" % bottom(sets) if is_ladder(sets) else "    int there = 1 << %d;" % bottom(sets)]


def wish_is_there(sets, rows):
    """A condition on `wish`, and on what was found: is the wished set there, one of these? Less than 0 are loops as they are written."""
    numbers = {row["number"] for row in rows}
    if not is_ladder(sets):
        return "wish < 0 || (wish <= %d && there >> wish & 1)" % max(numbers)
    lines = [list(dict.fromkeys(row["number"] for row in line if row["number"] in numbers)) for line in lines_of(sets).values()]
    line = max(lines, key=len)
    if sum(len(line) > 1 for line in lines) > 1 or line != sorted(line):
        lower = ["wish < 0"] + ["(best == %d && %s)" % (best, either("wish == %d" % n for n in line[:i])) for line in lines for i, best in enumerate(line) if i]
    else:
        alone = sorted(number for other in lines for number in other if number not in line)
        lower = ["(%s)" % " && ".join(["wish < best"] + ["wish != %d" % x for x in alone if x < max(line)] +
                                      ["best != %d" % x for x in alone if x > min(line)])]
    return " || ".join(["wish == %d" % bottom(sets), "wish == best"] + lower)


def find_sets(sets):
    """The beginning of mik_isa(): `best`, and where sets that were added are of no use, `wish`. Then when a wish is met."""
    text, wishes, asked, ladder = first_of(sets), [], False, is_ladder(sets)
    for guard, line in lines_of(sets).items():
        added, lines = [row for row in line if is_added(row)], []
        if not asked and any(row["features"] for row in line):
            asked = True
            lines.append("    const int found = mik_sets(); /* once: this is part of every call */")
        for row in line:
            if is_added(row):
                continue
            has, needs = flags(row["features"]), needs_of(row)
            terms = ["needs & MIK_NEEDS_%s ? %s%s : %s" % (need, has + " | " * bool(has), flags([feature]), has or "0")
                     for need, feature in needs.items()] or [has]
            wants = " | ".join("(%s)" % term for term in terms) if len(terms) > 1 else terms[0]
            more = flags(row["loops"]["features"]) if row["loops"] else ""
            lines += step(sets, row, ["mik_has(found, %s)" % wants] if wants else [])
            if more:
                base = sets[row["base"]]["number"]
                back = "best = %d;" % base if ladder else "there &= ~(1 << %d);" % row["number"]
                lacks = ["best == %d" % row["number"]] * (ladder and base != bottom(sets)) + ["needs & MIK_NEEDS_LOOPS", "!mik_has(found, %s)" % more]
                lines += guarded("MIK_WITH_LOOPS", ["    if (%s)" % " && ".join(lacks), "        " + back])
        text += guarded(guard, lines)
        lines = [line for row in reversed(added) for need, feature in needs_beyond(sets, row).items()
                 for line in step(sets, row, ["needs & MIK_NEEDS_" + need, "mik_has(found, %s)" % flags([feature])])]
        text += guarded("MIK_WITH_DOTS", guarded(added[0]["guard"], lines)) if added else []
        for number, base in {row["number"]: sets[row["base"]]["number"] for row in added}.items():
            on_base = " && best == %d" % base if ladder else ""
            wishes += ["    if (wish == %d && !(needs & MIK_NEEDS_DOTS)%s)" % (number, on_base), "        wish = %d;" % base]
    return "\n".join(text + best_of(sets, sets.values()) + wishes), wish_is_there(sets, sets.values())


def features_of_loops(row):
    return row["features"] + (row["loops"]["features"] if row["loops"] else [])


def loop_wish(sets, wish):
    """The number whose loops a wish is for: sets that were added have none."""
    for number, base in {row["number"]: sets[row["base"]]["number"] for row in sets.values() if is_added(row)}.items():
        wish = "wish == %d ? %d : %s" % (number, base, wish)
    return wish


def find_loop_sets(sets):
    """The beginning of mik_loop_isa(), and when a wish is met."""
    text, word, rows = first_of(sets), "if", [row for row in sets.values() if not is_added(row)]
    for guard, line in lines_of(sets).items():
        own = [row for row in line if not is_added(row)]
        text += ["#%s %s" % (word, guard)] + ["    const int found = mik_sets();"] * any(features_of_loops(row) for row in own)
        for row in own:
            text += step(sets, row, ["mik_has(found, %s)" % flags(features_of_loops(row))] if features_of_loops(row) else [])
        word = "elif"
    return "\n".join(text + ["#endif"] * (word == "elif") + best_of(sets, rows)), wish_is_there(sets, rows)


def hook_sets(sets, runs):
    """The body of mik_hook_isa()."""
    text, lowest = [], bottom(sets)
    for guard, line in lines_of(sets).items():
        own = [row for row in reversed(line) if row["loops"]]
        if not own:
            continue
        asked = [(" && ".join([runs("isa", row["name"])] + ["mik_has(found, %s)" % flags(f) for f in [row["loops"]["features"]] if f]), row)
                 for row in own]
        lines = ["    const int found = mik_sets();"] if any(row["loops"]["features"] for row in own) else []
        for condition, row in asked[:-1]:
            lines += ["    if (%s)" % condition, "        return %d;" % row["number"]]
        lines.append("    return %s ? %d : %d;" % (asked[-1][0], asked[-1][1]["number"], lowest))
        text += ["#%s %s" % ("elif" if text else "if", own[0]["loops"]["guard"])] + lines
    return "\n".join(text + ["#else", "    (void)isa;", "    return %d;" % lowest, "#endif"])


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


def found_by_guard(sets):
    """What sets are there that no processor is asked for, in C: those of the compiler's target."""
    return " : ".join(['%s ? "%s"' % (row["guard"], name) for name, row in sets.items() if row["guard"] and "x86" not in row["traits"]] + ['"none"'])


def spelled(sets):
    """What becomes of words in files of the engine."""
    by_number = sorted(sets.values(), key=lambda row: row["number"])
    kernels = [(row["traits"], family, k["macro"], k["target"]) for row in by_number for family, k in row["kernels"].items()]
    plain = {macro: text for traits, family, macro, text in kernels if "x86" in traits and family in ("f32", "f64")}
    bases = {row["number"]: sets[row["base"]]["number"] if row["base"] != row["name"] else 0 for row in by_number}
    held = sum(1 << number for number in {row["number"] for row in by_number if row["held"]})
    needs, loops = all_needs(sets)
    return {
        "MIK_FOUND_BY_GUARD": found_by_guard(sets),
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
