#!/usr/bin/env bash
# Fuse a bias and an activation into a product, and see that it is one.
# By: docs/spec-language.md; docs/messages.md, Of remarks
#
#   06_epilogue.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
cat >dense.spec <<'END'
static float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.70710678f)); }

void dense(int M, int N, int K, const float X[M][K], const float W[K][N], const float bias[N], float Y[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = bias[n];
            for (int k = 0; k < K; k++)
                sum += X[m][k] * W[k][n];
            Y[m][n] = gelu(sum);
        }
}
END
mikgen --target=c --max-kernels=4 --remarks --output-dir=. dense.spec 2>remarks
grep -q 'optimized: contraction: rows over m, columns over n, sums over k; the epilogue is part of it' remarks || { cat remarks; fail "no product with its epilogue"; }
cat >main.c <<'END'
#include "dense_dyn.h"
#include <math.h>

int main(void)
{
    float X[2] = {1, 2}, W[2] = {3, -1}, bias[1] = {0.5f}, Y[1];
    return dense(1, 1, 2, X, W, bias, Y) != 0 || fabsf(Y[0] - 0.5f * 1.5f * (1 + erff(1.5f * 0.70710678f))) > 1e-6f;
}
END
cc -std=c99 -O0 main.c dense_dyn.c -lm -o main
./main || fail "the fused layer"
