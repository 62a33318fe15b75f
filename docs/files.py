#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/files.md: what each file of the generator is for, from the files' head comments.

    files.py update     writes it
    files.py check      is it that? (a test)
"""
import itertools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs/files.md"
FOLDERS = ("ir", "depend", "normalize", "licm", "fuse", "plan", "emit", "tune", "gen")
HEAD = """# Files

Each file of the generator, by the first sentence of its head comment. Made by `docs/files.py update`.
A line describes the header where there is one; the `.c` or `.cc` file beside it has the method.
"""
HEADER = re.compile(r"\A/\* SPDX.*?\*/\s*(?:/\*(.*?)\*/|((?://[^\n]*\n)+))", re.S)


def sentence(path):
    """The first sentence of a file's head comment; empty where it has none."""
    found = HEADER.match(path.read_text(encoding="utf-8"))
    lines = (found.group(1) or found.group(2)).strip().splitlines() if found else []
    lines = [re.sub(r"^[ \t]*(?:\*|//)? ?", "", line) for line in lines]
    text = " ".join(line for line in itertools.takewhile(lambda line: not line.startswith("   "), lines))  # code is indented
    text = re.sub(r"^Part of [\w/.]+: ", "", text)
    text = re.split(r"(?<=[.:]) (?=[A-Z])|(?<=:)  ", " ".join(text.split()))[0].rstrip(":. ")
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def table():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *(f"{f}/*" for f in FOLDERS)], cwd=ROOT, capture_output=True,
                            text=True, check=True).stdout.split()
    folders = {}
    for name in sorted(set(listed)):
        path = ROOT / name
        if path.exists() and path.suffix in (".c", ".h", ".cc", ".hh", ".def"):
            folders.setdefault(str(path.relative_to(ROOT).parent), {}).setdefault(path.stem, {})[path.suffix] = path
    out, missing = [HEAD], []
    for folder in sorted(folders):
        out += [f"## {folder}", "", "| file | contents |", "|---|---|"]
        for stem, files in sorted(folders[folder].items()):
            for kinds in ((".h", ".c"), (".hh", ".cc"), (".def",)):
                have = [files[k] for k in kinds if k in files]
                if not have:
                    continue
                said = next((s for s in map(sentence, have) if s), "")
                if not said:
                    missing.append(str(have[0].relative_to(ROOT)))
                out.append(f"| `{have[0].name}` | {said} |")
        out.append("")
    return "\n".join(out), missing


def main():
    text, missing = table()
    if missing:
        sys.exit("FAILED: a head comment says what a file is for; these have none: " + ", ".join(missing))
    if sys.argv[1:] == ["update"]:
        DOCUMENT.write_text(text, encoding="utf-8")
    elif sys.argv[1:] != ["check"]:
        sys.exit(__doc__)
    elif not DOCUMENT.exists() or DOCUMENT.read_text(encoding="utf-8") != text:
        sys.exit("FAILED: head comments have changed: docs/files.py update")


main()
