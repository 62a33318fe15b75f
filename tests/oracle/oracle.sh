#!/usr/bin/env bash
# Generates code from one spec and runs it against the spec itself.
#
#   oracle.sh MODE MIKGEN SPEC FOLDER [CHECK OPTION...]
#
#   gcc        emitted C compiled by gcc, as a user would, warnings as errors
#   clang      the same by clang-19
#   sanitize   the same by clang-19 with AddressSanitizer and UndefinedBehaviorSanitizer
#   neon       the same for AArch64 by gcc, everything run by qemu; the kernels in portable C run as well
#   neon_clang the emitted C for AArch64 by clang-19
#
# The options go to the self-check program, which draws the extents: see its usage line. $MIKGEN_OPTIONS goes to
# mikgen. $MIKGEN_STACK: everything runs on a thread that has so many bytes of stack for the operators.
set -eu -o pipefail
[ $# -ge 4 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mode=$1 mikgen=$2 spec=$3 out=$4
shift 4
name=$(basename "$spec" .spec) here=$(cd "$(dirname "$0")" && pwd)
warnings="-Wall -Wextra -Werror"

gcc=gcc clang=clang-19 run=
case $mode in
neon*)
    cross=aarch64-linux-gnu
    gcc=$cross-gcc clang="clang-19 --target=$cross" run="qemu-aarch64 -L /usr/$cross"
    ;;
esac
case $mode in
gcc | neon) compile="$gcc -std=c99 -O2" ;;
clang | neon_clang) compile="$clang -std=c99 -O2" ;;
sanitize) compile="$clang -std=c99 -O0 -g -fsanitize=address,undefined -fno-sanitize-recover=all" ;;
*) echo "oracle.sh: there is no mode $mode" >&2; exit 2 ;;
esac

# The reference keeps the order of its sums, and traps where it would leave an array: that is how the
# self-check learns which extents the spec is not meant for. Every operation on half rounds to half. Only clang
# knows bf16, and on x86 converts it by a function of its own run-time library.
reference="$gcc -std=gnu11 -O1 -fsanitize-undefined-trap-on-error -fexcess-precision=16"
link=$compile libraries="-lm -lpthread"
if [ "$mode" = clang ] || grep -q bf16 "$spec"; then
    reference="$clang -std=gnu11 -O1 -fsanitize-trap=all -Xclang -ffloat16-excess-precision=none"
    libraries="$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name) $libraries"
fi
if [ -n "$run" ]; then
    link=$gcc libraries="-lm -lpthread"
fi
reference="$reference -w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero"

mkdir -p "$out"
cd "$out"
# shellcheck disable=SC2086 # several options
"$mikgen" --target=c ${MIKGEN_OPTIONS-} "$spec" >"${name}_dyn.c"
"$mikgen" --target=c --emit=header "$spec" >"${name}_dyn.h"
"$mikgen" --target=c --emit=selfcheck ${MIKGEN_OPTIONS-} "$spec" >"${name}_check.c"
"$mikgen" --emit=reference "$spec" >"${name}_reference.c"

# The self-check's own banner names the operators and how to rename them.
renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.c")
$reference $renames -c "${name}_reference.c" -o "${name}_reference.o"
$compile $warnings -c "${name}_dyn.c" -o "${name}_dyn.o"
thread=
if [ -n "${MIKGEN_STACK-}" ]; then
    compile="$compile -Dmain=check_main" thread=thread.o
    gcc -std=gnu11 -O1 -c "$here/../stack/thread.c" -o $thread
    set -- "$MIKGEN_STACK" memory "$@"
fi
$compile $warnings -c "${name}_check.c" -o "${name}_check.o"
$link "${name}_check.o" "${name}_dyn.o" "${name}_reference.o" $thread $libraries -o "${name}_check"
$run "./${name}_check" "$@" | tee log
# Operators with micro-kernels name the instruction sets that ran.
if grep -q '_neon(' "${name}_dyn.c" && ! grep -q '^instruction sets: portable' log; then
    echo "FAILED: no micro-kernel has run"
    exit 1
fi
if [ -n "$run" ] && grep '^instruction sets:' log | grep -qvx 'instruction sets: portable neon'; then
    echo "FAILED: not on NEON"
    exit 1
fi
