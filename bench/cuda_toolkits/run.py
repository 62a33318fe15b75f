#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What toolkits make of emitted CUDA: see ../cuda_toolkits.sh."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The newest PTX that each assembler reads.
ISA = {"12.0": "8.0", "12.1": "8.1", "12.2": "8.2", "12.3": "8.3", "12.4": "8.4", "12.5": "8.5", "12.6": "8.5", "12.8": "8.7", "12.9": "8.8"}
ARCHS = ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_100", "sm_120"]
COMPILERS = ["gcc", "clang", "13.5", "13.5-clang", "clang-cuda"]


def run(*command, **more):
    """Status and what was said."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    return done.returncode, done.stdout


def unpack(folder, fetch):
    """Wheels of the list by name and minor version: {("nvidia-cuda-nvcc", "13.5"): where its files are}."""
    wheels, found = folder / "wheels", {}
    wheels.mkdir(parents=True, exist_ok=True)
    for line in (HERE / "wheels.txt").read_text().split("\n"):
        if not line or line.startswith("#"):
            continue
        name, version = line.split("==")
        stem = "%s-%s-" % (name.replace("-", "_"), version)
        if not list(wheels.glob(stem + "*.whl")) and fetch:
            print(run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, line)[1], end="")
        for wheel in wheels.glob(stem + "*.whl"):
            to = folder / "unpacked" / stem[:-1]
            if not to.exists():
                zipfile.ZipFile(wheel).extractall(to)
                for file in to.rglob("bin/*"):
                    file.chmod(0o755)
            found[name, ".".join(version.split(".")[:2])] = next(path for path in to.glob("nvidia/*") if path.is_dir())
    return found


def tree(folder, name, parts):
    """One toolkit of several wheels; None where one is missing."""
    to = folder / "trees" / name
    if None in parts:
        return None
    for part in parts if not to.exists() else []:
        shutil.copytree(part, to, dirs_exist_ok=True)
    return to


def notes(log):
    """Of an assembler's log: serialised kernels, spilling ones, bytes of spills, warnings."""
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill stores", log)]
    warnings = len(re.findall(r"^ptxas.*warning", log, re.M))
    return len(re.findall(r"\(C75\d\d\)", log)), sum(n > 0 for n in spills), sum(spills), warnings


def ptx_of(nvcc, source, virtual):
    """The installed compiler's PTX of a file; nothing where it fails."""
    ptx = source.with_suffix(".%s.ptx" % virtual)
    if not ptx.exists() or ptx.stat().st_mtime < source.stat().st_mtime:
        status, said = run(nvcc, "-std=c++17", "-arch=" + virtual, "-ptx", source, "-o", ptx)
        if status:
            print(said)
            return None
    return ptx


def assemble(ptxas, isa, ptx, arch):
    """(status, log) of one assembler on one file."""
    text = ptx.read_text()
    if isa:
        text = re.sub(r"^\.version .*", ".version " + isa, text, count=1, flags=re.M)
    lowered = ptx.with_suffix(".lowered")
    lowered.write_text(text)
    return run(ptxas, "-arch=" + arch, "-v", lowered, "-o", lowered.with_suffix(".cubin"))


def assembler_rows(assemblers, sources, nvcc, archs):
    """A line for each assembler and machine, and how many faults."""
    rows, faults = [], 0
    for arch in archs:
        virtual = "sm_90a" if arch == "sm_90a" else "sm_80"
        ptxs = [ptx_of(nvcc, source, virtual) for source in sources]
        for version, ptxas in assemblers.items():
            if arch in ("sm_100", "sm_120") and version in ISA and version < "12.8":
                continue
            failed, totals = ptxs.count(None), [0, 0, 0, 0]
            for ptx in filter(None, ptxs):
                status, said = assemble(ptxas, ISA.get(version), ptx, arch)
                failed += status != 0
                totals = [a + b for a, b in zip(totals, notes(said))]
            faults += failed + totals[0] + totals[3]
            rows.append("| %s | %s | %d | %d | %d | %d | %d (%d bytes) |" % (version, arch, len(sources), failed, totals[3], totals[0], totals[1], totals[2]))
            print(rows[-1], flush=True)
    return rows, faults


