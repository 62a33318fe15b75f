# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""What Jinja does with a file of the engine (templates/engine): C and CUDA sources that compile as they stand.

    {{ engine("c/tile.h", {"f32z": "f64y"}, {"MIK_F32_UNIT": 1}) }}

is the file's text without its licence line and `#pragma once`, includes of the engine's files and those that no condition guards (an emitted file has its
system headers at its top, and the engine's files in their order), words to clang-format, `Part of` lines of files that an emitted one has as one section, without the parts that an operator does not use, and with names of its
own.

Parts: `#if`, `#elif`, `#else`, `#endif` are resolved wherever all names of the condition have a value (the third argument);
other conditionals stay for the compiler. Names: the second argument renames parts of identifiers, in capitals as well: f32z is
found in f32z_fma and in MIK_F32Z_TILE, not in xf32z. An attribute that becomes nothing takes the space behind it along.
Comments on lines of their own are left out with brief=true, for what a file has said once already.
MIK_TRACE has the model's value wherever it occurs: what calls tell of themselves is no part of a file without --trace.
Numbers: MIK_F32_FIT(isa, prefetch_distance, 8) becomes the usual number, 8, or isa->fitted.prefetch_distance where MIK_F32_FITTED has a value that is not 0, and
MIK_F32_OF(isa) an argument or nothing.
Instruction sets: MIK_RUNS(isa, avx512) becomes what says of a number that it is that set's or of one that stands on it: isa >= 3;
with a trait of plan/isa.def for a name, that sets of the number have it.
MIK_X86_TARGETS and the like become the definitions of attributes of instruction sets (sets.py).
MIK_NUMBER(avx512) is its number, 3, and MIK_FIND_SETS; on a line of its own the statements that find what a processor has, and so on.
MIK_SOME_SETS is 1 in a file that holds some sets only, MIK_PORTABLE_SET where the portable one is among them.
MIK_DRAWS is 1 below a template that sets `draws`, as explain.c.j2 does, and else 0.
What operators call is MIK_SHARED: static, unless the model's linkage is "shared", for an engine that several files use.
"""
import ast
import re

import jinja2

DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b(.*)")
DROPPED = re.compile(r"#[ \t]*(?:pragma once\b|include\b)")
UNSAID = re.compile(r'#[ \t]*include[ \t]*"|[ \t]*/\* (?:clang-format (?:on|off)|SPDX-[^*]*|Part of [^*]*) \*/')
COMMENT = re.compile(r"^[ \t]*/\*.*?\*/\n", re.DOTALL | re.MULTILINE)
FIT = re.compile(r"\bMIK_F32_FIT\(([^,()]+), ([^,]+), ([^,()]+)\)")
RUNS = re.compile(r"\bMIK_RUNS\(([\w>-]+), (\w+)\)")
NUMBER = re.compile(r"\bMIK_NUMBER\((\w+)\)")
OF = re.compile(r"\bMIK_F32_OF\(([^()]+)\) ")
NAME = re.compile(r"[A-Za-z_]\w*")


def value(condition, values):
    """The condition's value, or None where it has names without one."""
    text = re.sub(r"/\*.*?\*/", " ", condition)
    text = re.sub(r"\bdefined\s*\(?\s*(\w+)\s*\)?", r"defined_\1", text)
    if any(name not in values for name in NAME.findall(text)):
        return None
    text = re.sub(r"!(?!=)", " not ", text.replace("&&", " and ").replace("||", " or "))
    tree = ast.parse("(" + text.strip() + ")", mode="eval")
    return bool(eval(compile(tree, condition, "eval"), {"__builtins__": {}}, dict(values)))


def resolve(lines, values):
    """The lines without the parts that `values` excludes."""
    out = []
    groups = []  # of each open #if: [resolved, whether its current part stays, whether one has stayed]
    for line in lines:
        found = DIRECTIVE.fullmatch(line.rstrip("\n"))
        stays = all(group[1] for group in groups)
        if not found:
            if stays and not UNSAID.match(line) and (groups or not DROPPED.match(line)):
                out.append(line)
            continue
        word, condition = found.groups()
        if word in ("if", "ifdef", "ifndef"):
            known = value(condition, values) if word == "if" and stays else None
            groups.append([known is not None, known is not False, bool(known)])
        elif word == "elif" and groups[-1][0]:
            known = not groups[-1][2] and value(condition, values)
            if known is None:
                raise ValueError("#elif%s: its names have no value, but those of the #if have" % condition)
            groups[-1][1:] = [known, groups[-1][2] or known]
            continue
        elif word == "else" and groups[-1][0]:
            groups[-1][1:] = [not groups[-1][2], True]
            continue
        elif word == "endif" and groups.pop()[0]:
            continue
        elif word in ("elif", "else") or word == "endif":
            pass
        if stays and not (word == "if" and groups[-1][0]):
            out.append(line)
    if groups:
        raise ValueError("an #if without its #endif")
    return out


def fit(text, fitted):
    if "MIK_F32_" in text:
        text = FIT.sub(r"\1->fitted.\2" if fitted else r"\3", text)
        text = OF.sub(r"\1, " if fitted else "", text)
    return text


def rename(text, names):
    """`in` is much faster than a pattern that begins with a condition, and most names are not in most files."""
    for old, new in names.items():
        if not new:
            if old in text:
                text = re.sub(r"\b%s\b[ \t]*\n?" % re.escape(old), "", text)
            continue
        for x, y in dict.fromkeys([(old, new), (old.upper(), new.upper())]):
            if x in text:
                text = re.sub(r"(?<![A-Za-z0-9])%s(?![A-Za-z0-9])" % re.escape(x), y, text)
    return text


LINKAGE = {
    "static": {"MIK_SHARED_INLINE": "MIK_UNUSED MIK_INLINE", "MIK_SHARED": "static"},
    "shared": {"MIK_SHARED_INLINE": "", "MIK_SHARED": ""},
}


def reader(lines_of, runs, sets, about_sets):
    """The function; lines_of(NAME): of a file of the engine; sets: by name, as emit/sets.h has them; about_sets, runs: sets.py, and its condition."""
    spelled, pieces, some = about_sets.spelled(sets) if sets else {}, about_sets.pieces(sets) if sets else {}, about_sets.values(sets)

    @jinja2.pass_context
    def engine(context, name, names={}, values={}, brief=False):
        lines = [part for line in lines_of(name) for part in pieces.get(line.strip(), line).splitlines(True)]
        values = dict(values, MIK_DRAWS=int("draws" in context), MIK_TRACE=int(context["trace"]), **some)
        try:
            text = "".join(resolve(lines, values))
        except (ValueError, SyntaxError) as error:
            raise ValueError("engine/%s: %s" % (name, error)) from error
        text = fit(text, values.get("MIK_F32_FITTED"))
        text = RUNS.sub(lambda found: runs(*found.groups()), text)
        text = NUMBER.sub(lambda found: str(sets[found[1]]["number"]), text)
        if brief:
            text = COMMENT.sub("", text)
        return re.sub(r"\n{3,}", "\n\n", rename(rename(text, names), dict(LINKAGE[context["linkage"]], **spelled))).strip("\n")
    return engine
