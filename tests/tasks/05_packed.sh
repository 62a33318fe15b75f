#!/usr/bin/env bash
# Pack weights once, and use them in many calls.
# By: docs/calling.md, Weights packed once
#
#   05_packed.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
{ echo '#pragma mikgen constant(B)'; cat examples/gemm_f32/gemm_f32.spec; } >gemm_f32.spec
mikgen --target=c --max-kernels=4 --output-dir=. gemm_f32.spec
cat >main.c <<'END'
#include "gemm_f32_dyn.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 50, K = 70, MOST = 40 };
static float A[MOST * K], B[K * N], C[MOST * N], D[MOST * N];

int main(void)
{
    for (int i = 0; i < MOST * K; i++)
        A[i] = (float)(i % 9 - 4);
    for (int i = 0; i < K * N; i++)
        B[i] = (float)(i % 5 - 2);
    void *packed = aligned_alloc(64, (gemm_f32_B_size(N, K) + 63) / 64 * 64);
    if (gemm_f32_B_pack(N, K, B, packed) != 0)
        return 1;
    for (int M = 1; M <= MOST; M += 13) {
        if (gemm_f32_packed(M, N, K, A, packed, C) != 0 || gemm_f32(M, N, K, A, B, D) != 0)
            return 2;
        for (int i = 0; i < M * N; i++)
            if (C[i] != D[i])
                return 3;
    }
    printf("not packed: %d\n", gemm_f32_packed(1, N, K, A, B, C));
    return 0;
}
END
cc -std=c11 -O0 main.c gemm_f32_dyn.c -lm -o main
[ "$(./main)" = "not packed: 7" ] || fail "packed weights: $(./main)"
