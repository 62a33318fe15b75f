#!/usr/bin/env bash
# oracle.sh with local arrays that are computed elsewhere than planned: a profile places each array of each operator where it may be, as is
# sampled; whether the array has that choice does not matter.
#
#   placements.sh SEED MODE MIKGEN SPEC FOLDER [CHECK OPTION...]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 5 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
seed=$1 mode=$2 mikgen=$3 spec=$4 out=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
words=$(sed -n 's/^PLACEMENT(PLACE_[A-Z]*, "\([a-z]*\)".*/\1/p' "$here/../../ir/placements.def")
[ "$(wc -l <<<"$words")" = 4 ] || { echo "FAILED: the list of placements is not read"; exit 1; }
# shellcheck disable=SC2086 # several options
operators=$("$mikgen" --target=c ${MIKGEN_OPTIONS-} --dump-after=nests "$spec" | grep -E '^// [a-zA-Z_0-9]+, [0-9a-f]{16}: ' || true)
[ -n "$operators" ] || { echo "FAILED: $spec has no array with a choice"; exit 1; }
awk -v seed="$seed" -v words="$words" '
    BEGIN { srand(seed); print "mikgen-profile 1"; n = split(words, word, "\n") }
    {
        printf "fuse %s", substr($3, 1, 16)
        for (i = 4; i <= NF; i++)
            if ($i ~ /^[0-9]+$/) {
                printf " %s %s", $i, word[1 + int(rand() * n)]
                i++
            }
        print " ns 1"
    }' <<<"$operators" >"$out/placed.profile"
MIKGEN_OPTIONS="${MIKGEN_OPTIONS-} --profile=$out/placed.profile" "$here/oracle.sh" "$mode" "$mikgen" "$spec" "$out" "$@" ||
    { echo "FAILED: with the placements of seed $seed:"; cat "$out/placed.profile"; exit 1; }
