#!/usr/bin/env bash
# Runs the CUDA output of the examples on a GPU, against the spec.
#
#   gpu.sh MIKGEN FOLDER
set -eu
mikgen=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1 || skip "there is no GPU here"
nvcc=$(command -v nvcc || true)
[ -n "$nvcc" ] || { [ -x /usr/local/cuda/bin/nvcc ] && nvcc=/usr/local/cuda/bin/nvcc; }
[ -n "$nvcc" ] || skip "nvcc is not installed"
mkdir -p "$out"

"$mikgen" --target=cuda "$root/examples/gemm/gemm.spec" >"$out/gemm_dyn.cu"
"$mikgen" --emit=reference "$root/examples/gemm/gemm.spec" >"$out/gemm_reference.c"
cc -O2 -w -Dgemm=gemm_reference -c "$out/gemm_reference.c" -o "$out/gemm_reference.o"
"$nvcc" -O2 -arch=native "$out/gemm_dyn.cu" "$root/tests/gpu/gemm_check.cu" "$out/gemm_reference.o" -o "$out/gemm_check"
"$out/gemm_check"
