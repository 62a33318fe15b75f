# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""What `mikgen --help`, `mikgen tune --help` and `mikgen cc --help` print, taken apart: the one source of the manual page and of completions.

A text has a line for each way to call it, behind "Usage:"; paragraphs; sections, whose titles stand at the margin and end with a
colon, of options; and of these each a head, two blanks from the margin, and its meaning behind two more blanks or on the next lines.
"""
import re
import subprocess


class Option:
    def __init__(self, head, meaning):
        self.head = head  # "--max-kernels=N, --n-mik=N"
        self.meaning = meaning  # one line

    def spellings(self):
        """(name, value) of each: ("--max-kernels", "N"), ("-D", "NAME[=VALUE]"), ("--help", None)."""
        found = []
        for one in self.head.split(", "):
            name, _, value = one.partition("=" if one.startswith("--") else " ")
            found.append((name, value or None))
        return [s for s in found if s[0].startswith("-")]

    def values(self, value):
        """The words that there are, where the head lists them."""
        return value.split("|") if value and "|" in value else []


class Section:
    def __init__(self, title):
        self.title = title
        self.options = []
        self.lines = []  # what is no option: commands of examples


class Help:
    """usage: lines; paragraphs: in front of the sections; sections; last: paragraphs behind them."""

    def __init__(self, text):
        usage, *blocks = text.rstrip("\n").split("\n\n")
        self.usage = [line.removeprefix("Usage:").strip() for line in usage.split("\n")]
        self.paragraphs, self.sections, self.last = [], [], []
        for block in blocks:
            lines = block.split("\n")
            if re.fullmatch(r"[A-Z][^:]*:", lines[0]):
                self.sections.append(section_of(lines))
            elif lines[0].startswith("  "):  # options without a title
                self.sections.append(section_of(["Options:"] + lines))
            else:
                (self.last if self.sections else self.paragraphs).append(" ".join(line.strip() for line in lines))

    def options(self):
        return [option for section in self.sections for option in section.options]


def section_of(lines):
    section = Section(lines[0].rstrip(":"))
    for line in lines[1:]:
        begins = re.match(r"  ([-@]\S.*?)(?:  +(.*))?$", line)
        if begins:
            section.options.append(Option(begins.group(1), begins.group(2) or ""))
        elif section.options:
            section.options[-1].meaning = (section.options[-1].meaning + " " + line.strip()).strip()
        else:
            section.lines.append(line.strip())
    return section


def of_program(mikgen, *command):
    """What `mikgen COMMAND --help` prints."""
    return Help(subprocess.run([mikgen, *command, "--help"], capture_output=True, text=True, check=True).stdout)
