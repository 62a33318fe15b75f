# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites files, each with the options that it is compiled with, and says what became of them."""
import functools
import re
import shlex
import subprocess
from collections import Counter

# What --emit=ir prints of a function that has loops, and of a loop.
FUNCTION = re.compile(r"^kept ", re.MULTILINE)
LOOP = re.compile(r"^ +(?:for|loop) ", re.MULTILINE)
FUNCTION_LEFT = re.compile(r"missed: function '.*?' is left as it is: (.*)")
LOOP_LEFT = re.compile(r"missed: (?:loop|the loop|this loop)\b.*?(?:: (.*))?$", re.MULTILINE)
# Macros that say how a compiler is called, and nothing about the language or the machine.
NOT_OF_TEXT = ("__OPTIMIZE", "__SSP", "__PIC", "__pic", "__PIE", "__pie", "__NO_INLINE", "__FAST_MATH", "__SANITIZE", "_FORTIFY")


@functools.lru_cache(maxsize=None)
def macros(compiler, words):
    """Names and values that a compiler defines by itself when called with these words."""
    done = subprocess.run([*shlex.split(compiler), *words, "-dM", "-E", "-x", "c", "/dev/null"], capture_output=True, text=True, check=True)
    return dict(line.split(" ", 2)[1:] for line in done.stdout.splitlines() if line.count(" ") > 1)


def features(compiler, words):
    """What these words make it define in addition, such as __AVX2__, as options."""
    plain = macros(compiler, ())
    return [f"-D{name}={value}" for name, value in macros(compiler, tuple(words)).items()
            if name not in plain and not name.startswith(NOT_OF_TEXT) and "(" not in name]


class Found:
    """Counts over the files of a tree."""

    def __init__(self):
        self.files = self.accepted = self.changed = self.again = 0
        self.functions = self.functions_left = self.loops = self.loops_left = 0
        self.reasons = Counter()
        self.refused = []

    def add_remarks(self, trees, remarks):
        self.functions += len(FUNCTION.findall(trees))
        self.loops += len(LOOP.findall(trees))
        functions, loops = FUNCTION_LEFT.findall(remarks), LOOP_LEFT.findall(remarks)
        self.functions_left += len(functions)
        self.loops_left += len(loops)
        self.reasons.update(re.sub("'[^']*'", "'...'", reason) for reason in functions + loops)


def call(given, file, how, *more):
    words = [str(given.mikgen), "--keep-loops", f"--cc={given.cc}", *given.mikgen_flags, *features(given.cc, how.words), *how.text, *more]
    return subprocess.run([*words, str(file)], cwd=how.folder, capture_output=True, check=False, timeout=600)


def rewrite(given, file, to, how, found, log):
    done = call(given, file, how)
    remarks = done.stderr.decode(errors="replace")
    log.write(remarks)
    if done.returncode:
        found.refused.append(f"{file}: exit status {done.returncode}: {remarks.splitlines()[0] if remarks else ''}")
        return
    found.accepted += 1
    found.add_remarks(call(given, file, how, "--emit=ir").stdout.decode(errors="replace"), remarks)
    found.changed += done.stdout != file.read_bytes()
    to.write_bytes(done.stdout)
    found.again += same_again(given, file, how, done.stdout)


def same_again(given, file, how, text):
    """Whether it stays as it is. It stands beside the file, where what that includes is found."""
    beside = file.with_name(f"{file.stem}.again.c")
    beside.write_bytes(text)
    done = call(given, beside, how)
    if done.stdout == text:
        beside.unlink()
    return done.stdout == text


def tree(given, compiled, old, new, log):
    """Rewrites the files of the copy `old`, which has been built, all that are compiled there, into the copy `new`."""
    found = Found()
    with open(log, "w", encoding="utf-8") as out:
        for file, how in sorted(compiled.items()):
            found.files += 1
            rewrite(given, file, new / file.relative_to(old), how, found, out)
    return found
