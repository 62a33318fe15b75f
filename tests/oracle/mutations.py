# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors put into the engine on purpose, each of which the self-check must notice. See mutations.sh."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
ENGINE = ROOT / "templates" / "engine"
SECONDS = 400  # for one test


def change(lines):
    """The text that an entry names, and what takes its place."""
    return ("\n".join(line[2:] for line in lines[1:] if line.startswith(sign)) for sign in "-+")


class Mutation:
    """An entry of a list."""

    def __init__(self, text):
        lines = text.split("\n")
        self.text = text
        self.file, self.spec, self.operator, *options = lines[0].split()
        self.options = [option for option in options if not option.startswith("set=")]
        self.set = next((option[4:] for option in options if option.startswith("set=")), None)
        self.old, self.new = change(lines)
        self.is_device = self.file.startswith("cuda/")

    def name(self):
        return f"{self.file}, {self.operator}: {self.old.strip()}"


def read(path, entry=Mutation):
    """All entries of a list."""
    lines = [line.rstrip("\n") for line in path.open(encoding="utf-8") if not line.startswith("#")]
    return [entry(text) for text in re.split(r"\n\n+", "\n".join(lines).strip())]


def operator_text(spec, name):
    """The operator alone, as a spec of its own."""
    return re.search(r"^void " + name + r"\(.*?^}\n", (ROOT / spec).read_text(encoding="utf-8"), re.S | re.M)[0]


def run(mutation, mikgen, templates, folder):
    """The exit status of the oracle, or of the simulated device, and what it says."""
    spec = folder / f"{mutation.operator}.spec"
    spec.write_text(operator_text(mutation.spec, mutation.operator), encoding="utf-8")
    options = [option for option in mutation.options if option.startswith("--")]
    others = [option for option in mutation.options if not option.startswith("--")]
    environment = dict(os.environ, MIKGEN_OPTIONS=" ".join([f"--templates={templates}", *options]))
    if mutation.is_device:
        environment.update(SIM_ARCH=others[0], SIM_SCHEDULE="random-lazy")
        command = [HERE.parent / "simulator" / "run.sh", mikgen, folder / "out", spec, *others[1:]]
    else:
        environment["MIKGEN_DEFINES"] = " ".join(["-w", *others])
        command = [HERE / "oracle.sh", "gcc", mikgen, spec, folder / "out", "--tuples=12"]
    done = subprocess.run(["timeout", str(SECONDS), *map(str, command)], env=environment, capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stdout + done.stderr


def is_for(mutation, said):
    """Does this machine run the set that the file is for?"""
    sets = re.search(r"^instruction sets: (.*)$", said, re.M)
    wanted = re.match(r"sets/(avx2|avx512)/", mutation.file)
    wanted = "avx512" if mutation.file == "c/panels.h" else wanted and wanted[1]
    if "packed_narrow" in mutation.spec or "packed_rows" in mutation.spec:
        heads = any(word in mutation.old for word in ("none", "head", "constant"))
        wanted = "dot" if heads else "avx2" if "0x200" in mutation.old else None
    wanted = mutation.set or wanted
    return not wanted or not sets or wanted in sets[1].split()


def stale(path, entry):
    """What it says if the text that an entry changes is not in its file, or more than once."""
    if not path.is_file():
        return "stale: there is no such file"
    count = path.read_text(encoding="utf-8").count(entry.old)
    return "" if count == 1 else f"stale: its text is there {count} times"


def fault_of(mutation, mikgen, folder, right):
    """What is wrong with the entry; "" if nothing is, None if this machine cannot tell. `right`: what has been said of operators without."""
    key = (mutation.spec, mutation.operator, *mutation.options)
    if key not in right:
        right[key] = run(mutation, mikgen, ROOT / "templates", folder)
    if right[key][0]:
        return "fails without it:\n" + right[key][1][-500:]
    if not is_for(mutation, right[key][1]):
        return None
    templates = folder / "templates"
    shutil.rmtree(templates, ignore_errors=True)
    shutil.copytree(ROOT / "templates", templates)
    path = templates / "engine" / mutation.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    status, said = run(mutation, mikgen, templates, folder)
    if not status:
        return "not noticed"
    if status == 124:
        return f"did not end in {SECONDS} s"
    return "" if "FAILED" in said or "Sanitizer" in said or "\nsimulator: " in said else "does not compile:\n" + said[-500:]


def chosen(entries, arguments):
    if len(arguments) == 2:
        return entries[int(arguments[0]) :: int(arguments[1])]
    return [entry for entry in entries if not arguments or re.search(arguments[0], entry.text)]


def main():
    path, mikgen, folder = (Path(argument).resolve() for argument in sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    every = read(path)
    entries = chosen(every, sys.argv[4:])
    right, faults, noticed = {}, 0, 0
    for entry in every:
        fault = stale(ENGINE / entry.file, entry)
        if not fault and entry in entries:
            fault = fault_of(entry, mikgen, folder, right)
            noticed += fault == ""
            if fault == "":
                print(f"noticed: {entry.name()}", flush=True)
        if fault:
            faults += 1
            print(f"{entry.name()}: {fault}", flush=True)
    print(f"{noticed} noticed, {faults} not, {max(len(entries) - noticed - faults, 0)} for other machines")
    sys.exit(faults > 0 or not entries)


if __name__ == "__main__":
    main()
