#!/usr/bin/env bash
# Calls the entry points of the CUDA output without a GPU, through their headers; see api.cu.
#
#   api.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1") out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/./find_nvcc.sh"
mkdir -p "$out"
cd "$out"

compile="$nvcc -std=c++17 -arch=sm_80 -Xcompiler -Wall,-Wextra -Werror all-warnings -I."
for spec in "$root"/examples/{gemm/gemm,softmax/softmax}.spec "$root"/tests/specs/mlp.spec; do
    name=$(basename "$spec" .spec)
    "$mikgen" --target=cuda --emit=header "$spec" >"${name}_dyn.cuh"
    # The header and the file itself in one translation unit.
    echo "#include \"${name}_dyn.cuh\"" >"${name}_dyn.cu"
    "$mikgen" --target=cuda --max-kernels=2 "$spec" >>"${name}_dyn.cu"
    $compile -c "${name}_dyn.cu" -o "${name}_dyn.o"
done
$compile "$root/tests/cuda/api.cu" gemm_dyn.o softmax_dyn.o mlp_dyn.o -o api
./api
