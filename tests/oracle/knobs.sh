#!/usr/bin/env bash
# oracle.sh with loops that are laid out otherwise than planned, and an engine of other sizes and thresholds: a profile sets each knob of
# each nest, for all calls and for some classes of calls, whose limits are sampled so that extents are on both sides, and each number of the
# engine, to a sampled value.
#
#   knobs.sh SEED MODE MIKGEN SPEC FOLDER [CHECK OPTION...]
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu -o pipefail
[ $# -ge 5 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
seed=$1 mode=$2 mikgen=$3 spec=$4 out=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
# shellcheck disable=SC2086 # several options
nests=$("$mikgen" --target=c ${MIKGEN_OPTIONS-} --dump-after=nests "$spec" | sed -n 's/^\/\/ .*, line [0-9]*, \([0-9a-f]\{16\}\);.*/\1/p' | sort -u)
families=$("$mikgen" --target=c ${MIKGEN_OPTIONS-} --emit=plan "$spec" | sed -n 's/^      "name": "\(f32\|f64\|i8\|i32\|bf16\|u8s8\)",*$/\1/p' | sort -u)
[ -n "$nests$families" ] || { echo "FAILED: $spec has neither nests nor products"; exit 1; }
# Every knob's word and values.
knobs=$(sed -n 's/^KNOB(KNOB_[A-Z_]*, "\([a-z_]*\)", "[a-z_]*", "[^"]*", \(.*\))$/\1 \2/p' "$here/../../plan/nest_knobs.def" |
    sed 's/KNOB_NO\|KNOB_OUTER/1/; s/KNOB_YES\|KNOB_INNER/2/; s/,//g')
[ "$(wc -l <<<"$knobs")" = "$(grep -c '^KNOB(' "$here/../../plan/nest_knobs.def")" ] || { echo "FAILED: the list of knobs is not read"; exit 1; }
numbers=$(tr -d '\n' <"$here/../../plan/engine_knobs.def" | grep -o 'ENGINE_[A-Z]*([a-z0-9_]*, [^"]*"[^"]*", *"[^"]*", [0-9, ]*)' |
    sed 's/^ENGINE_[A-Z]*(\([a-z0-9_]*\),.*", \([0-9, ]*\))$/\1 \2/; s/,//g')
[ "$(wc -l <<<"$numbers")" -ge 20 ] || { echo "FAILED: the list of the engine's numbers is not read"; exit 1; }
classes=$(sed -n 's/^SHAPE_CLASS(CLASS_[A-Z0-9]*, "\([a-z0-9]*\)".*/\1/p' "$here/../../plan/shape_classes.def")
awk -v seed="$seed" -v nests="$nests" -v words="$classes" '
    { word[NR] = $1; count[NR] = NF - 1; for (i = 2; i <= NF; i++) value[NR, i - 1] = $i }
    END {
        srand(seed)
        n = split(nests, nest, "\n")
        classes = split(words, class, "\n")
        print "mikgen-profile 1"
        for (i = 1; i <= n; i++)
            for (s = split("avx512 avx2 portable", set, " "); s > 0; s--)
                for (c = 0; c <= classes; c++) {
                    if (c && rand() < 0.4)
                        continue
                    printf "nest %s %s%s", set[s], nest[i], c ? " " class[c] : ""
                    for (k = 1; k <= NR; k++)
                        printf " %s %d", word[k], rand() < 0.3 ? 0 : value[k, 1 + int(rand() * count[k])]
                    print " ns 1"
                }
        # Bytes: 200 to 5000, and 2 to 30 times that.
        print "#limits", 200 * 25 ^ rand(), 2 * 15 ^ rand()
    }' <<<"$knobs" >"$out/drawn.profile"
awk -v seed="$seed" -v families="$families" '
    { word[NR] = $1; count[NR] = NF - 1; for (i = 2; i <= NF; i++) value[NR, i - 1] = $i }
    END {
        srand(seed + 1)
        for (f = split(families, family, "\n"); f > 0; f--)
            for (s = split("avx512 avx2 neon portable", set, " "); s > 0; s--) {
                printf "engine %s %s", family[f], set[s]
                for (k = 1; k <= NR; k++)
                    printf " %s %d", word[k], value[k, 1 + int(rand() * count[k])]
                print ""
            }
    }' <<<"$numbers" >>"$out/drawn.profile"
read -r l2 l3 < <(awk '/^#limits/ { print int($2), int($2 * $3) }' "$out/drawn.profile")
MIKGEN_DEFINES="${MIKGEN_DEFINES-} -DMIK_L2_BYTES=$l2 -DMIK_L3_BYTES=$l3" \
MIKGEN_OPTIONS="${MIKGEN_OPTIONS-} --profile=$out/drawn.profile" "$here/oracle.sh" "$mode" "$mikgen" "$spec" "$out" "$@" ||
    { echo "FAILED: with the knobs of seed $seed:"; cat "$out/drawn.profile"; exit 1; }
