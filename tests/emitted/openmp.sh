#!/usr/bin/env bash
# A committed file compiled with OpenMP: see openmp.c.
#
#   openmp.sh FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
out=$1
here=$(cd "$(dirname "$0")" && pwd)
source=$here/../../generated/gemm_f32
mkdir -p "$out"
echo 'int main(void) { return 0; }' >"$out/probe.c"
gcc -fopenmp "$out/probe.c" -o "$out/probe" 2>"$out/probe.log" || { echo "skipped: gcc has no OpenMP here"; exit 77; }
gcc -std=c11 -Wall -Wextra -Werror -O1 -fopenmp -I"$source" -Wl,--wrap=GOMP_parallel "$here/openmp.c" "$source/gemm_f32_dyn.c" -lm -o "$out/openmp"
"$out/openmp"
