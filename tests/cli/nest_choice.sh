#!/usr/bin/env bash
# What the built-in model chooses about loops: --remarks, --emit=plan and --dump-after say it, a profile's line and --profile=none go before it,
# another run chooses the same.
#
#   nest_choice.sh MIKGEN FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
# shellcheck source=tests/fresh.sh
. "$(dirname "$0")/../fresh.sh" "$@"

# One of the nests that the model was fitted to, of which it is sure.
cp "$root/bench/nests/specs/max_pool_nhwc.spec" .
emit=("$mikgen" --target=c max_pool_nhwc.spec)
"${emit[@]}" --remarks -o chosen.c 2>remarks
grep -qE '^max_pool_nhwc.spec:[0-9]+:[0-9]+: optimized: chosen for avx2 by the built-in model, which expects [1-9]\.[0-9]+ times the speed: ' remarks ||
    { cat remarks; fail "nothing is chosen"; }
knobs=$(sed -n 's/.* by the built-in model, .* times the speed: //p' remarks | head -1)
"${emit[@]}" --dump-after=choose | grep -qF "// avx2: $knobs" || fail "--dump-after=choose does not say $knobs"
"${emit[@]}" --emit=plan >plan.json
python3 - "$knobs" <<'EOP' || fail "--emit=plan"
import json, sys

def found(tree):
    if isinstance(tree, dict):
        yield from (tree["expected"] if "expected" in tree else [])
    for kid in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else []:
        yield from found(kid)

(choice,) = found(json.load(open("plan.json")))
assert choice["set"] == "avx2" and choice["knobs"] == sys.argv[1] and choice["speed"] >= 1.05, choice
features = choice["features"]
assert "lanes" in features and "cycles" in features and all(sorted(f) == ["chosen", "planned"] for f in features.values()), features
assert any(f["chosen"] != f["planned"] for f in features.values()), "no feature is another one"
EOP
"${emit[@]}" -o again.c && cmp chosen.c again.c || fail "another run chooses otherwise"
MALLOC_PERTURB_=165 "${emit[@]}" -o again.c && cmp chosen.c again.c || fail "something of what was tried lives on"

# ---------------------------------------------------------------- what goes before it
"${emit[@]}" --profile=none --remarks -o none.c 2>remarks
! grep -q 'chosen for' remarks || fail "--profile=none chooses"
! cmp -s none.c <(sed 's/ --target=c / --target=c --profile=none /' chosen.c) || fail "what is chosen makes no difference"
! "${emit[@]}" --profile=none --emit=plan | grep -q '"cycles"' || fail "--profile=none expects something"

nest=$("${emit[@]}" --dump-after=nests | sed -n 's/^\/\/ [a-z_0-9]*_nest1, line [0-9]*, \([0-9a-f]*\);.*/\1/p')
for line in "avx2 $nest unroll 1" "avx2 $nest l2 unroll 1"; do
    printf 'mikgen-profile 1\nnest %s ns 1\n' "$line" >own.profile
    "${emit[@]}" --profile=own.profile --remarks -o own.c 2>remarks
    ! grep -q 'by the built-in model' remarks || fail "the model chooses where the profile has a line: $line"
    grep -q 'chosen for avx2 by the profile: ' remarks || { cat remarks; fail "the remark about a profile: $line"; }
done
printf 'mikgen-profile 1\nnest portable %s unroll 1 ns 1\n' "$nest" >portable.profile
"${emit[@]}" --profile=portable.profile --remarks -o own.c 2>remarks
grep -q 'by the built-in model' remarks && grep -q 'chosen for portable by the profile' remarks || { cat remarks; fail "a line about another set"; }
"$mikgen" --target=cuda max_pool_nhwc.spec --remarks -o chosen.cu 2>remarks
! grep -q 'built-in model' remarks || fail "a choice for CPUs in a CUDA file"

# ---------------------------------------------------------------- nests that go by rows together, none of which non-temporal stores
for spec in jacobi_2d blur2; do # a wave, a chain
    cp "$root/bench/nests/specs/$spec.spec" .
    "$mikgen" --target=c --profile=none --dump-after=nests $spec.spec >nests
    grep -qE '^// [a-z0-9_]*_(wave|chain)1, ' nests || fail "$spec has neither a wave nor a chain"
    { echo mikgen-profile 1
      for nest in $(sed -n 's/^\/\/ .*_nest[0-9]*, line [0-9]*, \([0-9a-f]*\);.*/\1/p' nests); do
          printf 'nest %s non_temporal 1 ns 1\n' "avx512 $nest" "avx2 $nest" "neon $nest" "portable $nest"
      done; } >cached.profile
    "$mikgen" --target=c --profile=cached.profile $spec.spec -o $spec.c
    gcc -std=c99 -O0 -Wall -Wextra -Werror -c $spec.c -o $spec.o || fail "$spec does not compile"
done
