#!/usr/bin/env bash
# mikgen tune --target=cuda of loops from end to end, with the CPU in the place of the GPU: what it measures means nothing, but the
# measuring program compiles without a warning, calls every configuration without a complaint of the device, and what is found is emitted
# and right.
#
#   tune_grids.sh MIKGEN FOLDER LIBSIMULATOR
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
mikgen=$(realpath "$1") out=$2 library=$(realpath "$3")
# shellcheck source=tests/cuda/find_nvcc.sh
. "$here/../cuda/find_nvcc.sh"
mkdir -p "$out"
cd "$out"
rm -rf ./*

fail() { echo "FAILED: $*"; exit 1; }

# What fills arrays has more than every spec needs.
more="-diag-suppress 177 -Xcompiler -Wno-unused-function"
# shellcheck source=tests/simulator/nvcc_simulating.sh
. "$here/nvcc_simulating.sh"
export SIM_SMS=1 SIM_CC=90
tune=("$mikgen" tune --target=cuda --nvcc=./nvcc-simulating --quick)

# A sum of each row, by warps and by blocks; an array that a call reads and changes, coefficients, types that are narrow; a transposition.
cat >three.spec <<'EOS'
void rows(int m, int n, const float x[m][n], float y[m])
{
    for (int i = 0; i < m; i++) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += x[i][j];
        y[i] = s;
    }
}
void step(int n, half rate, const half g[n], half p[n])
{
    for (int i = 0; i < n; i++)
        p[i] = p[i] - rate * g[i];
}
void turn(int m, int n, const short x[m][n], short y[n][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            y[j][i] = x[i][j];
}
EOS
printf 'rows 3x70\nrows 2x4100\nstep 300\nturn 20x40\n' >three.shapes
"${tune[@]}" --search=all --shapes=three.shapes --measurements=three.csv three.spec -o a.profile 2>message || { cat message; fail "it does not run"; }
! grep -q '^simulator:' message || { cat message; fail "the device complains"; }
[ "$(tr '\n' ' ' <compiled)" = "80 90a " ] || fail "not compiled for the device: $(cat compiled)"
[ "$(grep -c '^grid sm_90 [0-9a-f]\{16\} .*ns [0-9.e+]*$' a.profile)" = 3 ] || { cat message a.profile; fail "not three nests"; }
grep -q '^# sm_90 measured on Simulated H200 (cc 9.0), 1 multiprocessors; nvcc ' a.profile || fail "no word about the device"
awk -F, 'NR > 1 && !($NF > 0 && $(NF - 1) > 0)' three.csv | grep . && fail "a configuration does not run"
for part in rows_nest1_warp:3x70 rows_nest1_block:2x4100 step_nest1:300 turn_nest1_tile:20x40; do
    grep -q "^${part%:*},sm_90,${part#*:}," three.csv || { cat three.csv; fail "nothing of ${part%:*}"; }
done

# What is there is not measured again; another kind of GPU is added.
cp a.profile before
"${tune[@]}" --shapes=three.shapes three.spec -o a.profile 2>/dev/null
cmp <(grep -v "^# complete" a.profile) <(grep -v "^# complete" before) || fail "what was measured changed"
CUDA_VISIBLE_DEVICES=1 SIM_CC=80 "${tune[@]}" --shapes=three.shapes three.spec -o a.profile 2>/dev/null
[ "$(grep -c '^grid sm_80' a.profile)" = 3 ] && [ -z "$(grep -v '^# complete' before | grep -vxFf a.profile)" ] || fail "a second kind of GPU is not added"

# What is measured is emitted, and right.
MIKGEN_OPTIONS="--profile=$PWD/a.profile" SIM_LIBRARY=$library "$here/run.sh" "$mikgen" check three.spec --tuples=2 >message 2>&1 ||
    { cat message; fail "what is emitted by the profile is wrong"; }

# Nothing to measure on.
status=0
SIM_DEVICES=0 "${tune[@]}" three.spec -o none.profile >printed 2>message || status=$?
[ $status = 1 ] && [ ! -s printed ] && [ ! -e none.profile ] && [ "$(grep -c 'error: ' message)" = 1 ] &&
    grep -qF "no GPU can be used: no CUDA-capable device is detected (CUDA's error 100)" message || { cat message; fail "not the one message"; }
echo "loops of a GPU that is none: $(($(wc -l <three.csv) - 1)) measurements"
