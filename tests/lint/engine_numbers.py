#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The usual numbers that the engine's text has, MIK_F32_FIT(isa, NAME, USUAL), are those of plan/engine_knobs.def, and all of its
ENGINE_KNOBs are there. A number that the generator repeats, #define NAME NUMBER /* MIK_NAME of templates/FILE */, is the one of that
file; it has such a comment."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOB = re.compile(r"^ENGINE_KNOB\((\w+), (\d+), (\d+),", re.MULTILINE)
FIT = re.compile(r"MIK_F32_FIT\([^,()]+, (\w+)[^,]*, ([^,()]+)\)")
REPEATED = re.compile(r"^#define (\w+) ([\d.]\S*)(?: +/\* MIK_\1 of (templates/\S+) \*/)?", re.MULTILINE)
DEFINED = re.compile(r"^#define MIK_(\w+) ([\d.]\S*)", re.MULTILINE)
# By the words of templates/engine/c: enumerators and macros, of which sizes of elements are taken as bytes.
CONSTANT = r"^\s*(?:#define\s+)?%s\s*(?:=|\s)\s*(\w+\.?\w*)"


def number(word, text):
    while not re.fullmatch(r"\d+(\.\d+)?f?", word):
        found = re.search(CONSTANT % re.escape(word), text, re.MULTILINE)
        if not found or found.group(1) == word:
            sys.exit("FAILED: templates/engine/c has no constant %s" % word)
        word = found.group(1)
    return float(word.rstrip("f"))


def engine_defines():
    """Name without MIK_: file: what it is defined as."""
    found = {}
    for path in sorted((ROOT / "templates/engine").rglob("*.*h")):
        for name, value in DEFINED.findall(path.read_text(encoding="utf-8")):
            found.setdefault(name, {})[str(path.relative_to(ROOT))] = value
    return found


def repeated():
    """How many numbers the generator repeats, and what is wrong with them."""
    count, wrong, defined = 0, [], engine_defines()
    sources = subprocess.run(["git", "ls-files", "*.c", "*.h"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for path in sources:
        if path.split("/")[0] in ("bench", "examples", "generated", "templates", "tests"):
            continue
        for name, value, file in REPEATED.findall((ROOT / path).read_text(encoding="utf-8")):
            if name not in defined and not file:
                continue
            count += 1
            if file not in defined.get(name, {}):
                wrong.append("%s of %s is defined by %s, which its comment has to say" % (name, path, " and ".join(defined.get(name, ["nobody"]))))
            elif defined[name][file] != value:
                wrong.append("%s is %s in %s and %s in %s" % (name, value, path, defined[name][file], file))
    return count, wrong


def main():
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / "templates/engine/c").glob("*.h")))
    usual = {name: int(value) / int(whole) for name, whole, value in KNOB.findall((ROOT / "plan/engine_knobs.def").read_text(encoding="utf-8"))}
    found = FIT.findall(re.sub(r"#define MIK_F32_FIT.*", "", text))
    wrong = ["%s is %s in the engine and %g in the list" % (name, value, usual.get(name, float("nan"))) for name, value in found
             if name not in usual or abs(number(value, text) - usual[name]) > 1e-6]
    wrong += ["%s is not in the engine" % name for name in usual if name not in {name for name, _ in found}]
    count, differ = repeated()
    wrong += differ
    if wrong or not found or not count:
        sys.exit("\n".join(wrong) + "\nFAILED: the generator's numbers are not the engine's")
    print("%d places, %d numbers, %d repeated" % (len(found), len(usual), count))


main()
