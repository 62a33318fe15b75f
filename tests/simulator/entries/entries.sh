#!/usr/bin/env bash
# Runs entries.cu on simulated devices: of two kinds, several at once, none, without a driver, of a kind that the file is not
# compiled for.
#
#   entries.sh MIKGEN FOLDER LIBRARY
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$(realpath "$1") out=$2 library=$(realpath "$3")
root=$(cd "$(dirname "$0")/../../.." && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../cuda/find_nvcc.sh"
mkdir -p "$out"
cd "$out"
# A contraction, and a sum that takes two kernels one after the other.
cat "$root/examples/gemm/gemm.spec" - >gemm.spec <<'EOF'
void dot(int n, const double x[n], const double y[n], double s[1])
{
    for (int i = 0; i < n; i++)
        s[0] += x[i] * y[i];
}
EOF
"$mikgen" --target=cuda --max-kernels=2 gemm.spec >gemm_dyn.cu
"$mikgen" --target=cuda --emit=header gemm.spec >gemm_dyn.cuh
for arch in 80 90a; do
    compile="$nvcc -std=c++17 -O2 -cudart none -no-compress -gencode arch=compute_$arch,code=compute_$arch -I. -I$root/tests/simulator"
    $compile -Xcompiler -fsanitize=undefined,-fsanitize-undefined-trap-on-error -c gemm_dyn.cu -o "gemm_$arch.o"
    $compile -c "$root/tests/simulator/entries/entries.cu" -o "entries_$arch.o"
    g++ "entries_$arch.o" "gemm_$arch.o" "$library" -o "entries_$arch"
    SIM_CC=${arch%a} SIM_DEVICES=3 "./entries_$arch"
    SIM_CC=${arch%a} SIM_SCHEDULE=random-lazy "./entries_$arch"
done
for newer in 90 100 120; do # without the kernels of sm_90a
    SIM_CC=$newer ./entries_80
done
SIM_DEVICES=0 ./entries_80 100
SIM_DEVICES=-1 ./entries_80 35
SIM_CC=80 SIM_QUIET=1 ./entries_90a 209
