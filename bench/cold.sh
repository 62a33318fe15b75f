#!/usr/bin/env bash
# 2000 matrix products in single precision of 2000 different shapes, the first calls of a fresh process, one thread: ours, and
# OpenBLAS, BLIS, oneDNN, Eigen and libxsmm (which makes a kernel for each shape, and so is given the small ones only). The
# processes take turns; results are compared.
#
#   bench/cold.sh MIKGEN FOLDER [ROUNDS]       default: 15 rounds
#
# FOLDER gets everything that is made. For MIKGEN_FLAGS, CC and CFLAGS see bench/make.sh. Pin it: taskset -c 1 bench/cold.sh ...
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
"$here/gemm/build.sh" "$1" "$2"
cd "$2"
rounds=${3:-15}
# shellcheck source=/dev/null
. ./core_types_f32.sh
export OPENBLAS_NUM_THREADS=1 BLIS_NUM_THREADS=1 OMP_NUM_THREADS=1

# compare SIDE LIBRARY...: M, N and K sampled log-uniformly from 1 .. SIDE.
compare() {
    local side=$1 round library
    shift
    for ((round = 0; round < rounds; round++)); do
        for library in "$@"; do
            echo "$library $(./cold . "lib_$library.so" "$side" 2000)"
        done
    done | awk -v side="$side" '
        function sort(list, n,    i, j, x) {
            for (i = 2; i <= n; i++) {
                x = list[i]
                for (j = i - 1; j > 0 && list[j] > x; j--) list[j + 1] = list[j]
                list[j + 1] = x
            }
        }
        !($1 in count) { names[++libraries] = $1 }
        { n = ++count[$1]; loading[$1, n] = $2; first[$1, n] = $3; total[$1, n] = $4 }
        sum == "" { sum = $5 }
        $5 != sum { print $1 " computes something else"; wrong = 1 }
        function middle(values, name,    i, list) {
            for (i = 1; i <= count[name]; i++) list[i] = values[name, i] + 0
            sort(list, count[name])
            return list[int((count[name] + 1) / 2)]
        }
        END {
            print "sides up to " side ", milliseconds, medians of " count[names[1]]
            printf "%-10s %9s %9s %11s %9s\n", "library", "loading", "1st call", "2000 calls", "over ours"
            for (i = 1; i <= libraries; i++) {
                t = middle(total, names[i])
                if (i == 1) ours = t
                printf "%-10s %9.3f %9.3f %11.3f %9.2f\n", names[i], middle(loading, names[i]), middle(first, names[i]), t, t / ours
            }
            print ""
            exit wrong
        }'
}

compare 64 ours onednn openblas blis eigen libxsmm
compare 512 ours onednn openblas blis eigen
