#!/usr/bin/env bash
# Random programs through source-to-source mode, under several sets of options, compared with themselves.
#
#   programs.sh MIKGEN RANDOM_PROGRAM FOLDER [FIRST [SECONDS]]
#
# Programs FIRST, FIRST + 1, ... (default $MIKGEN_FUZZ_SEED or 1) in batches of $MIKGEN_FUZZ_BATCH (40), until SECONDS (default 500) are
# over or $MIKGEN_FUZZ_MOST (400) have run.
# For each set of options, $MIKGEN_FUZZ_DRAWN (2) of each batch drawn: mikgen accepts the file; its output is a fixed point of the same
# options unless loads move; it compiles, at -O0 and -O1 without kinds of warnings that the input does not give; and it leaves behind the
# same memory, globals, results and log of calls, bit by bit, under AddressSanitizer and UndefinedBehaviorSanitizer, which the input has
# to pass as well. Batches alternate between gcc and clang, and go through -O0 to -O3.
# $MIKGEN_FUZZ_SETS=N: only N of the ten sets that are always the same, other ones in each batch. $MIKGEN_FUZZ_KEEP_GOING=1: do not stop
# at the first batch with a finding.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
[ $# -ge 3 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") generator=$(realpath "$2") folder=$3
first=${4:-${MIKGEN_FUZZ_SEED:-1}} seconds=${5:-500} size=${MIKGEN_FUZZ_BATCH:-40} most=${MIKGEN_FUZZ_MOST:-400}
drawn=${MIKGEN_FUZZ_DRAWN:-2}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" && cd "$folder" || exit 2
compilers=(gcc)
for clang in clang-19 clang; do
    command -v $clang >/dev/null && { compilers+=("$clang"); break; }
done

every=(
    ""
    "--licm=off"
    "--licm=halide --hint=n:0:12 --hint=m:0:12"
    "--licm-threshold=2 --licm-small=refined --unroll-limit=4"
    "--licm-loads=proven --overflow=keep"
    "--overflow=wrap --const-pos=low --licm-small=paper --unroll-limit=4"
    "--licm-barrier=legal --distribute=1 --licm-loads=proven --hint=n:0:12 --hint=d:-3:3 --hint=z:0:0"
    "--unswitch=0 --licm-fp=none --licm-threshold=3 --distribute=1"
    "--overflow=assume --licm-loads=proven"
    "--licm-small=refined --chains=grouped"
)
[ "${MIKGEN_FUZZ_SETS:-10}" -le ${#every[@]} ] || { echo "MIKGEN_FUZZ_SETS is at most ${#every[@]}" >&2; exit 2; }

# What a drawn set says, or leaves at its default.
choices=(
    "--licm=halide --licm=full --licm=full" "--licm-threshold=2 --licm-threshold=3" "--unroll-limit=0 --unroll-limit=8"
    "--licm-small=refined --licm-small=paper" "--licm-loads=proven --licm-loads=proven" "--licm-fp=none" "--licm-barrier=legal"
    "--overflow=keep --overflow=assume" "--const-pos=low" "--distribute=1" "--unswitch=0" "--chains=grouped"
    "--hint=n:0:12 --hint=m:0:12" "--hint=d:-3:3"
)

# The sets of the batch at hand, which its first program decides.
draw_options() {
    local i choice words set sets=${MIKGEN_FUZZ_SETS:-10}
    RANDOM=$((first % 32768))
    options=()
    for ((i = 0; i < sets; i++)); do
        options+=("${every[(turn * sets + i) % ${#every[@]}]}")
    done
    for ((i = 0; i < drawn; i++)); do
        set=
        for choice in "${choices[@]}"; do
            read -ra words <<<"$choice"
            [ $((RANDOM % 5)) -gt 1 ] || set+=" ${words[RANDOM % ${#words[@]}]}"
        done
        options+=("${set# }")
    done
}

# Not compared: what a dropped operand leaves unused, what regrouping brings together, loops that clang does not unroll
# though a pragma asks for it, x = c ? x : x that becomes x = x, and signs that a neutral operand
# hid (i * 1u != n).
common="-std=gnu11 -Wall -Wextra -Wno-unknown-pragmas -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable -Wno-sign-compare -Wno-self-assign -Wno-pass-failed -Wno-tautological-compare -Wno-type-limits -ffp-contract=off -fsanitize=address,undefined -fno-sanitize-recover=all -I$here"
export ASAN_OPTIONS=detect_leaks=0

# compile COMPILER VARIANT OPTION...: an object file and the kinds of warnings
compile() {
    local compiler=$1 k=$2 trap=-fsanitize-undefined-trap-on-error
    shift 2
    [ "$compiler" = gcc ] || trap=-fsanitize-trap=undefined
    # shellcheck disable=SC2086 # several options
    "$compiler" $common $trap "$@" -DPROGRAMS="\"$PWD/v$k.c\"" -DCALLS="\"$PWD/calls.inc\"" -DVARIANT="run_$k" \
        -c "$here/variant.c" -o "v$k.o" 2>"v$k.log" || return 1
    grep -o '\[-W[^]]*\]' "v$k.log" | sort -u >"v$k.warnings"
}

# The programs that mikgen does not take: the batch goes on without them.
leave_out_refused() {
    refused=()
    for ((p = first; p < first + size; p++)); do
        "$generator" "$p" 1 one.c one.inc
        "$mikgen" --keep-loops "-I$here" one.c >/dev/null 2>one.log && continue
        [ $? = 1 ] || { finding "mikgen failed on program $p: $(tail -1 one.log)"; }
        refused+=("$p")
        echo "refused: program $p: $(grep -m1 error one.log)"
    done
    refusals=$((refusals + ${#refused[@]}))
    "$generator" "$first" "$size" v0.c calls.inc "${refused[@]}"
}

finding() { echo "FINDING: $*"; findings=$((findings + 1)); }

transform() {
    local k=$1
    # shellcheck disable=SC2086 # several options
    "$mikgen" --keep-loops "-I$here" ${options[k - 1]} v0.c >"v$k.c" 2>"v$k.err" || {
        finding "programs $first..: mikgen ${options[k - 1]}: exit status $?: $(head -1 "v$k.err")"
        return 1
    }
    case ${options[k - 1]} in *loads=proven*) return 0 ;; esac
    # shellcheck disable=SC2086
    "$mikgen" --keep-loops "-I$here" ${options[k - 1]} "v$k.c" >again.c 2>again.err && cmp -s "v$k.c" again.c || {
        finding "programs $first..: ${options[k - 1]}: not a fixed point: $(head -1 again.err; diff "v$k.c" again.c | head -3)"
        cp again.c "again.$first.$k.c"
    }
    return 0
}

batch() {
    local compiler=$1 level=$2 k objects=() list=""
    "$generator" "$first" "$size" v0.c calls.inc || exit 2
    draw_options
    "$mikgen" --keep-loops "-I$here" v0.c >v1.c 2>v1.err || leave_out_refused
    kept=$((kept + $(grep -c 'missed: function' v1.err)))
    compile "$compiler" 0 "$level" || { finding "programs $first..: the input does not compile: $(grep -m1 error v0.log)"; return; }
    for ((k = 1; k <= ${#options[@]}; k++)); do
        local wrapping=()
        case ${options[k - 1]} in *assume*) wrapping=(-fwrapv -fno-sanitize=signed-integer-overflow) ;; esac
        transform $k || continue
        compile "$compiler" $k "$level" "${wrapping[@]}" || {
            finding "programs $first..: ${options[k - 1]}: $compiler refuses the output: $(grep -m1 error "v$k.log")"
            cp "v$k.c" "bad.$first.$k.c"
            continue
        }
        local new=
        [[ $level = -O[23] ]] || new=$(comm -13 v0.warnings "v$k.warnings" | tr '\n' ' ')
        [ -z "$new" ] || finding "programs $first..: ${options[k - 1]}: $compiler warns: $(grep -m1 -F "${new%% *}" "v$k.log")"
        objects+=("v$k.o")
        list+="run_$k, "
    done
    echo "#include \"programs.h\"
extern Run run_0, ${list%, };
extern Run *const variants[];
Run *const variants[] = {run_0, ${list}0};" >variants.c
    # shellcheck disable=SC2086
    "$compiler" $common "$here/programs_main.c" variants.c v0.o "${objects[@]}" -lm -o programs || exit 2
    local out
    out=$(./programs "$first" "$size" 3>where 2>asan.log)
    local status=$?
    if [ $status != 0 ]; then
        grep '^program' <<<"$out" | awk '!seen[$2, $4]++' | head -20
        grep -m2 -E 'ERROR|#1' asan.log
        finding "programs $first.. compiled by $compiler: exit status $status, $(cat where)"
    fi
    compared=$((compared + $(sed -n 's/^compared \([0-9]*\).*/\1/p' <<<"$out" | grep . || echo 0)))
    undefined=$((undefined + $(sed -n 's/.*undefined \([0-9]*\).*/\1/p' <<<"$out" | grep . || echo 0)))
    programs=$((programs + size))
}

findings=0 refusals=0 kept=0 compared=0 undefined=0 programs=0 turn=0
while [ $SECONDS -lt "$seconds" ] && [ $programs -lt "$most" ]; do
    batch "${compilers[turn % ${#compilers[@]}]}" "-O$((turn / 2 % 4))"
    [ $findings = 0 ] || [ "${MIKGEN_FUZZ_KEEP_GOING:-0}" = 1 ] || break
    first=$((first + size)) turn=$((turn + 1))
done
echo "$programs programs ($kept left as they are) x ${#options[@]} option sets, $compared runs compared, $undefined discarded as undefined, $refusals refused, $findings findings"
[ $findings = 0 ] && [ $compared -gt 0 ]
