#!/usr/bin/env bash
# NVRTC 12.2 and 12.3 do not take a loop with braces that stands behind `if constexpr` without any, once the template is instantiated with a
# false condition: the closing brace behind it is said to be missing. Braces around the loop help. NVRTC 12.1 and 12.4 take both, and so does
# the standard: a loop is a statement as any other. NVRTC ends with its usual error, NVRTC_ERROR_COMPILATION. Seen with the wheels of
# nvidia-cuda-nvrtc-cu12:
#
#   12.1.105: bare 0, braces 0
#   12.2.140: bare 6 (file.cu(9): error: expected a "}"), braces 0
#   12.3.107: bare 6 (file.cu(9): error: expected a "}"), braces 0
#   12.4.127: bare 0, braces 0
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
seen='12.1.105: bare 0, braces 0
12.2.140: bare 6 (file.cu(9): error: expected a "}"), braces 0
12.3.107: bare 6 (file.cu(9): error: expected a "}"), braces 0
12.4.127: bare 0, braces 0'
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# A function that fills an array or not; $1 and $2 stand around the loop.
source_with() {
    cat <<END
struct full { static constexpr bool FILLS = true; };
struct empty { static constexpr bool FILLS = false; };
template <class Kind, int SIZE> __device__ void fill(int *x)
{
    if constexpr (Kind::FILLS) $1
        for (int i = 0; i < SIZE; i++) {
            x[i] = i;
        } $2
}
extern "C" __global__ void kernel(int *x) { fill<full, 4>(x); fill<empty, 4>(x); }
END
}

cat >compile.py <<'END'
import ctypes
import sys

nvrtc = ctypes.CDLL(sys.argv[1])
said = []
for name in ("bare", "braces"):
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), open(name, "rb").read(), b"file.cu", 0, None, None)
    words = [b"--gpu-architecture=sm_80", b"--std=c++17"]
    status = nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    first = log.value.decode().splitlines()[:1]
    said.append("%s %d%s" % (name, status, " (%s)" % first[0] if status else ""))
print(", ".join(said))
END
source_with "" "" >bare
source_with "{" "}" >braces
for version in 12.1.105 12.2.140 12.3.107 12.4.127; do
    python3 -m pip download -q --no-deps -d . "nvidia-cuda-nvrtc-cu12==$version"
    python3 -m zipfile -e nvidia_cuda_nvrtc_cu12-"$version"-*.whl "$version"
    echo "$version: $(LD_LIBRARY_PATH=$version/nvidia/cuda_nvrtc/lib python3 compile.py "$version"/nvidia/cuda_nvrtc/lib/libnvrtc.so.12)"
done | tee now
[ "$(cat now)" = "$seen" ] || { echo "CHANGED: seen before was"; echo "$seen"; exit 1; }
