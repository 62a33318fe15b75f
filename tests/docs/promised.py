#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tests that docs/promises.md and other documents name are tests of CTest; every promise names one; they are
numbered.

    promised.py BUILD
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tests(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^ *Test +#\d+: (\S+)", listed, re.M))


def main():
    known = tests(sys.argv[1])
    text = (ROOT / "docs/promises.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\d+)\. ", text, flags=re.M)
    if [int(number) for number in parts[1::2]] != list(range(1, 21)):
        sys.exit("FAILED: docs/promises.md numbers them %s" % ", ".join(parts[1::2]))
    wrong, named = [], set()
    for number, part in zip(parts[1::2], parts[2::2]):
        line = re.search(r"\bTests: (.*(?:\n(?!\n).*)*)", part, re.M)
        names = re.findall(r"`([\w.]+)`", line.group(1)) if line else []
        if not names:
            wrong.append("promise %s names no test: 'Tests: `NAME`, ...'" % number)
        wrong += ["promise %s names %s, which is no test" % (number, name) for name in names if name not in known]
        named.update(names)
    kinds = {name.partition(".")[0] for name in known}
    for path in sorted((ROOT / "docs").glob("*.md")):
        names = re.findall(r"`((?:%s)\.[a-z][\w.]*)`" % "|".join(sorted(kinds)), path.read_text(encoding="utf-8"))
        wrong += ["%s names %s, which is no test" % (path.name, name) for name in names if name not in known and not name.endswith(".h")]
    if wrong:
        sys.exit("\n".join(wrong) + "\nFAILED")
    print("%d promises, %d tests of %d" % (len(parts) // 2, len(named), len(known)))


main()
