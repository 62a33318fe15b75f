#!/usr/bin/env bash
# Is a mistake in the kernels of ragged batches found? Each is put into a copy of the templates; the self-check of a batch of intervals that
# follow one another or overlap must fail then, as it must not without one.
#
#   ragged_bugs.sh MIKGEN FOLDER [NUMBER]
#
# $SIM_LIBRARY, and the others that run.sh reads.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") only=${3-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mkdir -p "$2"
cd "$2"
cat >windows.spec <<'END'
void windows(int G, int T, int N, int K, const int first[G], const float A[T][K], const float B[G][K][N], float C[T][N])
{
    for (int g = 0; g < G; g++)
        for (int m = first[g]; m < (first[g] < T - 9 ? first[g] + 9 : T); m++)
            for (int n = 0; n < N; n++) {
                float sum = 0;
                for (int k = 0; k < K; k++)
                    sum += A[m][k] * B[g][k][n];
                C[m][n] = C[m][n] / 2 + sum;
            }
}

/* Iteration 32 begins where the first has begun. */
void rounds(int G, int T, int N, int K, const int off[33], const float A[T][K], const float B[G][K][N], float C[T][N])
{
    for (int g = 0; g < G; g++)
        for (int m = off[g % 32]; m < off[g % 32 + 1]; m++)
            for (int n = 0; n < N; n++) {
                float sum = 0;
                for (int k = 0; k < K; k++)
                    sum += A[m][k] * B[g][k][n];
                C[m][n] = C[m][n] / 2 + sum;
            }
}
END

failures=0 number=0
# bug WHAT OLD NEW: OLD, a piece of a line of ragged.cuh; "" for none.
bug() {
    number=$((number + 1))
    [ -z "$only" ] || [ "$only" = "$number" ] || return 0
    rm -rf templates
    cp -r "$root/templates" templates
    if [ -n "$2" ]; then
        OLD=$2 NEW=$3 awk '{ at = index($0, ENVIRON["OLD"]); if (at) $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"])); print }' \
            "$root/templates/engine/cuda/ragged.cuh" >templates/engine/cuda/ragged.cuh
        cmp -s templates/engine/cuda/ragged.cuh "$root/templates/engine/cuda/ragged.cuh" && { echo "FAILED: $1: nothing to change"; failures=$((failures + 1)); return 0; }
    fi
    local status=0
    MIKGEN_OPTIONS="--max-kernels=1 --templates=$PWD/templates" SIM_SCHEDULE="forward-lazy random-lazy" SIM_QUIET=1 \
        "$here/run.sh" "$mikgen" "work$number" windows.spec --ways=5 70x90x33x17 37x60x20x9 5x100x70x40 4x99x20x9 40x80x16x20 >log 2>&1 || status=$?
    [ $status != 77 ] || { tail -1 log; exit 77; }
    if { [ -n "$2" ] && [ $status = 0 ]; } || { [ -z "$2" ] && [ $status != 0 ]; }; then
        echo "FAILED: $1"
        tail -5 log
        failures=$((failures + 1))
    else
        echo "as it should be: $1"
    fi
}
bug "no mistake" "" ""
bug "intervals are never compared" "__any_sync(0xffffffffu, end > first && first < least)" "false"
bug "intervals are compared with those of the same 32 iterations only" "reached = last > reached ? last : reached;" ""
bug "all blocks have all tiles, in order" "(!Product::ALONE || blockIdx.x > 0)" "!Product::ALONE"
bug "tiles are counted from the first of 32 iterations" "turn->end[lane] = before + tiles;" "turn->end[lane] = tiles;"
bug "tiles are added up from lanes that are not there" "tiles += lane >= far ? other : 0;" "tiles += other;"
bug "an iteration's product is that of the one before" "turn->iteration != turn->base + past" "turn->iteration < 0"
bug "the last columns of tiles are left out" "r->n_tiles = (p->n + UN - 1) / UN;" "r->n_tiles = p->n / UN;"
bug "nobody waits for what others leave in shared memory" "__syncthreads();" ""
[ "$failures" = 0 ] && echo "all of them are found"
