#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The text that an entry of a list of mutations changes is in the file that it names, once. Only a few of the entries are tried on a commit,
but a file that moves makes all of its entries stale."""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
import mutations  # noqa: E402

LISTS = {"oracle": "templates/engine", "simulator": "templates/engine", "passes": "."}


class Entry:
    """What all lists have in common."""

    def __init__(self, text):
        lines = text.split("\n")
        self.file = lines[0].split()[0]
        self.old, _ = mutations.change(lines)


def main():
    seen = faults = 0
    for name, folder in LISTS.items():
        for entry in mutations.read(ROOT / "tests" / name / "mutations.txt", Entry):
            seen += 1
            fault = mutations.stale(ROOT / folder / entry.file, entry)
            if fault:
                faults += 1
                print(f"tests/{name}/mutations.txt: {entry.file}: {entry.old.strip()}: {fault}")
    print(f"{seen} mutations")
    sys.exit(faults > 0 or seen < 100)


if __name__ == "__main__":
    main()
