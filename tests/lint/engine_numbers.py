#!/usr/bin/env python3
"""The usual numbers that the engine's text has, MIK_F32_FIT(isa, NAME, USUAL), are those of plan/engine_knobs.def, and all of its
ENGINE_KNOBs are there."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KNOB = re.compile(r"^ENGINE_KNOB\((\w+), (\d+), (\d+),", re.MULTILINE)
FIT = re.compile(r"MIK_F32_FIT\([^,()]+, (\w+)[^,]*, ([^,()]+)\)")
# By the words of templates/engine/c: enumerators and macros, of which sizes of elements are taken as bytes.
CONSTANT = r"^\s*(?:#define\s+)?%s\s*(?:=|\s)\s*(\w+\.?\w*)"


def number(word, text):
    while not re.fullmatch(r"\d+(\.\d+)?f?", word):
        found = re.search(CONSTANT % re.escape(word), text, re.MULTILINE)
        if not found or found.group(1) == word:
            sys.exit("FAILED: templates/engine/c has no constant %s" % word)
        word = found.group(1)
    return float(word.rstrip("f"))


def main():
    text = "\n".join(p.read_text(encoding="utf-8") for p in sorted((ROOT / "templates/engine/c").glob("*.h")))
    usual = {name: int(value) / int(whole) for name, whole, value in KNOB.findall((ROOT / "plan/engine_knobs.def").read_text(encoding="utf-8"))}
    found = FIT.findall(re.sub(r"#define MIK_F32_FIT.*", "", text))
    wrong = ["%s is %s in the engine and %g in the list" % (name, value, usual.get(name, float("nan"))) for name, value in found
             if name not in usual or abs(number(value, text) - usual[name]) > 1e-6]
    wrong += ["%s is not in the engine" % name for name in usual if name not in {name for name, _ in found}]
    if wrong or not found:
        sys.exit("\n".join(wrong) + "\nFAILED: the engine's usual numbers are two lists")
    print("%d places, %d numbers" % (len(found), len(usual)))


main()
