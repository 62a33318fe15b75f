#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Links in documents lead to files that are there, and to headings of these; and every document of docs/ is reached from the README, every
solution from the tasks, every result from docs/performance.md."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!`)\[[^\]\[]*\]\(([^()\s]+)\)")


def prose(path):
    """The text without code."""
    text = re.sub(r"^(```+)[^\n]*\n.*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return re.sub(r"`[^`\n]+`", "", text)


def anchors(path):
    """What GitHub calls the headings."""
    text = re.sub(r"^(```+)[^\n]*\n.*?^\1$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.M)}


def main():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    links, wrong, count = {}, [], 0
    for name in names:
        path = ROOT / name
        links[path] = set()
        for target in LINK.findall(prose(path)):
            if re.match(r"\w+:", target):
                continue
            count += 1
            file, _, anchor = target.partition("#")
            other = (path.parent / file).resolve() if file else path
            if not other.exists():
                wrong.append("%s: there is no %s" % (name, target))
            elif anchor and anchor not in anchors(other):
                wrong.append("%s: %s has no heading for #%s" % (name, file or "it", anchor))
            links[path].add(other)
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += [other for other in links.get(path, ()) if other.suffix == ".md"]
    wrong += ["no link leads from the README to %s" % name for name in names if name.startswith("docs/") and ROOT / name not in reached]
    tasks = {path for path in (ROOT / "tests/tasks").glob("*.sh")}
    wrong += ["docs/tasks.md has no link to %s" % path.name for path in sorted(tasks - links[ROOT / "docs/tasks.md"])]
    results = {path for path in (ROOT / "bench/results").iterdir()}
    wrong += ["docs/performance.md has no link to bench/results/%s" % path.name for path in sorted(results - links[ROOT / "docs/performance.md"])]
    if wrong or count < 50:
        sys.exit("\n".join(wrong) + "\nFAILED: of %d links" % count)
    print("%d links, %d documents" % (count, len(names)))


main()
