#!/usr/bin/env bash
# --sets=LIST and #pragma mikgen sets(LIST): what a file holds, what it says where none of that is there, and that it computes the same.
#
#   sets.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
gemm=$root/examples/gemm_f32/gemm_f32.spec
cd "$2"

# holds LIST NAME...: the micro-kernels of a file are those of these sets.
holds() {
    local list=$1 held
    shift
    "$mikgen" --target=c --max-kernels=2 "--sets=$list" "$gemm" >held.c
    held=$(sed -n 's/^ \*   f32 micro-kernels, \(.*\):.*/\1/p' held.c | tr '\n' ' ')
    [ "$held" = "$* " ] || fail "--sets=$list has kernels of $held"
    grep -qF -- "mikgen --target=c --sets=$list " held.c || fail "the banner does not tell of --sets=$list"
}
holds avx2 avx2 portable
holds 'avx2!' avx2
holds avx512 avx512 avx2 portable
holds avx512vnni avx512 avx2 portable
holds 'neon!' neon
holds neon,avx2 avx2 neon portable
holds portable portable
holds 'avx512!,portable' avx512 portable

# All of them are the default, but for the command in the banner.
all=avx512vnni,avx512bf16,neon
"$mikgen" --target=c --max-kernels=2 "$gemm" >default.c
"$mikgen" --target=c --max-kernels=2 --sets=$all "$gemm" | sed "s/ --sets=$all//" >all.c
cmp all.c default.c || fail "--sets=$all is not the default"

# A pragma says the same; the option goes before it.
{ echo '#pragma mikgen target(c) sets(avx2!)'; cat "$gemm"; } >wish.spec
"$mikgen" --max-kernels=2 wish.spec >wish.c
grep -q 'micro-kernels, avx2' wish.c && ! grep -q 'micro-kernels, \(portable\|avx512\)' wish.c || fail "the pragma is not heeded"
"$mikgen" --max-kernels=2 --sets=portable wish.spec >option.c
grep -q 'micro-kernels, portable' option.c || fail "the option does not go before the pragma"

# What is wrong is said.
refuse "there is no instruction set 'avx3'" --target=c --sets=avx2,avx3 "$gemm"
grep -qF "did you mean 'avx2'?" message || fail "no word is proposed"
refuse "there is no instruction set ''" --target=c --sets= "$gemm"
refuse "avx512vnni adds instructions to avx512" --target=c '--sets=avx512vnni!,avx2' "$gemm"
refuse "--sets is about C files" --target=cuda --sets=avx2 "$gemm"
refuse "--sets does not go with it" --keep-loops --sets=avx2 "$root/examples/gemm_f32/gemm_f32.spec"

# Other processors: compilers refuse in words, calls with a status, explanations in words.
"$mikgen" --target=c --max-kernels=2 '--sets=neon!' "$gemm" >gemm.c
"$mikgen" --target=c --emit=header "$gemm" >gemm_f32_dyn.h
case $(uname -m) in
x86_64)
    ! gcc -std=c99 -c gemm.c 2>message || fail "a file of NEON alone compiles here"
    grep -q 'this file holds neon alone' message || { cat message; fail "the compiler does not say why"; }
    for spec in "$gemm" "$root/examples/softmax/softmax.spec"; do
        name=$(basename "$spec" .spec)
        "$mikgen" --target=c --max-kernels=2 '--sets=avx2!' "$spec" | sed 's/const int found = mik_sets();/const int found = 0;/' >lacks.c
        cat >caller_$name.c <<'END'
