# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that a tree's Makefiles compile with nvcc, and their texts as nvcc sees the kernels in them."""
import re
import shlex
import subprocess
from pathlib import Path

# Options of nvcc that say what a text means or how its device code is made; a following word belongs to those of PAIRED.
PAIRED = ("-D", "-U", "-I", "-include", "-default-stream", "--default-stream", "-maxrregcount", "--maxrregcount", "-std", "--std")
KEPT = re.compile(r"-[DUI]|--?(std|include|use_fast_math|maxrregcount|f?mad|fmad|ftz|prec-|expt-|extended-lambda|default-stream)")
OF_TEXT = ("-D", "-U", "-I", "-include")
QUOTED = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"[^\n]*$', re.MULTILINE)
ONCE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+once[^\n]*$", re.MULTILINE)
OF_DEVICE = re.compile(r"\b__(global|device)__\b")


class Unit:
    """A file, where and with what options it is compiled."""

    def __init__(self, tree, folder, file, words):
        self.folder, self.file, self.words = folder, file, words
        self.name = str((folder / file).resolve().relative_to(tree))

    def of_text(self):
        """Its options that mikgen knows, too."""
        found, take = [], False
        for word in self.words:
            if take or word.startswith(OF_TEXT):
                found.append(word)
            take = not take and word in OF_TEXT
        return found


def options(words):
    kept, take = [], False
    for word in words:
        if take or word in PAIRED or KEPT.match(word):
            kept.append(word)
        take = not take and word in PAIRED
    return kept


def commands(folder):
    """What make would call in a folder, as words."""
    said = subprocess.run(["make", "-n", "-k", "-B"], cwd=folder, capture_output=True, text=True, errors="replace", check=False).stdout
    for line in said.replace("\\\n", " ").splitlines():
        try:
            yield shlex.split(line, comments=True)
        except ValueError:  # a quote that another line closes
            continue


def of_tree(tree, every, more):
    """The units of each folder with a Makefile, one of `every` such folders; `more`: options for all."""
    made = sorted({path.parent for name in ("Makefile", "makefile") for path in tree.rglob(name) if list(path.parent.rglob("*.cu"))})
    units = {}
    for folder in made[::every]:
        for words in commands(folder):
            if not words or Path(words[0]).name != "nvcc":
                continue
            for file in words[1:]:
                if file.endswith(".cu") and (folder / file).exists():
                    unit = Unit(tree, folder, file, [*options(words[1:]), *more])
                    units.setdefault(unit.name, unit)
    return [units[name] for name in sorted(units)]


class Flat:
    """The text of a unit with its own kernels written in it."""

    def __init__(self, unit):
        self.base = (unit.folder / unit.file).resolve().parent
        words = unit.of_text()
        self.folders = [unit.folder / (word[2:] or words[i + 1]) for i, word in enumerate(words) if word.startswith("-I")]
        self.once = set()
        self.text = self.read((unit.folder / unit.file).resolve(), ())

    def find(self, name, beside):
        for folder in (beside, *self.folders):
            if (folder / name).is_file():
                return (folder / name).resolve()
        return None

    def has_kernels(self, path, around):
        if path in around:
            return False
        text = path.read_text(encoding="latin-1")
        if OF_DEVICE.search(text):
            return True
        found = (self.find(name, path.parent) for name in QUOTED.findall(text))
        return any(each and self.has_kernels(each, (*around, path)) for each in found)

    def read(self, path, around):
        def include(match):
            found = self.find(match[1], path.parent)
            if not found or found in around:
                return match[0]
            if self.has_kernels(found, (*around, path)):
                return self.read(found, (*around, path))
            return f'#include "{found}"' if found.parent == path.parent != self.base else match[0]

        text = path.read_text(encoding="latin-1")
        if around and ONCE.search(text):
            if path in self.once:
                return ""
            self.once.add(path)
            text = ONCE.sub("", text)
        return QUOTED.sub(include, text)
