#!/usr/bin/env bash
# Every CUDA file of templates/engine compiles as it stands, given those that it includes: kernels for both of the architectures, by one
# call of nvcc.
#
#   engine.sh FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
skip() { echo "skipped: $*"; exit 77; }
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/find_nvcc.sh"
mkdir -p "$1"
cd "$1"
failures=0
# compiles FILE OPTION...: the functions are static, and a file by itself does not call its own.
compiles() {
    local file=$1
    shift
    echo "#include \"$root/templates/engine/$file\"" >engine.cu
    "$nvcc" -std=c++17 "$@" -Xcompiler -Wall,-Wextra,-Wno-unused-function -Werror all-warnings -c engine.cu -o engine.o >log 2>&1 || {
        echo "FAILED: $file $*"
        head -20 log
        failures=$((failures + 1))
    }
}
for file in "$root"/templates/engine/cuda/*.cuh; do
    second=
    grep -qE '__device__|__global__' "$file" && second="-gencode arch=compute_90a,code=sm_90a"
    # shellcheck disable=SC2086 # several options, or none
    compiles "cuda/$(basename "$file")" -gencode arch=compute_80,code=sm_80 $second
done
for file in check/cover_kernels.cuh check/check_main.h tune/product_time.cuh tune/device_forms.cuh; do
    compiles $file -DMIK_CUDA=1
done
[ "$failures" = 0 ] && echo "every file of the engine compiles by itself"
