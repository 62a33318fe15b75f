#!/usr/bin/env bash
# Operators with an engine of their own against those that share one, and several specs in one file.
#
#   shared.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
mikgen=$1 out=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$out"
mkdir -p "$out/engine" "$out/other"
cd "$out"

fail() { echo "FAILED: $*"; exit 1; }
# refused EXPECTED ARGUMENT...: one message, exit status 1, no output
refused() {
    local expected=$1 status=0
    shift
    "$mikgen" "$@" >refused.out 2>refused.err || status=$?
    [ $status = 1 ] || fail "$*: exit status $status"
    [ ! -s refused.out ] || fail "$*: there is output"
    grep -q "$expected" refused.err || fail "$*: $(cat refused.err)"
}
warnings="-Wall -Wextra -Wpedantic -Werror"
gcc="gcc -std=c99 -O2 $warnings -Iengine"

# ---- twenty operators
specs=()
for name in gemm_f32 gemv batched_gemm gemm_bias_gelu conv2d depthwise_conv2d max_pool softmax layernorm gemm; do
    specs+=("$root/examples/$name/$name.spec")
done
for name in gemm_nt gemm_tn gemm_tt mlp attention conv2d_f16 trmm syrk gemver conv1d_dilated; do
    specs+=("$root/tests/specs/$name.spec")
