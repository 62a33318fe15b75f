#!/usr/bin/env bash
# Emitted loops against the spec itself under the same compiler and flags, one thread, interleaved, best of each.
#
#   bench/loops.sh MIKGEN FOLDER [COMPILER FLAGS...]       default: gcc -std=c99 -O2
#
# Ratio: the spec's time over the emitted operator's; above 1 the emitted one is faster.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$(readlink -f "$1") out=$2
shift 2
[ $# -gt 0 ] || set -- gcc -std=c99 -O2
mkdir -p "$out"
cd "$out"

# bench NAME TUPLE: one spec and the values of its integer parameters.
bench() {
    local spec=$root/tests/specs/$1.spec options=
    [ -f "$spec" ] || spec=$root/examples/$1/$1.spec
    "$mikgen" --target=c "$spec" >"$1_dyn.c"
    "$mikgen" --target=c --emit=header "$spec" >"$1_dyn.h"
    "$mikgen" --target=c --emit=selfcheck "$spec" >"$1_check.c"
    "$mikgen" --emit=reference "$spec" >"$1_reference.c"
    case $1 in lu | cholesky | ludcmp | trisolv | durbin | gramschmidt) options=--data=dominant ;; esac
    compile "$1"
    "./$1_time" $options --time "$2" | sed -n 's/: spec/ spec/p'
}

compiler=("$@")
compile() {
    local renames
    renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "$1_check.c")
    # shellcheck disable=SC2086 # several options
    "${compiler[@]}" -std=gnu11 -w $renames -c "$1_reference.c" -o "$1_reference.o"
    "${compiler[@]}" -c "$1_dyn.c" -o "$1_dyn.o"
    "${compiler[@]}" -c "$1_check.c" -o "$1_check.o"
    "${compiler[@]}" "$1_check.o" "$1_dyn.o" "$1_reference.o" -lm -lpthread -o "$1_time"
}

bench jacobi_1d 20x100000
bench jacobi_2d 10x700
bench seidel_2d 5x400
bench heat_3d 90
bench fdtd_2d 10x500x500
bench adi_sweep 500
bench floyd_warshall 250
bench lu 250
bench cholesky 300
bench ludcmp 250
bench trisolv 1500
bench durbin 1500
bench gramschmidt 50x150
bench correlation 250x200
bench covariance 250x200
bench syrk 200x200
bench syr2k 200x200
bench symm 200x200
bench trmm 200x200
bench gesummv 1000
bench bicg 1000x1000
bench spmv_csr 20000x20000x400000
bench prefix_sum 1000x1000
bench histogram 1000000x256
bench transpose 8x32x100x100
bench softmax 500x1000
bench layernorm 500x1000
