# SPDX-License-Identifier: GPL-3.0-or-later
"""Which loops a compiler makes vector code of, before and after. It says the same every time, unlike a clock."""
import os
import re
import shlex
import subprocess

# What gcc and clang say of a loop, once for each place.
SAID = re.compile(r"^([^\s:][^:\n]*:\d+:\d+): (?:optimized: *(?:loop|outer loop) vectorized|remark: vectorized loop)", re.MULTILINE)


class Lost:
    """A file that has fewer such loops than it had."""

    def __init__(self, file, old, new):
        self.file, self.old, self.new = file, old, new


class Vectors:
    """Counts over the files of a tree."""

    def __init__(self):
        self.old = self.new = 0
        self.lost = []

    def add(self, file, old, new):
        self.old += old
        self.new += new
        if new < old:
            self.lost.append(Lost(file, old, new))


def flag(compiler):
    said = subprocess.run([*shlex.split(compiler), "--version"], capture_output=True, text=True, check=True).stdout
    return "-Rpass=loop-vectorize" if "clang" in said else "-fopt-info-vec-optimized"


def places(compiler, how, folder, file):
    """Where the file's loops with vector code stand."""
    words = [*shlex.split(compiler), *how.all, "-w", flag(compiler), "-c", str(file), "-o", os.devnull]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    return set(SAID.findall(done.stderr))


def tree(compiler, compiled, old, new):
    found = Vectors()
    for file, how in sorted(compiled.items()):
        name = file.relative_to(old)
        # Options that name a folder of the old copy mean the new one's there.
        moved = how.moved(old, new)
        found.add(name, len(places(compiler, how, how.folder, file)), len(places(compiler, moved, moved.folder, new / name)))
    return found
