#!/usr/bin/env bash
# Random specs of loop nests, each generated, compiled and run against itself by tests/oracle/oracle.sh.
#
#   nests.sh MIKGEN RANDOM_NEST FOLDER [FIRST [SECONDS]]
#
# Operators FIRST, FIRST + 1, ... (default $MIKGEN_FUZZ_SEED or 1), so many to a spec ($MIKGEN_FUZZ_BATCH, 10), until SECONDS (default
# 500) are over or $MIKGEN_FUZZ_MOST (400) have run. Specs take turns between compilers, sanitizers and options of mikgen; what
# --fp=strict makes is compared bit by bit. $MIKGEN_FUZZ_KEEP_GOING=1: do not stop at the first finding. $MIKGEN_FUZZ_MODE: one
# mode for all turns; `quick` and batches of 50 run three programs a second.
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
[ $# -ge 3 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mikgen=$(realpath "$1") generator=$(realpath "$2") folder=$3
first=${4:-${MIKGEN_FUZZ_SEED:-1}} seconds=${5:-500} size=${MIKGEN_FUZZ_BATCH:-10} most=${MIKGEN_FUZZ_MOST:-400}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder" && cd "$folder" || exit 2
ulimit -s "$(ulimit -H -s)" # the intermediate arrays of the specs themselves lie on the stack

# Mode, what random_nest is told, a macro for the emitted file, and mikgen's options.
turns=(
    "gcc      -      none                 --fp=reorder"
    "gcc      strict none                 --fp=strict"
    "clang    -      none                 --fp=reorder"
    "gcc      -      -DMIK_NON_TEMPORAL_BYTES=-1  --math=libm"
    "sanitize -      none                 --fp=reorder"
    "clang    strict none                 --fp=strict"
    "gcc      bf16   none                 --fp=reorder"
    "gcc      strict -DMIK_NON_TEMPORAL_BYTES=-1  --fp=strict --fuse=off"
)

# Specs compute what nothing uses, and ask for what cannot be.
silly="-Wno-unused-but-set-variable -Wno-type-limits -Wno-bool-compare -Wno-tautological-compare -Wno-constant-conversion -Wno-unknown-warning-option"

# One spec of $size operators.
batch() {
    read -r mode kind define options <<<"${turns[turn % ${#turns[@]}]}"
    mode=${MIKGEN_FUZZ_MODE:-$mode}
    local spec=nests_$first.spec compare=--slack=64
    [ "$kind" != strict ] || compare=--exact
    "$generator" "$first" "$size" "$kind" >"$spec" || exit 2
    MIKGEN_OPTIONS="--max-kernels=4 $options" MIKGEN_DEFINES="$silly ${define/#none/}" "$here/../oracle/oracle.sh" "$mode" "$mikgen" \
        "$PWD/$spec" "$PWD/$mode" --tuples="${MIKGEN_FUZZ_TUPLES:-6}" "$compare" --seed="$first" >log 2>&1 && return
    findings=$((findings + 1))
    echo "nests $first.., $mode $kind $define $options: $PWD/$spec"
    grep -E 'FAILED|error|warning|internal' log | awk '!seen[$0]++' | head -8
}

findings=0 operators=0 turn=$((first / size))
while [ $SECONDS -lt "$seconds" ] && [ $operators -lt "$most" ]; do
    batch
    [ $findings = 0 ] || [ "${MIKGEN_FUZZ_KEEP_GOING:-0}" = 1 ] || break
    first=$((first + size)) turn=$((turn + 1)) operators=$((operators + size))
done
echo "$operators operators, $findings findings"
[ $findings = 0 ]
