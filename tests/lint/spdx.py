#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every source states its licence in one line, at its head; --update writes the lines that lack.

What is no source (data, expected texts, documents, examples) has its licence from REUSE.toml, which also says whose all of it is: of each
file something is known (`reuse lint`, of PyPI, says so as well). What ends up in emitted files or in builds of others may be used under
the output exception, too.
"""
import os
import re
import subprocess
import sys
import tomllib

LICENCE = "GPL-3.0-or-later"
COPIED = LICENCE + " OR LicenseRef-mikgen-output"
ROOMS_COPIED = ("templates/", "install/")
NO_SOURCES = re.compile(r"(tests/golden|tests/unit/licm_cases|bench/licm/cases|examples|generated|tests/fuzz/corpus)/|templates/bind/support\.py$")
COMMENTS = {  # by ending, or by name
    "c h cc hh cu cuh def": "/* {} */", "rs ispc": "// {}", "j2": "{{# {} #}}",
    "sh py cmake mk awk gp CMakeLists.txt bootstrap run": "# {}", "sollya": "/* {} */",
}
COMMENT = {ending: comment for endings, comment in COMMENTS.items() for ending in endings.split()}
HEAD = 80  # lines


def comment_of(path):
    name = os.path.basename(path)
    return COMMENT.get(name if name in COMMENT else name.rpartition(".")[2] if "." in name else "")


def line_of(path):
    tag = "SPDX-License-" + "Identifier: "
    return comment_of(path).format(tag + (COPIED if path.startswith(ROOMS_COPIED) else LICENCE)) + "\n"


def place(path, lines):
    """Behind the first line where that says what runs the file; of shell scripts behind their head, of which usage messages quote lines."""
    at = 1 if lines and lines[0].startswith("#!") else 0
    if at and not path.endswith(".py"):
        while at < len(lines) and lines[at].startswith("#"):
            at += 1
    return at


def licensed_by_list():
    """A pattern of the paths whose licence REUSE.toml states."""
    with open("REUSE.toml", "rb") as f:
        tables = tomllib.load(f)["annotations"]
    paths = [path for table in tables if "SPDX-License-Identifier" in table for path in table["path"]]
    return re.compile("|".join(re.escape(path).replace(r"\*\*", ".*").replace(r"\*", "[^/]*") for path in paths))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    files = subprocess.run(["git", "ls-files", "-z"], check=True, stdout=subprocess.PIPE, text=True).stdout.split("\0")[:-1]
    sources = [path for path in files if comment_of(path) and not NO_SOURCES.match(path) and os.path.exists(path)]
    if len(sources) < 1000:
        sys.exit("FAILED: only %d sources" % len(sources))
    failed = 0
    listed = licensed_by_list()
    for path in set(files) - set(sources):
        if not listed.fullmatch(path) and not path.startswith("LICENSES/"):
            print("%s: neither a source nor in REUSE.toml" % path)
            failed = 1
    for path in sources:
        with open(path, encoding="utf-8") as f:
            lines = f.readlines()
        if line_of(path) in lines[:HEAD]:
            continue
        if sys.argv[1:] == ["--update"]:
            lines.insert(place(path, lines), line_of(path))
            with open(path, "w", encoding="utf-8") as f:
                f.writelines(lines)
        else:
            print("%s: its head lacks the line %s" % (path, line_of(path)), end="")
            failed = 1
    if failed:
        sys.exit("FAILED: tests/lint/spdx.py --update writes the lines")
    print(len(sources), "sources")


main()
