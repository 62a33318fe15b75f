#!/usr/bin/env bash
# Generated matrix products for every number of rows from one to many: each result is compared bit by bit, and neighbours
# should take about the same time (MikPoly, table 6, has 8192 numbers of rows with N = 3072 and K = 768).
#
#   bench/consecutive.sh MIKGEN FOLDER [OPTION...]
#
#   --from=M --to=M      default 1 to 8192, which takes half an hour
#   --n=N --k=K          default 3072 and 768
#   --csv=FILE           a line for each M: GFLOP/s
#
# A step between neighbours that is above 2 is measured again; if it stays, both programs are explained.
# FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh.
# Pin it: taskset -c 1 bench/consecutive.sh ...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$1
mkdir -p "$2"
cp -u "$mikgen" "$2/mikgen"
out=$(cd "$2" && pwd)
shift 2
(
    cd "$out"
    # shellcheck source=bench/make.sh
    . "$root/bench/make.sh"
    generate "$root/examples/gemm_f32/gemm_f32.spec" gemm_f32
    sources="$root/bench/consecutive/main.c $root/bench/consecutive/product.c"
    # shellcheck disable=SC2086 # several files
    make consecutive $sources "$root/bench/consecutive/product.h" gemm_f32.o -- $c -O3 $sources gemm_f32.o -lm -lpthread -o consecutive
)
exec "$out/consecutive" "$@"
