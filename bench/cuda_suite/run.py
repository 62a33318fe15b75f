# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites and compiles the CUDA files of trees. bench/cuda_suite.sh says what the options and the columns mean."""
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cubins
import suite_table
import units
import verdicts

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "bench" / "real_c"))
import rewrite  # noqa: E402
import tree_options  # noqa: E402

KERNEL = re.compile(r"__global__\b(?:[^;{}()]|__launch_bounds__\s*\([^()]*\))*?\b(\w+)\s*\(")
LOOPS_OF = re.compile(r"note: (\d+) of (\d+) loops of function '(.*?)' are understood")
# What old suites call by names that the toolkit has no more.
RENAMED = ("-DcudaThreadSynchronize=cudaDeviceSynchronize", "-DcudaThreadExit=cudaDeviceReset")


def read_options():
    words = tree_options.parser("cuda_suite")
    words.add_argument("--arch", default="sm_80,sm_90")
    words.add_argument("--flags", default="", type=shlex.split)
    words.add_argument("--only", default="", type=re.compile)
    words.add_argument("--every", type=int, default=1)
    words.add_argument("--jobs", type=int, default=2)
    given = tree_options.parse(words)
    given.arch = given.arch.split(",")
    return given


class Outcome:
    """What became of a unit."""

    def __init__(self, unit):
        self.name, self.remarks = unit.name, ""
        self.uncompiled = self.refused = self.broken = None  # why, each
        self.accepted = self.changed = self.again = False
        self.kernels, self.changes, self.sources = 0, [], set()

    def kernels_with_loops(self):
        """Those that are understood, and all."""
        found = {name: int(understood) == int(loops) for understood, loops, name in LOOPS_OF.findall(self.remarks) if name in self.sources}
        return sum(found.values()), len(found)

    def is_wrong(self):
        return not self.uncompiled and bool(self.refused or self.broken or not self.again or
                                            any(change.verdict() == "worse" for change in self.changes))


def keep(given, unit, *more):
    words = [str(given.mikgen), "--keep-loops", *given.mikgen_flags, *unit.of_text(), *more, unit.file]
    return subprocess.run(words, cwd=unit.folder, capture_output=True, check=False, timeout=600)


def outcome(given, compiler, unit):
    found, file = Outcome(unit), unit.folder / unit.file
    text = units.Flat(unit).text
    found.sources = set(KERNEL.findall(text))
    first = file.read_bytes()
    try:
        file.write_text(text, encoding="latin-1")
        measure(given, compiler, unit, text, found)
    finally:
        file.write_bytes(first)
    return found


def measure(given, compiler, unit, text, found):
    file = unit.folder / unit.file
    old = compiler.compile(unit, text, given.arch[0])
    if isinstance(old, str):
        found.uncompiled = old
        return
    found.kernels = len(old)
    done = keep(given, unit, "--remarks")
    found.remarks = done.stderr.decode(errors="replace")
    if done.returncode:
        found.refused = (found.remarks.splitlines() or [f"exit status {done.returncode}"])[0]
        return
    found.accepted = True
    new_text = done.stdout.decode("latin-1")
    found.changed = new_text != text
    if not found.changed:
        found.again = True
        return
    before = {arch: compiler.compile(unit, text, arch) for arch in given.arch}
    kept = given.out / "rewritten" / unit.name.replace("/", "_")
    kept.with_suffix(".old.cu").write_text(text, encoding="latin-1")
    kept.with_suffix(".new.cu").write_text(new_text, encoding="latin-1")
    file.write_text(new_text, encoding="latin-1")
    found.again = keep(given, unit).stdout == done.stdout
    for arch in given.arch:
        new = compiler.compile(unit, new_text, arch)
        if isinstance(new, str) or isinstance(before[arch], str):
            found.broken = new if isinstance(new, str) else before[arch]
            return
        found.changes += verdicts.changes(arch, before[arch], new)


def run_tree(given, compiler, tree):
    copy = given.out / tree.resolve().name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(tree, copy, symlinks=True, ignore=large)
    (given.out / "rewritten").mkdir(exist_ok=True)
    made = [unit for unit in units.of_tree(copy, given.every, [*RENAMED, *given.flags]) if given.only.search(unit.name)]
    with ThreadPoolExecutor(given.jobs) as pool:
        found = []
        for each in pool.map(lambda unit: outcome(given, compiler, unit), made):
            print(f"{each.name}: {suite_table.in_short(each)}", file=sys.stderr, flush=True)
            found.append(each)
    loops = rewrite.Found()
    for each in found:
        loops.add_remarks(each.remarks)
    (given.out / f"{copy.name}.remarks").write_text("".join(each.remarks for each in found), encoding="utf-8")
    return suite_table.Tree(copy.name, found, loops)


def large(folder, names):
    """What is not copied: what no compiler reads."""
    return [name for name in names if name == ".git" or (Path(folder) / name).is_file() and (Path(folder) / name).stat().st_size > 4 << 20]


def main():
    given = read_options()
    given.out.mkdir(parents=True, exist_ok=True)
    # A copy, which nobody builds anew meanwhile.
    given.mikgen = shutil.copy(given.mikgen, given.out / "mikgen")
    nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not shutil.which(nvcc):
        sys.exit("this bench wants nvcc")
    machine_code = given.out / "machine_code"
    sources = [str(ROOT / "tests" / "cuda" / f"machine_{name}.c") for name in ("code", "counts", "loops")]
    subprocess.run(["cc", "-O1", "-o", str(machine_code), *sources], check=True)
    compiler = cubins.Compiler(nvcc, machine_code, given.out / "compiled")
    trees = [run_tree(given, compiler, tree) for tree in given.trees]
    text = suite_table.text(given, compiler, trees)
    (given.out / "table.md").write_text(text, encoding="utf-8")
    print(text, end="")
    sys.exit(any(each.is_wrong() for tree in trees for each in tree.found))


main()
