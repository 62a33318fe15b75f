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


def seconds(words, folder):
    """Processor time of one run of a program in a copy."""
    with open(os.devnull, "r+b") as nothing:
        child = subprocess.Popen([folder / words[0], *words[1:]], cwd=folder, stdin=nothing, stdout=nothing, stderr=nothing)
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{folder}: {shlex.join(words)} ended with {child.returncode}")
    return usage.ru_utime + usage.ru_stime


def same_code(copies, program):
    """Whether an executable has the same machine code in both copies."""
    texts = []
    for copy in (copies.old, copies.new):
        done = subprocess.run(["objcopy", "-O", "binary", "-j", ".text", copy / program, "/dev/stdout"], capture_output=True, check=True)
        texts.append(done.stdout)
    return texts[0] == texts[1]


def least(copies, words, rounds, least_old=float("inf"), least_new=float("inf")):
    for i in range(rounds):
        for copy in (copies.old, copies.new) if i % 2 else (copies.new, copies.old):
            taken = seconds(words, copy)
            if copy is copies.old:
                least_old = min(least_old, taken)
            else:
                least_new = min(least_new, taken)
    return least_old, least_new


def times(copies, programs, rounds):
    measured = []
    for name, command in programs:
        words = shlex.split(command)
        same = same_code(copies, words[0])
        old, new = least(copies, words, 1 if same else rounds)
        if not same and not 0.98 <= old / new <= 1.02:
            old, new = least(copies, words, 3 * rounds, old, new)
        measured.append(Measured(name, old, new, same))
        print(f"  {name}: {old:.3f} s, {new:.3f} s{', same code' if same else f', {old / new:.3f}'}", file=sys.stderr)
    return measured


def instructions(words, folder):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", folder / words[0], *words[1:]],
                          cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    found = re.findall(r"Collected *: *(\d+)", done.stderr)
    if not found:
        sys.exit(f"{folder}: valgrind on {shlex.join(words)}:\n{done.stderr[-2000:]}")
    return int(found[-1])


def counts(copies, programs):
    measured = []
    for name, command in programs:
        words = shlex.split(command)
        if same_code(copies, words[0]):
            measured.append(Measured(name, 1, 1, True))
            continue
        measured.append(Measured(name, instructions(words, copies.old), instructions(words, copies.new), False))
        print(f"  {name}: instructions {measured[-1].ratio():.3f}", file=sys.stderr)
    return measured
