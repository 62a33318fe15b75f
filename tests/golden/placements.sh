#!/usr/bin/env bash
# What each placement of a local array that an operator offers makes of its loops, compared with the file x.ir beside each spec of
# golden/placements: the choices as --dump-after=nests names them, then the tree after the pass fuse with each of them in a profile. Waves
# and chains come later: where a choice changes only these, they are shown.
#
#   placements.sh MIKGEN FOLDER [--update]
set -eu
mikgen=$(realpath "$1") out=$2 update=${3:-}
mkdir -p "$out"
out=$(realpath "$out")
cd "$(dirname "$0")/placements"
failed=0

# "NAME FINGERPRINT NUMBER PLACEMENT" of each choice but "planned".
choices() {
    "$mikgen" --target=c --dump-after=nests "$1" | sed -n 's/^\/\/ \([a-zA-Z_0-9]*\), \([0-9a-f]\{16\}\): /\1 \2 /p' |
        sed 's/;//g; s/,//g' | awk '{ for (i = 3; i <= NF; i++) if ($i ~ /^[0-9]+$/) { n = $i; i++ } else if ($i != "planned") print $1, $2, n, $i }'
}
by_rows() { "$mikgen" --target=c "${@:2}" --dump-after=nests "$1" | grep -E "^// [a-zA-Z_0-9]*_(wave|chain)[0-9]+," || echo "// no rows together"; }

for spec in *.spec; do
    name=${spec%.spec} result=$out/${spec%.spec}.out
    {
        "$mikgen" --target=c --dump-after=fuse "$spec"
        by_rows "$spec"
    } >"$out/planned"
    cp "$out/planned" "$result"
    choices "$spec" >"$out/choices"
    [ -s "$out/choices" ] || { echo "FAILED: $spec has no choice"; failed=1; }
    while read -r operator fingerprint number placement; do
        printf 'mikgen-profile 1\nfuse %s %s %s ns 1\n' "$fingerprint" "$number" "$placement" >"$out/one.profile"
        {
            "$mikgen" --target=c --profile="$out/one.profile" --dump-after=fuse "$spec"
            by_rows "$spec" --profile="$out/one.profile"
        } >"$out/placed"
        ! cmp -s "$out/planned" "$out/placed" || { echo "FAILED: $spec: $operator's array $number $placement changes nothing"; failed=1; }
        printf '\n==== %s, array %s: %s\n' "$operator" "$number" "$placement"
        cat "$out/placed"
    done <"$out/choices" >>"$result" 2>&1
    [ "$update" != --update ] || cp "$result" "$name.ir"
    diff -u "$name.ir" "$result" || { echo "FAILED: placements/$spec"; failed=1; }
done
exit $failed
