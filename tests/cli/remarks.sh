#!/usr/bin/env bash
# --remarks: what became of every nest, at its place; in the CUDA file stands which loops run in order, and why.
#
# remarks.expected has what it says of some specs for the C target; remarks.sh MIKGEN FOLDER --update writes it.
#
#   remarks.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 update=${3-}
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

printf 'void sweep(int n, int m, float A[n][m])\n{\n    for (int i = 1; i < n; i++)\n        for (int j = 1; j < m; j++)\n            A[i][j] = A[i - 1][j] + A[i][j - 1];\n}\n' >sweep.spec
"$mikgen" --target=cuda --remarks sweep.spec -o sweep.cu 2>message || fail "it does not run"
grep -qF 'sweep.spec:3:5: missed: loop i runs in order: A[i][j] at line 5 writes what A[i-1][j] at line 5 reads in a later iteration' message ||
    { cat message; fail "the outer loop"; }
grep -qF 'sweep.spec:4:9: missed: loop j runs in order: A[i][j] at line 5 writes what A[i][j-1] at line 5 reads in a later iteration' message ||
    { cat message; fail "the inner loop"; }
grep -qF 'loop i at line 3 runs in order: A[i][j] at line 5 writes what A[i-1][j] at line 5 reads' sweep.cu || fail "the comment"
"$mikgen" --target=cuda sweep.spec -o sweep.cu 2>message
[ ! -s message ] || fail "remarks that nobody asked for"

printf 'void scale(int n, const float x[n], float y[n])\n{\n    for (int i = 0; i < n; i++)\n        y[i] = 2 * x[i];\n}\n' >scale.spec
"$mikgen" --target=cuda --remarks scale.spec -o scale.cu 2>message
[ ! -s message ] || fail "remarks about a parallel loop"
"$mikgen" --target=cuda --remarks "$root/tests/specs/ragged.spec" -o ragged.cu 2>message || fail "ragged batches"
[ "$(grep -c 'optimized: part of a ragged batch: one launch computes the GEMMs of all iterations of the loop around' message)" = 9 ] ||
    { cat message; fail "ragged batches of a GPU"; }

"$mikgen" --keep-loops --remarks scale.spec >out 2>message || fail "--keep-loops --remarks"
grep -qF "1 of 1 loops of function 'scale' are understood" message || fail "loops that are understood"

# ---------------------------------------------------------------- the C target
# remarks SPEC: what is said of it, by the file's name alone; the plan needs no templates.
remarks() {
    "$mikgen" --target=c --remarks --emit=ir "$1" 2>&1 >/dev/null | sed -n "s,^.*/\($(basename "$1"):[0-9]*:[0-9]*: [a-z]*: \),\1,p"
}

for spec in examples/gemm_f32/gemm_f32 examples/softmax/softmax examples/depthwise_conv2d/depthwise_conv2d examples/topi/group_conv2d_nchw \
    tests/specs/prologues tests/specs/flags tests/specs/divisors tests/specs/negative_divisors \
    tests/specs/prefix_sum tests/specs/windows tests/specs/cholesky tests/specs/running_sums tests/specs/spmv_csr \
    tests/specs/false_contractions tests/specs/packed_rows tests/specs/channels tests/specs/block_transform tests/specs/short_loops; do
    remarks "$root/$spec.spec"
done >said
[ "$update" != --update ] || cp said "$here/remarks.expected"
diff -u "$here/remarks.expected" said || fail "other remarks"
"$mikgen" --target=c --fp=strict --remarks --emit=ir "$root/examples/gemm_f32/gemm_f32.spec" 2>&1 >/dev/null |
    grep -qF 'gemm_f32.spec:4:5: missed: not a contraction: --fp=strict keeps the order of the sum' || fail "--fp=strict"
"$mikgen" --target=c --math=fast --remarks --emit=ir "$root/examples/softmax/softmax.spec" >said 2>&1
grep -qF 'softmax.spec:11:9: optimized: the loop over j is vectorized, unrolled by 4, its functions by --math=fast' said ||
    { cat said; fail "--math=fast"; }
grep -F 'softmax.spec:8:9: ' said | grep -qF -- '--math=fast' && fail "--math=fast of a maximum"

# Every outermost loop of every spec is a contraction, around one, or none for a reason; and what is said stands at a loop.
specs=0
for spec in "$root"/tests/specs/*.spec "$root"/examples/*/*.spec; do
    remarks "$spec" >said
    grep -q ' optimized: contraction: \| missed: not a contraction: ' said || ! grep -q '^    for' "$spec" || { cat said; fail "$spec: nothing is said"; }
    while IFS=: read -r name line column rest; do
        sed -n "${line}p" "$spec" | cut -c"$column"- | grep -q '^for\|^do\|= {\|^mem\|^while\|^[a-z]*\(\[[^;]*\)\?;$\|^[a-z]*\(\[[^;]*\)\?[,)]' || fail "$name:$line:$column:$rest: no loop stands there"
    done <said
    specs=$((specs + 1))
done
[ $specs -gt 50 ] || fail "$specs specs"

# ---------------------------------------------------------------- --explain says it too, also of threads
"$mikgen" --target=c --explain=3,4 "$root/examples/softmax/softmax.spec" >text
grep -qF 'loops at line 6 of the spec: not a contraction: what the innermost loop does is not sum += product' text || { cat text; fail "--explain of loops"; }
product="--target=c --max-kernels=2 --explain=512,512,512 $root/examples/gemm_f32/gemm_f32.spec"
# shellcheck disable=SC2086 # several options
{ "$mikgen" $product >one && "$mikgen" $product --threads=2 >two; } || fail "--explain of a product"
grep -q 'workers: 1;' one && grep -q 'workers: 2;' two && grep -q ' tasks$' two || { cat one two; fail "--threads"; }
"$mikgen" --target=c --threads=2 scale.spec >out 2>message && fail "--threads without --explain"
grep -qF 'goes with --explain, --report and mikgen tune only' message || fail "the message: $(cat message)"
"$mikgen" --target=cuda --threads=2 --explain=4 scale.spec >out 2>message && fail "--threads in CUDA"
grep -qF -- '--threads is about C files' message || fail "the message: $(cat message)"
