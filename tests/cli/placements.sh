#!/usr/bin/env bash
# Where a profile wants local arrays computed: --remarks and --emit=plan say it, the file is another one, the same profile gives the same
# bytes; what cannot be is as planned, and said; CUDA files and --fuse=off do not care.
#
#   placements.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/refuse.sh
. "$(dirname "$0")/../refuse.sh"
mikgen=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$2"
rm -rf ./*

cp "$root/tests/golden/placements/softmax.spec" .
emit=("$mikgen" --target=c softmax.spec)
choices=$("${emit[@]}" --dump-after=nests | grep -E '^// softmax, [0-9a-f]{16}: ')
[[ $choices == *": 0 top planned, whole; 1 E planned, inlined, whole; 2 sum planned, whole" ]] || fail "other choices: $choices"
operator=${choices#// softmax, } operator=${operator%%:*}
profile() { printf 'mikgen-profile 1\nfuse %s %s ns 1\n' "$operator" "$1" >own.profile; }

# placements WORD...: those of top, E and sum in the plan.
placements() {
    "${emit[@]}" --profile=own.profile --emit=plan >plan.json
    python3 - "$@" <<'EOP' || fail "--emit=plan does not say $*"
import json, sys

producers = json.load(open("plan.json"))["ops"][0]["producers"]
assert [p["array"] for p in producers] == ["top", "E", "sum"] and [p["number"] for p in producers] == [0, 1, 2], producers
assert [p["placement"] for p in producers] == sys.argv[1:], producers
EOP
}

"${emit[@]}" --remarks -o planned.c 2>remarks
! grep -q 'the profile has chosen' remarks || fail "there is no profile"
profile "1 inlined 2 whole"
placements planned inlined whole
"${emit[@]}" --profile=own.profile --remarks -o placed.c 2>remarks
grep -qF "softmax.spec:5:19: optimized: the profile has chosen 'inlined' for 'E': computed anew wherever it is read" remarks || { cat remarks; fail "E"; }
grep -qF "softmax.spec:5:28: optimized: the profile has chosen 'whole' for 'sum': all of it before any is read" remarks || { cat remarks; fail "sum"; }
[ "$(grep -c 'the profile has chosen' remarks)" = 2 ] || { cat remarks; fail "a remark about what is as planned"; }
! cmp -s <(sed 's/ --profile=own.profile//' placed.c) planned.c || fail "the profile changes nothing"
"${emit[@]}" --profile=own.profile -o again.c && cmp placed.c again.c || fail "the same profile gives different bytes"
MALLOC_PERTURB_=165 "${emit[@]}" --profile=own.profile -o again.c && cmp placed.c again.c || fail "something of what was tried lives on"

# What cannot be, or is nothing else than planned, and arrays that are not there.
profile "0 inlined 1 merged 7 whole"
placements planned merged planned
"${emit[@]}" --profile=own.profile --remarks -o none.c 2>remarks
grep -qF "softmax.spec:5:11: missed: the profile has chosen 'inlined' for 'top', which cannot be: it is as planned" remarks || { cat remarks; fail "top"; }
cmp <(sed 's/ --profile=own.profile//' none.c) planned.c || fail "what cannot be changes the file"

# Other targets and options.
profile "1 inlined"
"$mikgen" --target=cuda softmax.spec -o planned.cu
"$mikgen" --target=cuda --profile=own.profile --remarks softmax.spec -o placed.cu 2>remarks
! grep -q 'the profile has chosen' remarks || fail "a choice for CPUs in a CUDA file"
cmp <(sed 's/ --profile=own.profile//' placed.cu) planned.cu || fail "a choice for CPUs changes a CUDA file"
"${emit[@]}" --fuse=off -o planned.c
"${emit[@]}" --fuse=off --profile=own.profile --remarks -o placed.c 2>remarks
! grep -q 'the profile has chosen' remarks || fail "a choice with --fuse=off"
cmp <(sed 's/ --profile=own.profile//' placed.c) planned.c || fail "a choice changes the file with --fuse=off"

# Wrong lines.
profile "1 inline"
refuse "own.profile:2:25: error: array 1 cannot be 'inline'" --target=c --profile=own.profile softmax.spec
grep -q 'write planned, inlined, merged or whole' message || { cat message; fail "what to write instead"; }
profile "20 whole"
refuse "own.profile:2:23: error: a fuse record has no field '20'" --target=c --profile=own.profile softmax.spec
printf 'mikgen-profile 1\nfuse softmax 1 whole ns 1\n' >own.profile
refuse "own.profile:2:6: error: 'softmax' is no operator" --target=c --profile=own.profile softmax.spec
