#!/usr/bin/env bash
# nests.sh with kernels that are not as planned: a profile sets each knob of each nest on GPUs to a value that is drawn.
#
#   grid_knobs.sh SEED MIKGEN FOLDER SPEC [SELFCHECK ARGUMENT...]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 4 ] || { sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2; }
seed=$1 mikgen=$2 out=$3 spec=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
out=$(realpath "$out")
nests=$("$mikgen" --target=cuda --dump-after=nests "$spec" | sed -n 's/^\/\/ [^,]*, \([0-9a-f]\{16\}\)$/\1/p' | sort -u)
[ -n "$nests" ] || { echo "FAILED: $spec has no nests"; exit 1; }
# Every knob's word, and its values behind the one that is planned.
knobs=$(sed -n 's/^GRID_KNOB(GRID_[A-Z_]*, "\([a-z_]*\)", "[^"]*", [0-9]*, \(.*\))$/\1 \2/p' "$here/../../plan/grid_knobs.def" | tr -d ,)
awk -v seed="$seed" -v nests="$nests" '
    { word[NR] = $1; count[NR] = NF - 1; for (i = 2; i <= NF; i++) value[NR, i - 1] = $i }
    END {
        srand(seed)
        n = split(nests, nest, "\n")
        print "mikgen-profile 1"
        for (i = 1; i <= n; i++) {
            printf "grid sm_80 %s", nest[i]
            for (k = 1; k <= NR; k++)
                printf " %s %d", word[k], rand() < 0.2 ? 0 : value[k, 1 + int(rand() * count[k])]
            print " ns 1"
        }
    }' <<<"$knobs" >"$out/drawn.profile"
[ "$(wc -w <<<"$knobs")" -gt 20 ] || { echo "FAILED: no knobs were read"; exit 1; }
# What is drawn is heard of.
"$mikgen" --target=cuda "$spec" | tail -n +4 >"$out/planned.cu"
"$mikgen" --target=cuda --profile="$out/drawn.profile" "$spec" | tail -n +4 >"$out/drawn.cu"
! cmp -s "$out/planned.cu" "$out/drawn.cu" || { echo "FAILED: the knobs change nothing"; exit 1; }
status=0
MIKGEN_OPTIONS="${MIKGEN_OPTIONS-} --profile=$out/drawn.profile" "$here/nests.sh" "$mikgen" "$out" "$spec" "$@" || status=$?
[ $status = 0 ] || [ $status = 77 ] || { echo "FAILED: with the knobs of seed $seed:"; cat "$out/drawn.profile"; }
exit $status
