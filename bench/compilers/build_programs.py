# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a program for each case out of what mikgen and the other compilers make of it: build_programs.py MIKGEN FOLDER SHAPES PYTHON [ISPC].
Halide's and TVM's objects are there already. Texts, objects and seconds of the processor are counted into costs.json."""
import json
import resource
import subprocess
import sys
from pathlib import Path

import count
import wrappers

import build as nests
import cases
import driver

HERE = Path(__file__).resolve().parent
EMITTED = ["gcc", "-std=c99", "-O2"]
SPECS = nests.SPEC_FLAGS | nests.LONG_FLAGS
ISPC_TARGETS = ("avx2-i32x8", "avx2-i32x16")


class Tools:
    """Where things are, and what the builds of Halide and TVM left."""

    def __init__(self, words):
        self.mikgen, self.folder, self.shapes, self.python = (Path(word).absolute() for word in words[:4])
        self.ispc = words[4] if len(words) > 4 else None
        self.halide, self.tvm = (json.loads((self.folder / f"{name}.json").read_text()) for name in ("halide", "tvm"))
        site = subprocess.run([self.python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                              capture_output=True, text=True, check=True).stdout.strip()
        self.site = Path(site)
        self.includes = [f"-I{self.site / 'halide/include'}", f"-I{self.site / 'tvm_ffi/include'}", f"-I{self.folder}"]
        self.tvm_libraries = [self.site / "tvm_ffi/lib/libtvm_ffi.so", self.site / "tvm/lib/libtvm_runtime.so"]


def processor_seconds(words, folder):
    """Runs the command; what it took."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    start = used()
    nests.command(words, folder)
    return used() - start


def size(path):
    """Bytes of code and constants."""
    return int(subprocess.run(["size", path], capture_output=True, text=True, check=True).stdout.splitlines()[1].split()[0])


def cost(lines, path, seconds, **more):
    return {"lines": lines, "bytes": size(path), "seconds": round(seconds, 2), **more}


def emitted(case, tools, folder):
    """own.o and the header, and what they cost; not again what is newer than mikgen and the spec."""
    note = folder / "own.json"
    if note.exists() and note.stat().st_mtime > max(tools.mikgen.stat().st_mtime, case.spec.stat().st_mtime):
        return json.loads(note.read_text())
    seconds = processor_seconds([tools.mikgen, "--target=c", case.spec, "-o", "own.c"], folder)
    nests.command([tools.mikgen, "--target=c", "--emit=header", case.spec, "-o", f"{case.operator}_dyn.h"], folder)
    compiling = processor_seconds([*EMITTED, "-c", "own.c", "-o", "own.o"], folder)
    made = cost(count.plain(case.spec.read_text()), folder / "own.o", seconds, compiling=round(compiling, 2),
                emitted=count.plain((folder / "own.c").read_text()))
    note.write_text(json.dumps(made))
    return made


def operator_objects(case, tools):
    """Compiles the case's operator, as emitted and as it is written, and what ISPC, Halide and TVM cost besides; the pairs of a
    candidate and a spec's symbol, the emitted header, and the costs by language."""
    folder, name = tools.folder / case.operator, case.operator
    folder.mkdir(exist_ok=True)
    costs = {"mikgen": emitted(case, tools, folder)}
    specs, lines = nests.specs(case, tools.mikgen, EMITTED, SPECS, folder), count.plain(case.spec.read_text())
    seconds = processor_seconds([*SPECS["gcc -O3"], "-w", "-c", "reference.c", "-o", "cost.o"], folder)
    costs["gcc -O3"] = cost(lines, folder / "cost.o", seconds)
    if tools.ispc:
        costs["ISPC"] = {"lines": count.exported(HERE / "operators.ispc", name)}
    by_hand, plain = tools.halide["hand"][name], tools.tvm["plain"][case.name]
    if "why" not in by_hand:
        costs["Halide"] = cost(count.python(HERE / "operators_halide.py", name), tools.folder / f"{by_hand['name']}.o", by_hand["seconds"])
    if "why" not in plain:
        costs["TVM"] = cost(count.python(HERE / "operators_tvm.py", name), tools.folder / f"{plain['name']}.so", plain["seconds"])
    lines = count.python(HERE.parent / "nests" / "peers_litert.py", name)
    if lines:
        costs["XNNPACK"] = {"lines": lines}
    return specs, folder, costs


