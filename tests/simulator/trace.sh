#!/usr/bin/env bash
# Times of launches on the device (mikgen_trace_keep_device), on two simulated devices; and that the header is C and C++.
#
#   trace.sh MIKGEN FOLDER LIBRARY
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1") out=$2 library=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$here/../cuda/find_nvcc.sh"
mkdir -p "$out"
cd "$out"
spec=$here/../emitted/trace.spec
"$mikgen" --target=cuda --max-kernels=2 --trace "$spec" -o trace_dyn.cu
"$mikgen" --target=cuda --max-kernels=2 --trace --emit=header "$spec" -o trace_dyn.cuh
"$mikgen" --emit=trace -o mikgen_trace.h
compile="$nvcc -std=c++17 -O2 -cudart none -no-compress -gencode arch=compute_80,code=compute_80 -I. -Xcompiler -Wall,-Wextra,-Werror"
$compile -c trace_dyn.cu -o trace_dyn.o
$compile -c "$here/trace.cu" -o trace.o
g++ trace.o trace_dyn.o "$library" -lm -o trace
SIM_CC=80 SIM_DEVICES=2 ./trace trace.json
python3 "$here/trace.py" trace.json

# With the host's compiler, in either language.
headers=$(dirname "$(dirname "$(realpath "$nvcc")")")/include
printf '#include "trace_dyn.cuh"\n#include "mikgen_trace.h"\nint main(void) { mikgen_trace_log log; return mikgen_trace_open_device(&log, 1); }\n' >host.c
gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -isystem "$headers" -fsyntax-only host.c
g++ -std=c++11 -Wall -Wextra -Werror -isystem "$headers" -fsyntax-only -x c++ host.c