#include "lacks.c"
static float memory[4096];
int main(void)
{
    char text[4096];
    mikgen_options_1 opt = {0};
    (void)opt;
    CALL;
    fputs(text, stdout);
    return status == MIKGEN_UNSUPPORTED && with == MIKGEN_UNSUPPORTED ? 0 : 1;
}
END
        case $name in
        gemm_f32) sed -i 's/CALL;/const int status = gemm_f32(2, 2, 2, memory, memory + 16, memory + 32), with = gemm_f32_with(\&opt, 2, 2, 2, memory, memory + 16, memory + 32); gemm_f32_explain(2, 2, 2, text, sizeof text);/' caller_$name.c ;;
        *) sed -i 's/CALL;/const int status = softmax(2, 2, memory, memory + 16), with = softmax_with(\&opt, 2, 2, memory, memory + 16); softmax_explain(2, 2, text, sizeof text);/' caller_$name.c ;;
        esac
        gcc -std=gnu11 -Wall -Wextra -Werror -O1 caller_$name.c -lm -o caller
        ./caller >text || { cat text; fail "$name does not refuse a processor without its sets"; }
        grep -q 'none of the instruction sets of this file: avx2' text || { cat text; fail "$name does not explain why"; }
    done
    ;;
esac

# An engine that files share holds the same sets, or compilers say that it does not: operators with GEMMs, with loops alone, both ways.
mkdir -p engine
engine() { "$mikgen" --target=c --emit=engine --max-kernels=2 --families=f32,bf16 "$@" -o engine; }
operator() { "$mikgen" --target=c --engine=shared --max-kernels=2 "$@" >engine/operator.c; }
compiles() { (cd engine && gcc -std=c99 -Wall -Wextra -Werror -O0 -fsyntax-only "$@"); }
softmax=$root/examples/softmax/softmax.spec
for sets in portable 'avx512!,neon!' ''; do
    engine ${sets:+--sets=$sets}
    compiles mikgen_engine.c || fail "an engine with --sets=$sets does not compile"
    for spec in "$gemm" "$softmax"; do
        operator ${sets:+--sets=$sets} "$spec"
        compiles operator.c || fail "an operator and an engine with --sets=$sets do not compile"
        for other in avx2 'avx512!' 'neon!' ''; do
            operator ${other:+--sets=$other} "$spec"
            [ "$other" != "$sets" ] || continue
            ! compiles operator.c 2>message || fail "an operator with --sets=$other compiles with an engine with --sets=$sets"
            grep -q 'error.*holds .* alone.*--sets' message || { cat message; fail "the compiler does not say that the sets differ"; }
        done
    done
done
engine --sets=portable
! grep -q 'micro-kernels, avx2' engine/mikgen_engine.c || fail "the engine has other sets"

# Of the sets that a file holds --explain tells.
"$mikgen" --target=c --sets=avx2 --explain=64,64,64 "$gemm" >text
grep -q 'instruction sets of this file: avx2, portable' text || { cat text; fail "--explain does not tell of the sets"; }

# The same results, and no warning: products of floats, bytes and bf16, a convolution, loops; each list has some of them in each mode, or all
# with $SETS_WHOLE. $SETS_MODES: others than gcc's and clang's.
specs=(examples/gemm_f32/gemm_f32 examples/conv2d/conv2d tests/specs/gemm_int8 tests/specs/gemm_bf16 examples/softmax/softmax
    tests/specs/vector_operations)
turn=0
export MIKGEN_LEVEL=-O1 # which is enough to be right
for mode in ${SETS_MODES-gcc clang}; do
    case $mode in
    neon*) lists='neon neon! portable neon!,avx2!' ;;
    *) lists='avx2 avx2! portable avx512! avx512!,portable avx512vnni avx512bf16,neon! neon' ;;
    esac
    for list in $lists; do
        turn=$((turn + 1))
        # A file of AVX-512 alone refuses its calls elsewhere.
        [ "$list" != 'avx512!' ] || grep -qw avx512f /proc/cpuinfo || continue
        for ((i = 0; i < ${#specs[@]}; i++)); do
            [ -n "${SETS_WHOLE-}" ] || [ $(((i + turn) % 5)) = 0 ] || continue
            spec=${specs[i]}
            MIKGEN_OPTIONS="--max-kernels=2 --sets=$list" bash "$root/tests/oracle/oracle.sh" "$mode" "$mikgen" "$root/$spec.spec" \
                "$PWD/$mode" --tuples=6 >log 2>&1 || { tail -20 log; fail "$spec with --sets=$list, $mode"; }
        done
    done
done
echo "files hold the sets that were asked for"