def ispc_costs(tools):
    """Of all operators together, which are one file."""
    if not tools.ispc:
        return None
    words = [tools.ispc, f"--target={ISPC_TARGETS[0]}", "--pic", "-O2", HERE / "operators.ispc", "-o", "cost.o"]
    seconds = processor_seconds(words, tools.folder)
    return {"bytes": size(tools.folder / "cost.o"), "seconds": round(seconds, 2)}


def compile_ispc(tools):
    """One object for each width, whose symbols end with it."""
    objects = []
    for target in ISPC_TARGETS if tools.ispc else ():
        prefix, name = target.replace("-", "_"), f"ispc_{target}.o"
        nests.make(name, [HERE / "operators.ispc"],
                   [tools.ispc, f"--target={target}", "--pic", "-O2", HERE / "operators.ispc", "-o", name], tools.folder)
        names = tools.folder / f"{name}.names"
        symbols = subprocess.run(["nm", "-g", "--defined-only", tools.folder / name], capture_output=True, text=True, check=True).stdout
        nests.write(names, "".join(f"{s} {prefix}_{s}\n" for s in (line.split()[-1] for line in symbols.splitlines())))
        nests.command(["objcopy", f"--redefine-syms={names}", name, f"own_{name}"], tools.folder)
        objects.append((target, tools.folder / f"own_{name}", prefix))
    return objects


def peers(case, tools, ispc):
    """The candidates of this case as (name, symbol), the wrappers' text and the objects that they want."""
    pairs, parts, objects = [], [], []
    for target, path, prefix in ispc:
        symbol = f"{prefix}_{case.operator}"
        pairs.append((f"ISPC {target}", f"{symbol}_run"))
        parts.append(wrappers.ispc(case, symbol))
        objects.append(path)
    for kind, known in tools.halide.items():
        entry = kind != "version" and known.get(case.operator if kind == "hand" else case.name)
        if entry and "why" not in entry:
            pairs.append((f"Halide {kind}", f"{entry['name']}_run"))
            parts.append(wrappers.halide(case, entry))
            objects.append(tools.folder / f"{entry['name']}.o")
    for kind in ("plain", "tuned"):
        entry = tools.tvm[kind].get(case.name, {"why": "not asked for"})
        if "why" not in entry:
            pairs.append((f"TVM {kind}", f"{entry['name']}_run"))
            parts.append(wrappers.tvm(case, entry, tools.folder))
    return pairs, wrappers.text(case, parts), [*objects, tools.folder / "halide_runtime.o"]


def program(case, tools, ispc, shared, specs, objects_folder):
    """Links the case's program in its own folder; objects_folder: its operator's."""
    folder = tools.folder / case.name
    folder.mkdir(exist_ok=True)
    pairs, text, objects = peers(case, tools, ispc)
    nests.write(folder / "peers.c", text)
    libraries = ", ".join(f'"{path}"' for path in tools.tvm_libraries)
    nests.make("peers.o", ["peers.c"], ["gcc", "-O2", "-w", *tools.includes, f"-DTVM_LIBRARIES={libraries}", "-c", "peers.c", "-o", "peers.o"], folder)
    nests.write(folder / "case.c", driver.text(case, specs, [f"{case.operator}_dyn.h"], pairs))
    nests.make("case.o", ["case.c"], [*nests.HARNESS, f"-I{objects_folder}", "-O2", "-c", "case.c", "-o", "case.o"], folder)
    own = [objects_folder / name for name in ("own.o", *(f"spec{i}.o" for i in range(len(specs))))]
    objects = ["case.o", "peers.o", *own, *objects, *shared]
    nests.make("time", objects, ["gcc", *objects, "-lm", "-lpthread", "-ldl", "-o", "time"], folder)


def main():
    tools = Tools(sys.argv[1:])
    shared, ispc, operators, failed = nests.harness(tools.folder), compile_ispc(tools), {}, {}
    for case in cases.read(shapes=tools.shapes):
        try:
            if case.operator not in operators:
                operators[case.operator] = operator_objects(case, tools)
            program(case, tools, ispc, shared, *operators[case.operator][:2])
        except nests.Failed as why:
            failed[case.name] = str(why)
            print(f"{case.name}: {why}", file=sys.stderr)
    costs = {name: costs for name, (_, _, costs) in operators.items()}
    (tools.folder / "costs.json").write_text(json.dumps({"costs": costs, "ISPC": ispc_costs(tools), "failed": failed}, indent=1))


main()
