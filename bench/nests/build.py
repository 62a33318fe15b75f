# SPDX-License-Identifier: GPL-3.0-or-later
"""Generates and compiles what a case needs, in a folder of its own; only what has changed."""
import resource
import shlex
import shutil
import subprocess
from pathlib import Path

import driver
from cases import BENCH

SPEC_FLAGS = {
    "gcc -O2": ["gcc", "-O2"],
    "gcc -O3": ["gcc", "-O3", "-march=native"],
    "gcc fast": ["gcc", "-O3", "-march=native", "-ffast-math"],
    "clang -O3": ["clang-19", "-O3", "-march=native"],
    "clang fast": ["clang-19", "-O3", "-march=native", "-ffast-math"],
}
# Of loops in order of memory and dependences alone, with each compiler's best tilings.
LONG_FLAGS = {name: flags for name, flags in SPEC_FLAGS.items() if not name.endswith("fast")} | {
    "polly": ["clang-19", "-O3", "-march=native", "-mllvm", "-polly"],
    "polly vector": ["clang-19", "-O3", "-march=native", "-mllvm", "-polly", "-mllvm", "-polly-vectorizer=stripmine"],
}
HARNESS = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE",
           f"-I{BENCH / 'nests'}", f"-I{BENCH / 'gemm'}", "-I."]


class Failed(Exception):
    """What could not be built, and why: the command's first lines."""


def command(words, folder):
    if not shutil.which(words[0]):
        raise Failed(f"there is no {words[0]}")
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed("\n".join([shlex.join(map(str, words)), *(line[:200] for line in done.stderr.splitlines()[:3])]))
    return done.stdout


def write(path, text):
    """Touches the file only when the text is another one."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def make(target, sources, words, folder):
    """Runs the command if a source is newer than the target, or the command is another one. Notes the processor's seconds."""
    path, note = folder / target, folder / (target + ".command")
    line = shlex.join(map(str, words))
    if path.exists() and note.exists() and note.read_text() == line:
        if all((folder / source).stat().st_mtime <= path.stat().st_mtime for source in sources):
            return
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command(words, folder)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    (folder / (target + ".seconds")).write_text(f"{after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime:.3f}")
    note.write_text(line)


def harness(folder):
    """What all cases share."""
    sources = {"measure": ["-O2"], "data": ["-O2"], "limit": ["-O3", "-march=native"]}
    for name, flags in sources.items():
        path = BENCH / "nests" / (name + ".c")
        headers = list((BENCH / "nests").glob("*.h"))
        make(name + ".o", [path, *headers], [*HARNESS, *flags, "-c", path, "-o", name + ".o"], folder)
    for name, flags in {"machine": ["-O2", "-march=native", "-ffp-contract=fast"], "pool": ["-O2"]}.items():
        path = BENCH / "gemm" / (name + ".c")
        make(name + ".o", [path], [*HARNESS, *flags, "-c", path, "-o", name + ".o"], folder)
    return [folder / (name + ".o") for name in ("measure", "data", "limit", "machine", "pool")]


def specs(case, mikgen, compiler, peers, folder):
    """Compiles the spec in several ways; pairs of a candidate's name and its symbol. The first is as the emitted file."""
    write(folder / "reference.c", command([mikgen, "--emit=reference", case.spec], folder))
    same = [word for word in compiler if not word.startswith("-std=")]
    ways = {"spec " + " ".join(same): same}
    ways.update({"spec " + name: flags for name, flags in peers.items() if flags != same and shutil.which(flags[0])})
    pairs = []
    for i, (name, flags) in enumerate(ways.items()):
        symbol = f"{case.operator}_spec{i}"
        others = [f"-D{name}={name}_of_{symbol}" for name in case.others]
        make(f"spec{i}.o", ["reference.c"],
             [*flags, "-std=gnu11", "-w", f"-D{case.operator}={symbol}", *others, "-c", "reference.c", "-o", f"spec{i}.o"], folder)
        pairs.append((name, symbol))
    return pairs


def emitted(case, mikgen, flags, compiler, prefix, stem, folder):
    """Compiles what is emitted, all symbols with a prefix; the header's name."""
    header = f"{prefix}{case.operator}_dyn.h"
    names = [f"--prefix={prefix}"] * bool(prefix)
    for emit, name in (("source", f"{stem}.c"), ("header", header)):
        write(folder / name, command([mikgen, "--target=c", f"--emit={emit}", *names, *flags, case.spec], folder))
    make(f"{stem}.o", [f"{stem}.c"], [*compiler, "-c", f"{stem}.c", "-o", f"{stem}.o"], folder)
    return header


def program(case, mikgen, mikgen_flags, compiler, peers, has_apart, root):
    """The path of the program that measures the case. has_apart: also what is emitted without fusion."""
    shared = harness(root)
    folder = root / case.name
    folder.mkdir(exist_ok=True)
    headers = [emitted(case, mikgen, mikgen_flags, compiler, "", "own", folder)]
    if has_apart:
        headers.append(emitted(case, mikgen, [*mikgen_flags, "--fuse=off"], compiler, driver.APART, "apart", folder))
    pairs = specs(case, mikgen, compiler, peers, folder)
    write(folder / "case.c", driver.text(case, pairs, headers))
    make("case.o", ["case.c", BENCH / "nests" / "case.h"], [*HARNESS, "-O2", "-c", "case.c", "-o", "case.o"], folder)
    objects = ["case.o", "own.o", *["apart.o"] * has_apart, *(f"spec{i}.o" for i in range(len(pairs))), *shared]
    make("time", objects, ["gcc", *objects, "-lm", "-lpthread", "-o", "time"], folder)
    return Path(folder / "time")
