# SPDX-License-Identifier: GPL-3.0-or-later
"""Toolkits that bench/cuda_toolkits.sh tries: the installed one, and the wheels of wheels.txt."""
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# The newest PTX that each assembler reads.
ISA = {"12.0": "8.0", "12.1": "8.1", "12.2": "8.2", "12.3": "8.3", "12.4": "8.4", "12.5": "8.5", "12.6": "8.5", "12.8": "8.7", "12.9": "8.8"}
NEW = ("sm_100", "sm_120")  # machines that nothing before 12.8 knows


def run(*command):
    """Status and what was said."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def number(version):
    return tuple(map(int, version.split(".")))


class Tool:
    """A program that compiles a file for a machine."""

    run = staticmethod(run)

    def __init__(self, name, version, command):
        self.name, self.version, self.command = name, version, command

    def takes(self, arch):
        return arch not in NEW or number(self.version) >= (12, 8)

    def compile(self, source, arch):
        return run(*self.command, "-arch=" + arch, source, "-o", source.with_suffix(".o"))


class Clang(Tool):
    """clang by itself, for the device alone."""

    def takes(self, arch):
        return arch == "sm_80"

    def compile(self, source, arch):
        return run(*self.command, source, "-o", source.with_suffix(".s"))


class Nvrtc(Tool):
    """NVRTC of a wheel; headers of `half` and its like are the installed toolkit's."""

    def compile(self, source, arch):
        return run(sys.executable, HERE / "nvrtc.py", self.command[0], source, arch, "-I" + str(self.command[1]))


class Ptxas(Tool):
    """An assembler, on the installed compiler's PTX with its version lowered: before 13, wheels have no compiler."""

    def compile(self, source, arch):
        virtual = "sm_90a" if arch == "sm_90a" else "sm_80"
        ptx = source.with_suffix(".%s.ptx" % virtual)
        if not ptx.exists() or ptx.stat().st_mtime < source.stat().st_mtime:
            status, said = run(self.command[1], "-std=c++17", "-arch=" + virtual, "-ptx", source, "-o", ptx)
            if status:
                ptx.unlink(missing_ok=True)
                return status, said
        isa, text = ISA.get(self.version), ptx.read_text()
        if isa:
            text = re.sub(r"^\.version .*", ".version " + isa, text, count=1, flags=re.M)
            text = text if number(isa) >= (8, 3) else re.sub(r'^\s*\.pragma "used_bytes_mask.*\n', "", text, flags=re.M)
        lowered = ptx.with_suffix(".lowered")
        lowered.write_text(text)
        return run(self.command[0], "-arch=" + arch, "-v", lowered, "-o", lowered.with_suffix(".cubin"))


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


def compilers(found, folder, nvcc, installed):
    """The installed nvcc with two hosts, those of wheels, clang by itself."""
    strict = ["-std=c++17", "-Xcompiler", "-Wall,-Wextra", "-c"]
    hosts = [("gcc", [])] + ([("clang", ["-ccbin", "clang++-19"])] if shutil.which("clang++-19") else [])
    for host, words in hosts:
        yield Tool("nvcc %s, %s" % (installed, host), installed, [nvcc, *words, *strict])
    for minor in range(1, 6):
        version = "13.%d" % minor
        parts = [found.get(("nvidia-cuda-" + part, version)) for part in ("nvcc", "crt", "runtime")] + [
            found.get(("nvidia-nvvm", version)), found.get(("nvidia-cuda-cccl", "13.%d" % min(minor, 3)))]
        path = tree(folder, version, parts)
        for host, words in hosts if minor == 5 else hosts[:1]:
            if path:
                yield Tool("nvcc %s, %s" % (version, host), version, [path / "bin/nvcc", *words, *strict])
    parts = [found.get(("nvidia-cuda-%s-cu12" % part, "12.4")) for part in ("nvcc", "runtime", "cccl")]
    path = tree(folder, "12.4", parts) if len(hosts) > 1 else None
    if path:
        yield Clang("clang 19, CUDA 12.4", "12.4", ["clang++-19", "-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-path=%s" % path, "-std=c++17", "-Wall",
                                                    "-Wextra", "-nocudalib", "-Wno-unknown-cuda-version", "-O2", "--cuda-device-only", "-S"])


def tools_of(folder, nvcc, fetch):
    found = unpack(folder, fetch)
    installed = re.search(r"release (\S+),", run(nvcc, "--version")[1]).group(1)
    assemblers = {version: path / "bin/ptxas" for (name, version), path in found.items() if name.startswith("nvidia-cuda-nvcc")}
    assemblers[installed] = nvcc.parent / "ptxas"
    tools = [Ptxas("ptxas " + version, version, [assemblers[version], nvcc]) for version in sorted(assemblers, key=number)]
    tools += compilers(found, folder, nvcc, installed)
    for (name, version), path in sorted(found.items(), key=lambda item: number(item[0][1])):
        if name.startswith("nvidia-cuda-nvrtc"):
            library = next(file for file in path.glob("lib/libnvrtc.so.*") if ".alt." not in file.name)
            tools.append(Nvrtc("NVRTC " + version, version, [library, nvcc.parent.parent / "include"]))
    return tools
