# SPDX-License-Identifier: GPL-3.0-or-later
"""What a build calls its compiler with: written down by a compiler of our own in front of the real one."""
import shlex
from pathlib import Path

# Sets REAL_C_LOG a file for each call: the folder, then the words, a line each.
RECORDER = """#!/bin/sh
if [ "${{REAL_C_LOG:-}}" ]; then
    {{ pwd; printf '%s\\n' "$@"; }} >"$(mktemp "$REAL_C_LOG/XXXXXXXX")"
fi
exec {compiler} "$@"
"""


def recorder(folder, name, compiler):
    path = folder / name
    path.write_text(RECORDER.format(compiler=compiler), encoding="utf-8")
    path.chmod(0o755)
    return path


class Command:
    """A call of the compiler: where, all its words but files and outputs, those of the language and the machine, and those that say
    what a file's text means."""

    def __init__(self, folder, words):
        self.folder, self.given = folder, words
        self.files = [folder / word for word in words if word.endswith(".c")]
        self.all, self.words, self.text = [], [], []
        skip = False
        for i, word in enumerate(words):
            if skip:
                skip = False
                continue
            if word in ("-o", "-MF", "-MT", "-MQ"):
                skip = True
                continue
            if word in ("-D", "-U", "-I", "-isystem"):
                skip = True
                self.add([word, words[i + 1]])
            elif word.startswith(("-D", "-U", "-I")):
                self.add([word])
            elif word.startswith("-") and not word.startswith(("-M", "-l", "-L", "-W")):
                self.all.append(word)
                if word.startswith(("-m", "-std=", "-f", "-ansi")):
                    self.words.append(word)

    def add(self, words):
        self.text += words
        self.all += words

    def moved(self, old, new):
        """The same in another copy of the folder `old`."""
        return Command(Path(str(self.folder).replace(str(old), str(new), 1)), [word.replace(str(old), str(new)) for word in self.given])


def read(log):
    """The command that compiles each .c file. A file that is compiled more than once has the command that comes first in
    alphabetical order, so that it is the same one every time."""
    calls = []
    for file in log.iterdir():
        folder, *words = file.read_text(encoding="utf-8", errors="replace").splitlines()
        calls.append(Command(Path(folder), words))
    calls.sort(key=lambda call: shlex.join(call.text))
    found = {}
    for call in calls:
        for file in call.files:
            found.setdefault(file.resolve(), call)
    return found
