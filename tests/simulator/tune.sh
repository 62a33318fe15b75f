#!/usr/bin/env bash
# mikgen tune --target=cuda from end to end, with the CPU in the place of the GPU: what it measures means nothing, but the measuring
# program compiles without a warning and answers, the profile is complete, goes on where it is not, and is what mikgen emits.
#
#   tune.sh MIKGEN FOLDER LIBSIMULATOR
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
mikgen=$(realpath "$1") out=$2 library=$(realpath "$3")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
# shellcheck source=tests/refuse.sh
. "$here/../refuse.sh"
# shellcheck source=tests/cuda/find_nvcc.sh
. "$(dirname "${BASH_SOURCE[0]}")/../cuda/find_nvcc.sh"
mkdir -p "$out"
cd "$out"
rm -rf ./*

# shellcheck source=tests/simulator/nvcc_simulating.sh
. "$here/nvcc_simulating.sh"
export SIM_SMS=1 SIM_RACES=0 SIM_CC=90
tune=("$mikgen" tune --target=cuda --nvcc=./nvcc-simulating --quick --max-kernels=1 --n-pred=16)
spec=$examples/gemm/gemm.spec

# Nothing to measure on.
refuse_command "no GPU can be used: no CUDA-capable device is detected (CUDA's error 100)" env SIM_DEVICES=0 "${tune[@]}" "$spec" -o none.profile
refuse_command "no GPU can be used: CUDA driver version is insufficient for CUDA runtime version (CUDA's error 35)" \
    env SIM_DEVICES=-1 "${tune[@]}" "$spec" -o none.profile
refuse_command "there is no device 2: this machine has 1" "${tune[@]}" --device=2 "$spec" -o none.profile
refuse_command "there is no device 2: this machine has 1" "${tune[@]}" --device=2 --arch=sm_90 "$spec" -o none.profile

# A complete profile: all kernels that are compiled, and the costs of the GPU.
rm compiled
"${tune[@]}" "$spec" -o a.profile 2>progress || { cat progress; fail "it does not run"; }
[ "$(tr '\n' ' ' <compiled)" = "80 90a " ] || fail "not compiled for the device: $(cat compiled)"
[ "$(head -1 a.profile)" = "mikgen-profile 1" ] || fail "no header"
grep -q '^# sm_90 measured on Simulated H200 (cc 9.0), 1 multiprocessors; nvcc ' a.profile || fail "no word about the device"
grep -q '^100 %  ' progress || { cat progress; fail "no progress is shown"; }
number='[0-9.e+-]*'
"$mikgen" --target=cuda --max-kernels=1 "$spec" -o plain.cu
kernels=$(grep -o '{"mik_gemm_f16f32_[^"]*"' plain.cu | sed 's/.*f32_//; s/"//')
[ "$(echo "$kernels" | wc -l)" -ge 5 ] || fail "only these kernels: $kernels"
of_sm90a=$(echo "$kernels" | grep _sm90a$) of_sm80=$(echo "$kernels" | grep -m 1 _sm80$)
for kernel in $kernels; do
    grep -q "^block f16 sm_90 $kernel fixed $number step $number alone $number\$" a.profile || { cat a.profile; fail "no line for $kernel"; }
done
[ "$(grep -c '^block' a.profile)" = "$(echo "$kernels" | wc -l)" ] || fail "other lines besides"
grep -q "^gpu sm_90 bandwidth $number " a.profile && grep -q " launch $number" a.profile || { cat a.profile; fail "no costs of the GPU"; }

# What is there is not measured again; what is missing is, alone.
cp a.profile before
"${tune[@]}" "$spec" -o a.profile 2>/dev/null
cmp a.profile before || fail "a complete profile changed"
grep -v "$of_sm90a" before | sed 's/ launch [^ ]*//' >a.profile
"${tune[@]}" "$spec" -o a.profile 2>/dev/null
grep -q "$of_sm90a" a.profile && grep -q ' launch ' a.profile || fail "what was missing is still missing"
others() { grep -v "$of_sm90a\|^# complete" "$1" | sed 's/ launch [^ ]*//'; }
diff <(others before) <(others a.profile) ||
    fail "what was there changed"

# Another device of the same kind is not mixed in; another kind is.
sed 's/Simulated H200/Abacus/' a.profile >other.profile
cp other.profile before
refuse_command "sm_90 measured on Abacus" "${tune[@]}" "$spec" -o other.profile
cmp other.profile before || fail "the profile changed in spite of an error"
SIM_CC=80 "${tune[@]}" "$spec" -o other.profile 2>/dev/null
grep -q '^# sm_80 measured on Simulated A100' other.profile && grep -q '^block f16 sm_80 '"$of_sm80 " other.profile ||
    fail "a second kind of GPU is not added"
