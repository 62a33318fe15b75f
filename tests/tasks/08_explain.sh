#!/usr/bin/env bash
# Find out which program runs for a shape, from a shell and in a program.
# By: docs/tutorial.md, A product; docs/calling.md
#
#   08_explain.sh MIKGEN FOLDER TREE, an installed mikgen
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh"
export PATH=$3/bin:$PATH
# shellcheck disable=SC2154 # fresh.sh sets it
cp -r "$root/examples" .
mikgen --target=c --max-kernels=4 --explain=100,200,300 examples/gemm_f32/gemm_f32.spec >shell
grep -q '^contraction: batch 1, m 100, n 200, k 300, f32 on ' shell && grep -q '^plan: ' shell && grep -q 'runner-up' shell || { cat shell; fail "the explanation"; }
mikgen --target=c --max-kernels=4 --output-dir=. examples/gemm_f32/gemm_f32.spec
printf '#include "gemm_f32_dyn.h"\n#include <stdio.h>\nint main(void) { char t[4000]; gemm_f32_explain(100, 200, 300, t, sizeof t); fputs(t, stdout); return 0; }\n' >main.c
cc -O0 main.c gemm_f32_dyn.c -lm -o main
./main | cmp - shell || fail "the program explains something else"
