# SPDX-License-Identifier: GPL-3.0-or-later
"""Instructions of one call of an emitted operator and of its spec on another processor, counted by qemu."""
import re
import subprocess
from pathlib import Path

from build import Failed, make

HERE = Path(__file__).resolve().parent
OBJECTS = {"own.o": "a", "check.o": "rest"}


def plugin(folder):
    make("count.so", [HERE / "count.c"], ["gcc", "-std=gnu11", "-O2", "-shared", "-fPIC", HERE / "count.c", "-o", "count.so"], folder)
    return folder / "count.so"


def ranges(map_text, spec_object):
    """The argument of the plugin: where a linker's map has the code of each object."""
    found = {}
    for low, size, name in re.findall(r"^ \.text\S*\s+0x(\w+)\s+0x(\w+) (\S+)$", map_text, re.M):
        part = "b" if name == spec_object else OBJECTS.get(name)
        if part and int(size, 16):
            found.setdefault(part, []).append(f"{int(low, 16):x}-{int(low, 16) + int(size, 16):x}")
    return ",".join(f"{part}={'+'.join(pieces)}" for part, pieces in found.items())


def link(compiler, spec_object, program, folder):
    objects = ["check.o", "own.o", spec_object]
    make(program, objects, [compiler, "-static", *objects, "-lm", "-lpthread", f"-Wl,-Map={program}.map", "-o", program], folder)


def count(machine, folder, program, spec_object, arguments):
    """Instructions of the emitted operator and of the spec, each of a call."""
    where = ranges((folder / f"{program}.map").read_text(), spec_object)
    words = [f"qemu-{machine}", "-plugin", f"{plugin(folder.parent)},{where}", f"./{program}", *arguments]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    found = {part: int(total) / int(calls) for part, calls, total in re.findall(r"^count (\w) ([1-9]\d*) (\d+)$", done.stderr, re.M)}
    if len(found) < 2:
        raise Failed((done.stdout.strip().splitlines() or ["nothing was counted"])[-1])
    return found["a"], found["b"]
