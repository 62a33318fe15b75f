#!/usr/bin/env bash
# What --keep-loops is worth on a CPU: every lowered operator of examples/topi as it is, after --licm=halide and
# after --licm=full, compiled by gcc and clang, timed interleaved on one thread, results compared bit for bit.
#
#   bench/licm.sh MIKGEN FOLDER [CASE...]
#
# FOLDER gets everything that is made, licm.csv and licm.svg. Environment: ROUNDS (15), COMPILERS ("gcc clang-19 clang-14",
# those that there are), TOPI (folder of the operators), INSTRUCTIONS=0 (leave out callgrind), FULL (options of the third
# variant, "--licm=full").
# Wall: -O3 -march=native. Instructions: callgrind on -march=x86-64-v3, which valgrind knows and which repeats.
# Time: of the thread. bench/licm/cases names the cases that are not just an operator at its own sizes.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
mikgen=$(readlink -f "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
topi=${TOPI:-$root/examples/topi} rounds=${ROUNDS:-15} full=${FULL:---licm=full}
flags="-std=gnu11 -O3 -ffp-contract=off -falign-functions=64 -w"

compilers=
for compiler in ${COMPILERS:-gcc clang-19 clang-14}; do
    if command -v "$compiler" >/dev/null; then compilers="$compilers $compiler"; fi
done
if [ $# -eq 0 ]; then
    cases=$root/bench/licm/cases
    for file in "$topi"/*.lowered.c; do
        [ -e "$file" ] || { echo "no lowered operators in $topi" >&2; exit 2; }
        op=$(basename "$file" .lowered.c)
        names=$(awk -v op="$op" '!/^#/ && $2 == op { print $1 }' "$cases")
        # shellcheck disable=SC2086 # several names
        set -- "$@" ${names:-$op}
    done
fi

# header OP SIZES: operator.h, the array sizes taken from the lowered text.
header() {
    awk -v op="$1" -f "$root/bench/licm/operator_header.awk" "$topi/$1.spec" "$topi/$1.lowered.c" >header.in
    # The macros of the text, and behind them the header, preprocessed together.
    # shellcheck disable=SC2086 # several options
    { grep '^ *#' "$topi/$1.lowered.c"; cat header.in; } | gcc -E -P $2 -x c - |
        awk '/OPERATOR_TYPE/ { sub(/.*OPERATOR_TYPE /, ""); print; next }
             /OPERATOR_ARRAYS/ { sub(/.*OPERATOR_ARRAYS/, "#define ARRAYS(X)"); print; next }
             /OPERATOR_CALL/ { sub(/.*OPERATOR_CALL/, "#define CALL(f)"); print }' >operator.h
}

# link OP SIZES COMPILER ARCH: the executable time_COMPILER_ARCH.
link() {
    local variant
    for variant in before halide full; do
        # shellcheck disable=SC2086
        $3 $flags -march=$4 $2 -D"$1_lowered=$variant" -c $variant.c -o "$variant.$3.$4.o"
    done
    # shellcheck disable=SC2086
    $3 $flags -march=$4 -I. "$root/bench/licm/time.c" ./*."$3.$4.o" -lm -o "time_$3_$4"
}

# same VARIANT COMPILER: 1 if its machine code is that of the input.
same() {
    objcopy -O binary -j '.text*' -j '.rodata*' "before.$2.native.o" before.bin
    objcopy -O binary -j '.text*' -j '.rodata*' "$1.$2.native.o" variant.bin
    if cmp -s before.bin variant.bin; then echo 1; else echo 0; fi
}

# instructions COMPILER VARIANT-INDEX NAME
instructions() {
    if [ "${INSTRUCTIONS:-1}" = 0 ]; then echo 0; return; fi
    valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect="$3" "./time_$1_x86-64-v3" "-$2" 2>&1 |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

# One row for each compiler.
measure() {
    local name=$1 op sizes compiler times variant
    op=$(awk -v name="$1" '!/^#/ && $1 == name { print $2 }' "$root/bench/licm/cases")
    sizes=$(awk -v name="$1" '!/^#/ && $1 == name { $1 = $2 = ""; print }' "$root/bench/licm/cases")
    : "${op:=$name}"
    mkdir -p "$out/$name"
    cd "$out/$name"
    rm -f ./*.o
    header "$op" "$sizes"
    cp "$topi/$op.lowered.c" before.c
    # shellcheck disable=SC2086 # several options
    "$mikgen" --keep-loops --licm=halide $sizes "$topi/$op.lowered.c" >halide.c
    # shellcheck disable=SC2086
    "$mikgen" --keep-loops $full $sizes "$topi/$op.lowered.c" >full.c
    for compiler in $compilers; do
        link "$op" "$sizes" "$compiler" native
        link "$op" "$sizes" "$compiler" x86-64-v3
        times=$("./time_${compiler}_native" "$rounds")
        awk -v name="$name ($compiler)" '$1 > 30 { print name ": a run takes more than 30 ms; make it smaller in bench/licm/cases" }' \
            <<<"$times" >&2
        echo "$name,$compiler,${times// /,},$(same halide "$compiler"),$(same full "$compiler"),$(
            instructions "$compiler" 0 before),$(instructions "$compiler" 1 halide),$(instructions "$compiler" 2 full)"
    done
}

{
    echo "# bench/licm.sh MIKGEN FOLDER; ROUNDS=$rounds FULL='$full'; flags: $flags"
    echo "# CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), family $(sed -n 's/^cpu family[^:]*: //p' /proc/cpuinfo | head -n 1), model $(sed -n 's/^model[^ n:]*: //p' /proc/cpuinfo | head -n 1)"
    for compiler in $compilers; do echo "# $compiler: $("$compiler" --version | head -n 1)"; done
    echo "operator,compiler,before_ms,halide_ms,full_ms,halide_ratio,full_ratio,halide_same,full_same,before_instructions,halide_instructions,full_instructions"
} >"$out/licm.csv"
for name in "$@"; do
    echo "$name" >&2
    (measure "$name") >>"$out/licm.csv"
done
awk -f "$root/bench/licm/chart.awk" "$out/licm.csv" >"$out/licm.svg"
awk -f "$root/bench/licm/summary.awk" "$out/licm.csv"
