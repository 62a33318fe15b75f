#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every relative link of the documents below a folder leads to a file or a folder there, and what is behind '#' to a heading.

    links.py FOLDER
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)", re.M)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)


def anchors(path):
    """The names that headings have, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)", path.read_text(encoding="utf-8"), re.M):
        name = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", name).replace(" ", "-"))
    return found


def faults(root):
    for path in sorted(root.rglob("*.md")):
        text = CODE.sub("", path.read_text(encoding="utf-8"))
        for link in (a or b for a, b in LINK.findall(text)):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            to = (path.parent / name).resolve() if name else path
            if not to.exists() or root.resolve() not in [to, *to.parents]:
                yield "%s: %s is not there" % (path.relative_to(root), link)
            elif anchor and to.suffix == ".md" and anchor not in anchors(to):
                yield "%s: %s has no such heading" % (path.relative_to(root), link)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    wrong = list(faults(folder))
    print("\n".join(wrong))
    documents = len(list(folder.rglob("*.md")))
    if wrong or documents < 20:
        sys.exit("FAILED: %d links of %d documents are dead" % (len(wrong), documents))
    print("the links of %d documents lead somewhere" % documents)
