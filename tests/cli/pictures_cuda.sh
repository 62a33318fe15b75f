#!/usr/bin/env bash
# --explain as data and as a picture, and --report, of CUDA files: what explains them is compiled by nvcc, and launches nothing.
#
#   pictures_cuda.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cuda/find_nvcc.sh
. "$here/../cuda/find_nvcc.sh"
export NVCC=$nvcc
cd "$2"

cat >parts.spec <<'SPEC'
void product(int M, int N, int K, const float A[M][K], const float B[K][N], float C[M][N], float d[M])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[m][k] * B[k][n];
            C[m][n] = sum;
        }
    for (int m = 0; m < M; m++)
        d[m] = 2 * d[m];
}
SPEC
# What pictures_golden.sh takes for granted.
options=$(sed -n '1s,^/\* options: \(.*\) \*/$,\1,p' "$here/pictures/device.spec")
# shellcheck disable=SC2086 # several options
"$mikgen" $options --format=json "$here/pictures/device.spec" -o device.json
python3 "$here/pictures.py" json device.json || fail "device.json"
python3 "$here/pictures.py" has "$here/pictures/device.answers" device.json || fail "pictures_golden.sh MIKGEN FOLDER --update"

rm -rf page
"$mikgen" --target=cuda --max-kernels=2 --report=page parts.spec
mkdir -p pictures
python3 "$here/report.py" page parts.spec pictures || fail "the page"
python3 "$here/pictures.py" svg pictures/*.svg || fail "pictures"
for words in 'read where it lies' 'loops on the device' 'Top/s on ' 'TB/s of memory'; do
    grep -qF "$words" page/index.html || fail "the page does not say '$words'"
done
refuse "--explain: --threads is about C files, and this one is CUDA" --target=cuda --explain=1,1,1 --threads=2 parts.spec
