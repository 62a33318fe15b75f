#!/usr/bin/env bash
# Generates code from one spec and runs it against the spec itself.
#
#   oracle.sh MODE MIKGEN SPEC FOLDER [CHECK OPTION...]
#
# MODE is one of modes.sh. The options go to the self-check program, which draws the extents: see its usage line.
# $MIKGEN_OPTIONS goes to mikgen, $MIKGEN_LEVEL to the compiler. $MIKGEN_ENGINE: a folder that engine.sh has filled in this mode; the operator uses
# that engine. $MIKGEN_DEFINES: macros for the emitted file, as -DNAME=VALUE. $MIKGEN_STACK: everything runs on a thread
# that has so many bytes of stack for the operators. $MIKGEN_GENERATE_ONLY=1: nothing is compiled (sets.py record).
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 4 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mode=$1 mikgen=$2 spec=$3 out=$4
shift 4
name=$(basename "$spec" .spec) here=$(cd "$(dirname "$0")" && pwd)
. "$here/modes.sh"

# The reference keeps the order of its sums, and traps where it would leave an array: that is how the
# self-check learns which extents the spec is not meant for. Only clang knows bf16, and on x86 converts it by a function
# of its own run-time library.
reference="$gcc -std=gnu11 -O1 -fsanitize-undefined-trap-on-error"
if [ "$mode" = clang ] || grep -q bf16 "$spec"; then
    reference="$clang -std=gnu11 -O1 -fsanitize-trap=all"
    libraries="$(clang-19 --rtlib=compiler-rt -print-libgcc-file-name) $libraries"
fi
case $mode in neon*) libraries="-lm -lpthread" ;; esac
grep -q 'complex\.h' "$spec" && reference="$reference -fcx-limited-range" # products as CX_LIMITED_RANGE allows
reference="$reference -w -ffp-contract=off -fsanitize=bounds,integer-divide-by-zero"

engine= shared=
if [ -n "${MIKGEN_ENGINE-}" ]; then
    compile="$compile -I$MIKGEN_ENGINE" engine=$MIKGEN_ENGINE/mikgen_engine.o shared=--engine=shared
fi

# Extents are small: nests go in waves all the same, a row at a time, and loops are cut for as many threads as there are.
compile="$compile -DMIK_WAVE_BYTES=-1 -DMIK_WAVE_PART=1 -DMIK_CHAIN_BYTES=-1 -DMIK_CHAIN_PART=1 -DMIK_CHAIN_ROWS=3 -DMIK_LOOP_TASK_NS=1e-9 -DMIK_FAR_BYTES=1e5 -DMIK_WORTH_LIVE=0 -DMIK_WORTH_PART=0"

ulimit -s "$(ulimit -H -s)" # the specs' own intermediate arrays lie on the stack
mkdir -p "$out"
cd "$out"
# shellcheck disable=SC2086 # several options
"$mikgen" --target=c $shared ${MIKGEN_OPTIONS-} --output-dir=. "$spec" # and the header, by one run
[ -z "${MIKGEN_GENERATE_ONLY-}" ] || exit 0
"$mikgen" --target=c --emit=selfcheck ${MIKGEN_OPTIONS-} "$spec" >"${name}_check.c"
"$mikgen" --emit=reference "$spec" >"${name}_reference.c"

# The self-check's own banner names the operators and how to rename them.
renames=$(sed -n 's/^ *cc -c\( -D.*\) .*_reference\.c$/\1/p' "${name}_check.c")
$reference $renames -c "${name}_reference.c" -o "${name}_reference.o"
# shellcheck disable=SC2086 # several options
$compile $warnings ${MIKGEN_DEFINES-} -c "${name}_dyn.c" -o "${name}_dyn.o"
# What only compares: optimized, for compilers' warnings, where the engine is the operator's own.
checks=-O1
[ -z "$shared" ] || checks=-O0
compile=${compile/$level/$checks}
thread=
if [ -n "${MIKGEN_STACK-}" ]; then
    compile="$compile -Dmain=check_main" thread=thread.o
    gcc -std=gnu11 -O1 -c "$here/../stack/thread.c" -o $thread
    set -- "$MIKGEN_STACK" memory "$@"
fi
$compile $warnings -c "${name}_check.c" -o "${name}_check.o"
$link "${name}_check.o" "${name}_dyn.o" "${name}_reference.o" $engine $thread $libraries -o "${name}_check"
$run "./${name}_check" "$@" | tee log
# Operators with micro-kernels name the instruction sets that ran; of --sets one at least.
ran='portable' on_neon='portable neon'
case ${MIKGEN_OPTIONS-} in *--sets=*) ran='[a-z]' on_neon='.*\(portable\|neon\)' ;; esac
if grep -qE '_neon\(|_operation\b' "${name}_dyn.c" && ! grep -q "^instruction sets: $ran" log; then
    echo "FAILED: no micro-kernel has run"
    exit 1
fi
case $mode in
neon*)
    if grep '^instruction sets:' log | grep -qvx "instruction sets: $on_neon"; then
        echo "FAILED: not on NEON"
        exit 1
    fi
    ;;
esac
