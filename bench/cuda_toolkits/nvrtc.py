# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles a CUDA file by NVRTC: nvrtc.py LIBRARY FILE ARCH [OPTION...]. Prints its log; exit status 1: it fails."""
import ctypes
import sys


def main(library, source, arch, *options):
    nvrtc = ctypes.CDLL(library)
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    with open(source, "rb") as f:
        text = f.read()
    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), 0, None, None):
        sys.exit("no program")
    words = [word.encode() for word in ("--gpu-architecture=" + arch, "--std=c++17") + options]
    status = nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    print(log.value.decode(), end="")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    print("%d bytes of PTX" % (0 if status else size.value))
    sys.exit(status != 0)


main(*sys.argv[1:])
