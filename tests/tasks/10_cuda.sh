#!/usr/bin/env bash
# Write an operator for a GPU, and see what it will do without one.
# By: docs/cuda.md; docs/generated-code.md, CUDA
#
#   10_cuda.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
cat >rows.spec <<'END'
#pragma mikgen target(cuda)
void row_sums(int M, int N, const float x[M][N], float y[M])
{
    for (int m = 0; m < M; m++) {
        float sum = 0;
        for (int n = 0; n < N; n++)
            sum += x[m][n];
        y[m] = sum;
    }
}
END
mikgen --output-dir=. rows.spec
grep -q 'cudaError_t row_sums(int M, int N, const float \*x, float \*y, cudaStream_t' rows_dyn.cuh || { cat rows_dyn.cuh; fail "the header"; }
grep -q '__global__' rows_dyn.cu || fail "no kernel"
grep -q '^ \*     mik_row_sums_nest1: ' rows_dyn.cu || { head -20 rows_dyn.cu; fail "the banner does not list the kernel"; }
