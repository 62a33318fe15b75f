#!/usr/bin/env bash
# NAME_explain says what would be faster: where it is, and as much as the explanation of the call that follows the advice says.
#
#   advice.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
mikgen=$1 out=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
cd "$out"
fail() { echo "FAILED: $*"; exit 1; }
"$mikgen" --max-kernels=4 "$here/advice.spec" -o advice_dyn.c
"$mikgen" --emit=header "$here/advice.spec" -o advice_dyn.h
gcc -std=c99 -O0 -Wall -Wextra -Werror -I. "$here/advice.c" advice_dyn.c -lm -o advice

# explain OPERATOR ISA THREADS WORKSPACE M N K LD: the text goes to `text`, the cost in nanoseconds to $cost
explain() {
    ./advice "$@" >text
    cost=$(sed -n 's/^cost: \([0-9]*\) ns.*/\1/p' text)
}
# advised BEGINNING: nanoseconds of the advice that begins so, to $then; it must be less by 3 % than $cost
advised() {
    then=$(sed -n "s/^advice: $1.*: \(about \)\{0,1\}\([0-9]*\) ns, [0-9.]* times as fast\$/\2/p" text)
    [ -n "$then" ] || { cat text; fail "no advice of '$1'"; }
    [ $((100 * then)) -lt $((97 * cost)) ] || { cat text; fail "'$1' gains less than it must"; }
}
never() { if grep -q "^advice: $1" text; then cat text; fail "advice of '$1'"; fi; }
# follows WORDS...: the explanation of the call that follows the advice has that cost
follows() {
    local expected=$then
    explain "$@"
    [ "$cost" = "$expected" ] || { cat text; fail "$*: $cost ns, not $expected as advised"; }
}

isas=1
./advice plain 2 1 0 9 9 9 9 | grep -q 'lacks the instruction set' || isas="1 2"
for isa in $isas; do
    # Threads: fewest of those that are about best.
    explain plain "$isa" 1 0 300 300 300 300
    advised '[0-9]* threads'
    threads=$(sed -n 's/^advice: \([0-9]*\) threads.*/\1/p' text)
    follows plain "$isa" "$threads" 0 300 300 300 300
    never '[0-9]* threads'

    # Where there is nothing to gain, nothing is said.
    explain plain "$isa" 1 0 14 8 8 8
    never ''
    [ "$isa" != 1 ] || continue # whose kernels pack nothing here

    # A workspace, until there is one.
    explain plain "$isa" 1 0 300 700 900 700
    bytes=$(sed -n 's/^advice: a workspace of \([0-9]*\) bytes.*/\1/p' text)
    [ "${bytes:-0}" -gt 4096 ] || { cat text; fail "no advice of a workspace"; }
    explain plain "$isa" 1 "$bytes" 300 700 900 700
    never 'a workspace'

    # B packed once: where it can be, and where it might.
    explain weighted "$isa" 1 0 24 1000 1000 1024
    advised 'weighted_packed_with'
    follows packed "$isa" 1 0 24 1000 1000 1024
    never 'weighted_packed_with'
    explain plain "$isa" 1 0 24 1000 1000 1024
    advised '#pragma mikgen constant(B) in the spec, and plain_packed_with'

    # Rows of B that compete for cache sets.
    advised 'lines of B 64 bytes further apart'
    follows plain "$isa" 1 0 24 1000 1000 1040
    never 'lines of B'
done

# A few more columns, or rows, at the same price or less: by what kernels there are.
explain plain 1 1 0 13 33 64 33
grep -q '^advice: [mnk] \(up to \)\{0,1\}[0-9]*' text || { cat text; fail "no advice of an extent nearby"; }
sed -n 's/^advice: \([mnk]\) \([0-9]*\): \([0-9]*\) ns.*/\1 \2 \3/p' text >nearby
while read -r extent value then; do
    set -- plain 1 1 0 13 33 64 33
    case $extent in m) set -- "${@:1:4}" "$value" 33 64 33 ;; n) set -- "${@:1:4}" 13 "$value" 64 33 ;; k) set -- "${@:1:4}" 13 33 "$value" 33 ;; esac
    follows "$@"
done <nearby
echo "advice is due, and true to the model"
