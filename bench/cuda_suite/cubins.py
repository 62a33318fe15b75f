# SPDX-License-Identifier: GPL-3.0-or-later
"""What nvcc makes of a text: of each kernel registers, spills, memory, instructions and those of its innermost loops."""
import hashlib
import json
import re
import struct
import subprocess

PROPERTIES = re.compile(
    r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n"
    r"(?:.*Used (\d+) registers)?")
# Names of what only one file sees have a part that depends on its text.
OWN = re.compile(r"(_GLOBAL__N__|_INTERNAL_)[0-9a-f]{8}_\d+_\w+?_[0-9a-f]{8}(_\d+)?")


def sections(path):
    """Bytes of each section of a 64-bit ELF file."""
    data = path.read_bytes()
    start, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3a)
    heads = [struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count)]
    strings = data[heads[names][4]:heads[names][4] + heads[names][5]]
    return {strings[head[0]:strings.index(b"\0", head[0])].decode(): data[head[4]:head[4] + head[5]] for head in heads if head[1] != 8}


class Compiler:
    def __init__(self, nvcc, machine_code, cache):
        self.nvcc, self.machine_code, self.cache = nvcc, machine_code, cache
        cache.mkdir(parents=True, exist_ok=True)
        self.version = re.search(r"release .*", subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout)[0]

    def compile(self, unit, text, arch):
        """The kernels by name, or the text of an error. The unit's file must have this text."""
        words = ["-O3", f"-arch={arch}", *([] if any("std" in word for word in unit.words) else ["-std=c++17"]), *unit.words]
        key = hashlib.sha256("\0".join([self.version, unit.name, *words, text]).encode()).hexdigest()[:24]
        kept = self.cache / f"{key}.json"
        if not kept.exists():
            kept.write_text(json.dumps(self.measure(unit, words, self.cache / f"{key}.cubin")), encoding="utf-8")
        return json.loads(kept.read_text(encoding="utf-8"))

    def measure(self, unit, words, cubin):
        done = subprocess.run([self.nvcc, "-cubin", "-w", "-Xptxas", "-v", *words, unit.file, "-o", str(cubin)], cwd=unit.folder,
                              capture_output=True, text=True, errors="replace", check=False)
        if done.returncode:
            wrong = [line for line in done.stderr.splitlines() if re.search(r"error|fatal", line)]
            return (wrong or done.stderr.splitlines() or ["nvcc fails"])[0]
        code = sections(cubin)
        kernels = {}
        for name, stack, stores, loads, registers in PROPERTIES.findall(done.stderr):
            if registers and f".text.{name}" in code:
                kernels[name] = {"registers": int(registers), "stack": int(stack), "spill stores": int(stores), "spill loads": int(loads),
                                 "shared": 0, "code": hashlib.sha256(code[f".text.{name}"]).hexdigest()}
        self.add_loops(cubin, kernels)
        cubin.unlink()
        return {OWN.sub(r"\1", name): kernel for name, kernel in kernels.items()}

    def add_loops(self, cubin, kernels):
        def listed(what):
            return subprocess.run([str(self.machine_code), what, str(cubin)], capture_output=True, text=True, check=True).stdout.splitlines()

        for line in listed("innermost"):
            name, sizes = line.rsplit(":", 1)
            if name in kernels:
                kernels[name]["innermost"] = [int(size) for size in sizes.split()]
        name = None
        for line in listed("list"):
            if not line.startswith(" "):
                name, rest = line.rsplit(":", 1)
                numbers = [int(number) for number in re.findall(r"\d+", rest)]
                if name in kernels:
                    kernels[name]["shared"], kernels[name]["instructions"] = numbers[1], numbers[3]
            elif line.split()[0] == "NOP" and name in kernels:
                kernels[name]["instructions"] -= int(line.split()[1])
