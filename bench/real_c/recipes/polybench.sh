# PolyBench/C: each program is built as its utilities/README says. What it dumps must be what it dumped before.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f utilities/polybench.c ] && [ -f utilities/benchmark_list ]; }

# Their sizes are macros, so that each set is another text.
configurations() { echo mini small; }

kernels() { sed 's/\.c$//; s,^\./,,' utilities/benchmark_list; }

build() {
    local kernel size
    case $CONFIGURATION in
    time) size="-DMEDIUM_DATASET" ;;
    count) size="-DSMALL_DATASET" ;;
    mini) size="-DMINI_DATASET -DPOLYBENCH_DUMP_ARRAYS" ;;
    small) size="-DSMALL_DATASET -DPOLYBENCH_DUMP_ARRAYS" ;;
    esac
    kernels | while read -r kernel; do
        echo "$CC $CFLAGS $size -I utilities -I $(dirname "$kernel") utilities/polybench.c $kernel.c -o $kernel -lm"
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
