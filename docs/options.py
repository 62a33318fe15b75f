#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of docs/options.md, which stand between two comments there, from what --help prints.

    options.py MIKGEN update     writes them
    options.py MIKGEN check      are they that? (a test)
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "install"))
import help_text  # noqa: E402

DOCUMENT = HERE / "options.md"
BEGIN, END = "<!-- from --help, by docs/options.py -->\n", "<!-- end -->\n"


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def tables(title, helps):
    out = ["## " + title, ""]
    for section in helps.sections:
        if section.options:
            out += ["**%s**" % section.title, "", "| option | meaning |", "|---|---|"]
            out += ["| `%s` | %s |" % (option.head.replace("|", "\\|"), cell(option.meaning)) for option in section.options]
            out.append("")
    return out + [" ".join(text.split()) for text in helps.last] + [""]


def main():
    mikgen, what = sys.argv[1:]
    text = "\n".join(tables("mikgen", help_text.of_program(mikgen)) + tables("mikgen tune", help_text.of_program(mikgen, "tune")) +
                     tables("mikgen cc", help_text.of_program(mikgen, "cc")))
    document = DOCUMENT.read_text(encoding="utf-8")
    before, rest = document.split(BEGIN)
    made = before + BEGIN + "\n" + text + END + rest.split(END)[1]
    if what == "update":
        DOCUMENT.write_text(made, encoding="utf-8")
    elif made != document:
        sys.exit("FAILED: docs/options.md is not what --help says: docs/options.py MIKGEN update")


main()
