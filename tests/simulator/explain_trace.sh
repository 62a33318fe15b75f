#!/usr/bin/env bash
# What explanations of CUDA files say is what calls launch: of many sampled extents and operators the text is compared with a trace of the same
# call on a simulated device, which captures the launches.
#
#   explain_trace.sh MIKGEN FOLDER LIBRARY
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
mikgen=$(realpath "$1") out=$2 library=$(realpath "$3")
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$here/../cuda/find_nvcc.sh"
mkdir -p "$out"
cd "$out"
cp "$here/../emitted/explain_trace.spec" .
"$mikgen" --target=cuda --max-kernels=4 --trace explain_trace.spec -o explain_trace_dyn.cu
"$mikgen" --target=cuda --max-kernels=4 --trace --emit=header explain_trace.spec -o explain_trace_dyn.cuh
compile="$nvcc -std=c++17 -O1 -cudart none -no-compress -gencode arch=compute_80,code=compute_80 -I."
$compile -c explain_trace_dyn.cu -o explain_trace_dyn.o
$compile -c "$here/explain_trace.cu" -o calls.o
g++ calls.o explain_trace_dyn.o "$library" -lm -o calls
python3 "$here/explain_trace.py" calls >drawn
SIM_CC=80 ./calls <drawn >told
python3 "$here/explain_trace.py" check told
