# SPDX-License-Identifier: GPL-3.0-or-later
"""Times and instructions of programs in two copies of a tree."""
import os
import re
import shlex
import subprocess
import sys


class Measured:
    """A program before and after."""

    def __init__(self, name, old, new, same):
        self.name, self.old, self.new, self.same = name, old, new, same

    def ratio(self):
        return self.old / self.new


class Program:
    """A line that a recipe prints."""

    def __init__(self, line):
        self.name, command, *rest = line.split("\t")
        self.words, self.input = shlex.split(command), rest[0] if rest else os.devnull

    def at(self, folder):
        return [str(folder / self.words[0]), *self.words[1:]]


def seconds(program, folder):
    """Processor time of one run in a copy."""
    with open(os.devnull, "wb") as nothing, open(folder / program.input, "rb") as text:
        child = subprocess.Popen(program.at(folder), cwd=folder, stdin=text, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{folder}: {shlex.join(program.words)} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def same_code(copies, program):
    """Whether the executable has the same machine code in both copies."""
    texts = []
    for copy in (copies.old, copies.new):
        done = subprocess.run(["objcopy", "-O", "binary", "-j", ".text", program.at(copy)[0], "/dev/stdout"], capture_output=True, check=True)
        texts.append(done.stdout)
    return texts[0] == texts[1]


def least(copies, program, rounds, least_old=float("inf"), least_new=float("inf")):
    for i in range(rounds):
        for copy in (copies.old, copies.new) if i % 2 else (copies.new, copies.old):
            taken = seconds(program, copy)
            if copy is copies.old:
                least_old = min(least_old, taken)
            else:
                least_new = min(least_new, taken)
    return least_old, least_new


def times(copies, lines, rounds):
    measured = []
    for program in map(Program, lines):
        same = same_code(copies, program)
        old, new = least(copies, program, 1 if same else rounds)
        if not same and not 0.98 <= old / new <= 1.02:
            old, new = least(copies, program, 3 * rounds, old, new)
        measured.append(Measured(program.name, old, new, same))
        print(f"  {program.name}: {old:.3f} s, {new:.3f} s, {'same code' if same else f'{old / new:.3f}'}", file=sys.stderr)
    return measured


def instructions(program, folder):
    with open(folder / program.input, "rb") as text:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *program.at(folder)],
                              cwd=folder, stdin=text, capture_output=True, text=True, errors="replace", check=False)
    found = re.findall(r"Collected *: *(\d+)", done.stderr)
    if not found:
        sys.exit(f"{folder}: valgrind on {shlex.join(program.words)}:\n{done.stderr[-2000:]}")
    return int(found[-1])


def counts(copies, lines):
    measured = []
    for program in map(Program, lines):
        if same_code(copies, program):
            measured.append(Measured(program.name, 1, 1, True))
            continue
        measured.append(Measured(program.name, instructions(program, copies.old), instructions(program, copies.new), False))
        print(f"  {program.name}: instructions {measured[-1].ratio():.3f}", file=sys.stderr)
    return measured