def compiler_command(name, nvcc, found, folder):
    """How a file is compiled, but for its name; None where something is missing."""
    strict = ["-std=c++17", "-Xcompiler", "-Wall,-Wextra"]
    if name == "clang-cuda":
        parts = [found.get(("nvidia-cuda-nvcc-cu12", "12.4")), found.get(("nvidia-cuda-runtime-cu12", "12.4")), found.get(("nvidia-cuda-cccl-cu12", "12.4"))]
        path = tree(folder, "12.4", parts)
        return path and ["clang++-19", "-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-path=%s" % path, "-std=c++17", "-Wall", "-Wextra", "-nocudalib",
                         "-Wno-unknown-cuda-version", "-O2", "--cuda-device-only", "-S"]
    if name.startswith("13.5"):
        parts = [found.get(("nvidia-cuda-" + part, "13.5")) for part in ("nvcc", "crt", "runtime")] + [found.get(("nvidia-nvvm", "13.5")), found.get(("nvidia-cuda-cccl", "13.3"))]
        path = tree(folder, "13.5", parts)
        nvcc = path and path / "bin/nvcc"
    return nvcc and [nvcc, *(["-ccbin", "clang++-19"] if name.endswith("clang") else []), *strict, "-arch=sm_80", "-c"]


def compiler_rows(names, sources, nvcc, found, folder):
    rows, faults = [], 0
    for name in names:
        command = compiler_command(name, nvcc, found, folder)
        if not command:
            print("left out: %s, for want of wheels" % name)
            continue
        failed = warnings = 0
        for source in sources:
            status, said = run(*command, source, "-o", source.with_suffix(".o"))
            failed += status != 0
            warnings += len(re.findall(r"\bwarning\b", said))
            source.with_suffix(".%s.log" % name).write_text(said)
        faults += failed + warnings
        rows.append("| %s | %d | %d | %d |" % (name, len(sources), failed, warnings))
        print(rows[-1], flush=True)
    return rows, faults


def specs_of(asked):
    if asked:
        return [pathlib.Path(name).resolve() for name in asked.split(",")]
    emitted = sorted({path.parent.name for path in (ROOT / "generated").glob("*/*.cu")})
    return [path for name in emitted for path in (ROOT / "examples" / name).glob("*.spec")] + sorted((ROOT / "examples/models").glob("*.spec"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mikgen", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    for name in ("specs", "mikgen-flags", "ptxas"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--archs", default=",".join(ARCHS))
    parser.add_argument("--compilers", default=",".join(COMPILERS))
    parser.add_argument("--no-fetch", action="store_true")
    o = parser.parse_args()
    folder = o.folder.resolve()
    nvcc = pathlib.Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc").resolve()
    if not nvcc.exists():
        print("skipped: nvcc is not installed")
        sys.exit(77)
    found = unpack(folder, not o.no_fetch)
    installed = re.search(r"release (\S+),", run(nvcc, "--version")[1]).group(1)
    assemblers = {version: path / "bin/ptxas" for (name, version), path in sorted(found.items()) if name.startswith("nvidia-cuda-nvcc")}
    assemblers[installed] = nvcc.parent / "ptxas"
    if o.ptxas:
        assemblers = {version: path for version, path in assemblers.items() if version in o.ptxas.split(",")}
    sources = []
    for spec in specs_of(o.specs):
        source = folder / (spec.stem + ".cu")
        status, said = run(o.mikgen.resolve(), "--target=cuda", *o.mikgen_flags.split(), spec)
        if status:
            sys.exit("FAILED: %s\n%s" % (spec, said))
        if not source.exists() or source.read_text() != said:
            source.write_text(said)
        sources.append(source)
    rows, faults = assembler_rows(assemblers, sources, nvcc, [arch for arch in o.archs.split(",") if arch])
    lines, more = compiler_rows([name for name in o.compilers.split(",") if name], sources, nvcc, found, folder)
    table = ["# Emitted CUDA under other toolkits", "", "`bench/cuda_toolkits.sh`, %d files (%s), %s; PTX by nvcc %s." % (
        len(sources), ", ".join(s.stem for s in sources), o.mikgen_flags or "all kernels", installed), "",
        "| ptxas | machine | files | failed | warnings | serialised kernels | kernels that spill |", "|---|---|---|---|---|---|---|", *rows, "",
        "| compiler | files | failed | warnings |", "|---|---|---|---|", *lines]
    (folder / "table.md").write_text("\n".join(table) + "\n")
    sys.exit(faults + more > 0)


main()
