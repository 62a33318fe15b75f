#!/usr/bin/env bash
# --remarks: which loops run in order, and why; the same stands in the CUDA file.
#
#   remarks.sh MIKGEN FOLDER
set -eu
mikgen=$1
cd "$2"

fail() { echo "FAILED: $*"; exit 1; }

printf 'void sweep(int n, int m, float A[n][m])\n{\n    for (int i = 1; i < n; i++)\n        for (int j = 1; j < m; j++)\n            A[i][j] = A[i - 1][j] + A[i][j - 1];\n}\n' >sweep.spec
"$mikgen" --target=cuda --remarks sweep.spec -o sweep.cu 2>message || fail "it does not run"
grep -qF 'sweep.spec:3:5: remark: loop i runs in order: A[i][j] at line 5 writes what A[i-1][j] at line 5 reads in a later iteration' message ||
    { cat message; fail "the outer loop"; }
grep -qF 'sweep.spec:4:9: remark: loop j runs in order: A[i][j] at line 5 writes what A[i][j-1] at line 5 reads in a later iteration' message ||
    { cat message; fail "the inner loop"; }
grep -qF 'loop i at line 3 runs in order: A[i][j] at line 5 writes what A[i-1][j] at line 5 reads' sweep.cu || fail "the comment"
"$mikgen" --target=cuda sweep.spec -o sweep.cu 2>message
[ ! -s message ] || fail "remarks that nobody asked for"

printf 'void scale(int n, const float x[n], float y[n])\n{\n    for (int i = 0; i < n; i++)\n        y[i] = 2 * x[i];\n}\n' >scale.spec
"$mikgen" --target=cuda --remarks scale.spec -o scale.cu 2>message
[ ! -s message ] || fail "remarks about a parallel loop"
"$mikgen" --keep-loops --remarks sweep.spec >out 2>message && fail "--keep-loops --remarks"
grep -qF -- '--remarks' message || fail "what does not go together"
