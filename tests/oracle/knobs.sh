#!/usr/bin/env bash
# oracle.sh with loops that are laid out otherwise than planned: a profile sets each knob of each nest to a value that is drawn, for all calls,
# and for some classes of calls, whose limits are drawn so that extents are on both sides.
#
#   knobs.sh SEED MODE MIKGEN SPEC FOLDER [CHECK OPTION...]
set -eu -o pipefail
[ $# -ge 5 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
seed=$1 mode=$2 mikgen=$3 spec=$4 out=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out"
# shellcheck disable=SC2086 # several options
nests=$("$mikgen" --target=c ${MIKGEN_OPTIONS-} --dump-after=nests "$spec" | sed -n 's/^\/\/ .*, line [0-9]*, \([0-9a-f]\{16\}\);.*/\1/p' | sort -u)
[ -n "$nests" ] || { echo "FAILED: $spec has no nests"; exit 1; }
# Every knob's word and values.
knobs=$(sed -n 's/^KNOB(KNOB_[A-Z_]*, "\([a-z_]*\)", "[^"]*", \(.*\))$/\1 \2/p' "$here/../../plan/nest_knobs.def" |
    sed 's/KNOB_NO\|KNOB_OUTER/1/; s/KNOB_YES\|KNOB_INNER/2/; s/,//g')
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
read -r l2 l3 < <(awk '/^#limits/ { print int($2), int($2 * $3) }' "$out/drawn.profile")
MIKGEN_DEFINES="${MIKGEN_DEFINES-} -DMIK_L2_BYTES=$l2 -DMIK_L3_BYTES=$l3" \
MIKGEN_OPTIONS="${MIKGEN_OPTIONS-} --profile=$out/drawn.profile" "$here/oracle.sh" "$mode" "$mikgen" "$spec" "$out" "$@" ||
    { echo "FAILED: with the knobs of seed $seed:"; cat "$out/drawn.profile"; exit 1; }