! grep -q '^block f16 sm_80 .*_sm90a' other.profile || fail "kernels of sm_90a are measured on sm_80"
[ -z "$(grep -v "^# complete" before | grep -vxFf other.profile)" ] || fail "the second kind of GPU changed the first"

# What the profile says is what is emitted, for that kind of GPU, and compiles.
"$mikgen" --target=cuda --max-kernels=1 --profile=a.profile "$spec" -o with.cu
grep -q 'mikgen --target=cuda --max-kernels=1 --profile=a.profile gemm.spec' with.cu || fail "the banner does not name the profile"
picoseconds() { awk -v ns="$1" 'BEGIN { printf "%.0f", 1000 * ns }'; }
while read -r _ _ _ kernel _ fixed _ step _ alone; do
    grep -A1 "{\"mik_gemm_f16f32_$kernel\"" with.cu |
        grep -qF ", {$(picoseconds "$fixed"), $(picoseconds "$step"), $(picoseconds "$alone")}}" || fail "the table lacks the rates of $kernel"
done < <(grep '^block' a.profile)
rates() { sed -n '/^static const mik_variant /,/^};/s/, {[0-9]*, [0-9]*, [0-9]*}} *},$//p' "$1"; }
[ -n "$(rates plain.cu)" ] && diff <(rates plain.cu) <(rates with.cu) || fail "another kind of GPU changed"
"$nvcc" -std=c++17 -arch=sm_80 -Xcompiler -Wall,-Wextra -Werror all-warnings -c with.cu -o with.o || fail "the tuned file does not compile"

# All other types, of all layouts.
cat >mixed.spec <<'EOF'
void doubles(int M, int N, int K, const double A[K][M], const double B[K][N], double C[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            double sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[k][m] * B[k][n];
            C[m][n] = sum;
        }
}
void shorts(int M, int N, int K, const int16_t A[M][K], const int16_t B[N][K], int32_t C[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[m][k] * B[n][k];
            C[m][n] = sum;
        }
}
void bytes(int M, int N, int K, const uint8_t A[M][K], const int8_t B[N][K], int32_t C[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            int32_t sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[m][k] * B[n][k];
            C[m][n] = sum;
        }
}
void eighths(int M, int N, int K, const e4m3 A[M][K], const e5m2 B[N][K], half C[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += e4m3_to_float(A[m][k]) * e5m2_to_float(B[n][k]);
            C[m][n] = (half)sum;
        }
}
void floats(int M, int N, int K, const float A[M][K], const float B[K][N], float C[M][N])
{
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            float sum = 0;
            for (int k = 0; k < K; k++)
                sum += A[m][k] * B[k][n];
            C[m][n] = sum;
        }
}
EOF

# Kernels of tf32 that read lines of B along k refuse one of lines along n, which they would read a copy of, and the others are
# measured; a spec that has B so adds them to the same profile.
"${tune[@]}" --allow-tf32 "$examples/gemm_f32/gemm_f32.spec" -o tf32.profile 2>message || { cat message; fail "a kernel that refuses ends the run"; }
grep -q '^mikgen: note: tf32 [0-9a-z_]*_sm90a is not measured: it refuses operands that lie as they do here (invalid argument)$' message ||
    { cat message; fail "no word about a kernel that refuses"; }
grep -q '^block tf32 sm_90 .*_sm80 ' tf32.profile && ! grep -q '^block tf32 sm_90 .*_sm90a' tf32.profile || fail "other kernels of tf32 are measured"
sed 's/B\[K\]\[N\]/B[N][K]/; s/B\[k\]\[n\]/B[n][k]/' "$examples/gemm_f32/gemm_f32.spec" >along.spec
cp tf32.profile before
"${tune[@]}" --allow-tf32 along.spec -o tf32.profile 2>message
! grep -q refuses message && grep -q '^block tf32 sm_90 .*_sm90a' tf32.profile || { cat message tf32.profile; fail "they are not added"; }
[ -z "$(grep -v "^# complete" before | grep -vxFf tf32.profile)" ] || fail "what was measured before has changed"

SIM_CC=80 "${tune[@]}" --arch=sm_80 --allow-3xtf32 --budget=600 mixed.spec >whole.profile 2>message || { cat message; fail "not all types run"; }
for type in f64 i8 u8s8 f8 3xtf32; do
    grep -q "^block $type sm_80 " whole.profile || fail "no line for $type"
done
echo "the profile of a GPU that is none: $(grep -c '^block' whole.profile) kernels"
