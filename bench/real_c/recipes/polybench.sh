# PolyBench/C: each program is built as its utilities/README says. What it dumps must be what it dumped before.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f utilities/polybench.c ] && [ -f utilities/benchmark_list ]; }

# Their sizes are macros, so that each set is another text.
configurations() { echo mini small; }

kernels() { sed 's/\.c$//; s,^\./,,' utilities/benchmark_list; }

# size KERNEL: for times, as large as takes some milliseconds to a second.
size() {
    case $CONFIGURATION in
    time)
        case ${1##*/} in
        atax | bicg | mvt | gemver | gesummv | trisolv | durbin | jacobi-1d | deriche) echo "-DEXTRALARGE_DATASET" ;;
        lu | ludcmp | cholesky | floyd-warshall | nussinov | adi | seidel-2d) echo "-DMEDIUM_DATASET" ;;
        *) echo "-DLARGE_DATASET" ;;
        esac
        ;;
    count) echo "-DSMALL_DATASET" ;;
    mini) echo "-DMINI_DATASET -DPOLYBENCH_DUMP_ARRAYS" ;;
    small) echo "-DSMALL_DATASET -DPOLYBENCH_DUMP_ARRAYS" ;;
    esac
}

build() {
    local kernel
    kernels | while read -r kernel; do
        echo "$CC $CFLAGS $(size "$kernel") -I utilities -I $(dirname "$kernel") utilities/polybench.c $kernel.c -o $kernel -lm"
    done | xargs -P "$JOBS" -I '{}' sh -c '{}'
}

check() {
    local kernel
    case $CONFIGURATION in
    mini | small) ;;
    *) return 0 ;;
    esac
    for kernel in $(kernels); do
        "./$kernel" 2>new.dump
        "$OLD/$kernel" 2>old.dump
        cmp old.dump new.dump
    done
}

programs() {
    local kernel
    for kernel in $(kernels); do printf '%s\t%s\n' "$(basename "$kernel")" "$kernel"; done
}
