# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewrites, builds, tests and measures trees of C. bench/real_c.sh says what the options mean and what a recipe is."""
import os
import pickle
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import commands
import measure
import rewrite
import table
import tree_options
import vectors

HERE = Path(__file__).resolve().parent
FLAGS = "-O3 -march=native -ffp-contract=off -falign-functions=64"


def read_options():
    words = tree_options.parser("real_c")
    words.add_argument("--cc", default="gcc")
    words.add_argument("--cxx", default="g++")
    words.add_argument("--cflags", default=FLAGS)
    words.add_argument("--rounds", type=int, default=7)
    words.add_argument("--no-count", action="store_true")
    words.add_argument("--resume", action="store_true")
    return tree_options.parse(words)


class Copies:
    """The two copies of a tree for one configuration, and what its recipe does in them."""

    def __init__(self, given, tree, recipe, configuration, flags):
        self.given, self.recipe, self.configuration = given, recipe, configuration
        self.folder = given.out / tree.resolve().name / configuration
        # Their names have the same length, so that __FILE__ has.
        self.old, self.new, self.log = self.folder / "old", self.folder / "new", self.folder / "log"
        shutil.rmtree(self.folder, ignore_errors=True)
        for folder in (self.log, self.folder / "work"):
            folder.mkdir(parents=True, exist_ok=True)
        self.environment = dict(
            os.environ, CFLAGS=flags, CXXFLAGS=flags, HERE=str(HERE), WORK=str(self.folder / "work"), OLD=str(self.old),
            CONFIGURATION=configuration, JOBS=str(os.cpu_count()), LC_ALL="C")
        for name, compiler in (("CC", given.cc), ("CXX", given.cxx)):
            self.environment[name] = str(commands.recorder(self.folder, name.lower(), compiler))
        for copy in (self.old, self.new):
            shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
            self.run("prepare", copy)
        self.files = {file for file in self.old.rglob("*.c") if file.is_file()}

    def run(self, function, copy, must=True, log=None):
        """What the recipe's function prints; None if it fails and may."""
        environment = dict(self.environment, **({"REAL_C_LOG": str(log)} if log else {}))
        words = ["bash", "-euc", f". {shlex.quote(str(HERE / 'default.sh'))}; . {shlex.quote(str(self.recipe))}; {function}"]
        done = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, errors="replace", check=False)
        with open(self.folder / f"{function}.{copy.name}.log", "w", encoding="utf-8") as file:
            file.write(done.stdout + done.stderr)
        if done.returncode and must:
            sys.exit(f"{copy}: {function} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")
        return None if done.returncode else done.stdout

    def build(self):
        """Builds the old copy, rewrites the files that were compiled, and builds the new one."""
        self.run("build", self.old, log=self.log)
        compiled = {file: how for file, how in commands.read(self.log).items() if file in self.files}
        found = rewrite.tree(self.given, compiled, self.old, self.new, self.folder / "remarks")
        self.run("build", self.new)
        if self.configuration == "time":
            found.vectors = vectors.tree(self.given.cc, compiled, self.old, self.new)
        return found

    def check(self):
        """How the project's own tests went."""
        if self.run("check", self.new, must=False) is not None:
            return "none" if (self.folder / "check.new.log").read_text() == "none\n" else "pass"
        return "FAIL" if self.run("check", self.old, must=False) is not None else "fail before, too"

    def programs(self):
        return self.run("programs", self.new).splitlines()


def recipe_of(tree):
    for recipe in sorted((HERE / "recipes").glob("*.sh")):
        if subprocess.run(["bash", "-c", f". {shlex.quote(str(recipe))}; is"], cwd=tree, check=False).returncode == 0:
            return recipe
    return Path(os.devnull)


def configurations(given, tree, recipe):
    """Their copies, by name."""
    more = subprocess.run(["bash", "-c", f". {shlex.quote(str(HERE / 'default.sh'))}; . {shlex.quote(str(recipe))}; configurations"],
                          cwd=tree, capture_output=True, text=True, check=True).stdout.split()
    names = ["time", *([] if given.no_count or not given.rounds else ["count"]), *more]
    for name in names:
        flags = given.cflags.replace("-march=native", "-march=x86-64-v3") if name == "count" else given.cflags
        yield name, Copies(given, tree, recipe, name, flags)


def row_of(given, tree):
    """A row of the table; with --resume as the run before left it."""
    kept = given.out / tree.resolve().name / "row.pickle"
    if given.resume and kept.exists():
        return pickle.loads(kept.read_bytes())
    row = run_tree(given, tree)
    kept.write_bytes(pickle.dumps(row))
    return row


def run_tree(given, tree):
    recipe = recipe_of(tree)
    row = table.Row(recipe.stem if recipe.suffix else tree.resolve().name)
    for name, copies in configurations(given, tree, recipe):
        print(f"{row.name}: {name}", file=sys.stderr)
        found = copies.build()
        row.add_rewriting(name, found)
        if name != "count":
            row.add_tests(copies.check())
        if name == "time" and given.rounds:
            row.times = measure.times(copies, copies.programs(), given.rounds)
        if name == "count":
            row.counts = measure.counts(copies, copies.programs())
    return row


def main():
    given = read_options()
    given.out.mkdir(parents=True, exist_ok=True)
    # A copy, which nobody builds anew meanwhile.
    given.mikgen = shutil.copy(given.mikgen, given.out / "mikgen")
    rows = [row_of(given, tree) for tree in given.trees]
    text = table.text(given, rows)
    (given.out / "table.md").write_text(text, encoding="utf-8")
    print(text, end="")
    sys.exit(any(row.failed() for row in rows))


main()
