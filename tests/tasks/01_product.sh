#!/usr/bin/env bash
# Multiply two matrices of sizes known at run time, on two threads.
# By: README.md, Five minutes; docs/tutorial.md, A product
#
#   01_product.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
mikgen --target=c --output-dir=. examples/gemm_f32/gemm_f32.spec
cat >main.c <<'END'
#include "gemm_f32_dyn.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int M = atoi(argv[1]), N = atoi(argv[2]), K = atoi(argv[argc - 1]);
    float *A = malloc(sizeof(float) * M * K), *B = malloc(sizeof(float) * K * N), *C = malloc(sizeof(float) * M * N);
    for (int i = 0; i < M * K; i++)
        A[i] = 1;
    for (int i = 0; i < K * N; i++)
        B[i] = 2;
    gemm_f32_options options = {.threads = 2};
    int status = gemm_f32_with(&options, M, N, K, A, B, C);
    printf("%d %g\n", status, C[M * N - 1]);
    return 0;
}
END
cc -std=c99 -O0 -fopenmp main.c gemm_f32_dyn.c -lm -o main
for sizes in "1 1 1:2" "300 100 200:400" "7 8192 13:26" "1 4096 64:128"; do
    # shellcheck disable=SC2086 # three numbers
    [ "$(./main ${sizes%:*})" = "0 ${sizes#*:}" ] || fail "$sizes: $(./main ${sizes%:*})"
done
