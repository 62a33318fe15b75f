#!/usr/bin/env bash
# --explain as data and as pictures, for operators of several kinds, and the one in docs/pictures.
#
#   pictures.sh MIKGEN FOLDER [--update]       --update: writes what the documentation shows
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1 update=${3-}
here=$(cd "$(dirname "$0")" && pwd) root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"

# The plan for processors with AVX2, whatever runs here; elsewhere there are no kernels for it.
if [ "$(uname -m)" = x86_64 ]; then
    "$mikgen" --target=c --explain=1000,700,300 --threads=4 --isa=avx2 --format=svg "$root/examples/gemm_f32/gemm_f32.spec" -o gemm_f32.svg
    [ -z "$update" ] || cp gemm_f32.svg "$root/docs/pictures/gemm_f32.svg"
    cmp gemm_f32.svg "$root/docs/pictures/gemm_f32.svg" || fail "docs/pictures/gemm_f32.svg is another one: pictures.sh MIKGEN FOLDER --update"
fi

cat >kinds.spec <<'SPEC'
void split(int M, int K, const float A[4][K], const float B[K][5], float C[4][5], float d[M])
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
    for (int i = 0; i < M; i++)
        d[i] = 2 * d[i];
}

void batched(int M, int K, const float A[6][M][K], const float B[6][K][M], float C[6][M][M])
{
    for (int b = 0; b < 6; b++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) {
                float sum = 0;
                for (int k = 0; k < K; k++)
                    sum += A[b][i][k] * B[b][k][j];
                C[b][i][j] = sum;
            }
}

void rows_of(int M, int K, const int start[M + 1], const float x[K], float y[M])
{
    int rows = start[M];
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += x[k];
        y[i] = sum;
    }
}
SPEC

# look NAME OPTION...: the call as data and as a picture, both checked.
look() {
    local name=$1
    shift
    "$mikgen" --target=c --max-kernels=2 "$@" --format=json -o "$name.json"
    "$mikgen" --target=c --max-kernels=2 "$@" --format=svg -o "$name.svg"
    python3 "$here/pictures.py" json "$name.json" && python3 "$here/pictures.py" svg "$name.svg" || fail "$name"
}
look kinds kinds.spec --explain=300,20000 --threads=3
grep -q "steps of k" kinds.svg || fail "k is not split"
grep -q ">batches<" kinds.svg || fail "batches are not shared out"
grep -q 'what memory holds' kinds.svg || fail "what depends on memory"
grep -q '>rows<' kinds.svg || fail "an extent in symbols"
cat >ragged.spec <<'SPEC'
void groups(int G, int T, const int off[G + 1], const float A[T][16], const float B[G][16][24], float C[T][24])
{
    for (int g = 0; g < G; g++)
        for (int m = off[g]; m < off[g + 1]; m++)
            for (int n = 0; n < 24; n++) {
                float sum = 0;
                for (int k = 0; k < 16; k++)
                    sum += A[m][k] * B[g][k][n];
                C[m][n] = sum;
            }
}
SPEC
look ragged ragged.spec --explain=8,1000
grep -q '8 iterations, drawn as if all were alike: m 125, n 24, k 16; memory holds what m of each is' ragged.svg || fail "a ragged batch"
look softmax "$root/examples/softmax/softmax.spec" --explain=5130,1000 --threads=20
grep -q '20 tasks' softmax.svg || fail "loops are not cut for 20 threads: $(cat softmax.json)"
look causal_attention "$root/examples/models/causal_attention.spec" --explain=100,2,3,64
"$mikgen" --target=c --max-kernels=2 kinds.spec --explain=300,20000 --threads=3 --format=svg | cmp - kinds.svg || fail "not the same bytes"
"$mikgen" --target=c --max-kernels=2 kinds.spec --explain=-1,5 --format=svg >refused.svg
grep -q 'refused with status' refused.svg || fail "a call that is refused"

refuse "--format has no value 'png'" --target=c --explain=1,1 --format=png kinds.spec
refuse "--format says what --explain prints" --target=c --format=svg kinds.spec
refuse "--isa goes with mikgen tune, --explain and --report only" --target=c --isa=avx2 kinds.spec
refuse "--explain: --isa is about C files, and this one is CUDA" --target=cuda --explain=1,1 --isa=avx2 kinds.spec
CC=/missing refuse "--explain: " --target=c --max-kernels=2 --explain=1,1 --format=svg kinds.spec -o missing.svg