done
[ ${#specs[@]} = 20 ]
"$mikgen" --target=c --emit=engine "${specs[@]}" -o engine
for spec in "${specs[@]}"; do
    name=$(basename "$spec" .spec)
    "$mikgen" --target=c --engine=shared "$spec" -o "${name}_dyn.c"
    lines=$(wc -l <"${name}_dyn.c") loops=$(grep -c '^MIK_AVX512L static' "${name}_dyn.c" || true)
    [ "$lines" -le $((850 + 300 * loops)) ] || fail "$name has $lines lines, with $loops functions by vectors for each instruction set"
done
bytes=$(cat engine/mikgen_engine.[ch] ./*_dyn.c | wc -c)
[ "$bytes" -le 1900000 ] || fail "$bytes bytes of C"
echo "20 operators: $bytes bytes of C"

# A selection of kernels compiles sooner.
"$mikgen" --target=c --emit=engine --max-kernels=6 "${specs[@]}" -o engine
for spec in "${specs[@]}"; do
    "$mikgen" --target=c --engine=shared --max-kernels=6 "$spec" -o "$(basename "$spec" .spec)_dyn.c"
done
for file in engine/mikgen_engine.c ./*_dyn.c; do
    $gcc -c "$file" -o "$(basename "$file" .c).o"
    clang-19 -std=c99 -O1 $warnings -Iengine -fsyntax-only "$file"
done

# What the engine defines are functions of its own, nothing else.
nm -g --defined-only mikgen_engine.o | awk '{ print $3 }' | grep -v '^mikgen_' && fail "the engine defines these names"
# Every operator's file needs it only.
ld -r -o all.o ./*_dyn.o mikgen_engine.o || fail "operators do not link together"
nm -u all.o | grep 'mik' && fail "these are missing"

# ---- some of them against their specs
# check FILES NAME OPTION...: runs the self-check of NAME.spec with these objects.
check() {
    local objects=$1 spec=$2 name renames
    shift 2
    name=$(basename "$spec" .spec)
    "$mikgen" --target=c --emit=header "$spec" >"${name}_dyn.h"
    "$mikgen" --target=c --emit=selfcheck --max-kernels=6 "$spec" >"${name}_check.c"
    "$mikgen" --emit=reference "$spec" >"${name}_reference.c"
    renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.c")
    # shellcheck disable=SC2086 # several options
    gcc -std=gnu11 -O1 -w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero -fsanitize-undefined-trap-on-error \
        $renames -c "${name}_reference.c"
    $gcc -c "${name}_check.c"
    # shellcheck disable=SC2086 # several objects
    gcc "${name}_check.o" "${name}_reference.o" $objects -lm -lpthread -o "${name}_check"
    "./${name}_check" "$@" || fail "$name with $objects"
}
for name in gemm_f32 conv2d softmax; do
    check "${name}_dyn.o mikgen_engine.o" "$root/examples/$name/$name.spec" --tuples=3
done
check "conv2d_f16_dyn.o mikgen_engine.o" "$root/tests/specs/conv2d_f16.spec" --tuples=3

# ---- families by name; dot products; two engines in one program
"$mikgen" --target=c --emit=engine --families=i8,u8s8,bf16 --prefix=q_ --max-kernels=2 -o other
gcc -std=c99 -O1 $warnings -Iengine -c other/mikgen_engine.c -o q_engine.o
for name in gemm_int8 gemm_bf16; do
    "$mikgen" --target=c --engine=shared --prefix=q_ --max-kernels=2 "$root/tests/specs/$name.spec" -o "q_$name.c"
    gcc -std=c99 -O2 $warnings -Iother -c "q_$name.c"
done
gcc -std=c99 -O2 $warnings -Iengine -c -x c - -o main.o <<EOF
#include <stdint.h>
#include <stdio.h>
$("$mikgen" --target=c --emit=header "$root/examples/gemm_f32/gemm_f32.spec" | sed -n '/^#include/p;/^int gemm_f32(/p')
int q_gemm_int8(int M, int N, int K, const int8_t *A, const int8_t *B, int *C);
int main(void)
{
    static int8_t a[70 * 33], b[33 * 50];
    static int c[70 * 50];
    static float x[70 * 33], y[33 * 50], z[70 * 50];
    for (int i = 0; i < 70 * 33; i++)
        x[i] = a[i] = (int8_t)(i * 7 % 11 - 5);
    for (int i = 0; i < 33 * 50; i++)
        y[i] = b[i] = (int8_t)(i * 5 % 13 - 6);
    if (gemm_f32(70, 50, 33, x, y, z) || q_gemm_int8(70, 50, 33, a, b, c))
        return 1;
    for (int i = 0; i < 70; i++)
        for (int j = 0; j < 50; j++) {
            int sum = 0;
            for (int k = 0; k < 33; k++)
                sum += a[i * 33 + k] * b[k * 50 + j];
            if (c[i * 50 + j] != sum || z[i * 50 + j] != (float)sum)
                return 2;
        }
    puts("two engines: ok");
    return 0;
}
EOF
gcc main.o gemm_f32_dyn.o mikgen_engine.o q_gemm_int8.o q_engine.o -lm -o two
./two || fail "two engines in one program: exit status $?"

# ---- engines that do not fit are found by the compiler
"$mikgen" --target=c --emit=engine --families=i8 --max-kernels=6 -o other
gcc -std=c99 -Iother -c gemm_f32_dyn.c -o no.o 2>message && fail "an engine without f32 is taken"
grep -q 'the engine has no kernels of f32: mikgen --emit=engine --families=f32' message || fail "$(cat message)"
cat >static.spec <<'EOF'
void product(const float A[100][300], const float B[300][75], float C[100][75])
{
    for (int m = 0; m < 100; m++)
        for (int n = 0; n < 75; n++) {
            float sum = 0;
            for (int k = 0; k < 300; k++)
                sum += A[m][k] * B[k][n];
            C[m][n] = sum;
        }
}
EOF
"$mikgen" --target=c --engine=shared --max-kernels=6 static.spec -o static.c
gcc -std=c99 -O2 -Iengine $warnings -c static.c -o static.o
"$mikgen" --target=c --emit=engine --families=bf16 --max-kernels=5 -o other
gcc -std=c99 -Iother -c static.c -o no.o 2>message && fail "an engine with other kernels is taken"
grep -q 'the engine has other kernels of f32' message || fail "$(cat message)"

# ---- several specs in one file
"$mikgen" --target=c --max-kernels=2 "$root/examples/gemm_f32/gemm_f32.spec" "$root/examples/softmax/softmax.spec" \
    "$root/tests/specs/gemm_int8.spec" -o several.c
head -6 several.c | grep -q 'from gemm_f32.spec softmax.spec gemm_int8.spec' || fail "the banner does not name the specs"
[ "$(grep -c 'mik_f32_choose(int isa)' several.c)" = 1 ] || fail "two engines in one file"
gcc -std=c99 -O1 $warnings -c several.c -o several.o
check several.o "$root/examples/softmax/softmax.spec" --tuples=3
cat >half.spec <<'EOF'

void twice(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}
EOF
cat >wrong.spec <<'EOF'
void other(int n, const float x[n], float y[n])
{
    for (int i = 0; i < n; i++)
        y[i] = z * x[i];
}
EOF
sed '1d' half.spec >again.spec
{ echo '#pragma mikgen target(c)'; cat half.spec; } >c.spec
{ echo '#pragma mikgen target(cuda)'; cat wrong.spec | sed 's/z \*/3 */'; } >cuda.spec
refused '^wrong.spec:4:16: error:' --target=c half.spec wrong.spec
refused "^again.spec:1:6: error: 'twice' is defined in half.spec, line 2, too" --target=c half.spec again.spec
refused "^cuda.spec:2:6: error: this spec's pragma wants the target cuda, an earlier spec's c" c.spec cuda.spec
echo 'struct pair { float a; int b; }; void fa(int n, const struct pair x[n], float y[n]) { y[0] = x[0].a; }' >one.spec
sed 's/float a; int b/int b; float a/; s/fa/fb/' one.spec >two.spec
refused "^two.spec:1:67: error: 'struct pair' is another one in one.spec" --target=c one.spec two.spec
refused 'standard input is read once' --target=c - -
refused 'one spec at a time' --emit=reference half.spec again.spec
"$mikgen" --target=c --remarks half.spec "$root/examples/softmax/softmax.spec" 2>remarks >/dev/null
grep -q '^half.spec:4:5: missed' remarks && grep -q 'softmax.spec:' remarks || fail "remarks: $(cat remarks)"

# ---- options that do not go together
refused 'is about C files' --emit=engine --families=f32 --target=cuda -o engine
refused 'is about C files' --engine=shared --target=cuda half.spec
refused "an engine of its own is about C files" --engine=shared half.spec
refused 'add -o FOLDER' --emit=engine --families=f32
refused 'both say which kernels' --emit=engine --families=f32 half.spec -o engine
refused "no value 'f16'" --emit=engine --families=f32,f16 -o engine
refused "no value ''" --emit=engine --families= -o engine
refused 'goes with --emit=engine only' --families=f32 --target=c half.spec
refused 'no_such_folder/mikgen_engine.c' --emit=engine --families=bf16 -o no_such_folder
echo ok
