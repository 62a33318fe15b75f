# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors put into the passes on purpose, each of which a quick test must notice. See mutations.sh."""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "oracle"))
import mutations as engine  # noqa: E402

# Where the tests of a folder's passes are looked for.
QUICK = {
    "licm": ["golden.licm.text", "unit.test_licm", "golden.vectors"],
    "normalize": ["golden.licm.text", "unit.test_normalize", "unit.test_sign", "unit.test_check"],
    "fuse": ["golden.simplify", "golden.fuse", "golden.expand", "golden.nests", "golden.lower", "golden.vectors"],
    "depend": ["golden.nests", "golden.fuse", "golden.vectors", "golden.lower", "unit.test_parallel", "unit.test_carry", "unit.test_distance",
               "unit.test_range"],
    "plan": ["golden.vectors", "golden.lower", "golden.nests", "golden.fuse", "unit.test_plan"],
    "ir": ["golden.licm.text", "golden.vectors", "golden.fuse"],
    "emit": ["golden.licm.text", "cli.keep_loops", "golden.vectors", "golden.nests", "golden.lower"],
    "gen": ["golden.keep", "golden.licm.text", "cli.keep_loops", "golden.keep_err"],
}


class Pass:
    """An entry of the list."""

    def __init__(self, text):
        lines = text.split("\n")
        self.text = text
        self.file, self.test = lines[0].split()
        self.old, self.new = engine.change(lines)

    def name(self):
        return f"{self.file}, {self.test}: {self.old.strip()}"


class Builder:
    """A build of the project, next to whose objects a changed one is put."""

    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.commands = {entry["file"]: entry for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))}

    def compiled(self, path, text):
        """The object of a file with another text, or what the compiler says."""
        changed, made = self.folder / Path(path).name, self.folder / "changed.o"
        command = self.commands[str(ROOT / path)]["command"]
        command = re.sub(r" -o \S+", f" -iquote {(ROOT / path).parent} -o {made}", command).replace(f" -c {ROOT / path}", f" -c {changed}")
        changed.write_text(text, encoding="utf-8")
        done = subprocess.run(command, shell=True, cwd=self.build, capture_output=True, text=True, check=False)
        changed.unlink()  # the next file must not meet it
        return (made, "") if done.returncode == 0 else (None, done.stderr)

    def linked(self, target, made):
        """The program with the object, which stands in front of the libraries: theirs is then not looked for."""
        link = subprocess.run(["ninja", "-t", "commands", target], cwd=self.build, capture_output=True, text=True, check=True)
        link = link.stdout.strip().split("\n")[-1]
        out = self.folder / Path(target).name
        link = re.sub(r" -o \S+", f" {made} -o {out}" if made else f" -o {out}", link, count=1)
        subprocess.run(link, shell=True, cwd=self.build, capture_output=True, check=True)
        return out


def run(test, builder, made):
    """The exit status of a test."""
    kind, _, name = test.partition(".")
    if kind == "unit":
        command, folder = [builder.linked(f"tests/unit_{name}", made)], ROOT
    elif test == "golden.licm.text":
        command, folder = [ROOT / "tests/golden/licm.sh", "text", builder.linked("mikgen", made), builder.folder / "out"], ROOT
    elif kind == "oracle":
        spec, _, mode = name.partition(".")
        command = ["bash", ROOT / "tests/oracle/oracle.sh", mode, builder.linked("mikgen", made), ROOT / f"tests/specs/{spec}.spec", builder.folder / name, "--tuples=40"]
        folder = ROOT
    elif kind == "golden":
        command, folder = [ROOT / "tests/golden/run.sh", builder.linked("mikgen", made), ROOT / "tests/golden" / name, builder.folder / name], ROOT
    else:
        (builder.folder / name).mkdir(exist_ok=True)
        command, folder = ["bash", ROOT / f"tests/cli/{name}.sh", builder.linked("mikgen", made), builder.folder / name], ROOT
    return subprocess.run(["timeout", str(engine.SECONDS), *map(str, command)], cwd=folder, capture_output=True, check=False).returncode


def ends_badly(status):
    """What it says of a test that a change must not slow down without end."""
    return f"does not end in {engine.SECONDS} s" if status == 124 else ""


def fault_of(entry, builder, right):
    """What is wrong with the entry; "" if nothing is."""
    text = (ROOT / entry.file).read_text(encoding="utf-8")
    if entry.test not in right:
        right[entry.test] = run(entry.test, builder, None)
    if right[entry.test]:
        return ends_badly(right[entry.test]) or "fails without it"
    made, said = builder.compiled(entry.file, text.replace(entry.old, entry.new))
    if not made:
        return "does not compile:\n" + said[-500:]
    status = run(entry.test, builder, made)
    return ends_badly(status) if status else "not noticed"


def find(entry, builder):
    """The first of the quick tests that notices it."""
    made, said = builder.compiled(entry.file, (ROOT / entry.file).read_text(encoding="utf-8").replace(entry.old, entry.new))
    if not made:
        return "none: " + said[-300:]
    return next((test for test in QUICK[entry.file.split("/")[0]] if run(test, builder, made)), "none")


def main():
    path, build, folder = (Path(argument).resolve() for argument in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    every = engine.read(path, Pass)
    builder, right, faults, noticed = Builder(build, folder), {}, 0, 0
    entries = engine.chosen(every, sys.argv[4:])
    for entry in every:
        fault = engine.stale(ROOT / entry.file, entry)
        if not fault and entry in entries:
            if entry.test == "?":
                fault = find(entry, builder)
            else:
                fault = fault_of(entry, builder, right)
                noticed += fault == ""
                if fault == "":
                    print(f"noticed: {entry.name()}", flush=True)
        if fault:
            faults += 1
            print(f"{entry.name()}: {fault}", flush=True)
    print(f"{noticed} noticed, {faults} not")
    sys.exit(faults > 0 or not entries)


if __name__ == "__main__":
    main()
