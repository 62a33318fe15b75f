# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites files, each with the options that it is compiled with, and says what became of them."""
import functools
import re
import shlex
import subprocess
from collections import Counter

# What --remarks says of each function that has loops, and of each loop that stays as it is.
FUNCTION = re.compile(r"note: (\d+) of (\d+) loops of function '.*?' are understood")
LOOP_LEFT = re.compile(r"missed: loop is left as text: (.*)")
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
    """Counts over the files of a tree. A function is understood if all its loops are."""

    def __init__(self):
        self.files = self.accepted = self.changed = self.again = 0
        self.functions = self.functions_understood = self.loops = self.loops_understood = 0
        self.reasons = Counter()
        self.refused, self.not_again = [], []
        self.vectors = None

    def add_remarks(self, remarks):
        for understood, loops in FUNCTION.findall(remarks):
            self.functions += 1
            self.functions_understood += understood == loops
            self.loops += int(loops)
            self.loops_understood += int(understood)
        self.reasons.update(re.sub("'[^']*'", "'...'", reason) for reason in LOOP_LEFT.findall(remarks))


def call(given, file, how, *more):
    words = [str(given.mikgen), "--keep-loops", f"--cc={given.cc}", *given.mikgen_flags, *features(given.cc, how.words), *how.text, *more]
    return subprocess.run([*words, str(file)], cwd=how.folder, capture_output=True, check=False, timeout=600)


def rewrite(given, file, to, how, found, log):
    done = call(given, file, how, "--remarks")
    remarks = done.stderr.decode(errors="replace")
    log.write(remarks)
    if done.returncode:
        found.refused.append(f"{file}: exit status {done.returncode}: {remarks.splitlines()[0] if remarks else ''}")
        return
    found.accepted += 1
    found.add_remarks(remarks)
    found.changed += done.stdout != file.read_bytes()
    to.write_bytes(done.stdout)
    if same_again(given, file, how, done.stdout):
        found.again += 1
    else:
        found.not_again.append(f"{file}: rewriting what it becomes changes more")


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
