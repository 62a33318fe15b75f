#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what a document shows.

    run.py PROGRAMS DOCUMENT FOLDER        PROGRAMS: the folder of mikgen; FOLDER is emptied, and what the document shows happens there

What a fenced block is says its first line:

    ```sh                          commands, run by bash in FOLDER; they must succeed
    ```sh exit=1                   commands of which the last one ends with this status
    ```sh needs=nvcc               the same, where there is such a program, or of Python's such a module: needs=python:numpy,
                                   or where mikgen has such an option: needs=option:--trace
    ```text                        behind such a block: what the commands print, on both streams
    ```c printed                   the same in another language
    ```c file=gemm.spec            a file (of any language) that is written into FOLDER
    ```text from=bench/results/x   lines that this file has, in this order
    ```make no-run: WHY            a block (of any language) that is shown and not run

In expected text a line '...' stands for any lines, and '...' in a line for anything. Every block must be one of these, and code that is
merely indented is refused, so that nothing is shown which nobody looks at.

In FOLDER there is a copy of the sources' examples/. Compilers called cc, gcc and g++ are those of the machine without optimisation, so that a
document takes seconds: what is looked at is what commands print. With MIKGEN_TREE=FOLDER of an installed mikgen CMake and pkg-config find
that one.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 250


class Block:
    def __init__(self, line, info, lines):
        self.line, self.lines = line, lines
        self.language, _, rest = info.partition(" ")
        self.why_not = rest[len("no-run:"):].strip() if rest.startswith("no-run:") else None
        words = dict(word.partition("=")[::2] for word in rest.split()) if self.why_not is None else {}
        self.printed = words.pop("printed", None) is not None or (info == "text")
        self.file, self.quoted, self.status = words.pop("file", None), words.pop("from", None), int(words.pop("exit", 0))
        self.needs = words.pop("needs", None)
        self.unknown = list(words)

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def blocks_of(text, fail):
    """The fenced blocks; complains of indented ones."""
    found, lines, at, in_list = [], text.split("\n"), 0, False
    while at < len(lines):
        line = lines[at]
        fence = re.match(r"(```+)(.*)$", line)
        if fence:
            end = next((i for i in range(at + 1, len(lines)) if lines[i] == fence.group(1)), None)
            if end is None:
                fail(at + 1, "this block has no end")
                break
            found.append(Block(at + 1, fence.group(2).strip(), lines[at + 1:end]))
            at = end
        elif line.strip():
            in_list = bool(re.match(r"\s*([-*]|\d+\.) ", line)) or (in_list and line.startswith(" "))
            if line.startswith("    ") and not in_list and not lines[at - 1].strip():
                fail(at + 1, "code that is only indented: write a fenced block, see tests/docs/run.py")
        at += 1
    return found


def pattern(expected):
    """A regular expression for expected lines."""
    parts = []
    for line in expected:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(line.rstrip()).replace(r"\.\.\.", r".*?") + r"[ \t]*\n")
    return "".join(parts)


def has_in_order(lines, path):
    """The first line that the file lacks behind those in front of it, or None."""
    rest = iter(path.read_text(encoding="utf-8").split("\n"))
    for line in lines:
        if line.strip() and line.strip() != "..." and not any(line.strip() == other.strip() for other in rest):
            return line
    return None


def environment(programs, folder):
    shims = folder / ".programs"
    shims.mkdir()
    env = dict(os.environ, LC_ALL="C", PYTHONDONTWRITEBYTECODE="1", CC="cc", CMAKE_GENERATOR="Ninja")
    for name in ("cc", "gcc", "g++"):
        real = shutil.which(name)
        if real:
            shim = shims / name
            shim.write_text('#!/bin/sh\nexec %s "$@" -O0\n' % real, encoding="utf-8")
            shim.chmod(0o755)
    if os.access("/usr/bin/python3", os.X_OK):  # which mikgen runs as well
        (shims / "python3").symlink_to("/usr/bin/python3")
    env["PATH"] = os.pathsep.join([str(shims), str(programs), env["PATH"]])
    tree = env.get("MIKGEN_TREE")
    if tree:
        env.update(CMAKE_PREFIX_PATH=tree, PKG_CONFIG_PATH=tree + "/share/pkgconfig", PATH=env["PATH"].replace(str(programs), tree + "/bin", 1))
    return env


class Document:
    def __init__(self, path, folder, env):
        self.path, self.folder, self.env = path, folder, env
        self.failures = 0
        self.counts = dict.fromkeys(("run", "compared", "files", "quotes"), 0)
        self.not_run = []

    def fail(self, line, what):
        print("%s:%d: %s" % (self.path, line, what))
        self.failures += 1

    def commands(self, block, expected):
        """Runs them, and compares what they print."""
        done = subprocess.run(["bash", "-eu", "-o", "pipefail", "-c", block.text()], cwd=self.folder, env=self.env, text=True, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.counts["run"] += 1
        if done.returncode != block.status:
            self.fail(block.line, "exit status %d instead of %d; it printed\n%s" % (done.returncode, block.status, done.stdout))
        elif expected is not None:
            self.counts["compared"] += 1
            if not re.fullmatch(pattern(expected.lines), done.stdout if done.stdout.endswith("\n") or not done.stdout else done.stdout + "\n"):
                self.fail(expected.line, "the commands print something else:\n%s" % done.stdout)

    def has(self, needed):
        if needed.startswith("python:"):
            return subprocess.run(["python3", "-c", "import " + needed[7:]], env=self.env, stderr=subprocess.DEVNULL, check=False).returncode == 0
        if needed.startswith("option:"):
            texts = subprocess.run(["mikgen", "--help"], env=self.env, stdout=subprocess.PIPE, text=True, check=True).stdout
            return re.search(r"^  %s\b" % re.escape(needed[7:]), texts, re.M) is not None
        return shutil.which(needed, path=self.env["PATH"]) is not None

    def block(self, block, following):
        """Does what it says. Whether `following` is what it prints, and so done with."""
        if block.unknown:
            self.fail(block.line, "'%s' says nothing about a block: see tests/docs/run.py" % " ".join(block.unknown))
        elif block.why_not is not None:
            self.not_run.append("line %d: %s" % (block.line, block.why_not))
            if not block.why_not:
                self.fail(block.line, "no-run: without a reason")
        elif block.file:
            place = self.folder / block.file
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text(), encoding="utf-8")
            self.counts["files"] += 1
        elif block.quoted:
            missing = has_in_order(block.lines, ROOT / block.quoted)
            self.counts["quotes"] += 1
            if missing is not None:
                self.fail(block.line, "%s has no such line (here): %s" % (block.quoted, missing))
        elif block.language == "sh":
            if block.needs and not self.has(block.needs):
                self.not_run.append("line %d: there is no %s" % (block.line, block.needs))
                return following is not None and following.printed
            printed = following is not None and following.printed
            self.commands(block, following if printed else None)
            return printed
        else:
            self.fail(block.line, "neither commands nor a file, nor printed by commands, nor said not to run: see tests/docs/run.py")
        return False

    def run(self):
        blocks = blocks_of(self.path.read_text(encoding="utf-8"), self.fail)
        done = False
        for block, following in zip(blocks, blocks[1:] + [None]):
            done = not done and self.block(block, following)
        print("%s: %d blocks of commands run, %d compared with what they print; %d files; %d quotes compared; %d not run"
              % (self.path.name, *self.counts.values(), len(self.not_run)))
        for why in self.not_run:
            print("  " + why)
        return self.failures


def main():
    programs, document, folder = map(lambda name: pathlib.Path(name).resolve(), sys.argv[1:])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "examples", folder / "examples")
    if Document(document, folder, environment(programs, folder)).run():
        sys.exit("FAILED")


main()
